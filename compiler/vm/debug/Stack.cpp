#include "vm/debug/Stack.h"

#include "vm/Thread.h"
#include "vm/debug/Signals.h"
#include "vm/debug/ThreadState.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <utility>

namespace sx::vm {

namespace {

/// What is known of the place of an instruction.
DebugFrame frameOf(const FunctionCode& code, const Insn* at, uint64_t* regs) {
    DebugFrame f;
    f.func = code.func;
    f.code = &code;
    f.index = code.indexOf(at);
    f.regs = regs;
    f.span = code.spans[f.index];
    if (f.index < code.scopes.size()) {
        f.scope = code.scopes[f.index];
        f.statement = code.statementOf[f.index];
        f.atStatement = code.startsStatement(f.index);
    }
    return f;
}

DebugFrame foreignFrame(std::string name) {
    DebugFrame f;
    f.isForeign = true;
    f.foreignName = std::move(name);
    return f;
}

} // namespace

std::string bareName(const std::string& title) {
    auto [before, rest] = llvm::StringRef(title).split('`');
    return rest.split('`').first.str();
}

bool isParked(const Thread& t) {
    if (!t.foreign) return false;
    std::string name = bareName(*t.foreign);
    return name == "sx_fiber_pause" || name == "sx_fiber_resume";
}

/// In a C function that the program has called.
static bool isInC(const Thread& t) { return t.foreign && !isParked(t) && !isTakingSignals(t); }

/// A frame of interpreted code, or between two of them C code: `at` is the call that led there.
const char* walkFrames(const Thread& t, const std::function<bool(const DebugFrame&)>& visit) {
    if (isInC(t) && !visit(foreignFrame(bareName(*t.foreign)))) return nullptr;
    bool isCaller = t.foreign != nullptr; // it is within its call, also where a statement begins with that
    return t.walkFrames(
        [&](const FunctionCode* code, const Insn* at, uint64_t* regs) {
            if (code) {
                DebugFrame f = frameOf(*code, at, regs);
                f.fails = !isCaller && t.debugged && t.debugged->isEnding;
                if (std::exchange(isCaller, true) || f.fails) f.atStatement = false;
                return visit(f);
            }
            isCaller = true;
            // C: named by the call that the frame outside of it stands at.
            return visit(foreignFrame(bareName(t.foreignCallee(at, regs))));
        },
        /*isChecked=*/true);
}

DebugFrame innermostFrame(const Thread& t) {
    DebugFrame found;
    walkFrames(t, [&](const DebugFrame& f) {
        found = f;
        return false;
    });
    return found;
}

bool isUnhandled(const DebugFrame& f) {
    return f.code && f.func != ir::FuncId::None && opcodeAt(*f.code, f.index) == Opcode::ErrorEvent &&
           f.code->words[f.index].b == static_cast<uint16_t>(ir::ErrorEventKind::Unhandled);
}

uint32_t firstStatement(const FunctionCode& code) {
    return code.statements.empty() ? UINT32_MAX : *std::min_element(code.statements.begin(), code.statements.end());
}

size_t countFrames(const Thread& t) {
    size_t count = isInC(t) ? 1 : 0;
    t.walkFrames(
        [&](const FunctionCode*, const Insn*, uint64_t*) {
            ++count;
            return true;
        },
        /*isChecked=*/true);
    return count;
}

SlotLocation slotLocation(const DebugFrame& f, ir::SlotId slot) {
    SlotLocation at;
    if (!f.code || static_cast<size_t>(slot) >= f.code->places.size()) return at;
    const SlotPlace& place = f.code->places[static_cast<size_t>(slot)];
    auto base = reinterpret_cast<uint64_t>(f.regs);
    switch (place.kind) {
    case SlotPlace::Kind::Register:
        at.isRegister = true;
        at.word = f.regs + place.index;
        at.address = reinterpret_cast<uint64_t>(at.word);
        break;
    case SlotPlace::Kind::Frame: at.address = base + place.index; break;
    case SlotPlace::Kind::Far: at.address = f.regs[f.code->farRegister] + place.index; break;
    }
    return at;
}

} // namespace sx::vm
