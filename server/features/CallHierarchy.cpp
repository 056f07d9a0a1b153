// Who calls whom.
#include "server/features/Describe.h"
#include "server/features/ErrorSites.h"
#include "server/features/Features.h"
#include "server/features/References.h"
#include "server/text/Uri.h"

#include <map>

namespace sx::server {

namespace {

constexpr int MethodSymbol = 6, FunctionSymbol = 12, VariableSymbol = 13, ConstantSymbol = 14;

int symbolNumber(DeclaredKind kind) {
    switch (kind) {
    case DeclaredKind::Method: return MethodSymbol;
    case DeclaredKind::Constant: return ConstantSymbol;
    case DeclaredKind::Global: return VariableSymbol;
    default: return FunctionSymbol;
    }
}

/// What a call stands in: a function, or else a constant or global whose value it is part of. Null: none of these.
const Declaration* callerAround(View& view, SourcePos pos) {
    if (const Declaration* function = view.functionAround(pos)) return function;
    if (!pos.isValid()) return nullptr;
    for (const Declaration& d : view.names(view.program().sources.fileOf(pos)).declarations) {
        bool hasValue = d.kind == DeclaredKind::Constant || d.kind == DeclaredKind::Global;
        if (hasValue && d.whole.begin <= pos && pos < d.whole.end) return &d;
    }
    return nullptr;
}

json::Object itemOf(View& view, const Declaration& d) {
    std::string path = view.pathOf(d.nameSpan.begin);
    json::Object item{{"name", json::fixUTF8(view.program().ast.names.text(d.name))},
                      {"kind", symbolNumber(d.kind)},
                      {"detail", json::fixUTF8(signatureOf(view, d))},
                      {"uri", json::fixUTF8(uriOfPath(path))},
                      {"range", toJson(view.range(d.whole))},
                      {"selectionRange", toJson(view.range(d.nameSpan))}};
    return item;
}

/// The function that an item is.
const Declaration* functionOf(Workspace& workspace, const json::Object& params, View*& view) {
    const json::Object* item = params.getObject("item");
    std::optional<llvm::StringRef> uri = item ? item->getString("uri") : std::nullopt;
    std::optional<Range> range = item ? readRange(item->getObject("selectionRange")) : std::nullopt;
    view = uri ? workspace.view(pathOfUri(*uri)) : nullptr;
    const Named* named = view && range ? view->nameAt(view->at(range->start)) : nullptr;
    const Declaration* d = named && named->target.isValid() ? view->declarationAt(named->target) : nullptr;
    return d && d->function ? d : nullptr;
}

} // namespace

Reply prepareCalls(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    const Named* named = view && position ? view->nameAt(view->at(*position)) : nullptr;
    const Declaration* d = named && named->target.isValid() ? view->declarationAt(named->target) : nullptr;
    if (!d || !d->function || d->kind == DeclaredKind::Parameter) return {};
    return {json::Array{itemOf(*view, *d)}};
}

Reply incomingCalls(Workspace& workspace, const json::Object& params) {
    View* view = nullptr;
    const Declaration* d = functionOf(workspace, params, view);
    if (!d) return {};
    std::map<std::pair<std::string, uint32_t>, std::pair<json::Object, json::Array>> callers;
    for (const Reference& r : referencesTo(workspace, *view, {d->nameSpan, d->nameSpan.begin, Name::None, true})) {
        if (r.isDeclaration) continue;
        View* other = workspace.view(r.path);
        const Declaration* caller = other ? callerAround(*other, other->at(r.path, r.range.start)) : nullptr;
        if (!caller) continue;
        auto& entry = callers[{r.path, other->offsetOf(caller->nameSpan.begin)}];
        if (entry.second.empty()) entry.first = itemOf(*other, *caller);
        entry.second.push_back(toJson(r.range));
    }
    json::Array all;
    for (auto& [key, entry] : callers)
        all.push_back(json::Object{{"from", std::move(entry.first)}, {"fromRanges", std::move(entry.second)}});
    return {std::move(all)};
}

Reply outgoingCalls(Workspace& workspace, const json::Object& params) {
    View* view = nullptr;
    const Declaration* d = functionOf(workspace, params, view);
    if (!d) return {};
    ErrorMap map(*view);
    std::map<SourcePos, json::Array> ranges;
    std::vector<const Declaration*> order;
    for (const auto& body : map.all()) {
        if (body->function != d) continue;
        for (const CallSite& c : body->calls) {
            const Declaration* callee = view->declarationAt(c.callee);
            if (!callee || !callee->function || callee->kind == DeclaredKind::Parameter) continue;
            if (ranges[c.callee].empty()) order.push_back(callee);
            ranges[c.callee].push_back(toJson(view->range(c.operand)));
        }
    }
    json::Array all;
    for (const Declaration* callee : order)
        all.push_back(
            json::Object{{"to", itemOf(*view, *callee)}, {"fromRanges", std::move(ranges[callee->nameSpan.begin])}});
    return {std::move(all)};
}

} // namespace sx::server
