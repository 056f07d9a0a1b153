// What debug information leaves out of variables: in optimized code a location may tell of some bytes only.
#include "debugger/native/image/Executable.h"

#include "llvm/DebugInfo/DWARF/DWARFExpression.h"

#include <optional>

namespace sx::debugger::native {

using llvm::DWARFExpression;
namespace dw = llvm::dwarf;

/// A piece that no operation stands before is nowhere. Nothing: the location tells of all bytes.
static std::optional<ImageGap> gapOf(llvm::ArrayRef<uint8_t> location, const llvm::DWARFUnit& unit) {
    llvm::DataExtractor data(location, /*IsLittleEndian=*/true, unit.getAddressByteSize());
    ImageGap gap;
    uint64_t bits = 0;
    bool isSomewhere = false, hasPieces = false;
    for (const DWARFExpression::Operation& operation :
         DWARFExpression(data, unit.getAddressByteSize(), unit.getFormat())) {
        if (operation.isError()) return std::nullopt;
        bool isPiece = operation.getCode() == dw::DW_OP_piece, isBits = operation.getCode() == dw::DW_OP_bit_piece;
        if (!isPiece && !isBits) {
            isSomewhere = true;
            continue;
        }
        uint64_t size = operation.getRawOperand(0) * (isPiece ? 8 : 1);
        if (!isSomewhere && size != 0) gap.missing.push_back({bits / 8, (bits + size + 7) / 8 - bits / 8});
        bits += size;
        hasPieces = true;
        isSomewhere = false;
    }
    gap.size = bits / 8;
    return hasPieces ? std::optional(std::move(gap)) : std::nullopt;
}

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
