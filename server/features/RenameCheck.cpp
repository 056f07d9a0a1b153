// Two ways in which a rename would go wrong, asked of the compiler itself.
//
// Before: a use of the name in code that cannot be checked would be left out. After: every program that has an edited
// text is checked again with the edits. An error that was not there, or a name that means something else than before
// (places are compared through the edits), is a collision or a capture.
#include "server/features/RenameCheck.h"

#include "source/Files.h"
#include "source/Paths.h"
#include "syntax/Lexer.h"

#include <algorithm>
#include <set>

namespace sx::server {

namespace {

/// Below the open folder paths are written from there.
std::string shortPath(Workspace& workspace, const std::string& path) {
    return relativeIfBelow(path, workspace.rootOf(path));
}

std::string placeText(Workspace& workspace, View& view, SourcePos pos) {
    return shortPath(workspace, view.pathOf(pos)) + ":" + std::to_string(view.range({pos, pos}).start.line + 1);
}

bool isOwnFile(const sema::SourceFile& f) { return !f.isForeign && (!f.isLibrary || f.isEntry); }

// ------------------------------------------------------------------------------------ what cannot be checked

/// The tokens of a text that spell a name, as offsets.
std::vector<uint32_t> tokensNamed(std::string_view text, const std::string& name) {
    SourceManager sources;
    NameTable names{knownNames()};
    FileId file = sources.addFile("text", "text", std::string(text));
    std::vector<uint32_t> found;
    for (const Token& t : lexFile(sources, file, names))
        if (sources.textOf(t.span()) == name) found.push_back(t.begin.raw - sources.start(file).raw);
    return found;
}

/// A program may have what is renamed: it has the file that declares it, or imports that were not read.
bool maySee(View& view, const std::set<std::string>& declaredIn) {
    if (declaredIn.empty()) return true;
    for (const std::string& path : declaredIn)
        if (view.program().fileOf(path) || view.original().fileOf(path)) return true;
    std::optional<FileId> own = view.program().fileOf(view.path());
    if (!own || !view.isRepaired()) return !own;
    std::string_view now = view.program().sources.text(*own);
    for (uint32_t at : tokensNamed(view.text(*own), "#import"))
        if (now.substr(at, 7) != "#import") return true;
    return false;
}

std::string unknownIn(Workspace& workspace, View& view, const Renaming& r, uint32_t from, uint32_t to) {
    bool isBroken = view.isRepaired() || view.program().diags.hasErrors();
    std::optional<FileId> file = view.program().fileOf(view.path());
    if (!file) file = view.original().fileOf(view.path());
    if (!isBroken || !file) return "";
    std::string_view text = view.text(*file);
    for (uint32_t at : tokensNamed(text, r.old)) {
        if (at < from || at >= to || (r.isLocal && at > 0 && text[at - 1] == '.')) continue;
        SourcePos pos = view.posOf(at);
        const Named* known = view.nameAt(pos);
        if (!known || known->at.begin != pos)
            return "`" + r.old + "` at " + placeText(workspace, view, pos) +
                   " stands in code that has errors: whether it means this is not known";
    }
    return "";
}

} // namespace

std::string whyUnknown(Workspace& workspace, View& view, const Renaming& r) {
    constexpr uint32_t End = UINT32_MAX;
    const Declaration* d = r.named.target.isValid() ? view.declarationAt(r.named.target) : nullptr;
    if (r.isLocal && d) {
        uint32_t from = view.offsetOf(d->scope.begin), to = End; // an end that is missing makes it longer
        for (const Declaration& next : view.names(view.file()).declarations)
            if (next.parent < 0 && !next.scope.isValid() && next.nameSpan.begin >= d->scope.end)
                to = std::min(to, view.offsetOf(next.nameSpan.begin));
        return unknownIn(workspace, view, r, from, to);
    }
    std::set<std::string> declaredIn;
    for (const auto& [path, offset] : targetsOf(view, r.named)) declaredIn.insert(path);
    if (std::string why = unknownIn(workspace, view, r, 0, End); !why.empty()) return why;
    for (const std::string& path : workspace.files()) {
        const std::string* text = path == view.path() ? nullptr : workspace.text(path);
        View* other = text && mayName(*text, r.old, d) ? workspace.view(path) : nullptr;
        if (!other || !maySee(*other, declaredIn)) continue;
        if (std::string why = unknownIn(workspace, *other, r, 0, End); !why.empty()) return why;
    }
    return "";
}

// ------------------------------------------------------------------------------------ what is different afterwards

namespace {

using Place = std::pair<std::string, uint32_t>; ///< a path, and an offset in its text

class Comparison {
public:
    Comparison(Workspace& workspace, View& before, View& after, const Renaming& r)
        : workspace_(workspace), before_(before), after_(after), r_(r) {}

