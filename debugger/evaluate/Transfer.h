// What an evaluation has made and the program is to hold: it is copied to memory of the program.
#pragma once

#include "debugger/evaluate/LocalAddresses.h"
#include "debugger/inspect/CValue.h"
#include "debugger/inspect/CallLimits.h"
#include "source/Result.h"

#include <map>
#include <vector>

namespace sx::debugger {

/// What an evaluation that may change the program asks of it. An engine knows how.
class Host {
public:
    virtual ~Host() = default;
    /// A block from the allocator of C in the program, which may free it; nothing where there is none.
    virtual std::optional<uint64_t> allocate(uint64_t bytes) = 0;
    /// Functions of C are called in the program; else `call` refuses.
    virtual bool callsProgram() const = 0;
    /// Calls a function of C in the program, at an address; 0: at that of its symbol. Addresses in the arguments are of
    /// the program. Fails also where it reaches a limit.
    virtual Result<CValue> call(const ir::Function& function, uint64_t address, llvm::ArrayRef<CValue> args,
                                const CallLimits&) = 0;
    /// A fiber runs on the thread that is called on: what waits there waits for other fibers.
    virtual bool isInFiber() = 0;
};

class Transfer {
public:
    /// `host` null: nothing can be copied.
    Transfer(EvaluationMemory& memory, LocalAddresses& addresses, Host* host)
        : memory_(memory), addresses_(addresses), host_(host) {}

    /// Copies what the bytes refer to of the evaluation's own memory, and what that refers to; the bytes have the
    /// addresses of the copies then. Addresses lie at multiples of eight bytes from the first byte.
    Result<void> settle(llvm::MutableArrayRef<uint8_t> bytes);
    /// Whether bytes refer to something that is the evaluation's own.
    static bool refersToOwn(llvm::ArrayRef<uint8_t> bytes);
    /// Whether they refer to a block that code of the evaluation has allocated.
    static bool refersToBlock(llvm::ArrayRef<uint8_t> bytes, const EvaluationMemory&);
    /// Takes over what the program has made of the copies.
    void copyBack();

private:
    struct Moved {
        uint64_t size, to;
    };
    Result<uint64_t> copyOf(uint64_t address);
    Result<void> settleWords(llvm::MutableArrayRef<uint8_t> bytes);

    EvaluationMemory& memory_;
    LocalAddresses& addresses_;
    Host* host_;
    std::map<uint64_t, Moved> moved_; ///< by where a block begins
    std::vector<uint64_t> waiting_;   ///< blocks whose bytes were not copied yet
};

} // namespace sx::debugger
