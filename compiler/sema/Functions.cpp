// Functions as declared and their instances: generic parameters, signatures, the IR functions made for them, and
// when their bodies are lowered.
//
// A body is lowered at the first call or reference that is lowered itself, so that errors come in the order of the
// program's flow; beyond a fixed depth of such visits it waits in the worklist instead.
#include "sema/Functions.h"

#include "ir/PackedCode.h"
#include "sema/BuiltTypes.h"
#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/ExternDecls.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"

#include "llvm/ADT/StringSwitch.h"

namespace sx::sema {

using namespace ast;

// ------------------------------------------------------------------------------------ templates

namespace {

bool bindsName(const Scope* env, Name name) {
    for (const Scope* s = env; s; s = s->parent)
        for (const Scope::Entry& e : s->entries)
            if (e.name == name) return true;
    return false;
}

/// Collects what a signature introduces with `$`.
class GenericCollector {
public:
    GenericCollector(const Sema& sema, FunctionTemplate& f) : sema_(sema), f_(f) {}

    void run() {
        for (const Param& p : f_.decl->params) {
            if (p.variadic && !isSliceVariadic(sema_, p)) {
                add(p.name.name, Binding::Kind::Pack, &p);
            } else if (p.comptime) {
                bool isType = !p.type || isTypeKeyword(sema_, p.type) || !p.constraints.empty();
                add(p.name.name, isType ? Binding::Kind::Type : Binding::Kind::Value, &p);
            } else {
                inType(p.type);
            }
        }
    }

private:
    void inType(const Expr* type) {
        anyInType(type, [&](const Expr* e) {
            if (const auto* c = llvm::dyn_cast<ClosureType>(e)) spreads(c->params);
            else if (const auto* f = llvm::dyn_cast<FunctionType>(e)) spreads(f->params);
            else if (const auto* t = llvm::dyn_cast<TupleType>(e)) spreads(t->elems);
            else if (const auto* p = llvm::dyn_cast<TypeParam>(e); p && p->index < 0)
                add(p->id.name, Binding::Kind::Type, nullptr);
            return false;
        });
    }

    void spreads(ArrayRef<TypeElem> elems) {
        for (const TypeElem& e : elems)
            if (const auto* p = e.spread ? llvm::dyn_cast<TypeParam>(e.type) : nullptr)
                add(p->id.name, Binding::Kind::Pack, nullptr);
    }

    void add(Name name, Binding::Kind kind, const Param* slot) {
        if (!slot && bindsName(f_.env, name)) return; // the sigil repeats a parameter of the type around it
        for (GenericParam& known : f_.generics)
            if (known.name == name) {
                if (slot) known.slot = slot;
                return;
            }
        f_.generics.push_back({name, kind, slot});
    }

