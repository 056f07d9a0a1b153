// robustness [--cases N] [--seed N] [--jobs N] FOLDER…
//
// Proves: whatever text it is given, `sx check` answers with exit status 0 or 1, says `error: …` on standard error when
// it is 1, dies of no signal, and takes less than two seconds of processor time.
//
// The texts are N prefixes, N copies with one byte changed (to any of 256) and N copies with one word exchanged for
// another of its own (1,000 each; the last kind gets past the parser) of the programs below the folders. A case follows
// from the programs, the seed and its number; SX_ROBUSTNESS_CASES and SX_ROBUSTNESS_SEED set the defaults. A text that
// breaks the rule is kept in `robustness-failures/`.
#include "../corpus/runner/Expectation.h"
#include "../corpus/worker/Worker.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr size_t Kinds = 3; // of texts

struct Settings {
    size_t cases = 1000, seed = 20240;
    unsigned jobs = 2;
    std::vector<std::string> folders;
};

size_t fromEnvironment(const char* name, size_t otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? std::strtoull(value, nullptr, 10) : otherwise;
}

bool readSettings(int argc, char** argv, Settings& s) {
    s.cases = fromEnvironment("SX_ROBUSTNESS_CASES", s.cases);
    s.seed = fromEnvironment("SX_ROBUSTNESS_SEED", s.seed);
    for (int i = 1; i < argc; ++i) {
        std::string arg = argv[i];
        if (arg == "--cases" && i + 1 < argc) s.cases = std::strtoull(argv[++i], nullptr, 10);
        else if (arg == "--seed" && i + 1 < argc) s.seed = std::strtoull(argv[++i], nullptr, 10);
        else if (arg == "--jobs" && i + 1 < argc) s.jobs = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
        else s.folders.push_back(fs::absolute(arg).string());
    }
    return !s.folders.empty();
}

struct Program {
    fs::path path;
    std::string text;
};

/// The words of a text: names and numbers, and every other visible character by itself. As (offset, length).
std::vector<std::pair<size_t, size_t>> wordsOf(const std::string& text) {
    auto inName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::vector<std::pair<size_t, size_t>> words;
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && inName(text[end])) ++end;
        if (end == i) ++end;
        if (!std::isspace(static_cast<unsigned char>(text[i]))) words.push_back({i, end - i});
        i = end;
    }
    return words;
}

std::vector<Program> programsBelow(const std::vector<std::string>& folders) {
    std::vector<Program> found;
    for (const std::string& folder : folders)
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && entry.path().extension() == ".sx") {
                std::string text = corpus::readFile(entry.path().string()).value_or("");
                if (!wordsOf(text).empty()) found.push_back({entry.path(), std::move(text)});
            }
    std::sort(found.begin(), found.end(), [](const Program& a, const Program& b) { return a.path < b.path; });
    return found;
}

struct Case {
    const Program* program;
    std::string text, what;
};

/// The first third of the numbers are prefixes, the second changed bytes, the last exchanged words; the programs take
/// turns.
Case makeCase(const std::vector<Program>& programs, const Settings& s, size_t number) {
    std::seed_seq seed{s.seed, number};
    std::mt19937_64 random(seed);
    Case c{&programs[number % programs.size()], "", ""};
    const std::string& text = c.program->text;
    size_t at = random() % text.size();
    if (number < s.cases) {
        c.text = text.substr(0, at);
        c.what = "the first " + std::to_string(at) + " bytes";
    } else if (number < 2 * s.cases) {
        c.text = text;
        auto byte = static_cast<unsigned char>(random());
        c.text[at] = static_cast<char>(byte);
        char hex[8];
        std::snprintf(hex, sizeof hex, "0x%02x", byte);
        c.what = "byte " + std::to_string(at) + " is " + hex;
    } else {
        auto words = wordsOf(text);
        auto [place, length] = words[random() % words.size()];
        auto [from, size] = words[random() % words.size()];
        c.text = text.substr(0, place) + text.substr(from, size) + text.substr(place + length);
        c.what = "`" + text.substr(place, length) + "` at byte " + std::to_string(place) + " is `" +
                 text.substr(from, size) + "`";
    }
    return c;
}

