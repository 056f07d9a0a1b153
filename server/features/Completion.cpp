// What could be typed at a place.
#include "debugger/evaluate/Candidates.h"
#include "lower/Question.h"
#include "server/features/CallAround.h"
#include "server/features/Describe.h"
#include "server/features/ErrorSites.h"
#include "server/features/Expected.h"
#include "server/features/Features.h"
#include "server/features/Words.h"
#include "source/Installation.h"
#include "source/Paths.h"
#include "syntax/BuiltinTypes.h"
#include "types/TypeNames.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace sx::server {

namespace fs = std::filesystem;

namespace {

/// Of the protocol.
int kindNumber(llvm::StringRef kind) {
    constexpr std::pair<const char*, int> kinds[] = {
        {"method", 2},    {"function", 3}, {"field", 5},         {"variable", 6}, {"class", 7},
        {"interface", 8}, {"module", 9},   {"property", 10},     {"value", 12},   {"enum", 20},
        {"keyword", 14},  {"file", 17},    {"typeParameter", 25}};
    for (auto [name, number] : kinds)
        if (kind == name) return number;
    return 1;
}

class Completion {
public:
    Completion(Workspace& workspace, View& view, uint32_t offset)
        : workspace_(workspace), view_(view), offset_(offset), pos_(view.posOf(offset)), text_(view.text()) {
        start_ = offset;
        while (start_ > 0 && isWord(text_[start_ - 1])) --start_;
        if (start_ > 0 && text_[start_ - 1] == '#') --start_; // of a directive
        syntax_ = readSyntax(workspace, view.path());
        if (syntax_) words_ = wordsAt(*syntax_, start_);
    }

    json::Value run() {
        if (importPath() || words_.isText) return finish();
        const sema::BodyScope* scope = view_.program().sema->bodyScopes.at(pos_);
        bool afterDot = start_ > 0 && text_[start_ - 1] == '.' && !(start_ > 1 && text_[start_ - 2] == '.');
        if (afterDot) afterPoint(scope);
        else names(scope);
        return finish();
    }

private:
    static bool isWord(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); }

    void add(const std::string& label, llvm::StringRef kind, int rank, std::string detail = {},
             std::string comment = {}) {
        if (label.empty() || !seen_.insert(label).second) return;
        bool isType = kind == "class" || kind == "interface" || kind == "module" || kind == "typeParameter";
        if (words_.isType && !isType) rank = 9;
        if (wanted_ != Wanted::Anything && kind == "module") rank = 7; // on the way to one
        char order[16];
        std::snprintf(order, sizeof order, "%d%d%05zu", misfit(label), rank, items_.size());
        json::Object item{
            {"label", json::fixUTF8(label)}, {"kind", kindNumber(kind)}, {"sortText", std::string(order)}};
        if (!detail.empty()) item["detail"] = json::fixUTF8(detail);
        if (!comment.empty()) item["documentation"] = json::fixUTF8(comment);
        Range range = view_.lines(view_.file()).range(start_, offset_);
        item["textEdit"] = json::Object{{"range", toJson(range)},
                                        {"newText", json::fixUTF8(newText_.empty() ? label + tail_ : newText_)}};
        items_.push_back(std::move(item));
    }

    /// How far a name is from what is typed of it: 0: it begins so, 1: but for case, 2: it has the letters in order.
    int misfit(llvm::StringRef label) const {
        llvm::StringRef typed(text_.substr(start_, offset_ - start_));
        if (label.starts_with(typed)) return 0;
        if (label.starts_with_insensitive(typed)) return 1;
        size_t at = 0;
        for (char c : typed) {
            at = label.find_insensitive(c, at);
            if (at == llvm::StringRef::npos) return 3;
            ++at;
        }
        return 2;
    }

    json::Value finish() { return json::Object{{"isIncomplete", false}, {"items", std::move(items_)}}; }

    std::string_view lineBefore() const {
        size_t from = offset_ == 0 ? std::string_view::npos : text_.rfind('\n', offset_ - 1);
        from = from == std::string_view::npos ? 0 : from + 1;
        return text_.substr(from, offset_ - from);
    }

    // ---- paths

