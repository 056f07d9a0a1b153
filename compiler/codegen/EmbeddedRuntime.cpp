#include "codegen/EmbeddedRuntime.h"

// The build says where the files are.
#define SX_EMBED(symbol, path) \
    asm(".pushsection .rodata." #symbol ",\"a\",@progbits\n" \
        ".p2align 4\n" \
        ".globl " #symbol "\n" #symbol ":\n" \
        ".incbin \"" path "\"\n" \
        ".globl " #symbol "_end\n" #symbol "_end:\n" \
        ".popsection\n"); \
    extern "C" const char symbol[], symbol##_end[]

SX_EMBED(sx_embedded_trace_library, SX_RUNTIME_ARCHIVE);
SX_EMBED(sx_embedded_program_library, SX_PROGRAM_ARCHIVE);
SX_EMBED(sx_embedded_gdb_script, SX_GDB_SCRIPT_OBJECT);

namespace sx::codegen {

llvm::StringRef traceLibrary() {
    return {sx_embedded_trace_library, size_t(sx_embedded_trace_library_end - sx_embedded_trace_library)};
}
llvm::StringRef programLibrary() {
    return {sx_embedded_program_library, size_t(sx_embedded_program_library_end - sx_embedded_program_library)};
}
llvm::StringRef gdbScript() {
    return {sx_embedded_gdb_script, size_t(sx_embedded_gdb_script_end - sx_embedded_gdb_script)};
}

} // namespace sx::codegen
