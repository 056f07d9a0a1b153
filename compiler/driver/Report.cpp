#include "driver/Report.h"

#include "ir/NeededSymbols.h"
#include "source/UndefinedSymbols.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <unistd.h>

namespace sx::driver {

std::string inOneLine(const std::string& text) {
    std::string line;
    auto escape = [&](unsigned char byte) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
        line += escaped;
    };
    for (size_t i = 0; i < text.size(); ++i) {
        auto byte = static_cast<unsigned char>(text[i]);
        auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        if (byte < 0x20 || byte == 0x7f) escape(byte);
        else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) escape(byte), escape(next), ++i; // U+0080 to U+009F
        else line += text[i];
    }
    return line;
}

static void printLine(const char* kind, const std::string& message) {
    std::fprintf(stderr, "%s%s\n", kind, inOneLine(message).c_str());
}

void printError(const std::string& message) { printLine("error: ", message); }

bool printWarning(const Invocation& in, const std::string& message) {
    bool isError = in.warnings == WarningPolicy::Error;
    if (in.warnings != WarningPolicy::Off) printLine(isError ? "error: " : "warning: ", message);
    return !isError;
}

/// stderr is a terminal that wants colour.
static bool colorDiagnostics() {
    const char* term = std::getenv("TERM");
    const char* plain = std::getenv("NO_COLOR");
    return isatty(2) && !(plain && *plain) && !(term && std::strcmp(term, "dumb") == 0);
}

void printDiagnostics(const SourceManager& sources, const Diagnostics& diags, const Invocation& in) {
    std::string text = renderDiagnostics(sources, diags, {colorDiagnostics(), in.maxErrors});
    std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string linkProblem(const std::string& messages) {
    std::istringstream text(messages);
    std::string joined;
    std::set<std::string> missing; // named in the order in which those who load a program name them
    for (std::string line; std::getline(text, line);) {
        llvm::StringRef rest = line;
        if (rest.empty() || rest.starts_with(">>>")) continue;
        if (rest.consume_front(UndefinedSymbol)) missing.insert(rest.str());
        else if (size_t at = rest.find("undefined reference to `"); at != llvm::StringRef::npos) // GNU ld
            missing.insert(rest.substr(at).split('`').second.rtrim("'").str());
        else if (!rest.ends_with("':") && !rest.starts_with("collect2: "))
            joined += (joined.empty() ? "" : "; ") + line;
    }
    std::string first = undefinedSymbols(missing);
    return first + (first.empty() || joined.empty() ? "" : "; ") + joined;
}

std::string reportUndefined(const ir::Module& module, llvm::StringRef problem, Diagnostics& diags) {
    std::string rest;
    std::set<std::string> missing = undefinedIn(problem, &rest);
    if (missing.empty()) return rest;
    for (const ir::NeededSymbol& needed : ir::neededSymbols(module))
        if (needed.declaration.isValid() && missing.erase(needed.symbol))
            diags.error(needed.declaration, "undefined symbol: " + code(needed.symbol))
                .help("name the library that defines it behind `extern`: `NAME :: #library \"…\";`");
    std::string first = undefinedSymbols(missing); // C code needs them
    return first + (first.empty() || rest.empty() ? "" : "; ") + rest;
}

} // namespace sx::driver