    /// In the text of an `#import`, or of an `#include` or `#source` of C.
    bool importPath() {
        llvm::StringRef line(lineBefore());
        size_t directive = llvm::StringRef::npos;
        for (const char* name : {"#import", "#include", "#source"})
            if (size_t at = line.rfind(name); at != llvm::StringRef::npos) directive = at;
        size_t quote = directive == llvm::StringRef::npos ? directive : line.find('"', directive);
        if (quote == llvm::StringRef::npos || line.find('"', quote + 1) != llvm::StringRef::npos) return false;
        bool isC = !line.drop_front(directive).starts_with("#import");
        std::string typed = line.drop_front(quote + 1).str();
        std::string folder = directoryOf(typed);
        start_ = offset_ - static_cast<uint32_t>(typed.size() - (folder.empty() ? 0 : folder.size() + 1));
        std::set<std::pair<std::string, bool>> found;
        addFiles(directoryOf(view_.path()), folder, isC, found);
        addFiles(workspace_.rootOf(view_.path()), folder, isC, found);
        std::set<std::pair<std::string, bool>> ofLibrary;
        for (const std::string& root : libraryRoots())
            if (!isC) addFiles(root, folder, false, ofLibrary);
        if (folder.empty()) ofLibrary.erase({"tests", true}); // of the library itself
        found.insert(ofLibrary.begin(), ofLibrary.end());
        for (const auto& [name, isFolder] : found) add(name, isFolder ? "module" : "file", 1);
        return true;
    }

    void addFiles(const std::string& base, const std::string& folder, bool isC,
                  std::set<std::pair<std::string, bool>>& found) const {
        std::error_code ec;
        for (fs::directory_iterator at(joinPath(base, folder), ec), end; !ec && at != end; at.increment(ec)) {
            std::string name = at->path().filename().string(), extension = at->path().extension().string();
            std::error_code ignored;
            bool isFolder = at->is_directory(ignored);
            if (normalizePath(at->path().string()) == view_.path()) continue; // it imports nothing from itself
            bool isFile = isC ? extension == ".h" || extension == ".c" : extension == ".sx";
            if (name[0] != '.' && (isFolder || isFile)) found.insert({name, isFolder});
        }
    }

    // ---- names

    /// The statement up to the name that is typed. Braces of literals and what stands in brackets belong to it.
    std::string_view statement() const {
        if (!syntax_) return {};
        const std::vector<Token>& tokens = syntax_->tokens;
        size_t i = tokensBefore();
        auto isLiteral = [&](size_t brace) { return brace > 0 && tokens[brace - 1].kind == TokenKind::Dot; };
        while (i > 0) {
            TokenKind kind = tokens[i - 1].kind;
            bool closes = kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace;
            size_t opener = closes ? tokens[i - 1].value : noMatch;
            if (kind == TokenKind::Semicolon || kind == TokenKind::LBrace) break;
            if (kind == TokenKind::RBrace && (opener == noMatch || !isLiteral(opener))) break;
            i = opener < i ? opener : i - 1;
        }
        size_t from = i < tokens.size() ? syntax_->offset(tokens[i].begin) : start_;
        return from <= start_ ? text_.substr(from, start_ - from) : std::string_view();
    }
    /// How many tokens begin before the name that is typed.
    size_t tokensBefore() const {
        size_t i = 0;
        while (i < syntax_->tokens.size() && syntax_->tokens[i].kind != TokenKind::Eof &&
               syntax_->offset(syntax_->tokens[i].begin) < start_)
            ++i;
        return i;
    }

    debugger::Candidates candidates(const sema::BodyScope* scope, std::string_view before) {
        std::optional<sema::CodePlace> at;
        if (scope) at.emplace(sema::CodePlace{pos_, *scope->code, scope->opened});
        return debugger::candidatesAfter(*view_.program().sema, before, pos_, at ? &*at : nullptr,
                                         [](const std::string&) { return TypeId::None; });
    }

    /// With what its own declaration says of it, and its type in the type that has it.
    void addCandidate(const debugger::Candidate& c, TypeId owner, int rank) {
        TypeTable& types = view_.program().types;
        const Declaration* d = c.declared.isValid() ? view_.declarationAt(c.declared) : nullptr;
        llvm::StringRef kind = c.kind;
        std::string detail, comment = d ? commentOf(view_, *d) : "";
        bool isVariant = d && (d->kind == DeclaredKind::Variant || d->kind == DeclaredKind::Tag);
        if (isVariant || kind == "enum") {
            const Declaration* of = d ? view_.parentOf(*d) : nullptr;
            detail = (of ? std::string(view_.program().ast.names.text(of->name)) + "." : ".") + c.name;
            if (c.type != TypeId::None) detail += ": " + writtenName(types, c.type);
        } else if (c.type != TypeId::None) {
            detail = c.name + ": " + writtenName(types, c.type);
        } else if (d) {
            return addKnown(*d, kind, rank, owner, c.name);
        }
        add(c.name, kind, rank, detail, comment);
    }

