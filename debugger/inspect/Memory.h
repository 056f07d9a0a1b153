// What the inspection library asks of a stopped program: its bytes, and what its addresses mean.
#pragma once

#include "ir/Ir.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sx::debugger {

/// The memory of a stopped program, whichever process it lies in.
class Memory {
public:
    virtual ~Memory() = default;
    /// Reads from `address` on. Returns how many bytes could be read before the first one that could not.
    virtual size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) = 0;
    /// The same of memory in which there is no code, however it is reached fastest: for long walks.
    virtual size_t readData(uint64_t address, llvm::MutableArrayRef<uint8_t> into) { return read(address, into); }
    /// Writes all of the bytes, or none and returns false.
    virtual bool write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) = 0;
};

/// A function of the program, as a value that points at it shows it.
struct CodeName {
    std::string name;                     ///< as traces have it: `main.lambda`
    llvm::ArrayRef<ir::Capture> captures; ///< what the environment of a closure of it holds
};

/// What addresses of the program mean, and where it has what the module names. An engine knows.
class Addresses {
public:
    virtual ~Addresses() = default;
    /// The function that a function pointer or a closure with this code word calls; nothing where there is none.
    virtual std::optional<CodeName> codeAt(uint64_t address) = 0;
    /// The same as a function of the module that the program was made of.
    virtual std::optional<ir::FuncId> functionAt(uint64_t) { return std::nullopt; }
    /// The type whose run-time descriptor (ir/TypeDescriptor.h) this address is; None where it is not known.
    virtual TypeId typeAt(uint64_t descriptor) = 0;
    /// Where the program has the descriptor of a type, a global, or the value of a pointer to a function; nothing where
    /// it has none.
    virtual std::optional<uint64_t> descriptorOf(TypeId type) = 0;
    virtual std::optional<uint64_t> addressOf(ir::GlobalId global) = 0;
    virtual std::optional<uint64_t> addressOf(ir::FuncId function) = 0;
    /// Where it has the tables of its heap (runtime/heap/heap.h); 0: it has none.
    virtual uint64_t heapTables() { return 0; }
    /// Where it has the list of its fibers (runtime/program/debug_fiber.h); 0: it has none.
    virtual uint64_t fiberRecords() { return 0; }
    /// The id of the thread that a fiber is for debuggers, by its number in that list; 0: there is none.
    virtual uint32_t threadOfFiber(uint32_t) { return 0; }
};

} // namespace sx::debugger
