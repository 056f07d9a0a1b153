#include "vm/Callees.h"

#include "vm/Signatures.h"
#include "vm/memory/Reserve.h"

#include <new>

namespace sx::vm {

namespace {
/// Runs in the place of a function that was not called yet.
constexpr Insn TranslateStub[] = {{static_cast<uint16_t>(Opcode::Translate), 0, 0, 0}};
} // namespace

Callees::Callees(ir::Module& module, Signatures& signatures, uint64_t wanted)
    : module_(module), signatures_(signatures) {
    bytes_ = Most * sizeof(Callee);
    void* p = reserve(bytes_, wanted);
    records_ = static_cast<Callee*>(p);
}

Callees::~Callees() { release(records_, bytes_); }

Callee& Callees::at(ir::FuncId f) {
    if (static_cast<uint32_t>(f) >= bytes_ / sizeof(Callee)) endWithoutMemory();
    Callee& c = records_[static_cast<uint32_t>(f)];
    if (c.entry) return c;
    const ir::Function& fn = module_.fn(f);
    return *new (&c) Callee{TranslateStub, nullptr, f, signatures_.of(fn.params, fn.result), nullptr};
}

} // namespace sx::vm
