#include "debugger/foreign/Number.h"

#include <cmath>
#include <cstring>

namespace sx::debugger {

using Kind = ForeignType::Kind;
using ast::BinaryOp;
using ast::OpClass;

Result<ForeignNumber> numberOf(const ForeignTypes& types, const ForeignValues& values, const Datum& datum) {
    if (datum.place == Datum::Place::Nowhere) return Failure{"there is no value: " + datum.note};
    const ForeignType& type = types.plain(datum.type);
    ForeignNumber n;
    if (type.kind == Kind::Float) {
        std::optional<std::vector<uint8_t>> bytes = values.bytes(datum);
        if (!bytes) return Failure{"the value cannot be read"};
        float narrow = 0;
        long double wide = 0;
        if (bytes->size() == sizeof narrow) std::memcpy(&narrow, bytes->data(), sizeof narrow), n.real = narrow;
        else if (bytes->size() == sizeof n.real) std::memcpy(&n.real, bytes->data(), sizeof n.real);
        else if (bytes->size() == sizeof wide)
            std::memcpy(&wide, bytes->data(), sizeof wide), n.real = static_cast<double>(wide);
        else return Failure{"this is a number of a size that is not known"};
        n.kind = ForeignNumber::Kind::Float;
        return n;
    }
    bool isNumber = type.kind == Kind::Bool || type.kind == Kind::Character || type.kind == Kind::Signed ||
                    type.kind == Kind::Unsigned || type.kind == Kind::Enum || type.kind == Kind::Pointer;
    if (!isNumber || type.size > sizeof(uint64_t)) return Failure{code(types.nameOf(datum.type)) + " is no number"};
    std::optional<uint64_t> word = values.word(datum);
    if (!word) return Failure{"the value cannot be read"};
    n.kind = type.kind == Kind::Bool      ? ForeignNumber::Kind::Bool
             : type.kind == Kind::Pointer ? ForeignNumber::Kind::Address
                                          : ForeignNumber::Kind::Integer;
    n.integer = type.isUnsigned() ? static_cast<__int128>(*word) : static_cast<__int128>(static_cast<int64_t>(*word));
    return n;
}

Datum valueOf(const ForeignTypes& types, const ForeignNumber& n) {
    uint8_t bytes[8];
    if (n.kind == ForeignNumber::Kind::Float) {
        std::memcpy(bytes, &n.real, sizeof bytes);
        return Datum::held(types.floatType, bytes);
    }
    auto word = static_cast<uint64_t>(n.integer);
    std::memcpy(bytes, &word, sizeof bytes);
    if (n.kind == ForeignNumber::Kind::Bool) return Datum::held(types.boolType, {bytes, 1});
    bool isWide = n.integer > INT64_MAX;
    return Datum::held(isWide ? types.unsignedType : types.signedType, bytes);
}

namespace {

ForeignNumber truth(bool value) { return {ForeignNumber::Kind::Bool, value, 0}; }

template <typename T> bool compared(BinaryOp op, T a, T b) {
    switch (op) {
    case BinaryOp::Eq: return a == b;
    case BinaryOp::Ne: return a != b;
    case BinaryOp::Lt: return a < b;
    case BinaryOp::Le: return a <= b;
    case BinaryOp::Gt: return a > b;
    default: return a >= b;
    }
}

double realOf(const ForeignNumber& n) {
    return n.kind == ForeignNumber::Kind::Float ? n.real : static_cast<double>(n.integer);
}

/// Into 64 bits: without a sign where both had none or the result is too large with one.
ForeignNumber wrapped(__int128 value) {
    ForeignNumber n;
    if (value >= INT64_MIN && value <= static_cast<__int128>(UINT64_MAX)) n.integer = value;
    else n.integer = static_cast<int64_t>(static_cast<uint64_t>(value));
    return n;
}

Result<ForeignNumber> computeReal(BinaryOp op, double a, double b) {
    ForeignNumber n;
    n.kind = ForeignNumber::Kind::Float;
    switch (op) {
    case BinaryOp::Add: n.real = a + b; return n;
    case BinaryOp::Sub: n.real = a - b; return n;
    case BinaryOp::Mul: n.real = a * b; return n;
    case BinaryOp::Div: n.real = a / b; return n;
    case BinaryOp::Rem: n.real = std::fmod(a, b); return n;
    default: return Failure{code(std::string(ast::spelling(op))) + " is for integers"};
    }
}

Result<ForeignNumber> computeInteger(BinaryOp op, __int128 a, __int128 b) {
    switch (op) {
    case BinaryOp::Add: return wrapped(a + b);
    case BinaryOp::Sub: return wrapped(a - b);
    case BinaryOp::Mul:
        return wrapped(static_cast<__int128>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)));
    case BinaryOp::Div:
    case BinaryOp::Rem:
        if (b == 0) return Failure{"division by zero"};
        return wrapped(op == BinaryOp::Div ? a / b : a % b);
    case BinaryOp::Shl:
    case BinaryOp::Shr: {
        if (b < 0 || b > 63) return Failure{"a shift is by 0 to 63 bits"};
        auto by = static_cast<unsigned>(b);
        return wrapped(op == BinaryOp::Shl ? static_cast<__int128>(static_cast<uint64_t>(a) << by) : a >> by);
    }
    case BinaryOp::BitAnd: return wrapped(a & b);
    case BinaryOp::BitOr: return wrapped(a | b);
    case BinaryOp::BitXor: return wrapped(a ^ b);
    default: return Failure{code(std::string(ast::spelling(op))) + " is not known here"};
    }
}

} // namespace

Result<ForeignNumber> compute(BinaryOp op, const ForeignNumber& a, const ForeignNumber& b) {
    using NumberKind = ForeignNumber::Kind;
    bool isReal = a.kind == NumberKind::Float || b.kind == NumberKind::Float;
    if (ast::classOf(op) == OpClass::Comparison)
        return truth(isReal ? compared(op, realOf(a), realOf(b)) : compared(op, a.integer, b.integer));
    for (const ForeignNumber& n : {a, b}) {
        if (n.kind == NumberKind::Bool) return Failure{"a truth value is no number"};
        if (n.kind == NumberKind::Address) return Failure{"there is no arithmetic of addresses: use an index"};
    }
    return isReal ? computeReal(op, realOf(a), realOf(b)) : computeInteger(op, a.integer, b.integer);
}

} // namespace sx::debugger
