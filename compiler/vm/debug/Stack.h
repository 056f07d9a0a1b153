// The frames of a thread that stands still, and where the variables of a frame are.
#pragma once

#include "vm/code/Bytecode.h"

#include <functional>
#include <string>

namespace sx::vm {

class Program;
class Thread;

/// Of a thread that a debugger knows, from 1 in the order in which they appear; the main thread is 1.
using DebugThreadId = uint32_t;

struct DebugFrame {
    DebugThreadId thread = 0;
    ir::FuncId func = ir::FuncId::None; ///< None: a C function
    const FunctionCode* code = nullptr; ///< null: a C function
    uint32_t index = 0; ///< of the instruction in `code` that is to run, or that made the call (or its Extra word)
    uint64_t* regs = nullptr;
    bool isForeign = false;
    std::string foreignName; ///< of the C function; "" if it was called through a pointer
    static constexpr uint32_t NoStatement = UINT32_MAX;
    uint32_t statement = NoStatement; ///< that the instruction belongs to: an index into ir::Function::statements
    bool fails = false;               ///< its instruction cannot go on: a panic or a fault is its own
    bool atStatement = false;         ///< the statement is about to begin; else execution is within it
    Span span;                        ///< of the instruction
    ir::ScopeId scope = 0;            ///< lexical scope of the instruction: which variables it sees
};

/// Where the storage of a variable is.
struct SlotLocation {
    bool isRegister = false; ///< `word` is a register in canonical form; else `address` is memory in the type's layout
    uint64_t* word = nullptr;
    uint64_t address = 0; ///< of the memory, or of the register word
};

SlotLocation slotLocation(const DebugFrame&, ir::SlotId);

/// Execution stands where `main` returns an error.
bool isUnhandled(const DebugFrame&);
/// Where the first statement of the function begins; UINT32_MAX if it has none.
uint32_t firstStatement(const FunctionCode&);

/// The frames of a thread that has saved where it stands, innermost first, until `visit` returns false.
/// Returns why that is not all of them: what is wrong with the next one; null: it is.
const char* walkFrames(const Thread&, const std::function<bool(const DebugFrame&)>& visit);
/// It stands still in a switch from fiber to fiber, whose own functions are no frames of it.
bool isParked(const Thread&);
/// `qsort` of "the C function `qsort`"; "" of what has no name.
std::string bareName(const std::string& title);
/// The innermost one; without code inside a C function.
DebugFrame innermostFrame(const Thread&);
/// How many there are.
size_t countFrames(const Thread&);

} // namespace sx::vm
