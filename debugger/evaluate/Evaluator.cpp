#include "debugger/evaluate/Evaluator.h"

#include "debugger/evaluate/Effects.h"
#include "debugger/evaluate/Refusals.h"
#include "debugger/inspect/Utf16.h"
#include "lower/Place.h"
#include "source/StackDepth.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

namespace sx::debugger {

using lower::CompiledExpression;

/// What makes an expression of a statement, before it.
static constexpr llvm::StringLiteral Opening = "{ ";

Evaluator::Evaluator(sema::Sema& sema, Memory& program, Addresses& addresses)
    : sema_(sema), compiler_(sema), memory_(program), addresses_(sema.module, sema.defaultContext, addresses, memory_),
      machine_(sema.module, memory_, addresses_), rounds_(sema) {}

void Evaluator::resumed() {
    releaseUsed();
    memory_.reset();
    memory_.program.forget();
    addresses_.forget();
}

void Evaluator::releaseUsed() {
    for (const CompiledExpression* expression : llvm::reverse(used_)) compiler_.release(*expression);
    used_.clear();
}

/// Numbers of globals may mean others now: what was made of them is not used any more.
void Evaluator::noticeChanges() {
    if (generation_ == compiler_.generation()) return;
    generation_ = compiler_.generation();
    addresses_.forget();
}

/// Of the function that is made of an expression its author knows nothing.
static std::string inPlainWords(std::string message) {
    constexpr llvm::StringLiteral Made = "`(expression)`";
    if (!llvm::StringRef(message).contains(Made)) return message;
    for (size_t at; (at = message.find(Made)) != std::string::npos;) message.replace(at, Made.size(), "the expression");
    return message;
}

std::string firstProblem(const CompiledExpression& expression) {
    if (expression.errors.empty()) return "this cannot be evaluated here";
    return inPlainWords(expression.errors.front().message);
}

/// The compiler's first error, with its column in the expression.
std::string Evaluator::message(const CompiledExpression& expression, const EvaluateOptions& options) const {
    Diagnostic d;
    if (!expression.errors.empty()) d = expression.errors.front();
    d.message = firstProblem(expression);
    if (!d.span.isValid() || !options.tellsColumn) return d.message;
    Location at = sema_.sources.resolve(d.span.begin);
    std::string place = sema_.sources.placeOf(d.span.begin);
    if (!llvm::StringRef(place).starts_with("(expression)")) return d.message + " (" + place + ")";
    std::string_view line = sema_.sources.lineText(at.file, at.line).substr(0, at.col - 1);
    if (at.line == 1) line.remove_prefix(std::min(options.before, line.size()));
    std::string row = at.line == 1 ? "" : "line " + std::to_string(at.line) + ", ";
    return d.message + " (" + row + "column " + std::to_string(utf16Length(line) + 1) + ")";
}

/// How many bytes of a text that does not parse are read before its first error.
static uint32_t readBytes(sema::Sema& sema, llvm::StringRef text) {
    const lower::AskedText& asked = lower::parsed(sema, text);
    if (asked.errors.empty() || !asked.errors.front().span.isValid()) return 0;
    SourcePos at = asked.errors.front().span.begin;
    return at.raw - sema.sources.start(sema.sources.fileOf(at)).raw;
}

/// A branch, or an `if`, that ends without a value.
static bool isStatement(const ast::Expr& e) {
    if (const auto* branch = llvm::dyn_cast<ast::If>(&e))
        return !branch->otherwise || (isStatement(*branch->then) && isStatement(*branch->otherwise));
    const auto* block = llvm::dyn_cast<ast::BlockExpr>(&e);
    if (!block) return llvm::isa<ast::While, ast::For>(&e);
    const auto* last = block->stmts.empty() ? nullptr : llvm::dyn_cast<ast::ExprStmt>(block->stmts.back());
    return !last || last->semicolon || isStatement(*last->expr);
}

/// A statement, as an expression that holds it; nothing where the text is an expression, or is better read as one: what
/// is wrong with it comes later then. An `if` without an `else`, or with branches without a value, is a statement.
static std::optional<std::string> asBlock(sema::Sema& sema, llvm::StringRef text) {
    if (const ast::Expr* tree = lower::parsed(sema, text).tree)
        if (!llvm::isa<ast::If>(tree) || !isStatement(*tree)) return std::nullopt;
    std::string block = (llvm::Twine(Opening) + text.rtrim("; \t\n") + "; }").str();
    if (lower::parsed(sema, block).tree) return block;
    std::string open = (llvm::Twine(Opening) + text).str(); // its end is that of the text
    return readBytes(sema, open) > readBytes(sema, text) + Opening.size() ? std::optional(open) : std::nullopt;
}

/// The text is an assignment, and no expression.
static bool isAssignment(sema::Sema& sema, llvm::StringRef text) {
    if (lower::parsed(sema, text).tree) return false;
    const ast::Expr* tree = lower::parsed(sema, (llvm::Twine(Opening) + text.rtrim("; \t\n") + "; }").str()).tree;
    const auto* block = llvm::dyn_cast_or_null<ast::BlockExpr>(tree);
    return block && block->stmts.size() == 1 && llvm::isa<ast::Assign, ast::MultiAssign>(block->stmts.front());
}

std::string Evaluator::asExpression(const std::string& text) const { return asBlock(sema_, text).value_or(text); }

Evaluation Evaluator::evaluate(std::string_view text, FrameView& frame, const EvaluateOptions& options) {
    if (llvm::StringRef(text).trim().empty()) {
        Evaluation none;
        none.error = "there is no expression";
        return none;
    }
    std::optional<std::string> block = options.mayWrite ? asBlock(sema_, text) : std::nullopt;
    const CompiledExpression* expression =
        &compiler_.compile(block ? *block : text, frame.place(), {options.type, options.isCondition, options.given});
    if (used_.size() == MostUsed) releaseUsed();
    used_.push_back(expression);
    Evaluation done = run(*expression, frame, options);
    const bool isCompiled = expression->function != ir::FuncId::None;
    if (!options.mayWrite && !isCompiled && isAssignment(sema_, text)) done.error = refusals::Assigns;
    if (block && !isCompiled) {
        EvaluateOptions within = options;
        within.before += Opening.size();
        done.error = message(*expression, within);
    }
    return done;
}

TypeId Evaluator::typeOf(std::string_view text, const FrameView& frame, const EvaluateOptions& options) {
    const CompiledExpression& code =
        compiler_.compile(text, frame.place(), {options.type, options.isCondition, options.given});
    TypeId type = code.function != ir::FuncId::None ? code.type : TypeId::None;
    compiler_.release(code);
    return type;
}

bool Evaluator::isKnown(std::string_view name, const FrameView& frame) const {
    lower::Place place(sema_, frame.place());
    return place.isKnown() && place.sees(sema_.names.intern(name));
}

const sema::Symbol* Evaluator::symbolOf(ir::SlotId variable, const FrameView& frame) const {
    lower::Place place(sema_, frame.place());
    const ir::Slot& slot = frame.place().code.slots[static_cast<size_t>(variable)];
    for (const sema::Scope* s = place.scope(); s; s = s->parent)
        for (const sema::Scope::Entry& e : s->entries)
            if (e.name == slot.name && e.symbol->nameSpan == slot.span && e.symbol->kind == sema::SymbolKind::Local)
                return e.symbol;
    return nullptr;
}

ir::SlotId Evaluator::traceSlotOf(ir::SlotId variable, const FrameView& frame) const {
    const sema::Symbol* symbol = symbolOf(variable, frame);
    return symbol ? symbol->snapshot : ir::SlotId::None;
}

bool Evaluator::isOfHandler(ir::SlotId variable, const FrameView& frame) const {
    const sema::Symbol* symbol = symbolOf(variable, frame);
    return symbol && symbol->localKind == sema::LocalKind::ErrorBinding;
}

std::string Evaluator::assignmentProblem(ir::SlotId variable, const FrameView& frame) const {
    const sema::Symbol* symbol = symbolOf(variable, frame);
    if (!symbol) return "";
    return lower::Place(sema_, frame.place()).assignmentProblem(*symbol);
}

/// Code converts a `bool` to a number without a word. Who types a value for a number has mistaken the variable.
Result<void> Evaluator::refuseTruth(TypeId number, std::string_view text, const FrameView& frame,
                                    const EvaluateOptions& options) {
    if (!isNumeric(sema_.types, number)) return {};
    const CompiledExpression& plain = compiler_.compile(text, frame.place(), {{}, false, options.given});
    bool isTruth = plain.type == TypeId::Bool && plain.errors.empty();
    compiler_.release(plain);
    if (!isTruth) return {};
    return Failure{"cannot use a value of type " + code(writtenName(sema_.types, TypeId::Bool)) + " as " +
                   code(writtenName(sema_.types, number))};
}

Result<void> Evaluator::assign(Datum& place, std::string_view text, FrameView& frame, const EvaluateOptions& options) {
    EvaluateOptions typed = options;
    typed.type = place.type;
    if (llvm::StringRef(text).trim(" \t\r\n()") == "---") return Failure{"`---` is no value that could be assigned"};
    if (Result<void> refused = refuseTruth(place.type, text, frame, options); !refused) return refused;
    Evaluation made = evaluate(text, frame, typed);
    if (!made) return Failure{made.error};
    if (made.value.type != place.type) return Failure{"the expression has failed, and there is no value to assign"};
    std::vector<uint8_t> bytes(sizeOf(sema_.types, place.type));
    if (made.value.place == Datum::Place::Hand) bytes.assign(made.value.bytes.begin(), made.value.bytes.end());
    else if (memory_.read(made.value.address, bytes) != bytes.size()) return Failure{"the value cannot be read"};
    if (Result<void> settled = Transfer(memory_, addresses_, options.host).settle(bytes); !settled) return settled;
    return Values(sema_.types, memory_, addresses_).assign(place, bytes);
}

Result<const CompiledExpression*> Evaluator::prepare(std::string_view text, const sema::CodePlace& at,
                                                     const EvaluateOptions& options) {
    const CompiledExpression* expression = &compiler_.compile(text, at, {options.type, options.isCondition});
    if (expression->function != ir::FuncId::None) return expression;
    Failure failure{expression->errors.empty()  ? "this is a type, and no value"
                    : isAssignment(sema_, text) ? refusals::Assigns
                                                : message(*expression, options)};
    compiler_.release(*expression);
    return failure;
}

Result<const CompiledExpression*> Evaluator::prepareCondition(std::string_view text, const FrameView& frame) {
    sema::CodePlace at = frame.place();
    ConditionKey key(text, &at.code, at.at.raw, at.scope);
    auto known = conditions_.find(key);
    if (known != conditions_.end()) return known->second;
    if (conditions_.size() == MostConditions) {
        for (const auto& [place, condition] : conditions_) drop(*condition);
        conditions_.clear();
    }
    EvaluateOptions options;
    options.isCondition = true;
    Result<const CompiledExpression*> made = Failure{""};
    withLargeStack([&] { made = prepare(text, at, options); });
    if (made) conditions_.emplace(std::move(key), *made);
    return made;
}

Evaluation Evaluator::run(const CompiledExpression& expression, FrameView& frame, const EvaluateOptions& options) {
    noticeChanges();
    Evaluation done;
    if (expression.namedType != TypeId::None) {
        done.value = Datum::nowhere(TypeId::Type, writtenName(sema_.types, expression.namedType));
        done.isConstant = true;
        return done;
    }
    if (expression.function == ir::FuncId::None) {
        done.error = message(expression, options);
        return done;
    }
    std::vector<Copy> copies;
    uint64_t block = bind(expression, frame, copies, done.error);
    uint64_t room = memory_.allocate(std::max<uint64_t>(expression.answerSize, 1));
    if (done.error.empty() && (block == 0 || room == 0)) done.error = "the evaluation needs too much memory";
    if (!done.error.empty()) return done;
    Result<uint64_t> tag =
        machine_.run(expression.function, {block, room}, {options.mayWrite, options.host}, options.limits);
    if (!tag) {
        done.error = machine_.refusedWrite() ? refusedWrite(expression, block, *machine_.refusedWrite()) : tag.error();
        return done;
    }
    done.error = writeBack(expression, frame, copies, options.mayWrite);
    done.value = answer(expression, room, static_cast<uint32_t>(*tag));
    done.isConstant = expression.isConstant || !expression.isPlace;
    refuseUnused(done);
    return done;
}

/// An address of what the program does not have is none.
void Evaluator::refuseUnused(Evaluation& done) const {
    uint64_t word = 0;
    if (!isPointerLike(sema_.types, done.value.type) || done.value.bytes.size() != sizeof word) return;
    std::memcpy(&word, done.value.bytes.data(), sizeof word);
    if (const ir::Global* unused = addresses_.unusedVariableAt(word)) done.error = refusals::isUnused(unused->name);
}

/// Of a variable that the expression names its name is told. `block` has the addresses of its variables.
std::string Evaluator::refusedWrite(const CompiledExpression& expression, uint64_t block, uint64_t address) {
    for (size_t k = 0; k < expression.variables.size(); ++k) {
        const lower::UsedVariable& used = expression.variables[k];
        uint64_t begin = 0;
        if (const uint8_t* word = memory_.own(block + k * sizeof begin, sizeof begin))
            std::memcpy(&begin, word, sizeof begin);
        if (address - begin < sizeOf(sema_.types, used.type)) return refusals::changes(sema_.names.text(used.name));
    }
    return refusals::WritesToProgram;
}

std::string Evaluator::sideEffectOf(const CompiledExpression& expression) const {
    return certainSideEffect(sema_.module, expression);
}

uint64_t Evaluator::bind(const CompiledExpression& expression, FrameView& frame, std::vector<Copy>& copies,
                         std::string& error) {
    uint64_t block = memory_.allocate(std::max<size_t>(expression.variables.size(), 1) * sizeof(uint64_t));
    for (size_t k = 0; block != 0 && k < expression.variables.size(); ++k) {
        const lower::UsedVariable& used = expression.variables[k];
        Datum datum = frame.variable(used);
        if (datum.place == Datum::Place::Nowhere) {
            error = code(sema_.names.text(used.name)) + " has no value here: " + datum.note;
            return 0;
        }
        if (!datum.missing.empty()) {
            error = code(sema_.names.text(used.name)) + " has no whole value here: parts of it are optimized out";
            return 0;
        }
        uint64_t address = datum.address;
        if (datum.place == Datum::Place::Hand && address == 0) {
            address = memory_.allocate(std::max<uint64_t>(sizeOf(sema_.types, used.type), 8));
            if (address == 0) return 0;
            memory_.write(address, datum.bytes);
            copies.push_back({k, address, datum.bytes});
        }
        uint8_t word[sizeof address];
        std::memcpy(word, &address, sizeof address);
        memory_.write(block + k * sizeof address, word);
    }
    return block;
}

std::string Evaluator::writeBack(const CompiledExpression& expression, FrameView& frame, llvm::ArrayRef<Copy> copies,
                                 bool mayWrite) {
    for (const Copy& copy : copies) {
        llvm::SmallVector<uint8_t, 16> now(copy.before.size());
        memory_.read(copy.address, now);
        const lower::UsedVariable& used = expression.variables[copy.variable];
        if (now == copy.before) continue;
        if (!mayWrite) return refusals::changes(sema_.names.text(used.name));
        if (!frame.assign(used, now)) return code(sema_.names.text(used.name)) + " cannot be changed here";
    }
    return "";
}

Datum Evaluator::answer(const CompiledExpression& expression, uint64_t at, uint32_t tag) {
    Datum d;
    if (tag != 0) { // of a `try`
        d = fromRegister(sema_.types, TypeId::InferredErrors, tag);
        d.isResult = true;
        return d;
    }
    if (expression.type == TypeId::Void) return Datum::held(TypeId::Void, {});
    if (expression.isPlace) {
        uint64_t place = 0;
        if (const uint8_t* word = memory_.own(at, sizeof place)) std::memcpy(&place, word, sizeof place);
        at = place;
    }
    d = Datum::at(expression.type, at);
    d.isResult = expression.isFailable;
    // What is not of the program is in hand: only the parts that it refers to stay where they are.
    uint64_t size = sizeOf(sema_.types, expression.type);
    if (EvaluationMemory::isOwn(at))
        if (const uint8_t* bytes = memory_.own(at, size)) {
            d = Datum::held(expression.type, {bytes, static_cast<size_t>(size)});
            d.isResult = expression.isFailable;
        }
    return d;
}

} // namespace sx::debugger
