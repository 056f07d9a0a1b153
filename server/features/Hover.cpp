// What is known of a name.
#include "server/features/CHeaders.h"
#include "server/features/Describe.h"
#include "server/features/ErrorSites.h"
#include "server/features/Features.h"
#include "server/features/Targets.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

#include <set>

namespace sx::server {

using namespace ast;

namespace {

class Hover {
public:
    Hover(View& view, bool markdown) : view_(view), markdown_(markdown) {}

    std::string of(const Declaration& d, const Named& use) {
        // An alias of a function is described as the function is.
        const Declaration* aliased = view_.declarationAt(throughAliases(view_, d.nameSpan.begin));
        if (aliased && aliased != &d && aliased->function) {
            code(signatureOf(view_, *aliased));
            errors(*aliased);
            std::string comment = commentOf(view_, d), own = commentOf(view_, *aliased);
            paragraph(own.empty() ? comment : own);
            return text_;
        }
        if (d.kind == DeclaredKind::Variant) return variant(d);
        code(signatureOf(view_, d, typeOfUse(view_, use)));
        if (d.kind == DeclaredKind::Constant || d.kind == DeclaredKind::Local) value(d);
        if (d.kind == DeclaredKind::Field) field(d);
        if (d.kind == DeclaredKind::Local) variableErrors(d);
        layout(d);
        if (d.function && (d.kind == DeclaredKind::Function || d.kind == DeclaredKind::Method)) errors(d);
        paragraph(commentOf(view_, d));
        return text_;
    }

    std::string ofTag(Name tag) {
        code("error." + name(tag));
        std::string sets;
        for (const Declaration* d : view_.tagDeclarations(tag)) {
            const Declaration* set = view_.parentOf(*d);
            if (set) sets += (sets.empty() ? "in " : ", ") + quoted(name(set->name));
        }
        paragraph(sets);
        std::string raises;
        std::set<SourcePos> known; // generic code has a place once for each instance
        ErrorMap map(view_);
        for (const auto& body : map.all()) {
            if (isLibrary(*body->function)) continue;
            for (const RaiseSite& r : body->raises)
                if (r.tag == tag && known.insert(r.keyword.begin).second)
                    raises += "\n- " + place(r, name(body->function->name));
        }
        if (!raises.empty()) paragraph("raised at" + raises);
        return text_;
    }

private:
    std::string name(Name n) { return std::string(view_.program().ast.names.text(n)); }
    std::string quoted(const std::string& s) { return markdown_ ? "`" + s + "`" : s; }
    bool isLibrary(const Declaration& d) {
        const sema::SourceFile* f = view_.program().sourceFile(view_.program().sources.fileOf(d.nameSpan.begin));
        return !f || (f->isLibrary && !f->isEntry);
    }

    void code(const std::string& s) { text_ += markdown_ ? "```sx\n" + s + "\n```" : s; }
    void paragraph(const std::string& s) {
        if (!s.empty()) text_ += "\n\n" + s;
    }

    std::string variant(const Declaration& d) {
        const Declaration* owner = view_.parentOf(d);
        TypeTable& types = view_.program().types;
        TypeId type = owner ? typeDeclared(view_, *owner) : TypeId::None;
        std::string text = (owner ? name(owner->name) : "") + signatureOf(view_, d);
        if (types.kind(type) != TypeKind::Enum) return code(text), paragraph(commentOf(view_, d)), text_;
        const Variant* found = nullptr;
        for (const Variant& v : types.enumInfo(type).variants)
            if (v.name == d.name) found = &v;
        code(text);
        if (found) paragraph("value: " + quoted(std::to_string(found->value)));
        paragraph(commentOf(view_, d));
        return text_;
    }

    void value(const Declaration& d) {
        std::string v = valueOf(view_, d);
        if (!v.empty()) paragraph("value: " + quoted(v));
    }

    /// What an error may be whose set is inferred.
    void variableErrors(const Declaration& d) {
        const sema::Symbol* s = view_.symbolOf(d);
        if (!s || s->type != TypeId::InferredErrors) return;
        std::string text;
        for (Name tag : ErrorMap(view_).tagsOfVariable(d.nameSpan.begin)) text += "\n- " + quoted("error." + name(tag));
        if (!text.empty()) paragraph("one of" + text);
    }

    void field(const Declaration& d) {
        const Declaration* owner = view_.parentOf(d);
        if (!owner) return;
        TypeTable& types = view_.program().types;
        TypeId type = typeDeclared(view_, *owner);
        std::string text = "field of " + quoted(name(owner->name));
        if (types.kind(type) == TypeKind::Struct && types.isComplete(type)) {
            const StructInfo& info = types.structInfo(type);
            types.extent(type);
            auto at = info.index.find(d.name);
            if (at != info.index.end()) {
                const StructField& f = info.fields[at->second];
                text += ", offset " + std::to_string(f.offset);
                if (types.isComplete(f.type)) text += ", size " + std::to_string(sizeOf(types, f.type));
            }
        }
        paragraph(text);
    }

