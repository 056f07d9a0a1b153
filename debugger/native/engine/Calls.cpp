#include "debugger/native/engine/Calls.h"

#include "debugger/engine/Signals.h"
#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/State.h"
#include "debugger/native/engine/Watches.h"
#include "ir/Ops.h"
#include "types/Predicates.h"

#include "llvm/ADT/STLExtras.h"

#include <csignal>

namespace sx::debugger::native {

namespace {

/// The executable's own function of this name, or else that of a library.
uint64_t addressOf(Native& n, const std::string& symbol) {
    uint64_t own = n.image.symbol(symbol);
    return own != 0 ? n.toRun(own) : n.target->functionAddress(symbol);
}

CallValue valueOf(const TypeTable& types, TypeId type, uint64_t bits) {
    CallValue value;
    value.bits = bits;
    value.size = static_cast<uint8_t>((ir::valueBits(types, type) + 7) / 8);
    value.kind = isFloat(types, type)                             ? CallValue::Kind::Float
                 : isInteger(types, type) && types.isSigned(type) ? CallValue::Kind::Signed
                                                                  : CallValue::Kind::Unsigned;
    return value;
}

Result<uint64_t> callOn(Native& n, SystemThread thread, const ProgramCall& call, const std::string& name) {
    uint64_t result = 0;
    std::string problem = n.target->call(thread, call, result);
    n.memory.forget();
    n.variables.clear();
    if (problem == EndedByCall) return Failure{"the program has ended"};
    noteOwnWrites(n);
    if (!problem.empty()) return Failure{"the C function " + code(name) + " " + problem};
    return result;
}

/// The system's thread, as it stands: a fiber that waits is not called on.
Result<SystemThread> threadFor(Native& n, ThreadId id) {
    giveBack(n);
    Result<SystemThread> thread = systemThread(n, id);
    giveBack(n);
    return thread;
}

} // namespace

Result<uint64_t> NativeCaller::call(ThreadId id, const ir::Function& fn, llvm::ArrayRef<uint64_t> args,
                                    llvm::ArrayRef<TypeId> argTypes, const CallLimits& limits) {
    const TypeTable& types = n_.program.module.types;
    if (n_.isCore || n_.state != RunState::Stopped) return Failure{"nothing can be called: the program does not run"};
    ProgramCall call;
    call.address = addressOf(n_, fn.symbol);
    if (call.address == 0) return Failure{"the program that runs has no " + code(fn.name)};
    call.named = fn.params.size();
    call.isVariadic = fn.cVariadic;
    call.hasResult = fn.result != TypeId::Void && fn.result != TypeId::NoReturn;
    if (call.hasResult && !isScalar(types, fn.result))
        return Failure{code(fn.name) + " gives a struct, and cannot be called from here"};
    if (call.hasResult) call.result = valueOf(types, fn.result, 0);
    for (auto [bits, type] : llvm::zip_equal(args, argTypes)) {
        if (!isScalar(types, type)) return Failure{code(fn.name) + " takes a struct, and cannot be called from here"};
        call.args.push_back(valueOf(types, type, bits));
    }
    call.limit = limits.time;
    call.isCancelled = limits.isCancelled;
    Result<SystemThread> thread = threadFor(n_, id);
    return thread ? callOn(n_, *thread, call, fn.symbol) : Result<uint64_t>(thread.failure());
}

bool NativeCaller::isInFiber(ThreadId id) {
    if (n_.isCore || n_.state != RunState::Stopped) return false;
    Result<SystemThread> thread = threadFor(n_, id);
    return thread && runningFiber(n_, *thread);
}

uint64_t allocateBlock(Native& n, uint64_t bytes) {
    if (n.threadIds.empty()) return 0;
    ProgramCall call;
    call.address = addressOf(n, "calloc");
    if (call.address == 0) return 0;
    call.hasResult = true;
    call.named = 2;
    call.args = {CallValue{1}, CallValue{bytes}};
    giveBack(n);
    Result<uint64_t> block = callOn(n, n.threadIds.begin()->first, call, "calloc");
    return block ? *block : 0;
}

void outliveReader(Native& n) {
    if (n.threadIds.empty() || isExpected(n.target->processId(), SIGPIPE)) return;
    ProgramCall call;
    call.address = addressOf(n, "signal");
    if (call.address == 0) return;
    call.hasResult = true;
    call.named = 2;
    call.args = {CallValue{SIGPIPE}, CallValue{reinterpret_cast<uint64_t>(SIG_IGN)}};
    giveBack(n);
    (void)callOn(n, n.threadIds.begin()->first, call, "signal");
}

} // namespace sx::debugger::native
