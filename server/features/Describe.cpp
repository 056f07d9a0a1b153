#include "server/features/Describe.h"

#include "lower/Question.h"
#include "types/Failable.h"
#include "types/TypeNames.h"

#include <algorithm>

namespace sx::server {

using namespace ast;

std::string inOneLine(std::string_view text) {
    std::string one;
    for (char c : text) {
        bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!space) one += c;
        else if (!one.empty() && one.back() != ' ') one += ' ';
    }
    while (!one.empty() && one.back() == ' ') one.pop_back();
    return one;
}

sema::FunctionInstance* instanceOf(View& view, const FunctionDecl& f) {
    sema::FunctionInstance* best = nullptr;
    for (sema::FunctionInstance* i : view.program().sema->instances.byFunc)
        if (i && i->tmpl && i->tmpl->decl == &f && (!best || best->signatureFailed)) best = i;
    return best;
}

TypeId typeDeclared(View& view, const Declaration& d) {
    if (!d.decl) return TypeId::None;
    for (const auto& [type, info] : view.program().sema->nominals.infos)
        if (info->decl == d.decl && !info->structTemplate && info->aliasInstanceOf == TypeId::None) return type;
    const sema::Symbol* s = view.symbolOf(d);
    return s && s->kind == sema::SymbolKind::Type ? s->type : TypeId::None;
}

static std::vector<Name> inOrder(View& view, std::vector<Name> tags) {
    const NameTable& names = view.program().sema->names;
    std::sort(tags.begin(), tags.end(), [&](Name a, Name b) { return names.text(a) < names.text(b); });
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    return tags;
}

static std::vector<Name> tagsOf(View& view, const sema::FunctionInstance& i) {
    const sema::Sema& sema = *view.program().sema;
    std::vector<Name> tags;
    for (uint32_t id : i.errors ? i.errors->tags : decltype(i.errors->tags)())
        if (id > 0 && id <= sema.types.tags().size()) tags.push_back(sema.types.tags()[id - 1]);
    return tags;
}

std::vector<Name> tagsOf(View& view, const FunctionDecl& f) {
    std::vector<Name> tags;
    for (const sema::FunctionInstance* i : view.program().sema->instances.byFunc)
        if (i && i->tmpl && i->tmpl->decl == &f)
            for (Name tag : tagsOf(view, *i)) tags.push_back(tag);
    return inOrder(view, std::move(tags));
}

std::vector<Name> errorsOf(View& view, const sema::FunctionInstance& i) {
    std::vector<Name> tags = inOrder(view, tagsOf(view, i));
    const TypeTable& types = view.program().types;
    if (!tags.empty() || i.result == TypeId::None || !isFailable(types, i.result)) return tags;
    TypeId set = errorSetOf(types, i.result);
    if (set == TypeId::InferredErrors) return tags;
    llvm::ArrayRef<Name> declared = types.errorSetInfo(set).tags;
    return {declared.begin(), declared.end()};
}

std::vector<Name> errorsOf(View& view, const FunctionDecl& f) {
    std::vector<Name> tags = tagsOf(view, f);
    const sema::FunctionInstance* i = tags.empty() ? instanceOf(view, f) : nullptr;
    return i ? errorsOf(view, *i) : tags;
}

std::string typeOf(View& view, const Declaration& d) {
    const sema::Symbol* s = view.symbolOf(d);
    const TypeTable& types = view.program().types;
    if (s && s->type != TypeId::None && s->kind != sema::SymbolKind::Type) return writtenName(types, s->type);
    if (d.type) return inOneLine(view.textOf(d.type->span));
    return {};
}

