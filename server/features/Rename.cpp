// Giving a name another one, where that changes nothing else.
#include "server/features/Features.h"
#include "server/features/References.h"
#include "server/features/RenameCheck.h"
#include "server/features/Targets.h"
#include "server/text/Uri.h"
#include "syntax/Lexer.h"

#include <map>

namespace sx::server {

namespace {

/// A name as a client gives it.
struct NewName {
    std::string text;       ///< without a backtick
    bool isRaw = false;     ///< it is written with one
    bool isKeyword = false; ///< it needs one, except behind a dot
    std::string whyNone{};  ///< why it can be no name; "": it can
};

NewName newNameOf(const std::string& text) {
    SourceManager sources;
    NameTable names{knownNames()};
    FileId file = sources.addFile("name", "name", text);
    std::vector<Token> tokens = lexFile(sources, file, names);
    NewName made;
    if (tokens.size() == 2) {
        made.text = sources.textOf(tokens[0].span());
        made.isRaw = tokens[0].raw;
        made.isKeyword = isKeyword(tokens[0].kind);
    }
    bool isWhole = made.text.size() + (made.isRaw ? 1 : 0) == text.size() && !made.text.empty();
    bool isName = tokens.size() == 2 && (isIdentLike(tokens[0].kind) || made.isRaw || made.isKeyword);
    if (!isWhole || !isName) made.whyNone = "`" + text + "` is no name";
    else if (text == "_") made.whyNone = "`_` names nothing";
    else if (text == "Self" || text == "main") made.whyNone = "`" + text + "` has a meaning of its own";
    return made;
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
    const ast::FunctionDecl* f = view.declarationAt(named.target)->function;
    bool isFunction = f && f->name.span.begin == named.target;
    if (isFunction && f->linkage != ast::Linkage::Normal && f->symbol.empty())
        return "its name is the symbol that the linker sees: write the symbol behind `" +
               std::string(f->linkage == ast::Linkage::Extern ? "extern" : "export") + "` first";
    std::string text = nameText(view, named);
    if (text == "Self" || text == "main") return "`" + text + "` has a meaning of its own";
    return "";
}

/// An error of this name would be the same one.
std::string whyMerged(Workspace& workspace, View& view, const std::string& name) {
    auto standsIn = [&](View& v) -> std::string {
        Named wanted;
        wanted.tag = v.program().ast.names.intern(name);
        std::vector<Named> same = v.sameAs(wanted);
        if (same.empty()) return "";
        SourcePos at = same.front().at.begin;
        return "`error." + name + "` exists already: " + v.pathOf(at) + ":" +
               std::to_string(v.range(same.front().at).start.line + 1);
    };
    if (std::string why = standsIn(view); !why.empty()) return why;
    for (const std::string& path : workspace.files()) {
        const std::string* text = path == view.path() ? nullptr : workspace.text(path);
        View* other = text && hasWord(*text, name) ? workspace.view(path) : nullptr;
        if (!other) continue;
        if (std::string why = standsIn(*other); !why.empty()) return why;
    }
    return "";
}

/// A name as it has to be written at a place.
std::string spelled(const NewName& name, std::string_view text, uint32_t at) {
    char before = at > 0 && at <= text.size() ? text[at - 1] : ' ';
    bool needsTick = name.isRaw || name.isKeyword;
    return !needsTick || before == '`' || (before == '.' && !name.isRaw) ? name.text : "`" + name.text;
}

/// What takes the place of a name. In `.{ x }` the other of the two things that it names keeps its name.
std::string newText(const Reference& r, const std::string& old, const std::string& name) {
    if (r.isShort == Named::Short::No) return name;
    return r.isShort == Named::Short::Value ? old + " = " + name : name + " = " + old;
}

Renaming renamingOf(Workspace& workspace, View& view, const Named& named, const NewName& name,
                    const std::vector<Reference>& places) {
    Renaming r{named, nameText(view, named), name.text, {}};
    const Declaration* d = named.target.isValid() ? view.declarationAt(named.target) : nullptr;
    r.isLocal = d && !d->isSeenOutside();
    for (const Reference& place : places) {
        const std::string* text = workspace.text(place.path);
        std::string with = newText(place, r.old, spelled(name, text ? *text : "", place.begin));
        r.edits[place.path].push_back({place.begin, place.end, with, place.isShort});
    }
    return r;
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
    NewName name = newNameOf(params.getString("newName").value_or("").str());
    if (!named) return Reply::failure(ErrorCode::RequestFailed, "there is no name here");
    for (const std::string& why : {whyNot(*view, *named), name.whyNone})
        if (!why.empty()) return Reply::failure(ErrorCode::RequestFailed, why);
    std::vector<Reference> places = referencesTo(workspace, *view, *named);
    Renaming renaming = renamingOf(workspace, *view, *named, name, places);
    if (name.text != renaming.old) {
        std::string why = named->tag == Name::None ? "" : whyMerged(workspace, *view, name.text);
        if (why.empty()) why = whyUnknown(workspace, *view, renaming);
        if (why.empty()) why = whyChanged(workspace, *view, renaming);
        if (!why.empty()) return Reply::failure(ErrorCode::RequestFailed, why);
    }
    std::map<std::string, json::Array> edits;
    for (const Reference& r : places)
        for (const NameEdit& e : renaming.edits[r.path])
            if (e.begin == r.begin)
                edits[r.path].push_back(json::Object{{"range", toJson(r.range)}, {"newText", json::fixUTF8(e.text)}});
    json::Object changes;
    for (auto& [path, list] : edits) changes[json::fixUTF8(uriOfPath(path))] = std::move(list);
    return {json::Object{{"changes", std::move(changes)}}};
}

} // namespace sx::server
