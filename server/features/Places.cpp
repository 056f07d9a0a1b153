// Where a name is declared, and where else it stands.
#include "server/features/CHeaders.h"
#include "server/features/Describe.h"
#include "server/features/Features.h"
#include "server/features/References.h"
#include "server/features/Targets.h"

#include <algorithm>
#include <set>

namespace sx::server {

namespace {

/// The name that a request is about. Null: there is none.
const Named* namedAt(Workspace& workspace, const json::Object& params, View*& view) {
    view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    return view && position ? view->nameAt(view->at(*position)) : nullptr;
}

/// Of a function of C the place in its header.
json::Object placeOf(Workspace& workspace, View& view, const Declaration& d) {
    if (std::optional<HeaderPlace> header = headerPlace(workspace, view, d))
        return location(header->path, header->range);
    return location(view.pathOf(d.nameSpan.begin), view.range(d.nameSpan));
}

json::Object placeOf(View& view, Span span) { return location(view.pathOf(span.begin), view.range(span)); }

/// The file that an import path at a position means.
std::optional<json::Value> importTarget(Workspace& workspace, View& view, SourcePos pos) {
    if (std::optional<std::string> c = cFileAt(workspace, view, pos))
        return json::Value(json::Array{location(*c, Range{})});
    sema::Sema& sema = *view.program().sema;
    for (const auto& file : sema.program.files) {
        if (file->id != view.file()) continue;
        for (const ImportUse& import : view.names(file->id).imports) {
            if (pos < import.at.begin || import.at.end < pos) continue;
            json::Array all;
            auto add = [&](const sema::ModuleUnit& unit) {
                for (const sema::SourceFile* f : unit.files)
                    all.push_back(location(view.program().pathOf(f->id), Range{}));
            };
            for (const sema::ImportEdge& edge : file->flatImports)
                if (edge.decl == import.decl && edge.module) add(*edge.module);
            for (const sema::Symbol* s : file->order)
                if (s->decl == import.decl && s->module) add(*s->module);
            return json::Value(std::move(all));
        }
    }
    return std::nullopt;
}

/// The declaration of the type that a value has, through pointers, optionals and slices.
const Declaration* declarationOfType(View& view, TypeId type) {
    TypeTable& types = view.program().types;
    for (int i = 0; i < 20; ++i) {
        TypeKind kind = types.kind(type);
        bool isWrapped = kind == TypeKind::Pointer || kind == TypeKind::ManyPointer || kind == TypeKind::Optional ||
                         kind == TypeKind::Slice || kind == TypeKind::Array;
        if (!isWrapped) break;
        type = types.elem(type);
    }
    auto info = view.program().sema->nominals.infos.find(type);
    if (info == view.program().sema->nominals.infos.end() || !info->second->decl) return nullptr;
    return view.declarationAt(info->second->decl->name.span.begin);
}

} // namespace

Reply definition(Workspace& workspace, const json::Object& params) {
    View* view = nullptr;
    const Named* named = namedAt(workspace, params, view);
    std::optional<Position> position = readPosition(params.getObject("position"));
    if (view && position)
        if (std::optional<json::Value> file = importTarget(workspace, *view, view->at(*position)))
            return {std::move(*file)};
    if (!named) return {};
    json::Array all;
    if (named->tag != Name::None) {
        for (const Declaration* d : view->tagDeclarations(named->tag)) all.push_back(placeOf(*view, d->nameSpan));
    } else if (const Declaration* d = view->declarationAt(throughAliases(*view, named->target))) {
        all.push_back(placeOf(workspace, *view, *d));
    }
    return {all.empty() ? json::Value(nullptr) : json::Value(std::move(all))};
}

/// The name of the type that a declaration is written with: of its elements, where it has some.
static const Declaration* writtenType(View& view, const Declaration& d) {
    SourcePos p = d.type->span.begin;
    std::string_view text = view.textOf(d.type->span);
    if (size_t bracket = text.rfind(']'); !text.empty() && text.front() == '[' && bracket != std::string_view::npos)
        p = p + static_cast<uint32_t>(bracket + 1);
    for (; p < d.type->span.end; p = p + 1) {
        const Named* written = view.nameAt(p);
        if (written && written->target.isValid()) return view.declarationAt(written->target);
    }
    return nullptr;
}

Reply typeDefinition(Workspace& workspace, const json::Object& params) {
    View* view = nullptr;
    const Named* named = namedAt(workspace, params, view);
    if (!named) return {};
    std::vector<const Declaration*> types;
    if (named->tag != Name::None)
        for (const Declaration* tag : view->tagDeclarations(named->tag)) types.push_back(view->parentOf(*tag));
    const Declaration* d = named->tag == Name::None ? view->declarationAt(named->target) : nullptr;
    if (d) {
        const sema::Symbol* s = view->symbolOf(*d);
        const Declaration* type = declarationOfType(*view, typeOfUseId(*view, *named));
        if (!type && s) type = declarationOfType(*view, s->type);
        if (!type && d->kind == DeclaredKind::Variant) type = view->parentOf(*d);
        if (!type && d->type) type = writtenType(*view, *d);
        if (!type && d->decl && typeDeclared(*view, *d) != TypeId::None) type = d;
        types.push_back(type);
    }
    json::Array all;
    for (const Declaration* type : types)
        if (type) all.push_back(placeOf(*view, type->nameSpan));
    return {all.empty() ? json::Value(nullptr) : json::Value(std::move(all))};
}

Reply implementation(Workspace& workspace, const json::Object& params) {
    View* view = nullptr;
    const Named* named = namedAt(workspace, params, view);
    const Declaration* d = named && named->tag == Name::None ? view->declarationAt(named->target) : nullptr;
    if (!d) return {};
    const Declaration* own = view->declarationAt(throughAliases(*view, d->nameSpan.begin));
    if (own) d = own;
    const Declaration* owner = view->parentOf(*d);
    const Declaration* protocol = d->kind == DeclaredKind::Protocol                ? d
                                  : owner && owner->kind == DeclaredKind::Protocol ? owner
                                                                                   : nullptr;
    if (!protocol) return definition(workspace, params);
    json::Array all;
    std::set<std::pair<std::string, uint32_t>> known;
    auto add = [&](View& v, Span span) {
        if (known.emplace(v.pathOf(span.begin), v.offsetOf(span.begin)).second) all.push_back(placeOf(v, span));
    };
    std::string name(view->textOf(d->nameSpan));
    forEachImpl(workspace, *view, *protocol, [&](View& v, const sema::ImplInfo& impl) {
        if (d == protocol) return add(v, impl.decl->target->span);
        for (const ast::FunctionDecl* f : impl.decl->methods)
            if (v.textOf(f->name.span) == name) add(v, f->name.span);
    });
    bool isDefault = d != protocol && d->function && d->function->hasBody();
    if (isDefault) add(*view, d->nameSpan);
    return {std::move(all)};
}

Reply references(Workspace& workspace, const json::Object& params) {
    View* view = nullptr;
    const Named* named = namedAt(workspace, params, view);
    if (!named) return {};
    const json::Object* context = params.getObject("context");
    bool withDeclaration = !context || context->getBoolean("includeDeclaration").value_or(true);
    json::Array all;
    for (const Reference& r : referencesTo(workspace, *view, *named))
        if (withDeclaration || !r.isDeclaration) all.push_back(location(r.path, r.range));
    return {std::move(all)};
}

Reply highlights(Workspace& workspace, const json::Object& params) {
    View* view = nullptr;
    const Named* named = namedAt(workspace, params, view);
    if (!named) return {};
    json::Array all;
    FileId own = view->file();
    for (SourcePos target : familyOf(*view, named->target)) {
        Named wanted = *named;
        wanted.target = target;
        for (const Named& n : view->sameAs(wanted)) {
            if (view->program().sources.fileOf(n.at.begin) != own) continue;
            all.push_back(
                json::Object{{"range", toJson(view->range(n.at))}, {"kind", n.writes || n.isDeclaration ? 3 : 2}});
        }
    }
    return {std::move(all)};
}

} // namespace sx::server
