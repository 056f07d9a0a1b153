#include "Program.h"

namespace fuzz {

namespace {

void write(const Block& block, size_t depth, std::string& out) {
    std::string indent(depth * 4, ' ');
    for (const Stmt& s : block) {
        for (const Part& p : s.parts) {
            out += indent + p.open + "\n";
            write(p.body, depth + 1, out);
        }
        if (!s.close.empty()) out += indent + s.close + "\n";
    }
}

} // namespace

std::string Program::text() const {
    std::string out;
    write(items, 0, out);
    return out;
}

size_t countStatements(const Block& block) {
    size_t n = 0;
    for (const Stmt& s : block) {
        ++n;
        for (const Part& p : s.parts) n += countStatements(p.body);
    }
    return n;
}

} // namespace fuzz