    bool sees(const Declaration& d) const { return d.scope.begin <= pos_ && pos_ <= d.scope.end; }

    // ---- names that are followed by `=`

    /// The bracket around the place, if it is of a literal `….{`.
    std::optional<size_t> literalAround(const Syntax& s) const {
        std::vector<size_t> stack;
        for (size_t i = 0; i < s.tokens.size() && s.offset(s.tokens[i].begin) < start_; ++i) {
            TokenKind kind = s.tokens[i].kind;
            if (kind == TokenKind::LBrace || kind == TokenKind::LParen || kind == TokenKind::LBracket)
                stack.push_back(i);
            else if ((kind == TokenKind::RBrace || kind == TokenKind::RParen || kind == TokenKind::RBracket) &&
                     !stack.empty())
                stack.pop_back();
        }
        bool isLiteral = !stack.empty() && stack.back() > 0 && s.tokens[stack.back()].kind == TokenKind::LBrace &&
                         s.tokens[stack.back() - 1].kind == TokenKind::Dot;
        return isLiteral ? std::optional(stack.back()) : std::nullopt;
    }

    /// The fields that a literal does not have yet.
    void literalFields(const Syntax& s) {
        std::optional<size_t> brace = literalAround(s);
        bool begins = brace && (text_[lastBefore(start_)] == ',' || text_[lastBefore(start_)] == '{');
        bool isPush = brace && *brace > 1 && s.tokens[*brace - 2].kind == TokenKind::KwPush;
        if (!begins) return;
        TypeTable& types = view_.program().types;
        TypeId type = isPush ? view_.program().sema->contextType : literalStruct(view_, s, *brace);
        if (type == TypeId::None || types.kind(type) != TypeKind::Struct) return;
        std::set<std::string> present;
        for (size_t i = *brace; i + 2 < s.tokens.size() && s.tokens[i].kind != TokenKind::Semicolon; ++i) {
            const Token& name = s.tokens[i + 1];
            if (name.kind == TokenKind::RBrace) break;
            if (s.tokens[i + 2].kind == TokenKind::Equal) present.insert(std::string(s.textOf(name.span())));
            bool opens = name.kind == TokenKind::LBrace || name.kind == TokenKind::LParen;
            if (opens && name.value != noMatch && name.value > i) i = name.value - 1; // of another literal
        }
        tail_ = " = ";
        for (const StructField& f : types.structInfo(type).fields) {
            std::string name(types.names().text(f.name));
            if (!present.count(name)) add(name, "field", 0, name + ": " + writtenName(types, f.type));
        }
        tail_.clear();
    }

    /// The parameters of the call around that have no argument yet.
    void namedArguments(const Syntax& s) {
        std::optional<CallAround> call = callAround(s, start_);
        bool begins = call && (text_[lastBefore(start_)] == ',' || text_[lastBefore(start_)] == '(');
        const Declaration* d = begins ? calledFunction(view_, s, *call) : nullptr;
        if (!d || !d->function) return;
        size_t given = takesReceiver(view_, s, *call, *d) ? 1 : 0; // by their places
        if (call->argument > call->before.size()) given += call->argument - call->before.size();
        tail_ = " = ";
        for (const ast::Param& p : d->function->params) {
            std::string name(view_.program().ast.names.text(p.name.name));
            if (given > 0) --given;
            else if (!call->before.count(name)) add(name, "property", 2, inOneLine(view_.textOf(p.span)));
        }
        tail_.clear();
    }

    /// `$T` in the same list, which may not parse yet.
    void typeParameters(const Syntax& s) {
        size_t i = 0;
        while (i < s.tokens.size() && s.offset(s.tokens[i].begin) < start_) ++i;
        auto ends = [&](TokenKind k) {
            return k == TokenKind::Semicolon || k == TokenKind::LBrace || k == TokenKind::RBrace;
        };
        for (; i > 1 && !ends(s.tokens[i - 1].kind); --i)
            if (s.tokens[i - 2].kind == TokenKind::Dollar && isIdentLike(s.tokens[i - 1].kind))
                add(std::string(s.textOf(s.tokens[i - 1].span())), "typeParameter", 1);
    }

