// The ways of errors: from a `raise` to all places that handle it, from a `try` back to each `raise`.
#include "server/features/ErrorSites.h"
#include "server/features/Features.h"
#include "server/text/Uri.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>

namespace sx::server {

namespace {

constexpr size_t MostPaths = 1000;
constexpr size_t MostPrograms = 40;

struct Step {
    const char* kind;
    Span span;
    const Declaration* function;
};

/// Paths as they are found in one program.
class Paths {
public:
    explicit Paths(View& view) : view_(view), map_(view) {}

    /// False: nothing of errors stands there.
    bool at(SourcePos pos) {
        using Raising = std::pair<const ErrorSites*, const RaiseSite*>;
        using Calling = std::pair<const ErrorSites*, const CallSite*>;
        std::vector<Raising> raises; // the same place in several instances
        std::vector<Calling> calls;
        auto within = [&](Span s) { return s.begin <= pos && pos < s.end; };
        for (const auto& body : map_.all()) {
            for (const RaiseSite& r : body->raises) {
                if (!within(r.whole)) continue;
                if (!raises.empty() && raises.front().second->whole.begin != r.whole.begin) raises.clear();
                raises.emplace_back(body.get(), &r);
            }
            for (const CallSite& c : body->calls) {
                if (c.handling == CallHandling::None || !within(c.all)) continue;
                const CallSite* known = calls.empty() ? nullptr : calls.front().second;
                if (known && known->all.end < c.all.end) continue;
                bool isOrigin = c.tag != Name::None || !map_.targets(c).empty();
                if (!isOrigin) continue;
                if (known && known->calleeTree != c.calleeTree) calls.clear();
                calls.emplace_back(body.get(), &c);
            }
        }
        if (!raises.empty())
            for (auto [body, r] : raises) forward(*body, *r);
        else
            for (auto [body, c] : calls) back(*body, *c);
        return !raises.empty() || !calls.empty();
    }

    const char* direction = "back";
    std::vector<std::pair<Name, std::vector<Step>>> found;

private:
    void keep(Name tag, const std::vector<Step>& steps) {
        if (found.size() < MostPaths) found.emplace_back(tag, steps);
    }

    static const char* kindOf(CallHandling handling) {
        switch (handling) {
        case CallHandling::Try:
        case CallHandling::Forward: return "try";
        case CallHandling::Catch: return "catch";
        case CallHandling::Or: return "or";
        case CallHandling::Destructure: return "destructure";
        case CallHandling::None: break;
        }
        return "try";
    }
    static bool passesOn(const CallSite& c) {
        return c.handling == CallHandling::Try || c.handling == CallHandling::Forward;
    }

    void forward(const ErrorSites& body, const RaiseSite& r) {
        direction = "forward";
        std::vector<Name> tags{r.tag};
        if (r.tag == Name::None) tags = tagsOfVariable(body, r);
        for (Name tag : tags) {
            steps_ = {{"raise", r.keyword, body.function}};
            onwards(body, tag);
        }
    }

