// Two passes over every body of the program's own modules, reached or not (modules-and-comptime 12.1): reserved type
// names used as names, and, in the entry file, unknown types in annotations, literal heads and signatures.
//
// A type is unknown if neither the file nor the function around it declares anything of that name: what a name means is
// for the lowering of reached code to say. So the names that a function declares are collected in one set, whatever
// their scopes, and functions that insert text, which may declare anything, are left alone.
#include "sema/passes/Passes.h"

#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"

#include "llvm/ADT/DenseSet.h"

#include <functional>

namespace sx::sema {

using namespace ast;

namespace {

/// Calls `onName` for each head of a written type and `onParam` for each `$T` in it. Counts and other values in it are
/// left out.
struct TypeWalker {
    llvm::function_ref<void(const NameRef&)> onName;
    llvm::function_ref<void(const TypeParam&)> onParam;
    const ErrorChannel* channel = nullptr; ///< the `!Set` around the name

    void walk(const Expr* e) {
        if (!e) return;
        switch (e->kind) {
        case ExprKind::NameRef: return onName(*static_cast<const NameRef*>(e));
        case ExprKind::TypeParam: return onParam(*static_cast<const TypeParam*>(e));
        case ExprKind::Paren: return walk(static_cast<const Paren*>(e)->inner);
        case ExprKind::Unary: return walk(static_cast<const Unary*>(e)->operand);
        case ExprKind::OptionalType: return walk(static_cast<const OptionalType*>(e)->inner);
        case ExprKind::SliceType: return walk(static_cast<const SliceType*>(e)->elem);
        case ExprKind::ManyPointerType: return walk(static_cast<const ManyPointerType*>(e)->elem);
        case ExprKind::ArrayType:
            if (const auto* count = llvm::dyn_cast<TypeParam>(static_cast<const ArrayType*>(e)->count)) onParam(*count);
            return walk(static_cast<const ArrayType*>(e)->elem);
        case ExprKind::FunctionType:
            elements(static_cast<const FunctionType*>(e)->params);
            return walk(static_cast<const FunctionType*>(e)->result);
        case ExprKind::ClosureType:
            elements(static_cast<const ClosureType*>(e)->params);
            return walk(static_cast<const ClosureType*>(e)->result);
        case ExprKind::TupleType: return elements(static_cast<const TupleType*>(e)->elems);
        case ExprKind::ResultList: return elements(static_cast<const ResultList*>(e)->elems);
        case ExprKind::ErrorChannel:
            channel = static_cast<const ErrorChannel*>(e);
            walk(channel->set);
            channel = nullptr;
            return;
        case ExprKind::Call: {
            const Call& c = *static_cast<const Call*>(e);
            walk(c.callee);
            for (const Arg& a : c.args) walk(a.value);
            return;
        }
        default: return; // a value, or a member of something that is looked at when it is needed
        }
    }
    void elements(ArrayRef<TypeElem> list) {
        for (const TypeElem& element : list) walk(element.type);
    }
};

class NamePass {
public:
    NamePass(Sema& sema, SourceFile& file) : sema_(sema), file_(file) {}

    void items() {
        for (const Decl* d : file_.items) {
            reserved(d->name, whatIs(*d));
            declaration(d, true);
        }
    }
    /// Statements that are not in the tree of the file.
    void inserted(ArrayRef<Stmt*> statements) {
        for (const Stmt* s : statements) walk(s);
    }

private:
    // ---- declarations

    static std::string_view whatIs(const Decl& d) {
        switch (d.kind) {
        case DeclKind::Const: return "constant";
        case DeclKind::Var: return "variable";
        case DeclKind::Function:
        case DeclKind::UfcsAlias: return "function";
        case DeclKind::Import:
        case DeclKind::ImportC: return "module";
        case DeclKind::Library: return "library";
        default: return "type";
        }
    }

