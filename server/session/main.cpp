// `sx-lsp`, the language server: what `sx lsp` becomes, which has read the options.
#include "server/session/Serve.h"

#include "llvm/ADT/StringRef.h"

#include <cstdio>

int main(int argc, char** argv) {
    uint16_t port = 0;
    if (argc == 1) return sx::server::serveLanguage({});
    if (argc == 3 && llvm::StringRef(argv[1]) == "--listen" && !llvm::StringRef(argv[2]).getAsInteger(10, port))
        return sx::server::serveLanguage(port);
    std::fputs("usage: sx-lsp [--listen PORT]\n", stderr);
    return 2;
}
