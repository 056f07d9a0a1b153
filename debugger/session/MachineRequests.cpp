// Requests about the machine's own view of the program.
#include "debugger/session/Frames.h"
#include "debugger/session/Heap.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Requests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

constexpr uint32_t MostRows = 100'000;

/// A null or the text.
Value textOrNull(const std::string& text) { return text.empty() ? Value(nullptr) : Value(asUtf8(text)); }

/// The thread that a request names, or the one that has stopped.
ThreadId threadOf(Session& s, Arguments& a) {
    return a.optionalIndex("threadId").value_or(s.stop.thread == 0 ? 1 : s.stop.thread);
}

} // namespace

// ---- what is wanted

Reply openSession(Session& s, Arguments& a) {
    static constexpr const char* Known[] = {"events", "stack", "watch", "trace", "trace_step", "task_state"};
    checkAddressed(s, a);
    const Object* wanted = a.object("capabilities");
    Object none;
    Arguments c(wanted ? *wanted : none, "capabilities.");
    std::vector<std::string> asked = c.texts("features");
    std::optional<int64_t> size = c.optionalInteger("trace_buffer_size");
    std::string mode = c.optionalText("trace_mode").value_or("development");
    if (!a.ok()) return {};
    if (!c.ok()) return Reply::failure(c.problem());
    if (mode != "minimal" && mode != "development" && mode != "full")
        return Reply::failure("`capabilities.trace_mode` has to be `minimal`, `development` or `full`");
    MachineState& m = *s.machine;
    bool live = isLive(s);
    m.features.clear();
    for (const std::string& f : asked) {
        bool isKnown = std::find(std::begin(Known), std::end(Known), f) != std::end(Known);
        if (f == "trace_step" && live && isNative(s)) isKnown = false; // machine code is not followed step by step
        if (isKnown && !m.has(f.c_str())) m.features.push_back(f);
    }
    m.mode = mode;
    m.traceSize = mode == "minimal"       ? 1
                  : mode == "development" ? 100
                                          : std::clamp<int64_t>(size.value_or(10'000), 100, 10'000);
    ++m.session;
    Object body{{"session", m.session}};
    if (live) {
        s.engine->machine().record(m.records());
        s.engine->machine().logFibers(m.wantsTasks());
        m.lacksStates = s.phase != Phase::Stopped; // they are read at the next stop
        if (m.wantsTasks() && !m.lacksStates) noteTasks(s);
        m.told = s.engine->machine().recorded(UINT64_MAX).total;
        traceWatches(s);
        if (std::optional<uint64_t> slide = s.engine->machine().slide()) body["slide"] = *slide;
    }
    Array features;
    for (const std::string& f : m.features) features.push_back(f);
    body["capabilities"] = Object{{"features", std::move(features)},
                                  {"trace_buffer_size", m.traceSize},
                                  {"trace_mode", mode},
                                  {"trace_variant", live ? s.engine->machine().variant() : "vm"}};
    return answered(std::move(body));
}

// ---- code

namespace {

Object codeRow(Session& s, const Instruction& i) {
    Object row{{"pc", i.address},
               {"mnemonic", i.mnemonic},
               {"operands", i.operands},
               {"symbol", textOrNull(i.symbol)},
               {"file", fileOf(s, i.at, i.file)},
               {"line", lineOf(s, i.at, i.line)}};
    bool isWord = !isNative(s) && i.bytes.size() >= sizeof(uint64_t);
    row["word"] = isWord ? Value(llvm::support::endian::read64le(i.bytes.data()))
                         : Value(llvm::toHex(i.bytes, /*LowerCase=*/true));
    return row;
}

/// Rows from an address on, without what is no code.
std::vector<Instruction> codeFrom(Session& s, uint64_t address, int32_t offset, uint32_t count) {
    std::vector<Instruction> rows =
        count == 0 ? std::vector<Instruction>() : s.engine->machine().disassemble(address, offset, count);
    std::erase_if(rows, [](const Instruction& i) { return i.mnemonic.empty(); });
    return rows;
}

/// lldb decodes data as well as code.
bool isInCode(Session& s, uint64_t address) {
    if (!isNative(s)) return true;
    for (const Mapping& m : mappingsOf(s))
        if (address >= m.start && address < m.end) return m.permissions.find('x') != std::string::npos;
    return false;
}

} // namespace

Reply readCode(Session& s, Arguments& a) {
    checkAddressed(s, a);
    std::optional<uint64_t> address = a.optionalAddress("addr");
    uint32_t count = a.index("count");
    std::string mode = a.text("mode");
    ThreadId thread = threadOf(s, a);
    if (!a.ok()) return {};
    if (count > MostRows) return Reply::failure("at most 100000 instructions are shown at once");
    std::vector<Instruction> rows;
    if (mode == "around_pc") {
        if (std::optional<Reply> missing = missingThread(s, thread)) return *missing;
        MachineStack top = s.engine->machine().stack(thread, 1);
        if (top.frames.empty() || top.frames[0].pc == 0)
            return Reply::failure("the thread stands in no code of the program");
        uint64_t pc = top.frames[0].pc;
        rows = codeFrom(s, pc, -static_cast<int32_t>(count / 2), count / 2);
        std::erase_if(rows, [&](const Instruction& i) { return i.address >= pc; });
        auto before = static_cast<uint32_t>(rows.size());
        std::vector<Instruction> after = codeFrom(s, pc, 0, std::max(count - before, 1u));
        rows.insert(rows.end(), after.begin(), after.end());
    } else if (mode == "from_addr") {
        if (!address) return Reply::failure("`from_addr` needs `addr`");
        rows = isInCode(s, *address) ? codeFrom(s, *address, 0, std::max(count, 1u)) : rows;
        if (rows.empty()) return Reply::failure("there is no code at " + hexText(*address));
    } else {
        return Reply::failure("`mode` has to be `around_pc` or `from_addr`");
    }
    Array all;
    bool hasSymbols = false;
    for (const Instruction& i : rows) { // of none at all the place is asked
        hasSymbols |= !i.symbol.empty();
        if (all.size() < count) all.push_back(codeRow(s, i));
    }
    return answered(Object{{"instructions", std::move(all)}, {"has_symbols", hasSymbols}});
}

Reply listSymbols(Session& s, Arguments& a) {
    checkAddressed(s, a);
    std::string type = a.text("type"), filter = a.optionalText("filter").value_or("");
    uint32_t start = a.optionalIndex("start").value_or(0);
    uint32_t count = a.optionalIndex("count").value_or(MostRows);
    if (!a.ok()) return {};
    if (type != "function" && type != "variable" && type != "all")
        return Reply::failure("`type` has to be `function`, `variable` or `all`");
    Array rows;
    int64_t total = 0;
    for (const ProgramSymbol& symbol : s.engine->machine().symbols()) {
        const char* kind = symbol.isFunction ? "function" : "variable";
        if ((type != "all" && type != kind) || symbol.name.find(filter) == std::string::npos) continue;
        if (total++ < start || rows.size() >= count) continue;
        Object row{{"name", asUtf8(symbol.name)}, {"address", symbol.address}, {"size", symbol.size}, {"type", kind}};
        if (symbol.declared.isValid()) {
            row["file"] = fileOf(s, symbol.declared, "");
            row["line"] = lineOf(s, symbol.declared, 0);
        }
        rows.push_back(std::move(row));
    }
    return answered(Object{{"symbols", std::move(rows)}, {"total", total}});
}

// ---- the stack, and what has run

Reply stackInfo(Session& s, Arguments& a) {
    constexpr uint32_t Usual = 32;
    checkAddressed(s, a);
    uint32_t most = std::min(a.optionalIndex("max_frames").value_or(Usual), MostRows);
    ThreadId thread = threadOf(s, a);
    if (!a.ok()) return {};
    if (std::optional<Reply> missing = missingThread(s, thread)) return *missing;
    MachineStack stack = s.engine->machine().stack(thread, most);
    Array frames;
    for (const MachineFrame& f : stack.frames)
        frames.push_back(Object{{"depth", static_cast<int64_t>(frames.size())},
                                {"pc", f.pc},
                                {"sp", f.sp},
                                {"fp", f.fp},
                                {"symbol", textOrNull(f.symbol)},
                                {"file", fileOf(s, f.at, f.file)},
                                {"line", lineOf(s, f.at, f.line)}});
    auto depth = static_cast<int64_t>(frames.size());
    Object body{{"frames", std::move(frames)}};
    if (!stack.damage.empty()) {
        body["stopped_at"] = depth;
        body["reason"] = "the frame is damaged: " + stack.damage;
    }
    return answered(std::move(body));
}

Reply readTrace(Session& s, Arguments& a) {
    checkAddressed(s, a);
    uint32_t start = a.optionalIndex("start").value_or(0);
    uint32_t count = a.optionalIndex("count").value_or(MostRows);
    if (!a.ok()) return {};
    MachineState& m = *s.machine;
    TracedInstructions ran;
    if (isNative(s)) {
        ran.last = m.stoppedAt;
    } else {
        if (!m.records()) return Reply::failure("nothing is recorded: `session.open` with the feature `trace` first");
        ran = s.engine->machine().recorded(0);
    }
    if (ran.last.size() > m.traceSize) ran.last.erase(ran.last.begin(), ran.last.end() - m.traceSize);
    Array rows;
    for (size_t i = start; i < ran.last.size() && rows.size() < count; ++i) {
        const TracedInstruction& t = ran.last[i];
        rows.push_back(Object{{"pc", t.pc},
                              {"opcode", t.opcode},
                              {"mnemonic", t.mnemonic},
                              {"symbol", textOrNull(t.symbol)},
                              {"file", fileOf(s, t.at, "")},
                              {"line", lineOf(s, t.at, 0)}});
    }
    return answered(Object{{"instructions", std::move(rows)}, {"total", static_cast<int64_t>(ran.last.size())}});
}

} // namespace sx::debugger
