// Accesses through pointers: the check that stops the program where one is null (language 5.11).
#include "lower/body/NullChecks.h"

#include "lower/body/Body.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"

namespace sx::lower {

namespace {

/// Addresses of storage are no null pointers, and neither is what is computed from a pointer: that was checked.
bool isNeverNull(const Body& f, ValueId pointer) {
    const ir::Instr* i = &f.fn.instr(pointer);
    while (i->op == ir::Op::Reinterpret && i->operandCount == 1) i = &f.fn.instr(f.fn.operandsOf(*i)[0]);
    return i->op == ir::Op::SlotAddr || i->op == ir::Op::GlobalAddr || i->op == ir::Op::FuncAddr ||
           i->op == ir::Op::Offset || i->op == ir::Op::Index;
}

/// The `.` of `a.b` or `a.*`: the last one, since names have none.
Span dotOf(const Body& f, Span access) {
    size_t dot = f.sema.sources.textOf(access).rfind('.');
    if (dot == std::string_view::npos) return access;
    SourcePos at = access.begin + static_cast<uint32_t>(dot);
    return {at, at + 1};
}

} // namespace

void checkPointer(Body& f, ValueId pointer, Span at) {
    if (!isNeverNull(f, pointer)) f.b.nullCheck(pointer, at);
}

void checkMemberPointer(Body& f, ValueId pointer, Span access) {
    if (!isNeverNull(f, pointer)) f.b.nullCheck(pointer, access.isValid() ? dotOf(f, access) : access);
}

Value behindChecked(Body& f, const Value& pointer, Span at) {
    ValueId address = scalar(f, pointer);
    checkPointer(f, address, at);
    return Value::place(f.types.elem(pointer.type), address);
}

} // namespace sx::lower
