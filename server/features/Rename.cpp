// Giving a name another one, where that changes nothing else.
#include "server/features/Features.h"
#include "server/features/References.h"
#include "server/features/Targets.h"
#include "server/text/Uri.h"
#include "syntax/Lexer.h"

#include <map>

namespace sx::server {

namespace {

/// Why a text can be no name; "": it can.
std::string whyNoName(const std::string& text) {
    SourceManager sources;
    NameTable names{knownNames()};
    FileId file = sources.addFile("name", "name", text);
    std::vector<Token> tokens = lexFile(sources, file, names);
    bool isOne = tokens.size() == 2 && sources.textOf(tokens[0].span()) == text;
    if (!isOne || !isIdentLike(tokens[0].kind)) return "`" + text + "` is no name";
    return text == "_" ? "`_` names nothing" : "";
}

std::string nameText(View& view, const Named& named) { return std::string(view.program().sources.textOf(named.at)); }

bool isOfLibrary(View& view, SourcePos pos) {
    const sema::SourceFile* f = view.program().sourceFile(view.program().sources.fileOf(pos));
    return !f || f->isForeign || (f->isLibrary && !f->isEntry);
}

/// Why what stands here cannot be renamed; "": it can.
std::string whyNot(View& view, const Named& named) {
    if (named.tag != Name::None) {
        for (const Declaration* d : view.tagDeclarations(named.tag))
            if (isOfLibrary(view, d->nameSpan.begin)) return "the library declares this error";
        return "";
    }
    if (!view.declarationAt(named.target)) return "what this names is not declared in a file of the program";
    for (SourcePos target : familyOf(view, named.target))
        if (isOfLibrary(view, target)) return "this is declared in the library";
    std::string text = nameText(view, named);
    if (text == "Self" || text == "main") return "`" + text + "` has a meaning of its own";
    return "";
}

bool overlaps(Span a, Span b) { return a.begin < b.end && b.begin < a.end; }

/// What the new name would collide with, or capture; "": nothing.
std::string conflict(View& view, const Named& named, const std::string& name) {
    Name fresh = view.program().ast.names.intern(name);
    const Declaration* d = view.declarationAt(named.target);
    if (!d) return "";
    auto where = [&](const Declaration& other) {
        return view.pathOf(other.nameSpan.begin) + ":" + std::to_string(view.range(other.nameSpan).start.line + 1);
    };
    bool isMember =
        d->kind == DeclaredKind::Field || d->kind == DeclaredKind::Method || d->kind == DeclaredKind::Variant;
    std::vector<Named> uses = view.sameAs(named);
    for (const auto& file : view.program().sema->program.files) {
        if (file->isForeign || (file->isLibrary && !file->isEntry)) continue;
        for (const Declaration& other : view.names(file->id).declarations) {
            if (other.name != fresh || &other == d) continue;
            bool otherIsMember = other.kind == DeclaredKind::Field || other.kind == DeclaredKind::Method ||
                                 other.kind == DeclaredKind::Variant || other.kind == DeclaredKind::Tag;
            if (isMember != otherIsMember) continue;
            if (isMember) {
                if (view.parentOf(other) == view.parentOf(*d) && view.parentOf(*d))
                    return "`" + name + "` is declared here already: " + where(other);
                continue;
            }
            bool bothLocal = d->scope.isValid() && other.scope.isValid();
            if (bothLocal ? overlaps(d->scope, other.scope) : !d->scope.isValid() && !other.scope.isValid())
                return "`" + name + "` is declared already: " + where(other);
            // A local one would capture uses of the other, or be captured by it.
            if (other.scope.isValid() && !d->scope.isValid())
                for (const Named& use : uses)
                    if (other.scope.begin <= use.at.begin && use.at.begin < other.scope.end)
                        return "a use would mean the local `" + name + "`: " + where(other);
            if (d->scope.isValid() && !other.scope.isValid())
                for (const Named& use : view.sameAs({other.nameSpan, other.nameSpan.begin}))
                    if (d->scope.begin <= use.at.begin && use.at.begin < d->scope.end)
                        return "a use of `" + name + "` would mean what is renamed: " + where(other);
        }
    }
    return "";
}

/// What takes the place of a name. In `.{ x }` the other of the two things that it names keeps its name.
std::string newText(const Reference& r, const std::string& old, const std::string& name) {
    if (name == old || r.isShort == Named::Short::No) return name;
    return r.isShort == Named::Short::Value ? old + " = " + name : name + " = " + old;
}

} // namespace

Reply prepareRename(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    const Named* named = view && position ? view->nameAt(view->at(*position)) : nullptr;
    if (!named) return {};
    if (std::string why = whyNot(*view, *named); !why.empty()) return Reply::failure(ErrorCode::RequestFailed, why);
    return {json::Object{{"range", toJson(view->range(named->at))},
                         {"placeholder", json::fixUTF8(nameText(*view, *named))}}};
}

Reply rename(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    const Named* named = view && position ? view->nameAt(view->at(*position)) : nullptr;
    std::string name = params.getString("newName").value_or("").str();
    if (!named) return Reply::failure(ErrorCode::RequestFailed, "there is no name here");
    for (const std::string& why : {whyNot(*view, *named), whyNoName(name)})
        if (!why.empty()) return Reply::failure(ErrorCode::RequestFailed, why);
    std::string old = nameText(*view, *named);
    std::vector<Reference> places = referencesTo(workspace, *view, *named);
    if (name != old) {
        if (std::string why = conflict(*view, *named, name); !why.empty())
            return Reply::failure(ErrorCode::RequestFailed, why);
        for (const Reference& r :
             places) { // other programs may have more of that name, and other methods of a protocol neighbours
            bool isChecked = r.path == view->path() && !r.isDeclaration;
            View* other = isChecked ? nullptr : workspace.view(r.path);
            const Named* there = other ? other->nameAt(other->at(r.range.start)) : nullptr;
            std::string why = there ? conflict(*other, *there, name) : "";
            if (!why.empty()) return Reply::failure(ErrorCode::RequestFailed, why);
        }
    }
    std::map<std::string, json::Array> edits;
    for (const Reference& r : places)
        edits[r.path].push_back(json::Object{{"range", toJson(r.range)}, {"newText", newText(r, old, name)}});
    json::Object changes;
    for (auto& [path, list] : edits) changes[json::fixUTF8(uriOfPath(path))] = std::move(list);
    return {json::Object{{"changes", std::move(changes)}}};
}

} // namespace sx::server