    std::string run() {
        if (std::string why = newError(); !why.empty()) return why;
        for (const auto& file : before_.program().sema->program.files)
            if (isOwnFile(*file))
                if (std::string why = otherMeaning(file->id); !why.empty()) return why;
        return "";
    }

private:
    const NameEdit* editAt(const std::string& path, uint32_t offset) const {
        auto edits = r_.edits.find(path);
        if (edits == r_.edits.end()) return nullptr;
        for (const NameEdit& e : edits->second)
            if (e.begin == offset) return &e;
        return nullptr;
    }

    /// Where a place of the text as it is lies in the edited one.
    Place moved(const std::string& path, uint32_t offset) const {
        auto edits = r_.edits.find(path);
        int64_t by = 0;
        if (edits != r_.edits.end())
            for (const NameEdit& e : edits->second) {
                if (e.begin >= offset) break;
                by += static_cast<int64_t>(e.text.size()) - (e.end - e.begin);
            }
        return {path, static_cast<uint32_t>(offset + by)};
    }
    Place moved(SourcePos pos) const { return moved(before_.pathOf(pos), before_.offsetOf(pos)); }

    /// Where a name that stands at a place begins: behind a backtick that it has got; of `a = b` for `a` at the value.
    Place movedName(SourcePos pos, bool ofField = false) const {
        Place at = moved(pos);
        const NameEdit* e = editAt(at.first, before_.offsetOf(pos));
        if (!e) return at;
        if (e->isShort != Named::Short::No && !ofField) at.second += static_cast<uint32_t>(e->text.find("= ") + 2);
        uint32_t in = at.second - moved(pos).second;
        if (in < e->text.size() && e->text[in] == '`') ++at.second;
        return at;
    }

    std::optional<SourcePos> posAfter(const Place& place) {
        std::optional<FileId> file = after_.program().fileOf(place.first);
        if (!file) return std::nullopt;
        return after_.program().sources.start(*file) + place.second;
    }

    std::string newError() {
        std::multiset<Place> known;
        for (const Diagnostic& d : before_.program().diags.all())
            if (d.severity == Severity::Error && d.span.isValid()) known.insert(moved(d.span.begin));
        Analysis& now = after_.original();
        for (const Diagnostic& d : now.diags.all()) {
            if (d.severity != Severity::Error || !d.span.isValid()) continue;
            FileId file = now.sources.fileOf(d.span.begin);
            Place at{now.pathOf(file), d.span.begin.raw - now.sources.start(file).raw};
            if (auto old = known.find(at); old != known.end()) {
                known.erase(old);
                continue;
            }
            LineTable lines(now.sources.text(file), Encoding::Utf8);
            std::string place = at.first.empty() ? "inserted text"
                                                 : shortPath(workspace_, at.first) + ":" +
                                                       std::to_string(lines.position(at.second).line + 1);
            return "it would be an error: " + place + ": " + d.message;
        }
        const auto &were = before_.program().diags.unplaced(), &are = now.diags.unplaced();
        return are.size() > were.size() ? "it would be an error: " + are.back().message : "";
    }

    bool isSame(const Named& was, const Named& is) {
        if ((was.tag == Name::None) != (is.tag == Name::None)) return false;
        if (was.tag != Name::None) {
            bool isRenamed = r_.named.tag != Name::None && before_.program().ast.names.text(was.tag) == r_.old;
            return after_.program().ast.names.text(is.tag) ==
                   (isRenamed ? std::string_view(r_.name) : before_.program().ast.names.text(was.tag));
        }
        if (!was.target.isValid() || !is.target.isValid()) return was.target.isValid() == is.target.isValid();
        return Place{after_.pathOf(is.target), after_.offsetOf(is.target)} == movedName(was.target);
    }

