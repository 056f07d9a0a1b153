#include "debugger/session/Evaluation.h"

#include "debugger/session/Foreign.h"
#include "debugger/session/Frames.h"
#include "debugger/session/LongWork.h"
#include "debugger/session/Positions.h"
#include "source/StackDepth.h"
#include "syntax/KnownNames.h"
#include "syntax/Lexer.h"
#include "syntax/Parser.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sx::debugger {

Memory& memoryOf(Session& s) { return s.evaluator ? s.evaluator->memory() : s.engine->memory(); }

Result<const FrameHandle*> frameOf(Session& s, std::optional<uint32_t> id) {
    if (!id) return static_cast<const FrameHandle*>(nullptr);
    const FrameHandle* frame = s.handles.frame(*id);
    if (!frame) return Failure{staleFrame(*id).message};
    if (frame->index == UINT32_MAX) return Failure{"a line of the error return trace has no variables"};
    return frame;
}

Result<FrameHandle> scopeOf(Session& s, const FrameHandle* frame) {
    if (!s.evaluator) return Failure{"the program's sources are not known"};
    if (frame && frame->frame.func != ir::FuncId::None) return *frame;
    if (frame) return Failure{"this frame is no code of the program"};
    Resolved main = s.places->ofFunction("main");
    if (main.points.empty()) return Failure{"the program has no `main`"};
    FrameHandle outside;
    outside.frame.func = main.points.front().func;
    outside.frame.at = s.program->module.fn(outside.frame.func).bodyStart;
    return outside;
}

Values valuesOf(Session& s) {
    Addresses& addresses = s.evaluator ? s.evaluator->addresses() : s.engine->addresses();
    const OtherValues* others = s.foreign ? s.foreign->values.get() : nullptr;
    return Values(s.program->types, memoryOf(s), addresses, others);
}

namespace {

/// What follows a name, and the parts of it that the text goes on to if it `hasParts`.
TokenKind tokenAfterPlace(llvm::ArrayRef<Token> tokens, size_t name, bool hasParts) {
    size_t at = name + 1;
    while (hasParts && at < tokens.size() &&
           (tokens[at].kind == TokenKind::Dot || tokens[at].kind == TokenKind::LBracket))
        at = tokens[at].kind == TokenKind::Dot ? at + 2 : static_cast<size_t>(tokens[at].value) + 1;
    return at < tokens.size() ? tokens[at].kind : TokenKind::Eof;
}

/// The token ends an operand: a `*` behind it multiplies.
bool endsOperand(llvm::ArrayRef<Token> tokens, size_t at) {
    switch (tokens[at].kind) {
    case TokenKind::Int:
    case TokenKind::Float:
    case TokenKind::Char:
    case TokenKind::RParen:
    case TokenKind::RBracket:
    case TokenKind::RBrace:
    case TokenKind::Bang:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse:
    case TokenKind::KwSelf: return true;
    case TokenKind::Star: return at > 0 && tokens[at - 1].kind == TokenKind::Dot; // `p.*`
    default: return isIdentLike(tokens[at].kind);
    }
}

/// `*name`, or that of a part of it if it `hasParts`: the address is taken, and what lies there is not looked at.
bool isAddressTaken(llvm::ArrayRef<Token> tokens, size_t name, bool hasParts) {
    if (name == 0 || tokens[name - 1].kind != TokenKind::Star) return false;
    if (name > 1 && endsOperand(tokens, name - 2)) return false;
    TokenKind after = tokenAfterPlace(tokens, name, hasParts);
    return after != TokenKind::Dot && after != TokenKind::LBracket && after != TokenKind::LParen &&
           after != TokenKind::Bang;
}

/// A frame of the session for the evaluator.
class SessionFrame final : public FrameView {
public:
    SessionFrame(Session& s, const FrameHandle& frame, llvm::ArrayRef<Engine::GivenPlace> given)
        : session_(s), frame_(frame), code_(s.program->module.fn(frame.frame.func)), given_(given) {
        for (const Engine::GivenPlace& g : given) names_.push_back({nameOf(g), g.type, g.isInnermost, g.isConstant});
    }

    sema::CodePlace place() const override {
        return {frame_.frame.at.isValid() ? frame_.frame.at : code_.bodyStart, code_, frame_.frame.scope};
    }

