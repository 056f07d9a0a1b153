// The symbols of a document and of the workspace.
#include "server/features/Features.h"
#include "server/features/Syntax.h"

#include <algorithm>
#include <cctype>

namespace sx::server {

using namespace ast;

namespace {

/// Of the protocol.
enum SymbolNumber {
    ModuleSymbol = 2,
    NamespaceSymbol = 3,
    ClassSymbol = 5,
    MethodSymbol = 6,
    PropertySymbol = 7,
    FieldSymbol = 8,
    EnumSymbol = 10,
    InterfaceSymbol = 11,
    FunctionSymbol = 12,
    VariableSymbol = 13,
    ConstantSymbol = 14,
    ObjectSymbol = 19,
    EnumMemberSymbol = 22,
    StructSymbol = 23,
    EventSymbol = 24,
};

struct Item {
    std::string name, detail;
    int kind = 0;
    Span whole, selection;
    std::vector<Item> children;
};

class Outline {
public:
    explicit Outline(const Syntax& syntax) : s_(syntax) {}

    std::vector<Item> of(llvm::ArrayRef<Decl*> all) {
        std::vector<Item> items;
        for (const Decl* d : all) add(items, d, false);
        return items;
    }

private:
    std::string text(Name n) const { return std::string(s_.ast.names.text(n)); }

    static int kindOf(const Decl& d, bool inType) {
        switch (d.kind) {
        case DeclKind::Var: return VariableSymbol;
        case DeclKind::Function: {
            const auto& f = static_cast<const FunctionDecl&>(d);
            return f.isGet || f.isSet ? PropertySymbol : inType ? MethodSymbol : FunctionSymbol;
        }
        case DeclKind::UfcsAlias: return FunctionSymbol;
        case DeclKind::Struct:
        case DeclKind::Union: return StructSymbol;
        case DeclKind::Enum:
        case DeclKind::ErrorSet: return EnumSymbol;
        case DeclKind::Protocol: return InterfaceSymbol;
        case DeclKind::Import:
        case DeclKind::ImportC: return NamespaceSymbol;
        case DeclKind::Library:
        case DeclKind::Framework: return ModuleSymbol;
        case DeclKind::RuntimeClass: return ClassSymbol;
        case DeclKind::Impl: return ObjectSymbol;
        default: return ConstantSymbol;
        }
    }

    /// From the parameters to the result.
    std::string signature(const FunctionDecl& f) const {
        if (!f.paramList.isValid()) return {};
        Span head = f.paramList;
        if (f.result && f.result->span.isValid()) head = cover(head, f.result->span);
        std::string one;
        for (char c : s_.textOf(head)) {
            bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
            if (!space) one += c;
            else if (!one.empty() && one.back() != ' ') one += ' ';
        }
        return one;
    }

    void leaf(Item& parent, const Ident& id, int kind, const Expr* type, Span whole) {
        if (!id) return;
        std::string detail = type ? std::string(s_.textOf(type->span)) : "";
        parent.children.push_back({text(id.name), detail, kind, whole.isValid() ? whole : id.span, id.span, {}});
    }

    void members(Item& item, const Decl* d) {
        if (const auto* s = llvm::dyn_cast<StructDecl>(d)) {
            for (const MemberDecl& m : s->members) {
                if (m.kind == MemberKind::Field) leaf(item, m.field.name, FieldSymbol, m.field.type, m.field.span);
                else if (m.kind == MemberKind::Decl) add(item.children, m.decl, true);
            }
        } else if (const auto* e = llvm::dyn_cast<EnumDecl>(d)) {
            for (const VariantDecl& v : e->variants) leaf(item, v.name, EnumMemberSymbol, v.payload, v.span);
        } else if (const auto* u = llvm::dyn_cast<UnionDecl>(d)) {
            for (const UnionMemberDecl& m : u->members) leaf(item, m.name, FieldSymbol, m.type, m.span);
        } else if (const auto* set = llvm::dyn_cast<ErrorSetDecl>(d)) {
            for (const Ident& tag : set->tags) leaf(item, tag, EnumMemberSymbol, nullptr, tag.span);
        } else if (const auto* p = llvm::dyn_cast<ProtocolDecl>(d)) {
            for (const ProtocolMethod& m : p->methods) add(item.children, m.fn, true);
        } else if (const auto* i = llvm::dyn_cast<ImplDecl>(d)) {
            for (const FunctionDecl* f : i->methods) add(item.children, f, true);
        }
    }

