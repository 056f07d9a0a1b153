#include "format/Marker.h"

namespace sx::format {

using namespace ast;

namespace {

template <typename T> const T& as(const Decl* d) { return *static_cast<const T*>(d); }

} // namespace

Marks markTokens(const File& file, std::string_view text, SourcePos start) {
    Marker marker(text, start);
    for (const Decl* d : file.items) marker.visit(d);
    return marker.take();
}

void Marker::mark(SourcePos at, unsigned marks) {
    if (at.isValid()) marks_[at.raw - start_.raw] |= static_cast<uint16_t>(marks);
}

bool Marker::isBrace(SourcePos at) const { return at.isValid() && text_[at.raw - start_.raw] == '{'; }

void Marker::items(ArrayRef<Decl*> decls) {
    for (const Decl* d : decls) visit(d);
}

void Marker::names(ArrayRef<Ident> idents) {
    for (const Ident& i : idents) mark(i.span.begin, ItemStart);
}

/// A declaration as an item of what is around it.
void Marker::visit(const Decl* d) {
    if (!d) return;
    mark(d->span.begin, ItemStart | Statement);
    switch (d->kind) {
    case DeclKind::Const: {
        const auto& c = as<ConstDecl>(d);
        if (c.type) {
            mark(d->name.span.begin, SpacedColon);
            visit(c.type);
            if (c.value) mark(c.value->span.begin, SpacedValue);
        }
        return visit(c.value);
    }
    case DeclKind::Var:
        if (as<VarDecl>(d).type) mark(d->name.span.begin, SpacedColon);
        visit(as<VarDecl>(d).type);
        return visit(as<VarDecl>(d).init);
    case DeclKind::Function: return function(as<FunctionDecl>(d));
    case DeclKind::Struct: return structure(as<StructDecl>(d));
    case DeclKind::Enum: return enumeration(as<EnumDecl>(d));
    case DeclKind::Union: return unionOf(as<UnionDecl>(d));
    case DeclKind::ErrorSet: return names(as<ErrorSetDecl>(d).tags);
    case DeclKind::Protocol: return protocol(as<ProtocolDecl>(d));
    case DeclKind::RunStmt: return visit(as<RunDecl>(d).value);
    case DeclKind::ContextExtend:
        visit(as<ContextExtendDecl>(d).type);
        return visit(as<ContextExtendDecl>(d).defaultValue);
    case DeclKind::Impl: return impl(as<ImplDecl>(d));
    case DeclKind::InlineIf: return inlineIf(as<InlineIfDecl>(d));
    case DeclKind::RuntimeClass: return runtimeClass(as<RuntimeClassDecl>(d));
    case DeclKind::UfcsAlias:
    case DeclKind::Import:
    case DeclKind::ImportC:
    case DeclKind::Library:
    case DeclKind::Framework:
    case DeclKind::ErrorDirective:
    case DeclKind::Asm: return;
    }
}

void Marker::function(const FunctionDecl& fn) {
    for (const Param& p : fn.params) {
        mark(p.span.begin, ItemStart);
        visit(p.type);
        visit(p.defaultValue);
    }
    visit(fn.result);
    visit(fn.body());
}

void Marker::typeParams(ArrayRef<TypeParamDecl> params) {
    for (const TypeParamDecl& p : params) {
        mark(p.span.begin, ItemStart);
        visit(p.type);
    }
}

void Marker::structure(const StructDecl& s) {
    typeParams(s.typeParams);
    const Expr* shared = nullptr; // `x, y: T` are two fields with one type
    for (const MemberDecl& m : s.members) {
        switch (m.kind) {
        case MemberKind::Field:
            mark(m.field.span.begin, ItemStart | Statement);
            if (m.field.type != shared) visit(m.field.type);
            shared = m.field.type;
            visit(m.field.defaultValue);
            break;
        case MemberKind::Using: break;
        case MemberKind::Decl: visit(m.decl); break;
        }
    }
}

void Marker::enumeration(const EnumDecl& e) {
    visit(e.backing);
    for (const VariantDecl& v : e.variants) {
        mark(v.span.begin, ItemStart | Statement);
        visit(v.value);
        visit(v.payload);
    }
}

void Marker::unionOf(const UnionDecl& u) {
    for (const UnionMemberDecl& m : u.members) {
        mark(m.span.begin, ItemStart | Statement);
        visit(m.type);
        if (m.anonymous) structure(*m.anonymous);
    }
}

void Marker::protocol(const ProtocolDecl& p) {
    typeParams(p.typeParams);
    for (const ProtocolMethod& m : p.methods) visit(m.fn);
}

void Marker::impl(const ImplDecl& i) {
    visit(i.protocolRef);
    visit(i.target);
    names(i.targetParams);
    for (const FunctionDecl* m : i.methods) visit(m);
}

void Marker::inlineIf(const InlineIfDecl& i) {
    visit(i.cond);
    visit(i.subject);
    items(i.then);
    items(i.otherwise);
    for (const InlineIfDecl::Arm& arm : i.arms) {
        visit(arm.pattern);
        for (const Decl* d : arm.items) {
            visit(d);
            mark(d->span.begin, ArmBody);
        }
    }
}

void Marker::runtimeClass(const RuntimeClassDecl& c) {
    for (const RuntimeMember& m : c.members) {
        mark(m.span.begin, ItemStart | Statement);
        visit(m.type);
        visit(m.value);
        if (m.fn) function(*m.fn);
    }
}

} // namespace sx::format
