#include "ir/CodeMarks.h"

#include "ir/Ops.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::ir {

ValueId codeOfErrorEvent(const Function& fn, const ErrorEvent& event) {
    Op op = fn.instr(event.at).op;
    if (op != Op::Br && op != Op::Ret) return event.at;
    for (const Block& block : fn.blocks) {
        if (block.instrs.empty() || block.instrs.back() != event.at) continue;
        for (ValueId v : llvm::reverse(block.instrs))
            if (v != event.at && hasEffect(fn.instr(v).op)) return v;
    }
    return event.at;
}

} // namespace sx::ir
