#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Requests.h"
#include "debugger/session/SourceMap.h"
#include "source/StackDepth.h"

#include "llvm/ADT/StringExtras.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

using Kind = Breakpoint::Kind;

/// What all kinds of breakpoints have.
void readTexts(Arguments& a, Breakpoint& b) {
    b.condition = a.optionalText("condition").value_or("");
    b.logMessage = a.optionalText("logMessage").value_or("");
    b.hitText = a.optionalText("hitCondition").value_or("");
    b.hitCondition = b.hitText.empty() ? std::nullopt : parseHitCondition(b.hitText);
    b.place = b.key;
    b.key += "\n" + b.condition + "\n" + b.logMessage + "\n" + b.hitText;
}

/// Gives the breakpoints ids: one that was there before keeps its own, and its hits; one whose texts have changed keeps
/// its id alone. Returns the ids that are kept.
std::set<uint32_t> giveIds(Session& s, Kind kind, std::vector<Breakpoint>& wanted) {
    std::set<uint32_t> kept;
    std::multimap<std::string, uint32_t> byKey, byPlace;
    auto nameOf = [](const Breakpoint& b) { return b.path + "\n" + b.place; };
    for (const auto& [id, known] : s.breakpoints.all) {
        if (known.kind != kind) continue;
        byKey.emplace(known.key, id);
        byPlace.emplace(nameOf(known), id);
    }
    auto keep = [&](Breakpoint& b, std::multimap<std::string, uint32_t>& known, const std::string& name) {
        for (auto at = known.lower_bound(name); at != known.end() && at->first == name; at = known.erase(at))
            if (kept.insert(at->second).second) return void(b.id = at->second);
    };
    for (Breakpoint& b : wanted) {
        keep(b, byKey, b.key);
        if (b.id != 0) b.hits = s.breakpoints.all.at(b.id).hits;
    }
    for (Breakpoint& b : wanted)
        if (b.id == 0) keep(b, byPlace, nameOf(b));
    for (Breakpoint& b : wanted)
        if (b.id == 0) kept.insert(b.id = s.breakpoints.nextId++);
    return kept;
}

/// Replaces the breakpoints of a kind (and a file) by new ones.
Reply replace(Session& s, Kind kind, const std::string& path, std::vector<Breakpoint> wanted) {
    Array answers;
    for (Breakpoint& b : wanted) {
        b.kind = kind;
        b.path = path;
        b.key = path + "\n" + b.key;
    }
    std::set<uint32_t> kept = giveIds(s, kind, wanted);
    withLargeStack([&] {
        for (Breakpoint& b : wanted) {
            Breakpoint& placed = s.breakpoints.all[b.id] = std::move(b);
            settle(s, placed);
            answers.push_back(describe(s, placed));
        }
    });
    for (auto it = s.breakpoints.all.begin(); it != s.breakpoints.all.end();) {
        const Breakpoint& b = it->second;
        if (b.kind != kind || b.path != path || kept.count(b.id)) {
            ++it;
            continue;
        }
        if (s.engine && s.phase != Phase::Ended) s.engine->removeBreakpoint(b.id);
        it = s.breakpoints.all.erase(it);
    }
    return Object{{"breakpoints", std::move(answers)}};
}

} // namespace

Reply setBreakpoints(Session& s, Arguments& a) {
    const Object* source = a.object("source");
    if (!source) a.reject("`source` has to be given");
    if (!a.ok()) return {};
    Arguments where(*source, "source.");
    std::string path = where.optionalText("path").value_or("");
    uint32_t reference = where.optionalIndex("sourceReference").value_or(0);
    if (!where.ok()) return Reply::failure(where.problem());
    if (path.empty() && reference > 0 && s.program && reference <= s.program->sources.fileCount())
        path = s.program->absolutePath(static_cast<FileId>(reference - 1));
    if (path.empty()) return Reply::failure("`source.path` has to be given");
    a.flag("sourceModified", false);

    std::vector<Breakpoint> wanted;
    for (const Object* o : a.objects("breakpoints")) {
        Arguments one(*o, "breakpoints.");
        Breakpoint b;
        b.line = lineFromClient(s, one.integer("line"));
        std::optional<int64_t> column = one.optionalInteger("column");
        if (!one.ok()) return Reply::failure(one.problem());
        if (column) {
            std::optional<FileId> file = fileOfClient(s, path);
            b.column = file ? columnFromClient(s, *file, b.line, *column)
                            : static_cast<uint32_t>(std::max<int64_t>(*column, 0));
        }
        b.key = std::to_string(b.line) + ":" + std::to_string(b.column);
        readTexts(one, b);
        if (!one.ok()) return Reply::failure(one.problem());
        wanted.push_back(std::move(b));
    }
    if (!a.array("breakpoints")) {
        if (const Array* lines = a.array("lines")) {
            for (const llvm::json::Value& v : *lines) {
                Breakpoint b;
                if (std::optional<int64_t> n = v.getAsInteger()) b.line = lineFromClient(s, *n);
                else a.reject("`lines` has to be a list of numbers");
                b.place = std::to_string(b.line) + ":0";
                b.key = b.place + "\n\n\n";
                wanted.push_back(std::move(b));
            }
        }
    }
    if (!a.ok()) return {};
    return replace(s, Kind::Line, path, std::move(wanted));
}