    void declaration(const Decl* d, bool isRoot) {
        if (const auto* f = llvm::dyn_cast<FunctionDecl>(d)) return isRoot ? root(*f, {}) : function(*f);
        if (const auto* s = llvm::dyn_cast<StructDecl>(d)) return structure(*s, isRoot);
        if (const auto* set = llvm::dyn_cast<ErrorSetDecl>(d)) distinct(set->tags, "tag");
        if (const auto* p = llvm::dyn_cast<ProtocolDecl>(d)) {
            distinct(p->typeParams, "type parameter");
            for (const ProtocolMethod& m : p->methods)
                if (m.fn->hasBody()) member(*m.fn, p->typeParams, isRoot, true);
        }
        if (const auto* i = llvm::dyn_cast<ImplDecl>(d)) {
            for (const FunctionDecl* m : i->methods) {
                reserved(m->name, "method");
                root(*m, {}, i);
            }
        }
        if (const auto* v = llvm::dyn_cast<VarDecl>(d)) value(v->init, isRoot);
        if (const auto* c = llvm::dyn_cast<ConstDecl>(d)) {
            if (!isRoot) type(c->type);
            value(c->value, isRoot);
        }
    }

    static const Ident& nameOf(const Ident& id) { return id; }
    static const Ident& nameOf(const TypeParamDecl& p) { return p.name; }

    template <typename Node> void distinct(ArrayRef<Node> list, std::string_view what) {
        llvm::SmallDenseMap<Name, Span> seen;
        for (const Node& node : list) {
            const Ident& id = nameOf(node);
            auto [known, isNew] = seen.try_emplace(id.name, id.span);
            if (!isNew)
                sema_.diags.error(id.span, "there is a " + std::string(what) + " " + code(sema_, id.name) + " already")
                    .note(known->second, "it is declared here");
        }
    }

    void structure(const StructDecl& s, bool isRoot) {
        if (isRoot) declared_.clear();
        distinct(s.typeParams, "type parameter");
        if (isRoot) around_ = &s;
        for (const TypeParamDecl& p : s.typeParams) constraints(p.constraints);
        for (const MemberDecl& m : s.members) {
            if (m.kind == MemberKind::Field) value(m.field.defaultValue, isRoot);
            if (m.kind != MemberKind::Decl) continue;
            reserved(m.decl->name, llvm::isa<FunctionDecl>(m.decl) ? "function"
                                   : llvm::isa<ConstDecl>(m.decl)  ? "constant"
                                                                   : "type");
            if (const auto* f = llvm::dyn_cast<FunctionDecl>(m.decl)) member(*f, s.typeParams, isRoot);
            else declaration(m.decl, isRoot);
        }
        if (isRoot) around_ = nullptr;
    }

    void member(const FunctionDecl& f, ArrayRef<TypeParamDecl> params, bool isRoot, bool isGeneric = false) {
        isRoot ? root(f, params, nullptr, isGeneric) : function(f);
    }

    /// A function that stands in no other one.
    void root(const FunctionDecl& f, ArrayRef<TypeParamDecl> outer, const ImplDecl* impl = nullptr,
              bool isGeneric = false) {
        declared_.clear();
        checkTypes_ = &file_ == sema_.program.entry;
        for (const TypeParamDecl& p : outer) declared_.insert(p.name.name);
        if (impl) {
            for (const Ident& p : impl->targetParams) declared_.insert(p.name);
            collectParams(impl->target);
            // What is wrong with the head is said where it is registered.
            if (const auto* target = llvm::dyn_cast<NameRef>(impl->target)) declared_.insert(target->id.name);
        }
        if (checkTypes_) collect(f);
        isGeneric |= !outer.empty() || (impl && !impl->targetParams.empty()) || takesParameters(f);
        checkValues_ = checkTypes_ && isGeneric && sema_.options.checkAll;
        if (checkValues_ && around_)
            for (const MemberDecl& m : around_->members)
                if (m.decl) declared_.insert(m.decl->name.name);
        function(f);
        checkTypes_ = checkValues_ = false;
    }

