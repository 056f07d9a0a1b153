// Prints what C headers declare as declarations of the language: an executable of its own, because libclang takes
// longer to load than the compiler takes for a program.
//
//     sx-cimport HEADER… -- OPTION-OF-THE-C-COMPILER…
//
// Exit status 1: the headers have errors, which are on standard error.
#include "cimport/Headers.h"

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
    std::vector<std::string> headers, options;
    int i = 1;
    for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) headers.push_back(argv[i]);
    for (++i; i < argc; ++i) options.push_back(argv[i]);
    if (headers.empty()) {
        std::fputs("usage: sx-cimport HEADER... -- OPTION...\n", stderr);
        return 2;
    }
    sx::cimport::HeaderText read = sx::cimport::readHeaders(headers, options);
    std::fputs(read.text.c_str(), read.ok ? stdout : stderr);
    return read.ok ? 0 : 1;
}
