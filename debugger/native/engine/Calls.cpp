#include "debugger/native/engine/Calls.h"

#include "debugger/engine/Signals.h"
#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/State.h"
#include "debugger/native/engine/Watches.h"
#include "ir/Ops.h"
#include "types/CConvention.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/STLExtras.h"

#include <csignal>
#include <cstring>

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

bool isPassed(const CPassing& passing) {
    return llvm::none_of(passing.pieces, [](const CPiece& piece) { return piece.kind == CPiece::Kind::Vector; });
}

/// False: it cannot be called so.
bool planResult(const TypeTable& types, TypeId type, CRegisters& left, ProgramCall& call) {
    CPassing passing = cResult(types, type, left);
    call.hasResult = passing.place != CPassing::Place::Nowhere;
    if (isScalar(types, type)) call.result = valueOf(types, type, 0);
    if (!call.hasResult || isScalar(types, type)) return true;
    call.resultSize = sizeOf(types, type);
    for (const CPiece& piece : passing.pieces)
        call.pieces.push_back({piece.offset, static_cast<uint8_t>(piece.size), piece.isVector()});
    return isPassed(passing);
}

/// False: it cannot be passed.
bool addArgument(const TypeTable& types, const CValue& arg, CRegisters& left, ProgramCall& call) {
    CPassing passing = cArgument(types, arg.type, left);
    if (isScalar(types, arg.type)) {
        call.args.push_back(valueOf(types, arg.type, arg.bits));
    } else if (passing.place == CPassing::Place::Memory) {
        CallValue& value = call.args.emplace_back();
        value.kind = CallValue::Kind::Bytes;
        value.bytes = arg.bytes;
        value.align = cStackAlignment(types, arg.type);
    }
    if (isScalar(types, arg.type) || !isPassed(passing)) return isPassed(passing);
    for (const CPiece& piece : passing.pieces) {
        CallValue& value = call.args.emplace_back();
        std::memcpy(&value.bits, arg.bytes.data() + piece.offset, piece.size);
        value.kind = piece.isVector() ? CallValue::Kind::Float : CallValue::Kind::Unsigned;
    }
    return true;
}

/// The system's thread, as it stands: a fiber that waits is not called on.
Result<SystemThread> threadFor(Native& n, ThreadId id) {
    giveBack(n);
    Result<SystemThread> thread = systemThread(n, id);
    giveBack(n);
    return thread;
}

} // namespace

Result<CValue> NativeCaller::call(ThreadId id, const ir::Function& fn, uint64_t address, llvm::ArrayRef<CValue> args,
                                  const CallLimits& limits) {
    const TypeTable& types = n_.program.module.types;
    if (n_.isCore || n_.state != RunState::Stopped) return Failure{"nothing can be called: the program does not run"};
    ProgramCall call;
    call.address = address != 0 ? address : addressOf(n_, fn.symbol);
    if (call.address == 0) return Failure{"the program that runs has no " + code(fn.name)};
    CRegisters left;
    if (!planResult(types, fn.result, left, call))
        return Failure{"the C function " + code(fn.symbol) + " cannot return a value of type " +
                       code(writtenName(types, fn.result))};
    for (auto [i, arg] : llvm::enumerate(args)) {
        if (!addArgument(types, arg, left, call))
            return Failure{"a value of type " + code(writtenName(types, arg.type)) +
                           " cannot be passed to the C function " + code(fn.symbol)};
        if (i < fn.params.size()) call.named = call.args.size();
    }
    call.limit = limits.time;
    call.isCancelled = limits.isCancelled;
    Result<SystemThread> thread = threadFor(n_, id);
    if (!thread) return thread.failure();
    Result<uint64_t> bits = callOn(n_, *thread, call, fn.symbol);
    if (!bits) return bits.failure();
    CValue result{fn.result, *bits, std::vector<uint8_t>(call.resultSize)};
    if (n_.memory.read(*bits, result.bytes) != result.bytes.size())
        return Failure{"what " + code(fn.symbol) + " has returned cannot be read"};
    return result;
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