/// A folder with links to everything that stands beside a program, so that its imports are found, and in the program's
/// place the text of a case. Each worker keeps one for each folder of programs.
class Stage {
public:
    explicit Stage(fs::path scratch) : scratch_(std::move(scratch)) {}

    fs::path enter(const Case& c) {
        fs::path origin = c.program->path.parent_path();
        auto [it, added] = folders_.try_emplace(origin, scratch_ / std::to_string(folders_.size()));
        if (added) {
            fs::create_directories(it->second);
            for (const fs::directory_entry& entry : fs::directory_iterator(origin))
                fs::create_symlink(entry.path(), it->second / entry.path().filename());
        }
        fs::path file = it->second / c.program->path.filename();
        fs::remove(file);
        std::ofstream(file, std::ios::binary) << c.text;
        return it->second;
    }

    void leave(const Case& c, const fs::path& folder) {
        fs::path file = folder / c.program->path.filename();
        fs::remove(file);
        fs::create_symlink(c.program->path, file);
    }

private:
    fs::path scratch_;
    std::map<fs::path, fs::path> folders_;
};

/// What was wrong with the answer; empty: nothing.
std::string problem(const corpus::Result& r) {
    if (r.timedOut) return "it never ended";
    if (r.exit == 128 + SIGPROF) return "it took more than 2 s of processor time";
    if (r.signalled) return "it died of signal " + std::to_string(r.exit - 128);
    if (r.exit != 0 && r.exit != 1) return "exit status " + std::to_string(r.exit);
    if (r.exit == 1 && ("\n" + r.err).find("\nerror: ") == std::string::npos)
        return "exit status 1 without an `error:` line";
    return "";
}

} // namespace

int main(int argc, char** argv) {
    Settings settings;
    if (!readSettings(argc, argv, settings)) {
        std::fprintf(stderr, "usage: robustness [--cases N] [--seed N] [--jobs N] FOLDER...\n");
        return 2;
    }
    std::vector<Program> programs = programsBelow(settings.folders);
    if (programs.empty()) return 2;
    std::printf("%zu programs, %zu cases of each kind, seed %zu\n", programs.size(), settings.cases, settings.seed);
    std::fflush(stdout);
    char scratch[] = "/tmp/sx-robustness-XXXXXX";
    if (!mkdtemp(scratch)) return 2;
    fs::path kept = fs::absolute("robustness-failures");
    fs::remove_all(kept);

    std::atomic<size_t> next{0}, accepted{0}, failed{0};
    std::mutex output;
    auto work = [&](unsigned worker) {
        Stage stage(fs::path(scratch) / std::to_string(worker));
        corpus::Worker sx(SX_WORKER);
        for (size_t number; (number = next++) < Kinds * settings.cases;) {
            Case c = makeCase(programs, settings, number);
            fs::path folder = stage.enter(c);
            // Processor time, so that a busy machine does not matter; the wall clock only stops what sleeps.
            corpus::Result r = sx.run({"check", c.program->path.filename().string()}, folder.string(), 60, 2);
            stage.leave(c, folder);
            if (r.exit == 0) ++accepted;
            std::string wrong = problem(r);
            if (wrong.empty()) continue;
            ++failed;
            std::lock_guard lock(output);
            fs::create_directories(kept);
            fs::path copy = kept / (std::to_string(number) + "-" + c.program->path.filename().string());
            std::ofstream(copy, std::ios::binary) << c.text;
            std::printf("FAILED case %zu: %s, %s: %s\n  the text: %s\n%s", number, c.program->path.c_str(),
                        c.what.c_str(), wrong.c_str(), copy.c_str(), r.err.substr(0, 1000).c_str());
            std::fflush(stdout);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < settings.jobs; ++i) threads.emplace_back(work, i);
    for (std::thread& t : threads) t.join();
    fs::remove_all(scratch);
    std::printf("%zu cases, %zu accepted, %zu failed\n", Kinds * settings.cases, accepted.load(), failed.load());
    return failed ? 1 : 0;
}
