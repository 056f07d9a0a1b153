#include "vm/Foreign.h"

#include "ir/AsmFunctions.h"
#include "ir/NeededSymbols.h"
#include "types/CConvention.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"
#include "vm/CallOut.h"
#include "vm/Fibers.h"
#include "vm/HeapTracking.h"
#include "vm/History.h"
#include "vm/Thread.h"
#include "vm/ThreadEnds.h"
#include "vm/replay/Tape.h"
#include "vm/replay/ThreadCalls.h"

#include "fiber.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <threads.h>

namespace sx::vm {

using ir::FuncId;
using ir::ValueClass;

Foreign::Foreign(Program& program) : program_(program), tape_(program.options.tape), types_(program.module.types) {
    defineRuntime();
}

/// The program's own function behind an `extern` declaration of another type.
static FuncId exported(const Program& program, const std::string& symbol) {
    const auto& functions = program.module.functions;
    for (size_t i = 0; i < functions.size(); ++i)
        if (functions[i]->isExport && functions[i]->symbol == symbol) return FuncId(i);
    return FuncId::None;
}

void* Foreign::ownSymbol(const std::string& name) {
    if (!program_.options.foreign) return nullptr;
    if (!std::exchange(ownAsked_, true)) {
        auto loaded = program_.options.foreign();
        if (!loaded) ownProblem_ = loaded.error();
        else own_ = std::move(*loaded);
        for (size_t i = 0; own_ && i < own_->exports().size(); ++i) unprovided_.push_back(i);
    }
    if (!own_) return nullptr;
    provideExports();
    return own_->find(name);
}

void Foreign::provideExports() {
    llvm::erase_if(unprovided_, [&](size_t index) {
        FuncId function = exported(program_, own_->exports()[index]);
        if (function == FuncId::None) return false;
        own_->provide(index, nativeEntry(function));
        return true;
    });
}

void* Foreign::symbol(const std::string& name) {
    if (void* own = ownSymbol(name)) return own;
    auto known = symbols_.find(name);
    if (known != symbols_.end()) return known->second;
    void* address = program_.options.comptime ? nullptr : heapReplacement(name);
    if (!address) address = dlsym(RTLD_DEFAULT, name.c_str());
    if (!address && !librariesLoaded_) {
        librariesLoaded_ = true;
        for (const std::string& library : program_.module.libraries)
            dlopen(("lib" + library + ".so").c_str(), RTLD_NOW | RTLD_GLOBAL);
        address = dlsym(RTLD_DEFAULT, name.c_str());
    }
    if (address) symbols_[name] = address;
    return address;
}

// ---- calling C

uint32_t Foreign::addSite(std::string name, llvm::ArrayRef<TypeId> args, unsigned fixed, TypeId result) {
    // Its call interface points into it, so it is filled where it stays.
    uint32_t index = sites_.add({});
    Site& site = sites_[index];
    site.name = std::move(name);
    site.args.assign(args.begin(), args.end());
    site.fixed = fixed;
    const TypeTable& types = program_.module.types;
    site.result = scalarKind(types, result);
    site.inMemory = ir::returnsInMemory(types, result);
    site.resultBytes = site.inMemory ? sizeOf(types, result) : 0;
    CRegisters left;
    (void)cResult(types, result, left);
    unsigned named = fixed; // of those that libffi is given
    for (size_t i = 0; i < args.size(); ++i) {
        ScalarKind k = scalarKind(types, args[i]);
        ffi_type* type = types_.get(args[i]);
        // Of a struct that begins in the last of them libffi (3.4) writes more than a register.
        bool isLast = left.integer == 1;
        const CPassing passing = cArgument(types, args[i], left);
        if (type && isLast && passing.pieces.size() == 2 && !passing.pieces[0].isVector() &&
            passing.pieces[1].isVector()) {
            site.split = static_cast<int>(i);
            site.argTypes.push_back(&ffi_type_uint64);
            type = sizeOf(types, args[i]) == 2 * sizeof(uint64_t) ? &ffi_type_double : &ffi_type_float;
        }
        // What C promotes when no parameter says the type.
        if (i >= fixed && k.cls == ValueClass::Float && k.bits == 32) type = &ffi_type_double;
        if (i >= fixed && (k.cls == ValueClass::Int || k.cls == ValueClass::Bool) && k.bits < 32)
            type = &ffi_type_sint32;
        const bool isNothing = type == &ffi_type_void;
        site.ways.push_back(isNothing                   ? Site::Way::Nothing
                            : k.cls != ValueClass::None ? Site::Way::Scalar
                                                        : Site::Way::Address);
        if (isNothing) {
            if (i < fixed) --named;
            continue;
        }
        if (!type)
            site.problem = "a value of type " + code(writtenName(types, args[i])) + " cannot be passed to " + site.name;
        site.argTypes.push_back(type);
    }
    ffi_type* returned = types_.get(result);
    if (!returned) site.problem = site.name + " cannot return a value of type " + code(writtenName(types, result));
    if (!site.problem.empty()) return index;
    unsigned count = static_cast<unsigned>(site.argTypes.size());
    if (site.split >= 0 && static_cast<unsigned>(site.split) < fixed) ++named;
    ffi_status status = named < count
                            ? ffi_prep_cif_var(&site.cif, FFI_DEFAULT_ABI, named, count, returned, site.argTypes.data())
                            : ffi_prep_cif(&site.cif, FFI_DEFAULT_ABI, count, returned, site.argTypes.data());
    if (status != FFI_OK) site.problem = site.name + " has a signature that cannot be called";
    return index;
}

/// The C function that is called in place of one of the runtime. A thread that is interpreted is watched by the
/// interpreter.
static const std::string& interpretedAs(const std::string& symbol) {
    static const std::string createThread = "pthread_create";
    return symbol == "sx_thread_create" ? createThread : symbol;
}

uint32_t Foreign::site(const ir::Function& callee, llvm::ArrayRef<TypeId> args) {
    const std::string& name = interpretedAs(callee.symbol);
    bool isVariadic = callee.cVariadic;
    auto known = siteOf_.find(&callee);
    if (!isVariadic && known != siteOf_.end()) return known->second;
    unsigned fixed = isVariadic ? static_cast<unsigned>(callee.params.size()) : static_cast<unsigned>(args.size());
    uint32_t index = addSite("the C function " + code(name), args, fixed, callee.result);
    Site& site = sites_[index];
    // What the program's C code defines is not the C library's.
    const bool isOwn = ownSymbol(name) != nullptr;
    if (program_.options.comptime && !isOwn)
        site.override = callee.comptimeOnly ? serviceOverride(name) : comptimeOverride(name);
    else if (!program_.options.comptime && !isOwn) site.override = heapOverride(name);
    if (program_.options.debugger && name == "sx_panic_message") site.override = panicOfProgram;
    if (FuncId own = exported(program_, name); own != FuncId::None) site.target = nativeEntry(own);
    else if (!site.override) site.target = symbol(name);
    if (!site.override && !site.target) site.problem = missing(name);
    site.symbol = name;
    const bool isLibrarys = !site.override && !isOwn;
    static constexpr llvm::StringLiteral Ends[] = {"exit", "_exit", "_Exit", "abort"};
    site.isEnd = isLibrarys && llvm::is_contained(Ends, name);
    static constexpr llvm::StringLiteral ThreadEnds[] = {"pthread_exit", "thrd_exit"};
    site.isThreadEnd = isLibrarys && llvm::is_contained(ThreadEnds, name);
    if (isLibrarys && name == "pthread_create") site.begins = 2;
    if (isLibrarys && name == "thrd_create") site.begins = 1;
    if (program_.options.recording && !isOwn) site.known = program_.options.recording->known.find(name);
    if (tape_ && !isOwn) site.ofThreads = program_.options.recording->known.findOfThreads(name);
    if ((tape_ || program_.options.debugger) && isLibrarys) site.fiberCall = fiberCallOf(name);
    if (tape_ && tape_->isLive() && isLibrarys && (site.known || site.ofThreads)) site.threadCall = threadCallOf(name);
    if (site.known && site.problem.empty())
        for (const Written& w : site.known->writes)
            for (int argument : {w.argument, w.countArgument, w.timesArgument})
                if (argument >= static_cast<int>(args.size()))
                    site.problem =
                        site.name + " has no argument " + std::to_string(argument) + ", as what is known of it says";
    if (!isOwn) site.memoryCall = memoryCallOf(name);
    called_.insert(name);
    if (!isVariadic) siteOf_[&callee] = index;
    return index;
}

std::string Foreign::definedInAssembly(const std::string& symbol) const {
    const ir::AsmText* found = ir::assemblyWith(program_.module.assembly, symbol);
    if (!found) return {};
    return code(symbol) + " is defined by the assembly at " + program_.module.sources.placeOf(found->span.begin) +
           ", which cannot be interpreted";
}

std::string Foreign::missing(const std::string& symbol) const {
    if (!ownProblem_.empty()) return ownProblem_;
    std::string inAssembly = definedInAssembly(symbol);
    return inAssembly.empty() ? "the C function " + code(symbol) + " was not found" : inAssembly;
}

std::set<std::string> Foreign::allMissing() {
    std::set<std::string> missing;
    for (const ir::NeededSymbol& needed : ir::neededSymbols(program_.module)) {
        std::string name = interpretedAs(needed.symbol);
        if (!heapOverride(name) && !symbol(name) && ownProblem_.empty()) missing.insert(needed.symbol);
    }
    return missing;
}

/// The default argument promotions, on a register word.
uint64_t Foreign::promote(TypeId t, uint64_t word) const {
    const TypeTable& types = program_.module.types;
    ScalarKind k = scalarKind(types, t);
    if (k.cls == ValueClass::Float && k.bits == 32)
        return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(word))));
    if (k.cls == ValueClass::Int && k.bits < 32 && isInteger(types, t) && !types.isSigned(t))
        return ir::lowBits(k.bits, word);
    return word;
}

