// Corrections: what a diagnostic's `help:` says, as edits.
#include "server/features/Features.h"
#include "server/features/Fixes.h"
#include "server/text/Uri.h"

#include <algorithm>
#include <map>

namespace sx::server {

namespace {

bool touches(const Range& a, const Range& b) { return a.start <= b.end && b.start <= a.end; }

/// Whether the client wants actions of a kind.
bool wants(const json::Object& params, llvm::StringRef kind) {
    const json::Value* only = memberAt(params, {"context", "only"});
    if (!only || !only->getAsArray()) return true;
    for (const json::Value& v : *only->getAsArray()) {
        llvm::StringRef wanted = v.getAsString().value_or("");
        if (wanted.empty() || kind == wanted || (kind.starts_with(wanted) && kind[wanted.size()] == '.')) return true;
    }
    return false;
}

class Actions {
public:
    Actions(Workspace& workspace, View& view, const json::Object& params)
        : workspace_(workspace), view_(view), params_(params) {}

    json::Array run(Range at) {
        std::vector<Fix> all = fixesOf(workspace_, view_);
        std::map<std::string, std::vector<const Fix*>> kinds;
        for (const Fix& f : all) kinds[f.kind].push_back(&f);
        for (const Fix& f : all) {
            if (!touches(f.diagnostic, at)) continue;
            if (wants(params_, "quickfix")) add(f.title, "quickfix", {&f});
            std::vector<const Fix*>& same = kinds[f.kind];
            if (same.size() > 1 && f.repeatable && wants(params_, "quickfix"))
                add(f.allTitle, "quickfix", std::exchange(same, {}));
        }
        if (wantsAll()) fixAll(all);
        return std::move(out_);
    }

private:
    /// Only a client that names the kind gets it: an editor does so when it saves.
    bool wantsAll() {
        const json::Value* only = memberAt(params_, {"context", "only"});
        return only && only->getAsArray() && wants(params_, "source.fixAll");
    }

    /// What has one answer and changes nothing that a program does.
    void fixAll(const std::vector<Fix>& all) {
        std::vector<const Fix*> chosen;
        for (const Fix& f : all)
            if (f.kind == "unused import" || llvm::StringRef(f.kind).starts_with("missing ")) chosen.push_back(&f);
        if (!chosen.empty()) add("Fix all", "source.fixAll", chosen);
    }

    /// Edits leave no text with more errors than it has that keep it from being parsed.
    bool parses(const std::vector<const Fix*>& fixes) {
        std::map<std::string, std::vector<const FixEdit*>> edits;
        for (const Fix* f : fixes)
            for (const FixEdit& e : f->edits) edits[e.path].push_back(&e);
        for (auto& [path, list] : edits) {
            const std::string* text = workspace_.text(path);
            if (!text) continue;
            LineTable lines(*text, view_.encoding());
            std::stable_sort(list.begin(), list.end(),
                             [](const FixEdit* a, const FixEdit* b) { return a->range.start < b->range.start; });
            std::string after = *text;
            for (auto e = list.rbegin(); e != list.rend(); ++e) {
                uint32_t from = lines.offset((*e)->range.start), to = lines.offset((*e)->range.end);
                after.replace(from, to - from, (*e)->text);
            }
            auto [known, isNew] = errors_.try_emplace(path, 0);
            if (isNew) known->second = syntaxErrors(*text);
            size_t left = syntaxErrors(after);
            bool isSyntax = known->second > 0 && llvm::StringRef(fixes.front()->kind).starts_with("missing ");
            if (isSyntax ? left >= known->second : left > known->second) return false;
        }
        return true;
    }

    void add(const std::string& title, const char* kind, const std::vector<const Fix*>& fixes) {
        if (!parses(fixes)) return;
        std::map<std::string, json::Array> edits;
        for (const Fix* f : fixes)
            for (const FixEdit& e : f->edits)
                edits[e.path].push_back(json::Object{{"range", toJson(e.range)}, {"newText", json::fixUTF8(e.text)}});
        json::Object changes;
        for (auto& [path, list] : edits) changes[json::fixUTF8(uriOfPath(path))] = std::move(list);
        json::Object action{
            {"title", json::fixUTF8(title)}, {"kind", kind}, {"edit", json::Object{{"changes", std::move(changes)}}}};
        json::Array diagnostics = matching(*fixes.front());
        if (!diagnostics.empty()) action["diagnostics"] = std::move(diagnostics);
        out_.push_back(std::move(action));
    }

    /// The client's own copies of the diagnostic that is corrected.
    json::Array matching(const Fix& fix) {
        json::Array found;
        const json::Value* given = memberAt(params_, {"context", "diagnostics"});
        if (!given || !given->getAsArray()) return found;
        for (const json::Value& v : *given->getAsArray()) {
            const json::Object* o = v.getAsObject();
            std::optional<Range> range = o ? readRange(o->getObject("range")) : std::nullopt;
            if (range && *range == fix.diagnostic) found.push_back(v);
        }
        return found;
    }

    Workspace& workspace_;
    View& view_;
    const json::Object& params_;
    std::map<std::string, size_t> errors_; ///< of texts as they are
    json::Array out_;
};

} // namespace

Reply codeActions(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Range> range = readRange(params.getObject("range"));
    if (!view || !range || !view->original().fileOf(view->path())) return {json::Array{}};
    return {Actions(workspace, *view, params).run(*range)};
}

} // namespace sx::server
