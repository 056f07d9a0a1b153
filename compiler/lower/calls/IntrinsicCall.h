// One call of an intrinsic or reserved word (generics.md 9, library.md 5), and the functions that lower each of them:
// they stand in Intrinsics.cpp, Atomics.cpp, Reflection.cpp, ReflectionMembers.cpp and Services.cpp, and nothing else
// includes this.
//
// What is known while compiling folds to a constant. A `Type` that is known at run time only is the address of
// its descriptor (ir/TypeDescriptor.h), and a query of it is a load.
#pragma once

#include "ir/BuildMemory.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Body.h"
#include "types/Derived.h"

namespace sx::lower::intrinsics {

/// A type argument: spelled, or a value of type `Type`.
struct TypeArg {
    bool ok = false;
    TypeId type{};                  ///< known while compiling; None: at run time
    ValueId handle = ValueId::None; ///< of a run-time type
    bool isStatic() const { return type != TypeId::None; }
};
enum class Accept : uint8_t { Static, Runtime, RuntimeOrAny };

/// An index: constant (then `known`) or an i64.
struct Index {
    bool ok = false;
    std::optional<uint64_t> known;
    ValueId value = ValueId::None;
};

class IntrinsicCall {
public:
    IntrinsicCall(Body& f, Name name, FunctionTemplate* declared, const ast::Call& call, TypeId target)
        : f(f), b(f.b), sema(f.sema), types(f.types), declared(declared), call(call), target(target),
          name(f.sema.names.text(name)) {}

    /// `handled` is false if there is no intrinsic of that name.
    Value lower(bool& handled);

    // ---- arguments
    const ast::Expr* arg(size_t i) const { return call.args[i].value; }
    Value value(size_t i, TypeId target = TypeId::None); ///< a value argument; Error after a report
    Index index(size_t i);
    TypeArg typeArg(size_t i, Accept);
    ValueId handleOf(const TypeArg&);

    // ---- results
    /// Reports an error.
    Value reject(Span at, const std::string& message, const std::string& help = {});
    Span nameSpan() const { return call.callee->span; }
    Value load(ValueId base, uint64_t offset, TypeId type) {
        return Value::scalar(type, emitLoad(b, type, emitOffset(b, base, offset, pointerTo(types, type))));
    }
    Value text(ValueId base, uint64_t offset) {
        return Value::temporary(TypeId::String, emitOffset(b, base, offset, pointerTo(types, TypeId::String)));
    }

    Body& f;
    ir::Builder& b;
    Sema& sema;
    TypeTable& types;
    FunctionTemplate* const declared;
    const ast::Call& call;
    const TypeId target;
    const std::string_view name;

private:
    TypeArg heldType(const Value& any); ///< of an `any`; that of the type itself if it holds one
};

inline Value intResult(__int128 v) { return Value::ofConst(TypeId::I64, ConstValue::ofInt(v)); }
inline Value boolResult(bool v) { return Value::ofConst(TypeId::Bool, ConstValue::ofBool(v)); }

// ---- what intrinsics of several sources need

/// Whether the type at `handle` has this bit among its flags (ir/TypeDescriptor.h).
Value flag(IntrinsicCall&, ValueId handle, uint64_t bit);
ValueId categoryIs(IntrinsicCall&, ValueId handle, std::initializer_list<ir::TypeCategory>);
/// An `any` over `data`: what lies there, or what an `any` or protocol value lying there holds.
Value view(IntrinsicCall&, ValueId data, ValueId type);
Value view(IntrinsicCall&, ValueId data, TypeId type);

// ---- the intrinsics

#define INTRINSIC(name, handler, args) Value handler(IntrinsicCall&);
#include "sema/model/Intrinsics.def"
Value atomicRmw(IntrinsicCall&);
Value math(IntrinsicCall&, ir::Op);

} // namespace sx::lower::intrinsics
