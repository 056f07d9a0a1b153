// Makes an LLVM module of an IR module. The same LLVM code comes out whether traces are recorded or not;
// what differs is done to it after optimisation (TraceLowering.h).
#pragma once

#include "codegen/CallAbi.h"
#include "codegen/Codegen.h"
#include "codegen/DebugInfo.h"
#include "codegen/Frames.h"
#include "codegen/RuntimeCalls.h"
#include "ir/Partition.h"

#include "llvm/IR/Function.h"

namespace sx::codegen {

/// What an LLVM module is made of: all of a program, or a part of it. What others name of a part is visible outside of
/// its object, and nowhere outside of the program.
struct Part {
    const ir::Partition* partition = nullptr; ///< null: all
    uint32_t number = 0;
};

class ModuleEmitter {
public:
    ModuleEmitter(const ir::Module&, const Options&, const Part&, llvm::Module& out);

    /// Emits what the entry and the exported functions reach, or of that what belongs to the part; everything, if there
    /// are none of these.
    Result<void> emit();
    /// Where the 1-based line of all assembly at module scope comes from.
    static Span spanOfLine(const ir::Module&, unsigned line);

    // ---- for FunctionEmitter
    const ir::Module& ir() const { return ir_; }
    const Options& options() const { return options_; }
    llvm::LLVMContext& context() const { return out_.getContext(); }
    const TypeMapper& types() const { return types_; }
    const CallAbi& abi() const { return abi_; }
    FrameTable& frames() { return frames_; }
    RuntimeCalls& runtime() { return runtime_; }
    DebugInfo* debug() { return debug_.get(); } ///< null: none is wanted
    /// Declares the function and has its body emitted.
    llvm::Function* function(ir::FuncId);
    const Signature& signature(ir::FuncId);
    const Signature& signatureOfType(TypeId functionType);
    llvm::Constant* global(ir::GlobalId);
    llvm::Constant* typeHandle(TypeId);
    /// Reports what cannot be compiled. The first report stays.
    void fail(std::string message);
    void fail(Span at, const std::string& message); ///< of what stands there in the program

private:
    struct DeclaredFunction {
        llvm::Function* function = nullptr;
        std::unique_ptr<Signature> signature;
    };

    void declareRoots();
    void mergeMain();
    void appendAssembly();
    void finishDebugInfo();
    /// Whether it is emitted here, and how others see it.
    template <class Id> bool isMine(Id id) const { return !part_.partition || part_.partition->isIn(id, part_.number); }
    template <class Id> bool isShared(Id id) const { return part_.partition && part_.partition->isShared(id); }
    DeclaredFunction& declare(ir::FuncId);
    llvm::GlobalVariable* declareElsewhere(ir::GlobalId);
    void claimName(const std::string& symbol);
    llvm::Function* createFunction(ir::FuncId, const Signature&);
    void describe(llvm::Function&, const ir::Function&) const;
    void setAttributes(llvm::Function&, const ir::Function&) const;
    // GlobalData.cpp
    llvm::Type* dataType(const ir::Global&) const;
    void defineGlobal(llvm::GlobalVariable&, const ir::Global&);
    llvm::Constant* dataBytes(const ir::Global&, uint64_t from, uint64_t to) const;
    llvm::Constant* dataAddress(const ir::Reloc&);

    const ir::Module& ir_;
    const Options& options_;
    const Part part_;
    llvm::Module& out_;
    TypeMapper types_;
    CallAbi abi_;
    FrameTable frames_;
    RuntimeCalls runtime_;
    std::unique_ptr<DebugInfo> debug_;
    std::vector<DeclaredFunction> functions_;    // by FuncId
    std::vector<llvm::GlobalVariable*> globals_; // by GlobalId
    llvm::StringMap<ir::FuncId> definitions_;    // functions of C that the program defines, by symbol
    llvm::DenseMap<TypeId, std::unique_ptr<Signature>> typeSignatures_;
    std::vector<llvm::GlobalVariable*> writtenConstants_; // a program may write to them: ConstantWrites.h
    std::vector<ir::FuncId> pendingBodies_;
    std::vector<ir::GlobalId> pendingGlobals_;
    std::string error_;
};

} // namespace sx::codegen
