#include "vm/Callees.h"

#include "vm/Signatures.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace sx::vm {

namespace {
/// Runs in the place of a function that was not called yet.
constexpr Insn TranslateStub[] = {{static_cast<uint16_t>(Opcode::Translate), 0, 0, 0}};
} // namespace

Callees::Callees(ir::Module& module, Signatures& signatures) : module_(module), signatures_(signatures) {
    void* p = mmap(nullptr, Capacity * sizeof(Callee), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        std::fprintf(stderr, "sx: internal error: no address space for the interpreter's functions\n");
        std::abort();
    }
    records_ = static_cast<Callee*>(p);
}

Callees::~Callees() { munmap(records_, Capacity * sizeof(Callee)); }

Callee& Callees::at(ir::FuncId f) {
    Callee& c = records_[static_cast<uint32_t>(f)];
    if (c.entry) return c;
    const ir::Function& fn = module_.fn(f);
    return *new (&c) Callee{TranslateStub, nullptr, f, signatures_.of(fn.params, fn.result), nullptr};
}

} // namespace sx::vm
