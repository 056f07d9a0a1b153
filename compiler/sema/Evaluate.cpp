// Evaluation while compiling: constants, counts, `#run`.
//
// An expression is lowered into a scratch function like any other code. What folds comes back as a constant
// without running anything; the rest is run by the evaluator and its result baked into constant data.
#include "ir/StraightLine.h"
#include "sema/Operands.h"
#include "sema/Scratch.h"
#include "syntax/Walk.h"

#include "llvm/Support/raw_ostream.h"

namespace sx::sema {

using namespace ast;

/// Where the output of one evaluation goes, and of those that it starts.
class Sema::OutputScope {
public:
    OutputScope(Sema& sema, Output output)
        : sema_(sema), outer_(sema.runningOutput_), outerConstant_(sema.runningConstant_),
          constant_(sema.resolving.empty() ? nullptr : sema.resolving.back()) {
        if (output == Output::Held) sema.runningOutput_ = &text_;
        sema.runningConstant_ = constant_;
    }
    ~OutputScope() {
        sema_.runningOutput_ = outer_;
        sema_.runningConstant_ = outerConstant_;
        if (text_.empty()) return;
        // A local `#run` of a function that is being called prints among what the caller prints.
        if (outer_ && constant_ == outerConstant_) *outer_ += text_;
        else sema_.heldOutput_.push_back({constant_, sema_.runsStatements_, std::move(text_)});
    }

private:
    Sema& sema_;
    std::string* outer_;
    Symbol* outerConstant_;
    Symbol* constant_;
    std::string text_;
};

/// The types that one evaluation declares (generics.md 10).
class Sema::ConstructionScope {
public:
    explicit ConstructionScope(Sema& sema) : sema_(sema), outer_(std::exchange(sema.construction, &declared_)) {}
    ~ConstructionScope() { sema_.construction = outer_; }

    /// A type that is still without parts makes a failure of the evaluation.
    void check(ir::ComptimeResult& r) const {
        for (TypeId t : declared_) {
            if (sema_.builtTypes[t] == BuiltState::Defined) continue;
            r.ok = false;
            r.error = "the type `" + sema_.types.writtenName(t) + "` is declared and never defined";
            return;
        }
    }