    /// Whether a function has instances rather than a body to check.
    bool takesParameters(const FunctionDecl& f) const {
        return llvm::any_of(f.params, [&](const Param& p) {
            return p.comptime || (p.variadic && !isSliceVariadic(sema_, p)) ||
                   anyInType(p.type, [](const Expr* e) { return llvm::isa<TypeParam>(e); });
        });
    }

    void value(const Expr* e, bool isRoot) {
        if (!isRoot || !e) return walk(e);
        declared_.clear();
        checkTypes_ = &file_ == sema_.program.entry;
        if (checkTypes_) collectIn(e);
        walk(e);
        checkTypes_ = false;
    }

    // ---- what a function declares

    void collect(const FunctionDecl& f) {
        for (const Param& p : f.params) {
            declared_.insert(p.name.name);
            collectParams(p.type);
        }
        collectParams(f.result);
        collectIn(f.body());
    }

    /// The `$T` of a written type.
    void collectParams(const Expr* type) {
        auto ignore = [](const NameRef&) {};
        auto param = [&](const TypeParam& p) { declared_.insert(p.id.name); };
        TypeWalker{ignore, param}.walk(type);
    }

    void collectIn(const Expr* e) {
        auto onExpr = [&](const Expr* x) {
            if (const auto* lambda = llvm::dyn_cast<Lambda>(x)) {
                collect(*lambda->fn);
                return false;
            }
            if (const auto* f = llvm::dyn_cast<For>(x))
                for (const ForCapture& c : f->captures) declared_.insert(c.name.name);
            if (const auto* i = llvm::dyn_cast<If>(x)) declared_.insert(i->binding.name);
            if (const auto* w = llvm::dyn_cast<While>(x)) declared_.insert(w->binding.name);
            if (const auto* c = llvm::dyn_cast<Catch>(x)) declared_.insert(c->binding.name);
            if (const auto* m = llvm::dyn_cast<Match>(x))
                for (const MatchArm& arm : m->arms) declared_.insert(arm.capture.name);
            return true;
        };
        auto onStmt = [&](const Stmt* s) {
            if (llvm::isa<InsertStmt>(s)) checkTypes_ = false;
            if (const auto* v = llvm::dyn_cast<VarStmt>(s)) declared_.insert(v->name.name);
            if (const auto* o = llvm::dyn_cast<OnFailStmt>(s)) declared_.insert(o->binding.name);
            if (const auto* d = llvm::dyn_cast<Destructure>(s))
                for (const Ident& id : d->names) declared_.insert(id.name);
            const auto* local = llvm::dyn_cast<LocalDecl>(s);
            if (!local) return true;
            declared_.insert(local->decl->name.name);
            if (const auto* f = llvm::dyn_cast<FunctionDecl>(local->decl)) {
                collect(*f);
                return false;
            }
            if (const auto* t = llvm::dyn_cast<StructDecl>(local->decl)) {
                for (const TypeParamDecl& p : t->typeParams) declared_.insert(p.name.name);
                for (const MemberDecl& m : t->members)
                    if (m.decl) {
                        declared_.insert(m.decl->name.name);
                        if (const auto* f = llvm::dyn_cast<FunctionDecl>(m.decl)) collect(*f);
                    }
            }
            return true;
        };
        Walker{onExpr, onStmt, true}.walk(e);
    }

    // ---- checks

    void reserved(const Ident& id, std::string_view what) { checkReservedName(sema_, id, what); }

    void type(const Expr* e) {
        if (!checkTypes_ || !e) return;
        auto param = [&](const TypeParam& p) { constraints(p.constraints); };
        TypeWalker walker{{}, param};
        auto name = [&](const NameRef& n) { known(n, walker.channel); };
        walker.onName = name;
        walker.walk(e);
    }

