// The ways of errors: from a `raise` to all places that handle it, from a `try` back to each `raise`.
#include "server/features/ErrorSites.h"
#include "server/features/Features.h"
#include "server/text/Uri.h"

#include <set>

namespace sx::server {

namespace {

constexpr size_t MostPaths = 1000;

struct Step {
    const char* kind;
    Span span;
    const Declaration* function;
};

class Paths {
public:
    explicit Paths(View& view) : view_(view), map_(view) { functions_ = map_.functions(); }

    json::Value at(SourcePos pos) {
        for (const Declaration* f : functions_) {
            if (!(f->whole.begin <= pos && pos < f->whole.end)) continue;
            const ErrorSites sites = map_.of(*f);
            for (const RaiseSite& r : sites.raises)
                if (r.whole.begin <= pos && pos < r.whole.end) return forward(*f, r);
            const CallSite* best = nullptr;
            for (const CallSite& c : sites.calls) {
                if (c.handling == CallHandling::None) continue;
                Span whole = cover(c.keyword, c.operand);
                bool inside = whole.begin <= pos && pos < whole.end;
                if (inside && (!best || cover(best->keyword, best->operand).end > whole.end)) best = &c;
            }
            if (best) return back(*f, *best);
        }
        return nullptr;
    }

private:
    std::string name(Name n) { return std::string(view_.program().ast.names.text(n)); }

    void keep(Name tag, const std::vector<Step>& steps) {
        if (paths_.size() >= MostPaths) return;
        json::Array list;
        for (const Step& s : steps)
            list.push_back(json::Object{{"kind", s.kind},
                                        {"uri", json::fixUTF8(uriOfPath(view_.pathOf(s.span.begin)))},
                                        {"range", toJson(view_.range(s.span))},
                                        {"function", name(s.function->name)}});
        if (tags_.insert(name(tag)).second) order_.push_back(name(tag));
        paths_.push_back(json::Object{{"tag", name(tag)}, {"steps", std::move(list)}});
    }

    json::Value result(const char* direction) {
        json::Array tags;
        for (const std::string& tag : order_) tags.push_back(tag);
        return json::Object{{"direction", direction}, {"tags", std::move(tags)}, {"paths", std::move(paths_)}};
    }

    static const char* kindOf(CallHandling handling) {
        switch (handling) {
        case CallHandling::Try: return "try";
        case CallHandling::Catch: return "catch";
        case CallHandling::Or: return "or";
        case CallHandling::Destructure: return "destructure";
        case CallHandling::None: break;
        }
        return "try";
    }

    json::Value forward(const Declaration& f, const RaiseSite& r) {
        std::vector<Step> steps{{"raise", r.keyword, &f}};
        std::set<SourcePos> seen;
        onwards(f, r.tag, steps, seen);
        return result("forward");
    }

    /// From a function that an error has left to whoever called it.
    void onwards(const Declaration& f, Name tag, std::vector<Step>& steps, std::set<SourcePos>& seen) {
        if (!seen.insert(f.nameSpan.begin).second) return;
        bool any = false;
        if (name(f.name) == "main" && f.parent < 0) {
            any = true;
            steps.push_back({"main", f.nameSpan, &f});
            keep(tag, steps);
            steps.pop_back();
        }
        for (const Declaration* caller : functions_) {
            const ErrorSites sites = map_.of(*caller);
            for (const CallSite& c : sites.calls) {
                if (c.callee != f.nameSpan.begin || c.handling == CallHandling::None) continue;
                any = true;
                steps.push_back({kindOf(c.handling), c.keyword, caller});
                if (c.handling == CallHandling::Try) onwards(*caller, tag, steps, seen);
                else keep(tag, steps);
                steps.pop_back();
            }
        }
        if (!any) keep(tag, steps);
        seen.erase(f.nameSpan.begin);
    }

    json::Value back(const Declaration& f, const CallSite& c) {
        std::vector<Step> steps{{kindOf(c.handling), c.keyword, &f}};
        std::set<SourcePos> seen;
        if (const Declaration* callee = view_.declarationAt(c.callee)) origins(*callee, steps, seen);
        return result("back");
    }

    /// From a function to the places where its errors begin.
    void origins(const Declaration& f, std::vector<Step>& steps, std::set<SourcePos>& seen) {
        if (!f.function || !seen.insert(f.nameSpan.begin).second) return;
        const ErrorSites sites = map_.of(f);
        for (const RaiseSite& r : sites.raises) {
            if (r.tag == Name::None) continue;
            steps.push_back({"raise", r.keyword, &f});
            keep(r.tag, steps);
            steps.pop_back();
        }
        for (const CallSite& c : sites.calls) {
            if (c.handling != CallHandling::Try) continue;
            const Declaration* callee = view_.declarationAt(c.callee);
            if (!callee) continue;
            steps.push_back({"try", c.keyword, &f});
            origins(*callee, steps, seen);
            steps.pop_back();
        }
        seen.erase(f.nameSpan.begin);
    }

    View& view_;
    ErrorMap map_;
    std::vector<const Declaration*> functions_;
    json::Array paths_;
    std::set<std::string> tags_;
    std::vector<std::string> order_;
};

} // namespace

Reply errorPaths(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    if (!view || !position) return {};
    SourcePos pos = view->at(*position);
    return {pos.isValid() ? Paths(*view).at(pos) : json::Value(nullptr)};
}

} // namespace sx::server