    /// What an error that is raised again may be.
    std::vector<Name> tagsOfVariable(const ErrorSites& body, const RaiseSite& r) {
        Paths other(view_);
        other.again(body, r);
        std::vector<Name> tags;
        for (auto& [tag, steps] : other.found)
            if (tag != Name::None && std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
        return tags.empty() ? std::vector<Name>{Name::None} : tags;
    }

    /// From a body that an error has left to whoever called it.
    void onwards(const ErrorSites& body, Name tag) {
        if (found.size() >= MostPaths || !seen_.insert(&body).second) return;
        bool any = false;
        const Declaration& f = *body.function;
        if (!body.lambda && f.parent < 0 && view_.program().ast.names.text(f.name) == "main") {
            any = true;
            steps_.push_back({"main", f.nameSpan, &f});
            keep(tag, steps_);
            steps_.pop_back();
        }
        for (const auto& [caller, c] : map_.callers(body)) {
            if (!map_.allows(*c, tag)) continue;
            any = true;
            steps_.push_back({kindOf(c->handling), c->keyword, caller->function});
            if (passesOn(*c)) onwards(*caller, tag);
            else handled(*caller, *c, tag);
            steps_.pop_back();
        }
        if (!any) keep(tag, steps_);
        seen_.erase(&body);
    }

    /// An error ends here, or is raised again from the variable that got it.
    void handled(const ErrorSites& body, const CallSite& c, Name tag) {
        keep(tag, steps_);
        if (!c.variable.isValid()) return;
        for (const RaiseSite& r : body.raises) {
            if (r.tag != Name::None || r.variable != c.variable) continue;
            steps_.push_back({"raise", r.keyword, body.function});
            onwards(body, tag);
            steps_.pop_back();
        }
    }

    void back(const ErrorSites& body, const CallSite& c) { through(body, c); }

    /// A call, and where the errors begin that it may end with.
    void through(const ErrorSites& body, const CallSite& c) {
        steps_.push_back({kindOf(c.handling), c.keyword, body.function});
        calls_.push_back(&c);
        if (c.tag != Name::None) ends(c.tag, {"raise", c.operand, body.function});
        for (const ErrorSites* called : map_.targets(c)) origins(*called);
        calls_.pop_back();
        steps_.pop_back();
    }

    void ends(Name tag, Step last) {
        for (const CallSite* c : calls_)
            if (!map_.allows(*c, tag)) return;
        steps_.push_back(last);
        keep(tag, steps_);
        steps_.pop_back();
    }

    /// From a body to the places where its errors begin.
    void origins(const ErrorSites& body) {
        if (found.size() >= MostPaths || !seen_.insert(&body).second) return;
        for (const RaiseSite& r : body.raises) {
            if (r.tag != Name::None) ends(r.tag, {"raise", r.keyword, body.function});
            else again(body, r);
        }
        for (const CallSite& c : body.calls)
            if (passesOn(c)) through(body, c);
        seen_.erase(&body);
    }

    /// From where a variable is raised to where it got its error.
    void again(const ErrorSites& body, const RaiseSite& r) {
        steps_.push_back({"raise", r.keyword, body.function});
        for (const CallSite& c : body.calls)
            if (c.variable.isValid() && c.variable == r.variable) through(body, c);
        steps_.pop_back();
    }

    View& view_;
    ErrorMap map_;
    std::vector<Step> steps_;
    std::vector<const CallSite*> calls_;
    std::set<const ErrorSites*> seen_;
};

/// The paths of several programs as the answer to a request: each once.
class Answer {
public:
    void add(View& view, const Paths& paths) {
        direction_ = paths.direction;
        isKnown_ = true;
        for (const auto& [tag, steps] : paths.found) {
            std::string name(view.program().ast.names.text(tag));
            json::Array list;
            for (const Step& s : steps)
                list.push_back(json::Object{
                    {"kind", s.kind},
                    {"uri", json::fixUTF8(uriOfPath(view.pathOf(s.span.begin)))},
                    {"range", toJson(view.range(s.span))},
                    {"function", json::fixUTF8(std::string(view.program().ast.names.text(s.function->name)))}});
            std::string key = name;
            std::vector<std::string> keys;
            for (const json::Value& step : list) keys.push_back(key += llvm::formatv("|{0}", step).str());
            if (keys.empty() || !whole_.insert(keys.back()).second) continue;
            keys.pop_back();
            longer_.insert(keys.begin(), keys.end());
            paths_.push_back({name, key, llvm::StringRef(steps.back().kind), std::move(list)});
        }
    }

    json::Value take() {
        if (!isKnown_) return nullptr;
        json::Array tags, paths;
        std::set<std::string> known;
        for (Path& p : paths_) {
            // A program that does not have the callers knows only the beginning.
            bool isOpen = p.last == "raise" || p.last == "try";
            if (direction_ == "forward" && isOpen && longer_.count(p.key)) continue;
            if (!p.tag.empty() && known.insert(p.tag).second) tags.push_back(p.tag);
            paths.push_back(json::Object{{"tag", p.tag}, {"steps", std::move(p.steps)}});
        }
        return json::Object{{"direction", direction_}, {"tags", std::move(tags)}, {"paths", std::move(paths)}};
    }

private:
    struct Path {
        std::string tag, key;
        llvm::StringRef last;
        json::Array steps;
    };
    std::string direction_;
    bool isKnown_ = false;
    std::vector<Path> paths_;
    std::set<std::string> whole_, longer_;
};

} // namespace

Reply errorPaths(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    SourcePos pos = view && position ? view->at(*position) : SourcePos{};
    if (!pos.isValid()) return {};
    Answer answer;
    auto ask = [&](View& v, SourcePos at) {
        Paths paths(v);
        if (at.isValid() && paths.at(at)) answer.add(v, paths);
    };
    ask(*view, pos);
    // Callers stand in files that import this one; implementations and closures may, too.
    size_t asked = 0;
    for (const std::string& entry : workspace.entriesOf(view->path())) {
        View* v = entry == view->path() || ++asked > MostPrograms ? nullptr : workspace.view(entry);
        if (v && v->program().fileOf(view->path())) ask(*v, v->at(view->path(), *position));
    }
    return {answer.take()};
}

} // namespace sx::server
