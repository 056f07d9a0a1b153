// The expressions of breakpoints in the program's own process: compiled once, run by the interpreter on the thread that
// is there.
#pragma once

#include "debugger/engine/BreakpointTexts.h"
#include "debugger/inspect/Values.h"
#include "debugger/program/Program.h"
#include "lower/ExpressionCompiler.h"
#include "vm/debug/Debugger.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>

namespace sx::debugger {

/// An expression at one place.
class PlacedExpression {
public:
    /// `compiler` keeps the code as long as the process lives. `isCondition`: the value is a bool.
    PlacedExpression(lower::ExpressionCompiler& compiler, const Program&, const std::string& text, SourcePos at,
                     ir::FuncId function, bool isCondition, const std::vector<Engine::GivenPlace>& given = {});

    /// Makes a call of compiled code in the program.
    using Call = llvm::function_ref<Result<uint64_t>(ir::FuncId, llvm::ArrayRef<uint64_t>)>;
    /// The value in a frame; on failure why there is none. The bytes of the answer are `room`'s.
    Result<Datum> run(Call, const vm::DebugFrame&, std::vector<uint64_t>& room) const;
    const std::string& text() const { return text_; }

private:
    std::string text_;
    const lower::CompiledExpression* code_;
    const Program& program_;
    /// Where the variables are, in their order: a slot of the frame, or an address where there is no slot.
    struct Place {
        ir::SlotId slot = ir::SlotId::None;
        uint64_t address = 0;
    };
    std::vector<Place> places_;
    std::string problem_;
};

/// What a breakpoint asks before it stops.
struct BreakpointTexts {
    std::string condition, logMessage;
    std::optional<HitCondition> hitCondition;
};

/// Makes what the interpreter's debugger asks at places of one breakpoint; they share `hits`. `say` gets log messages,
/// and what is wrong with a condition. Null where nothing is asked.
std::function<bool(vm::Thread&, const vm::DebugFrame&)>
breakpointPredicate(const BreakpointTexts&, CodePoint, lower::ExpressionCompiler&, const Program&, vm::Debugger&,
                    Values, std::shared_ptr<std::atomic<uint64_t>> hits, std::function<void(const std::string&)> say);

} // namespace sx::debugger
