// Expressions of the client in the scope of a frame.
#pragma once

#include "debugger/inspect/Values.h"
#include "debugger/session/Session.h"

namespace sx::debugger {

/// The memory of the program and of what was evaluated since it stopped, and how values in it are shown.
Memory& memoryOf(Session&);
Values valuesOf(Session&);

/// What an evaluation that may change the program asks of it: room for what only the evaluation has, and calls on a
/// thread.
class SessionHost final : public Host {
public:
    /// `thread` 0: nothing is called.
    explicit SessionHost(Session& s, ThreadId thread = 0) : session_(s), thread_(thread) {}
    std::optional<uint64_t> allocate(uint64_t bytes) override;
    bool callsProgram() const override;
    Result<CValue> call(const ir::Function& function, uint64_t address, llvm::ArrayRef<CValue> args,
                        const CallLimits&) override;
    bool isInFiber() override;

private:
    Session& session_;
    ThreadId thread_;
};

/// The value of an expression, or the compiler's message. `frame` null: in the scope of `main`, without its variables.
/// Variables that have no value may be used where their types are what counts.
enum class Unset : uint8_t { Refused, Taken };
Result<Datum> evaluateIn(Session&, const std::string& text, const FrameHandle* frame, Unset unset);

/// What is typed into the debug console: an expression, an assignment or a declaration, which may do whatever it does.
/// What cannot be interpreted from outside is run by the program. The console keeps results and what was declared.
Result<Datum> evaluateAtPrompt(Session&, const std::string& text, const FrameHandle* frame);
/// The same, as a place that can be assigned to. `refusal`: what is said of what is none.
constexpr const char* NotAssigned = "cannot be assigned to";
Result<Datum> evaluatePlace(Session&, const std::string& text, const FrameHandle* frame,
                            const char* refusal = NotAssigned);
/// The bytes of a value, laid out as in memory.
Result<std::vector<uint8_t>> bytesOf(Session&, const Datum&);

/// The frame that a request is about; null: none was named. A stale one is a failure, and so is a line of a trace.
Result<const FrameHandle*> frameOf(Session&, std::optional<uint32_t> id);
/// The frame, or the beginning of `main` where there is none, for what only wants a scope.
Result<FrameHandle> scopeOf(Session&, const FrameHandle* frame);

/// Where a variable of a frame that holds an error keeps the trace of it; None: it keeps none.
ir::SlotId traceSlotOf(Session&, const FrameHandle&, ir::SlotId variable);

/// The variable is what a handler calls the error that it handles.
bool isOfHandler(Session&, const FrameHandle&, ir::SlotId variable);
/// Why the program could not assign a variable of the frame by its name; empty: it could.
std::string assignmentProblem(Session&, const FrameHandle&, ir::SlotId variable);

/// What `inline for` calls elements of packs and numbers in the round that a frame stands in.
std::vector<RoundCapture> roundCapturesOf(Session&, const FrameHandle&);

/// Gives a place of the program the value of an expression, as an assignment would. Returns the place as it is then: of
/// a value in hand, which the caller passes on, with the new bytes.
Result<Datum> assignTo(Session&, Datum place, const std::string& text, const FrameHandle* frame);

/// Why a condition cannot be evaluated where a breakpoint is; empty: it can.
std::string checkCondition(Session&, const std::string& text, CodePoint at);
/// Why an expression is no place outside of all functions that could be watched; empty: it is.
std::string watchProblem(Session&, const std::string& text);
/// The same of a log message with `{expressions}`.
std::string checkLogMessage(Session&, const std::string& text, CodePoint at);
/// The same in the scope of a frame of a stopped program, or, without one, of `main`.
std::string conditionProblem(Session&, const std::string& text, const FrameHandle*);
/// What is refused of such a condition wherever it is evaluated; empty: nothing that is known, or it does not compile.
std::string conditionEffect(Session&, const std::string& text, const FrameHandle*);
/// Such a condition names variables of the frame; false also where it does not compile.
bool usesFrame(Session&, const std::string& text, const FrameHandle&);
/// The condition can be evaluated, and is false: without a word where it cannot.
bool isFalse(Session&, const std::string& text, const FrameHandle&);
/// The condition in a frame of a stopped thread. One that fails counts as true, and is told.
bool conditionHolds(Session&, const std::string& text, const FrameHandle&);
/// A log message with the values of its expressions.
std::string logText(Session&, const std::string& message, ThreadId thread);

/// The compiler's message about a name in an expression that nothing in the program has; empty: there is none.
std::string unknownName(Session&, const std::string& text);
/// The condition of a filter is a list of tags and sets, and no expression.
bool isListOfErrors(llvm::StringRef condition);
/// What is wrong with the form of an expression, wherever it is read; empty: nothing.
std::string syntaxProblem(const std::string& text);
/// The tags that a filter's condition names: tags, sets, and `!` in front of what is left out, separated by commas or
/// spaces.
Result<std::vector<uint64_t>> tagsOf(const Program&, const std::string& condition);

} // namespace sx::debugger
