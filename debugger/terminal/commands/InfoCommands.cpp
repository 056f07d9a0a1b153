// Lists: breakpoints, threads, fibers, mappings of memory; the objects around a
// value.
#include "debugger/terminal/commands/Table.h"
#include "debugger/terminal/target/Lists.h"
#include "debugger/terminal/target/Values.h"

#include "llvm/ADT/StringExtras.h"

namespace sx::terminal {

namespace {

std::string joined(const std::vector<std::string>& lines, const char* none) {
    return lines.empty() ? none : llvm::join(lines, "\n");
}

Outcome threadList(Debuggee& d, bool onlyFibers) {
    Result<std::vector<ThreadRow>> rows = threadsOf(d);
    if (!rows) return Outcome::failure(rows.error());
    std::vector<std::string> lines;
    for (const ThreadRow& row : *rows)
        if (!onlyFibers || row.isFiber)
            lines.push_back((row.id == d.thread ? "* " : "  ") + std::to_string(row.id) + "  " + row.name);
    return Outcome::lines(joined(lines, onlyFibers ? "no fibers" : "no threads"));
}

Outcome regionList(Debuggee& d) {
    Result<std::vector<std::string>> lines = regionsOf(d);
    return lines ? Outcome::lines(joined(*lines, "no regions")) : Outcome::failure(lines.error());
}

} // namespace

Outcome info(Debuggee& d, Words words) {
    if (words == "b" || words == "breakpoints") return Outcome::lines(breakpointList(d));
    bool isRegions = words == "regions";
    if (!isRegions && words != "threads" && words != "fibers")
        return Outcome::failure("it needs " + code("b") + ", " + code("threads") + ", " + code("fibers") + " or " +
                                code("regions"));
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    return isRegions ? regionList(d) : threadList(d, words == "fibers");
}

Outcome graph(Debuggee& d, Words words) {
    if (words.empty()) return Outcome::failure("it needs an expression");
    Result<std::vector<std::string>> lines = graphAround(d, words.str());
    return lines ? Outcome::lines(joined(*lines, "no objects")) : Outcome::failure(lines.error());
}

} // namespace sx::terminal
