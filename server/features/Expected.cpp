#include "server/features/Expected.h"

#include "lower/Question.h"
#include "server/features/CallAround.h"
#include "server/features/Describe.h"

#include <set>

namespace sx::server {

namespace {

using K = TokenKind;

size_t tokensBefore(const Syntax& s, uint32_t offset) {
    size_t i = 0;
    while (i < s.tokens.size() && s.tokens[i].kind != K::Eof && s.offset(s.tokens[i].begin) < offset) ++i;
    return i;
}

/// The braces, parentheses and brackets that are open before a token.
std::vector<size_t> openBefore(const Syntax& s, size_t end) {
    std::vector<size_t> open;
    for (size_t i = 0; i < end; ++i) {
        K kind = s.tokens[i].kind;
        if (kind == K::LBrace || kind == K::LParen || kind == K::LBracket) open.push_back(i);
        else if ((kind == K::RBrace || kind == K::RParen || kind == K::RBracket) && !open.empty()) open.pop_back();
    }
    return open;
}

/// First token of the item that a token stands in: of an `impl` this keyword.
std::optional<size_t> implBefore(const Syntax& s, size_t end) {
    for (size_t i = end; i > 0; --i) {
        K kind = s.tokens[i - 1].kind;
        if (kind == K::KwImpl) return i - 1;
        if (kind == K::Semicolon || kind == K::LBrace || kind == K::RBrace) break;
    }
    return std::nullopt;
}

/// A type of this kind, if it is one, or has one in an optional or behind a pointer.
TypeId within(const TypeTable& types, TypeId type, TypeKind kind) {
    while (types.kind(type) == TypeKind::Optional || types.kind(type) == TypeKind::Pointer) type = types.elem(type);
    return types.kind(type) == kind ? type : TypeId::None;
}

TypeId expectedAt(View&, const Syntax&, size_t dot, TypeKind kind);

/// Before which token no type is written that `.{` or `.[` would have.
size_t typeBefore(const Syntax& s, size_t dot) {
    size_t from = dot;
    while (from > 0) {
        K kind = s.tokens[from - 1].kind;
        size_t opener = kind == K::RParen ? s.tokens[from - 1].value : noMatch;
        if (opener < from) from = opener;
        else if (kind == K::Dot || (isIdentLike(kind) && (from == dot || !isIdentLike(s.tokens[from].kind)))) --from;
        else break;
    }
    return from;
}

/// The type that is written directly before a dot.
TypeId writtenBefore(View& view, const Syntax& s, size_t dot) {
    size_t from = typeBefore(s, dot);
    if (from == dot) return TypeId::None;
    std::string written(s.textOf({s.tokens[from].begin, s.tokens[dot - 1].end}));
    return typeNamed(view, written, view.posOf(s.offset(s.tokens[dot].begin)));
}

/// The type of a parameter where no body says it: as it is written.
TypeId ofParameter(View& view, const Syntax& s, uint32_t dot) {
    std::optional<CallAround> call = callAround(s, dot);
    const Declaration* d = call ? calledFunction(view, s, *call) : nullptr;
    if (!d || !d->function) return TypeId::None;
    const auto& params = d->function->params;
    size_t index = call->argument + (takesReceiver(view, s, *call, *d) ? 1 : 0);
    for (size_t i = 0; i < params.size(); ++i)
        if (!call->named.empty() && view.program().ast.names.text(params[i].name.name) == call->named) index = i;
    if (index >= params.size() || !params[index].type) return TypeId::None;
    const ast::Expr* written = params[index].type;
    return typeNamed(view, std::string(view.textOf(written->span)), written->span.begin);
}

/// `T.{ field = .`.
TypeId ofField(View& view, const Syntax& s, size_t dot) {
    std::vector<size_t> open = openBefore(s, dot);
    if (open.empty() || dot < 2 || s.tokens[dot - 1].kind != K::Equal) return TypeId::None;
    size_t brace = open.back();
    if (s.tokens[brace].kind != K::LBrace || brace < 2 || s.tokens[brace - 1].kind != K::Dot) return TypeId::None;
    TypeId type = literalStruct(view, s, brace);
    if (type == TypeId::None) return TypeId::None;
    const TypeTable& types = view.program().types;
    std::string_view name = s.textOf(s.tokens[dot - 2].span());
    for (const StructField& f : types.structInfo(type).fields)
        if (types.names().text(f.name) == name) return f.type;
    return TypeId::None;
}

/// The first token of `T` in `name : T = .`; `dot`: there is none.
size_t declaredType(const Syntax& s, size_t dot) {
    if (dot < 2 || s.tokens[dot - 1].kind != K::Equal) return dot;
    size_t from = dot - 1;
    auto ends = [](K k) { return k == K::Semicolon || k == K::Comma || k == K::LBrace || k == K::RBrace; };
    while (from > 0 && s.tokens[from - 1].kind != K::Colon && !ends(s.tokens[from - 1].kind)) --from;
    return from < 2 || from == dot - 1 || s.tokens[from - 1].kind != K::Colon ? dot : from;
}

TypeId namedFrom(View& view, const Syntax& s, size_t from, size_t dot) {
    if (from + 1 >= dot) return TypeId::None;
    std::string written(s.textOf({s.tokens[from].begin, s.tokens[dot - 2].end}));
    return typeNamed(view, written, view.posOf(s.offset(s.tokens[from].begin)));
}

/// `name : T = .`, of a variable, field or parameter.
TypeId ofDeclaration(View& view, const Syntax& s, size_t dot) { return namedFrom(view, s, declaredType(s, dot), dot); }

/// `.[ … .`, with or without its type.
TypeId ofElement(View& view, const Syntax& s, size_t dot) {
    std::vector<size_t> open = openBefore(s, dot);
    if (open.empty() || open.back() < 1 || s.tokens[open.back()].kind != K::LBracket) return TypeId::None;
    K before = s.tokens[dot - 1].kind;
    size_t ofBracket = open.back() - 1;
    if (s.tokens[ofBracket].kind != K::Dot || (before != K::LBracket && before != K::Comma)) return TypeId::None;
    const TypeTable& types = view.program().types;
    TypeId list = writtenBefore(view, s, ofBracket);
    for (TypeKind kind : {TypeKind::Array, TypeKind::Slice, TypeKind::Vector, TypeKind::ManyPointer})
        if (list == TypeId::None) list = expectedAt(view, s, ofBracket, kind);
    size_t declared = declaredType(s, ofBracket); // `[2]T`, which names no type by itself
    bool isList = list == TypeId::None && declared < ofBracket && s.tokens[declared].kind == K::LBracket;
    if (isList && s.tokens[declared].value < ofBracket)
        return namedFrom(view, s, s.tokens[declared].value + 1, ofBracket);
    switch (types.kind(list)) {
    case TypeKind::Array:
    case TypeKind::Slice:
    case TypeKind::Vector:
    case TypeKind::ManyPointer: return types.elem(list);
    default: return TypeId::None;
    }
}

/// `T = if … then .`, or behind its `else`: what is expected of the whole.
TypeId ofBranch(View& view, const Syntax& s, size_t dot) {
    K before = dot > 0 ? s.tokens[dot - 1].kind : K::Eof;
    if (before != K::KwThen && before != K::KwElse) return TypeId::None;
    for (size_t i = dot - 1; i > 0; --i) {
        K kind = s.tokens[i - 1].kind;
        if (kind == K::Semicolon || kind == K::LBrace || kind == K::LParen || kind == K::LBracket) break;
        size_t opener = kind == K::RParen || kind == K::RBracket || kind == K::RBrace ? s.tokens[i - 1].value : noMatch;
        if (opener < i) i = opener + 1;
        else if (kind == K::KwIf) return ofDeclaration(view, s, i - 1);
    }
    return TypeId::None;
}

/// What is expected at a dot that begins an operand, if it is, or has in it, a type of this kind.
TypeId expectedAt(View& view, const Syntax& s, size_t dot, TypeKind kind) {
    const TypeTable& types = view.program().types;
    uint32_t offset = s.offset(s.tokens[dot].begin);
    SourcePos at = view.posOf(offset);
    TypeId found = TypeId::None;
    if (const sema::Uses* uses = view.program().sema->uses.get())
        for (const sema::Expectation& e : uses->expected)
            if (e.at == at && within(types, e.type, kind) != TypeId::None) found = within(types, e.type, kind);
    for (auto of : {ofField, ofElement, ofDeclaration, ofBranch})
        if (found == TypeId::None) found = within(types, of(view, s, dot), kind);
    if (found == TypeId::None) found = within(types, ofParameter(view, s, offset), kind);
    return found;
}

std::string withSelf(std::string text, const std::string& target) {
    for (size_t at = text.find("Self"); at != std::string::npos; at = text.find("Self", at + target.size()))
        text.replace(at, 4, target);
    return text;
}

} // namespace

Wanted wantedAt(const Syntax& s, uint32_t offset) {
    size_t i = tokensBefore(s, offset);
    while (i > 1 && s.tokens[i - 1].kind == K::Dot && isIdentLike(s.tokens[i - 2].kind)) i -= 2; // `module.name`
    if (i == 0) return Wanted::Anything;
    if (s.tokens[i - 1].kind == K::KwImpl) return Wanted::Protocol;
    if (s.tokens[i - 1].kind == K::KwFor && implBefore(s, i)) return Wanted::Type;
    if (s.tokens[i - 1].kind != K::Bang || i < 2) return Wanted::Anything;
    K before = s.tokens[i - 2].kind;
    if (before == K::Arrow) return Wanted::ErrorSet;
    std::vector<size_t> open = openBefore(s, i);
    bool isList = before == K::Comma && !open.empty() && open.back() > 0 && s.tokens[open.back() - 1].kind == K::Arrow;
    return isList ? Wanted::ErrorSet : Wanted::Anything;
}

TypeId typeNamed(View& view, const std::string& written, SourcePos at) {
    if (written.empty()) return TypeId::None;
    lower::Answer answer = lower::typeOf(*view.program().sema, "(" + written + ")", at);
    return answer.value.kind == sema::Value::Kind::TypeName ? answer.value.namedType : TypeId::None;
}

TypeId expectedEnum(View& view, const Syntax& s, uint32_t dot) {
    return expectedAt(view, s, tokensBefore(s, dot), TypeKind::Enum);
}

TypeId literalStruct(View& view, const Syntax& s, size_t brace) {
    size_t dot = brace - 1;
    if (!beginsOperand(s, dot)) return within(view.program().types, writtenBefore(view, s, dot), TypeKind::Struct);
    return expectedAt(view, s, dot, TypeKind::Struct);
}

bool beginsOperand(const Syntax& s, size_t dot) {
    if (dot == 0) return true;
    K before = s.tokens[dot - 1].kind;
    if (isIdentLike(before) || isDirective(before)) return false;
    switch (before) {
    case K::Int:
    case K::Float:
    case K::Char:
    case K::String:
    case K::Heredoc:
    case K::RBracket:
    case K::RBrace:
    case K::KwSelf:
    case K::KwError:
    case K::KwTrue:
    case K::KwFalse:
    case K::KwNull:
    case K::KwType:
    case K::KwF32:
    case K::KwF64: return false;
    case K::RParen: {
        size_t opener = s.tokens[dot - 1].value; // of what `catch (e)` catches, the value follows
        return opener != noMatch && opener > 0 && s.tokens[opener - 1].kind == K::KwCatch;
    }
    case K::Bang: return dot > 1 && beginsOperand(s, dot - 1); // `o!.`
    default: break;
    }
    bool isMember = dot > 1 && (before == K::Star || isKeyword(before)) &&
                    (s.tokens[dot - 2].kind == K::Dot || s.tokens[dot - 2].kind == K::QuestionDot);
    return !isMember; // `p.*`, and members that are named as keywords are
}

const Declaration* caughtCall(View& view, const Syntax& s, size_t equals) {
    if (equals < 4 || s.tokens[equals - 1].kind != K::RParen) return nullptr;
    size_t open = s.tokens[equals - 1].value;
    if (open == noMatch || open < 2 || s.tokens[open - 1].kind != K::KwCatch) return nullptr;
    size_t close = open - 2; // of the call
    if (s.tokens[close].kind != K::RParen || s.tokens[close].value == noMatch || s.tokens[close].value == 0)
        return nullptr;
    size_t callee = s.tokens[close].value - 1;
    if (!isIdentLike(s.tokens[callee].kind)) return nullptr;
    CallAround call{callee, s.tokens[close].value, 0};
    const Declaration* d = calledFunction(view, s, call);
    return d && d->function ? d : nullptr;
}

std::vector<MissingMethod> missingMethodsAt(View& view, const Syntax& s, uint32_t offset) {
    size_t end = tokensBefore(s, offset);
    std::vector<size_t> open = openBefore(s, end);
    if (open.empty() || end == 0 || s.tokens[open.back()].kind != K::LBrace) return {};
    K before = s.tokens[end - 1].kind;
    std::optional<size_t> impl = implBefore(s, open.back());
    if (!impl || (before != K::LBrace && before != K::RBrace && before != K::Semicolon)) return {};
    size_t target = open.back();
    while (target > *impl && s.tokens[target].kind != K::KwFor) --target;
    size_t name = *impl + 1;
    while (name + 2 < target && s.tokens[name + 1].kind == K::Dot) name += 2;
    if (target <= name || s.tokens[target].kind != K::KwFor) return {};
    std::string self(s.textOf({s.tokens[target + 1].begin, s.tokens[open.back() - 1].end}));
    std::set<std::string_view> present;
    size_t close = s.tokens[open.back()].value == noMatch ? s.tokens.size() - 1 : s.tokens[open.back()].value;
    for (size_t i = open.back() + 1; i < close; ++i)
        if (s.tokens[i].kind == K::ColonColon) present.insert(s.textOf(s.tokens[i - 1].span()));
    std::vector<MissingMethod> missing;
    for (const auto& file : view.program().sema->program.files)
        for (const Declaration& d : view.names(file->id).declarations) {
            const auto* protocol = llvm::dyn_cast_or_null<ast::ProtocolDecl>(d.decl);
            if (!protocol || view.program().ast.names.text(d.name) != s.textOf(s.tokens[name].span())) continue;
            for (const ast::ProtocolMethod& m : protocol->methods) {
                const Declaration* method = view.declarationAt(m.fn->name.span.begin);
                std::string label(view.program().ast.names.text(m.fn->name.name));
                if (m.fn->hasBody() || !method || present.count(label)) continue;
                std::string text = withSelf(signatureOf(view, *method), self);
                missing.push_back({label, text.substr(text.find(label)) + " { }", commentOf(view, *method)});
            }
            return missing;
        }
    return missing;
}

} // namespace sx::server