    /// The last byte before a place that is no white space.
    size_t lastBefore(size_t at) const {
        while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\n' || text_[at - 1] == '\t')) --at;
        return at > 0 ? at - 1 : 0;
    }

    /// What the file imports without a name for it.
    void imported() {
        for (const auto& file : view_.program().sema->program.files) {
            if (file->id != view_.file()) continue;
            for (const sema::ImportEdge& edge : file->flatImports)
                for (const sema::SourceFile* other : edge.module->files)
                    for (const sema::Symbol* s : other->order) {
                        const Declaration* d = s->isPrivate ? nullptr : view_.declarationAt(s->nameSpan.begin);
                        if (d) addKnown(*d, d->function ? "function" : d->decl ? "class" : "value", 4);
                    }
        }
    }

    void addKnown(const Declaration& d, llvm::StringRef kind, int rank, TypeId owner = {}, std::string name = {}) {
        if (!fits(d)) return;
        if (name.empty()) name = std::string(view_.program().ast.names.text(d.name));
        bool isType = d.kind == DeclaredKind::Struct || d.kind == DeclaredKind::Enum;
        std::string detail = inInstance(view_, d, owner, signatureOf(view_, d));
        add(name, kind, rank, isType ? inOneLine(detail).substr(0, 80) : detail, commentOf(view_, d));
    }

    /// Only what may be named there: a protocol behind `impl`, an error set behind `!`.
    bool fits(const Declaration& d) const {
        const auto* import = llvm::dyn_cast_or_null<ast::ImportDecl>(d.decl);
        if (wanted_ == Wanted::Anything || import || d.kind == DeclaredKind::Namespace) return true;
        if (wanted_ == Wanted::Protocol) return d.kind == DeclaredKind::Protocol;
        bool isAlias = d.kind == DeclaredKind::Constant;
        if (wanted_ == Wanted::ErrorSet) return d.kind == DeclaredKind::ErrorSet;
        return isAlias || d.kind == DeclaredKind::Struct || d.kind == DeclaredKind::Enum ||
               d.kind == DeclaredKind::Union || d.kind == DeclaredKind::TypeParameter;
    }

    void names(const sema::BodyScope* scope) {
        wanted_ = syntax_ ? wantedAt(*syntax_, start_) : Wanted::Anything;
        if (syntax_) missingMethods(*syntax_);
        if (wanted_ == Wanted::Anything)
            for (std::string_view word : words_.keywords)
                add(std::string(word), "keyword", words_.keywordsFirst ? 0 : 6);
        if (!words_.names) return;
        if (syntax_ && wanted_ == Wanted::Anything) {
            literalFields(*syntax_);
            namedArguments(*syntax_);
            if (words_.isType) typeParameters(*syntax_);
        }
        // Locals by the text's own scopes: they are known where nothing could be checked.
        std::vector<const Declaration*> locals;
        for (const Declaration& d : view_.names(view_.file()).declarations)
            if (d.scope.isValid() && sees(d) && d.nameSpan.end <= pos_) locals.push_back(&d);
        for (auto d = locals.rbegin(); d != locals.rend(); ++d)
            addKnown(**d, (*d)->kind == DeclaredKind::TypeParameter ? "typeParameter" : "variable", 1);
        for (const debugger::Candidate& c : candidates(scope, "").all) {
            const Declaration* d = c.declared.isValid() ? view_.declarationAt(c.declared) : nullptr;
            if (d ? fits(*d) : wanted_ == Wanted::Anything && llvm::StringRef(c.kind) == "variable")
                addCandidate(c, TypeId::None, 2);
        }
        for (const Declaration& d : view_.names(view_.file()).declarations)
            if (d.parent < 0 && !d.scope.isValid() && d.decl) addKnown(d, d.function ? "function" : "class", 3);
        imported();
        if (wanted_ == Wanted::Anything || wanted_ == Wanted::Type)
            for (std::string_view type : builtinTypeNames()) add(std::string(type), "class", 5);
    }

    /// In an `impl`, what it has not of its protocol's methods.
    void missingMethods(const Syntax& s) {
        for (const MissingMethod& m : missingMethodsAt(view_, s, start_)) {
            newText_ = m.text;
            add(m.name, "method", 0, m.text, m.comment);
            newText_.clear();
        }
    }

