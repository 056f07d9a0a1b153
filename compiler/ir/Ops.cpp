#include "ir/Ops.h"

#include "types/Predicates.h"

namespace sx::ir {

namespace {

constexpr OpInfo row(const char* text, std::initializer_list<ValueRule> operands, ValueRule result, Form form,
                     Effect effect) {
    OpInfo info{text, {}, static_cast<uint8_t>(operands.size()), result, form, effect};
    size_t k = 0;
    for (ValueRule rule : operands) info.operands[k++] = rule;
    return info;
}

constexpr auto makeTable() {
    using enum ValueRule;
#define SX_LIST(...) \
    { __VA_ARGS__ }
    return std::to_array<OpInfo>({
#define IR_OP(name, text, operands, result, form, effect) \
    row(text, SX_LIST operands, result, Form::form, Effect::effect),
#include "ir/Ops.def"
    });
#undef SX_LIST
}

constexpr auto table = makeTable();

} // namespace

const OpInfo& infoOf(Op op) { return table[static_cast<size_t>(op)]; }

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

ICmpPred swapped(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq:
    case ICmpPred::Ne: return p;
    case ICmpPred::SLt: return ICmpPred::SGt;
    case ICmpPred::SLe: return ICmpPred::SGe;
    case ICmpPred::SGt: return ICmpPred::SLt;
    case ICmpPred::SGe: return ICmpPred::SLe;
    case ICmpPred::ULt: return ICmpPred::UGt;
    case ICmpPred::ULe: return ICmpPred::UGe;
    case ICmpPred::UGt: return ICmpPred::ULt;
    case ICmpPred::UGe: return ICmpPred::ULe;
    }
    return p;
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
    case TypeKind::Enum: return isScalar(types, t) ? ValueClass::Int : ValueClass::None;
    case TypeKind::Optional: return isScalar(types, t) ? ValueClass::Pointer : ValueClass::None;
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

unsigned valueBits(const TypeTable& types, TypeId t) { return t == TypeId::Bool ? 1 : scalarBits(types, t); }

bool interchangeable(const TypeTable& types, TypeId a, TypeId b) {
    if (a == b) return classOf(types, a) != ValueClass::None;
    ValueClass c = classOf(types, a);
    return c != ValueClass::None && c == classOf(types, b) && valueBits(types, a) == valueBits(types, b);
}

bool returnsInMemory(const TypeTable& types, TypeId result) {
    return result != TypeId::Void && result != TypeId::NoReturn && result != TypeId::None && !isScalar(types, result);
}

} // namespace sx::ir
