#include "Check.h"

#include "Expectation.h"

#include <algorithm>
#include <sstream>

namespace corpus {

namespace {

std::string folderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string nameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

class Checker {
public:
    Checker(std::string sx, Worker& worker, std::string program, std::string scratch, std::vector<std::string> machines)
        : sx_(std::move(sx)), worker_(worker), program_(std::move(program)), scratch_(std::move(scratch)),
          machines_(std::move(machines)), want_(readExpectation(program_)) {}

    std::vector<std::string> run() {
        if (want_.rejected()) {
            Result r = worker_.run(command({"check", "--all", "--max-errors", "0"}), folderOf(program_));
            if (r.exit != 1)
                fail("check",
                     "exit status " + std::to_string(r.exit) + " instead of 1" + (r.timedOut ? " (timed out)" : ""));
            diagnostics("error", want_.errors, r.err);
            remarks(r.err);
            return failures_;
        }
        // The IR that all machines run obeys its own rules (`ir-dump` checks them). A warning that is not expected is a
        // false alarm.
        Result ir = worker_.run(command({"ir-dump", "--max-errors", "0"}), folderOf(program_));
        if (ir.exit != 0) fail("ir-dump", ir.err);
        diagnostics("warning", want_.warnings, ir.err);
        if (!want_.warnings.empty()) remarks(ir.err);
        for (const std::string& machine : want_.machines.empty() ? machines_ : want_.machines) onMachine(machine);
        return failures_;
    }

private:
    void fail(const std::string& machine, const std::string& what) { failures_.push_back(machine + ": " + what); }

    /// The arguments of the compiler for a command with the program's own options.
    std::vector<std::string> command(const std::vector<std::string>& words) const {
        std::vector<std::string> argv = words;
        argv.insert(argv.end(), want_.options.begin(), want_.options.end());
        argv.push_back(nameOf(program_));
        return argv;
    }

    void onMachine(const std::string& machine) {
        Result r;
        if (machine == "run" || machine == "vm") {
            std::vector<std::string> words{"run"};
            if (!want_.warnings.empty())
                words.push_back("--warnings=off"); // they were looked at; the rest is the program's
            if (machine == "vm") words.push_back("--vm");
            std::vector<std::string> argv = command(words);
            argv.insert(argv.begin(), sx_);
            if (!want_.args.empty()) argv.push_back("--");
            argv.insert(argv.end(), want_.args.begin(), want_.args.end());
            r = runProcess(argv, folderOf(program_));
        } else {
            std::string binary = scratch_ + "/" + nameOf(program_) + "." + machine;
            std::vector<std::string> words{"build", "-" + machine, "-o", binary};
            if (machine == "O2" || machine == "O3") words.push_back("--release-traces");
            Result built = worker_.run(command(words), folderOf(program_), 60);
            std::string prefix;
            if (built.exit != 0) {
                fail(machine, "build failed:\n" + built.err);
                return;
            }
            std::vector<std::string> argv{binary};
            argv.insert(argv.end(), want_.args.begin(), want_.args.end());
            r = runProcess(argv, folderOf(program_));
        }
        compare(machine, r);
    }

    void compare(const std::string& machine, const Result& r) {
        if (r.timedOut) {
            fail(machine, "timed out");
            return;
        }
        int exit = want_.exit.value_or(want_.panic ? 134 : 0);
        if (r.exit != exit)
            fail(machine,
                 "exit status " + std::to_string(r.exit) + " instead of " + std::to_string(exit) + "\n" + r.err);
        if (want_.out && r.out != *want_.out) fail(machine, difference("stdout", *want_.out, r.out));
        if (want_.err && r.err != *want_.err) fail(machine, difference("stderr", *want_.err, r.err));
        for (const std::string& line : want_.stderrLines)
            if (("\n" + r.err).find("\n" + line) == std::string::npos)
                fail(machine, "stderr lacks the line `" + line + "`:\n" + r.err);
        if (!want_.trace.empty()) trace(machine, r.err);
        if (want_.panic) {
            std::string line = "panic: " + want_.panic->text + " at " + nameOf(program_) + ":" +
                               std::to_string(want_.panic->line) + ":" + std::to_string(want_.panic->col) + "\n";
            if (r.err.compare(0, line.size(), line) != 0) fail(machine, difference("stderr", line, r.err));
        }
    }

