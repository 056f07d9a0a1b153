// Evaluates expressions in the scope of a frame of a stopped program.
#pragma once

#include "debugger/evaluate/Machine.h"
#include "debugger/evaluate/RoundCaptures.h"
#include "debugger/inspect/Values.h"
#include "lower/ExpressionCompiler.h"

#include <map>
#include <tuple>

namespace sx::debugger {

/// Where code stands, and where it has its variables.
class FrameView {
public:
    virtual ~FrameView() = default;
    virtual sema::CodePlace place() const = 0;
    /// The value of a variable; a note in place of it where it has none now.
    virtual Datum variable(const lower::UsedVariable&) = 0;
    /// A variable that was in hand has other bytes now. False: it cannot be changed.
    virtual bool assign(const lower::UsedVariable&, llvm::ArrayRef<uint8_t>) { return false; }
};

struct EvaluateOptions {
    TypeId type{};            ///< the value is converted to it; None: as it is
    bool isCondition = false; ///< the value is a bool: the truth of the expression
    bool mayWrite = false;    ///< into the program: then statements are taken as well as expressions
    Host* host = nullptr;     ///< then also what the program has to do itself
    Limits limits{};
    llvm::ArrayRef<lower::GivenVariable> given{}; ///< asked of the frame like its own, with an invalid `declared`
    size_t before = 0; ///< bytes of the text that its author has not written: columns in messages do not count them
    bool tellsColumn = true; ///< the compiler's messages say where in the text
};

/// A value, or why there is none.
struct Evaluation {
    Datum value;
    bool isConstant = false; ///< it may not be written
    std::string error;       ///< empty: there is a value
    explicit operator bool() const { return error.empty(); }
};

/// The compiler's first error, without its place.
std::string firstProblem(const lower::CompiledExpression& expression);

/// To be used on a thread with a large stack (source/StackDepth.h): on another one expressions, and functions that are
/// lowered for them, may be nested less deeply.
class Evaluator {
public:
    Evaluator(sema::Sema& sema, Memory& program, Addresses& addresses);

    Evaluation evaluate(std::string_view text, FrameView& frame, const EvaluateOptions& options = {});
    /// The text, where it is a statement as an expression that holds it: as `evaluate` reads what may write.
    std::string asExpression(const std::string& text) const;

    /// The type that an expression has; None: it does not compile, or names a type.
    TypeId typeOf(std::string_view text, const FrameView& frame, const EvaluateOptions& options = {});

    /// Where a variable of the frame that holds an error keeps the trace of it; None: it keeps none.
    ir::SlotId traceSlotOf(ir::SlotId variable, const FrameView& frame) const;
    /// The variable is what a handler calls the error that it handles.
    bool isOfHandler(ir::SlotId variable, const FrameView& frame) const;
    /// Why the program could not assign a variable of the frame by its name; empty: it could.
    std::string assignmentProblem(ir::SlotId variable, const FrameView& frame) const;

    /// Gives a place of the program the value of an expression, as an assignment would. Nothing changes where it fails.
    /// Of a value in hand, `place` holds it then. `options` says what the expression sees, and what may be called.
    Result<void> assign(Datum& place, std::string_view text, FrameView& frame, const EvaluateOptions& options);

    /// What `inline for` has captured where the frame stands.
    std::vector<RoundCapture> roundCaptures(const FrameView& frame) { return rounds_.at(frame.place()); }

    /// The name stands for something of the program where the frame is.
    bool isKnown(std::string_view name, const FrameView& frame) const;

    /// An expression that is evaluated many times at one place: a condition. It stays until `drop`.
    Result<const lower::CompiledExpression*> prepare(std::string_view text, const sema::CodePlace& at,
                                                     const EvaluateOptions& options);
    /// A condition, which is evaluated at few places many times. It stays as long as this does, or until there are
    /// many.
    Result<const lower::CompiledExpression*> prepareCondition(std::string_view text, const FrameView& frame);
    Evaluation run(const lower::CompiledExpression& expression, FrameView& frame, const EvaluateOptions& options);
    /// What is refused of it wherever it is evaluated; empty: nothing that is known before.
    std::string sideEffectOf(const lower::CompiledExpression& expression) const;
    void drop(const lower::CompiledExpression& expression) { compiler_.release(expression); }

    /// The memory and the addresses by which values that evaluations have made are read: they refer to the program's,
    /// and to what the evaluations keep until `resumed`.
    EvaluationMemory& memory() { return memory_; }
    LocalAddresses& addresses() { return addresses_; }
    /// The program goes on: results are forgotten, and so is what was read of it.
    void resumed();

private:
    /// The block of addresses; 0 after `error` was set. `copies`: variables in hand, and where they are now.
    struct Copy {
        size_t variable;
        uint64_t address;
        llvm::SmallVector<uint8_t, 16> before;
    };
    uint64_t bind(const lower::CompiledExpression&, FrameView&, std::vector<Copy>& copies, std::string& error);
    std::string refusedWrite(const lower::CompiledExpression&, uint64_t block, uint64_t address);
    void refuseUnused(Evaluation&) const;
    std::string writeBack(const lower::CompiledExpression&, FrameView&, llvm::ArrayRef<Copy>, bool mayWrite);
    Datum answer(const lower::CompiledExpression&, uint64_t at, uint32_t tag);
    std::string message(const lower::CompiledExpression&, const EvaluateOptions&) const;
    const sema::Symbol* symbolOf(ir::SlotId variable, const FrameView&) const;
    Result<void> refuseTruth(TypeId number, std::string_view text, const FrameView&, const EvaluateOptions&);
    void noticeChanges();
    void releaseUsed();

    static constexpr size_t MostUsed = 256, MostConditions = 64;

    sema::Sema& sema_;
    lower::ExpressionCompiler compiler_;
    EvaluationMemory memory_;
    LocalAddresses addresses_;
    Machine machine_;
    RoundCaptures rounds_;
    unsigned generation_ = 0;
    /// Evaluated while the program is stopped: what results refer to may be in their code.
    std::vector<const lower::CompiledExpression*> used_;
    /// By text, code, position and scope.
    using ConditionKey = std::tuple<std::string, const ir::Function*, uint32_t, ir::ScopeId>;
    std::map<ConditionKey, const lower::CompiledExpression*> conditions_;
};

} // namespace sx::debugger
