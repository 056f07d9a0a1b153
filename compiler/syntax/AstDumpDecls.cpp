#include "syntax/AstDumper.h"

#include "llvm/ADT/StringExtras.h"

namespace sx {

using namespace ast;
using llvm::ArrayRef;
using llvm::StringRef;

void AstDumper::line(StringRef label, StringRef kind, const std::string& details, Span span) {
    out_.indent(depth_ * 2);
    if (!label.empty()) out_ << label << ": ";
    out_ << kind;
    if (!details.empty()) out_ << (details[0] == ' ' ? "" : " ") << details;
    if (span.isValid()) {
        const Location begin = sources_.resolve(span.begin);
        const Location end = sources_.resolve(span.end);
        out_ << " <" << begin.line << ':' << begin.col << '-' << end.line << ':' << end.col << '>';
    }
    out_ << '\n';
}

std::string AstDumper::name(const Ident& ident) const {
    return (ident.raw ? "`" : "") + std::string(names_.text(ident.name));
}

std::string AstDumper::quoted(StringRef text) const {
    std::string out = "\"";
    llvm::raw_string_ostream stream(out);
    stream.write_escaped(text);
    stream.flush();
    return out + "\"";
}

std::string AstDumper::names(ArrayRef<Ident> list) const {
    std::string out;
    for (const Ident& ident : list) out += (out.empty() ? "" : ", ") + name(ident);
    return out;
}

std::string AstDumper::flags(std::initializer_list<std::pair<bool, const char*>> list) {
    std::string out;
    for (const auto& [holds, word] : list)
        if (holds) out += std::string(" ") + word;
    return out;
}

void AstDumper::file(const File& file) {
    const std::string_view path = sources_.path(file.id);
    line({}, "File", std::string(path), {});
    const Indented indented(*this);
    for (const Decl* item : file.items) decl(item);
}

void AstDumper::items(ArrayRef<Decl*> list, StringRef label) {
    line(label, "Items", {}, {});
    const Indented indented(*this);
    for (const Decl* item : list) decl(item);
}

void AstDumper::optional(const Expr* e, StringRef label) {
    if (e) expr(e, label);
}

void AstDumper::decl(const Decl* d, StringRef label) {
    const std::string head = flags({{d->isPrivate, "private"}}) + (d->name ? " " + name(d->name) : "");
    switch (d->kind) {
    case DeclKind::Const: {
        const auto* node = llvm::cast<ConstDecl>(d);
        line(label, "Const", head + flags({{node->isIntrinsic, "intrinsic"}}), d->span);
        const Indented indented(*this);
        optional(node->type, "type");
        optional(node->value, "value");
        return;
    }
    case DeclKind::Var: {
        const auto* node = llvm::cast<VarDecl>(d);
        line(label, "Global",
             head + flags({{node->isExtern, "extern"}}) + (node->library ? " " + name(node->library) : "") +
                 (node->symbol.empty() ? "" : " " + quoted(node->symbol)),
             d->span);
        const Indented indented(*this);
        optional(node->type, "type");
        optional(node->init, "init");
        return;
    }
    case DeclKind::Function: return function(llvm::cast<FunctionDecl>(d), label);
    case DeclKind::UfcsAlias:
        return line(label, "UfcsAlias", head + " of " + name(llvm::cast<UfcsAliasDecl>(d)->target), d->span);
    case DeclKind::Struct: return structDecl(llvm::cast<StructDecl>(d), label);
    case DeclKind::Enum: return enumDecl(llvm::cast<EnumDecl>(d), label);
    case DeclKind::Union: return unionDecl(llvm::cast<UnionDecl>(d), label);
    case DeclKind::ErrorSet:
        return line(label, "ErrorSet", head + " { " + names(llvm::cast<ErrorSetDecl>(d)->tags) + " }", d->span);
    case DeclKind::Protocol: return protocolDecl(llvm::cast<ProtocolDecl>(d), label);
    case DeclKind::Import: return line(label, "Import", head + " " + quoted(llvm::cast<ImportDecl>(d)->path), d->span);
    case DeclKind::ImportC: return importC(llvm::cast<ImportCDecl>(d), label);
    case DeclKind::Library:
        return line(label, "Library", head + " " + quoted(llvm::cast<LibraryDecl>(d)->library), d->span);
    case DeclKind::Framework: return line(label, "Framework", quoted(llvm::cast<FrameworkDecl>(d)->framework), d->span);
    case DeclKind::RunStmt: {
        line(label, "Run", {}, d->span);
        const Indented indented(*this);
        return expr(llvm::cast<RunDecl>(d)->value);
    }
    case DeclKind::ErrorDirective: return line(label, "Error", quoted(llvm::cast<ErrorDecl>(d)->message), d->span);
    case DeclKind::ContextExtend: {
        const auto* node = llvm::cast<ContextExtendDecl>(d);
        line(label, "ContextExtend", head, d->span);
        const Indented indented(*this);
        expr(node->type, "type");
        return optional(node->defaultValue, "default");
    }
    case DeclKind::Impl: return implDecl(llvm::cast<ImplDecl>(d), label);
    case DeclKind::InlineIf: return inlineIfDecl(llvm::cast<InlineIfDecl>(d), label);
    case DeclKind::Asm: return line(label, "Asm", quoted(llvm::cast<AsmDecl>(d)->text), d->span);
    case DeclKind::RuntimeClass: return runtimeClass(llvm::cast<RuntimeClassDecl>(d), label);
    }
}

namespace {

const char* abiName(Abi abi) {
    switch (abi) {
    case Abi::Sx: return "";
    case Abi::C: return " abi(.c)";
    case Abi::Naked: return " abi(.naked)";
    }
    return "";
}

const char* linkageName(Linkage linkage) {
    switch (linkage) {
    case Linkage::Normal: return "";
    case Linkage::Extern: return " extern";
    case Linkage::Export: return " export";
    }
    return "";
}

const char* bodyName(BodyKind kind) {
    switch (kind) {
    case BodyKind::Block: return "";
    case BodyKind::Arrow: return " =>";
    case BodyKind::Intrinsic: return " intrinsic";
    case BodyKind::None: return " no-body";
    }
    return "";
}

} // namespace

void AstDumper::function(const FunctionDecl* fn, StringRef label) {
    std::string details = flags({{fn->isPrivate, "private"}}) + (fn->name ? " " + name(fn->name) : "");
    details +=
        flags({{fn->isUfcs, "ufcs"}, {fn->isGet, "#get"}, {fn->isSet, "#set"}, {fn->implicitVoid, "implicit-void"}});
    details += std::string(abiName(fn->abi)) + linkageName(fn->linkage);
    if (fn->library) details += " " + name(fn->library);
    if (!fn->symbol.empty()) details += " " + quoted(fn->symbol);
    details += bodyName(fn->bodyKind);
    line(label, fn->isLambda ? "LambdaFunction" : "Function", details, fn->span);
    const Indented indented(*this);
    for (const Param& p : fn->params) param(p);
    optional(fn->result, "result");
    optional(fn->body(), "body");
}

void AstDumper::param(const Param& p) {
    std::string details = flags({{p.variadic, ".."}, {p.comptime, "$"}}) + " " + name(p.name);
    if (!p.constraints.empty()) details += " / " + names(p.constraints);
    line({}, "Param", details, p.span);
    const Indented indented(*this);
    optional(p.type, "type");
    optional(p.defaultValue, "default");
}

void AstDumper::typeParams(ArrayRef<TypeParamDecl> params) {
    for (const TypeParamDecl& p : params) {
        std::string details = flags({{p.variadic, ".."}}) + " " + name(p.name);
        if (!p.constraints.empty()) details += " / " + names(p.constraints);
        line({}, "TypeParam", details, p.span);
        const Indented indented(*this);
        expr(p.type);
    }
}

void AstDumper::structDecl(const StructDecl* d, StringRef label) {
    std::string details = flags({{d->isPrivate, "private"}}) + (d->name ? " " + name(d->name) : "") + abiName(d->abi);
    details += flags({{d->isExtern, "extern"}}) + (d->library ? " " + name(d->library) : "");
    line(label, "Struct", details, d->span);
    const Indented indented(*this);
    typeParams(d->typeParams);
    for (const MemberDecl& m : d->members) member(m);
}

void AstDumper::member(const MemberDecl& m) {
    switch (m.kind) {
    case MemberKind::Using: return line({}, "Using", name(m.usingName), m.usingName.span);
    case MemberKind::Decl: return decl(m.decl);
    case MemberKind::Field: {
        line({}, "Field", name(m.field.name), m.field.span);
        const Indented indented(*this);
        expr(m.field.type, "type");
        return optional(m.field.defaultValue, "default");
    }
    }
}

void AstDumper::enumDecl(const EnumDecl* d, StringRef label) {
    line(label, "Enum",
         flags({{d->isPrivate, "private"}}) + (d->name ? " " + name(d->name) : "") + flags({{d->isFlags, "flags"}}),
         d->span);
    const Indented indented(*this);
    optional(d->backing, "backing");
    for (const VariantDecl& variant : d->variants) {
        line({}, "Variant", name(variant.name), variant.span);
        const Indented inner(*this);
        optional(variant.value, "value");
        optional(variant.payload, "payload");
    }
}

void AstDumper::unionDecl(const UnionDecl* d, StringRef label) {
    line(label, "Union", flags({{d->isPrivate, "private"}}) + (d->name ? " " + name(d->name) : ""), d->span);
    const Indented indented(*this);
    for (const UnionMemberDecl& m : d->members) {
        line({}, "UnionMember", m.name ? name(m.name) : "", m.span);
        const Indented inner(*this);
        optional(m.type, "type");
        if (m.anonymous) decl(m.anonymous);
    }
}

void AstDumper::protocolDecl(const ProtocolDecl* d, StringRef label) {
    line(label, "Protocol",
         flags({{d->isPrivate, "private"}}) + " " + name(d->name) +
             flags({{d->isInline, "#inline"}, {d->isIdentity, "#identity"}}),
         d->span);
    const Indented indented(*this);
    typeParams(d->typeParams);
    for (const ProtocolMethod& method : d->methods) decl(method.fn);
}

void AstDumper::implDecl(const ImplDecl* d, StringRef label) {
    line(label, "Impl", name(d->protocol) + (d->targetParams.empty() ? "" : " fresh " + names(d->targetParams)),
         d->span);
    const Indented indented(*this);
    expr(d->protocolRef, "protocol");
    expr(d->target, "target");
    for (const FunctionDecl* method : d->methods) decl(method);
}

void AstDumper::inlineIfDecl(const InlineIfDecl* d, StringRef label) {
    line(label, "InlineIf", d->subject ? "match" : "", d->span);
    const Indented indented(*this);
    optional(d->subject, "subject");
    optional(d->cond, "cond");
    if (d->cond) items(d->then, "then");
    if (!d->otherwise.empty()) items(d->otherwise, "else");
    for (const InlineIfDecl::Arm& arm : d->arms) {
        line({}, arm.pattern ? "Case" : "Else", {}, {});
        const Indented inner(*this);
        optional(arm.pattern, "pattern");
        items(arm.items, "body");
    }
}

void AstDumper::importC(const ImportCDecl* d, StringRef label) {
    line(label, "ImportC", flags({{d->isPrivate, "private"}}) + (d->name ? " " + name(d->name) : ""), d->span);
    const Indented indented(*this);
    for (const ImportCDecl::Entry& entry : d->entries) {
        const char* kind = "";
        switch (entry.kind) {
        case ImportCDecl::Kind::Include: kind = "Include"; break;
        case ImportCDecl::Kind::Source: kind = "Source"; break;
        case ImportCDecl::Kind::Define: kind = "Define"; break;
        case ImportCDecl::Kind::Flags: kind = "Flags"; break;
        }
        line({}, kind, quoted(entry.text), {});
    }
}

void AstDumper::runtimeClass(const RuntimeClassDecl* d, StringRef label) {
    line(label, "RuntimeClass",
         flags({{d->isPrivate, "private"}}) + " " + name(d->name) + " " + quoted(d->runtimeName) +
             linkageName(d->linkage) + flags({{d->isJniMain, "jni-main"}}),
         d->span);
    const Indented indented(*this);
    for (const RuntimeMember& m : d->members) {
        const char* kind = "";
        switch (m.kind) {
        case RuntimeMember::Kind::Extends: kind = "Extends"; break;
        case RuntimeMember::Kind::Implements: kind = "Implements"; break;
        case RuntimeMember::Kind::Field: kind = "Field"; break;
        case RuntimeMember::Kind::Const: kind = "Const"; break;
        case RuntimeMember::Kind::Method: kind = "Method"; break;
        }
        line({}, kind, name(m.name), m.span);
        const Indented inner(*this);
        optional(m.type, "type");
        optional(m.value, "value");
        if (m.fn) decl(m.fn);
    }
}

void dumpAst(const SourceManager& sources, const AstContext& context, const ast::File& file, llvm::raw_ostream& out) {
    AstDumper(sources, context.names, out).file(file);
}

} // namespace sx