namespace {

std::string decimal(__int128 n) {
    if (n == 0) return "0";
    bool negative = n < 0;
    unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(n) : static_cast<unsigned __int128>(n);
    std::string digits;
    for (; rest > 0; rest /= 10) digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    if (negative) digits += '-';
    return {digits.rbegin(), digits.rend()};
}

std::string quoted(llvm::StringRef text) {
    std::string out = "\"";
    for (char c : text.take_front(200)) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
    return out + (text.size() > 200 ? "…\"" : "\"");
}

std::string valueText(View& view, TypeId type, const sema::ConstValue& v) {
    const TypeTable& types = view.program().types;
    switch (v.kind) {
    case sema::ConstValue::Kind::Int:
        if (types.kind(type) == TypeKind::Enum)
            for (const Variant& variant : types.enumInfo(type).variants)
                if (variant.value == static_cast<int64_t>(v.i))
                    return "." + std::string(types.names().text(variant.name));
        return decimal(v.i);
    case sema::ConstValue::Kind::Bool: return v.i ? "true" : "false";
    case sema::ConstValue::Kind::Float: {
        char text[40];
        std::snprintf(text, sizeof text, "%.15g", v.f);
        return text;
    }
    case sema::ConstValue::Kind::String: return quoted(v.s);
    case sema::ConstValue::Kind::Type: return writtenName(types, v.t);
    case sema::ConstValue::Kind::Null: return "null";
    default: return {};
    }
}

/// The text of a declaration, up to a few lines.
std::string wholeText(View& view, Span whole) {
    constexpr size_t MostLines = 20;
    std::string text(view.textOf(whole));
    size_t at = 0;
    for (size_t n = 0; n < MostLines && at != std::string::npos; ++n) at = text.find('\n', n == 0 ? 0 : at + 1);
    if (at != std::string::npos) text = text.substr(0, at) + "\n    …";
    return text;
}

std::string functionHead(View& view, const Declaration& d) {
    const FunctionDecl& f = *d.function;
    SourcePos begin = d.nameSpan.begin, end = f.span.end;
    if (f.hasBody() && f.bodySpan().isValid()) end = f.bodySpan().begin;
    std::string head = inOneLine(view.textOf({begin, end}));
    for (const char* tail : {";", "=>"})
        while (llvm::StringRef(head).rtrim().ends_with(tail))
            head = llvm::StringRef(head).rtrim().drop_back(std::string_view(tail).size()).rtrim().str();
    const sema::SourceFile* file = view.program().sourceFile(view.program().sources.fileOf(begin));
    if (file && file->isForeign) std::erase(head, '`'); // so that C may use any name
    const Declaration* owner = view.parentOf(d);
    bool isMember = owner && owner->decl && d.kind == DeclaredKind::Method;
    return (isMember ? std::string(view.program().ast.names.text(owner->name)) + "." : "") + head;
}

} // namespace

std::string inInstance(View& view, const Declaration& member, TypeId owner, const std::string& text) {
    sema::Sema& sema = *view.program().sema;
    const sema::NominalInfo* info = view.nominal(owner);
    const Declaration* parent = info ? view.parentOf(member) : nullptr;
    if (!parent || parent->decl != info->decl || info->bindings.empty()) return text;
    auto isWord = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); };
    std::string out;
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && isWord(text[end])) ++end;
        std::string word = text.substr(i, std::max<size_t>(end - i, 1));
        i += word.size();
        for (const sema::Binding& b : info->bindings)
            if (sema.names.text(b.name) == word)
                word = b.kind == sema::Binding::Kind::Type    ? writtenName(sema.types, b.type)
                       : b.kind == sema::Binding::Kind::Value ? valueText(view, b.type, b.value)
                                                              : word;
        out += word;
    }
    return out;
}

std::string valueOf(View& view, const Declaration& d) {
    const sema::Symbol* s = view.symbolOf(d);
    return s && !s->constant().isNone() ? valueText(view, s->type, s->constant()) : std::string();
}

