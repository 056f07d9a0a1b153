// The expressions of breakpoints in the program's own process: compiled once. What changes nothing is run by the
// interpreter on the thread that is there, everything else is evaluated over the program's memory.
#pragma once

#include "debugger/engine/BreakpointTexts.h"
#include "debugger/evaluate/Evaluator.h"
#include "debugger/inspect/Values.h"
#include "debugger/program/Program.h"
#include "lower/ExpressionCompiler.h"
#include "vm/debug/Debugger.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <mutex>

namespace sx::debugger {

/// Evaluates what may not run as it is, for one thread at a time.
struct SharedEvaluator {
    SharedEvaluator(sema::Sema& sema, Memory& memory, Addresses& addresses) : evaluator(sema, memory, addresses) {}
    Evaluator evaluator;
    std::mutex mutex;
};

/// An expression at one place.
class PlacedExpression {
public:
    /// `compiler` keeps the code as long as the process lives. `isCondition`: the value is a bool.
    PlacedExpression(lower::ExpressionCompiler& compiler, const Program&, const std::string& text,
                     const sema::CodePlace& at, bool isCondition, const std::vector<Engine::GivenPlace>& given = {});

    /// Makes a call of compiled code in the program.
    using Call = llvm::function_ref<Result<uint64_t>(ir::FuncId, llvm::ArrayRef<uint64_t>)>;
    /// The value in a frame; on failure why there is none. The bytes of the answer are `room`'s.
    Result<Datum> run(Call, const vm::DebugFrame&, std::vector<uint64_t>& room) const;
    /// The same without changing anything in the program: what would is refused. `use` gets the value while it is
    /// there, and how such values are shown.
    Result<void> evaluate(Call, const vm::DebugFrame&, SharedEvaluator&, const Values&,
                          llvm::function_ref<void(const Datum&, const Values&)> use) const;
    const std::string& text() const { return text_; }
    /// Of the value; None: it does not compile.
    TypeId type() const { return problem_.empty() ? code_->type : TypeId::None; }

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
    bool isHarmless_ = false; ///< it may run as it is
};

/// What a breakpoint asks before it stops.
struct BreakpointTexts {
    std::string condition, logMessage;
    std::optional<HitCondition> hitCondition;
};

/// What breakpoints need of the process that they are in.
struct BreakpointHost {
    lower::ExpressionCompiler& compiler;
    SharedEvaluator& evaluator;
    const Program& program;
    vm::Debugger& debugger;
    Values values;
    std::function<void(const std::string&)> say; ///< gets log messages, and what is wrong with a condition
};

/// Makes what the interpreter's debugger asks at places of one breakpoint; they share `hits`. Null where nothing is
/// asked.
std::function<bool(vm::Thread&, const vm::DebugFrame&)>
breakpointPredicate(const BreakpointTexts&, CodePoint, const BreakpointHost&,
                    std::shared_ptr<std::atomic<uint64_t>> hits);

} // namespace sx::debugger