    /// Frames are lines `  FUNC at FILE:LINE:COL`.
    void trace(const std::string& machine, const std::string& err) {
        std::vector<std::string> got;
        std::istringstream text(err);
        for (std::string s; std::getline(text, s);) {
            size_t at = s.find(" at ");
            if (s.size() < 4 || s.compare(0, 2, "  ") != 0 || s[2] == ' ' || at == std::string::npos) continue;
            std::string place = s.substr(at + 4);
            size_t col = place.rfind(':'), line = place.rfind(':', col - 1);
            if (col == std::string::npos || line == std::string::npos) continue;
            got.push_back(s.substr(2, at - 2) + place.substr(line));
        }
        if (got != want_.trace) fail(machine, difference("trace", join(want_.trace), join(got)));
    }

    static std::string join(const std::vector<std::string>& lines) {
        std::string s;
        for (const std::string& l : lines) s += l + "\n";
        return s;
    }

    /// Every diagnostic of a severity with its position, in any order.
    void diagnostics(const std::string& severity, const std::vector<DiagnosticAt>& want, const std::string& err) {
        struct Got {
            std::string text;
            int line, col;
        };
        std::vector<Got> got;
        std::istringstream text(err);
        std::string message;
        for (std::string s; std::getline(text, s);) {
            if (s.compare(0, severity.size() + 2, severity + ": ") == 0) {
                message = s.substr(severity.size() + 2);
                got.push_back({message, 0, 0});
            } else if (s.compare(0, 6, "  --> ") == 0 && !got.empty() && got.back().line == 0) {
                size_t col = s.rfind(':'), line = s.rfind(':', col - 1);
                got.back().line = std::atoi(s.substr(line + 1).c_str());
                got.back().col = std::atoi(s.substr(col + 1).c_str());
            }
        }
        for (const DiagnosticAt& w : want) {
            auto it = std::find_if(got.begin(), got.end(), [&](const Got& g) {
                return g.line == w.line && g.col == w.col && g.text.find(w.text) != std::string::npos;
            });
            if (it == got.end())
                fail("check", "no " + severity + " at " + std::to_string(w.line) + ":" + std::to_string(w.col) +
                                  " with `" + w.text + "`:\n" + err);
            else got.erase(it);
        }
        for (const Got& g : got)
            fail("check", "an " + severity + " that was not expected, at " + std::to_string(g.line) + ":" +
                              std::to_string(g.col) + ": " + g.text);
    }

    /// Each note and help that is expected is the headline of one, whole or in part.
    void remarks(const std::string& err) {
        auto occurs = [&](const std::string& headline, const std::string& part) {
            std::istringstream text(err);
            for (std::string s; std::getline(text, s);)
                if (s.compare(0, headline.size(), headline) == 0 && s.find(part, headline.size()) != std::string::npos)
                    return true;
            return false;
        };
        for (const std::string& n : want_.notes)
            if (!occurs("note: ", n)) fail("check", "no note with `" + n + "`:\n" + err);
        for (const std::string& h : want_.helps)
            if (!occurs("help: ", h)) fail("check", "no help with `" + h + "`:\n" + err);
    }

    static std::string difference(const std::string& what, const std::string& want, const std::string& got) {
        return what + " differs\n--- expected\n" + want + "--- got\n" + got;
    }

    std::string sx_;
    Worker& worker_;
    std::string program_, scratch_;
    std::vector<std::string> machines_;
    Expectation want_;
    std::vector<std::string> failures_;
};

} // namespace

std::vector<std::string> checkProgram(const std::string& sx, Worker& worker, const std::string& program,
                                      const std::string& scratch, const std::vector<std::string>& machines) {
    return Checker(sx, worker, program, scratch, machines).run();
}

} // namespace corpus
