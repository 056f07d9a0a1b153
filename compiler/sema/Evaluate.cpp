// Evaluation while compiling: constants, counts, `#run`.
//
// An expression is lowered into a scratch function like any other code. What folds comes back as a constant
// without running anything; the rest is run by the evaluator and its result baked into constant data.
#include "sema/Evaluate.h"

#include "sema/Constants.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Modules.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Predicates.h"

#include "llvm/Support/raw_ostream.h"

namespace sx::sema {

using namespace ast;

/// Where the output of one evaluation goes, and of those that it starts.
class OutputScope {
public:
    OutputScope(Sema& sema, Output output)
        : sema_(sema), outer_(sema.comptime.runningOutput), outerConstant_(sema.comptime.runningConstant),
          constant_(sema.resolving.empty() ? nullptr : sema.resolving.back()) {
        if (output == Output::Held) sema.comptime.runningOutput = &text_;
        sema.comptime.runningConstant = constant_;
    }
    ~OutputScope() {
        sema_.comptime.runningOutput = outer_;
        sema_.comptime.runningConstant = outerConstant_;
        if (text_.empty()) return;
        // A local `#run` of a function that is being called prints among what the caller prints.
        if (outer_ && constant_ == outerConstant_) *outer_ += text_;
        else sema_.comptime.heldOutput.push_back({constant_, sema_.comptime.runsStatements, std::move(text_)});
    }

private:
    Sema& sema_;
    std::string* outer_;
    Symbol* outerConstant_;
    Symbol* constant_;
    std::string text_;
};

/// The types that one evaluation declares (generics.md 10).
class ConstructionScope {
public:
    explicit ConstructionScope(Sema& sema)
        : sema_(sema), outer_(std::exchange(sema.comptime.construction, &declared_)) {}
    ~ConstructionScope() { sema_.comptime.construction = outer_; }

    /// A type that is still without parts makes a failure of the evaluation.
    void check(ir::ComptimeResult& r) const {
        for (TypeId t : declared_) {
            if (sema_.comptime.builtTypes[t] == Comptime::BuiltState::Defined) continue;
            r.ok = false;
            r.error = "the type " + code(sema_.types, t) + " is declared and never defined";
            return;
        }
    }

