// What the code of a function refers to, as the program that will run it has it.
#pragma once

#include "ir/Ir.h"

namespace sx::vm {

class Environment {
public:
    virtual ~Environment() = default;

    virtual ir::Module& module() = 0;
    /// The code runs while compiling: accesses are checked, and what must not be evaluated fails.
    virtual bool isComptime() = 0;
    /// Errors of the code leave traces: always while compiling, where messages show them.
    bool recordsTraces() { return isComptime() || module().recordsTraces; }

    /// The code is for a debugger: variables change where their statements say, and can be read everywhere.
    virtual bool isDebugged() { return false; }

    virtual uint64_t functionAddress(ir::FuncId) = 0;
    virtual uint64_t globalAddress(ir::GlobalId) = 0;
    virtual uint64_t typeHandle(TypeId) = 0;

    /// Code is going to call the function by its index.
    virtual void willCall(ir::FuncId) = 0;
    /// The site for calls of an extern with arguments of these types.
    virtual uint32_t foreignSite(const ir::Function& callee, llvm::ArrayRef<TypeId> args) = 0;
    /// The site for calls through a pointer; `extra` are the types of arguments beyond the parameters.
    virtual uint32_t indirectSite(TypeId functionType, llvm::ArrayRef<TypeId> extra) = 0;

    /// Says so if only compiled code has the symbol; "" if not.
    virtual std::string definedInAssembly(const std::string& symbol) = 0;
    /// The number of a message for Opcode::Fail.
    virtual uint32_t addFailure(std::string message) = 0;
};

} // namespace sx::vm
