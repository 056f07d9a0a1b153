#include "Dwarf.h"

#include "Process.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace corpus {

namespace {

constexpr size_t FilesOfAProcess = 50;

/// The part of a report that is about a file; it begins with a line `Verifying FILE:`.
std::string partOf(const std::string& report, const std::string& file) {
    const std::string headline = "Verifying " + file + ":";
    size_t begin = report.find(headline);
    if (begin == std::string::npos) return "";
    size_t end = report.find("\nNo errors.", begin), next = report.find(":\tfile format", begin + headline.size() + 20);
    // Up to its own last line, or to the next file.
    return report.substr(begin, std::min(end == std::string::npos ? end : end + 12, next) - begin);
}

} // namespace

std::vector<std::string> checkDebugInfo(const std::string& tool, const std::string& folder) {
    std::vector<std::string> files, wrong;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".O0") files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    for (size_t i = 0; i < files.size(); i += FilesOfAProcess) {
        std::vector<std::string> argv{tool, "--verify"};
        argv.insert(argv.end(), files.begin() + static_cast<long>(i),
                    files.begin() + static_cast<long>(std::min(files.size(), i + FilesOfAProcess)));
        Result r = runProcess(argv, folder, 300);
        for (size_t k = 2; k < argv.size(); ++k) {
            std::string part = partOf(r.out, argv[k]);
            if (part.find("\nVerifying unit: 1 ") != std::string::npos &&
                part.find("\nNo errors.") != std::string::npos)
                continue;
            wrong.push_back(argv[k] + ": debug information that " + tool + " --verify does not like, or none:\n" +
                            part.substr(0, 2000) + r.err.substr(0, 1000));
        }
    }
    return wrong;
}

} // namespace corpus