Reply setFunctionBreakpoints(Session& s, Arguments& a) {
    std::vector<Breakpoint> wanted;
    if (!a.array("breakpoints")) a.reject("`breakpoints` has to be given: a list");
    for (const Object* o : a.objects("breakpoints")) {
        Arguments one(*o, "breakpoints.");
        Breakpoint b;
        b.key = b.function = one.text("name");
        readTexts(one, b);
        if (!one.ok()) return Reply::failure(one.problem());
        wanted.push_back(std::move(b));
    }
    if (!a.ok()) return {};
    return replace(s, Kind::Function, "", std::move(wanted));
}

Reply setInstructionBreakpoints(Session& s, Arguments& a) {
    std::vector<Breakpoint> wanted;
    if (!a.array("breakpoints")) a.reject("`breakpoints` has to be given: a list");
    for (const Object* o : a.objects("breakpoints")) {
        Arguments one(*o, "breakpoints.");
        Breakpoint b;
        const llvm::json::Value* given = one.any("instructionReference");
        if (!given) one.reject("`breakpoints.instructionReference` has to be given: an address");
        std::string reference = given ? given->getAsString().value_or("").str() : "";
        std::optional<uint64_t> address = given ? given->getAsUINT64() : std::nullopt;
        if (!address) address = parseAddress(reference);
        if (!address) b.refused = code(asUtf8(reference)) + " is no address";
        b.address = address.value_or(0) + static_cast<uint64_t>(one.optionalOffset("offset").value_or(0));
        b.key = address ? llvm::utohexstr(b.address) : reference;
        readTexts(one, b);
        if (!one.ok()) return Reply::failure(one.problem());
        wanted.push_back(std::move(b));
    }
    if (!a.ok()) return {};
    return replace(s, Kind::Instruction, "", std::move(wanted));
}

Reply setExceptionBreakpoints(Session& s, Arguments& a) {
    std::vector<Breakpoints::Filter> filters;
    if (!a.array("filters")) a.reject("`filters` has to be given: a list");
    for (const std::string& name : a.texts("filters")) filters.push_back({name, ""});
    for (const Object* o : a.objects("filterOptions")) {
        Arguments one(*o, "filterOptions.");
        filters.push_back({one.text("filterId"), one.optionalText("condition").value_or("")});
        if (!one.ok()) return Reply::failure(one.problem());
    }
    if (!a.ok()) return {};
    s.breakpoints.filters = std::move(filters);
    return Object{{"breakpoints", applyFilters(s)}};
}

Reply breakpointLocations(Session& s, Arguments& a) {
    const Object* source = a.object("source");
    if (!source) a.reject("`source` has to be given");
    uint32_t line = lineFromClient(s, a.integer("line"));
    std::optional<int64_t> endLine = a.optionalInteger("endLine");
    std::optional<int64_t> column = a.optionalInteger("column"), endColumn = a.optionalInteger("endColumn");
    if (!a.ok()) return {};
    Arguments where(*source, "source.");
    std::string path = where.text("path");
    if (!where.ok()) return Reply::failure(where.problem());
    Array found;
    std::optional<FileId> file = s.places ? fileOfClient(s, path) : std::nullopt;
    if (file) {
        uint32_t last = endLine ? lineFromClient(s, *endLine) : line;
        for (SourcePos p : s.places->inLines(*file, line, last)) {
            Location at = s.program->sources.resolve(p);
            int64_t here = columnToClient(s, at);
            if (column && at.line == line && here < *column) continue;
            if (endColumn && at.line == last && here > *endColumn) continue;
            found.push_back(Object{{"line", lineToClient(s, at.line)}, {"column", here}});
        }
    }
    return Object{{"breakpoints", std::move(found)}};
}