    // ---- after a dot

    void afterPoint(const sema::BodyScope* scope) {
        std::string before(statement());
        llvm::StringRef operand = llvm::StringRef(before).drop_back().rtrim();
        bool isTag = operand.ends_with("error");
        llvm::StringRef ahead = isTag ? operand.drop_back(5).rtrim() : operand;
        if (ahead.ends_with("case") || operand.empty()) {
            if (matchArms()) return;
        }
        if (isTag) {
            comparedTags(ahead);
            return errorTags();
        }
        bool isOperand = syntax_ && tokensBefore() > 0 && beginsOperand(*syntax_, tokensBefore() - 1);
        if (isOperand)
            if (TypeId wanted = expectedEnum(view_, *syntax_, start_ - 1); wanted != TypeId::None)
                return variants(wanted);
        if (isOperand && tokensBefore() > 1 && isKeyword(syntax_->tokens[tokensBefore() - 2].kind)) before = ".";
        if (!isOperand &&
            !operand.empty()) { // an arrow's body ends at the operand, where nothing stands behind the dot
            pos_ = view_.posOf(static_cast<uint32_t>(lastBefore(start_ - 1) + 1));
            scope = view_.program().sema->bodyScopes.at(pos_);
        }
        debugger::Candidates found = candidates(scope, before);
        wanted_ = syntax_ ? wantedAt(*syntax_, start_) : Wanted::Anything;
        for (const debugger::Candidate& c : found.all) {
            const Declaration* d = c.declared.isValid() ? view_.declarationAt(c.declared) : nullptr;
            if (!d || fits(*d)) addCandidate(c, found.owner, 1);
        }
    }

    void variants(TypeId type) {
        for (const Variant& v : view_.program().types.enumInfo(type).variants)
            addCandidate({std::string(view_.program().types.names().text(v.name)), "enum", view_.memberAt(type, v.name),
                          v.payload},
                         type, 1);
    }

