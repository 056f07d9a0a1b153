#include "debugger/vm/BreakpointCode.h"

#include "debugger/evaluate/Effects.h"
#include "debugger/vm/Registers.h"
#include "types/Layout.h"
#include "vm/debug/TimeTravel.h"

namespace sx::debugger {

PlacedExpression::PlacedExpression(lower::ExpressionCompiler& compiler, const Program& program, const std::string& text,
                                   const sema::CodePlace& at, bool isCondition,
                                   const std::vector<Engine::GivenPlace>& given)
    : text_(text), program_(program) {
    NameTable& names = program.sema->names;
    std::vector<lower::GivenVariable> variables;
    for (const Engine::GivenPlace& g : given)
        variables.push_back({names.intern(g.name), g.type, g.isInnermost, g.isConstant});
    withLargeStack([&] { code_ = &compiler.compile(text, at, {TypeId::None, isCondition, variables}); });
    if (code_->function == ir::FuncId::None)
        problem_ = code_->errors.empty() ? "this is no value" : firstProblem(*code_);
    for (const lower::UsedVariable& used : code_->variables) {
        Place& place = places_.emplace_back();
        if (!used.declared.isValid())
            for (const Engine::GivenPlace& g : given)
                if (names.intern(g.name) == used.name) place.address = g.address;
        if (place.address == 0) place.slot = used.slot;
        if (place.address == 0 && place.slot == ir::SlotId::None)
            problem_ = code(program.types.names().text(used.name)) + " has no place here";
    }
    isHarmless_ = changesOnlyOwnVariables(program.module, *code_);
}

Result<Datum> PlacedExpression::run(Call call, const vm::DebugFrame& frame, std::vector<uint64_t>& room) const {
    if (!problem_.empty()) return Failure{problem_};
    size_t variables = places_.size();
    std::vector<ir::SlotId> slots;
    room.assign(variables + code_->answerSize / sizeof(uint64_t) + 2, 0);
    // A register holds a value as its first bytes in memory would, whatever its width.
    for (size_t i = 0; i < variables; ++i) {
        room[i] = places_[i].address;
        if (room[i] != 0) continue;
        room[i] = vm::slotLocation(frame, places_[i].slot).address;
        slots.push_back(places_[i].slot);
    }
    uint64_t answer = reinterpret_cast<uint64_t>(room.data() + variables);
    Result<uint64_t> tag = call(code_->function, {reinterpret_cast<uint64_t>(room.data()), answer});
    for (ir::SlotId slot : slots) settleRegister(program_, frame, slot);
    if (!tag) return tag.failure();
    if (static_cast<uint32_t>(*tag) != 0) {
        Datum error = fromRegister(program_.types, TypeId::InferredErrors, *tag);
        error.isResult = true;
        return error;
    }
    if (code_->type == TypeId::Void) return Datum::held(TypeId::Void, {});
    Datum value = Datum::at(code_->type, code_->isPlace ? room[variables] : answer);
    value.isResult = code_->isFailable;
    return value;
}

namespace {

/// A frame of the program for the evaluator.
class RunningFrame final : public FrameView {
public:
    RunningFrame(const Program& program, const vm::DebugFrame& frame)
        : program_(program), frame_(frame), code_(program.module.fn(frame.func)) {}