    /// `$T/Eq/Hash`: each names a protocol.
    void constraints(ArrayRef<Ident> list) {
        if (&file_ != sema_.program.entry) return;
        for (const Ident& id : list) {
            if (declared_.contains(id.name)) continue;
            LookupResult found = lookup(sema_, id.name, nullptr, UINT32_MAX, &file_, true);
            if (!found.symbol || found.ambiguous) {
                reportUnresolved(sema_, id.name, id.span, found, nullptr, &file_, "protocol");
                continue;
            }
            const Symbol* s = resolve(sema_, found.symbol);
            bool isProtocol = s->kind == SymbolKind::GenericProtocol ||
                              (s->kind == SymbolKind::Type && sema_.types.kind(s->type) == TypeKind::Protocol);
            if (isProtocol || s->kind == SymbolKind::Error) continue;
            sema_.diags
                .error(id.span, code(sema_, id.name) + " is no protocol, so it cannot constrain a type parameter")
                .note(s->nameSpan, "it is declared here");
        }
    }

    bool isPredeclared(const NameRef& n) const {
        std::string_view spelled = sema_.names.text(n.id.name);
        return !n.id.raw && (builtinType(sema_, n.id.name) != TypeId::None || isIntrinsicName(spelled) ||
                             spelled == "Self" || spelled == "Vector" || spelled == "Array" || spelled == "noreturn");
    }

    void known(const NameRef& n, const ErrorChannel* channel) {
        if (declared_.contains(n.id.name) || isPredeclared(n)) return;
        LookupResult asType = lookup(sema_, n.id.name, nullptr, UINT32_MAX, &file_, true);
        if (asType.symbol || lookup(sema_, n.id.name, nullptr, UINT32_MAX, &file_).symbol) return;
        if (channel)
            sema_.diags.error(channel->span, code("!" + sema_.text(n.id.name)) +
                                                 " names no error set: " + code(sema_, n.id.name) + " is unknown");
        else reportUnresolved(sema_, n.id.name, n.span, asType, nullptr, &file_, "type");
    }

    /// `(a: $T, T: i64)`: one name for a type and a value.
    void typeParamsAside(const FunctionDecl& f) {
        for (const Param& p : f.params) {
            auto ignore = [](const NameRef&) {};
            auto param = [&](const TypeParam& t) {
                for (const Param& other : f.params)
                    if (!other.comptime && !other.variadic && other.name && other.name.name == t.id.name)
                        sema_.diags
                            .error(other.name.span, "there is a type parameter " + code(sema_, t.id.name) + " already")
                            .note(t.span, "it is introduced here");
            };
            TypeWalker{ignore, param}.walk(p.type);
        }
    }

    /// A name in the body of a generic function, which no instance may ever check.
    void knownValue(const NameRef& n) {
        if (declared_.contains(n.id.name) || isPredeclared(n)) return;
        std::string_view spelled = sema_.names.text(n.id.name);
        if (!n.id.raw && (spelled == "_" || spelled == "context" || spelled == "unreachable" || spelled == "OS" ||
                          spelled == "ARCH" || spelled == "POINTER_SIZE"))
            return;
        LookupResult found = lookup(sema_, n.id.name, nullptr, UINT32_MAX, &file_);
        if (!found.symbol) reportUnresolved(sema_, n.id.name, n.id.span, found, nullptr, &file_);
    }

    void function(const FunctionDecl& f) {
        typeParamsAside(f);
        for (size_t i = 0; i < f.params.size(); ++i) {
            const Param& p = f.params[i];
            for (size_t k = 0; k < i; ++k)
                if (const Ident& other = f.params[k].name;
                    p.name && other.name == p.name.name && sema_.names.text(p.name.name) != "_") {
                    sema_.diags.error(p.name.span, "there is a parameter " + code(sema_, p.name.name) + " already")
                        .note(other.span, "it is declared here");
                    break;
                }
            reserved(p.name, "parameter");
            if (!f.isLambda && !p.type && !p.comptime && !p.variadic)
                sema_.diags.error(p.span, "the parameter " + code(sema_, p.name.name) + " has no type")
                    .help("every parameter of a function that is declared names its own: " +
                          code(sema_.text(p.name.name) + ": TYPE"));
            constraints(p.constraints);
            type(p.type);
            walk(p.defaultValue);
        }
        type(f.result);
        walk(f.body());
    }