    /// The types can be used: none holds itself by value. False: reported. What a type that is still being built is a
    /// part of is completed later.
    bool complete() const {
        bool ok = true;
        for (TypeId t : declared_)
            ok &= completeDeep(sema_, t) || sema_.nominals.completions[t] != Nominals::Completion::Failed;
        return ok;
    }

private:
    Sema& sema_;
    std::vector<TypeId> declared_;
    std::vector<TypeId>* outer_;
};

void writeHeldOutput(Sema& sema, llvm::ArrayRef<SourceFile*> order) {
    if (!sema.comptime.heldOutput.empty() && sema.options.beforeOutput) sema.options.beforeOutput();
    auto write = [](Comptime::HeldOutput& held) {
        llvm::outs() << held.text;
        held.text.clear();
    };
    // Constants in the order of their declarations, then statements, then what functions evaluate for themselves.
    for (SourceFile* file : order)
        for (Symbol* s : file->order)
            for (Comptime::HeldOutput& held : sema.comptime.heldOutput)
                if (held.constant == s) write(held);
    for (Comptime::HeldOutput& held : sema.comptime.heldOutput)
        if (held.constant) write(held);
    for (Comptime::HeldOutput& held : sema.comptime.heldOutput)
        if (held.ofStatement) write(held);
    for (Comptime::HeldOutput& held : sema.comptime.heldOutput) write(held);
    llvm::outs().flush();
}

/// What a list of calls calls the code that the compiler made for an expression: the constant, or the directive.
static std::string evaluationName(const ir::Function& fn, llvm::StringRef what) {
    if (llvm::StringRef(fn.name).starts_with("__run_")) return fn.name;
    if (what.consume_front("the constant `")) return what.drop_back().str();
    return what.contains("`#insert`") ? "#insert" : "#run";
}

/// The calls that led to a failure, innermost first, one a line.
static std::string callList(const Sema& sema, const ir::ComptimeResult& r, ir::FuncId evaluated,
                            const std::string& evaluation) {
    std::string text;
    for (size_t i = 0; i < r.calls.size(); ++i) {
        if (r.callsOmitted != 0 && i == r.calls.size() / 2)
            text += "  ... " + std::to_string(r.callsOmitted) + " more\n";
        const ir::ComptimeResult::Call& call = r.calls[i];
        const ir::Function& fn = sema.module.fn(call.func);
        text += "  at " + (call.func == evaluated && fn.compilerMade ? evaluation : fn.name);
        if (call.at.isValid()) {
            Location at = sema.sources.resolve(call.at.begin);
            text += " (" + std::string(sema.sources.tracePath(at.file)) + ":" + std::to_string(at.line) + ":" +
                    std::to_string(at.col) + ")";
        }
        text += '\n';
    }
    return text;
}

/// Where it failed, or where the program called the part of the library in which it did.
static Span placeInProgram(const Sema& sema, const ir::ComptimeResult& r) {
    for (const ir::ComptimeResult::Call& call : r.calls)
        for (const auto& file : sema.program.files)
            if (call.at.isValid() && !file->isLibrary && file->id == sema.sources.resolve(call.at.begin).file)
                return call.at;
    return {};
}

void reportFailure(Sema& sema, Span at, const std::string& what, const EvaluationFailure& failure) {
    Diagnostic& d = sema.diags.error(at, what + " failed: " + failure.reason);
    bool elsewhere = failure.at.isValid() && (failure.at.begin < at.begin || failure.at.end > at.end);
    if (elsewhere) d.note(failure.at, "it failed here");
}

std::optional<ConstValue> evaluate(Sema& sema, ir::FuncId f, TypeId result, const std::string& what, Output output,
                                   EvaluationFailure* failure) {
    if (sema.journal) sema.journal->evaluated = true;
    OutputScope scope(sema, output);
    ConstructionScope built(sema);
    std::string dropped; // what code prints that a question runs
    std::string* destination = sema.journal ? &dropped : output == Output::Held ? sema.comptime.runningOutput : nullptr;
    ir::ComptimeResult r = sema.evaluator.evaluate(
        sema.module, f, [&sema](ir::FuncId id) { return materialize(sema, id); }, destination);
    if (r.exited) {
        sema.comptime.exit = r.exitCode;
        return std::nullopt;
    }
    if (r.ok) built.check(r);
    if (!r.ok) {
        // What it needed was rejected: that is the message.
        if (r.needsRejected || (!failure && sema.diags.hasErrors())) return std::nullopt;
        if (failure) {
            *failure = {r.errorTag ? "error." + std::string(sema.names.text(sema.types.tags()[r.errorTag - 1]))
                                   : r.error,
                        placeInProgram(sema, r)};
            return std::nullopt;
        }
        std::string line =
            what + " failed while compiling: " +
            (r.errorTag ? "error." + std::string(sema.names.text(sema.types.tags()[r.errorTag - 1])) : r.error);
        if (!r.errorTag && r.errorAt.isValid()) line += " at " + sema.sources.placeOf(r.errorAt.begin);
        std::string details = r.errorTag ? r.trace : callList(sema, r, f, evaluationName(sema.module.fn(f), what));
        if (r.errorTag)
            details += "help: handle the error where it is evaluated, `#run f() catch (e) { … }`, or give a fallback, "
                       "`#run f() or value`\n";
        // An editor shows it at the constant that is being resolved, or at the `#run`.
        Span about = sema.resolving.empty() ? sema.module.fn(f).span : sema.resolving.back()->nameSpan;
        sema.diags.unplacedError(line, details, about);
        return std::nullopt;
    }
    if (!built.complete()) return std::nullopt;
    if (result == TypeId::Void || result == TypeId::NoReturn) return ConstValue{};
    return readConstant(sema, r.value, 0, result);
}

namespace {} // namespace

namespace {

/// What kind of value the initializer of a constant is, as far as its form tells.
enum class Literal : uint8_t { Other, Integer, Float, Bool, Text, Tag, Type };

Literal literalKind(Sema& sema, const Expr* e, const TypeContext& context) {
    e = withoutParens(e);
    if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Neg) e = withoutParens(u->operand);
    switch (e->kind) {
    case ExprKind::Int: return Literal::Integer;
    case ExprKind::Float: return Literal::Float;
    case ExprKind::Bool: return Literal::Bool;
    case ExprKind::String: return Literal::Text;
    case ExprKind::ErrorTag: return Literal::Tag;
    default: break;
    }
    if (namesType(sema, e, context)) return Literal::Type;
    const auto* n = llvm::dyn_cast<NameRef>(e);
    LookupResult found = n ? lookup(sema, n->id.name, context.scope, context.limit, context.file) : LookupResult{};
    const Symbol* s = found.symbol && !found.ambiguous ? resolve(sema, found.symbol) : nullptr;
    if (!s || s->kind != SymbolKind::Constant) return Literal::Other;
    if (s->type == TypeId::Bool) return Literal::Bool;
    if (s->type == TypeId::String) return Literal::Text;
    return isInteger(sema.types, s->type) ? Literal::Integer
           : isFloat(sema.types, s->type) ? Literal::Float
                                          : Literal::Other;
}

/// Whether a constant of a type may be initialized with that kind of value (language 3.1).
bool takes(const TypeTable& types, TypeId type, Literal kind) {
    TypeKind t = types.kind(type);
    if (t == TypeKind::Any || t == TypeKind::Protocol) return true;
    switch (kind) {
    case Literal::Other: return true;
    case Literal::Integer:
    case Literal::Float: return isNumeric(types, type);
    case Literal::Bool: return t == TypeKind::Bool;
    case Literal::Tag: return t == TypeKind::ErrorSet || t == TypeKind::Int;
    case Literal::Type: return t == TypeKind::Type;
    case Literal::Text:
        if (t == TypeKind::Slice || t == TypeKind::ManyPointer)
            return types.elem(type) == TypeId::U8 || types.elem(type) == TypeId::I8;
        return t == TypeKind::String || t == TypeKind::CString;
    }
    return true;
}

const char* nameOf(Literal kind) {
    switch (kind) {
    case Literal::Integer: return "an `i64`";
    case Literal::Float: return "an `f64`";
    case Literal::Bool: return "a `bool`";
    case Literal::Text: return "a `string`";
    case Literal::Tag: return "an error tag";
    case Literal::Type: return "a type";
    case Literal::Other: break;
    }
    return "this";
}

} // namespace