    const Sema& sema_;
    FunctionTemplate& f_;
};

} // namespace

FunctionTemplate* newTemplate(Sema& sema, const FunctionDecl& decl, SourceFile& file, Scope* env,
                              std::string qualifiedName, TypeId owner) {
    auto* f = sema.make<FunctionTemplate>();
    f->decl = &decl;
    f->file = &file;
    f->env = env;
    keepScope(env);
    f->envLimit = UINT32_MAX;
    f->ownerType = owner;
    f->qualifiedName = std::move(qualifiedName);
    f->isIntrinsic = decl.bodyKind == BodyKind::Intrinsic;
    for (const Scope* s = env; s; s = s->parent) f->isNested |= s->owner != nullptr;
    GenericCollector(sema, *f).run();
    f->isGeneric = !f->generics.empty();
    return f;
}

namespace {

/// `-> $R` of one function; `bound`: the parameters of the type around it.
void checkGenericResult(Sema& sema, const FunctionDecl& d, llvm::ArrayRef<Name> bound) {
    if (!d.result) return;
    llvm::SmallVector<Name, 8> known(bound);
    bool isPack = false;
    for (const Param& p : d.params) {
        bool pack = p.variadic && !isSliceVariadic(sema, p);
        isPack |= pack;
        if (pack || p.comptime) known.push_back(p.name.name);
        anyInType(p.type, [&](const Expr* e) {
            if (const auto* t = llvm::dyn_cast<TypeParam>(e)) known.push_back(t->id.name);
            return false;
        });
    }
    if (isPack && llvm::isa<TypeParam>(d.result)) return; // what the body yields
    anyInType(d.result, [&](const Expr* e) {
        const auto* t = llvm::dyn_cast<TypeParam>(e);
        if (t && !llvm::is_contained(known, t->id.name))
            sema.diags
                .error(t->span, "no parameter mentions " + code("$" + sema.text(t->id.name)) +
                                    ", so no call could tell what the result type is")
                .help("take it as a parameter: " + code("$" + sema.text(t->id.name) + ": Type"));
        return false;
    });
}

void checkGenericResultsOf(Sema& sema, const Decl& d) {
    if (const auto* f = llvm::dyn_cast<FunctionDecl>(&d)) return checkGenericResult(sema, *f, {});
    llvm::SmallVector<Name, 4> bound;
    if (const auto* impl = llvm::dyn_cast<ImplDecl>(&d)) {
        for (const Ident& p : impl->targetParams) bound.push_back(p.name);
        anyInType(impl->target, [&](const Expr* e) {
            if (const auto* t = llvm::dyn_cast<TypeParam>(e)) bound.push_back(t->id.name);
            return false;
        });
        for (const FunctionDecl* f : impl->methods) checkGenericResult(sema, *f, bound);
    }
    const auto* body = llvm::dyn_cast<StructDecl>(&d);
    if (!body) return;
    for (const TypeParamDecl& p : body->typeParams) bound.push_back(p.name.name);
    for (const MemberDecl& m : body->members)
        if (const auto* f = m.kind == MemberKind::Decl ? llvm::dyn_cast<FunctionDecl>(m.decl) : nullptr)
            checkGenericResult(sema, *f, bound);
}

} // namespace

void checkGenericResults(Sema& sema) {
    for (auto& file : sema.program.files)
        for (const Decl* d : file->items) checkGenericResultsOf(sema, *d);
}

// ------------------------------------------------------------------------------------ instances

namespace {

/// `max(i64)`: the bindings as a programmer would write them. Texts are left out.
std::string readableName(Sema& sema, const FunctionTemplate& f, llvm::ArrayRef<Binding> bindings) {
    if (!f.isGeneric) return f.qualifiedName;
    Bindings shown;
    for (const Binding& b : bindings)
        if (b.kind != Binding::Kind::Value || b.value.kind == ConstValue::Kind::Int ||
            b.value.kind == ConstValue::Kind::Bool)
            shown.push_back(b);
    return writtenInstance(sema, f.qualifiedName, shown);
}

void limitPack(Sema& sema, const Param& p, const TypeContext& context) {
    LookupResult found = lookup(sema, p.name.name, context.scope, UINT32_MAX, context.file);
    if (!p.type || p.comptime || !found.symbol || !found.symbol->pack) return;
    PackInfo& pack = *found.symbol->pack;
    TypeContext quiet = context;
    quiet.quiet = true;
    pack.protocolExpr = p.type;
    bool isName = llvm::isa<NameRef>(p.type) || llvm::isa<Member>(p.type);
    Symbol* head = isName ? typeHead(sema, p.type, quiet) : nullptr;
    if (head && head->kind == SymbolKind::GenericProtocol) {
        pack.protocolTemplate = head->protocolTemplate;
        return;
    }
    TypeId type = resolveType(sema, p.type, quiet);
    if (type != TypeId::None && sema.types.kind(type) == TypeKind::Protocol) pack.protocol = type;
}

CallConv convOf(const FunctionDecl& d) {
    return d.linkage != Linkage::Normal || d.abi != Abi::Sx ? CallConv::C : CallConv::Sx;
}

} // namespace

void limitPacks(Sema& sema, const FunctionDecl& f, const TypeContext& context) {
    for (const Param& p : f.params)
        if (p.variadic && !isSliceVariadic(sema, p)) limitPack(sema, p, context);
}

namespace {

/// Resolves the parameters and the result of one instance.
class SignatureReader {
public:
    SignatureReader(Sema& sema, FunctionInstance& inst) : sema_(sema), inst_(inst), decl_(*inst.tmpl->decl) {
        context_.scope = inst.paramScope;
        context_.file = inst.tmpl->file;
    }

