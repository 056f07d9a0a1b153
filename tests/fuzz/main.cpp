// fuzz_machines --sx PATH [options]
//
// Proves: the same program prints the same bytes, fails with the same trace and ends with the same status, whether it
// runs in the compiler's process (`sx run`), in the interpreter (`sx run --vm`), again from what that has recorded, or
// as an executable of level 0 or 2.
//
// A case is a random function with types, constants, methods, generics and functions of its own, about 300 lines;
// programs of several cases save start-up. A program follows from the seed, its number and the cases a program. What
// the machines do not agree on is cut down and kept, with what each printed.
#include "Assemble.h"
#include "Machines.h"
#include "Reduce.h"

#include "../corpus/worker/Worker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

namespace fs = std::filesystem;

namespace {

const char* const Usage =
    "usage: fuzz_machines --sx PATH [options]\n"
    "  --seed N        where the programs come from (1)\n"
    "  --count N       cases to run (2000); a case is a function with types and helpers of its own\n"
    "  --cases N       cases a program (10)\n"
    "  --first N       number of the first program (0)\n"
    "  --jobs N        programs at a time (2)\n"
    "  --machines \"…\"  of run vm replay O0 O1 O2 O3 (run vm replay O0 O2)\n"
    "  --every N       replays and optimised levels for one program in N only, since they take most of the time (4)\n"
    "  --out DIR       where differences are kept (fuzz-differences)\n"
    "  --keep N        stop after N differences (5)\n"
    "  --reduce N      seconds to spend on cutting one down (60)\n"
    "  --print N       print program N and stop\n"
    "  --reject        change tokens; require only that `sx check` ends without a signal within 2 s\n";

struct Settings {
    std::string sx, out = "fuzz-differences";
    std::vector<std::string> machines{"run", "vm", "replay", "O0", "O2"};
    uint64_t seed = 1, count = 2000, first = 0, keep = 5, every = 4;
    int cases = 10, seconds = 60;
    unsigned jobs = 2;
    long print = -1;
    bool reject = false;
};

bool readSettings(int argc, char** argv, Settings& s) {
    for (int i = 1; i < argc; ++i) {
        std::string arg = argv[i];
        if (arg == "--reject") {
            s.reject = true;
            continue;
        }
        if (i + 1 == argc) return false;
        std::string value = argv[++i];
        uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
        if (arg == "--sx") s.sx = fs::absolute(value).string();
        else if (arg == "--seed") s.seed = number;
        else if (arg == "--count") s.count = number;
        else if (arg == "--cases") s.cases = std::max(1, static_cast<int>(number));
        else if (arg == "--first") s.first = number;
        else if (arg == "--jobs") s.jobs = static_cast<unsigned>(std::max<uint64_t>(1, number));
        else if (arg == "--every") s.every = std::max<uint64_t>(1, number);
        else if (arg == "--out") s.out = value;
        else if (arg == "--keep") s.keep = std::max<uint64_t>(1, number);
        else if (arg == "--reduce") s.seconds = static_cast<int>(number);
        else if (arg == "--print") s.print = static_cast<long>(number);
        else if (arg == "--machines") {
            std::istringstream words(value);
            s.machines.clear();
            for (std::string w; words >> w;) s.machines.push_back(w);
        } else {
            return false;
        }
    }
    return !s.machines.empty() && (!s.sx.empty() || s.print >= 0);
}

void writeFile(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

class Fuzzer {
public:
    Fuzzer(const Settings& s, const std::string& scratch) : settings_(s), scratch_(scratch) {}

    /// Runs everything; the number of programs that went wrong.
    uint64_t run() {
        uint64_t programs =
            (settings_.count + static_cast<uint64_t>(settings_.cases) - 1) / static_cast<uint64_t>(settings_.cases);
        std::vector<std::thread> threads;
        for (unsigned job = 0; job < settings_.jobs; ++job)
            threads.emplace_back([this, job, programs] {
                std::string folder = scratch_ + "/" + std::to_string(job);
                fs::create_directory(folder);
                corpus::Worker sx(SX_WORKER);
                for (uint64_t i; (i = next_++) < programs && found_ < settings_.keep;) {
                    if (settings_.reject) rejecting(settings_.first + i, folder, sx);
                    else agreeing(settings_.first + i, folder);
                }
            });
        for (std::thread& t : threads) t.join();
        auto ran = static_cast<unsigned long long>(std::min<uint64_t>(next_, programs));
        std::printf("%llu programs of %d cases, %llu gone wrong\n", ran, settings_.cases,
                    static_cast<unsigned long long>(found_));
        return found_;
    }

private:
    void agreeing(uint64_t index, const std::string& folder) {
        fuzz::Program program = fuzz::assemble(settings_.seed, index, settings_.cases);
        std::vector<std::string> names = settings_.machines;
        if (index % settings_.every != 0)
            std::erase_if(names, [](const std::string& n) { return n == "O2" || n == "O3" || n == "replay"; });
        if (index % 2 != 0 && std::ranges::find(names, "run") != names.end())
            std::erase(names, "O0"); // its code is that of `run`
        fuzz::Machines machines(settings_.sx, folder, names);
        fuzz::Verdict verdict = machines.compare(program);
        if (verdict.agreed()) return;
        ++found_;
        fuzz::Program small = fuzz::reduce(program, verdict, machines, settings_.seconds);
        fuzz::Verdict last = machines.compare(small);
        fs::path kept = keep(index, verdict.kind + " of " + verdict.other +
                                        (verdict.kind == "rejected" ? ": " + verdict.detail : ""));
        writeFile(kept / "whole.sx", program.text());
        writeFile(kept / "fuzz.sx", small.text());
        for (const fuzz::Outcome& o : last.outcomes) {
            writeFile(kept / (o.machine + ".out"), o.out);
            writeFile(kept / (o.machine + ".err"), o.err);
            writeFile(kept / (o.machine + ".exit"), std::to_string(o.exit) + "\n");
        }
    }

    void rejecting(uint64_t index, const std::string& folder, corpus::Worker& sx) {
        std::string text =
            fuzz::mutate(fuzz::assemble(settings_.seed, index, settings_.cases).text(), settings_.seed + index);
        writeFile(folder + "/fuzz.sx", text);
        // Processor time, so that a busy machine does not matter; the wall clock only stops what sleeps.
        corpus::Result r = sx.run({"check", "fuzz.sx"}, folder, 60, 2);
        if (!r.signalled && !r.timedOut && (r.exit == 0 || r.exit == 1)) return;
        ++found_;
        fs::path kept = keep(index, r.timedOut ? "no answer" : "exit status " + std::to_string(r.exit));
        writeFile(kept / "fuzz.sx", text);
        writeFile(kept / "check.err", r.err);
    }

    fs::path keep(uint64_t index, const std::string& what) {
        fs::path folder = fs::path(settings_.out) / (std::to_string(settings_.seed) + "-" + std::to_string(index));
        fs::create_directories(folder);
        std::lock_guard lock(output_);
        std::printf("program %llu: %s; see %s\n", static_cast<unsigned long long>(index), what.c_str(), folder.c_str());
        std::fflush(stdout);
        return folder;
    }

    const Settings& settings_;
    std::string scratch_;
    std::atomic<uint64_t> next_{0}, found_{0};
    std::mutex output_;
};

} // namespace

int main(int argc, char** argv) {
    Settings settings;
    if (!readSettings(argc, argv, settings)) {
        std::fputs(Usage, stderr);
        return 2;
    }
    if (settings.print >= 0) {
        std::string text = fuzz::assemble(settings.seed, static_cast<uint64_t>(settings.print), settings.cases).text();
        std::fputs((settings.reject ? fuzz::mutate(text, settings.seed + static_cast<uint64_t>(settings.print)) : text)
                       .c_str(),
                   stdout);
        return 0;
    }
    char scratch[] = "/tmp/sx-fuzz-XXXXXX";
    if (!mkdtemp(scratch)) return 2;
    uint64_t wrong = Fuzzer(settings, scratch).run();
    fs::remove_all(scratch);
    return wrong ? 1 : 0;
}