    /// The types can be used: none holds itself by value. False: reported. What a type that is still being built is a
    /// part of is completed later.
    bool complete() const {
        bool ok = true;
        for (TypeId t : declared_) ok &= sema_.completeDeep(t) || sema_.completions[t] != Completion::Failed;
        return ok;
    }

private:
    Sema& sema_;
    std::vector<TypeId> declared_;
    std::vector<TypeId>* outer_;
};

void Sema::writeHeldOutput(llvm::ArrayRef<SourceFile*> order) {
    auto write = [](HeldOutput& held) {
        llvm::outs() << held.text;
        held.text.clear();
    };
    // Constants in the order of their declarations, then statements, then what functions evaluate for themselves.
    for (SourceFile* file : order)
        for (Symbol* s : file->order)
            for (HeldOutput& held : heldOutput_)
                if (held.constant == s) write(held);
    for (HeldOutput& held : heldOutput_)
        if (held.constant) write(held);
    for (HeldOutput& held : heldOutput_)
        if (held.ofStatement) write(held);
    for (HeldOutput& held : heldOutput_) write(held);
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
        for (const auto& file : sema.files)
            if (call.at.isValid() && !file->isLibrary && file->id == sema.sources.resolve(call.at.begin).file)
                return call.at;
    return {};
}

void Sema::reportFailure(Span at, const std::string& what, const Failure& failure) {
    Diagnostic& d = diags.error(at, what + " failed: " + failure.reason);
    bool elsewhere = failure.at.isValid() && (failure.at.begin < at.begin || failure.at.end > at.end);
    if (elsewhere) d.note(failure.at, "it failed here");
}

std::optional<ConstValue> Sema::evaluate(ir::FuncId f, TypeId result, const std::string& what, Output output,
                                         Failure* failure) {
    OutputScope scope(*this, output);
    ConstructionScope built(*this);
    ir::ComptimeResult r = evaluator.evaluate(
        module, f, [this](ir::FuncId id) { return materialize(id); },
        output == Output::Held ? runningOutput_ : nullptr);
    if (r.exited) {
        comptimeExit = r.exitCode;
        return std::nullopt;
    }
    if (r.ok) built.check(r);
    if (!r.ok) {
        // What it needed was rejected: that is the message.
        if (r.needsRejected || (!failure && diags.hasErrors())) return std::nullopt;
        if (failure) {
            *failure = {r.errorTag ? "error." + std::string(names.text(types.tags()[r.errorTag - 1])) : r.error,
                        placeInProgram(*this, r)};
            return std::nullopt;
        }
        std::string line = "error: " + what + " failed while compiling: " +
                           (r.errorTag ? "error." + std::string(names.text(types.tags()[r.errorTag - 1])) : r.error);
        if (!r.errorTag && r.errorAt.isValid()) {
            Location at = sources.resolve(r.errorAt.begin);
            line += " at " + std::string(sources.path(at.file)) + ":" + std::to_string(at.line) + ":" +
                    std::to_string(at.col);
        }
        line += '\n';
        line += r.errorTag ? r.trace : callList(*this, r, f, evaluationName(module.fn(f), what));
        if (r.errorTag)
            line += "help: handle the error where it is evaluated, `#run f() catch (e) { … }`, or give a fallback, "
                    "`#run f() or value`\n";
        plainErrors.push_back(line);
        return std::nullopt;
    }
    if (!built.complete()) return std::nullopt;
    if (result == TypeId::Void || result == TypeId::NoReturn) return ConstValue{};
    return readConstant(r.value, 0, result);
}

namespace {

/// Makes a function of the scratch body that returns `v`, or the address of it.
void returnFrom(FunctionLowering& body, const Value& v, TypeId type) {
    if (type == TypeId::Void || v.isVoid()) {
        body.b.ret();
        return;
    }
    body.fn.result = type;
    body.b.ret(body.types.isScalar(type) ? body.scalar(v) : body.addressOf(v));
}

/// The path to the first function pointer or closure in constant data, in the form of `.field[1]`; empty for the value
/// itself. Null if there is none.
std::optional<std::string> functionIn(const TypeTable& types, TypeId type, const ir::ConstData& data, uint64_t offset) {
    auto inPart = [&](const std::string& step, TypeId part, uint64_t at) {
        std::optional<std::string> path = functionIn(types, part, data, at);
        if (path) path->insert(0, step);
        return path;
    };
    auto nameOf = [&](Name name, size_t index) {
        return "." + (name == Name::None ? std::to_string(index) : std::string(types.names().text(name)));
    };
    switch (types.kind(type)) {
    case TypeKind::Function:
    case TypeKind::Closure:
        for (const ir::Reloc& r : data.relocs)
            if (r.offset == offset && r.kind == ir::Reloc::Kind::Function) return std::string();
        return std::nullopt;
    case TypeKind::Struct:
    case TypeKind::Tuple: {
        std::vector<Part> parts = partsOf(types, type);
        for (size_t i = 0; i < parts.size(); ++i)
            if (auto path = inPart(nameOf(parts[i].name, i), parts[i].type, offset + parts[i].offset)) return path;
        return std::nullopt;
    }
    case TypeKind::Optional: return functionIn(types, types.elem(type), data, offset);
    case TypeKind::Enum: // the payload that holds one is the one that is there: the bytes of another have no address of
                         // a function
        if (!types.isTaggedEnum(type)) return std::nullopt;
        for (const Variant& v : types.enumInfo(type).variants)
            if (v.payload != TypeId::None)
                if (auto path = inPart(nameOf(v.name, 0), v.payload, offset + types.enumInfo(type).payloadOffset))
                    return path;
        return std::nullopt;
    case TypeKind::Array:
        for (uint64_t i = 0; i < types.count(type); ++i)
            if (auto path = inPart("[" + std::to_string(i) + "]", types.elem(type),
                                   offset + i * types.sizeOf(types.elem(type))))
                return path;
        return std::nullopt;
    default: return std::nullopt;
    }
}

} // namespace

/// `__run_0`, …: what a list of frames calls the top-level `#run` statements of a file. Empty for anything else.
static std::string runName(const SourceFile& file, const Expr* e) {
    unsigned index = 0;
    for (const Decl* d : file.items)
        if (const auto* run = llvm::dyn_cast<RunDecl>(d)) {
            if (run->value == e) return "__run_" + std::to_string(index);
            ++index;
        }
    return {};
}

/// Empties a scratch function when its evaluation is over: nothing runs or emits it again.
ScratchGuard::~ScratchGuard() {
    fn.dead = true;
    fn.blocks.clear();
    fn.instrs.clear();
    fn.operands.clear();
    fn.targets.clear();
    fn.slots.clear();
}

std::optional<Value> Sema::evaluateConstant(const Expr* e, TypeId target, Scope* scope, uint32_t limit,
                                            SourceFile* file, bool isRun) {
    if (const auto* run = llvm::dyn_cast<Run>(e)) {
        e = run->value;
        isRun = true;
    }
    scope = announceTypes(e, scope, limit, file);
    ir::FuncId id = newFunction("constant", "constant");
    ir::Function& fn = module.fn(id);
    ScratchGuard guard{fn};
    fn.compilerMade = true;
    fn.span = e->span;
    if (isRun && resolving.empty()) fn.name = runName(*file, e);
    std::unique_ptr<FunctionLowering> body = FunctionLowering::scratch(*this, fn, *file, scope);
    body->scopeLimit = limit;
    body->currentOperation = e->span;
    if (isRun) body->bareEnd = blockEnd(e);
    bool isAsRun = isRun || llvm::isa<Call>(withoutParens(e)); // a call is evaluated as if `#run` were written
    Value v = isAsRun ? body->lowerUnmarked(e, target) : body->lower(e, target);
    if (v.isError()) return std::nullopt;
    bool failable = v.unmarkedFailable && types.isFailable(v.type);
    if (!failable && target != TypeId::None) {
        v = body->convert(v, target, e->span);
        if (v.isError()) return std::nullopt;
    }
    if (!isRun && (v.isConst() || v.isTypeName() || v.kind == Value::Kind::Function)) {
        if (v.isConst() && v.type == TypeId::Null) {
            diags.error(e->span, "`null` alone has no type: annotate the declaration");
            return std::nullopt;
        }
        return v;
    }
    if (v.isTypeName()) return v;
    if (!v.isVoid() && !body->requireValue(v, e->span)) return std::nullopt;
    if (!isRun && !isConstantExpression(e, scope, limit, file)) {
        // A struct literal with a field that does not fold is evaluated at every use; anything else as if by #run.
        if (llvm::isa<StructLit>(withoutParens(e))) return Value::temporary(v.type, ir::ValueId::None);
    }
    if (isRun && diags.hasErrors()) return std::nullopt; // evaluation waits for a program without errors
    TypeId type = v.isVoid() ? TypeId::Void : v.type;
    // `c_allocator : CAllocator = .{};`: nothing is left to find out, and the library would make every program start an
    // interpreter.
    if (!isRun && type != TypeId::Void && types.sizeOf(type) == 0)
        return Value::ofConst(type, readConstant({}, 0, type));
    returnFrom(*body, v, type);
    body->finishFunction();
    // A literal of constants needs no interpreter.
    if (!isRun && !failable)
        if (std::optional<ir::ConstData> data = ir::evaluateStraightLine(module, fn))
            return Value::ofConst(type, readConstant(*data, 0, type));
    std::string what = currentConstant();
    bool buildsType = !isRun && type == TypeId::Type; // while checking: its failure has a place, and it prints at once
    Failure failure;
    std::optional<ConstValue> c =
        evaluate(id, type, what, buildsType ? Output::AtOnce : Output::Held, buildsType ? &failure : nullptr);
    if (!c && !failure.reason.empty()) reportFailure(e->span, resolving.empty() ? "this type" : what, failure);
    if (!c) return std::nullopt;
    if (type == TypeId::Void) return Value::none();
    if (isRun && c->kind == ConstValue::Kind::Data && !c->data->relocs.empty())
        if (std::optional<std::string> path = functionIn(types, type, *c->data, 0)) {
            if (!path->empty() && path->front() == '.') path->erase(0, 1);
            plainErrors.push_back("error: " + what +
                                  " failed while compiling: the result cannot be stored as a constant: " +
                                  (path->empty() ? "it" : "`" + *path + "`") + " is a function reference\n");
            return std::nullopt;
        }
    if (!failable) return Value::ofConst(type, *c);
    // The value slots: an escaping error has stopped the build already.
    TypeId success = types.successType(type);
    if (success == TypeId::Void) return Value::none();
    ConstValue part = c->kind == ConstValue::Kind::Data ? readConstant(*c->data, 0, success) : *c;
    Value result = Value::ofConst(success, part);
    if (target != TypeId::None && target != success) return std::nullopt;
    return result;
}

namespace {

/// What kind of value the initializer of a constant is, as far as its form tells.
enum class Literal : uint8_t { Other, Integer, Float, Bool, Text, Tag, Type };

Literal literalKind(Sema& sema, const Expr* e, const Sema::TypeContext& context) {
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
    if (sema.namesType(e, context)) return Literal::Type;
    const auto* n = llvm::dyn_cast<NameRef>(e);
    Sema::LookupResult found =
        n ? sema.lookup(n->id.name, context.scope, context.limit, context.file) : Sema::LookupResult{};
    const Symbol* s = found.symbol && !found.ambiguous ? sema.resolve(found.symbol) : nullptr;
    if (!s || s->kind != SymbolKind::Constant) return Literal::Other;
    if (s->type == TypeId::Bool) return Literal::Bool;
    if (s->type == TypeId::String) return Literal::Text;
    return sema.types.isInteger(s->type) ? Literal::Integer
           : sema.types.isFloat(s->type) ? Literal::Float
                                         : Literal::Other;
}

/// Whether a constant of a type may be initialized with that kind of value (language 3.1).
bool takes(const TypeTable& types, TypeId type, Literal kind) {
    TypeKind t = types.kind(type);
    if (t == TypeKind::Any || t == TypeKind::Protocol) return true;
    switch (kind) {
    case Literal::Other: return true;
    case Literal::Integer:
    case Literal::Float: return types.isNumeric(type);
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

bool Sema::checkConstantKind(const Expr* e, TypeId type, Scope* scope, uint32_t limit, SourceFile* file) {
    TypeId payload = type;
    while (types.kind(payload) == TypeKind::Optional) payload = types.elem(payload);
    if (payload == TypeId::None) return true;
    TypeContext context;
    context.scope = scope;
    context.limit = limit;
    context.file = file;
    context.quiet = true;
    Literal kind = literalKind(*this, e, context);
    if (takes(types, payload, kind)) return true;
    Diagnostic& d = diags.error(e->span, std::string(nameOf(kind)) + " is not the value of a constant of type " +
                                             quoted(types, type));
    if (kind == Literal::Bool && types.isNumeric(payload)) d.help("write the number itself");
    if (kind == Literal::Text && types.isNumeric(payload)) d.help("drop the quotes");
    return false;
}

std::string Sema::currentConstant() const {
    return resolving.empty() ? std::string("a top-level `#run` statement")
                             : "the constant `" + std::string(names.text(resolving.back()->name)) + "`";
}

/// Literals, constants and what is made of them; no calls, no variables (types.md 17.2).
bool Sema::isConstantExpression(const Expr* e, Scope* scope, uint32_t limit, SourceFile* file, bool forGlobal) {
    auto all = [&](auto&& list) {
        for (const auto& x : list)
            if (!isConstantExpression(x, scope, limit, file, forGlobal)) return false;
        return true;
    };
    auto self = [&](const Expr* x) { return !x || isConstantExpression(x, scope, limit, file, forGlobal); };
    switch (e->kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Bool:
    case ExprKind::String:
    case ExprKind::Null:
    case ExprKind::Undef:
    case ExprKind::EnumLit:
    case ExprKind::ErrorTag:
    case ExprKind::Run:
    case ExprKind::OptionalType:
    case ExprKind::SliceType:
    case ExprKind::ManyPointerType:
    case ExprKind::SentinelType:
    case ExprKind::ArrayType:
    case ExprKind::FunctionType:
    case ExprKind::ClosureType:
    case ExprKind::TupleType:
    case ExprKind::InlineType:
    case ExprKind::TypeParam: return true;
    case ExprKind::NameRef: {
        LookupResult found = lookup(static_cast<const NameRef*>(e)->id.name, scope, limit, file);
        if (!found.symbol) return true; // a builtin name; anything else was reported while lowering
        Symbol* s = resolve(found.symbol);
        return s->kind != SymbolKind::Global && s->kind != SymbolKind::Local && s->kind != SymbolKind::RuntimeConst;
    }
    case ExprKind::Paren: return self(static_cast<const Paren*>(e)->inner);
    case ExprKind::Unary: {
        const auto* u = static_cast<const Unary*>(e);
        if (u->op == UnaryOp::AddrOf) { // the address of a global is a constant, its value is not
            const Expr* place = u->operand;
            bool fixed = true; // fields and elements at known places included
            for (;; place = withoutParens(place)) {
                if (const auto* m = llvm::dyn_cast<Member>(place)) place = m->base;
                else if (const auto* i = llvm::dyn_cast<Index>(place)) {
                    fixed &= self(i->index);
                    place = i->base;
                } else break;
            }
            if (fixed && llvm::isa<NameRef>(place)) return true;
        }
        return u->op != UnaryOp::Try && self(u->operand);
    }
    case ExprKind::Binary: {
        const auto* b = static_cast<const Binary*>(e);
        return self(b->lhs) && self(b->rhs);
    }
    case ExprKind::CompareChain: return all(static_cast<const CompareChain*>(e)->operands);
    case ExprKind::Index: {
        const auto* i = static_cast<const Index*>(e);
        return self(i->base) && self(i->index);
    }
    case ExprKind::Member: {
        const auto* m = static_cast<const Member*>(e);
        if (limitOwner(*this, *m) != TypeId::None) return true;
        if (forGlobal)
            if (const auto* n = llvm::dyn_cast<NameRef>(m->base)) {
                LookupResult found = lookup(n->id.name, scope, limit, file);
                Symbol* s = found.symbol ? resolve(found.symbol) : nullptr;
                if (s && s->kind == SymbolKind::Constant && types.kind(s->type) == TypeKind::Struct) return false;
            }
        return self(m->base);
    }
    case ExprKind::Cast: return self(static_cast<const Cast*>(e)->base);
    case ExprKind::StructLit: {
        const auto* s = static_cast<const StructLit*>(e);
        if (s->initBlock) return false;
        for (const Init& i : s->inits)
            if (!self(i.value)) return false;
        return true;
    }
    case ExprKind::ArrayLit: return all(static_cast<const ArrayLit*>(e)->elems);
    case ExprKind::If: {
        const auto* i = static_cast<const If*>(e);
        return i->thenForm && self(i->cond) && self(i->then) && self(i->otherwise);
    }
    case ExprKind::Call: return isConstantCall(*static_cast<const Call*>(e), scope, limit, file, forGlobal);
    case ExprKind::Lambda: return true; // without captures at module scope
    case ExprKind::CallerLocation:
    case ExprKind::Slice:
    case ExprKind::Deref:
    case ExprKind::Unwrap:
    case ExprKind::Catch:
    case ExprKind::Block:
    case ExprKind::Match:
    case ExprKind::While:
    case ExprKind::For:
    case ExprKind::Push:
    case ExprKind::Break:
    case ExprKind::Continue:
    case ExprKind::Return:
    case ExprKind::ResultList:
    case ExprKind::ErrorChannel:
    case ExprKind::Asm: return false;
    }
    return false;
}

/// A call that builds a value: `.move(3)`, `Cmd.move(3)`, or a type query such as `size_of(T)`.
bool Sema::isConstantCall(const Call& call, Scope* scope, uint32_t limit, SourceFile* file, bool forGlobal) {
    for (const Arg& a : call.args)
        if (!isConstantExpression(a.value, scope, limit, file, forGlobal)) return false;
    if (llvm::isa<EnumLit>(call.callee)) return true;
    TypeContext context;
    context.scope = scope;
    context.limit = limit;
    context.file = file;
    context.quiet = true;
    if (const auto* m = llvm::dyn_cast<Member>(call.callee)) {
        if (!namesType(m->base, context)) return false;
        TypeId type = resolveType(m->base, context);
        return types.kind(type) == TypeKind::Enum && types.isTaggedEnum(type);
    }
    if (const auto* n = llvm::dyn_cast<NameRef>(call.callee)) {
        LookupResult found = lookup(n->id.name, scope, limit, file);
        if (!found.symbol) return true; // an intrinsic
        Symbol* s = resolve(found.symbol);
        return s->kind == SymbolKind::Intrinsic || (s->kind == SymbolKind::Function && s->function->isIntrinsic) ||
               s->kind == SymbolKind::GenericStruct;
    }
    return false;
}

std::optional<__int128> Sema::evaluateCount(const Expr* e, Scope* scope, uint32_t limit, SourceFile* file,
                                            FunctionLowering*) {
    if (const auto* i = llvm::dyn_cast<IntLit>(e)) return static_cast<__int128>(i->value);
    if (const auto* p = llvm::dyn_cast<TypeParam>(withoutParens(e)); p && p->index < 0) { // `$N` of a bound parameter
        Symbol* s = lookup(p->id.name, scope, limit, file).symbol;
        if (s && s->kind == SymbolKind::Constant && !s->decl && s->constant.isInt()) return s->constant.i;
    }
    if (const auto* n = llvm::dyn_cast<NameRef>(withoutParens(e))) { // a parameter of an enum type counts by its value
        Symbol* s = lookup(n->id.name, scope, limit, file).symbol;
        if (s && s->variant) return *s->variant;
        if (s && s->kind == SymbolKind::Constant && !s->decl && s->constant.isInt() && types.isPlainEnum(s->type))
            return s->constant.i;
    }
    ir::FuncId id = newFunction("count", "count");
    ir::Function& fn = module.fn(id);
    ScratchGuard guard{fn};
    fn.compilerMade = true;
    std::unique_ptr<FunctionLowering> body = FunctionLowering::scratch(*this, fn, *file, scope);
    body->scopeLimit = limit;
    body->currentOperation = e->span;
    body->counting = true;
    Value v = body->lower(e);
    if (v.isError()) {
        if (!diags.hasErrors()) diags.error(e->span, "this is not a compile-time integer");
        return std::nullopt;
    }
    if (!v.isConst() && body->types.isScalar(v.type) && isConstantExpression(e, scope, limit, file)) {
        returnFrom(*body, v, v.type);
        body->finishFunction();
        if (std::optional<ConstValue> c = evaluate(id, v.type, "this count", Output::AtOnce))
            v = Value::ofConst(v.type, *c);
    }
    if (v.isConst() && v.constant.isInt() && (types.isInteger(v.type) || v.untypedLiteral)) return v.constant.i;
    if (v.isConst() && v.constant.isFloat()) {
        double f = v.constant.f;
        if (f >= -9.2e18 && f <= 1.8e19 && static_cast<double>(static_cast<__int128>(f)) == f)
            return static_cast<__int128>(f);
        diags.error(e->span, "a count must be a whole number, and this is " + std::to_string(f));
        return std::nullopt;
    }
    diags.error(e->span, "a count must be an integer that is known while compiling");
    return std::nullopt;
}

} // namespace sx::sema
