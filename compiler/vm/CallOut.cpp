#include "vm/CallOut.h"

#include "vm/History.h"

#include "fault.h"
#include "panic.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sx::vm {

// ---- failures

namespace {

constexpr uint64_t NullPage = 4096;

/// Tells a debugger that the program is about to end. False: only what the debugger calls does.
bool endsWith(Thread& t, const std::string& text) {
    DebugHooks* debugger = t.program.options.debugger;
    return !debugger || debugger->onPanic(t, text);
}

void panic(Thread& t, ir::PanicKind kind, const uint64_t operands[3]) {
    std::string text = panicText(kind, operands);
    if (!endsWith(t, text)) return;
    sx_frame at = t.place();
    sx_panic_message(&at, text.data(), text.size());
}

/// Checked calls do not get here: those that the compiler makes, and programs without checks.
void reportNullCall(Thread& t) {
    static constexpr std::string_view What = "invalid memory access at address 0x0";
    if (t.program.options.comptime) return t.fail("called a null function pointer");
    if (!endsWith(t, std::string(What))) return;
    sx_frame at = t.place();
    sx_panic_message(&at, What.data(), What.size());
}

} // namespace

void reportPanic(Thread& t, ir::PanicKind kind, const uint64_t operands[3]) {
    if (!t.program.options.comptime) return panic(t, kind, operands);
    t.fail(panicText(kind, operands));
}

uint64_t panicOfProgram(Thread& t, const uint64_t* args) {
    bool ends = true;
    {
        constexpr uint64_t Most = 4096;
        std::string text;
        if (copyChecked(args[1], std::min(args[2], Most), text)) ends = endsWith(t, text);
    }
    if (t.wentBack && t.landing) siglongjmp(*t.landing, 1);
    if (!ends) return 0;
    sx_panic_message(reinterpret_cast<const sx_frame*>(args[0]), reinterpret_cast<const char*>(args[1]), args[2]);
    return 0;
}

void reportAccess(Thread& t, uint64_t address, Access access) {
    if (address < NullPage) return t.fail("dereferenced a null pointer");
    if (t.isLeft(address)) return t.fail("used a variable of a function that has returned");
    if (t.program.arena.isFreed(address)) return t.fail("used memory after it was freed");
    if (access == Access::Write && t.program.arena.allows(address, 1, Access::Read))
        return t.fail("wrote to constant memory");
    t.fail("accessed memory outside of any object");
}

void reportStackOverflow(Thread& t) {
    if (t.program.options.comptime) return t.fail("the recursion is too deep");
    if (!endsWith(t, "stack overflow")) return;
    sx_frame at = t.functionPlace();
    sx_stack_overflow(&at);
}

// ---- first calls

bool translateOnCall(Thread& t, Callee& callee, uint64_t* frame) {
    // Making the body may evaluate other code; that must not run over the arguments.
    uint64_t* savedTop = t.top;
    t.top = frame + t.program.module.fn(callee.func).params.size() + 1;
    Thread* savedThread = std::exchange(Thread::current(), nullptr); // the compiler is at work: its faults are its own
    Result<void> prepared = t.program.prepare(callee);
    Thread::current() = savedThread;
    t.top = savedTop;
    if (!prepared) t.fail(prepared.error());
    return static_cast<bool>(prepared);
}

// ---- indirect calls that do not match

namespace {

/// Calls a function through a pointer of another type: every value is read as the other side would read it from the
/// registers and memory of the C convention.
bool callConverted(Thread& t, Callee& callee, const Signature& expected, uint64_t* args, uint64_t& result) {
    const Signature& actual = t.program.signatures.get(callee.signature);
    std::vector<uint64_t> words(actual.params.size() + (actual.returnsInMemory ? 1 : 0));
    for (size_t i = 0; i < actual.params.size(); ++i)
        if (i < expected.params.size()) words[i] = canonical(actual.params[i], args[i]);
    std::vector<uint64_t> returned(actual.memoryResult / 8 + 2);
    if (actual.returnsInMemory) words.back() = reinterpret_cast<uint64_t>(returned.data());

    uint64_t* savedTop = t.top;
    t.top = args + expected.params.size() + 1;
    uint64_t scalar = 0;
    if (t.history) t.history->breakAt("a call through a pointer of another type");
    Thread::Outcome outcome = t.call(callee, words, scalar);
    t.top = savedTop;
    if (outcome != Thread::Outcome::Returned) return false;

    if (!actual.returnsInMemory) returned[0] = scalar;
    if (expected.returnsInMemory) {
        uint64_t available = std::max<uint64_t>(actual.memoryResult, 8);
        std::memcpy(reinterpret_cast<void*>(args[expected.params.size()]), returned.data(),
                    std::min(expected.memoryResult, available));
    } else if (expected.result.cls != ir::ValueClass::None) {
        result = canonical(expected.result, returned[0]);
    }
    return true;
}

} // namespace

bool callOtherwise(Thread& t, uint64_t target, uint32_t siteIndex, uint64_t* args, uint64_t& result) {
    IndirectSite& site = t.program.signatures.site(siteIndex);
    const Signature& expected = t.program.signatures.get(site.signature);
    ir::FuncId f = t.program.functionAt(target);
    if (f != ir::FuncId::None) return callConverted(t, t.program.callees.at(f), expected, args, result);
    if (target < NullPage) {
        reportNullCall(t);
        return false;
    }
    return t.program.foreign.callPointer(t, site, target, args, result);
}

int64_t switchDistance(const Insn* table, int64_t value) {
    auto word = [&](uint64_t i) { return std::bit_cast<int64_t>(table[i]); };
    uint64_t low = 0, high = static_cast<uint64_t>(word(0));
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        int64_t candidate = word(2 + middle * 2);
        if (candidate == value) return word(3 + middle * 2);
        if (candidate < value) low = middle + 1;
        else high = middle;
    }
    return word(1);
}

} // namespace sx::vm
