// The encoding: fixed-width register code. docs/vm.md explains the choices.
#pragma once

#include "ir/Ir.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace sx::vm {

enum class Opcode : uint16_t {
#define VM_OP(name, format) name,
#define VM_OPX(name, format, extra) name,
#include "vm/code/Opcodes.def"
};
constexpr uint32_t OpcodeCount = static_cast<uint32_t>(Opcode::Extra) + 1;

/// Index of a register of the current frame.
using Reg = uint16_t;

/// While a function is translated its outgoing area has no place yet: register OutgoingBase + i stands for word i of
/// it.
constexpr Reg OutgoingBase = 0x8000;
/// Words between the registers of a caller and its outgoing area: the frame header of the callee.
constexpr uint32_t HeaderWords = 2;
constexpr int HeaderCall =
    -2; ///< r[-2]: the word of the caller's code that says where the result goes (a) and how far up the frame is (b)
constexpr int HeaderCallee = -1; ///< r[-1]: the Callee that runs in this frame

/// One instruction, one `Extra` word, or one word of the pool.
struct Insn {
    uint16_t op = 0, a = 0, b = 0, c = 0;

    Opcode opcode() const { return static_cast<Opcode>(op); }
    /// b and c as one number.
    int32_t wide() const { return static_cast<int32_t>(static_cast<uint32_t>(b) | static_cast<uint32_t>(c) << 16); }
    void setWide(int32_t v) {
        b = static_cast<uint16_t>(v);
        c = static_cast<uint16_t>(static_cast<uint32_t>(v) >> 16);
    }
    int16_t signedB() const { return static_cast<int16_t>(b); }
    int16_t signedC() const { return static_cast<int16_t>(c); }
};
static_assert(sizeof(Insn) == 8);

struct OpcodeInfo {
    const char* name;
    const char* format;      ///< see Opcodes.def
    const char* extraFormat; ///< null: no Extra word follows
};
const OpcodeInfo& infoOf(Opcode);

/// Where the storage of an ir::Slot is while its function runs.
struct SlotPlace {
    enum class Kind : uint8_t { Register, Frame, Far } kind{};
    uint32_t index = 0; ///< register; byte offset from the frame; byte offset from the address in `farRegister`
};

/// A translated function.
struct FunctionCode {
    ir::FuncId func{};
    std::vector<Insn> words; ///< instructions, then the pool
    uint32_t instructionCount = 0;
    uint32_t frameWords = 0;       ///< registers and small slots, without header and outgoing area
    uint32_t argumentWords = 0;    ///< at the beginning of the frame: arguments, and where an aggregate result goes
    std::vector<Span> spans;       ///< one per instruction
    std::vector<SlotPlace> places; ///< indexed by SlotId
    uint64_t farBytes = 0;         ///< of the slots on the far stack
    Reg farRegister = 0;           ///< holds the address of the far slots, if there are any
    uint32_t outgoingWords = 0;    ///< of the outgoing area

    // ---- of code for a debugger
    static constexpr uint32_t None = UINT32_MAX;
    std::vector<uint16_t> opcodes; ///< of the instructions, also where a breakpoint stands in the code
    std::vector<uint8_t>
        breakpoints;                 ///< one per instruction: more than a step has put one there; read while it changes
    std::vector<ir::ScopeId> scopes; ///< one per instruction
    std::vector<uint32_t> statements; ///< as ir::Function::statements: the instruction where it begins, or None
    std::vector<uint32_t> loopTests;  ///< instructions where one begins once more: a loop's test, at its end; ascending
    std::vector<uint32_t> statementOf; ///< one per instruction: the statement that it belongs to, or None
    bool startsStatement(uint32_t index) const {
        uint32_t s = index < statementOf.size() ? statementOf[index] : None;
        return s != None && (statements[s] == index || std::binary_search(loopTests.begin(), loopTests.end(), index));
    }

    uint32_t indexOf(const Insn* at) const { return static_cast<uint32_t>(at - words.data()); }
    bool contains(const Insn* at) const { return at >= words.data() && at < words.data() + instructionCount; }
};

/// The frame of an error return trace that stands for a place in a function: what TraceFrame gives.
constexpr uint64_t packFrame(ir::FuncId f, SourcePos at) { return uint64_t{static_cast<uint32_t>(f)} << 32 | at.raw; }

/// What the instruction at an index does, also where a breakpoint stands in its place.
Opcode opcodeAt(const FunctionCode&, uint32_t index);
/// Text form, one instruction a line.
std::string disassemble(const FunctionCode&, const ir::Module&);

} // namespace sx::vm
