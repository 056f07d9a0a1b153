#include "server/program/NameWalk.h"

namespace sx::server {

using namespace ast;

FileNames namesOf(sema::Sema& sema, sema::SourceFile& file) {
    FileNames names;
    NameWalk(sema, file, names).run();
    return names;
}

void NameWalk::run() { items(file_.tree.items); }

void NameWalk::items(llvm::ArrayRef<Decl*> all) {
    for (const Decl* d : all) item(d, false);
}

int NameWalk::declare(Declaration d) {
    d.parent = parents_.empty() ? -1 : parents_.back();
    out_.declarations.push_back(std::move(d));
    return static_cast<int>(out_.declarations.size()) - 1;
}

namespace {

DeclaredKind kindOf(const Decl& d) {
    switch (d.kind) {
    case DeclKind::Var: return DeclaredKind::Global;
    case DeclKind::Function:
    case DeclKind::UfcsAlias: return DeclaredKind::Function;
    case DeclKind::Struct: return DeclaredKind::Struct;
    case DeclKind::Enum: return DeclaredKind::Enum;
    case DeclKind::Union: return DeclaredKind::Union;
    case DeclKind::ErrorSet: return DeclaredKind::ErrorSet;
    case DeclKind::Protocol: return DeclaredKind::Protocol;
    case DeclKind::Import:
    case DeclKind::ImportC: return DeclaredKind::Namespace;
    case DeclKind::Library:
    case DeclKind::Framework: return DeclaredKind::Library;
    case DeclKind::RuntimeClass: return DeclaredKind::Class;
    default: return DeclaredKind::Constant;
    }
}

} // namespace

void NameWalk::item(const Decl* d, bool isLocal) {
    if (!d) return;
    int self = -1;
    if (d->name) {
        Declaration made{kindOf(*d), d->name.name, d->name.span, d->span};
        made.decl = d;
        if (const auto* f = llvm::dyn_cast<FunctionDecl>(d)) {
            made.function = f;
            if (self_ && !parents_.empty() && !isLocal) made.kind = DeclaredKind::Method;
            if (f->hasBody()) made.whole = cover(d->span, f->bodySpan());
        }
        if (const auto* c = llvm::dyn_cast<ConstDecl>(d)) {
            made.type = c->type;
            made.value = c->value;
        }
        if (const auto* v = llvm::dyn_cast<VarDecl>(d)) {
            made.type = v->type;
            made.value = v->init;
        }
        if (isLocal && !spans_.empty()) made.scope = spans_.back();
        self = declare(made);
        if (isLocal && !scopes_.empty()) scopes_.back()[d->name.name] = self;
    }
    parents_.push_back(self);
    if (const auto* f = llvm::dyn_cast<FunctionDecl>(d)) function(*f, self);
    else if (const auto* s = llvm::dyn_cast<StructDecl>(d)) structure(*s);
    else if (const auto* e = llvm::dyn_cast<EnumDecl>(d)) enumeration(*e);
    else if (const auto* p = llvm::dyn_cast<ProtocolDecl>(d)) protocol(*p);
    else declareOnly(d);
    parents_.pop_back();
}

/// Declarations without members that have bodies.
void NameWalk::declareOnly(const Decl* d) {
    if (const auto* c = llvm::dyn_cast<ConstDecl>(d)) {
        expr(c->type);
        expected(c->type, c->value);
    } else if (const auto* v = llvm::dyn_cast<VarDecl>(d)) {
        expr(v->type);
        expected(v->type, v->init);
    } else if (const auto* u = llvm::dyn_cast<UnionDecl>(d)) {
        for (const UnionMemberDecl& m : u->members) {
            Declaration made{DeclaredKind::Field, m.name.name, m.name.span, m.span};
            made.type = m.type;
            if (m.name) declare(made);
            expr(m.type);
            if (m.anonymous) structure(*m.anonymous);
        }
    } else if (const auto* set = llvm::dyn_cast<ErrorSetDecl>(d)) {
        for (const Ident& tag : set->tags) declare({DeclaredKind::Tag, tag.name, tag.span, tag.span});
    } else if (const auto* i = llvm::dyn_cast<ImportDecl>(d)) {
        importPath(*i);
    } else if (const auto* r = llvm::dyn_cast<RunDecl>(d)) {
        expr(r->value);
    } else if (const auto* alias = llvm::dyn_cast<UfcsAliasDecl>(d)) {
        name(alias->target);
    } else if (const auto* impl = llvm::dyn_cast<ImplDecl>(d)) {
        implementation(*impl);
    } else if (const auto* x = llvm::dyn_cast<ContextExtendDecl>(d)) {
        expr(x->type);
        expected(x->type, x->defaultValue);
    } else if (const auto* choice = llvm::dyn_cast<InlineIfDecl>(d)) {
        expr(choice->cond);
        expr(choice->subject);
        items(choice->then);
        items(choice->otherwise);
        for (const InlineIfDecl::Arm& arm : choice->arms) {
            expr(arm.pattern);
            items(arm.items);
        }
    }
}

void NameWalk::importPath(const ImportDecl& d) {
    std::string_view text = sema_.sources.textOf(d.directive);
    size_t open = text.find('"');
    size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
    if (close == std::string_view::npos) return;
    SourcePos begin = d.directive.begin + static_cast<uint32_t>(open + 1);
    out_.imports.push_back({{begin, d.directive.begin + static_cast<uint32_t>(close)}, &d});
}

void NameWalk::typeParameters(llvm::ArrayRef<TypeParamDecl> all) {
    for (const TypeParamDecl& p : all) {
        Declaration made{DeclaredKind::TypeParameter, p.name.name, p.name.span, p.span};
        made.type = p.type;
        made.scope = spans_.back();
        scopes_.back()[p.name.name] = declare(made);
        expr(p.type);
        for (const Ident& c : p.constraints) name(c);
    }
}

void NameWalk::structure(const StructDecl& s) {
    push(s.span);
    const Decl* outer = std::exchange(self_, &s);
    typeParameters(s.typeParams);
    for (const MemberDecl& m : s.members) {
        if (m.kind == MemberKind::Field) {
            Declaration made{DeclaredKind::Field, m.field.name.name, m.field.name.span, m.field.span};
            made.type = m.field.type;
            made.value = m.field.defaultValue;
            declare(made);
            expr(m.field.type);
            expected(m.field.type, m.field.defaultValue);
        } else if (m.kind == MemberKind::Using) {
            name(m.usingName);
        } else {
            item(m.decl, false);
        }
    }
    self_ = outer;
    pop();
}

void NameWalk::enumeration(const EnumDecl& e) {
    expr(e.backing);
    for (const VariantDecl& v : e.variants) {
        Declaration made{DeclaredKind::Variant, v.name.name, v.name.span, v.span};
        made.type = v.payload;
        made.value = v.value;
        declare(made);
        expr(v.value);
        expr(v.payload);
    }
}

void NameWalk::protocol(const ProtocolDecl& p) {
    push(p.span);
    const Decl* outer = std::exchange(self_, &p);
    typeParameters(p.typeParams);
    for (const ProtocolMethod& m : p.methods) item(m.fn, false);
    self_ = outer;
    pop();
}

void NameWalk::implementation(const ImplDecl& i) {
    push(i.span);
    expr(i.protocolRef);
    for (const Ident& t : i.targetParams) {
        Declaration made{DeclaredKind::TypeParameter, t.name, t.span, t.span};
        made.scope = i.span;
        scopes_.back()[t.name] = declare(made);
    }
    expr(i.target);
    const Decl* target = declOf(i.target);
    const Decl* outer = std::exchange(self_, target ? target : &i);
    // Methods of an impl stand in the file, but they are members.
    for (const FunctionDecl* f : i.methods) {
        parents_.push_back(parents_.empty() ? -1 : parents_.back());
        item(f, false);
        parents_.pop_back();
    }
    self_ = outer;
    pop();
}

/// `$T` in the written type of a parameter declares T.
void NameWalk::introduced(const Expr* type) {
    if (!type) return;
    switch (type->kind) {
    case ExprKind::TypeParam: {
        const auto& t = *static_cast<const TypeParam*>(type);
        if (t.index >= 0 || findLocal(t.id.name) >= 0) return name(t.id);
        Declaration made{DeclaredKind::TypeParameter, t.id.name, t.id.span, t.span};
        made.scope = spans_.back();
        scopes_.back()[t.id.name] = declare(made);
        for (const Ident& c : t.constraints) name(c);
        return;
    }
    case ExprKind::Paren: return introduced(static_cast<const Paren*>(type)->inner);
    case ExprKind::Unary: return introduced(static_cast<const Unary*>(type)->operand);
    case ExprKind::OptionalType: return introduced(static_cast<const OptionalType*>(type)->inner);
    case ExprKind::SliceType: return introduced(static_cast<const SliceType*>(type)->elem);
    case ExprKind::ManyPointerType: return introduced(static_cast<const ManyPointerType*>(type)->elem);
    case ExprKind::ArrayType:
        introduced(static_cast<const ArrayType*>(type)->count);
        return introduced(static_cast<const ArrayType*>(type)->elem);
    case ExprKind::Call:
        for (const Arg& a : static_cast<const Call*>(type)->args) introduced(a.value);
        return expr(static_cast<const Call*>(type)->callee);
    case ExprKind::FunctionType:
        for (const TypeElem& p : static_cast<const FunctionType*>(type)->params) introduced(p.type);
        return introduced(static_cast<const FunctionType*>(type)->result);
    case ExprKind::ClosureType:
        for (const TypeElem& p : static_cast<const ClosureType*>(type)->params) introduced(p.type);
        return introduced(static_cast<const ClosureType*>(type)->result);
    default: return expr(type);
    }
}

void NameWalk::parameters(const FunctionDecl& f) {
    auto declareOne = [&](const Param& p) {
        Declaration made{DeclaredKind::Parameter, p.name.name, p.name.span, p.span};
        std::string_view type = p.type ? sema_.sources.textOf(p.type->span) : "";
        if (p.comptime && type == "Type") made.kind = DeclaredKind::TypeParameter;
        made.function = &f;
        made.type = p.type;
        made.value = p.defaultValue;
        made.scope = spans_.back();
        made.isOfSignature = true;
        if (p.name) scopes_.back()[p.name.name] = declare(made);
    };
    for (const Param& p : f.params) // types of those before it may take it apart
        if (p.variadic) declareOne(p);
    for (const Param& p : f.params) {
        introduced(p.type);
        for (const Ident& c : p.constraints) name(c);
        if (!p.variadic) declareOne(p);
        expected(p.type, p.defaultValue);
    }
}

void NameWalk::function(const FunctionDecl& f, int) {
    const FunctionDecl* outer = std::exchange(function_, &f);
    push(f.hasBody() ? cover(f.span, f.bodySpan()) : f.span);
    parameters(f);
    if (const auto* list = llvm::dyn_cast_or_null<ResultList>(f.result)) {
        for (const TypeElem& e : list->elems) {
            expr(e.type);
            expected(e.type, e.defaultValue);
            size_t before = out_.declarations.size();
            if (e.name) bind(e.name, e.type, nullptr, e.span);
            if (out_.declarations.size() > before) out_.declarations.back().isOfSignature = true;
        }
    } else {
        expr(f.result);
    }
    name(f.library);
    expr(f.body());
    pop();
    function_ = outer;
}

} // namespace sx::server
