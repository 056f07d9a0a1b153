#include "debugger/session/Machine.h"

#include <algorithm>
#include <chrono>

namespace sx::debugger {

using llvm::json::Object;
using llvm::json::Value;

bool MachineState::has(const char* feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
}

bool MachineState::records() const { return has("trace") || wantsSteps(); }

bool isLive(const Session& s) { return s.engine && s.phase != Phase::Ended && s.phase != Phase::Ready; }

bool isNative(const Session& s) { return std::string_view(s.engine->machine().variant()) == "native"; }

void checkAddressed(const Session& s, Arguments& a) {
    std::optional<int64_t> version = a.optionalInteger("version"), pid = a.optionalInteger("pid");
    if (version && *version != 1) a.reject("`version` has to be 1");
    if (const Value* session = a.any("session")) {
        std::optional<int64_t> number = session->getAsInteger();
        int64_t read = 0;
        if (std::optional<llvm::StringRef> text = session->getAsString(); text && !text->getAsInteger(10, read))
            number = read;
        if (!number || *number != s.machine->session || *number == 0)
            a.reject("`session` is none that `session.open` has opened here");
    }
    if (int number = isLive(s) ? s.engine->processId() : 0; pid && number > 0 && *pid != number)
        a.reject("`pid` is not that of the program, which is " + std::to_string(number));
}

Reply answered(Object body) {
    body["status"] = "ok";
    return body;
}

void machineEvent(Session& s, const char* name, Object body) {
    using namespace std::chrono;
    body["ts"] = duration<double>(system_clock::now().time_since_epoch()).count();
    int number = s.engine->processId();
    body["pid"] = number > 0 ? Value(number) : Value(nullptr);
    s.event(name, std::move(body));
}

Value fileOf(const Session& s, SourcePos at, const std::string& file) {
    if (at.isValid() && s.program) return asUtf8(s.program->absolutePath(s.program->sources.fileOf(at)));
    return file.empty() ? Value(nullptr) : Value(asUtf8(file));
}

Value lineOf(const Session& s, SourcePos at, uint32_t line) {
    if (at.isValid() && s.program) return s.program->sources.resolve(at).line;
    return line == 0 ? Value(nullptr) : Value(line);
}

void beginMachine(Session& s) {
    MachineState& m = *s.machine;
    m.watches.clear();
    m.stoppedAt.clear();
    m.told = 0;
    m.toldChanges = 0;
    m.paused = 0;
    m.states.clear();
    m.lacksStates = false;
    if (m.records()) s.engine->machine().record(true);
    if (m.wantsTasks()) s.engine->machine().logFibers(true);
}

/// A core file has no steps; without an engine that records, the places of stops are what is known.
void noteStop(Session& s) {
    constexpr size_t Most = 10'000;
    MachineState& m = *s.machine;
    if (isNative(s)) {
        Frames top = s.engine->frames(s.stop.thread, 0, 1);
        if (!top.frames.empty()) {
            std::vector<Instruction> here = s.engine->machine().disassemble(top.frames[0].pc, 0, 1);
            if (!here.empty() && !here[0].bytes.empty())
                m.stoppedAt.push_back(
                    {here[0].address, here[0].bytes[0], here[0].mnemonic, top.frames[0].name, here[0].at, {}, {}});
        }
        if (m.stoppedAt.size() > Most) m.stoppedAt.erase(m.stoppedAt.begin());
    }
    tellTasks(s);
    tellWatches(s);
}

void tellTracedInstructions(Session& s) {
    MachineState& m = *s.machine;
    if (!m.wantsSteps()) return;
    TracedInstructions all = s.engine->machine().recorded(m.told);
    m.told = std::max(m.told, all.total);
    for (const TracedInstruction& i : all.last) {
        Object changed;
        for (auto [reg, value] : i.changed) changed["r" + std::to_string(reg)] = value;
        machineEvent(s, "trace_step",
                     Object{{"pc", i.pc},
                            {"opcode", i.opcode},
                            {"changed_regs", std::move(changed)},
                            {"line", lineOf(s, i.at, 0)}});
        for (const auto& [id, bytes] : i.written)
            for (MachineWatch& w : m.watches)
                if (w.id == id && !w.ended) tellWatch(s, w, bytes);
    }
}

} // namespace sx::debugger
