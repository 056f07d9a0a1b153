// What leads into the heap from outside: variables of all frames, globals, words of stacks and registers.
#include "debugger/engine/ProcessFiles.h"
#include "debugger/foreign/Types.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Heap.h"
#include "types/Layout.h"

#include <algorithm>

namespace sx::debugger {

namespace {

constexpr uint32_t MostFrames = 1000;       ///< of a thread whose variables are looked at
constexpr uint64_t MostStack = 16 << 20;    ///< bytes
constexpr uint64_t MostVariable = 64 << 20; ///< bytes

std::vector<uint8_t> valueBytes(Session& s, const Datum& d) {
    if (d.place == Datum::Place::Hand) return {d.bytes.begin(), d.bytes.end()};
    if (d.place != Datum::Place::Memory) return {};
    std::vector<uint8_t> bytes(std::min(valuesOf(s).sizeOf(d.type), MostVariable));
    bytes.resize(s.heap->memory->read(d.address, bytes));
    return bytes;
}

void addVariable(Session& s, const Variable& v, const std::string& where, const char* kind, uint32_t thread,
                 std::vector<objects::RootPlace>& roots) {
    objects::RootPlace root = rootOf(s, v.datum);
    root.name = v.name + where;
    root.kind = kind;
    root.thread = thread;
    if (!root.bytes.empty()) roots.push_back(std::move(root));
}

void addFrames(Session& s, const ThreadInfo& thread, std::vector<objects::RootPlace>& roots) {
    Frames all = s.engine->frames(thread.id, 0, MostFrames);
    const char* kind = thread.fiber != 0 ? "fiber" : "local";
    for (uint32_t i = 0; i < all.frames.size() && !s.cancelled(); ++i) {
        FrameHandle frame{thread.id, i, all.frames[i]};
        if (frame.frame.func == ir::FuncId::None) continue;
        std::string where = " in " + frame.frame.name;
        for (const Variable& v : localsOf(s, frame)) addVariable(s, v, where, kind, thread.id, roots);
        for (const Variable& v : capturesOf(s, frame)) addVariable(s, v, where, kind, thread.id, roots);
    }
}

void addGlobals(Session& s, std::vector<objects::RootPlace>& roots) {
    const ir::Module& module = s.program->module;
    for (uint32_t i = 0; i < module.globals.size(); ++i) {
        const ir::Global& g = module.globals[i];
        if (g.isConst || g.dead || g.type == TypeId::None) continue;
        std::optional<uint64_t> address = s.engine->addresses().addressOf(static_cast<ir::GlobalId>(i));
        if (!address) continue;
        Variable v;
        v.name = g.name;
        v.datum = Datum::at(g.type, *address);
        addVariable(s, v, "", "global", 0, roots);
    }
}

/// Of machine code: values that the compiler keeps where no variable is.
void addWords(Session& s, const ThreadInfo& thread, const std::vector<Mapping>& mappings,
              std::vector<objects::RootPlace>& roots) {
    objects::RootPlace registers, stack;
    uint64_t pointer = 0;
    for (const RegisterValue& r : s.engine->registers(thread.id, 0)) {
        uint64_t word = 0;
        if (llvm::StringRef(r.text).getAsInteger(0, word)) continue;
        if (r.name == "rsp" || r.name == "sp") pointer = word;
        for (int i = 0; i < 8; ++i) registers.bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
    }
    auto in = std::find_if(mappings.begin(), mappings.end(),
                           [&](const Mapping& m) { return m.start <= pointer && pointer < m.end; });
    if (pointer == 0 || in == mappings.end()) return;
    registers.name = "a register of thread " + std::to_string(thread.id);
    registers.kind = "register";
    stack.name = "the stack of thread " + std::to_string(thread.id);
    stack.kind = "stack";
    registers.thread = stack.thread = thread.id;
    uint64_t start = pointer / 8 * 8;
    stack.bytes.resize(std::min(in->end - start, MostStack));
    stack.bytes.resize(s.heap->memory->read(start, stack.bytes));
    roots.push_back(std::move(registers));
    roots.push_back(std::move(stack));
}

const char* typeOf(const Mapping& m) {
    bool isRun = m.permissions[2] == 'x', isWritten = m.permissions[1] == 'w';
    if (llvm::StringRef(m.path).starts_with("[stack")) return "stack";
    if (m.path == "[vdso]" || m.path == "[vsyscall]") return "text";
    if (m.path.empty() || m.path[0] == '[') return isRun ? "jit" : "heap";
    return isRun ? "text" : isWritten ? "data" : "file";
}

} // namespace

std::vector<Mapping> mappingsOf(Session& s) {
    std::vector<Mapping> all;
    if (!s.engine) return all;
    for (MappedRegion& r : s.engine->machine().mappingsOfCore()) {
        Mapping m{r.start, r.end, std::move(r.permissions), std::move(r.name)};
        m.type = typeOf(m);
        all.push_back(std::move(m));
    }
    if (!all.empty()) return all;
    for (ProcessMapping& r : mappingsOfProcess(s.engine->processId())) {
        Mapping m{r.start, r.end, r.permissions.substr(0, 3), std::move(r.path)};
        m.type = typeOf(m);
        all.push_back(std::move(m));
    }
    return all;
}

objects::RootPlace rootOf(Session& s, const Datum& value) {
    objects::RootPlace root;
    root.type = ForeignTypes::owns(value.type) ? TypeId::None : value.type; // of C: any word may be an address
    root.bytes = valueBytes(s, value);
    return root;
}

std::vector<objects::RootPlace> heapRoots(Session& s) {
    std::vector<objects::RootPlace> roots;
    std::vector<Mapping> mappings = mappingsOf(s);
    addGlobals(s, roots);
    for (const ThreadInfo& thread : s.engine->threads()) {
        addFrames(s, thread, roots);
        if (!s.engine->evaluatesConditions()) addWords(s, thread, mappings, roots);
    }
    return roots;
}

} // namespace sx::debugger
