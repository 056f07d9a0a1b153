#include "vm/Dump.h"

#include "vm/Program.h"

namespace sx::vm {

std::string dumpBytecode(ir::Module& module) {
    ProgramOptions options;
    options.heapBytes = 1 << 16;
    Program program(module, options);
    std::string out;
    for (uint32_t f = 0; f < module.functions.size(); ++f) {
        const ir::Function& fn = *module.functions[f];
        if (fn.isExtern || fn.dead || fn.blocks.empty()) continue;
        Callee& callee = program.callees.at(ir::FuncId{f});
        Result<void> prepared = program.prepare(callee);
        out += prepared ? disassemble(*callee.code, module) : prepared.error() + "\n";
        out += "\n";
    }
    return out;
}

} // namespace sx::vm
