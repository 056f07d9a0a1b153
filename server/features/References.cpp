#include "server/features/References.h"

#include "server/features/Targets.h"

#include <algorithm>
#include <optional>
#include <set>

namespace sx::server {

namespace {

bool isWordByte(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

/// The files whose programs may have one of these places; nothing: any may.
std::optional<std::set<std::string>> importersOfAll(Workspace& workspace,
                                                    const std::vector<std::pair<std::string, uint32_t>>& places) {
    std::set<std::string> all;
    for (const auto& [path, offset] : places) {
        const std::vector<std::string>& files = workspace.files();
        if (!std::binary_search(files.begin(), files.end(), path)) return std::nullopt;
        all.merge(workspace.importersOf(path));
    }
    return places.empty() ? std::nullopt : std::optional(std::move(all));
}

} // namespace

bool anyWord(std::string_view text, std::string_view word, llvm::function_ref<bool(size_t at)> isWanted) {
    if (word.empty()) return false;
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        bool begins = at == 0 || !isWordByte(text[at - 1]);
        bool ends = at + word.size() == text.size() || !isWordByte(text[at + word.size()]);
        if (begins && ends && isWanted(at)) return true;
    }
    return false;
}

bool hasWord(std::string_view text, std::string_view word) {
    return anyWord(text, word, [](size_t) { return true; });
}

bool mayName(std::string_view text, std::string_view word, const Declaration* declared) {
    if (!declared || !declared->isOfSignature) return hasWord(text, word);
    return anyWord(text, word, [&](size_t at) {
        llvm::StringRef behind = llvm::StringRef(text.substr(at + word.size())).ltrim();
        return (at > 0 && text[at - 1] == '.') || (behind.starts_with("=") && !behind.starts_with("=="));
    });
}

std::vector<std::pair<std::string, uint32_t>> targetsOf(View& view, const Named& wanted) {
    // A declaration is the same in two programs if it stands at the same place of the same file.
    std::vector<std::pair<std::string, uint32_t>> targets;
    if (wanted.tag == Name::None)
        for (SourcePos target : familyOf(view, wanted.target))
            targets.emplace_back(view.pathOf(target), view.offsetOf(target));
    return targets;
}

std::vector<Reference> referencesTo(Workspace& workspace, View& view, const Named& wanted) {
    std::vector<Reference> found;
    std::string word(view.program().sources.textOf(wanted.at));
    std::vector<std::pair<std::string, uint32_t>> targets = targetsOf(view, wanted);
    auto add = [&](View& v, const Named& same, const std::string& declaredIn) {
        for (const Named& n : v.sameAs(same)) {
            const sema::SourceFile* file = v.program().sourceFile(v.program().sources.fileOf(n.at.begin));
            if (!file || (file->isLibrary && !file->isEntry && v.pathOf(n.at.begin) != declaredIn)) continue;
            uint32_t begin = v.offsetOf(n.at.begin);
            found.push_back({v.pathOf(n.at.begin), v.range(n.at), begin, begin + (n.at.end.raw - n.at.begin.raw),
                             n.isDeclaration, n.isShort});
        }
    };
    auto collect = [&](View& v) {
        Named same = wanted;
        if (wanted.tag != Name::None) {
            if (&v != &view) same.tag = v.program().ast.names.intern(word);
            return add(v, same, "");
        }
        std::set<SourcePos> here; // other programs may have more implementations
        if (&v == &view)          // also what no file of its own has, as functions of C
            for (SourcePos one : familyOf(v, wanted.target)) here.insert(one);
        for (const auto& [path, offset] : targets)
            if (std::optional<FileId> file = v.program().fileOf(path))
                for (SourcePos one : familyOf(v, v.program().sources.start(*file) + offset)) here.insert(one);
        for (SourcePos target : here) {
            same.target = target;
            add(v, same, v.pathOf(target));
        }
    };
    collect(view);
    const Declaration* d = wanted.target.isValid() ? view.declarationAt(wanted.target) : nullptr;
    // What a file declares is known where it is imported; tags and what the library declares may be anywhere.
    std::optional<std::set<std::string>> importers = importersOfAll(workspace, targets);
    if (!d || d->isSeenOutside())
        for (const std::string& other : workspace.files()) {
            if (importers && !importers->count(other)) continue;
            const std::string* text = other == view.path() ? nullptr : workspace.text(other);
            if (!text || !mayName(*text, word, d)) continue;
            if (View* v = workspace.view(other)) collect(*v);
        }
    std::stable_sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace sx::server
