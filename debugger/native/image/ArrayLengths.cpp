#include "debugger/native/image/ArrayLengths.h"

#include "llvm/DebugInfo/DWARF/DWARFExpression.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

namespace sx::debugger::native {

namespace dw = llvm::dwarf;
using llvm::DWARFDie;

std::optional<llvm::ArrayRef<uint8_t>> expressionBytes(const DWARFDie& die, dw::Attribute attribute) {
    std::optional<llvm::DWARFFormValue> value = die.find(attribute);
    std::optional<llvm::ArrayRef<uint8_t>> block = value ? value->getAsBlock() : std::nullopt;
    return block && !block->empty() ? block : std::nullopt;
}

namespace {

/// Where in a frame an expression leads: `DW_OP_fbreg`, and `DW_OP_deref` where it is to give what is there.
std::optional<int64_t> frameOffset(const DWARFDie& die, dw::Attribute attribute, bool isRead) {
    std::optional<llvm::ArrayRef<uint8_t>> block = expressionBytes(die, attribute);
    if (!block) return std::nullopt;
    llvm::DWARFUnit* unit = die.getDwarfUnit();
    llvm::DataExtractor data(*block, /*IsLittleEndian=*/true, unit->getAddressByteSize());
    llvm::DWARFExpression expression(data, unit->getAddressByteSize(), unit->getFormParams().Format);
    auto at = expression.begin();
    if (at == expression.end() || at->isError() || at->getCode() != dw::DW_OP_fbreg) return std::nullopt;
    auto offset = static_cast<int64_t>(at->getRawOperand(0));
    ++at;
    bool isDereferenced = at != expression.end() && !at->isError() && at->getCode() == dw::DW_OP_deref;
    if (isDereferenced) ++at;
    return isDereferenced == isRead && at == expression.end() ? std::optional(offset) : std::nullopt;
}

bool isFromCfa(DWARFDie die) {
    while (die && die.getTag() != dw::DW_TAG_subprogram) die = die.getParent();
    std::optional<llvm::ArrayRef<uint8_t>> base = die ? expressionBytes(die, dw::DW_AT_frame_base) : std::nullopt;
    return base && base->front() == dw::DW_OP_call_frame_cfa;
}

/// An expression, or a variable of the compiler's own, says it.
std::optional<ArrayLength> lengthOf(const DWARFDie& dimension, bool fromCfa) {
    ArrayLength made;
    made.fromCfa = fromCfa;
    for (dw::Attribute attribute : {dw::DW_AT_count, dw::DW_AT_upper_bound}) {
        std::optional<llvm::DWARFFormValue> value = dimension.find(attribute);
        if (!value) continue;
        made.isLast = attribute == dw::DW_AT_upper_bound;
        if (std::optional<uint64_t> number = value->getAsUnsignedConstant()) {
            made.count = *number + (made.isLast ? 1 : 0);
            return made;
        }
        std::optional<int64_t> offset = frameOffset(dimension, attribute, /*isRead=*/true);
        if (DWARFDie variable = dimension.getAttributeValueAsReferencedDie(attribute))
            offset = frameOffset(variable, dw::DW_AT_location, /*isRead=*/false);
        if (!offset) return std::nullopt;
        made.isInFrame = true;
        made.offset = *offset;
        return made;
    }
    return std::nullopt;
}

} // namespace

std::vector<ArrayLength> dimensionsOf(const DWARFDie& variable) {
    std::vector<ArrayLength> lengths;
    DWARFDie type = variable.getAttributeValueAsReferencedDie(dw::DW_AT_type);
    for (int most = 64; most > 0 && type && type.getTag() == dw::DW_TAG_typedef; --most)
        type = type.getAttributeValueAsReferencedDie(dw::DW_AT_type);
    if (!type || type.getTag() != dw::DW_TAG_array_type) return lengths;
    bool fromCfa = isFromCfa(variable), isInFrame = false;
    for (const DWARFDie& dimension : type.children()) {
        if (dimension.getTag() != dw::DW_TAG_subrange_type) continue;
        std::optional<ArrayLength> length = lengthOf(dimension, fromCfa);
        if (!length) return {};
        isInFrame |= length->isInFrame;
        lengths.push_back(*length);
    }
    return isInFrame ? lengths : std::vector<ArrayLength>();
}

} // namespace sx::debugger::native