    Datum variable(const lower::UsedVariable& used) override {
        if (!used.declared.isValid())
            for (const Engine::GivenPlace& g : llvm::reverse(given_))
                if (nameOf(g) == used.name) return Datum::at(g.type, g.address);
        if (used.slot == ir::SlotId::None || !isLive_) return Datum::nowhere(used.type, NotSet);
        if (reads_ && isUnset(session_, frame_, used.slot)) {
            bool isWritten = false;
            if (isRead(used, isWritten)) return Datum::nowhere(used.type, NotSet);
            if (isWritten) written_.push_back(used.slot);
        }
        return slotDatum(session_, frame_, used.slot, used.type);
    }
    bool assign(const lower::UsedVariable& used, llvm::ArrayRef<uint8_t> bytes) override {
        if (used.slot == ir::SlotId::None || !isLive_) return false;
        if (!session_.engine->writeSlot(frame_.thread, frame_.index, used.slot, bytes.vec())) return false;
        session_.evaluator->memory().program.forget();
        return true;
    }
    /// Nothing of it has a value: the scope is what counts.
    void makeScopeOnly() { isLive_ = false; }
    /// Variables without a value are refused where the text uses their values.
    void refuseUnset(const std::string& text) { reads_ = &text; }
    /// The text has run: what it wrote has values.
    void noteWritten() {
        for (ir::SlotId slot : written_) session_.givenValues.insert({frame_.frame.address, slot});
    }
    /// What the compiler is told of the variables of the console.
    llvm::ArrayRef<lower::GivenVariable> given() const { return names_; }

private:
    Name nameOf(const Engine::GivenPlace& g) const { return session_.program->sema->names.intern(g.name); }

    /// The text uses the value of a variable: it neither takes its address nor gives it, or a part of it, one.
    bool isRead(const lower::UsedVariable& used, bool& isWritten) const {
        const TypeTable& types = session_.program->types;
        std::string_view name = types.names().text(used.name);
        bool hasParts = types.kind(used.type) != TypeKind::Pointer && types.kind(used.type) != TypeKind::Slice;
        SourceManager sources;
        NameTable names{knownNames()};
        FileId file = sources.addFile("(expression)", "(expression)", *reads_);
        std::vector<Token> tokens = lexFile(sources, file, names);
        bool isRead = false;
        for (size_t i = 0; i < tokens.size(); ++i) {
            TokenKind before = i > 0 ? tokens[i - 1].kind : TokenKind::Eof;
            if (tokens[i].kind != TokenKind::Ident || names.text(tokens[i].name()) != name) continue;
            if (before == TokenKind::Dot) continue;
            // Whoever has the address writes there without a word.
            bool isTarget =
                isAddressTaken(tokens, i, hasParts) || tokenAfterPlace(tokens, i, hasParts) == TokenKind::Equal;
            isWritten |= isTarget;
            isRead |= !isTarget;
        }
        return isRead;
    }

    Session& session_;
    FrameHandle frame_;
    const ir::Function& code_;
    llvm::ArrayRef<Engine::GivenPlace> given_;
    std::vector<lower::GivenVariable> names_;
    bool isLive_ = true;
    const std::string* reads_ = nullptr;
    std::vector<ir::SlotId> written_;
};

/// The expression is the path, or what the path begins with.
bool leadsTo(llvm::StringRef expression, llvm::StringRef path) {
    if (expression.empty() || !path.consume_front(expression)) return false;
    return path.empty() || path.front() == '.' || path.front() == '[' || path.front() == '!';
}

/// What a path such as `a.b[1]` leads to from a variable of which the optimizer has left parts only.
std::optional<Datum> partOfIncomplete(Session& s, llvm::StringRef text, const FrameHandle& frame) {
    text = text.trim();
    std::optional<Child> at;
    for (const Variable& v : localsOf(s, frame))
        if (!v.datum.missing.empty() && leadsTo(v.evaluateName, text)) at = Child{v.name, v.datum, v.evaluateName};
    while (at && at->evaluateName != text) {
        std::vector<Child> all = valuesOf(s).children(at->datum, at->evaluateName);
        auto next = llvm::find_if(all, [&](const Child& c) { return leadsTo(c.evaluateName, text); });
        at = next == all.end() ? std::nullopt : std::optional(*next);
    }
    return at ? std::optional(at->datum) : std::nullopt;
}

Result<Evaluation> evaluateWith(Session& s, const std::string& text, const FrameHandle* frame,
                                const EvaluateOptions& options, Unset unset) {
    Result<FrameHandle> scope = scopeOf(s, frame);
    if (!scope) return scope.failure();
    Result<ConsoleText> read = readAtConsole(s.console, text);
    if (!read) return read.failure();
    SessionFrame view(s, *scope, read->given);
    if (!frame) view.makeScopeOnly();
    else if (unset == Unset::Refused) view.refuseUnset(read->text);
    EvaluateOptions watched = options;
    watched.given = view.given();
    LongWork work(s, "evaluating");
    watched.limits.isCancelled = [&work] { return !work.goesOn(); };
    Evaluation done;
    withLargeStack([&] { done = s.evaluator->evaluate(read->text, view, watched); });
    if (!done && frame)
        if (std::optional<Datum> part = partOfIncomplete(s, read->text, *scope)) {
            Evaluation shown;
            shown.value = std::move(*part);
            return shown;
        }
    if (!done) return Failure{read->told(done.error)};
    if (options.mayWrite) view.noteWritten();
    return done;
}

} // namespace

