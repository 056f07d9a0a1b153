// corpus_runner --sx PATH [--jobs N] [--machines "run vm O0 O2"] [--every N] [--dwarfdump PATH] PROGRAM-OR-FOLDER…
// Runs golden programs on every machine, or on those given. Prints what differs and closes with `N passed, N failed`.
// With --every optimised levels, which take half of the time, only have one program in N.
// With --dwarfdump, llvm-dwarfdump must find nothing wrong with the debug information of what was built at -O0.
#include "Check.h"
#include "Dwarf.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::vector<std::string> programsIn(const std::string& path) {
    std::vector<std::string> found;
    if (fs::is_regular_file(path)) {
        found.push_back(fs::absolute(path).string());
        return found;
    }
    // Only the programs of the folder itself: modules that they import stand in folders below.
    for (const fs::directory_entry& entry : fs::directory_iterator(path))
        if (entry.path().extension() == ".sx") found.push_back(fs::absolute(entry.path()).string());
    if (found.empty()) // the folder of the areas
        for (const fs::directory_entry& entry : fs::directory_iterator(path))
            if (entry.is_directory())
                for (std::string& program : programsIn(entry.path().string())) found.push_back(std::move(program));
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> found;
    for (std::string word; in >> word;) found.push_back(word);
    return found;
}

} // namespace

int main(int argc, char** argv) {
    std::string sx, dwarfdump;
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::string> programs;
    std::vector<std::string> machines{"run", "vm", "O0", "O2"};
    size_t every = 1;
    for (int i = 1; i < argc; ++i) {
        std::string arg = argv[i];
        if (arg == "--sx" && i + 1 < argc) sx = fs::absolute(argv[++i]).string();
        else if (arg == "--jobs" && i + 1 < argc) jobs = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
        else if (arg == "--dwarfdump" && i + 1 < argc) dwarfdump = argv[++i];
        else if (arg == "--machines" && i + 1 < argc) machines = words(argv[++i]);
        else if (arg == "--every" && i + 1 < argc) every = static_cast<size_t>(std::max(1, std::atoi(argv[++i])));
        else
            for (std::string& p : programsIn(arg)) programs.push_back(std::move(p));
    }
    if (sx.empty() || programs.empty()) {
        std::fprintf(
            stderr,
            "usage: corpus_runner --sx PATH [--jobs N] [--machines \"run vm O0 O2\"] [--every N] [--dwarfdump PATH] "
            "PROGRAM-OR-FOLDER...\n");
        return 2;
    }
    char scratch[] = "/tmp/sx-corpus-XXXXXX";
    if (!mkdtemp(scratch)) return 2;

    std::atomic<size_t> next{0}, failed{0};
    std::mutex output;
    auto work = [&] {
        corpus::Worker worker(SX_WORKER);
        for (size_t i; (i = next++) < programs.size();) {
            std::vector<std::string> on = machines;
            if (i % every != 0) std::erase_if(on, [](const std::string& m) { return m == "O2" || m == "O3"; });
            std::vector<std::string> failures = corpus::checkProgram(sx, worker, programs[i], scratch, on);
            if (failures.empty()) continue;
            ++failed;
            std::lock_guard lock(output);
            std::printf("FAILED %s\n", programs[i].c_str());
            for (const std::string& f : failures) std::printf("  %s\n", f.c_str());
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(work);
    for (std::thread& t : threads) t.join();
    if (!dwarfdump.empty()) {
        std::vector<std::string> wrong = corpus::checkDebugInfo(dwarfdump, scratch);
        failed += wrong.size();
        for (const std::string& w : wrong) std::printf("FAILED %s\n", w.c_str());
    }
    fs::remove_all(scratch);
    std::printf("%zu passed, %zu failed\n", programs.size() - failed, failed.load());
    return failed ? 1 : 0;
}
