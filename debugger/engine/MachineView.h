// A program as the machine has it: raw frames, symbols, the instructions that have run. Both engines implement this
// beside Engine; what is asked here is asked while the program stands still, unless it says otherwise.
#pragma once

#include "source/Source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sx::debugger {

struct CodePoint;
struct Instruction;

/// Of code that is not the program's `at` is invalid; `file` and `line` are then what debug information has.
struct MachineFrame {
    uint64_t pc = 0, sp = 0, fp = 0;
    std::string symbol;
    SourcePos at;
    std::string file;
    uint32_t line = 0; ///< 1-based; 0: not known
};

struct MachineStack {
    std::vector<MachineFrame> frames; ///< innermost first
    std::string damage;               ///< why there are no more, where the frame after them is damaged
};

struct ProgramSymbol {
    std::string name;
    uint64_t address = 0, size = 0;
    bool isFunction = false;
    SourcePos declared;
};

/// Memory whose changes are told with the instructions that make them.
struct TracedPlace {
    uint32_t id = 0; ///< of whoever wants it
    uint64_t address = 0;
    std::vector<uint8_t> bytes; ///< as they were last known
    uint32_t thread = 0;        ///< of the frame that it lies in
    uint64_t frame = 0;         ///< its address; the place ends with it. 0: it does not end
};

/// An instruction that has run.
struct TracedInstruction {
    uint64_t pc = 0;
    uint32_t opcode = 0;
    std::string mnemonic, symbol;
    SourcePos at;
    std::vector<std::pair<uint32_t, uint64_t>> changed; ///< registers of its frame, with what they hold since
    std::vector<std::pair<uint32_t, std::vector<uint8_t>>> written; ///< places by their ids, with what they hold since
};

struct TracedInstructions {
    uint64_t total = 0; ///< that have run so far
    std::vector<TracedInstruction> last;
};

/// A mapping of the program's memory.
struct MappedRegion {
    std::string name; ///< a path, `[stack]`, `[vdso]` or ""
    uint64_t start = 0, end = 0;
    std::string permissions; ///< `r-x`
};

class MachineView {
public:
    virtual ~MachineView() = default;

    /// Why the program has not answered something since this was asked last, though it is there; empty: it has.
    virtual std::string takeSilence() { return ""; }

    /// The program may load code that is not known yet. May be asked while it runs.
    virtual bool mayLoadCode() const { return false; }

    /// Where a breakpoint at a statement stops, in optimized code; an invalid position: where the statement begins.
    /// Nothing: no code is left of it, or of what follows. May be asked while the program runs.
    virtual std::optional<SourcePos> stopsAt(const CodePoint&) const { return SourcePos(); }

    /// `vm` or `native`.
    virtual const char* variant() const = 0;
    /// What is added to an address of the program's file, where one number relates the two.
    virtual std::optional<uint64_t> slide() { return std::nullopt; }
    /// At most `most` frames of a thread. Reads what is in memory now.
    virtual MachineStack stack(uint32_t thread, uint32_t most) = 0;
    /// Code from `offset` instructions after an address on; before it, where that is negative. Where no code is there
    /// are rows all the same, without a mnemonic.
    virtual std::vector<Instruction> disassemble(uint64_t address, int32_t offset, uint32_t count) = 0;
    /// The functions and variables of the program, in order of address.
    virtual std::vector<ProgramSymbol> symbols() = 0;
    /// Where a symbol of the linker's is, of any part of the program; 0: there is none.
    virtual uint64_t symbolAddress(const std::string& /*name*/) { return 0; }
    /// The mappings of a program that is not there any more: of a core file. Else none.
    virtual std::vector<MappedRegion> mappingsOfCore() { return {}; }
    /// What the program has from its allocator, in bytes, where its process has more in it than the program; else
    /// nothing.
    virtual std::optional<uint64_t> heapBytes() { return std::nullopt; }
    /// From now on instructions are recorded, or not any more. Also while the program runs.
    virtual void record(bool) {}
    /// The places whose changes are noted with recorded instructions; they take the place of those before. Also while
    /// the program runs.
    virtual void tracePlaces(const std::vector<TracedPlace>&) {}
    /// Changes of the states of fibers are remembered from now on, or not any more.
    virtual void logFibers(bool) {}
    /// Those that ran after the first `seen`, as far as they are still known. Also while the program runs.
    virtual TracedInstructions recorded(uint64_t /*seen*/) { return {}; }
};

} // namespace sx::debugger
