#include "vm/Program.h"

#include "vm/FaultGuard.h"
#include "vm/translate/Translator.h"

namespace sx::vm {

using ir::FuncId;

namespace {
constexpr uint64_t StaticBytes = uint64_t{1} << 30; ///< of address space for globals and descriptors

// Where a program with a tape lies: where no system puts anything by itself.
constexpr uint64_t TapedArena = 0x5a0000000000, TapedCallees = 0x5b0000000000, TapedConstants = 0x5c0000000000,
                   TapedStacks = 0x5d0000000000;
uint64_t ifTaped(const ProgramOptions& o, uint64_t address) { return o.tape ? address : 0; }

/// What translated code refers to.
class ProgramEnvironment final : public Environment {
public:
    explicit ProgramEnvironment(Program& program) : program_(program) {}

    ir::Module& module() override { return program_.module; }
    bool isComptime() override { return program_.options.comptime; }
    /// Counts of slices are the same with a debugger and without, so the code is, too.
    bool isDebugged() override { return program_.options.debugger || program_.options.tape; }
    uint64_t functionAddress(FuncId f) override { return program_.functionAddress(f); }
    uint64_t globalAddress(ir::GlobalId g) override { return program_.globals.address(g); }
    uint64_t typeHandle(TypeId t) override { return program_.descriptors.handle(t); }
    void willCall(FuncId f) override { program_.callees.at(f); }
    uint32_t foreignSite(const ir::Function& callee, llvm::ArrayRef<TypeId> args) override {
        return program_.foreign.site(callee, args);
    }
    uint32_t indirectSite(TypeId functionType, llvm::ArrayRef<TypeId> extra) override {
        return program_.signatures.indirectSite(functionType, extra);
    }
    std::string definedInAssembly(const std::string& symbol) override {
        return program_.foreign.definedInAssembly(symbol);
    }
    uint32_t addFailure(std::string message) override { return program_.addFailure(std::move(message)); }

private:
    Program& program_;
};

} // namespace

Program::Program(ir::Module& m, const ProgramOptions& o)
    : module(m), options(o), arena(StaticBytes, o.heapBytes, ifTaped(o, TapedArena)),
      callees(m, signatures, ifTaped(o, TapedCallees)), signatures(m.types), descriptors(*this),
      globals(*this, ifTaped(o, TapedConstants)), foreign(*this), traces(*this), nextPlace_(ifTaped(o, TapedStacks)) {}

Program::~Program() = default;

uint64_t Program::placeFor(uint64_t bytes) {
    constexpr uint64_t Apart = uint64_t{1} << 20;
    return options.tape ? nextPlace_.fetch_add((bytes + 2 * Apart - 1) / Apart * Apart) : 0;
}

Result<void> Program::prepare(Callee& callee) {
    std::scoped_lock guard(lock);
    FuncId f = callee.func;
    if (callee.code) return {};
    FaultGuard::Suspend suspend;
    if (materialize && *materialize && !(*materialize)(f)) {
        metRejected = true;
        return Failure{"the function " + code(module.fn(f).name) + " has errors"};
    }
    if (callee.code) return {}; // a nested evaluation called it
    if (module.fn(f).isExtern) return Failure{foreign.missing(module.fn(f).symbol)};
    if (module.fn(f).blocks.empty()) return Failure{"the function " + code(module.fn(f).name) + " has no body"};
    globals.updateErrorNames();
    descriptors.update();
    ProgramEnvironment environment(*this);
    Result<std::unique_ptr<FunctionCode>> code = translate(environment, f);
    globals.sealConstants();
    if (!code) return code.failure();
    uint32_t index = static_cast<uint32_t>(f);
    if (code_.size() <= index) code_.resize(index + 1);
    code_[index] = std::move(*code);
    callee.code = code_[index].get();
    if (options.debugger) options.debugger->onTranslated(*code_[index]);
    std::atomic_ref(callee.entry).store(callee.code->words.data(), std::memory_order_release);
    return {};
}

uint64_t Program::functionAddress(FuncId f) {
    const ir::Function& fn = module.fn(f);
    if (fn.isExtern)
        if (void* p = foreign.symbol(fn.symbol)) return reinterpret_cast<uint64_t>(p);
    if (fn.conv == CallConv::C && !fn.isExtern)
        if (void* p = foreign.nativeEntry(f)) return reinterpret_cast<uint64_t>(p);
    return reinterpret_cast<uint64_t>(&callees.at(f));
}

FuncId Program::functionAt(uint64_t address) const {
    if (Callee* c = callees.find(address)) return c->func;
    return foreign.functionAt(address);
}

uint32_t Program::addFailure(std::string message) { return failures_.add(std::move(message)); }

const FunctionCode* Program::codeOf(FuncId f) const {
    uint32_t index = static_cast<uint32_t>(f);
    return index < code_.size() ? code_[index].get() : nullptr;
}

const FunctionCode* Program::codeAt(const Insn* at) const {
    for (const auto& code : code_)
        if (code && code->contains(at)) return code.get();
    return nullptr;
}

} // namespace sx::vm
