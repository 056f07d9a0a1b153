// Runs one program on every machine and says whether they agree.
#pragma once

#include "Program.h"

#include <string>
#include <vector>

namespace fuzz {

/// What one machine made of a program.
struct Outcome {
    std::string machine;
    bool built = true;    ///< the compiler accepted it
    bool crashed = false; ///< the compiler died
    bool timedOut = false;
    int exit = 0;
    std::string out, err;
};

/// How the machines differ; empty: they agree.
struct Verdict {
    std::string kind;       ///< "rejected", "compiler crash", "stdout", "stderr", "exit status"
    std::string one, other; ///< the machines
    std::string detail;     ///< what identifies the case: the first error, or the machines
    std::vector<Outcome> outcomes;

    bool agreed() const { return kind.empty(); }
    bool sameAs(const Verdict& v) const { return kind == v.kind && detail == v.detail; }
};

class Machines {
public:
    /// `sx`: the compiler. `scratch`: a folder of one's own. `names`: of run, vm, replay (of what vm has recorded), O0
    /// to O3.
    Machines(std::string sx, std::string scratch, std::vector<std::string> names)
        : sx_(std::move(sx)), scratch_(std::move(scratch)), names_(std::move(names)) {}

    Verdict compare(const Program& program) { return compare(program, names_); }
    /// Only on these machines: enough to see whether a smaller program still shows a difference.
    Verdict compare(const Program& program, const std::vector<std::string>& names);

private:
    Outcome on(const std::string& machine);

    std::string sx_, scratch_;
    std::vector<std::string> names_;
};

} // namespace fuzz