bool checkConstantKind(Sema& sema, const Expr* e, TypeId type, Scope* scope, uint32_t limit, SourceFile* file) {
    TypeId payload = type;
    while (sema.types.kind(payload) == TypeKind::Optional) payload = sema.types.elem(payload);
    if (payload == TypeId::None) return true;
    TypeContext context;
    context.scope = scope;
    context.limit = limit;
    context.file = file;
    context.quiet = true;
    Literal kind = literalKind(sema, e, context);
    if (takes(sema.types, payload, kind)) return true;
    Diagnostic& d = sema.diags.error(e->span, std::string(nameOf(kind)) + " is not the value of a constant of type " +
                                                  code(sema.types, type));
    if (kind == Literal::Bool && isNumeric(sema.types, payload)) d.help("write the number itself");
    if (kind == Literal::Text && isNumeric(sema.types, payload)) d.help("drop the quotes");
    return false;
}

std::string currentConstant(const Sema& sema) {
    return sema.resolving.empty() ? std::string("a top-level `#run` statement")
                                  : "the constant " + code(sema.names.text(sema.resolving.back()->name));
}

void runConstants(Sema& sema) {
    for (SourceFile* file : importOrder(sema))
        for (Symbol* s : file->order) {
            const auto* c = llvm::dyn_cast_or_null<ConstDecl>(s->decl);
            // Those of the library are tables, which print nothing: nobody misses one that nothing uses.
            if (c && c->value->kind == ExprKind::Run && !file->isLibrary) resolve(sema, s);
            if (sema.comptime.exit) return;
        }
}

void runStatements(Sema& sema) {
    sema.comptime.runsStatements = true;
    for (SourceFile* file : importOrder(sema))
        for (const Decl* d : file->items)
            if (const auto* run = llvm::dyn_cast<RunDecl>(d); run && !sema.comptime.exit)
                sema.bodies->evaluateConstant(run->value, TypeId::None, nullptr, UINT32_MAX, file, true);
    sema.comptime.runsStatements = false;
}

} // namespace sx::sema