    void add(std::vector<Item>& items, const Decl* d, bool inType) {
        if (!d) return;
        if (const auto* choice = llvm::dyn_cast<InlineIfDecl>(d)) {
            for (llvm::ArrayRef<Decl*> branch : {choice->then, choice->otherwise})
                for (const Decl* inner : branch) add(items, inner, inType);
            for (const InlineIfDecl::Arm& arm : choice->arms)
                for (const Decl* inner : arm.items) add(items, inner, inType);
            return;
        }
        Item item{"", "", kindOf(*d, inType), d->span, d->name.span, {}};
        if (const auto* i = llvm::dyn_cast<ImplDecl>(d)) {
            if (!i->protocolRef || !i->target) return;
            item.name = "impl " + std::string(s_.textOf(i->protocolRef->span)) + " for " +
                        std::string(s_.textOf(i->target->span));
            item.selection = i->protocolRef->span;
        } else if (!d->name) {
            return;
        } else {
            item.name = text(d->name.name);
        }
        if (const auto* f = llvm::dyn_cast<FunctionDecl>(d)) {
            item.detail = signature(*f);
            if (f->hasBody() && f->bodySpan().isValid()) item.whole = cover(item.whole, f->bodySpan());
        }
        item.whole = cover(item.whole, item.selection);
        members(item, d);
        items.push_back(std::move(item));
    }

    const Syntax& s_;
};

json::Object nested(const Syntax& s, const Item& item) {
    json::Array children;
    for (const Item& child : item.children) children.push_back(nested(s, child));
    json::Object made{{"name", json::fixUTF8(item.name)},
                      {"kind", item.kind},
                      {"range", toJson(s.range(item.whole))},
                      {"selectionRange", toJson(s.range(item.selection))}};
    if (!item.detail.empty()) made["detail"] = json::fixUTF8(item.detail);
    if (!children.empty()) made["children"] = std::move(children);
    return made;
}

void flat(const Syntax& s, const std::string& path, const Item& item, const std::string& container, json::Array& out,
          llvm::function_ref<bool(const Item&)> wanted) {
    if (wanted(item)) {
        json::Object made{{"name", json::fixUTF8(item.name)},
                          {"kind", item.kind},
                          {"location", location(path, s.range(item.selection))}};
        if (!container.empty()) made["containerName"] = json::fixUTF8(container);
        out.push_back(std::move(made));
    }
    for (const Item& child : item.children) flat(s, path, child, item.name, out, wanted);
}

/// How well a name fits what was typed: all its letters, in order. 0: not.
int fit(llvm::StringRef name, llvm::StringRef query) {
    if (query.empty()) return 1;
    if (name == query) return 1000;
    if (name.equals_insensitive(query)) return 900;
    if (name.starts_with_insensitive(query)) return 800;
    if (name.contains_insensitive(query)) return 600;
    size_t at = 0;
    int score = 300;
    for (char wanted : query.lower()) {
        size_t found = name.find_if([&](char c) { return std::tolower(static_cast<unsigned char>(c)) == wanted; }, at);
        if (found == llvm::StringRef::npos) return 0;
        score -= static_cast<int>(std::min<size_t>(found - at, 10));
        at = found + 1;
    }
    return std::max(score, 1);
}

} // namespace

Reply documentSymbols(Workspace& workspace, const json::Object& params) {
    std::string path = documentPath(params);
    std::unique_ptr<Syntax> s = readSyntax(workspace, path);
    if (!s) return {};
    json::Array all;
    for (const Item& item : Outline(*s).of(s->tree.items)) {
        if (workspace.settings().nestsSymbols) all.push_back(nested(*s, item));
        else flat(*s, path, item, "", all, [](const Item&) { return true; });
    }
    return {std::move(all)};
}

Reply workspaceSymbols(Workspace& workspace, const json::Object& params) {
    constexpr size_t Most = 512;
    std::string query = params.getString("query").value_or("").str();
    std::vector<std::pair<int, json::Value>> found;
    for (const std::string& path : workspace.files()) {
        std::unique_ptr<Syntax> s = readSyntax(workspace, path);
        if (!s) continue;
        for (const Item& item : Outline(*s).of(s->tree.items)) {
            json::Array fitting;
            flat(*s, path, item, "", fitting, [&](const Item& i) { return fit(i.name, query) > 0; });
            for (json::Value& v : fitting)
                found.emplace_back(fit(*v.getAsObject()->getString("name"), query), std::move(v));
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    json::Array all;
    for (auto& [score, symbol] : found)
        if (all.size() < Most) all.push_back(std::move(symbol));
    return {std::move(all)};
}

} // namespace sx::server