bool Foreign::call(Thread& t, uint32_t index, uint64_t* args, uint64_t& result) {
    Site& site = sites_[index];
    if (!site.problem.empty()) {
        t.fail(site.problem);
        return false;
    }
    // Only what a debugger has called ends, and the program goes on.
    if ((site.isEnd || site.isThreadEnd) && t.escape) {
        t.exit(1);
        return false;
    }
    if (t.undo)
        if (std::optional<bool> done = t.undo->inPlaceOf(t, site.fiberCall, site.memoryCall, site.name, index, args))
            return *done;
    const CallUndo::AroundC undoable(t.undo, site.fiberCall, site.memoryCall);
    if (site.isThreadEnd) endThread(t, args[0]);
    if (site.override) {
        uint64_t* savedTop = std::exchange(t.top, args + site.args.size() + 1);
        uint64_t value = site.override(t, args);
        t.top = savedTop;
        if (site.result.cls != ValueClass::None) result = canonical(site.result, value);
        return !t.stopped();
    }
    if (t.history || tape_) return callRecorded(t, site, site.target, args, result);
    if (site.begins < 0) return invoke(t, site, site.target, args, result);
    uint64_t* start = args + site.begins;
    if (!countThread(program_, start)) {
        result = static_cast<uint64_t>(site.begins == 1 ? thrd_nomem : EAGAIN);
        return true;
    }
    bool goesOn = invoke(t, site, site.target, args, result);
    if (result != 0) forgetThread(start);
    return goesOn;
}

