// What debug information leaves out of variables: in optimized code a location may tell of some bytes only, or of a
// computation that lldb does in its own way.
#include "debugger/native/image/Executable.h"

#include "llvm/DebugInfo/DWARF/DWARFExpression.h"

#include <optional>

namespace sx::debugger::native {

using llvm::DWARFExpression;
namespace dw = llvm::dwarf;

namespace {

/// lldb rounds types of bits up to bytes: what is to be cut off stays.
bool isOfBits(uint64_t type, const llvm::DWARFUnit& unit) {
    llvm::DWARFDie die = const_cast<llvm::DWARFUnit&>(unit).getDIEForOffset(unit.getOffset() + type);
    const std::string name = die.isValid() ? text(die.getShortName()) : "";
    unsigned bits = 0;
    return !llvm::StringRef(name).rsplit('_').second.getAsInteger(10, bits) && bits % 8 != 0;
}

/// Registers have no sign for lldb, and what is compared, divided or shifted with one needs to have it.
bool isComputedOtherwise(const DWARFExpression::Operation& operation, const llvm::DWARFUnit& unit, bool isTruth) {
    switch (operation.getCode()) {
    case dw::DW_OP_lt:
    case dw::DW_OP_le:
    case dw::DW_OP_gt:
    case dw::DW_OP_ge:
    case dw::DW_OP_div:
    case dw::DW_OP_mod:
    case dw::DW_OP_shra: return true;
    case dw::DW_OP_convert: return !isTruth && isOfBits(operation.getRawOperand(0), unit);
    default: return false;
    }
}

bool isTruth(uint8_t code) { return code == dw::DW_OP_eq || code == dw::DW_OP_ne; }

/// A piece that no operation stands before is nowhere. Nothing: the location tells of all bytes.
std::optional<ImageGap> gapOf(llvm::ArrayRef<uint8_t> location, const llvm::DWARFUnit& unit) {
    llvm::DataExtractor data(location, /*IsLittleEndian=*/true, unit.getAddressByteSize());
    ImageGap gap;
    uint64_t bits = 0;
    bool isSomewhere = false, hasPieces = false, isWrong = false;
    uint8_t last = 0;
    for (const DWARFExpression::Operation& operation :
         DWARFExpression(data, unit.getAddressByteSize(), unit.getFormat())) {
        if (operation.isError()) return std::nullopt;
        bool isPiece = operation.getCode() == dw::DW_OP_piece, isBits = operation.getCode() == dw::DW_OP_bit_piece;
        if (!isPiece && !isBits) {
            isSomewhere = true;
            isWrong |= isComputedOtherwise(operation, unit, isTruth(last));
            if (operation.getCode() != dw::DW_OP_convert) last = operation.getCode();
            continue;
        }
        uint64_t size = operation.getRawOperand(0) * (isPiece ? 8 : 1);
        if ((!isSomewhere || isWrong) && size != 0) gap.missing.push_back({bits / 8, (bits + size + 7) / 8 - bits / 8});
        bits += size;
        hasPieces = true;
        isSomewhere = isWrong = false;
        last = 0;
    }
    gap.size = bits / 8;
    return hasPieces || isWrong ? std::optional(std::move(gap)) : std::nullopt;
}

} // namespace

bool changesCalls(const llvm::DWARFDie& function) {
    std::optional<uint64_t> convention = dw::toUnsigned(function.findRecursively(dw::DW_AT_calling_convention));
    return convention == dw::DW_CC_nocall;
}

void addGaps(const llvm::DWARFDie& variable, uint64_t offset, std::vector<ImageGap>& gaps) {
    if (!variable.find(dw::DW_AT_location)) return;
    llvm::Expected<llvm::DWARFLocationExpressionsVector> all = variable.getLocations(dw::DW_AT_location);
    if (!all) {
        llvm::consumeError(all.takeError());
        return;
    }
    for (const llvm::DWARFLocationExpression& location : *all) {
        std::optional<ImageGap> gap = gapOf(location.Expr, *variable.getDwarfUnit());
        if (!gap) continue;
        gap->variable = text(variable.getName(llvm::DINameKind::ShortName));
        gap->line = static_cast<uint32_t>(variable.getDeclLine());
        if (location.Range) gap->at = {location.Range->LowPC + offset, location.Range->HighPC + offset};
        gaps.push_back(std::move(*gap));
    }
}

} // namespace sx::debugger::native
