#include "server/features/References.h"

#include <algorithm>

namespace sx::server {

namespace {

bool isWordByte(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

} // namespace

bool hasWord(std::string_view text, std::string_view word) {
    if (word.empty()) return false;
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        bool begins = at == 0 || !isWordByte(text[at - 1]);
        bool ends = at + word.size() == text.size() || !isWordByte(text[at + word.size()]);
        if (begins && ends) return true;
    }
    return false;
}

std::vector<Reference> referencesTo(Workspace& workspace, View& view, const Named& wanted) {
    std::vector<Reference> found;
    std::string word(view.program().sources.textOf(wanted.at));
    // A declaration is the same in two programs if it stands at the same place of the same file.
    std::string path = wanted.target.isValid() ? view.pathOf(wanted.target) : "";
    uint32_t offset = wanted.target.isValid() ? view.offsetOf(wanted.target) : 0;
    auto collect = [&](View& v) {
        Named same = wanted;
        if (&v != &view && wanted.tag == Name::None) {
            std::optional<FileId> file = v.program().fileOf(path);
            if (!file) return;
            same.target = v.program().sources.start(*file) + offset;
        }
        if (&v != &view && wanted.tag != Name::None) same.tag = v.program().ast.names.intern(word);
        for (const Named& n : v.sameAs(same)) {
            const sema::SourceFile* file = v.program().sourceFile(v.program().sources.fileOf(n.at.begin));
            if (!file || (file->isLibrary && !file->isEntry && v.pathOf(n.at.begin) != path)) continue;
            found.push_back({v.pathOf(n.at.begin), v.range(n.at), n.isDeclaration, n.isShort});
        }
    };
    collect(view);
    const Declaration* d = wanted.target.isValid() ? view.declarationAt(wanted.target) : nullptr;
    bool isInside = d && d->scope.isValid(); // nobody else sees it
    if (!isInside)
        for (const std::string& other : workspace.files()) {
            const std::string* text = other == view.path() ? nullptr : workspace.text(other);
            if (!text || !hasWord(*text, word)) continue;
            if (View* v = workspace.view(other)) collect(*v);
        }
    std::stable_sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace sx::server