bool Foreign::callPointer(Thread& t, IndirectSite& indirect, uint64_t target, uint64_t* args, uint64_t& result) {
    std::atomic_ref known(indirect.foreignSite);
    if (known.load(std::memory_order_acquire) == UINT32_MAX) {
        std::scoped_lock guard(program_.lock);
        const FunctionInfo& info = program_.module.types.functionInfo(indirect.type);
        std::vector<TypeId> types = info.params;
        types.insert(types.end(), indirect.extra.begin(), indirect.extra.end());
        if (indirect.foreignSite == UINT32_MAX)
            known.store(
                addSite("a C function behind a pointer", types, static_cast<unsigned>(info.params.size()), info.result),
                std::memory_order_release);
    }
    Site& site = sites_[indirect.foreignSite];
    if (!site.problem.empty()) {
        t.fail(site.problem);
        return false;
    }
    const CallUndo::AroundC undoable(t.undo, FiberCall::None, MemoryCall::None);
    if (t.history || tape_) return callRecorded(t, site, reinterpret_cast<void*>(target), args, result);
    return invoke(t, site, reinterpret_cast<void*>(target), args, result);
}

bool Foreign::invoke(Thread& t, Site& site, void* target, uint64_t* args, uint64_t& result, bool mayWait) {
    size_t count = site.args.size();
    llvm::SmallVector<void*, 16> values;
    for (size_t i = 0; i < count; ++i) {
        if (site.ways[i] == Site::Way::Nothing) continue;
        bool isScalar = site.ways[i] == Site::Way::Scalar;
        if (i >= site.fixed && isScalar) args[i] = promote(site.args[i], args[i]); // the caller is done with it
        values.push_back(isScalar ? static_cast<void*>(&args[i]) : reinterpret_cast<void*>(args[i]));
        if (static_cast<int>(i) == site.split) values.push_back(reinterpret_cast<void*>(args[i] + sizeof(uint64_t)));
    }
    // libffi writes at least a register, also where the result is smaller.
    uint64_t room[4] = {0, 0, 0, 0};
    void* returned = site.inMemory && site.resultBytes > sizeof room ? reinterpret_cast<void*>(args[count])
                                                                     : static_cast<void*>(room);
    if (!unprovided_.empty()) provideExports();
    outside(t, site, args, [&] {
        if (mayWait) tape_->turns.leave();
        ffi_call(&site.cif, FFI_FN(target), returned, values.data());
        if (!mayWait) return;
        int error = errno;
        tape_->turns.comeBack();
        errno = error;
    });
    if (site.inMemory && returned == room) std::memcpy(reinterpret_cast<void*>(args[count]), room, site.resultBytes);
    if (site.result.cls != ValueClass::None) result = canonical(site.result, room[0]);
    return !t.stopped();
}

