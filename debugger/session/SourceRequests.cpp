#include "debugger/session/Positions.h"
#include "debugger/session/Requests.h"
#include "debugger/session/SourceMap.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

Reply source(Session& s, Arguments& a) {
    uint32_t reference = a.optionalIndex("sourceReference").value_or(0);
    const Object* source = a.object("source");
    if (!a.ok()) return {};
    std::optional<FileId> file;
    if (reference > 0 && s.program && reference <= s.program->sources.fileCount())
        file = static_cast<FileId>(reference - 1);
    if (!file && source && s.program) {
        Arguments where(*source, "source.");
        std::string path = where.optionalText("path").value_or("");
        if (!where.ok()) return Reply::failure(where.problem());
        if (!path.empty()) file = fileOfClient(s, path);
    }
    if (!file) return Reply::failure("this source is no part of the program");
    if (s.program->withoutText.count(*file) != 0)
        return Reply::failure("the text of this source, as it was when the program was built, is not here");
    bool isSx = !llvm::is_contained(s.program->foreignFiles, *file);
    return Object{{"content", asUtf8(s.program->sources.text(*file))}, {"mimeType", isSx ? "text/x-sx" : "text/x-c"}};
}

Reply loadedSources(Session& s, Arguments&) {
    Array all;
    if (s.program && s.places)
        for (FileId file : s.program->files()) all.push_back(sourceOf(s, file));
    return Object{{"sources", std::move(all)}};
}

Reply modules(Session& s, Arguments& a) {
    uint32_t start = a.optionalIndex("startModule").value_or(0);
    uint32_t count = a.optionalIndex("moduleCount").value_or(0);
    if (!a.ok()) return {};
    Array all;
    size_t total = 0;
    if (s.program && s.places) {
        for (FileId file : s.program->files()) {
            size_t index = total++;
            if (index < start || (count > 0 && all.size() >= count)) continue;
            std::string path = s.program->absolutePath(file);
            all.push_back(Object{{"id", static_cast<int64_t>(file)},
                                 {"name", asUtf8(s.program->sources.tracePath(file))},
                                 {"path", asUtf8(path)},
                                 {"isUserCode", !s.program->isLibrary(file)},
                                 {"symbolStatus", "loaded"}});
        }
    }
    return Object{{"modules", std::move(all)}, {"totalModules", static_cast<int64_t>(total)}};
}

} // namespace sx::debugger
