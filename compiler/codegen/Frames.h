// The read-only records of positions in compiled programs: `sx_frame` of sx/trace.h.
//
// A trace frame is one hop of an error return trace: its address is the frame. A position is where a panic
// happened: the same record with file, line and column only. They are told apart by name, because a program
// built without traces has no trace frame but still has its positions.
#pragma once

#include "ir/FrameRecord.h"
#include "ir/Ir.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace sx::codegen {

class FrameTable {
public:
    FrameTable(llvm::Module&, const SourceManager&);

    /// Size of a record in bytes: what `trace_resolve` copies.
    static constexpr uint64_t RecordSize = 56;

    /// The trace frame for a hop at the beginning of `at` in `function`; one per place.
    llvm::GlobalVariable* frame(Span at, const ir::Function& function);
    /// The record for a panic at the beginning of `at`; one per place.
    llvm::GlobalVariable* position(Span at);
    /// The address of a text, NUL-terminated; equal texts are stored once. Null for the empty one.
    llvm::Constant* text(llvm::StringRef);

    static bool isFrame(const llvm::GlobalValue&);
    static bool isText(const llvm::GlobalValue&);

private:
    llvm::GlobalVariable* record(const ir::FrameRecord&, llvm::StringRef function, llvm::StringRef name);

    llvm::Module& module_;
    const SourceManager& sources_;
    llvm::StructType* recordType_;
    llvm::DenseMap<std::pair<uint32_t, const ir::Function*>, llvm::GlobalVariable*> frames_;
    llvm::DenseMap<uint32_t, llvm::GlobalVariable*> positions_;
    llvm::StringMap<llvm::Constant*> texts_;
};

} // namespace sx::codegen
