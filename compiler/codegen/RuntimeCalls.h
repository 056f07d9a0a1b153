// The functions of the runtime that compiled code calls, as LLVM declarations.
//
// What is promised about the trace functions lets the optimiser move ordinary memory accesses across the
// failing path: they touch nothing but the runtime's own state (and a snapshot given to them). Their calls are
// never merged, since a merged call would need its frame chosen before the branch: on the succeeding path.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

#include <array>
#include <optional>

namespace sx::codegen {

enum class TraceCall : uint8_t { Raise, Push, Link, Absorb, Capture, Find, Resume, Copy, Forget };
constexpr size_t TraceCallCount = static_cast<size_t>(TraceCall::Forget) + 1; ///< the last one

enum class PanicCall : uint8_t { Message, Null, Index, Slice };

class RuntimeCalls {
public:
    explicit RuntimeCalls(llvm::Module& module) : module_(module) {}

    llvm::FunctionCallee trace(TraceCall);
    llvm::FunctionCallee panic(PanicCall);
    llvm::FunctionCallee memcmp();

    static llvm::StringRef symbol(TraceCall);
    /// The declaration in a module that was emitted before, if it is used there.
    static llvm::Function* find(llvm::Module&, TraceCall);

private:
    llvm::FunctionCallee declare(llvm::StringRef symbol, llvm::FunctionType*, llvm::AttributeList);

    llvm::Module& module_;
};

} // namespace sx::codegen
