// Functions of C that work on nothing but what they are given. The heap is the evaluation's own.
#include "debugger/evaluate/Effects.h"
#include "debugger/evaluate/Machine.h"
#include "debugger/evaluate/Refusals.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

namespace {

enum class Known : uint8_t {
    None,
    Malloc,
    Calloc,
    Free,
    Copy,
    Fill,
    Compare,
    Length,
    Write,
    End,
    Panic,
    Pause,
    Resume,
    Wait,
    Next,
};

bool endsProcess(const ir::Function& fn) {
    return llvm::StringSwitch<bool>(fn.symbol).Cases("exit", "_exit", "_Exit", "abort", true).Default(false);
}

Known knownAs(const ir::Function& fn) {
    return llvm::StringSwitch<Known>(fn.symbol)
        .Case("malloc", Known::Malloc)
        .Case("calloc", Known::Calloc)
        .Case("free", Known::Free)
        .Cases("memcpy", "memmove", Known::Copy)
        .Case("memset", Known::Fill)
        .Case("memcmp", Known::Compare)
        .Case("strlen", Known::Length)
        .Case("write", Known::Write)
        .Case("sx_panic_message", Known::Panic)
        .Case("sx_fiber_pause", Known::Pause)
        .Case("sx_fiber_resume", Known::Resume)
        .Cases("sx_debug_fiber_wait", "sx_debug_fiber_go", Known::Wait)
        .Case("sx_debug_fiber_next", Known::Next)
        .Default(endsProcess(fn) ? Known::End : Known::None);
}

} // namespace

bool isKnownFunction(const ir::Function& fn) {
    const Known known = knownAs(fn);
    return known != Known::None && known < Known::Panic;
}

bool writesToFirst(const ir::Function& fn) {
    const Known known = knownAs(fn);
    return known == Known::Copy || known == Known::Fill;
}

Machine::Step Machine::callC(const ir::Function& fn, llvm::ArrayRef<uint64_t> args, llvm::ArrayRef<TypeId> types,
                             uint64_t destination, uint64_t& out) {
    const Known known = knownAs(fn);
    if (!args.empty()) out = args[0];
    // What the program may keep is its own from the beginning.
    bool isOfProgram = (known == Known::Malloc || known == Known::Calloc) && callsProgram();
    switch (isOfProgram ? Known::None : known) {
    case Known::Malloc: return allocate(args[0], out);
    case Known::Calloc:
        return allocate(
            args[1] != 0 && args[0] > EvaluationMemory::MostBytes / args[1] ? UINT64_MAX : args[0] * args[1], out);
    case Known::Copy: return copy(args[0], args[1], args[2]);
    case Known::Fill: return fill(args[0], static_cast<uint8_t>(args[1]), args[2]);
    case Known::Compare: return compareMemory(args[0], args[1], args[2], out);
    case Known::Length: return textLength(args[0], out);
    case Known::Free:
        if (args[0] == 0 || EvaluationMemory::isOwn(args[0])) return true;
        if (callsProgram()) heldFrees_.emplace_back(&fn, args[0]);
        if (callsProgram()) return true;
        break;
    case Known::Write:
        if (args.size() != 3 || args[0] < 1 || args[0] > 2 || !isEnding()) break;
        return keepLastWords(args[1], args[2], out);
    case Known::End: return fail(lastWords_.empty() ? "it ends the program" : lastWords_);
    case Known::Panic:
        if (callsProgram()) return keepLastWords(args[1], args[2], out) && fail(lastWords_);
        break;
    case Known::Pause: // it would stay behind in its fiber, unfinished, while others go on
        if (callsProgram())
            return !rights_.host->isInFiber() ||
                   fail("a call of the debugger cannot wait for other fibers", /*isRefused=*/true);
        break;
    case Known::Resume: // nor could it be put back where the call has to end
        if (callsProgram()) return fail("a call of the debugger cannot have other fibers run", /*isRefused=*/true);
        break;
    case Known::Wait: // tells debuggers only
        if (callsProgram()) return true;
        break;
    case Known::Next: // says what code the next fiber will run
        if (callsProgram() && llvm::any_of(args, EvaluationMemory::isOwnCode))
            return fail("a call of the debugger cannot have other fibers run", /*isRefused=*/true);
        break;
    case Known::None: break;
    }
    if (fn.comptimeOnly) return fail(code(fn.name) + " works while compiling only");
    if (callsProgram()) return callInProgram(fn, 0, args, types, destination, out);
    return fail(refusals::callsC(fn.name));
}