/// Does what a call of C does, or stands for it.
void Foreign::outside(Thread& t, Site& site, uint64_t* args, llvm::function_ref<void()> act) {
    uint64_t* savedTop = std::exchange(t.top, args + site.args.size() + 1);
    Thread* savedThread = std::exchange(Thread::current(), &t);
    const std::string* savedForeign = std::exchange(t.foreign, &site.name);
    DebugHooks* debugger = program_.options.debugger;
    if (debugger) debugger->onForeignCall(t);
    act();
    if (debugger) debugger->onForeignReturn(t);
    t.foreign = savedForeign;
    Thread::current() = savedThread;
    t.top = savedTop;
}

// ---- being called by C

struct Foreign::Closure {
    Foreign* owner;
    FuncId func;
    ffi_cif cif{};
    std::vector<ffi_type*> args;
    std::vector<ScalarKind> kinds;  ///< of the parameters
    std::vector<uint8_t> isNothing; ///< of the parameters: C passes nothing for it
    ScalarKind result;
    bool inMemory = false;
    ffi_closure* memory = nullptr;
    void* code = nullptr;
};

Foreign::~Foreign() {
    for (const auto& c : closures_)
        if (c->memory) ffi_closure_free(c->memory);
}

void* Foreign::nativeEntry(FuncId f) {
    Callee& callee = program_.callees.at(f);
    if (callee.native) return callee.native;
    const ir::Function& fn = program_.module.fn(f);
    const TypeTable& types = program_.module.types;
    auto closure = std::make_unique<Closure>();
    closure->owner = this;
    closure->func = f;
    for (TypeId p : fn.params) {
        ffi_type* type = types_.get(p);
        if (!type) return nullptr;
        if (type != &ffi_type_void) closure->args.push_back(type);
        closure->kinds.push_back(scalarKind(types, p));
        closure->isNothing.push_back(type == &ffi_type_void);
    }
    ffi_type* result = types_.get(fn.result);
    closure->result = scalarKind(types, fn.result);
    closure->inMemory = ir::returnsInMemory(types, fn.result);
    if (!result || ffi_prep_cif(&closure->cif, FFI_DEFAULT_ABI, static_cast<unsigned>(closure->args.size()), result,
                                closure->args.data()) != FFI_OK)
        return nullptr;
    closure->memory = static_cast<ffi_closure*>(ffi_closure_alloc(sizeof(ffi_closure), &closure->code));
    if (!closure->memory ||
        ffi_prep_closure_loc(closure->memory, &closure->cif, &Foreign::enter, closure.get(), closure->code) != FFI_OK)
        return nullptr;
    callee.native = closure->code;
    closureOf_[reinterpret_cast<uint64_t>(closure->code)] = f;
    closures_.push_back(std::move(closure));
    return callee.native;
}

FuncId Foreign::functionAt(uint64_t address) const {
    std::scoped_lock guard(program_.lock);
    auto it = closureOf_.find(address);
    return it == closureOf_.end() ? FuncId::None : it->second;
}

namespace {
/// A scalar argument as C passes it, in the form of a register.
uint64_t readArgument(ScalarKind k, const void* from) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, storageBytes(k));
    return canonical(k, bits);
}
} // namespace