std::optional<uint64_t> SessionHost::allocate(uint64_t bytes) {
    uint64_t at = session_.engine->allocate(std::max<uint64_t>(bytes, 1));
    return at == 0 ? std::nullopt : std::optional(at);
}

bool SessionHost::callsProgram() const { return thread_ != 0 && session_.engine->caller(); }

Result<CValue> SessionHost::call(const ir::Function& function, uint64_t address, llvm::ArrayRef<CValue> args,
                                 const CallLimits& limits) {
    if (!callsProgram()) return Failure{"has side effects: it calls " + code(function.name)};
    return session_.engine->caller()->call(thread_, function, address, args, limits);
}

bool SessionHost::isInFiber() { return callsProgram() && session_.engine->caller()->isInFiber(thread_); }

Result<Datum> evaluateIn(Session& s, const std::string& text, const FrameHandle* frame, Unset unset) {
    if (isForeign(s, frame)) return evaluateForeign(s, text, frame);
    Result<Evaluation> done = evaluateWith(s, text, frame, {}, unset);
    if (!done) return done.failure();
    return done->value;
}

namespace {

Result<Datum> valueOf(Result<Evaluation> done) {
    return done ? Result<Datum>(done->value) : Result<Datum>(done.failure());
}

Result<Datum> runInProgram(Session& s, const std::string& text, const FrameHandle& frame) {
    Result<ConsoleText> read = readAtConsole(s.console, text);
    if (!read) return read.failure();
    SessionFrame view(s, frame, read->given);
    EvaluateOptions options;
    options.given = view.given();
    Engine::ProgramText line{s.evaluator->asExpression(read->text), read->given};
    withLargeStack([&] { line.type = s.evaluator->typeOf(line.text, view, options); });
    Result<Engine::ProgramValue> ran =
        s.engine->runInProgram(frame.thread, frame.index, line, [&s] { return s.cancelled(); });
    s.evaluator->memory().program.forget(); // it may have changed anything, before it failed, too
    if (!ran) return Failure{read->told(ran.error())};
    if (ran->type == TypeId::Void) return Datum::held(TypeId::Void, {});
    Datum there = Datum::at(ran->type, ran->address);
    there.isResult = ran->isResult;
    return there;
}

/// Interprets the text, or has the program run it, or what it calls. `before`: how many bytes were put before what was
/// typed.
Result<Datum> runAtPrompt(Session& s, const std::string& text, size_t before, const FrameHandle* frame) {
    EvaluateOptions options;
    SessionHost alone(s), calling(s, frame ? frame->thread : 0);
    options.mayWrite = true;
    options.host = &alone;
    options.before = before;
    Result<Evaluation> done = evaluateWith(s, text, frame, options, Unset::Refused);
    bool isRefused = !done && llvm::StringRef(done.error()).contains("has side effects");
    options.host = &calling;
    if (isRefused && calling.callsProgram()) return valueOf(evaluateWith(s, text, frame, options, Unset::Refused));
    if (!frame || !isRefused) return valueOf(done);
    return runInProgram(s, text, *frame);
}

/// How a text is read at a place of the program with what the console has now. Null: it is not.
std::shared_ptr<const Engine::Reading> readingOf(Session& s, const std::string& text, const FrameHandle* frame) {
    Result<FrameHandle> scope = scopeOf(s, frame);
    Result<ConsoleText> read = readAtConsole(s.console, text);
    if (!scope || !read) return nullptr;
    sema::CodePlace at = SessionFrame(s, *scope, {}).place();
    return std::make_shared<Engine::Reading>(
        Engine::Reading{std::move(read->text), scope->frame.func, at.at, at.scope, std::move(read->given)});
}

/// Runs statements that declare variables, and keeps these.
Result<Datum> declareAtPrompt(Session& s, const std::string& text, const std::vector<Declared>& all,
                              const FrameHandle* frame) {
    Result<FrameHandle> scope = scopeOf(s, frame);
    if (!scope) return scope.failure();
    std::vector<std::string> names;
    for (const Declared& d : all) names.push_back(d.name);
    for (const std::string& name : names)
        if (s.evaluator->isKnown(name, SessionFrame(s, *scope, {})))
            return Failure{"the program calls something " + code(name) + " here: declare another name"};
    std::string value = names.size() == 1 ? names.front() : ".{ " + llvm::join(names, ", ") + " }";
    auto block = [&](const std::string& value) {
        return "{ " + llvm::StringRef(text).rtrim("; \t\n").str() + "\n; " + value + " }";
    };
    std::vector<std::shared_ptr<const Engine::Reading>> readings;
    for (const std::string& name : names) readings.push_back(readingOf(s, block(name), frame));
    Result<Datum> made = runAtPrompt(s, block(value), 2, frame);
    return made ? declareVariables(s, all, *made, readings) : made;
}

} // namespace

