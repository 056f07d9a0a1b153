#include "debugger/native/engine/StopPlaces.h"

#include "debugger/native/engine/Positions.h"
#include "ir/CodeMarks.h"

#include <set>
#include <tuple>

namespace sx::debugger::native {

/// The rows of the lines of a statement, where the optimizer has left code of it but not its beginning.
static StopPlace rowsOf(const Native& n, ir::FuncId func, uint32_t statement) {
    const ir::Function& fn = n.program.module.fn(func);
    const SourceManager& sources = n.program.module.sources;
    SourcePos begin = fn.statements[statement].begin;
    Location first = sources.resolve(begin);
    uint32_t nextColumn = UINT32_MAX; // of the statement that follows on the line
    uint32_t copies = 0;              // of the statement: what is cleaned up at several ends of a block
    for (const ir::Statement& other : fn.statements) {
        if (Location at = sources.resolve(other.begin); begin < other.begin && at.line == first.line)
            nextColumn = std::min(nextColumn, at.col);
        copies += other.begin == begin;
    }
    StopPlace found{{}, ir::CodeMarks::None, begin};
    for (const ImageRow* row : n.image.rowsOf(func, first, nextColumn, copies > 1 ? UINT32_MAX : 1)) {
        if (found.addresses.empty()) found.at = positionAt(sources, first.file, first.line, row->column);
        found.addresses.push_back(row->address);
    }
    return found;
}

static StopPlace placeOf(const Native& n, ir::FuncId func, uint32_t statement) {
    SourcePos begin = n.program.module.fn(func).statements[statement].begin;
    StopPlace place{n.image.addressesOf(func, statement), statement, begin};
    return place.addresses.empty() && n.image.isOptimized() ? rowsOf(n, func, statement) : place;
}

/// A statement without code of its own begins where the next one does: the next of the source, as what is cleaned up
/// stands behind all else, wherever it was written. Of several at one place it is the first that comes then.
StopPlace stopPlace(const Native& n, const CodePoint& point) {
    const ir::Function& fn = n.program.module.fn(point.func);
    if (point.statement >= fn.statements.size()) return {};
    SourcePos begin = fn.statements[point.statement].begin;
    FileId file = n.program.module.sources.fileOf(begin);
    std::set<std::tuple<SourcePos, bool, uint32_t>> next;
    for (uint32_t i = 0; i < fn.statements.size(); ++i) {
        SourcePos at = fn.statements[i].begin;
        if (at >= begin && n.program.module.sources.fileOf(at) == file) next.emplace(at, i < point.statement, i);
    }
    for (auto [at, isBefore, statement] : next)
        if (StopPlace place = placeOf(n, point.func, statement); !place.addresses.empty()) return place;
    return {};
}

/// What is not optimized has a place for each statement, or will have, as its code is made while it runs.
std::optional<SourcePos> stopPosition(const Native& n, const CodePoint& point) {
    if (!n.image.isOptimized() || n.image.isForeign(point.func)) return SourcePos();
    StopPlace place = stopPlace(n, point);
    return place.addresses.empty() ? std::nullopt : std::optional(place.at);
}

} // namespace sx::debugger::native