    std::string otherMeaning(FileId file) {
        std::set<Place> seen;
        auto wrong = [&](View& view, const Named& name, const Named* now) {
            bool isKnown = now && now->target.isValid() && after_.declarationAt(now->target);
            return "`" + std::string(view.textOf(name.at)) + "` at " + placeText(workspace_, view, name.at.begin) +
                   " would mean " +
                   (isKnown ? "what is declared at " + placeText(workspace_, after_, now->target) : "something else");
        };
        for (const Named& was : before_.named(file)) {
            Place place = movedName(was.at.begin);
            seen.insert(place);
            seen.insert(movedName(was.at.begin, true));
            std::optional<SourcePos> pos = posAfter(place);
            const Named* is = pos ? after_.nameAt(*pos) : nullptr;
            if (!is || is->at.begin != *pos || !isSame(was, *is))
                return wrong(before_, was, is && is->at.begin == *pos ? is : nullptr);
        }
        std::optional<FileId> now = after_.program().fileOf(before_.program().pathOf(file));
        if (!now) return "";
        for (const Named& is : after_.named(*now)) // names of the language itself are not in the table
            if (!seen.count({after_.pathOf(is.at.begin), after_.offsetOf(is.at.begin)})) return wrong(after_, is, &is);
        return "";
    }

    Workspace& workspace_;
    View &before_, &after_;
    const Renaming& r_;
};

std::string edited(std::string_view text, const std::vector<NameEdit>& edits) {
    std::string out;
    uint32_t done = 0;
    for (const NameEdit& e : edits) {
        if (e.begin < done || e.end > text.size()) continue;
        out += std::string(text.substr(done, e.begin - done)) + e.text;
        done = e.end;
    }
    return out + std::string(text.substr(std::min<size_t>(done, text.size())));
}

std::string changedIn(Workspace& workspace, View& view, const Renaming& r) {
    EditorTexts::Map texts;
    bool isTouched = false;
    for (const auto& file : view.program().sema->program.files) {
        if (!isOwnFile(*file)) continue;
        std::string path = view.program().pathOf(file->id);
        auto edits = r.edits.find(path);
        isTouched |= edits != r.edits.end();
        std::string_view text = view.program().sources.text(file->id); // the repaired one, where it is
        if (edits != r.edits.end()) texts[path] = edited(text, edits->second);
        else if (view.isRepaired()) texts[path] = text;
    }
    if (!isTouched) return "";
    EditorTexts::addOuter(texts);
    EditorTexts scope(texts);
    View after(view.path(), workspace.rootOf(view.path()), view.encoding());
    return Comparison(workspace, view, after, r).run();
}

} // namespace

std::string whyChanged(Workspace& workspace, View& view, const Renaming& r) {
    if (std::string why = changedIn(workspace, view, r); !why.empty() || r.isLocal) return why;
    const Declaration* d = r.named.target.isValid() ? view.declarationAt(r.named.target) : nullptr;
    std::set<std::string> checked{view.path()}, edited;
    for (const auto& [path, edits] : r.edits) edited.insert(path);
    for (const std::string& path : workspace.files()) {
        const std::string* text = path == view.path() ? nullptr : workspace.text(path);
        bool isNamed = text && (mayName(*text, r.old, d) || mayName(*text, r.name, d));
        View* other = isNamed ? workspace.view(path) : nullptr;
        if (!other) continue;
        checked.insert(path);
        if (std::string why = changedIn(workspace, *other, r); !why.empty()) return why;
    }
    if (d && d->isOfSignature) return "";
    // What generic code calls by its name depends on who instantiates it.
    std::set<std::string> programs;
    for (const std::string& path : edited)
        for (std::string& entry : workspace.entriesOf(path)) programs.insert(std::move(entry));
    for (const std::string& path : programs) {
        View* program = checked.insert(path).second ? workspace.view(path) : nullptr;
        if (!program) continue;
        if (std::string why = changedIn(workspace, *program, r); !why.empty()) return why;
    }
    return "";
}

} // namespace sx::server