    sema::CodePlace place() const override { return {frame_.span.begin, code_, frame_.scope}; }
    Datum variable(const lower::UsedVariable& used) override {
        vm::SlotLocation at = vm::slotLocation(frame_, used.slot);
        return at.isRegister ? fromRegister(program_.types, used.type, *at.word) : Datum::at(used.type, at.address);
    }

private:
    const Program& program_;
    const vm::DebugFrame& frame_;
    const ir::Function& code_;
};

} // namespace

Result<void> PlacedExpression::evaluate(Call call, const vm::DebugFrame& frame, SharedEvaluator& shared,
                                        const Values& values,
                                        llvm::function_ref<void(const Datum&, const Values&)> use) const {
    if (!problem_.empty()) return Failure{problem_};
    if (isHarmless_) {
        std::vector<uint64_t> room;
        if (Result<Datum> value = run(call, frame, room)) {
            use(*value, values);
            return {};
        }
        // Why it fails is told as with any engine.
    }
    std::lock_guard lock(shared.mutex);
    Evaluator& evaluator = shared.evaluator;
    evaluator.resumed();
    RunningFrame view(program_, frame);
    Evaluation done = evaluator.run(*code_, view, {});
    if (!done) return Failure{done.error};
    use(done.value, Values(program_.types, evaluator.memory(), evaluator.addresses()));
    return {};
}

namespace {

struct Asked {
    std::optional<PlacedExpression> condition;
    std::vector<LogPiece> pieces;
    std::vector<PlacedExpression> logged; ///< of the pieces that are expressions, in their order
};

/// Whether the condition holds. One that fails counts as true, and is told.
bool holds(const PlacedExpression& condition, PlacedExpression::Call call, const vm::DebugFrame& frame,
           const BreakpointHost& host) {
    bool isTrue = true;
    Result<void> done =
        condition.evaluate(call, frame, host.evaluator, host.values, [&](const Datum& d, const Values&) {
            if (d.place == Datum::Place::Hand) isTrue = d.bytes.empty() || d.bytes.front() != 0;
            else isTrue = *reinterpret_cast<const uint8_t*>(d.address) != 0;
        });
    if (!done) host.say("the condition " + code(condition.text()) + " failed: " + done.error());
    return isTrue;
}

std::string logText(const Asked& asked, PlacedExpression::Call call, const vm::DebugFrame& frame,
                    const BreakpointHost& host) {
    std::string text;
    size_t next = 0;
    for (const LogPiece& piece : asked.pieces) {
        if (!piece.isExpression) {
            text += piece.text;
            continue;
        }
        Result<void> done = asked.logged[next++].evaluate(
            call, frame, host.evaluator, host.values,
            [&](const Datum& value, const Values& values) { text += values.text(value); });
        if (!done) text += "<" + done.error() + ">";
    }
    return text;
}

} // namespace

std::function<bool(vm::Thread&, const vm::DebugFrame&)>
breakpointPredicate(const BreakpointTexts& texts, CodePoint at, const BreakpointHost& host,
                    std::shared_ptr<std::atomic<uint64_t>> hits) {
    if (texts.condition.empty() && texts.logMessage.empty() && !texts.hitCondition) return nullptr;
    auto asked = std::make_shared<Asked>();
    const ir::Statement* statement = host.program.statement(at);
    auto placed = [&](const std::string& text, bool isCondition) {
        const ir::Function& fn = host.program.module.fn(at.func);
        return PlacedExpression(host.compiler, host.program, text, {statement->begin, fn, fn.scopeOf(*statement)},
                                isCondition);
    };
    if (statement && !texts.condition.empty()) asked->condition.emplace(placed(texts.condition, true));
    if (statement && !texts.logMessage.empty()) asked->pieces = parseLogMessage(texts.logMessage);
    for (const LogPiece& piece : asked->pieces)
        if (piece.isExpression) asked->logged.push_back(placed(piece.text, false));
    return [=, hit = texts.hitCondition](vm::Thread& thread, const vm::DebugFrame& frame) {
        auto call = [&](ir::FuncId f, llvm::ArrayRef<uint64_t> args) {
            return host.debugger.callHere(thread, f, args);
        };
        if (asked->condition && !holds(*asked->condition, call, frame, host)) return false;
        if (vm::TimeTravel(host.debugger).isGoingBack())
            return asked->pieces.empty(); // hits are counted, and told of, the first time
        uint64_t n = hits->fetch_add(1, std::memory_order_relaxed) + 1;
        if (hit && !hit->holds(n)) return false;
        if (asked->pieces.empty()) return true;
        host.say(logText(*asked, call, frame, host));
        return false;
    };
}

} // namespace sx::debugger