Result<Datum> evaluateAtPrompt(Session& s, const std::string& text, const FrameHandle* frame) {
    if (isForeign(s, frame)) return evaluateForeignAtPrompt(s, text, frame);
    Result<ConsoleText> read = readAtConsole(s.console, text);
    if (!read) return read.failure();
    if (assignsNothing(read->text)) return Failure{NoValue};
    if (endsInDeclaration(read->text)) return Failure{"functions and types are not declared at the console"};
    if (std::vector<Declared> all = declarationsIn(read->text); !all.empty() && s.evaluator)
        return declareAtPrompt(s, text, all, frame);
    Result<Datum> value = runAtPrompt(s, text, 0, frame);
    if (value) keepResult(s, *value, readingOf(s, text, frame));
    return value;
}

ir::SlotId traceSlotOf(Session& s, const FrameHandle& frame, ir::SlotId variable) {
    return s.evaluator->traceSlotOf(variable, SessionFrame(s, frame, {}));
}

bool isOfHandler(Session& s, const FrameHandle& frame, ir::SlotId variable) {
    return s.evaluator->isOfHandler(variable, SessionFrame(s, frame, {}));
}

std::string assignmentProblem(Session& s, const FrameHandle& frame, ir::SlotId variable) {
    if (!s.evaluator || variable == ir::SlotId::None || isForeign(s, &frame)) return "";
    return s.evaluator->assignmentProblem(variable, SessionFrame(s, frame, {}));
}

std::vector<RoundCapture> roundCapturesOf(Session& s, const FrameHandle& frame) {
    if (!s.evaluator || isForeign(s, &frame)) return {};
    return s.evaluator->roundCaptures(SessionFrame(s, frame, {}));
}

Result<Datum> assignTo(Session& s, Datum place, const std::string& text, const FrameHandle* frame) {
    if (isForeign(s, frame)) return assignForeign(s, std::move(place), text, frame);
    Result<FrameHandle> scope = scopeOf(s, frame);
    if (!scope) return scope.failure();
    Result<ConsoleText> read = readAtConsole(s.console, text);
    if (!read) return read.failure();
    SessionFrame view(s, *scope, read->given);
    if (!frame) view.makeScopeOnly();
    else view.refuseUnset(read->text);
    SessionHost host(s);
    EvaluateOptions options;
    options.host = &host;
    options.given = view.given();
    Result<void> done;
    withLargeStack([&] { done = s.evaluator->assign(place, read->text, view, options); });
    if (!done) return Failure{read->told(done.error())};
    return place;
}

