#include "codegen/RuntimeCalls.h"

#include "llvm/IR/Attributes.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/ModRef.h"

namespace sx::codegen {

llvm::StringRef RuntimeCalls::symbol(TraceCall call) {
    switch (call) {
    case TraceCall::Raise: return "sx_trace_raise_error";
    case TraceCall::Push: return "sx_trace_push";
    case TraceCall::Link: return "sx_trace_link";
    case TraceCall::Absorb: return "sx_trace_absorb";
    case TraceCall::Capture: return "sx_trace_capture_at";
    case TraceCall::Find: return "sx_trace_find";
    case TraceCall::Resume: return "sx_trace_resume_error";
    case TraceCall::Copy: return "sx_trace_copy";
    case TraceCall::Forget: return "sx_trace_forget";
    }
    llvm_unreachable("no such trace call");
}

llvm::Function* RuntimeCalls::find(llvm::Module& module, TraceCall call) { return module.getFunction(symbol(call)); }

llvm::FunctionCallee RuntimeCalls::declare(llvm::StringRef symbol, llvm::FunctionType* type,
                                           llvm::AttributeList attributes) {
    return module_.getOrInsertFunction(symbol, type, attributes);
}

namespace {

llvm::AttributeList coldAttributes(llvm::LLVMContext& context) {
    llvm::AttrBuilder function(context);
    function.addAttribute(llvm::Attribute::Cold)
        .addAttribute(llvm::Attribute::NoUnwind)
        .addAttribute(llvm::Attribute::NoMerge);
    return llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex, function);
}

/// `snapshots`: the parameters that point at one.
llvm::AttributeList traceAttributes(llvm::LLVMContext& context, llvm::ArrayRef<unsigned> snapshots) {
    llvm::MemoryEffects touched = llvm::MemoryEffects::inaccessibleMemOnly();
    if (!snapshots.empty()) touched = llvm::MemoryEffects::inaccessibleOrArgMemOnly();
    llvm::AttrBuilder function(context);
    function.addMemoryAttr(touched).addAttribute(llvm::Attribute::WillReturn).addAttribute(llvm::Attribute::NoCallback);
    llvm::AttributeList attributes = coldAttributes(context).addFnAttributes(context, function);
    for (unsigned param : snapshots)
        attributes = attributes.addParamAttribute(context, param, llvm::Attribute::NoCapture);
    return attributes;
}

} // namespace

llvm::FunctionCallee RuntimeCalls::trace(TraceCall call) {
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type *none = llvm::Type::getVoidTy(context), *i1 = llvm::Type::getInt1Ty(context),
               *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context),
               *ptr = llvm::PointerType::get(context, 0);
    auto declareTrace = [&](llvm::Type* result, llvm::ArrayRef<llvm::Type*> params,
                            llvm::ArrayRef<unsigned> snapshots = {}) {
        return declare(symbol(call), llvm::FunctionType::get(result, params, false),
                       traceAttributes(context, snapshots));
    };
    switch (call) {
    case TraceCall::Raise: return declareTrace(none, {i64, i64});
    case TraceCall::Push: return declareTrace(none, {i64});
    case TraceCall::Link: return declareTrace(none, {i32});
    case TraceCall::Absorb: return declareTrace(none, {});
    case TraceCall::Capture: return declareTrace(i64, {i32, ptr}, 1u);
    case TraceCall::Copy: return declareTrace(none, {ptr, ptr}, {0u, 1u});
    case TraceCall::Forget: return declareTrace(none, {ptr}, 0u);
    case TraceCall::Find: return declareTrace(i32, {ptr, i64}, 0u);
    case TraceCall::Resume: {
        llvm::FunctionCallee callee = declareTrace(i1, {ptr, i64}, 0u);
        if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
            function->addRetAttr(llvm::Attribute::ZExt);
        return callee;
    }
    }
    llvm_unreachable("no such trace call");
}

llvm::FunctionCallee RuntimeCalls::panic(PanicCall call) {
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type *none = llvm::Type::getVoidTy(context), *i64 = llvm::Type::getInt64Ty(context),
               *ptr = llvm::PointerType::get(context, 0);
    llvm::AttributeList attributes = coldAttributes(context).addFnAttribute(context, llvm::Attribute::NoReturn);
    switch (call) {
    case PanicCall::Message:
        return declare("sx_panic_message", llvm::FunctionType::get(none, {ptr, ptr, i64}, false), attributes);
    case PanicCall::Null: return declare("sx_panic_null", llvm::FunctionType::get(none, {ptr}, false), attributes);
    case PanicCall::Index:
        return declare("sx_panic_index", llvm::FunctionType::get(none, {ptr, i64, i64}, false), attributes);
    case PanicCall::Slice:
        return declare("sx_panic_slice", llvm::FunctionType::get(none, {ptr, i64, i64, i64}, false), attributes);
    }
    llvm_unreachable("no such panic call");
}

llvm::FunctionCallee RuntimeCalls::memcmp() {
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context),
               *ptr = llvm::PointerType::get(context, 0);
    llvm::AttributeList attributes = llvm::AttributeList().addFnAttribute(context, llvm::Attribute::NoUnwind);
    return declare("memcmp", llvm::FunctionType::get(i32, {ptr, ptr, i64}, false), attributes);
}

} // namespace sx::codegen
