#include "Machines.h"

#include "../corpus/runner/Process.h"

#include <fstream>

namespace fuzz {

namespace {

/// The compiler's first error, without its place.
std::string firstError(const std::string& err) {
    size_t at = err.find("error: ");
    return at == std::string::npos ? "" : err.substr(at, err.find('\n', at) - at);
}

/// Seconds for one step, by the clock: what takes longer proves nothing, for the machine may be busy.
constexpr int Patience = 120;

bool optimised(const std::string& machine) { return machine == "O2" || machine == "O3"; }

} // namespace

Outcome Machines::on(const std::string& machine) {
    Outcome o;
    o.machine = machine;
    corpus::Result r;
    if (machine == "run" || machine == "vm" || machine == "replay") {
        std::vector<std::string> argv{sx_, "run", "--warnings=off", "fuzz.sx"};
        if (machine == "vm") argv.insert(argv.begin() + 2, "--vm");
        if (machine == "replay") {
            std::vector<std::string> first{sx_, "run", "--vm", "--warnings=off", "--record", "fuzz.rec", "fuzz.sx"};
            r = corpus::runProcess(first, scratch_, Patience);
            argv = {sx_, "run", "--replay", "fuzz.rec", "fuzz.sx"};
        }
        if (!r.timedOut) r = corpus::runProcess(argv, scratch_, Patience);
        // Diagnostics name places as `  --> FILE`; nothing that a program prints here does.
        o.built = r.err.find("\n  --> ") == std::string::npos || r.exit != 1 || r.err.compare(0, 7, "error: ") != 0;
        o.crashed = r.signalled && !r.timedOut && r.err.find("panic: ") == std::string::npos;
    } else {
        std::string binary = "fuzz." + machine;
        std::vector<std::string> argv{sx_, "build", "-" + machine, "-o", binary, "fuzz.sx"};
        if (optimised(machine)) argv.insert(argv.begin() + 2, "--release-traces");
        r = corpus::runProcess(argv, scratch_, Patience);
        o.crashed = r.signalled && !r.timedOut;
        o.built = r.exit == 0 || r.timedOut;
        if (r.exit == 0) r = corpus::runProcess({scratch_ + "/" + binary}, scratch_, Patience);
    }
    o.timedOut = r.timedOut;
    o.exit = r.exit;
    o.out = std::move(r.out);
    o.err = std::move(r.err);
    return o;
}

Verdict Machines::compare(const Program& program, const std::vector<std::string>& names) {
    {
        std::ofstream file(scratch_ + "/fuzz.sx", std::ios::binary);
        file << program.text();
    }
    Verdict v;
    for (const std::string& machine : names) {
        if (program.ending == Ending::Unchecked && optimised(machine)) continue;
        v.outcomes.push_back(on(machine));
        const Outcome& o = v.outcomes.back();
        const Outcome& first = v.outcomes.front();
        auto differs = [&](const char* kind, const std::string& detail) {
            v.kind = kind;
            v.one = first.machine;
            v.other = o.machine;
            v.detail = detail;
        };
        if (o.crashed) differs("compiler crash", o.machine);
        else if (!o.built) differs("rejected", o.machine + " " + firstError(o.err));
        else if (o.timedOut) break; // nothing to compare: a busy machine, or a program that takes long everywhere
        else if (o.out != first.out) differs("stdout", o.machine);
        else if (o.err != first.err) differs("stderr", o.machine);
        else if (o.exit != first.exit) differs("exit status", o.machine);
        if (!v.agreed()) break;
    }
    return v;
}

} // namespace fuzz