    void run() {
        limitPacks(sema_, decl_, context_);
        for (const Param& p : decl_.params) inst_.params.push_back(param(p));
        result();
        if (inst_.signatureFailed) return;
        for (size_t i = 0; i < inst_.params.size(); ++i) {
            const Param& written = decl_.params[i];
            completeReachable(sema_, inst_.params[i].type, written.type ? written.type->span : Span{});
        }
        completeReachable(sema_, inst_.result);
    }

private:
    const Binding* bindingOf(Name name) {
        for (const Binding& b : inst_.bindings)
            if (b.name == name) return &b;
        return nullptr;
    }

    ParamInfo param(const Param& p) {
        ParamInfo info;
        info.name = p.name.name;
        info.decl = &p;
        const Binding* own = p.comptime || p.variadic ? bindingOf(p.name.name) : nullptr;
        if (own && own->kind == Binding::Kind::Pack) {
            info.isPack = true;
            return info;
        }
        // A payload may be known at run time only: then it is an ordinary parameter.
        info.isComptime = own && !passesPayload(sema_.types, *own);
        if (info.isComptime) return info;
        info.isVariadic = p.variadic;
        info.type = p.type && !usesParameter(p.type) ? resolveType(sema_, p.type, context_) : TypeId::None;
        if (info.type == TypeId::None) inst_.signatureFailed = true;
        return info;
    }

    /// `(T: Type, x: T)` without a `$`: T is a value of the call, not a type.
    bool usesParameter(const Expr* type) {
        return anyInType(type, [&](const Expr* e) {
            const auto* n = llvm::dyn_cast<NameRef>(e);
            auto names = [&](const Param& p) { return n && p.name.name == n->id.name && !p.comptime && !n->id.raw; };
            if (llvm::none_of(decl_.params, names) || builtinType(sema_, n->id.name) != TypeId::None) return false;
            if (lookup(sema_, n->id.name, context_.scope, context_.limit, context_.file, true).symbol) return false;
            std::string name = sema_.text(n->id.name);
            sema_.diags
                .error(e->span,
                       code(name) + " is a parameter that is known at run time, so it cannot be used as a type")
                .help("take it as a compile-time parameter: " + code("$" + name + ": Type"));
            return true;
        });
    }

    void result() {
        bool hasBody = decl_.bodyKind == BodyKind::Block || decl_.bodyKind == BodyKind::Arrow;
        const auto* open = llvm::dyn_cast_or_null<TypeParam>(decl_.result);
        if (open && !bindingOf(open->id.name) && !bindsName(inst_.tmpl->env, open->id.name) && hasBody) {
            inst_.resultInferred = true; // `-> $R` of a pack function: what the body yields
        } else if (decl_.result) {
            inst_.result = resolveResultType(sema_, decl_.result, context_);
            inst_.signatureFailed |= inst_.result == TypeId::None;
        } else if (decl_.bodyKind == BodyKind::Arrow ||
                   (decl_.bodyKind == BodyKind::Block && !decl_.implicitVoid && returnsValue(decl_.body()))) {
            inst_.resultInferred = true;
        } else {
            inst_.result = TypeId::Void;
        }
        bool isBareFailable = inst_.result != TypeId::None && isFailable(sema_.types, inst_.result) &&
                              errorSetOf(sema_.types, inst_.result) == TypeId::InferredErrors;
        if (!isBareFailable) return;
        inst_.errors = newErrorNode(sema_);
        inst_.errors->owner = &inst_;
    }

