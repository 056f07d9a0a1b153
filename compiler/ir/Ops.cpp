#include "ir/Ops.h"

namespace sx::ir {

const char* opName(Op op) {
    switch (op) {
    case Op::Const: return "const";
    case Op::FuncAddr: return "func_addr";
    case Op::GlobalAddr: return "global_addr";
    case Op::TypeHandle: return "type_handle";
    case Op::SlotAddr: return "slot_addr";
    case Op::Param: return "param";
    case Op::BlockParam: return "block_param";
    case Op::Undef: return "undef";
    case Op::Load: return "load";
    case Op::Store: return "store";
    case Op::Copy: return "copy";
    case Op::Zero: return "zero";
    case Op::CopyN: return "copy_n";
    case Op::Offset: return "offset";
    case Op::Index: return "index";
    case Op::MemEq: return "mem_eq";
    case Op::NullCheck: return "null_check";
    case Op::Add: return "add";
    case Op::Sub: return "sub";
    case Op::Mul: return "mul";
    case Op::SDiv: return "sdiv";
    case Op::UDiv: return "udiv";
    case Op::SRem: return "srem";
    case Op::URem: return "urem";
    case Op::And: return "and";
    case Op::Or: return "or";
    case Op::Xor: return "xor";
    case Op::Shl: return "shl";
    case Op::LShr: return "lshr";
    case Op::AShr: return "ashr";
    case Op::FAdd: return "fadd";
    case Op::FSub: return "fsub";
    case Op::FMul: return "fmul";
    case Op::FDiv: return "fdiv";
    case Op::FRem: return "frem";
    case Op::FNeg: return "fneg";
    case Op::FSqrt: return "fsqrt";
    case Op::FSin: return "fsin";
    case Op::FCos: return "fcos";
    case Op::FFloor: return "ffloor";
    case Op::ICmp: return "icmp";
    case Op::FCmp: return "fcmp";
    case Op::Select: return "select";
    case Op::Trunc: return "trunc";
    case Op::ZExt: return "zext";
    case Op::SExt: return "sext";
    case Op::IntToBool: return "int_to_bool";
    case Op::SIntToFloat: return "sint_to_float";
    case Op::UIntToFloat: return "uint_to_float";
    case Op::FloatToSInt: return "float_to_sint";
    case Op::FloatToUInt: return "float_to_uint";
    case Op::FloatResize: return "float_resize";
    case Op::PtrToInt: return "ptr_to_int";
    case Op::IntToPtr: return "int_to_ptr";
    case Op::Reinterpret: return "reinterpret";
    case Op::Call: return "call";
    case Op::CallIndirect: return "call_indirect";
    case Op::AtomicLoad: return "atomic_load";
    case Op::AtomicStore: return "atomic_store";
    case Op::AtomicRmw: return "atomic_rmw";
    case Op::AtomicCmpXchg: return "atomic_cmpxchg";
    case Op::Fence: return "fence";
    case Op::TraceFrame: return "trace_frame";
    case Op::TraceRaise: return "trace_raise";
    case Op::TracePush: return "trace_push";
    case Op::TraceLink: return "trace_link";
    case Op::TraceAbsorb: return "trace_absorb";
    case Op::TraceCapture: return "trace_capture";
    case Op::TraceResume: return "trace_resume";
    case Op::TraceCopy: return "trace_copy";
    case Op::TraceForget: return "trace_forget";
    case Op::TraceResolve: return "trace_resolve";
    case Op::IsComptime: return "is_comptime";
    case Op::InlineAsm: return "inline_asm";
    case Op::Br: return "br";
    case Op::CondBr: return "cond_br";
    case Op::Switch: return "switch";
    case Op::Ret: return "ret";
    case Op::Panic: return "panic";
    case Op::Unreachable: return "unreachable";
    }
    return "?";
}

const char* predName(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq: return "eq";
    case ICmpPred::Ne: return "ne";
    case ICmpPred::SLt: return "slt";
    case ICmpPred::SLe: return "sle";
    case ICmpPred::SGt: return "sgt";
    case ICmpPred::SGe: return "sge";
    case ICmpPred::ULt: return "ult";
    case ICmpPred::ULe: return "ule";
    case ICmpPred::UGt: return "ugt";
    case ICmpPred::UGe: return "uge";
    }
    return "?";
}

const char* predName(FCmpPred p) {
    switch (p) {
    case FCmpPred::Eq: return "eq";
    case FCmpPred::Ne: return "ne";
    case FCmpPred::Lt: return "lt";
    case FCmpPred::Le: return "le";
    case FCmpPred::Gt: return "gt";
    case FCmpPred::Ge: return "ge";
    }
    return "?";
}

const char* atomicName(AtomicOp op) {
    switch (op) {
    case AtomicOp::Add: return "add";
    case AtomicOp::Sub: return "sub";
    case AtomicOp::And: return "and";
    case AtomicOp::Or: return "or";
    case AtomicOp::Xor: return "xor";
    case AtomicOp::Min: return "min";
    case AtomicOp::Max: return "max";
    case AtomicOp::Swap: return "swap";
    }
    return "?";
}

const char* orderName(MemoryOrder order) {
    switch (order) {
    case MemoryOrder::Relaxed: return "relaxed";
    case MemoryOrder::Acquire: return "acquire";
    case MemoryOrder::Release: return "release";
    case MemoryOrder::AcqRel: return "acq_rel";
    case MemoryOrder::SeqCst: return "seq_cst";
    }
    return "?";
}

const char* panicName(PanicKind kind) {
    switch (kind) {
    case PanicKind::NullUnwrap: return "null_unwrap";
    case PanicKind::Index: return "index";
    case PanicKind::SliceBounds: return "slice_bounds";
    case PanicKind::DivisionByZero: return "division_by_zero";
    case PanicKind::DivisionOverflow: return "division_overflow";
    case PanicKind::Unreachable: return "unreachable";
    case PanicKind::NullPointer: return "null_pointer";
    case PanicKind::TypeAssertion: return "type_assertion";
    }
    return "?";
}

bool isTerminator(Op op) {
    return op == Op::Br || op == Op::CondBr || op == Op::Switch || op == Op::Ret || op == Op::Panic ||
           op == Op::Unreachable;
}

ValueClass classOf(const TypeTable& types, TypeId t) {
    switch (types.kind(t)) {
    case TypeKind::Bool: return ValueClass::Bool;
    case TypeKind::Int:
    case TypeKind::ErrorSet: return ValueClass::Int;
    case TypeKind::Float: return ValueClass::Float;
    case TypeKind::CString:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Function: return ValueClass::Pointer;
    case TypeKind::Enum: return types.isScalar(t) ? ValueClass::Int : ValueClass::None;
    case TypeKind::Optional: return types.isScalar(t) ? ValueClass::Pointer : ValueClass::None;
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::String:
    case TypeKind::Any:
    case TypeKind::Slice:
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Tuple:
    case TypeKind::Closure:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Protocol: return ValueClass::None;
    }
    return ValueClass::None;
}

unsigned valueBits(const TypeTable& types, TypeId t) { return t == TypeId::Bool ? 1 : types.scalarBits(t); }

bool interchangeable(const TypeTable& types, TypeId a, TypeId b) {
    if (a == b) return classOf(types, a) != ValueClass::None;
    ValueClass c = classOf(types, a);
    return c != ValueClass::None && c == classOf(types, b) && valueBits(types, a) == valueBits(types, b);
}

bool returnsInMemory(const TypeTable& types, TypeId result) {
    return result != TypeId::Void && result != TypeId::NoReturn && result != TypeId::None && !types.isScalar(result);
}

} // namespace sx::ir