bool Foreign::runClosure(const Closure& closure, Thread& t, void* result, void** args) {
    std::vector<uint64_t> words;
    for (size_t i = 0; i < closure.kinds.size(); ++i) {
        bool isScalar = closure.kinds[i].cls != ValueClass::None;
        if (closure.isNothing[i]) words.push_back(reinterpret_cast<uint64_t>(&words)); // nobody reads it
        else if (void* from = *args++; isScalar) words.push_back(readArgument(closure.kinds[i], from));
        else words.push_back(reinterpret_cast<uint64_t>(from));
    }
    if (closure.inMemory) words.push_back(reinterpret_cast<uint64_t>(result));
    // What C calls while its own call is kept; a replay does not get here.
    bool isKept = tape_ && std::exchange(Tape::isInCall(), false);
    if (isKept) tape_->turns.comeBack();
    if (isKept) tape_->keepCallback(static_cast<uint32_t>(closure.func), words);
    uint64_t value = 0;
    DebugHooks* debugger = t.foreign ? program_.options.debugger : nullptr;
    if (debugger) debugger->onForeignReturn(t);
    if (t.call(program_.callees.at(closure.func), words, value) != Thread::Outcome::Returned) return false;
    if (debugger) debugger->onForeignCall(t);
    if (isKept) Tape::isInCall() = true;
    if (isKept) tape_->turns.leave();
    if (closure.result.cls == ValueClass::Float) std::memcpy(result, &value, closure.result.bits / 8);
    else if (closure.result.cls != ValueClass::None) *static_cast<ffi_arg*>(result) = value;
    return true;
}

/// A thread of its own may be left from anywhere in it.
static bool runUntilLeft(Thread& own, llvm::function_ref<bool()> run, llvm::function_ref<void()> onLeft) {
    sigjmp_buf end;
    own.leave = &end;
    if (sigsetjmp(end, 0) == 0) return run();
    onLeft();
    return true;
}

/// The thread runs interpreted code, and its frames may lie anywhere above `top`: a signal's handler needs a stack of
/// its own. A debugger sees to that itself.
static bool interruptsCode(const Thread& t) {
    const ProgramOptions& options = t.program.options;
    const bool isDebugged = options.debugger && !options.debugger->isCopy;
    return !t.foreign && !options.comptime && !isDebugged && !options.tape;
}

/// Entered from C. A failure cannot be returned through C code: it leaves for where the evaluation began.
void Foreign::enter(ffi_cif*, void* result, void** args, void* data) {
    auto* closure = static_cast<Closure*>(data);
    Foreign& foreign = *closure->owner;
    Thread* const t = Thread::current();
    const bool isSignal = t && interruptsCode(*t);
    if (t && !isSignal) {
        if (!foreign.runClosure(*closure, *t, result, args) && t->escape) siglongjmp(*t->escape, 1);
        return;
    }
    // C code has started an OS thread by itself, a fiber has begun, or a signal has interrupted interpreted code.
    if (foreign.tape_ && foreign.tape_->hasFile() && !isInFiber() && !Turns::isKnown() && !foreign.tape_->isForsaken())
        foreign.tape_->refuse("a program in which C code starts a thread cannot be recorded");
    Thread own(foreign.program_, stackBytesHere(foreign.program_.options));
    const sx_trace_resolver* resolver = sx_trace_set_resolver(foreign.program_.traces.resolver());
    uint32_t fiber = isInFiber() && !isSignal ? sx_fiber_number() : 0;
    foreign.onFiberBegin(fiber, own);
    ++foreign.program_.foreignThreads;
    Recording* recording = foreign.program_.options.recording;
    const bool isStranger = recording && (!own.history || own.history->isIdle());
    if (isStranger) ++recording->strangers;
    DebugHooks* debugger = foreign.program_.options.debugger;
    if (debugger) debugger->onThreadStart(own);
    auto run = [&] { return foreign.runClosure(*closure, own, result, args); };
    auto giveResult = [&] {
        if (closure->result.cls != ValueClass::None) *static_cast<ffi_arg*>(result) = own.leftWith;
    };
    const bool ok = fiber == 0 ? runUntilLeft(own, run, giveResult) : run();
    if (debugger) debugger->onThreadEnd(own);
    foreign.onFiberEnd(fiber);
    --foreign.program_.foreignThreads;
    if (isStranger) {
        --recording->strangers;
        recording->isDisturbed = true;
    }
    sx_trace_set_resolver(resolver);
    if (ok) return;
    if (foreign.program_.options.report) foreign.program_.options.report(own.error);
    std::_Exit(own.outcome() == Thread::Outcome::Exited ? own.exitCode : 1);
}

} // namespace sx::vm