    void layout(const Declaration& d) {
        TypeTable& types = view_.program().types;
        TypeId type = d.decl ? typeDeclared(view_, d) : TypeId::None;
        if (type == TypeId::None || !types.isComplete(type) || types.containsItselfByValue(type)) return;
        TypeKind kind = types.kind(type);
        if (kind != TypeKind::Struct && kind != TypeKind::Union && kind != TypeKind::Enum) return;
        std::string text =
            "size: " + std::to_string(sizeOf(types, type)) + ", alignment: " + std::to_string(alignOf(types, type));
        if (kind == TypeKind::Struct) {
            const StructInfo& info = types.structInfo(type);
            for (const StructField& f : info.fields) {
                text += "\n- " + quoted(name(f.name) + ": " + writtenName(types, f.type)) + " at " +
                        std::to_string(f.offset);
                if (types.isComplete(f.type)) text += ", size " + std::to_string(sizeOf(types, f.type));
            }
        }
        paragraph(text);
    }

    std::string place(const RaiseSite& r, const std::string& function) {
        FileId file = view_.program().sources.fileOf(r.keyword.begin);
        std::string path(view_.program().sources.path(file));
        Position at = view_.range(r.keyword).start;
        return quoted(function) + " at " + path + ":" + std::to_string(at.line + 1) + ":" +
               std::to_string(at.character + 1);
    }

    void errors(const Declaration& d) {
        std::vector<Name> tags = errorsOf(view_, *d.function);
        if (tags.empty()) return;
        ErrorMap map(view_);
        std::string text = "errors:";
        for (Name tag : tags) {
            text += "\n- " + quoted("error." + name(tag));
            std::string places;
            for (const RaiseSite& r : map.raisesOf(d, tag)) {
                const Declaration* f = view_.functionAround(r.keyword.begin);
                places += (places.empty() ? ", raised in " : ", ") + place(r, f ? name(f->name) : "");
            }
            text += places;
        }
        paragraph(text);
    }

    View& view_;
    bool markdown_;
    std::string text_;
};

} // namespace

/// Of the path of an `#import` the file that it means, and the comment that begins it.
static Reply ofImport(View& view, SourcePos pos, bool markdown) {
    for (const auto& file : view.program().sema->program.files) {
        if (file->id != view.file()) continue;
        for (const ImportUse& import : view.names(file->id).imports) {
            if (pos < import.at.begin || import.at.end < pos) continue;
            const sema::ModuleUnit* unit = nullptr;
            for (const sema::ImportEdge& edge : file->flatImports)
                if (edge.decl == import.decl) unit = edge.module;
            for (const sema::Symbol* s : file->order)
                if (s->decl == import.decl) unit = s->module;
            if (!unit || unit->files.empty()) return {};
            FileId target = unit->files.front()->id;
            std::string text = view.program().pathOf(target), comment;
            if (markdown) text = "`" + text + "`";
            for (llvm::StringRef rest(view.text(target)); rest.consume_front("//");) {
                auto [line, more] = rest.split('\n');
                comment += (comment.empty() ? "" : "\n") + line.ltrim('/').trim().str();
                rest = more;
            }
            if (!comment.empty()) text += "\n\n" + comment;
            return {json::Object{{"contents", json::Object{{"kind", markdown ? "markdown" : "plaintext"},
                                                           {"value", json::fixUTF8(text)}}},
                                 {"range", toJson(view.range(import.at))}}};
        }
    }
    return {};
}

Reply hover(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    if (!view || !position) return {};
    const Named* named = view->nameAt(view->at(*position));
    if (!named) return ofImport(*view, view->at(*position), workspace.settings().markdown);
    Hover hover(*view, workspace.settings().markdown);
    const Declaration* d = named->tag == Name::None ? view->declarationAt(named->target) : nullptr;
    if (!d && named->tag == Name::None) return {};
    std::string text = d ? hover.of(*d, *named) : hover.ofTag(named->tag);
    if (std::optional<HeaderPlace> header = d ? headerPlace(workspace, *view, *d) : std::nullopt)
        if (!header->comment.empty()) text += "\n\n" + header->comment;
    return {json::Object{{"contents", json::Object{{"kind", workspace.settings().markdown ? "markdown" : "plaintext"},
                                                   {"value", json::fixUTF8(text)}}},
                         {"range", toJson(view->range(named->at))}}};
}

} // namespace sx::server
