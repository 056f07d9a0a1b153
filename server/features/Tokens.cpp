// What each word of a text is: semantic tokens.
#include "server/features/Features.h"
#include "server/features/Syntax.h"
#include "syntax/BuiltinTypes.h"

namespace sx::server {

namespace {

constexpr const char* TypeNames[] = {"namespace",     "type",      "class",    "enum",     "interface",  "struct",
                                     "typeParameter", "parameter", "variable", "property", "enumMember", "event",
                                     "function",      "method",    "macro",    "keyword",  "modifier",   "comment",
                                     "string",        "number",    "regexp",   "operator", "decorator"};
enum class Kind : int {
    Namespace,
    Type,
    Class,
    Enum,
    Interface,
    Struct,
    TypeParameter,
    Parameter,
    Variable,
    Property,
    EnumMember,
    Event,
    Function,
    Method,
    Macro,
    Keyword,
    Modifier,
    Comment,
    String,
    Number,
    Regexp,
    Operator,
    None = -1,
};

constexpr const char* ModifierNames[] = {"declaration",   "definition",     "readonly", "static",
                                         "deprecated",    "abstract",       "async",    "modification",
                                         "documentation", "defaultLibrary", "failable"};
enum Modifier : int64_t {
    DeclarationBit = 1,
    ReadonlyBit = 4,
    ModificationBit = 128,
    LibraryBit = 512,
    FailableBit = 1024,
};

bool isFailable(const ast::FunctionDecl& f) {
    const ast::Expr* result = f.result;
    if (const auto* list = llvm::dyn_cast_or_null<ast::ResultList>(result))
        return !list->elems.empty() && llvm::isa_and_nonnull<ast::ErrorChannel>(list->elems.back().type);
    return llvm::isa_and_nonnull<ast::ErrorChannel>(result);
}

Kind kindOf(const Declaration& d) {
    switch (d.kind) {
    case DeclaredKind::Constant: return Kind::Variable;
    case DeclaredKind::Global:
    case DeclaredKind::Local: return Kind::Variable;
    case DeclaredKind::Function: return Kind::Function;
    case DeclaredKind::Method:
        return d.function && (d.function->isGet || d.function->isSet) ? Kind::Property : Kind::Method;
    case DeclaredKind::Struct:
    case DeclaredKind::Union: return Kind::Struct;
    case DeclaredKind::Enum:
    case DeclaredKind::ErrorSet: return Kind::Enum;
    case DeclaredKind::Protocol: return Kind::Interface;
    case DeclaredKind::Namespace:
    case DeclaredKind::Library: return Kind::Namespace;
    case DeclaredKind::Class: return Kind::Class;
    case DeclaredKind::Field: return Kind::Property;
    case DeclaredKind::Variant:
    case DeclaredKind::Tag: return Kind::EnumMember;
    case DeclaredKind::Parameter: return Kind::Parameter;
    case DeclaredKind::TypeParameter: return Kind::TypeParameter;
    }
    return Kind::Variable;
}

class Painter {
public:
    Painter(Workspace& workspace, View* view, const Syntax& s) : view_(view), s_(s), lines_(*s.lines) {
        encoding_ = workspace.settings().encoding;
        if (view_ && !view_->program().fileOf(view_->path())) view_ = nullptr;
    }

    json::Array run(uint32_t from, uint32_t to) {
        from_ = from;
        to_ = to;
        uint32_t end = 0;
        for (const Token& t : s_.tokens) {
            comments(end, s_.offset(t.begin));
            token(t);
            end = s_.offset(t.end);
        }
        return std::move(data_);
    }

private:
    /// Tokens do not cross line ends.
    void add(uint32_t begin, uint32_t end, Kind kind, int64_t modifiers = 0) {
        while (begin < end) {
            size_t newline = s_.text().substr(begin, end - begin).find_first_of("\r\n");
            uint32_t stop = newline == std::string_view::npos ? end : begin + static_cast<uint32_t>(newline);
            if (stop > begin && begin >= from_ && begin < to_) emit(begin, stop, kind, modifiers);
            begin = stop;
            while (begin < end && (s_.text()[begin] == '\n' || s_.text()[begin] == '\r')) ++begin;
        }
    }

    void emit(uint32_t begin, uint32_t end, Kind kind, int64_t modifiers) {
        // From the token before: a line is not counted anew for each of its tokens.
        Position at{lines_.lineOf(begin), 0};
        bool isSameLine = at.line == last_.line;
        uint32_t from = isSameLine ? lastBegin_ : lines_.lineStart(at.line);
        at.character = unitsIn(s_.text().substr(from, begin - from), encoding_);
        if (isSameLine) at.character += last_.character;
        int64_t length = unitsIn(s_.text().substr(begin, end - begin), encoding_);
        data_.push_back(static_cast<int64_t>(at.line - last_.line));
        data_.push_back(static_cast<int64_t>(at.line == last_.line ? at.character - last_.character : at.character));
        data_.push_back(length);
        data_.push_back(static_cast<int64_t>(kind));
        data_.push_back(modifiers);
        last_ = at;
        lastBegin_ = begin;
    }

