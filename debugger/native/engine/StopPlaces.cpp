#include "debugger/native/engine/StopPlaces.h"

#include "debugger/native/engine/Positions.h"
#include "ir/CodeMarks.h"

namespace sx::debugger::native {

/// The rows of the lines of a statement, where the optimizer has left code of it but not its beginning.
static StopPlace rowsOf(const Native& n, ir::FuncId func, uint32_t statement) {
    const ir::Function& fn = n.program.module.fn(func);
    const SourceManager& sources = n.program.module.sources;
    SourcePos begin = fn.statements[statement].begin;
    Location first = sources.resolve(begin);
    uint32_t nextColumn = UINT32_MAX; // of the statement that follows on the line
    for (const ir::Statement& other : fn.statements)
        if (Location at = sources.resolve(other.begin); begin < other.begin && at.line == first.line)
            nextColumn = std::min(nextColumn, at.col);
    StopPlace found{{}, ir::CodeMarks::None, begin};
    for (const ImageRow* row : n.image.rowsOf(func, first, nextColumn)) {
        if (found.addresses.empty()) found.at = positionAt(sources, first.file, first.line, row->column);
        found.addresses.push_back(row->address);
    }
    return found;
}

/// A statement without code of its own begins where the next one does.
StopPlace stopPlace(const Native& n, const CodePoint& point) {
    const ir::Function& fn = n.program.module.fn(point.func);
    for (uint32_t statement = point.statement; statement < fn.statements.size(); ++statement) {
        StopPlace place{n.image.addressesOf(point.func, statement), statement, fn.statements[statement].begin};
        if (place.addresses.empty() && n.image.isOptimized()) place = rowsOf(n, point.func, statement);
        if (!place.addresses.empty()) return place;
    }
    return {};
}

/// What is not optimized has a place for each statement, or will have, as its code is made while it runs.
std::optional<SourcePos> stopPosition(const Native& n, const CodePoint& point) {
    if (!n.image.isOptimized() || n.image.isForeign(point.func)) return SourcePos();
    StopPlace place = stopPlace(n, point);
    return place.addresses.empty() ? std::nullopt : std::optional(place.at);
}

} // namespace sx::debugger::native