Reply dataBreakpointInfo(Session& s, Arguments& a) {
    std::string name = a.text("name");
    std::optional<uint32_t> reference = a.optionalIndex("variablesReference");
    std::optional<uint32_t> frameId = a.optionalIndex("frameId");
    if (!a.ok()) return {};
    Result<Watched> watched = findWatched(s, name, reference, frameId);
    if (!watched) return Object{{"dataId", nullptr}, {"description", watched.error()}};
    return Object{{"dataId", watched->id},
                  {"description", watched->name},
                  {"accessTypes", Array{"write"}},
                  {"canPersist", false}};
}

namespace {

std::string dataIdOf(const Breakpoint& b) { return b.key.substr(0, b.key.find('\n')); }

/// The watch that is there, with the texts that are wanted now.
Breakpoint withTexts(Session& s, Breakpoint there, const Breakpoint& wanted) {
    if (there.key == wanted.key) return there;
    there.key = wanted.key;
    there.condition = wanted.condition;
    there.hitCondition = wanted.hitCondition;
    there.hitText = wanted.hitText;
    there.hits = 0;
    there.frame.reset(); // it may be another one by now
    settleData(s, there);
    there.isPending = there.isPending && there.message.empty();
    if (there.isPending) there.message = "pending";
    there.verified = there.message.empty();
    return there;
}

/// `message` says why the place cannot be watched.
void beginWatch(Session& s, Breakpoint& b) {
    if (Result<void> set = setWatch(s, b); !set) {
        std::string why = set.error();
        if (b.isPending) settleData(s, b);
        b.isPending = b.isPending && b.message.empty();
        if (b.message.empty()) b.message = why;
        return;
    }
    settleData(s, b);
    if (!b.message.empty()) s.engine->removeWatch(b.id);
}

} // namespace

Reply setDataBreakpoints(Session& s, Arguments& a) {
    if (!a.array("breakpoints")) a.reject("`breakpoints` has to be given: a list");
    if (!a.ok()) return {};
    struct Wanted {
        Breakpoint breakpoint;
        bool isWrite;
        std::optional<Breakpoint> known{}; ///< what is there already
    };
    std::vector<Wanted> list;
    for (const Object* o : a.objects("breakpoints")) {
        Arguments one(*o, "breakpoints.");
        Breakpoint b;
        b.kind = Kind::Data;
        b.key = one.text("dataId");
        bool isWrite = one.optionalText("accessType").value_or("write") == "write";
        readTexts(one, b);
        if (!one.ok()) return Reply::failure(one.problem());
        list.push_back({std::move(b), isWrite});
    }
    if (!a.ok()) return {};
    bool live = s.engine && s.phase != Phase::Ended;
    std::multimap<std::string, Breakpoint> old; // by `dataId`
    for (auto it = s.breakpoints.all.begin(); it != s.breakpoints.all.end();) {
        bool isData = it->second.kind == Kind::Data;
        if (isData) old.emplace(dataIdOf(it->second), std::move(it->second));
        it = isData ? s.breakpoints.all.erase(it) : std::next(it);
    }
    // One that is there already stays: what its id says of a frame was true when it was set. Others go first, since the
    // hardware has few places.
    for (Wanted& w : list)
        if (auto known = old.find(dataIdOf(w.breakpoint)); known != old.end() && w.isWrite) {
            w.known = std::move(known->second);
            old.erase(known);
        }
    if (live)
        for (const auto& [key, b] : old) s.engine->removeWatch(b.id);
    Array answers;
    for (Wanted& w : list) {
        Breakpoint b = std::move(w.breakpoint);
        if (w.known) {
            b = withTexts(s, std::move(*w.known), b);
            if (live && !b.verified && !b.isPending) s.engine->removeWatch(b.id);
        } else {
            b.id = s.breakpoints.nextId++;
            if (!w.isWrite) b.message = "only writes are watched";
            else if (!live) b.message = "no program is loaded";
            else beginWatch(s, b);
            b.verified = b.message.empty();
        }
        answers.push_back(describe(s, b));
        if (b.verified || b.isPending) s.breakpoints.all[b.id] = std::move(b);
    }
    return Object{{"breakpoints", std::move(answers)}};
}

} // namespace sx::debugger
