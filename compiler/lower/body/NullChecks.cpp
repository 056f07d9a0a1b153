#include "lower/body/NullChecks.h"

#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Storage.h"

namespace sx::lower {

namespace {

/// Addresses of storage are no null pointers, and neither is what is computed from a pointer: that was checked.
bool isNeverNull(const Body& f, ValueId pointer) {
    const ir::Instr* i = &f.fn.instr(pointer);
    while (i->op == ir::Op::Reinterpret && i->operandCount == 1) i = &f.fn.instr(f.fn.operandsOf(*i)[0]);
    return i->op == ir::Op::SlotAddr || i->op == ir::Op::GlobalAddr || i->op == ir::Op::FuncAddr ||
           i->op == ir::Op::Offset || i->op == ir::Op::Index;
}

} // namespace

void checkPointer(Body& f, ValueId pointer, Span at) {
    if (!isNeverNull(f, pointer)) emitNullCheck(f.b, pointer, at);
}

Span followedAt(const ast::Expr* e) {
    if (const auto* m = llvm::dyn_cast<ast::Member>(e)) return m->dot;
    if (const auto* d = llvm::dyn_cast<ast::Deref>(e)) return d->dot;
    return e->span;
}

Value dereferenceChecked(Body& f, const Value& pointer, Span at) {
    ValueId address = scalar(f, pointer);
    checkPointer(f, address, at);
    return Value::place(f.types.elem(pointer.type), address);
}

} // namespace sx::lower
