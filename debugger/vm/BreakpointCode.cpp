#include "debugger/vm/BreakpointCode.h"

#include "types/Layout.h"
#include "vm/debug/TimeTravel.h"

namespace sx::debugger {

PlacedExpression::PlacedExpression(lower::ExpressionCompiler& compiler, const Program& program, const std::string& text,
                                   SourcePos at, ir::FuncId function, bool isCondition,
                                   const std::vector<Engine::GivenPlace>& given)
    : text_(text), program_(program) {
    const ir::Function& fn = program.module.fn(function);
    NameTable& names = program.sema->names;
    std::vector<lower::GivenVariable> variables;
    for (const Engine::GivenPlace& g : given) variables.push_back({names.intern(g.name), g.type, g.isInnermost});
    withLargeStack([&] { code_ = &compiler.compile(text, at, fn, {TypeId::None, isCondition, variables}); });
    if (code_->function == ir::FuncId::None)
        problem_ = code_->errors.empty() ? "this is no value" : code_->errors.front().message;
    for (const lower::UsedVariable& used : code_->variables) {
        Place& place = places_.emplace_back();
        if (!used.declared.isValid())
            for (const Engine::GivenPlace& g : given)
                if (names.intern(g.name) == used.name) place.address = g.address;
        if (place.address == 0) place.slot = lower::slotOf(fn, used);
        if (place.address == 0 && place.slot == ir::SlotId::None)
            problem_ = code(program.types.names().text(used.name)) + " has no place here";
    }
}

namespace {

/// A narrow value that was written to a register as to memory has its canonical form again.
void settleRegisters(const TypeTable& types, const ir::Function& fn, const vm::DebugFrame& frame,
                     llvm::ArrayRef<ir::SlotId> slots) {
    for (ir::SlotId slot : slots) {
        vm::SlotLocation place = vm::slotLocation(frame, slot);
        TypeId type = fn.slots[static_cast<size_t>(slot)].type;
        if (!place.isRegister) continue;
        *place.word = toRegister(types, type, {reinterpret_cast<const uint8_t*>(place.word), sizeOf(types, type)});
    }
}

} // namespace

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
    settleRegisters(program_.types, program_.module.fn(frame.func), frame, slots);
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

struct Asked {
    std::optional<PlacedExpression> condition;
    std::vector<LogPiece> pieces;
    std::vector<PlacedExpression> logged; ///< of the pieces that are expressions, in their order
};

/// Whether the condition holds. One that fails counts as true, and is told.
bool holds(const PlacedExpression& condition, PlacedExpression::Call call, const vm::DebugFrame& frame,
           const std::function<void(const std::string&)>& say) {
    std::vector<uint64_t> room;
    Result<Datum> value = condition.run(call, frame, room);
    if (value && value->place == Datum::Place::Memory) return *reinterpret_cast<const uint8_t*>(value->address) != 0;
    say("the condition " + code(condition.text()) + " failed: " + (value ? "it is no bool" : value.error()));
    return true;
}

std::string logText(const Asked& asked, PlacedExpression::Call call, const vm::DebugFrame& frame,
                    const Values& values) {
    std::string text;
    size_t next = 0;
    for (const LogPiece& piece : asked.pieces) {
        if (!piece.isExpression) {
            text += piece.text;
            continue;
        }
        std::vector<uint64_t> room;
        Result<Datum> value = asked.logged[next++].run(call, frame, room);
        text += value ? values.text(*value) : "<" + value.error() + ">";
    }
    return text;
}

} // namespace

std::function<bool(vm::Thread&, const vm::DebugFrame&)>
breakpointPredicate(const BreakpointTexts& texts, CodePoint at, lower::ExpressionCompiler& compiler,
                    const Program& program, vm::Debugger& debugger, Values values,
                    std::shared_ptr<std::atomic<uint64_t>> hits, std::function<void(const std::string&)> say) {
    if (texts.condition.empty() && texts.logMessage.empty() && !texts.hitCondition) return nullptr;
    auto asked = std::make_shared<Asked>();
    const ir::Statement* statement = program.statement(at);
    if (statement && !texts.condition.empty())
        asked->condition.emplace(compiler, program, texts.condition, statement->begin, at.func, true);
    if (statement && !texts.logMessage.empty()) asked->pieces = parseLogMessage(texts.logMessage);
    for (const LogPiece& piece : asked->pieces)
        if (piece.isExpression)
            asked->logged.emplace_back(compiler, program, piece.text, statement->begin, at.func, false);
    return [=, &debugger, hit = texts.hitCondition](vm::Thread& thread, const vm::DebugFrame& frame) {
        auto call = [&](ir::FuncId f, llvm::ArrayRef<uint64_t> args) { return debugger.callHere(thread, f, args); };
        if (asked->condition && !holds(*asked->condition, call, frame, say)) return false;
        if (vm::TimeTravel(debugger).isGoingBack())
            return asked->pieces.empty(); // hits are counted, and told of, the first time
        uint64_t n = hits->fetch_add(1, std::memory_order_relaxed) + 1;
        if (hit && !hit->holds(n)) return false;
        if (asked->pieces.empty()) return true;
        say(logText(*asked, call, frame, values));
        return false;
    };
}

} // namespace sx::debugger
