// Which types implement which protocols.
#include "server/features/Features.h"
#include "server/features/Targets.h"
#include "server/text/Uri.h"

#include <set>

namespace sx::server {

namespace {

constexpr int EnumSymbol = 10, InterfaceSymbol = 11, StructSymbol = 23;

bool isType(const Declaration& d) {
    return d.kind == DeclaredKind::Struct || d.kind == DeclaredKind::Enum || d.kind == DeclaredKind::Union ||
           d.kind == DeclaredKind::Protocol;
}

json::Object typeItem(View& view, const Declaration& d) {
    int kind = d.kind == DeclaredKind::Protocol ? InterfaceSymbol
               : d.kind == DeclaredKind::Enum   ? EnumSymbol
                                                : StructSymbol;
    std::string path = view.pathOf(d.nameSpan.begin);
    return json::Object{{"name", json::fixUTF8(std::string(view.textOf(d.nameSpan)))},
                        {"kind", kind},
                        {"uri", json::fixUTF8(uriOfPath(path))},
                        {"range", toJson(view.range(d.whole))},
                        {"selectionRange", toJson(view.range(d.nameSpan))}};
}

const Declaration* typeAt(View* view, std::optional<Position> at) {
    const Named* named = view && at ? view->nameAt(view->at(*at)) : nullptr;
    if (!named || !named->target.isValid()) return nullptr;
    const Declaration* d = view->declarationAt(throughAliases(*view, named->target));
    return d && isType(*d) ? d : nullptr;
}

/// The protocols of an item's type, or the types of its protocol.
Reply related(Workspace& workspace, const json::Object& params, bool wantsProtocols) {
    const json::Object* item = params.getObject("item");
    std::optional<llvm::StringRef> uri = item ? item->getString("uri") : std::nullopt;
    std::optional<Range> range = item ? readRange(item->getObject("selectionRange")) : std::nullopt;
    View* view = uri ? workspace.view(pathOfUri(*uri)) : nullptr;
    const Declaration* d = range ? typeAt(view, range->start) : nullptr;
    if (!d) return {};
    json::Array all;
    if (wantsProtocols == (d->kind == DeclaredKind::Protocol)) return {std::move(all)};
    std::set<std::pair<std::string, uint32_t>> known;
    forEachImpl(workspace, *view, *d, [&](View& v, const sema::ImplInfo& impl) {
        const Declaration* other = wantsProtocols ? protocolOf(v, impl) : targetOf(v, impl);
        if (!other || !isType(*other)) return;
        SourcePos at = other->nameSpan.begin;
        if (known.emplace(v.pathOf(at), v.offsetOf(at)).second) all.push_back(typeItem(v, *other));
    });
    return {std::move(all)};
}

} // namespace

Reply prepareTypes(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    const Declaration* d = typeAt(view, readPosition(params.getObject("position")));
    return {d ? json::Value(json::Array{typeItem(*view, *d)}) : json::Value(nullptr)};
}

Reply supertypes(Workspace& workspace, const json::Object& params) { return related(workspace, params, true); }

Reply subtypes(Workspace& workspace, const json::Object& params) { return related(workspace, params, false); }

} // namespace sx::server
