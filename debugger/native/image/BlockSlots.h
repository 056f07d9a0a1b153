// Which variables of a function the blocks of its debug information declare. Names and lines do not tell where a
// variable is there more than once, as in what is cleaned up at several ends of a block: statements do, since those
// that see the variable begin in its block.
#pragma once

#include "debugger/native/image/ProgramImage.h"

namespace sx::debugger::native {

class BlockSlots {
public:
    /// Both have to live as long.
    BlockSlots(const ir::Module& module, const ProgramImage& image) : module_(module), image_(image) {}

    /// The variable that each of the blocks of a copy declares, or ir::SlotId::None: it declares none, or it is not
    /// known which; empty for code that the front end does not know.
    llvm::ArrayRef<ir::SlotId> of(uint32_t copy) const;
    /// The block of a copy that declares a variable; null: it is not known.
    const ImageBlock* blockOf(uint32_t copy, ir::SlotId) const;

private:
    const ir::Module& module_;
    const ProgramImage& image_;
    mutable std::map<uint32_t, std::vector<ir::SlotId>> known_; ///< by copy; those that were asked for
};

} // namespace sx::debugger::native
