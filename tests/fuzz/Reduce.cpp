#include "Reduce.h"

#include <algorithm>
#include <chrono>

namespace fuzz {

namespace {

class Reducer {
public:
    Reducer(Program& program, const Verdict& verdict, Machines& machines, int seconds)
        : program_(program), verdict_(verdict), machines_(machines),
          end_(std::chrono::steady_clock::now() + std::chrono::seconds(seconds)) {
        names_ = {verdict.one};
        if (verdict.other != verdict.one) names_.push_back(verdict.other);
        // What one machine alone shows needs no other.
        if (verdict.kind == "rejected" || verdict.kind == "compiler crash") names_ = {verdict.other};
    }

    void run() {
        // The calls of the cases first: without one, all that it reaches can go at once.
        if (!program_.items.empty() && !program_.items.back().parts.empty())
            shorten(program_.items.back().parts.back().body);
        for (size_t before = 0; before != countStatements(program_.items) && !late();) {
            before = countStatements(program_.items);
            shorten(program_.items);
        }
    }

private:
    bool late() const { return std::chrono::steady_clock::now() > end_; }
    bool still() { return !late() && machines_.compare(program_, names_).sameAs(verdict_); }

    /// Leaves out runs of statements, long runs first, from the end: uses go before what they use.
    void shorten(Block& block) {
        for (size_t length = std::max<size_t>(block.size() / 2, 1); length > 0; length /= 2) {
            for (size_t end = block.size(); end >= length && end > 0 && !late();) {
                Block saved = block;
                auto from = block.begin() + static_cast<std::ptrdiff_t>(end - length);
                block.erase(from, from + static_cast<std::ptrdiff_t>(length));
                if (still()) {
                    end = std::min(end - length, block.size());
                    if (end == 0) end = std::min(length, block.size());
                    if (block.empty()) return;
                } else {
                    block = std::move(saved);
                    end -= end > length ? std::min(length, end - length) : end;
                }
            }
        }
        for (size_t i = block.size(); i-- > 0 && !late();) inside(block, i);
    }

    /// The parts of a statement, one by one, and their blocks without it.
    void inside(Block& block, size_t i) {
        for (size_t p = 1; p < block[i].parts.size() && !late();) {
            Stmt saved = block[i];
            block[i].parts.erase(block[i].parts.begin() + static_cast<std::ptrdiff_t>(p));
            if (still()) continue;
            block[i] = std::move(saved);
            ++p;
        }
        for (size_t p = 0; p < block[i].parts.size() && !late(); ++p) {
            if (&block == &program_.items) break; // a function's body cannot stand for it
            Block saved = block, body = block[i].parts[p].body;
            block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
            block.insert(block.begin() + static_cast<std::ptrdiff_t>(i), body.begin(), body.end());
            if (still()) return;
            block = std::move(saved);
        }
        for (size_t p = 0; p < block[i].parts.size() && !late(); ++p) shorten(block[i].parts[p].body);
    }

    Program& program_;
    const Verdict& verdict_;
    Machines& machines_;
    std::vector<std::string> names_;
    std::chrono::steady_clock::time_point end_;
};

} // namespace

Program reduce(Program program, const Verdict& verdict, Machines& machines, int seconds) {
    Reducer(program, verdict, machines, seconds).run();
    return program;
}

} // namespace fuzz
