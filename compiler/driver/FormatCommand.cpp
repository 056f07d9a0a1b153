#include "driver/FormatCommand.h"

#include "driver/Report.h"
#include "driver/SourceFolder.h"
#include "format/Format.h"
#include "format/UnifiedDiff.h"
#include "source/Files.h"
#include "source/Heap.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace sx::driver {
namespace {

class Formatter {
public:
    explicit Formatter(const Invocation& in) : in_(in) {}

    int run() {
        for (const std::string& path : in_.files) {
            if (path != "-" && llvm::sys::fs::is_directory(path)) formatFolder(path);
            else formatOne(path);
        }
        if (std::fflush(stdout) != 0 || std::ferror(stdout)) fail(Unusable, "cannot write to standard output");
        return status_;
    }

private:
    void fail(int status, const std::string& message) {
        printError(message);
        status_ = std::max(status_, status);
    }

    void formatFolder(const std::string& folder) {
        Result<std::vector<std::string>> found = sourcesBelow(folder);
        if (!found) return fail(Unusable, found.error());
        for (const std::string& path : *found) formatOne(path);
    }

    void formatOne(const std::string& path) {
        const bool isInput = path == "-";
        const std::string name = isInput ? "<stdin>" : path;
        Result<std::string> text = isInput ? readStandardInput() : readTextFile(path);
        if (!text) return fail(Unusable, "cannot read " + code(name) + ": " + text.error());
        constexpr unsigned HeapForByte = 40;
        growHeapFor(text->size(), HeapForByte);
        SourceManager sources;
        Diagnostics diags;
        const FileId file = sources.addFile(name, name, std::move(*text));
        const format::Outcome outcome = format::formatFile(sources, file, diags);
        printDiagnostics(sources, diags, in_);
        if (outcome.refused) {
            status_ = std::max(status_, Rejected);
            if (outcome.refusal == format::Refusal::WouldChange)
                printError("internal error: formatting " + code(name) + " would change more than its white space");
            return;
        }
        const std::string_view before = sources.text(file);
        if (outcome.edits.empty() && !isInput) return;
        const std::string after = format::applyEdits(before, outcome.edits);
        if (in_.formatCheck || in_.formatDiff) return report(name, before, after);
        if (isInput) std::fwrite(after.data(), 1, after.size(), stdout);
        else replace(path, after);
    }

    void report(const std::string& name, std::string_view before, const std::string& after) {
        if (before == after) return;
        status_ = std::max(status_, Rejected);
        const std::string text = in_.formatDiff ? format::unifiedDiff(name, before, after) : name + "\n";
        std::fwrite(text.data(), 1, text.size(), stdout);
    }

    /// Writes what the path leads to, with the permissions that it has.
    void replace(const std::string& path, const std::string& text) {
        char* real = ::realpath(path.c_str(), nullptr);
        const std::string target = real ? real : path;
        std::free(real);
        struct stat info {};
        if (::stat(target.c_str(), &info) != 0 || ::access(target.c_str(), W_OK) != 0)
            return fail(Unusable, "cannot write " + code(path) + ": " + std::strerror(errno));
        const Result<void> written = replaceFile(target, [&](const std::string& temporary) -> Result<void> {
            Result<void> done = writeFile(temporary, text);
            if (done && ::chmod(temporary.c_str(), info.st_mode & 07777) != 0)
                return Failure{"cannot set the permissions of " + code(path) + ": " + std::strerror(errno)};
            return done;
        });
        if (!written) fail(Unusable, written.error());
    }

    const Invocation& in_;
    int status_ = 0;
};

} // namespace

int formatFiles(const Invocation& in) { return Formatter(in).run(); }

} // namespace sx::driver
