// Memory that the debugger has in the program's process, for results and variables of the console: what it writes there
// is no change of the program as long as the program knows nothing of it.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>

namespace sx::debugger {

class KeptMemory {
public:
    /// `bytes` of new memory, which is zero and stays. 0: there is none.
    uint64_t allocate(uint64_t bytes);
    /// The debugger has written `bytes` at `address`. Returns whether this changes what the program may see: its own
    /// memory, or what was shared with it. An address of kept memory in there shares all that was written so far.
    bool noteWrite(uint64_t address, llvm::ArrayRef<uint8_t> bytes);
    /// From now on the program may know of all that was written so far.
    void share();

private:
    struct Block {
        uint64_t size = 0;
        uint64_t written = 0, shared = 0; ///< offsets: what lies before was written, and may be known to the program
    };
    Block* blockAt(uint64_t address, uint64_t& offset);

    std::map<uint64_t, Block> blocks_; ///< by their addresses
};

} // namespace sx::debugger