    /// Between two tokens there is white space and comments.
    void comments(uint32_t from, uint32_t to) {
        std::string_view gap = s_.text().substr(from, to - from);
        for (size_t at = gap.find("//"); at != std::string_view::npos; at = gap.find("//", at)) {
            size_t end = std::min(gap.find('\n', at), gap.size());
            add(from + static_cast<uint32_t>(at), from + static_cast<uint32_t>(end), Kind::Comment);
            at = end;
        }
    }

    void token(const Token& t) {
        uint32_t begin = s_.offset(t.begin), end = s_.offset(t.end);
        switch (t.kind) {
        case TokenKind::Eof:
        case TokenKind::Invalid: return;
        case TokenKind::Int:
        case TokenKind::Float: return add(begin, end, Kind::Number);
        case TokenKind::Char:
        case TokenKind::String:
        case TokenKind::Heredoc: return add(begin, end, Kind::String);
        default: break;
        }
        if (isIdentLike(t.kind) && name(t, begin, end)) return;
        if (isKeyword(t.kind)) return add(begin, end, Kind::Keyword);
        if (isDirective(t.kind)) return add(begin, end, Kind::Macro);
        if (isIdentLike(t.kind) && isBuiltinTypeName(s_.textOf(t.span()))) add(begin, end, Kind::Type, LibraryBit);
    }

    bool name(const Token& t, uint32_t begin, uint32_t end) {
        const Named* n = view_ ? view_->nameAt(view_->posOf(begin)) : nullptr;
        if (!n || view_->offsetOf(n->at.begin) != begin ||
            view_->program().sources.fileOf(n->at.begin) != view_->file())
            return false;
        if (n->tag != Name::None) {
            add(begin, end, Kind::EnumMember, n->isDeclaration ? int64_t{DeclarationBit} : 0);
            return true;
        }
        const Declaration* d = view_->declarationAt(n->target);
        if (!d || t.kind == TokenKind::Eof) return false;
        int64_t modifiers = n->isDeclaration ? int64_t{DeclarationBit} : 0;
        if (n->writes) modifiers |= ModificationBit;
        if (d->kind == DeclaredKind::Constant || d->kind == DeclaredKind::Variant) modifiers |= ReadonlyBit;
        if (d->function && d->kind != DeclaredKind::Parameter && isFailable(*d->function)) modifiers |= FailableBit;
        const sema::SourceFile* file = view_->program().sourceFile(view_->program().sources.fileOf(d->nameSpan.begin));
        if (file && file->isLibrary && !file->isEntry) modifiers |= LibraryBit;
        Kind kind = kindOf(*d);
        const sema::Symbol* s = d->kind == DeclaredKind::Constant ? view_->symbolOf(*d) : nullptr;
        if (s && s->kind == sema::SymbolKind::Type) kind = Kind::Type;
        if (s && s->kind == sema::SymbolKind::Function) kind = Kind::Function;
        add(begin, end, kind, modifiers);
        return true;
    }

    View* view_;
    const Syntax& s_;
    const LineTable& lines_;
    Encoding encoding_{};
    json::Array data_;
    Position last_; ///< of the token before
    uint32_t lastBegin_ = 0;
    uint32_t from_ = 0, to_ = UINT32_MAX;
};

} // namespace

json::Object tokenLegend() {
    json::Array types, modifiers;
    for (const char* name : TypeNames) types.push_back(name);
    for (const char* name : ModifierNames) modifiers.push_back(name);
    return json::Object{{"tokenTypes", std::move(types)}, {"tokenModifiers", std::move(modifiers)}};
}

Reply semanticTokens(Workspace& workspace, const json::Object& params) {
    std::string path = documentPath(params);
    std::unique_ptr<Syntax> s = readSyntax(workspace, path);
    if (!s) return {};
    return {json::Object{{"data", Painter(workspace, workspace.view(path), *s).run(0, UINT32_MAX)}}};
}

Reply semanticTokensRange(Workspace& workspace, const json::Object& params) {
    std::string path = documentPath(params);
    std::unique_ptr<Syntax> s = readSyntax(workspace, path);
    std::optional<Range> range = readRange(params.getObject("range"));
    if (!s || !range) return {};
    uint32_t from = s->lines->offset(range->start), to = s->lines->offset(range->end);
    return {json::Object{{"data", Painter(workspace, workspace.view(path), *s).run(from, to)}}};
}

} // namespace sx::server
