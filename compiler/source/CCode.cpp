#include "source/CCode.h"

#include "source/Wording.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cstdlib>

namespace sx {

Result<std::string> findCCompiler(const std::string& file) {
    if (const char* chosen = std::getenv("CC"); chosen && *chosen) {
        auto program = llvm::sys::findProgramByName(chosen);
        return program ? Result<std::string>(*program)
                       : Failure{"cannot find the C compiler " + code(chosen) + " of the variable `CC`"};
    }
    for (const char* name : {"cc", "clang-19", "clang", "gcc"})
        if (auto program = llvm::sys::findProgramByName(name)) return *program;
    return Failure{"there is no C compiler for " + code(file) +
                   ": install `gcc` or `clang`, or name one in the variable `CC`"};
}

std::string exportAssembly(const std::vector<std::string>& exports) {
    constexpr size_t Word = 8;
    std::string text = ".text\n";
    for (size_t i = 0; i < exports.size(); ++i) {
        const std::string& name = exports[i];
        text += llvm::formatv(".globl \"{0}\"\n.type \"{0}\",@function\n\"{0}\": jmp *{1}+{2}(%rip)\n", name,
                              ExportTable, i * Word)
                    .str();
    }
    text += llvm::formatv(".bss\n.globl {0}\n.balign 8\n{0}: .zero {1}\n", ExportTable,
                          std::max<size_t>(exports.size(), 1) * Word)
                .str();
    return text + ".section .note.GNU-stack,\"\",@progbits\n";
}

} // namespace sx
