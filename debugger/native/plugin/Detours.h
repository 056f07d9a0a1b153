// Ways around breakpoints that are passed often: lldb takes a breakpoint out, makes one step, and puts it in again,
// which costs two stops. Instead a copy of the instruction runs elsewhere, and a jump leads back behind it.
#pragma once

#include "lldb/API/LLDB.h"

#include <cstdint>
#include <map>

namespace sx::debugger::native {

class Detours {
public:
    /// The program is about to run, and the thread of this frame from a breakpoint at `pc`: from now on from elsewhere,
    /// if that is worth while and can be done. The breakpoint stays for the other threads.
    void enter(lldb::SBTarget&, lldb::SBProcess&, lldb::SBFrame frame, uint64_t pc);
    /// Where code stands that is on such a way; `pc` itself where it is on none.
    uint64_t placeOf(uint64_t pc) const;
    /// Where the instruction of a breakpoint runs instead; 0: where it is.
    uint64_t wayAround(uint64_t pc) const;
    /// Some have been made.
    explicit operator bool() const { return page_ != 0; }

private:
    static constexpr uint32_t Often = 16; ///< passes until there is a way around
    static constexpr uint64_t PageSize = 4096, MostBytes = 32;
    struct Way {
        uint32_t passes = 0;
        uint64_t at = 0;   ///< of the copy; 0: there is none
        uint64_t size = 0; ///< of the instruction
        bool isTried = false;
    };
    void make(lldb::SBTarget&, lldb::SBProcess&, uint64_t pc, Way&);

    std::map<uint64_t, Way> ways_; ///< by the address of the instruction
    uint64_t page_ = 0, used_ = 0;
};

} // namespace sx::debugger::native
