#include "doc/Module.h"

#include "doc/Comments.h"

#include "llvm/Support/Casting.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace sx::doc {

using namespace ast;

std::string moduleName(const std::string& path) {
    std::string name = path;
    if (name.compare(0, 8, "modules/") == 0) name.erase(0, 8);
    if (name.size() > 3 && name.compare(name.size() - 3, 3, ".sx") == 0) name.resize(name.size() - 3);
    return name;
}

namespace {

/// White space as one blank, none at the ends.
std::string oneLine(std::string_view text) {
    std::string out;
    for (char c : text) {
        const bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!isSpace) out += c;
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

class ModuleReader {
public:
    ModuleReader(const SourceManager& sources, const File& tree, const NameTable& names)
        : sources_(sources), tree_(tree), names_(names) {}

    Module read(std::string path) {
        Module module;
        module.name = moduleName(path);
        module.path = std::move(path);
        const Decl* first = tree_.items.empty() ? nullptr : tree_.items.front();
        const bool isImport = first && (first->kind == DeclKind::Import || first->kind == DeclKind::Library);
        module.comment = commentAtHead(sources_, tree_.id, first ? first->span.begin : SourcePos{}, isImport);
        for (const Decl* decl : tree_.items) {
            if (decl->isPrivate || !decl->name || hidden(decl->name.name)) continue;
            if (std::optional<Entry> entry = entryOf(*decl, "")) {
                entry->section = sectionOf(decl->span.begin);
                module.entries.push_back(std::move(*entry));
            }
        }
        return module;
    }

private:
    bool hidden(Name name) const { return names_.text(name).substr(0, 2) == "__"; }

    std::string_view textOf(SourcePos from, SourcePos to) const { return sources_.textOf({from, to}); }

    /// The nearest line `// ---- title` above.
    std::string sectionOf(SourcePos at) const {
        for (uint32_t n = sources_.resolve(at).line; n-- > 1;) {
            const std::string_view line = sources_.lineText(tree_.id, n);
            if (line.substr(0, 8) != "// ---- ") continue;
            std::string title(line.substr(8));
            while (!title.empty() && (title.back() == '-' || title.back() == ' ')) title.pop_back();
            return title;
        }
        return "";
    }

    std::optional<Entry> entryOf(const Decl& decl, const std::string& owner) const {
        Entry entry;
        entry.name = owner + std::string(names_.text(decl.name.name));
        entry.comment = commentAbove(sources_, decl.span.begin);
        const std::string whole = oneLine(textOf(decl.span.begin, decl.span.end));
        entry.signature = whole;
        switch (decl.kind) {
        case DeclKind::Function: describe(llvm::cast<FunctionDecl>(decl), entry); return entry;
        case DeclKind::Struct: describe(llvm::cast<StructDecl>(decl), entry); return entry;
        case DeclKind::Protocol: describe(llvm::cast<ProtocolDecl>(decl), entry); return entry;
        case DeclKind::Enum:
        case DeclKind::Union:
        case DeclKind::ErrorSet:
            entry.kind = Kind::Type;
            if (whole.size() > 100) entry.signature = std::string(textOf(decl.span.begin, decl.span.end));
            if (const auto* set = llvm::dyn_cast<ErrorSetDecl>(&decl)) entry.errors = tagsOf(*set);
            return entry;
        case DeclKind::Const: describe(llvm::cast<ConstDecl>(decl), entry); return entry;
        case DeclKind::UfcsAlias:
            entry.kind = Kind::Alias;
            entry.aliasOf = names_.text(llvm::cast<UfcsAliasDecl>(decl).target.name);
            return entry;
        case DeclKind::Var: entry.kind = Kind::Variable; return entry;
        default: return std::nullopt;
        }
    }

    void describe(const FunctionDecl& function, Entry& entry) const {
        entry.kind = Kind::Function;
        const SourcePos end = function.hasBody() ? function.bodySpan().begin : function.span.end;
        std::string text = oneLine(textOf(function.span.begin, end));
        if (text.size() > 2 && text.compare(text.size() - 2, 2, "=>") == 0) text.resize(text.size() - 2);
        while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.pop_back();
        entry.signature = text;
        entry.errors = errorsOf(function);
        if (function.hasBody() && infersErrors(function))
            entry.inferredAt = function.name.span.begin.raw - sources_.start(tree_.id).raw;
    }

    void describe(const ConstDecl& constant, Entry& entry) const {
        const bool isPath = constant.value && (llvm::isa<Member>(constant.value) || llvm::isa<NameRef>(constant.value));
        entry.kind = isPath ? Kind::Alias : Kind::Constant;
        if (isPath) entry.aliasOf = oneLine(textOf(constant.value->span.begin, constant.value->span.end));
        if (entry.signature.size() > 100) entry.signature = entry.signature.substr(0, 97) + "...";
    }

    void describe(const StructDecl& type, Entry& entry) const {
        entry.kind = Kind::Type;
        std::string fields;
        uint32_t lastLine = 0;
        for (const MemberDecl& member : type.members) {
            if (member.kind == MemberKind::Decl) {
                addMethod(*member.decl, entry);
                continue;
            }
            if (member.kind != MemberKind::Field) continue;
            const uint32_t line = sources_.resolve(member.field.span.begin).line;
            if (line == lastLine) continue; // `x, y: T`, and two fields in one line
            lastLine = line;
            fields += "    " + oneLine(sources_.lineText(tree_.id, line)) + "\n";
        }
        const bool isOneLine =
            sources_.resolve(type.span.begin).line == sources_.resolve(lastByte(type.span).begin).line;
        if (isOneLine) return;
        const std::string_view text = textOf(type.span.begin, type.span.end);
        std::string head = oneLine(text.substr(0, text.find('{')));
        entry.signature = fields.empty() ? head + " { }" : head + " {\n" + fields + "}";
    }

    void describe(const ProtocolDecl& protocol, Entry& entry) const {
        entry.kind = Kind::Type;
        const std::string_view text = textOf(protocol.span.begin, protocol.span.end);
        entry.signature = oneLine(text.substr(0, text.find('{')));
        for (const ProtocolMethod& method : protocol.methods) addMethod(*method.fn, entry);
    }

    void addMethod(const Decl& decl, Entry& owner) const {
        if (decl.isPrivate || !decl.name || hidden(decl.name.name)) return;
        if (std::optional<Entry> entry = entryOf(decl, owner.name + ".")) owner.members.push_back(std::move(*entry));
    }

    std::vector<std::string> tagsOf(const ErrorSetDecl& set) const {
        std::vector<std::string> tags;
        for (const Ident& tag : set.tags) tags.emplace_back(names_.text(tag.name));
        return tags;
    }

    /// Its result has a bare `!`.
    static bool infersErrors(const FunctionDecl& function) {
        const Expr* result = function.result;
        if (const auto* list = llvm::dyn_cast_or_null<ResultList>(result))
            result = list->elems.empty() ? nullptr : list->elems.back().type;
        const auto* channel = llvm::dyn_cast_or_null<ErrorChannel>(result);
        return channel && !channel->set;
    }

    /// Of a set of the file itself its tags; of another `?NAME`, for linkErrors.
    std::vector<std::string> errorsOf(const FunctionDecl& function) const {
        if (!function.result) return {};
        const std::string result = oneLine(textOf(function.result->span.begin, function.result->span.end));
        const size_t mark = result.find('!');
        if (mark == std::string::npos) return {};
        size_t end = mark + 1;
        while (end < result.size() &&
               (std::isalnum(static_cast<unsigned char>(result[end])) || result[end] == '_' || result[end] == '.'))
            ++end;
        std::string set = result.substr(mark + 1, end - mark - 1);
        if (set.empty()) return {};
        if (size_t dot = set.rfind('.'); dot != std::string::npos) set.erase(0, dot + 1);
        for (const Decl* decl : tree_.items)
            if (const auto* own = llvm::dyn_cast<ErrorSetDecl>(decl); own && names_.text(own->name.name) == set)
                return tagsOf(*own);
        return {"?" + set};
    }

    const SourceManager& sources_;
    const File& tree_;
    const NameTable& names_;
};

void linkEntry(Entry& entry, const std::vector<Module>& modules) {
    for (Entry& member : entry.members) linkEntry(member, modules);
    if (entry.errors.empty() || entry.errors[0][0] != '?') return;
    const std::string set = entry.errors[0].substr(1);
    entry.errors.clear();
    for (const Module& module : modules)
        for (const Entry& other : module.entries)
            if (other.name == set && other.kind == Kind::Type && !other.errors.empty()) entry.errors = other.errors;
}

} // namespace

Module readModule(const SourceManager& sources, const File& tree, const NameTable& names, std::string path) {
    return ModuleReader(sources, tree, names).read(std::move(path));
}

std::string pageFile(const Module& module, const char* extension) {
    std::string name = module.name;
    std::replace(name.begin(), name.end(), '/', '-');
    return name + extension;
}

void linkErrors(std::vector<Module>& modules) {
    for (Module& module : modules)
        for (Entry& entry : module.entries) linkEntry(entry, modules);
}

} // namespace sx::doc
