// What could follow a piece of an expression.
#include "debugger/evaluate/Candidates.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Requests.h"
#include "source/StackDepth.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

constexpr uint64_t MostElements = 20;

/// Names that the program does not have.
void addOfConsole(const Session& s, Candidates& found) {
    for (const Engine::GivenPlace& g : s.console.variables) found.all.push_back({g.name, "variable"});
}

/// The indices of a sequence, as far as one would pick from a list. The items of a list are as many as the list has.
void addIndices(Session& s, const FrameHandle* frame, llvm::StringRef owner, Candidates& found) {
    if (!evaluateIn(s, (owner + "[0]").str(), frame, Unset::Taken)) return;
    Result<Datum> value = evaluateIn(s, owner.str(), frame, Unset::Taken);
    if (owner.consume_back(".items")) value = evaluateIn(s, owner.str(), frame, Unset::Taken);
    if (!value) return;
    uint64_t count = std::min(valuesOf(s).row(*value).indexed, MostElements);
    std::vector<Candidate> indices;
    for (uint64_t i = 0; i < count; ++i) indices.push_back({std::to_string(i), "value"});
    found.all.insert(found.all.begin(), indices.begin(), indices.end());
}

/// The answer: of the candidates those that begin as the text from `from` on does.
Array targetsOf(const Session& s, const std::vector<Candidate>& all, const std::string& before, size_t from) {
    llvm::StringRef typed = llvm::StringRef(before).drop_front(from);
    int64_t start = utf16Length(before.substr(0, from)) + (s.client.columnsStartAt1 ? 1 : 0);
    Array targets;
    for (const Candidate& c : all)
        if (llvm::StringRef(c.name).starts_with(typed))
            targets.push_back(Object{
                {"label", asUtf8(c.name)}, {"type", c.kind}, {"start", start}, {"length", utf16Length(typed.str())}});
    return targets;
}

std::string beforeColumn(const Session& s, const std::string& text, int64_t column) {
    return text.substr(0, bytesOfUnits(text, column - (s.client.columnsStartAt1 ? 1 : 0)));
}

Reply completionsOfForeign(Session& s, const std::string& text, int64_t column, const FrameHandle* frame) {
    std::string before = beforeColumn(s, text, column);
    size_t from = 0;
    std::vector<Candidate> all;
    for (std::string& name : foreignCandidates(s, before, frame, from)) all.push_back({std::move(name), "variable"});
    return Object{{"targets", targetsOf(s, all, before, from)}};
}

} // namespace

Reply completions(Session& s, Arguments& a) {
    std::string text = a.text("text");
    int64_t column = a.integer("column");
    std::optional<uint32_t> frameId = a.optionalIndex("frameId");
    a.optionalInteger("line");
    if (!a.ok()) return {};
    Result<const FrameHandle*> frame = frameOf(s, frameId);
    if (!frame) return Reply::failure(frame.error());
    if (s.phase != Phase::Stopped) return Object{{"targets", Array{}}};
    if (isForeign(s, *frame)) return completionsOfForeign(s, text, column, *frame);
    Result<FrameHandle> scope = scopeOf(s, *frame);
    if (!scope) return Object{{"targets", Array{}}};
    FrameHandle held = *scope;
    const FrameHandle* asked = *frame ? &held : nullptr;
    std::string before = beforeColumn(s, text, column);
    const ir::Function& fn = s.program->module.fn(held.frame.func);
    sema::CodePlace at{held.frame.at.isValid() ? held.frame.at : fn.bodyStart, fn, held.frame.scope};
    Candidates found;
    withLargeStack([&] {
        found = candidatesAfter(*s.program->sema, before, at.at, &at, [&](const std::string& owner) {
            Result<Datum> value = evaluateIn(s, owner, asked, Unset::Taken);
            return value && value->place != Datum::Place::Nowhere ? value->type : TypeId::None;
        });
    });
    if (!found.indexed.empty()) addIndices(s, asked, found.indexed, found);
    bool isMember = found.from > 0 && before[found.from - 1] == '.';
    if (!isMember) addOfConsole(s, found);
    return Object{{"targets", targetsOf(s, found.all, before, found.from)}};
}

} // namespace sx::debugger
