#include "ir/ParameterList.h"

#include "ir/BuildConstants.h"
#include "ir/BuildMemory.h"
#include "ir/DataBuilder.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::ir {

namespace {

llvm::StringRef nameOf(const Module& m, const Slot& slot) { return m.types.names().text(slot.name); }

bool isShown(const Module& m, const Slot& slot) {
    bool isParameter = slot.paramIndex >= 0 && slot.type != TypeId::None && slot.name != Name::None;
    return isParameter && !nameOf(m, slot).starts_with("_");
}

GlobalId makeList(Module& m, const Function& fn, llvm::ArrayRef<SlotId> shown) {
    GlobalId errorNames = m.errorNameTable(), self = static_cast<GlobalId>(m.globals.size());
    Global g;
    g.name = "parameters of " + fn.name;
    g.symbol = "sx.parameters." + fn.symbol;
    g.align = 8;
    g.isConst = true;
    DataBuilder data(self, parameters::Items + shown.size() * parameters::ItemBytes);
    data.word(parameters::Count, shown.size());
    data.address(parameters::ErrorNames, errorNames);
    uint64_t at = parameters::Items;
    for (SlotId id : shown) {
        const Slot& slot = fn.slots[static_cast<uint32_t>(id)];
        data.string(at + parameters::NamePtr, nameOf(m, slot));
        data.typeHandle(at + parameters::Type, slot.type);
        data.word(at + parameters::InMemory, isScalar(m.types, slot.type) ? 0 : 1);
        at += parameters::ItemBytes;
    }
    data.finish(g);
    m.globals.push_back(std::move(g));
    return self;
}

void make(Builder& b, ParameterList& list) {
    const Function& fn = b.function();
    for (uint32_t i = 0; i < fn.slots.size(); ++i)
        if (isShown(b.module(), fn.slots[i])) list.shown.push_back(SlotId{i});
    list.isMade = true;
    if (list.shown.empty()) return;
    list.list = makeList(b.module(), fn, list.shown);
}

} // namespace

void recordParameters(Builder& b, ParameterList& list) {
    if (!list.isMade) make(b, list);
    if (list.shown.empty()) return;
    TypeTable& types = b.module().types;
    llvm::SmallVector<ValueId, 8> operands{globalAddr(b, list.list, pointerTo(types, TypeId::Void))};
    for (SlotId slot : list.shown) {
        TypeId type = b.function().slots[static_cast<uint32_t>(slot)].type;
        ValueId address = slotAddr(b, slot);
        operands.push_back(isScalar(types, type) ? emitLoad(b, type, address) : address);
    }
    b.emit(Op::TraceValues, TypeId::Void, operands);
}

} // namespace sx::ir