/// A block that is executed ends the process: what it writes before says why, itself or by what it calls.
bool Machine::isEnding() const {
    return llvm::any_of(frames_, [&](const Frame& frame) {
        const ir::Block& block = frame.fn->blocks[static_cast<uint32_t>(frame.block)];
        return llvm::any_of(llvm::drop_begin(block.instrs, frame.next), [&](ir::ValueId v) {
            const ir::Instr& i = frame.fn->instr(v);
            return i.op == ir::Op::Call && endsProcess(module_.fn(static_cast<ir::FuncId>(i.imm)));
        });
    });
}

Machine::Step Machine::keepLastWords(uint64_t text, uint64_t size, uint64_t& out) {
    constexpr uint64_t Most = 10'000;
    std::string bytes(std::min(size, Most), '\0');
    if (!read(text, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()})) return false;
    lastWords_ = llvm::StringRef(lastWords_ + bytes).rtrim('\n').str();
    out = size;
    return true;
}

/// Has the program hold what an argument refers to.
static Result<void> settle(Transfer& transfer, const ir::Function& fn, CValue& arg) {
    llvm::MutableArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t*>(&arg.bits), sizeof arg.bits);
    if (!arg.bytes.empty()) bytes = arg.bytes;
    for (uint64_t word = 0, at = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if (EvaluationMemory::isOwnCode(word))
            return Failure{"the C function " + code(fn.symbol) + " cannot call code that an evaluation has made"};
    }
    return transfer.settle(bytes);
}

/// The function works on copies of what is the evaluation's own, and what it has made of them comes back.
Machine::Step Machine::callInProgram(const ir::Function& fn, uint64_t address, llvm::ArrayRef<uint64_t> args,
                                     llvm::ArrayRef<TypeId> types, uint64_t destination, uint64_t& out) {
    if (!isInTime(/*looks=*/true)) return false;
    Transfer transfer(memory_, addresses_, rights_.host);
    std::vector<CValue> settled;
    for (auto [arg, type] : llvm::zip_equal(args, types)) {
        CValue& value = settled.emplace_back(CValue{type});
        if (isScalar(module_.types, type)) value.bits = arg;
        else value.bytes.resize(sizeOf(module_.types, type));
        if (!value.bytes.empty() && !read(arg, value.bytes)) return false;
        if (Result<void> done = settle(transfer, fn, value); !done) return fail(done.error());
    }
    const Known known = knownAs(fn);
    const bool isUndoable = known == Known::Malloc || known == Known::Calloc;
    // C may have done anything with what was written before, and because of it.
    auto keep = [&] {
        if (isUndoable) return;
        memory_.keepForUndo(rights_.mayWrite);
        settledFrees_ = heldFrees_.size();
    };
    hasCalled_ |= !isUndoable;
    keep();
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    Result<CValue> result = rights_.host->call(fn, address, settled, {left, limits_.isCancelled});
    memory_.program.forget();
    if (!result) return isInTime(/*looks=*/true) && fail(result.error());
    transfer.copyBack();
    keep();
    out = result->bits;
    return destination == 0 || result->bytes.empty() || write(destination, result->bytes);
}

Machine::Step Machine::allocate(uint64_t size, uint64_t& out) {
    out = memory_.allocate(size, /*isBlock=*/true);
    return out != 0 || fail("the evaluation needs too much memory");
}

Machine::Step Machine::textLength(uint64_t text, uint64_t& out) {
    uint8_t byte = 1;
    for (out = 0; byte != 0; ++out)
        if (!read(text + out, byte) || !isInTime()) return false;
    --out;
    return true;
}

Machine::Step Machine::compareMemory(uint64_t a, uint64_t b, uint64_t size, uint64_t& out) {
    out = 0;
    for (uint64_t at = 0; at < size && out == 0; ++at) {
        uint8_t first = 0, second = 0;
        if (!read(a + at, first) || !read(b + at, second) || !isInTime()) return false;
        out = static_cast<uint64_t>(int64_t{first} - int64_t{second});
    }
    return true;
}

} // namespace sx::debugger