    Sema& sema_;
    FunctionInstance& inst_;
    const FunctionDecl& decl_;
    TypeContext context_;
};

/// Types of the run-time parameters, packs expanded. C varargs are no parameter.
llvm::SmallVector<TypeId, 8> runtimeParams(const FunctionInstance& inst) {
    llvm::SmallVector<TypeId, 8> params;
    bool isExtern = inst.tmpl->decl->linkage == Linkage::Extern;
    for (const ParamInfo& p : inst.params) {
        if (p.isComptime || (p.isVariadic && isExtern)) continue;
        if (!p.isPack) {
            params.push_back(p.type);
            continue;
        }
        for (const Binding& b : inst.bindings)
            if (b.name == p.name) params.append(b.packTypes.begin(), b.packTypes.end());
    }
    return params;
}

/// Bodies lowered one inside another before further ones wait: what fits the stack with room to spare. A body that
/// an inferred result type needs cannot wait, so there is a limit to these.
constexpr unsigned MaxNestedBodies = 48, MaxInferredDepth = 200;

bool isCVariadic(const FunctionInstance& inst) {
    return inst.tmpl->decl->linkage == Linkage::Extern && !inst.params.empty() && inst.params.back().isVariadic;
}

void setType(Sema& sema, FunctionInstance& inst) {
    TypeId result = inst.result == TypeId::None ? TypeId::Void : inst.result;
    inst.type = functionTypeOf(sema.types, runtimeParams(inst), result, convOf(*inst.tmpl->decl), isCVariadic(inst));
}

} // namespace

FunctionInstance* instance(Sema& sema, FunctionTemplate& f, Bindings bindings, Span) {
    FunctionInstance*& slot = bindings.empty() ? f.unbound : f.instances[bindingKey(bindings)];
    if (slot) return slot;
    FunctionInstance* inst = slot = sema.make<FunctionInstance>();
    inst->tmpl = &f;
    inst->name = readableName(sema, f, bindings);
    if (f.env || !bindings.empty())
        inst->paramScope = bindingScope(sema, f.env, f.envLimit, f.file, TypeId::None, bindings);
    if (f.decl->hasBody() && isTypeKeyword(sema, f.decl->result)) {
        uint32_t all = UINT32_MAX;
        inst->paramScope = announceTypes(sema, f.decl->body(), inst->paramScope, all, f.file);
    }
    inst->bindings = std::move(bindings);
    SignatureReader(sema, *inst).run();
    if (!inst->signatureFailed) setType(sema, *inst);
    return inst;
}

TypeId resultOf(Sema& sema, FunctionInstance& inst, Span at) {
    if (inst.signatureFailed) return TypeId::None;
    if (inst.result != TypeId::None) return inst.result;
    if (inst.body == FunctionInstance::Body::InProgress) {
        sema.diags
            .error(at, "the result type of " + code(inst.name) +
                           " is inferred from its body, and this call is part of that body")
            .help("write the result type, `-> T`");
        return TypeId::None;
    }
    if (inst.body == FunctionInstance::Body::NotLowered && sema.instances.depth >= MaxInferredDepth) {
        sema.diags
            .error(at, "the result type of " + code(inst.name) + " depends on the bodies of too many other functions")
            .help("write the result type, `-> T`, of some of them");
        return TypeId::None;
    }
    ensureLowered(sema, inst);
    return inst.result;
}

// ------------------------------------------------------------------------------------ IR functions

namespace {

bool isProgramMain(const Sema& sema, const FunctionTemplate& f) {
    return f.file == sema.program.entry && !f.env && f.ownerType == TypeId::None && f.qualifiedName == "main";
}

bool hasBody(const FunctionInstance& inst) {
    return inst.tmpl->decl->hasBody() && inst.tmpl->decl->linkage != Linkage::Extern;
}

void fillHeader(Sema& sema, FunctionInstance& inst, ir::Function& fn) {
    const FunctionDecl& d = *inst.tmpl->decl;
    bool isExtern = d.linkage == Linkage::Extern;
    fn.conv = convOf(d);
    fn.hasContext = sema.hasContext() && fn.conv == CallConv::Sx && !isProgramMain(sema, *inst.tmpl);
    if (fn.hasContext) {
        fn.params.push_back(pointerTo(sema.types, sema.contextType));
        fn.paramNames.push_back(sema.name("context"));
    }
    for (TypeId t : runtimeParams(inst)) fn.params.push_back(isExtern ? externType(sema.types, t) : t);
    for (const ParamInfo& p : inst.params) {
        if (p.isComptime || (isExtern && p.isVariadic)) continue;
        size_t copies = 1;
        for (const Binding& b : inst.bindings)
            if (p.isPack && b.name == p.name) copies = b.packTypes.size();
        fn.paramNames.insert(fn.paramNames.end(), copies, p.name);
    }
    TypeId result = inst.result == TypeId::None || inst.result == TypeId::NoReturn ? TypeId::Void : inst.result;
    fn.result = isExtern ? externResult(sema.types, result) : result;
    fn.noReturn = inst.result == TypeId::NoReturn;
    fn.isExtern = isExtern;
    fn.isNaked = d.abi == Abi::Naked;
    fn.isExport = d.linkage == Linkage::Export;
    fn.cVariadic = isCVariadic(inst);
    fn.span = d.name ? d.name.span : d.span;
    if (d.hasBody()) fn.bodyStart = d.bodySpan().begin;
    if (d.linkage != Linkage::Normal) fn.symbol = cSymbol(sema, d);
}

/// The header of an instance's IR function; its body is not asked for yet.
void makeHeader(Sema& sema, FunctionInstance& inst) {
    if (inst.func != ir::FuncId::None) return;
    const FunctionDecl& d = *inst.tmpl->decl;
    bool isExtern = d.linkage == Linkage::Extern;
    if (isExtern) {
        if (d.library) useLibrary(sema, d.library.name);
        auto known = sema.instances.externs.find(cSymbol(sema, d));
        FunctionInstance* other =
            known == sema.instances.externs.end() ? nullptr : sema.instances.byFunc[static_cast<size_t>(known->second)];
        if (inst.tmpl->env) checkLocalExtern(sema, inst, other);
        // Any number of declarations may bind one C symbol, also one that the program defines. Those of other types are
        // functions of their own, so that each call is made as its declaration says.
        if (auto own = sema.instances.exported.find(cSymbol(sema, d)); own != sema.instances.exported.end()) {
            FunctionInstance* defined = instance(sema, *own->second);
            ir::FuncId func = funcFor(sema, *defined);
            if (defined->type == inst.type) {
                if (sema.journal) sema.journal->instances.push_back(&inst);
                inst.func = func;
                return;
            }
        }
        if (other && other->type == inst.type) {
            if (sema.journal) sema.journal->instances.push_back(&inst);
            inst.func = known->second;
            return;
        }
    }
    if (sema.journal) sema.journal->instances.push_back(&inst);
    inst.func = newFunction(sema, inst.name, inst.name);
    fillHeader(sema, inst, sema.module.fn(inst.func));
    sema.instances.byFunc.resize(std::max(sema.instances.byFunc.size(), static_cast<size_t>(inst.func) + 1));
    sema.instances.byFunc[static_cast<size_t>(inst.func)] = &inst;
    if (isExtern) sema.instances.externs.try_emplace(cSymbol(sema, d), inst.func);
}

} // namespace

ir::FuncId funcFor(Sema& sema, FunctionInstance& inst) {
    bool isNew = inst.func == ir::FuncId::None;
    makeHeader(sema, inst);
    if (!isNew || !hasBody(inst) || inst.body != FunctionInstance::Body::NotLowered) return inst.func;
    if (sema.instances.depth > 0 && sema.instances.depth < MaxNestedBodies) ensureLowered(sema, inst);
    else sema.instances.worklist.push_back(&inst);
    return inst.func;
}

bool ensureLowered(Sema& sema, FunctionInstance& inst) {
    if (inst.signatureFailed) return false;
    if (inst.body != FunctionInstance::Body::NotLowered || !hasBody(inst)) return !inst.bodyFailed;
    if (stackIsLow()) {
        reportTooDeep(sema, inst.tmpl->decl->name.span);
        return false;
    }
    makeHeader(sema, inst);
    inst.body = FunctionInstance::Body::InProgress;
    ++sema.instances.depth;
    ir::Function& fn = sema.module.fn(inst.func);
    if (!sema.bodies->lower(inst, fn)) inst.bodyFailed = true;
    --sema.instances.depth;
    inst.body = FunctionInstance::Body::Done;
    if (inst.resultInferred && inst.result != TypeId::None) {
        fn.result = inst.result == TypeId::NoReturn ? TypeId::Void : inst.result;
        setType(sema, inst);
    }
    return !inst.bodyFailed;
}

void drainWorklist(Sema& sema) {
    for (size_t i = 0; i < sema.instances.worklist.size(); ++i) ensureLowered(sema, *sema.instances.worklist[i]);
    sema.instances.worklist.clear();
}

/// False: what has to be lowered for it was rejected, or is being lowered.
static bool isLowered(Sema& sema, ir::FuncId f) {
    auto index = static_cast<size_t>(f);
    if (index >= sema.instances.byFunc.size() || !sema.instances.byFunc[index])
        return true; // made by the compiler: it is complete
    FunctionInstance& inst = *sema.instances.byFunc[index];
    if (inst.body == FunctionInstance::Body::InProgress) return false;
    return ensureLowered(sema, inst);
}

bool materialize(Sema& sema, ir::FuncId f) {
    if (!isLowered(sema, f)) return false;
    ir::unpack(sema.module.fn(f));
    return true;
}

TypeId machineType(Sema& sema, TypeId functionType, bool closureEnv) {
    const FunctionInfo& info = sema.types.functionInfo(functionType);
    llvm::SmallVector<TypeId, 8> params;
    if (sema.hasContext() && info.conv == CallConv::Sx) params.push_back(pointerTo(sema.types, sema.contextType));
    if (closureEnv) params.push_back(pointerTo(sema.types, TypeId::Void));
    params.append(info.params.begin(), info.params.end());
    return functionTypeOf(sema.types, params, info.result == TypeId::NoReturn ? TypeId::Void : info.result, info.conv,
                          info.cVariadic);
}

ir::FuncId newFunction(Sema& sema, std::string name, std::string symbolHint) {
    auto fn = std::make_unique<ir::Function>();
    fn->name = std::move(name);
    fn->symbol = uniqueSymbol(sema, symbolHint);
    sema.module.functions.push_back(std::move(fn));
    return static_cast<ir::FuncId>(sema.module.functions.size() - 1);
}

/// The prefix keeps names of the program apart from those of C: a function called `write` is not libc's.
std::string uniqueSymbol(Sema& sema, const std::string& hint) {
    if (sema.options.checkOnly) return {}; // nothing is linked
    std::string symbol = "sx.";
    for (char c : hint) {
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
        symbol += plain ? c : '_';
    }
    uint32_t& uses = sema.instances.symbolUse[symbol];
    if (uses++ == 0) return symbol;
    // A hint that itself ends in a number may have taken the next one.
    std::string numbered = symbol + "." + std::to_string(uses - 1);
    while (!sema.instances.symbolUse.try_emplace(numbered, 1).second) numbered = symbol + "." + std::to_string(uses++);
    return numbered;
}

// clang-format off
#define INTRINSIC(name, handler, args) .Case(#name, true)
#define DECLARED_INTRINSIC(name, handler, args)
#define IR_MATH_OP(name, text, function, value) .Case(#function, true)
// clang-format on
bool isIntrinsicName(std::string_view name) {
    if (name.starts_with("atomic_")) return true;
    return llvm::StringSwitch<bool>(llvm::StringRef(name))
#include "ir/Ops.def"
#include "sema/model/Intrinsics.def"
        .Default(false);
}

// clang-format off
#define INTRINSIC(name, handler, args) #name,
#define DECLARED_INTRINSIC(name, handler, args)
#define IR_MATH_OP(name, text, function, value) #function,
// clang-format on
std::vector<std::string_view> intrinsicNames() {
    return {
#include "ir/Ops.def"
#include "sema/model/Intrinsics.def"
    };
}

/// Makes a function of the compiler's own, whose rest is the caller's. Null: there is one of this name. `id`: its
/// number.
static ir::Function* newCompilerFunction(Sema& sema, llvm::StringRef name, TypeId result, llvm::ArrayRef<TypeId> params,
                                         ir::FuncId& id) {
    auto [it, isNew] = sema.instances.runtime.try_emplace(name, ir::FuncId::None);
    id = it->second;
    if (!isNew) return nullptr;
    id = it->second = newFunction(sema, name.str(), name.str());
    ir::Function& fn = sema.module.fn(id);
    fn.params.assign(params.begin(), params.end());
    fn.paramNames.assign(params.size(), Name::None);
    fn.result = result;
    fn.compilerMade = true;
    return &fn;
}

ir::FuncId helperFunction(Sema& sema, const char* name, llvm::ArrayRef<TypeId> params, TypeId result,
                          void (*build)(ir::Builder&)) {
    ir::FuncId id{};
    if (ir::Function* fn = newCompilerFunction(sema, name, result, params, id)) {
        ir::Builder b(sema.module, *fn);
        build(b);
    }
    return id;
}

ir::FuncId runtimeFunction(Sema& sema, llvm::StringRef symbol, TypeId result, llvm::ArrayRef<TypeId> params,
                           bool noReturn) {
    ir::FuncId id{};
    if (ir::Function* callee = newCompilerFunction(sema, symbol, result, params, id)) {
        callee->symbol = symbol.str();
        callee->conv = CallConv::C;
        callee->isExtern = true;
        callee->noReturn = noReturn;
    }
    return id;
}

} // namespace sx::sema
