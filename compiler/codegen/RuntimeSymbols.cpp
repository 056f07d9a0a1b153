#include "codegen/RuntimeSymbols.h"

#include "heap.h"
#include "symbols.h"

namespace sx::codegen {

void* runtimeSymbol(llvm::StringRef name) {
    size_t count = 0;
    const sx_program_symbol* table = sx_program_symbols(&count);
    for (size_t i = 0; i < count; ++i)
        if (name == table[i].name) return reinterpret_cast<void*>(table[i].address);
    return reinterpret_cast<void*>(sx_heap_replacement(name.str().c_str()));
}

} // namespace sx::codegen