TypeId typeOfUseId(View& view, const Named& named) {
    if (named.isDeclaration || named.tag != Name::None) return TypeId::None;
    TypeTable& types = view.program().types;
    const Declaration* d = view.declarationAt(named.target);
    bool isValue = d && (d->kind == DeclaredKind::Global || d->kind == DeclaredKind::Field ||
                         d->kind == DeclaredKind::Parameter || d->kind == DeclaredKind::Local);
    if (!isValue) return TypeId::None;
    if (const Expr* e = view.expressionAt(named.at.begin)) {
        lower::Answer answer = lower::typeOf(*view.program().sema, *e, e->span.begin);
        if (answer.errors.empty() && answer.type != TypeId::None) return answer.type;
    }
    if (named.owner == TypeId::None || types.kind(named.owner) != TypeKind::Struct) return TypeId::None;
    const StructInfo& info = types.structInfo(named.owner);
    auto field = info.index.find(d->name);
    return field == info.index.end() ? TypeId::None : info.fields[field->second].type;
}

std::string typeOfUse(View& view, const Named& named) {
    TypeId type = typeOfUseId(view, named);
    return type == TypeId::None ? std::string() : writtenName(view.program().types, type);
}

std::string signatureOf(View& view, const Declaration& d, const std::string& given) {
    std::string name(view.program().ast.names.text(d.name));
    switch (d.kind) {
    case DeclaredKind::Function:
    case DeclaredKind::Method: return d.function ? functionHead(view, d) : inOneLine(view.textOf(d.whole));
    case DeclaredKind::Struct:
    case DeclaredKind::Enum:
    case DeclaredKind::Union:
    case DeclaredKind::ErrorSet:
    case DeclaredKind::Protocol:
    case DeclaredKind::Class: return wholeText(view, d.whole);
    case DeclaredKind::Namespace:
    case DeclaredKind::Library: return inOneLine(view.textOf(d.whole));
    case DeclaredKind::Tag: return "error." + name;
    case DeclaredKind::TypeParameter: return "$" + name + (d.type ? ": " + inOneLine(view.textOf(d.type->span)) : "");
    case DeclaredKind::Variant: return "." + inOneLine(view.textOf(d.whole));
    case DeclaredKind::Constant: {
        std::string type = typeOf(view, d);
        std::string value = d.value ? inOneLine(view.textOf(d.value->span)) : "";
        if (value.size() > 300) value = value.substr(0, 300) + "…";
        return name + (type.empty() ? " :: " : " : " + type + " : ") + value;
    }
    case DeclaredKind::Global:
    case DeclaredKind::Field:
    case DeclaredKind::Parameter:
    case DeclaredKind::Local: {
        std::string type = given.empty() ? typeOf(view, d) : given;
        return name + (type.empty() ? "" : ": " + type);
    }
    }
    return name;
}

std::string commentOf(View& view, const Declaration& d) {
    if (!d.nameSpan.isValid()) return {};
    FileId file = view.program().sources.fileOf(d.nameSpan.begin);
    const LineTable& lines = view.lines(file);
    SourcePos begin = d.whole.isValid() && d.whole.begin < d.nameSpan.begin ? d.whole.begin : d.nameSpan.begin;
    uint32_t line = lines.position(view.offsetOf(begin)).line;
    std::vector<std::string> found;
    // What stands above a line is about what begins it.
    bool beginsLine =
        llvm::StringRef(lines.line(line)).take_front(view.offsetOf(begin) - lines.lineStart(line)).trim().empty();
    if (!beginsLine) line = 0;
    while (line > 0) {
        llvm::StringRef text = llvm::StringRef(lines.line(--line)).trim();
        if (!text.consume_front("//")) break;
        text.consume_front("/");
        text.consume_front(" ");
        found.push_back(text.str());
    }
    std::string comment;
    for (auto text = found.rbegin(); text != found.rend(); ++text) comment += (comment.empty() ? "" : "\n") + *text;
    if (!comment.empty()) return comment;
    // A field or variant may have its comment behind it.
    bool isMember = d.kind == DeclaredKind::Field || d.kind == DeclaredKind::Variant;
    llvm::StringRef own(lines.line(lines.position(view.offsetOf(d.nameSpan.begin)).line));
    size_t slashes = isMember ? own.find("//") : llvm::StringRef::npos;
    return slashes == llvm::StringRef::npos ? "" : own.drop_front(slashes).ltrim('/').trim().str();
}

} // namespace sx::server