    /// Behind `e == error.` the tags of what is compared come first.
    void comparedTags(llvm::StringRef before) {
        if (!before.consume_back("==") && !before.consume_back("!=")) return;
        before = before.rtrim();
        llvm::StringRef value = before.substr(before.find_last_not_of("._abcdefghijklmnopqrstuvwxyz"
                                                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") +
                                              1);
        if (value.empty()) return;
        TypeTable& types = view_.program().types;
        TypeId type = lower::typeOf(*view_.program().sema, value.str(), pos_).type;
        if (types.kind(type) != TypeKind::ErrorSet) return;
        for (Name tag : tagsOfSet(type)) add(std::string(types.names().text(tag)), "enum", 0);
    }

    /// What an error of this type may be. Of an inferred set what the call may end with that was handled last.
    std::vector<Name> tagsOfSet(TypeId set) {
        if (set != TypeId::InferredErrors) {
            llvm::ArrayRef<Name> tags = view_.program().types.errorSetInfo(set).tags;
            return {tags.begin(), tags.end()};
        }
        const Declaration* around = view_.functionAround(pos_);
        const CallSite* nearest = nullptr;
        ErrorMap map(view_);
        for (const auto& body : map.all())
            for (const CallSite& call : body->calls) {
                if (body->function != around) break;
                bool binds = call.handling == CallHandling::Catch || call.handling == CallHandling::Destructure;
                if (binds && call.operand.end <= pos_ && (!nearest || nearest->operand.end < call.operand.end))
                    nearest = &call;
            }
        return nearest ? map.tagsOfCall(*nearest) : std::vector<Name>();
    }

    /// What the call of a function may end with that was handled last.
    std::vector<Name> tagsOfCaught(const Declaration& function) {
        ErrorMap map(view_);
        const CallSite* nearest = nullptr;
        for (const auto& body : map.all())
            for (const CallSite& c : body->calls)
                if (c.callee == function.nameSpan.begin && c.operand.end <= pos_ &&
                    view_.program().sources.fileOf(c.operand.begin) == view_.file() &&
                    (!nearest || nearest->operand.end < c.operand.end))
                    nearest = &c;
        return nearest ? map.tagsOfCall(*nearest) : errorsOf(view_, *function.function);
    }

    /// The tags of the set that the function around may end with come first.
    void errorTags() {
        std::set<Name> own;
        const Declaration* f = view_.functionAround(pos_);
        if (f && f->function && f->function->result) {
            for (SourcePos p = f->function->result->span.begin; p < f->function->result->span.end; p = p + 1) {
                const Named* n = view_.nameAt(p);
                const Declaration* set = n && n->target.isValid() ? view_.declarationAt(n->target) : nullptr;
                if (const auto* d = set ? llvm::dyn_cast_or_null<ast::ErrorSetDecl>(set->decl) : nullptr)
                    for (const ast::Ident& tag : d->tags) own.insert(tag.name);
            }
        }
        for (bool isOwn : {true, false})
            for (const auto& file : view_.program().sema->program.files)
                for (const Declaration& d : view_.names(file->id).declarations) {
                    if (d.kind != DeclaredKind::Tag || (own.count(d.name) != 0) != isOwn) continue;
                    const Declaration* set = view_.parentOf(d);
                    add(std::string(view_.program().ast.names.text(d.name)), "enum", isOwn ? 1 : 2,
                        set ? std::string(view_.program().ast.names.text(set->name)) : "", commentOf(view_, d));
                }
    }

    /// The variants that a match has no arm for yet.
    bool matchArms() {
        const Syntax* s = syntax_.get();
        if (!s) return false;
        // The innermost `== {` around the place, and the arms that it has.
        size_t open = SIZE_MAX;
        std::vector<size_t> stack;
        for (size_t i = 0; i < s->tokens.size() && s->offset(s->tokens[i].begin) < offset_; ++i) {
            if (s->tokens[i].kind == TokenKind::LBrace) stack.push_back(i);
            else if (s->tokens[i].kind == TokenKind::RBrace && !stack.empty()) stack.pop_back();
        }
        if (!stack.empty()) open = stack.back();
        if (open == SIZE_MAX || open < 2 || s->tokens[open - 1].kind != TokenKind::EqualEqual) return false;
        size_t from = open - 1;
        while (from > 0 && s->tokens[from - 1].kind != TokenKind::KwIf) --from;
        std::string subject(s->textOf({s->tokens[from].begin, s->tokens[open - 2].end}));
        TypeTable& types = view_.program().types;
        const Declaration* caught = caughtCall(view_, *s, open - 1);
        TypeId type = caught ? TypeId::None : lower::typeOf(*view_.program().sema, subject, pos_).type;
        while (types.kind(type) == TypeKind::Pointer) type = types.elem(type);
        std::set<std::string> present;
        size_t close = s->tokens[open].value == noMatch ? s->tokens.size() - 1 : s->tokens[open].value;
        for (size_t i = open; i + 3 < close; ++i) {
            if (s->tokens[i].kind != TokenKind::KwCase) continue;
            const Token& name = s->tokens[s->tokens[i + 1].kind == TokenKind::KwError ? i + 3 : i + 2];
            if (s->offset(name.begin) != start_) present.insert(std::string(s->textOf(name.span())));
        }
        auto arm = [&](Name name, const std::string& detail) {
            std::string text(types.names().text(name));
            add(text, "enum", present.count(text) ? 2 : 1, detail);
        };
        if (caught)
            for (Name tag : tagsOfCaught(*caught)) arm(tag, "");
        else if (types.kind(type) == TypeKind::Enum)
            for (const Variant& v : types.enumInfo(type).variants)
                arm(v.name, v.payload == TypeId::None ? "" : writtenName(types, v.payload));
        else if (types.kind(type) == TypeKind::ErrorSet)
            for (Name tag : tagsOfSet(type)) arm(tag, "");
        else if (types.kind(type) == TypeKind::Optional)
            for (const char* name : {"some", "none"}) add(name, "enum", present.count(name) ? 2 : 1);
        return !items_.empty();
    }

    Workspace& workspace_;
    View& view_;
    uint32_t offset_, start_ = 0;
    SourcePos pos_;
    std::string_view text_;
    json::Array items_;
    std::set<std::string> seen_;
    std::string tail_;    ///< what is written behind a name
    std::string newText_; ///< what is written in its place; empty: itself
    Wanted wanted_ = Wanted::Anything;
    std::unique_ptr<Syntax> syntax_;
    Words words_;
};

} // namespace

Reply completion(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    if (!view || !position || !view->program().fileOf(view->path())) return {};
    uint32_t offset = view->lines(view->file()).offset(*position);
    return {Completion(workspace, *view, offset).run()};
}

} // namespace sx::server
