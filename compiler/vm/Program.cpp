#include "vm/Program.h"

#include "vm/FaultGuard.h"
#include "vm/Translator.h"

namespace sx::vm {

using ir::FuncId;

namespace {
constexpr uint64_t StaticBytes = uint64_t{1} << 30; ///< of address space for globals and descriptors
} // namespace

Program::Program(ir::Module& m, const ProgramOptions& o)
    : module(m), options(o), arena(StaticBytes, o.heapBytes), callees(m, signatures), signatures(m.types),
      descriptors(*this), globals(*this), foreign(*this), traces(*this) {}

Program::~Program() = default;

bool Program::prepare(Callee& callee, std::string& error) {
    std::scoped_lock guard(lock);
    FuncId f = callee.func;
    if (callee.code) return true;
    FaultGuard::Suspend suspend;
    if (materialize && *materialize && !(*materialize)(f)) {
        error = "the function `" + module.fn(f).name + "` has errors";
        metRejected = true;
        return false;
    }
    if (callee.code) return true; // a nested evaluation called it
    if (module.fn(f).isExtern) {
        error = foreign.missing(module.fn(f).symbol);
        return false;
    }
    if (module.fn(f).blocks.empty()) {
        error = "the function `" + module.fn(f).name + "` has no body";
        return false;
    }
    globals.updateErrorNames();
    descriptors.update();
    std::unique_ptr<FunctionCode> code = translate(*this, f, error);
    globals.sealConstants();
    if (!code) return false;
    uint32_t index = static_cast<uint32_t>(f);
    if (code_.size() <= index) code_.resize(index + 1);
    code_[index] = std::move(code);
    callee.code = code_[index].get();
    std::atomic_ref(callee.entry).store(callee.code->words.data(), std::memory_order_release);
    return true;
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

std::string Program::placeOf(Span at) const {
    Location place = module.sources.resolve(at.begin);
    return std::string(module.sources.path(place.file)) + ":" + std::to_string(place.line) + ":" +
           std::to_string(place.col);
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