static bool isNameByte(char c) { return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

/// The bit field of a record of C that an expression names: `r.flags`.
static std::optional<Datum> bitFieldAt(Session& s, const std::string& text, const FrameHandle* frame) {
    auto [owner, name] = llvm::StringRef(text).trim().rsplit('.');
    if (name.empty() || !llvm::all_of(name, isNameByte)) return std::nullopt;
    Result<Evaluation> record = evaluateWith(s, owner.str(), frame, {}, Unset::Taken);
    if (!record) return std::nullopt;
    TypeId type = record->value.type;
    if (s.program->types.kind(type) == TypeKind::Pointer) type = s.program->types.elem(type);
    const std::vector<BitField>* bits = s.program->types.recordsOfC.find(type);
    if (!bits || bits->empty()) return std::nullopt;
    if (type != record->value.type) record = evaluateWith(s, owner.str() + ".*", frame, {}, Unset::Taken);
    if (!record || record->isConstant) return std::nullopt;
    for (Child& c : valuesOf(s).children(record->value, ""))
        if (c.name == name && c.datum.bits.count != 0) return std::move(c.datum);
    return std::nullopt;
}

Result<Datum> evaluatePlace(Session& s, const std::string& text, const FrameHandle* frame, const char* refusal) {
    if (isForeign(s, frame)) {
        Result<Datum> place = evaluateForeign(s, text, frame);
        if (place && place->place != Datum::Place::Memory && place->bits.count == 0)
            return Failure{code(asUtf8(text)) + " " + refusal};
        return place;
    }
    if (std::optional<Datum> bits = bitFieldAt(s, text, frame)) return *bits;
    Result<Evaluation> done = evaluateWith(s, text, frame, {}, Unset::Taken);
    if (!done) return done.failure();
    if (done->isConstant || done->value.place != Datum::Place::Memory)
        return Failure{code(asUtf8(text)) + " " + refusal};
    return done->value;
}

Result<std::vector<uint8_t>> bytesOf(Session& s, const Datum& d) {
    if (!d.missing.empty()) return Failure{std::string("there is no value: ") + Datum::OptimizedOut};
    if (d.place == Datum::Place::Hand) return std::vector<uint8_t>(d.bytes.begin(), d.bytes.end());
    if (d.place == Datum::Place::Nowhere) return Failure{"there is no value: " + d.note};
    std::vector<uint8_t> bytes(valuesOf(s).sizeOf(d.type));
    if (memoryOf(s).read(d.address, bytes) != bytes.size()) return Failure{"the value cannot be read"};
    return bytes;
}

namespace {

enum class Text : uint8_t { Watched, Condition, Logged };

/// Why an expression cannot be used at a place; empty: it can, as far as that is known before the program is there.
std::string problemAt(Session& s, const std::string& text, CodePoint at, Text of) {
    if (isForeign(s, at.func)) return foreignProblem(s, text, at);
    const ir::Statement* statement = s.program->statement(at);
    if (!s.evaluator || !statement) return "";
    EvaluateOptions options;
    options.isCondition = of == Text::Condition;
    std::string problem;
    withLargeStack([&] {
        const ir::Function& fn = s.program->module.fn(at.func);
        auto code = s.evaluator->prepare(text, {statement->begin, fn, fn.scopeOf(*statement)}, options);
        if (!code) return void(problem = code.error());
        bool isPlace = (*code)->isPlace && !(*code)->isConstant;
        if (of != Text::Watched) problem = s.evaluator->sideEffectOf(**code);
        else if (!isPlace) problem = sx::code(asUtf8(text)) + " is in no memory that could be watched";
        s.evaluator->drop(**code);
    });
    return problem;
}

} // namespace

std::string watchProblem(Session& s, const std::string& text) {
    Result<FrameHandle> scope = scopeOf(s, nullptr);
    if (!scope) return scope.error();
    return problemAt(s, text, {scope->frame.func, 0}, Text::Watched);
}

std::string checkCondition(Session& s, const std::string& text, CodePoint at) {
    return problemAt(s, text, at, Text::Condition);
}

std::string checkLogMessage(Session& s, const std::string& text, CodePoint at) {
    for (const LogPiece& piece : parseLogMessage(text))
        if (piece.isExpression)
            if (std::string why = problemAt(s, piece.text, at, Text::Logged); !why.empty()) return why;
    return "";
}

std::string conditionProblem(Session& s, const std::string& text, const FrameHandle* frame) {
    Result<FrameHandle> scope = frame && isForeign(s, frame) ? Result<FrameHandle>(*frame) : scopeOf(s, frame);
    if (!scope) return scope.error();
    if (isForeign(s, &*scope)) return foreignProblem(s, text, {scope->frame.func, 0});
    Result<const lower::CompiledExpression*> code = s.evaluator->prepareCondition(text, SessionFrame(s, *scope, {}));
    return code ? "" : code.error();
}

std::string conditionEffect(Session& s, const std::string& text, const FrameHandle* frame) {
    Result<FrameHandle> scope = frame && isForeign(s, frame) ? Result<FrameHandle>(*frame) : scopeOf(s, frame);
    if (!scope || isForeign(s, &*scope)) return "";
    Result<const lower::CompiledExpression*> code = s.evaluator->prepareCondition(text, SessionFrame(s, *scope, {}));
    return code ? s.evaluator->sideEffectOf(**code) : "";
}

bool usesFrame(Session& s, const std::string& text, const FrameHandle& frame) {
    if (isForeign(s, &frame)) return true;
    Result<const lower::CompiledExpression*> code = s.evaluator->prepareCondition(text, SessionFrame(s, frame, {}));
    return code && llvm::any_of((*code)->variables, [](const auto& used) { return used.declared.isValid(); });
}

/// Without what the console has declared, a condition is compiled once.
static Result<Evaluation> evaluateCondition(Session& s, const std::string& text, const FrameHandle& frame) {
    EvaluateOptions options;
    options.isCondition = true;
    if (!s.console.variables.empty() || text.find('$') != std::string::npos)
        return evaluateWith(s, text, &frame, options, Unset::Taken);
    Result<FrameHandle> scope = scopeOf(s, &frame);
    if (!scope) return scope.failure();
    SessionFrame view(s, *scope, {});
    Result<const lower::CompiledExpression*> code = s.evaluator->prepareCondition(text, view);
    if (!code) return code.failure();
    options.limits.isCancelled = [&s] { return s.cancelled(); };
    Evaluation done = s.evaluator->run(**code, view, options);
    if (!done) return Failure{done.error};
    return done;
}

static Result<bool> truthOf(Session& s, const std::string& text, const FrameHandle& frame) {
    if (isForeign(s, &frame)) return foreignHolds(s, text, frame);
    Result<Evaluation> done = evaluateCondition(s, text, frame);
    Result<std::vector<uint8_t>> bytes = done ? bytesOf(s, done->value) : Result<std::vector<uint8_t>>(done.failure());
    if (!bytes) return bytes.failure();
    return !bytes->empty() && bytes->front() != 0;
}

bool isFalse(Session& s, const std::string& text, const FrameHandle& frame) {
    Result<bool> holds = truthOf(s, text, frame);
    return holds && !*holds;
}

bool conditionHolds(Session& s, const std::string& text, const FrameHandle& frame) {
    Result<bool> holds = truthOf(s, text, frame);
    if (!holds) s.note("the condition " + code(asUtf8(text)) + " failed: " + holds.error());
    return !holds || *holds;
}

/// Without columns, which nobody would find in a message.
static Result<Datum> evaluateLogged(Session& s, const std::string& text, const FrameHandle& frame) {
    if (isForeign(s, &frame)) return evaluateForeign(s, text, &frame);
    EvaluateOptions options;
    options.tellsColumn = false;
    Result<Evaluation> done = evaluateWith(s, text, &frame, options, Unset::Refused);
    return done ? Result<Datum>(done->value) : Result<Datum>(done.failure());
}

std::string logText(Session& s, const std::string& message, ThreadId thread) {
    Frames top = framesOf(s, thread, 0, 1);
    FrameHandle frame{thread, 0, top.frames.empty() ? Frame() : top.frames[0]};
    std::string text;
    for (const LogPiece& piece : parseLogMessage(message)) {
        if (!piece.isExpression) {
            text += piece.text;
            continue;
        }
        Result<Datum> value = evaluateLogged(s, piece.text, frame);
        text += value ? valuesOf(s).text(*value) : "<" + value.error() + ">";
    }
    return asUtf8(text);
}

bool isListOfErrors(llvm::StringRef condition) {
    llvm::SmallVector<llvm::StringRef, 8> words;
    condition.split(words, ',');
    for (llvm::StringRef word : words) {
        word = word.trim();
        word.consume_front("!");
        word.consume_front("error.");
        for (char c : word)
            if (!isNameByte(c)) return false;
    }
    return true;
}

std::string syntaxProblem(const std::string& text) {
    SourceManager sources;
    AstContext ast;
    Diagnostics diags;
    FileId file = sources.addFile("(condition)", "(condition)", text);
    parseExpression(sources, file, ast, diags);
    if (!diags.hasErrors()) return "";
    return diags.all().front().message;
}

namespace {

/// The text has the name as a word.
bool hasWord(llvm::StringRef text, llvm::StringRef name) {
    for (size_t at = text.find(name); at != llvm::StringRef::npos; at = text.find(name, at + 1)) {
        bool begins = at == 0 || !isNameByte(text[at - 1]);
        size_t end = at + name.size();
        if (begins && (end == text.size() || !isNameByte(text[end]))) return true;
    }
    return false;
}

} // namespace

std::string unknownName(Session& s, const std::string& text) {
    if (!s.evaluator || !s.program || conditionProblem(s, text, nullptr).empty()) return "";
    SourceManager sources;
    NameTable names{knownNames()};
    FileId file = sources.addFile("(condition)", "(condition)", text);
    bool isMember = false;
    for (const Token& t : lexFile(sources, file, names)) {
        bool isName = t.kind == TokenKind::Ident && !isMember;
        isMember = t.kind == TokenKind::Dot;
        if (!isName) continue;
        std::string name(names.text(t.name()));
        auto has = [&](FileId f) { // the library's own variables are no names of the program
            std::string_view source = s.program->sources.text(f);
            return !s.program->isLibrary(f) && hasWord({source.data(), source.size()}, name);
        };
        if (llvm::any_of(s.program->files(), has)) continue;
        Result<FrameHandle> scope = scopeOf(s, nullptr);
        if (!scope || s.evaluator->isKnown(name, SessionFrame(s, *scope, {}))) continue;
        Result<Datum> value = evaluateIn(s, name, nullptr, Unset::Taken);
        if (!value) return value.error();
    }
    return "";
}

Result<std::vector<uint64_t>> tagsOf(const Program& program, const std::string& condition) {
    const TypeTable& types = program.types;
    std::set<uint64_t> wanted, unwanted;
    bool onlyExceptions = true;
    llvm::SmallVector<llvm::StringRef, 8> words;
    if (llvm::StringRef(condition).trim().empty()) return std::vector<uint64_t>();
    llvm::StringRef(condition).split(words, ',');
    for (llvm::StringRef word : words) {
        word = word.trim();
        bool isOut = word.consume_front("!");
        word.consume_front("error.");
        if (word.empty()) return Failure{"an error or error set is missing in " + code(asUtf8(condition))};
        std::set<uint64_t> tags;
        for (size_t i = 0; i < types.tags().size(); ++i)
            if (llvm::StringRef(types.names().text(types.tags()[i])) == word) tags.insert(i + 1);
        for (uint32_t t = 1; t < types.size(); ++t) {
            auto id = static_cast<TypeId>(t);
            if (!isErrorSet(types, id) || types.errorSetInfo(id).name != word) continue;
            for (Name n : types.errorSetInfo(id).tags)
                for (size_t i = 0; i < types.tags().size(); ++i)
                    if (types.tags()[i] == n) tags.insert(i + 1);
        }
        if (tags.empty()) return Failure{"the program has no error or error set " + code(asUtf8(word))};
        (isOut ? unwanted : wanted).insert(tags.begin(), tags.end());
        onlyExceptions &= isOut;
    }
    if (onlyExceptions && !unwanted.empty())
        for (size_t i = 1; i <= types.tags().size(); ++i) wanted.insert(i);
    for (uint64_t t : unwanted) wanted.erase(t);
    if (wanted.empty() && !unwanted.empty()) wanted.insert(0); // no error has it: none stops
    return std::vector<uint64_t>(wanted.begin(), wanted.end());
}

} // namespace sx::debugger
