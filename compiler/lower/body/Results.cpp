#include "lower/body/Results.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <algorithm>

namespace sx::lower {

using namespace ast;

ValueId resultAddress(Body& f) {
    if (f.result.storage == ir::SlotId::None) f.result.storage = f.b.newSlot(f.result.type);
    return slotAddr(f.b, f.result.storage);
}

bool sameSlot(const Body& f, ValueId a, ValueId c) {
    if (a == c) return true;
    if (a == ValueId::None || c == ValueId::None) return false;
    const ir::Instr &x = f.fn.instr(a), &y = f.fn.instr(c);
    return x.op == ir::Op::SlotAddr && y.op == ir::Op::SlotAddr && x.imm == y.imm;
}

void emitReturn(Body& f, const Value& v, Span at) {
    f.b.setSpan(at);
    if (!f.result.isFailable) {
        if (f.result.type == TypeId::Void || f.result.type == TypeId::NoReturn || f.result.type == TypeId::None) {
            leaveTo(f, 0, 0);
            if (f.reachable()) emitRet(f.b);
            return;
        }
        if (isScalar(f.types, f.result.type)) {
            ValueId value = scalar(f, v);
            leaveTo(f, 0, 0);
            if (f.reachable()) emitRet(f.b, value);
            return;
        }
        ValueId address = addressOf(f, v);
        if (!f.cleanups.stack.empty() && v.lvalue) { // a cleanup may still change it
            ValueId own = resultAddress(f);
            emitCopy(f.b, own, address, f.result.type);
            address = own;
        }
        leaveTo(f, 0, 0);
        if (f.reachable()) emitRet(f.b, address);
        return;
    }
    if (f.result.success == TypeId::Void) {
        leaveTo(f, 0, 0);
        if (f.reachable()) emitRet(f.b, constInt(f.b, f.result.errorSet, 0));
        return;
    }
    ValueId result = resultAddress(f);
    if (!v.isMemory() || !sameSlot(f, v.id, result)) store(f, result, v);
    leaveTo(f, 0, 0);
    if (!f.reachable()) return;
    unsigned tagIndex = static_cast<unsigned>(f.types.tupleFields(f.result.type).size() - 1);
    emitStore(
        f.b,
        emitOffset(f.b, result, fieldOffset(f.types, f.result.type, tagIndex), pointerTo(f.types, f.result.errorSet)),
        constInt(f.b, f.result.errorSet, 0));
    emitRet(f.b, result);
}

/// The function is the program's `main`, or a test that runs instead: an error that leaves it is unhandled.
static bool isProgramMain(const Body& f) {
    if (!f.instance || !f.instance->tmpl->symbol || !f.instance->tmpl->file->isEntry) return false;
    const FunctionTemplate& t = *f.instance->tmpl;
    auto it = t.file->names.find(t.symbol->name);
    if (it == t.file->names.end() || it->second != t.symbol) return false;
    const std::vector<std::string>& tests = f.sema.options.tests;
    std::string name = f.sema.text(t.symbol->name);
    return tests.empty() ? name == "main" : std::find(tests.begin(), tests.end(), name) != tests.end();
}

void emitErrorReturn(Body& f, ValueId tag) {
    if (isProgramMain(f)) f.b.noteError(ir::ErrorEventKind::Unhandled, tag);
    if (f.result.success == TypeId::Void) {
        emitRet(f.b, tag);
        return;
    }
    ValueId result = resultAddress(f);
    unsigned tagIndex = static_cast<unsigned>(f.types.tupleFields(f.result.type).size() - 1);
    emitStore(
        f.b,
        emitOffset(f.b, result, fieldOffset(f.types, f.result.type, tagIndex), pointerTo(f.types, f.result.errorSet)),
        tag);
    emitRet(f.b, result);
}

} // namespace sx::lower