    void walk(const Expr* e) { walker_.walk(e); }
    void walk(const Stmt* s) { walker_.walk(s); }

    bool expression(const Expr* e) {
        if (const auto* n = llvm::dyn_cast<NameRef>(e); n && checkValues_) knownValue(*n);
        if (const auto* lambda = llvm::dyn_cast<Lambda>(e)) {
            function(*lambda->fn);
            return false;
        }
        if (const auto* c = llvm::dyn_cast<Catch>(e)) reserved(c->binding, "error binding");
        if (const auto* i = llvm::dyn_cast<If>(e)) {
            reserved(i->binding, "binding");
            if (i->isInline) return dropped(*i);
        }
        if (const auto* w = llvm::dyn_cast<While>(e)) reserved(w->binding, "binding");
        if (const auto* f = llvm::dyn_cast<For>(e))
            for (const ForCapture& c : f->captures) reserved(c.name, "loop variable");
        if (const auto* m = llvm::dyn_cast<Match>(e)) {
            for (const MatchArm& arm : m->arms) reserved(arm.capture, "payload binding");
            if (m->isInline) return dropped(*m);
        }
        if (const auto* s = llvm::dyn_cast<StructLit>(e)) type(s->type);
        if (const auto* a = llvm::dyn_cast<ArrayLit>(e)) type(a->type);
        return true;
    }

    /// Which branch of an `inline if` exists is known when the code is lowered, so its types wait until then.
    template <typename Node> bool dropped(const Node& node) {
        if (!checkTypes_) return true;
        bool values = std::exchange(checkValues_, false);
        checkTypes_ = false;
        if constexpr (std::is_same_v<Node, If>) {
            walk(node.then);
            walk(node.otherwise);
        } else {
            for (const MatchArm& arm : node.arms) inserted(arm.body);
        }
        checkTypes_ = true;
        checkValues_ = values;
        return false;
    }

    bool statement(const Stmt* s) {
        if (const auto* v = llvm::dyn_cast<VarStmt>(s)) {
            reserved(v->name, "variable");
            type(v->type);
        } else if (const auto* d = llvm::dyn_cast<Destructure>(s)) {
            for (const Ident& id : d->names) reserved(id, "variable");
        } else if (const auto* o = llvm::dyn_cast<OnFailStmt>(s)) {
            reserved(o->binding, "error binding");
        } else if (const auto* local = llvm::dyn_cast<LocalDecl>(s)) {
            reserved(local->decl->name, whatIs(*local->decl));
            if (const auto* set = llvm::dyn_cast<ErrorSetDecl>(local->decl); set && set->tags.empty())
                sema_.diags.error(set->span, emptySetMessage(sema_.text(set->name.name)));
            declaration(local->decl, false);
            return false;
        }
        return true;
    }

    Sema& sema_;
    SourceFile& file_;
    llvm::DenseSet<Name> declared_; ///< by the function around
    bool checkTypes_ = false;
    bool checkValues_ = false;           ///< the names of a generic body, too
    const StructDecl* around_ = nullptr; ///< whose members are looked at
    std::function<bool(const Expr*)> onExpr_ = [this](const Expr* e) { return expression(e); };
    std::function<bool(const Stmt*)> onStmt_ = [this](const Stmt* s) { return statement(s); };
    Walker walker_{onExpr_, onStmt_};
};

} // namespace

void checkNames(Sema& sema) {
    for (auto& file : sema.program.files)
        if (sema.isProgramFile(*file)) NamePass(sema, *file).items();
}

void checkInsertedNames(Sema& sema, SourceFile& file, ArrayRef<Stmt*> statements) {
    NamePass(sema, file).inserted(statements);
}

} // namespace sx::sema
