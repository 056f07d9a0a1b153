// One call of an intrinsic or reserved word (generics.md 9, library.md 5). Private to Intrinsics.cpp, Atomics.cpp,
// Reflection.cpp, ReflectionMembers.cpp and Services.cpp.
//
// What is known while compiling folds to a constant. A `Type` that is known at run time only is the address of
// its descriptor (ir/TypeDescriptor.h), and a query of it is a load.
#pragma once

#include "ir/BuildMemory.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Body.h"
#include "types/Derived.h"
#include "types/Parts.h"

namespace sx::lower {

class IntrinsicCall {
public:
    IntrinsicCall(Body& f, Name name, FunctionTemplate* declared, const ast::Call& call, TypeId target)
        : f_(f), b_(f.b), sema_(f.sema), types_(f.types), declared_(declared), call_(call), target_(target),
          name_(f.sema.names.text(name)) {}

    /// `handled` is false if there is no intrinsic of that name.
    Value lower(bool& handled);

    /// How a service takes an argument.
    enum class Operand : uint8_t { Text, Number, Index, Type, Members };

private:
    using Handler = Value (IntrinsicCall::*)();
    struct Entry {
        Handler handler = nullptr;
        size_t args = 0;
        bool needsDeclaration = false; ///< a plain word otherwise
    };
    static Entry entryFor(std::string_view name);

    // ---- arguments
    /// A type argument: spelled, or a value of type `Type`.
    struct TypeArg {
        bool ok = false;
        TypeId type{};                  ///< known while compiling; None: at run time
        ValueId handle = ValueId::None; ///< of a run-time type
        bool isStatic() const { return type != TypeId::None; }
    };
    enum class Accept : uint8_t { Static, Runtime, RuntimeOrAny };
    TypeArg typeArg(size_t i, Accept);
    TypeArg heldType(const Value& any); ///< of an `any`; that of the type itself if it holds one
    ValueId handleOf(const TypeArg&);
    const ast::Expr* arg(size_t i) const { return call_.args[i].value; }
    Value value(size_t i, TypeId target = TypeId::None); ///< a value argument; Error after a report
    /// An index: constant (then `known`) or an i64.
    struct Index {
        bool ok = false;
        std::optional<uint64_t> known;
        ValueId value = ValueId::None;
    };
    Index index(size_t i);
    Value reject(Span at, const std::string& message, const std::string& help = {});
    Span nameSpan() const { return call_.callee->span; }

    // ---- results
    Value constInt(__int128 v) { return Value::ofConst(TypeId::I64, ConstValue::ofInt(v)); }
    Value constBool(bool v) { return Value::ofConst(TypeId::Bool, ConstValue::ofBool(v)); }
    Value load(ValueId base, uint64_t offset, TypeId type) {
        return Value::scalar(type, emitLoad(b_, type, emitOffset(b_, base, offset, pointerTo(types_, type))));
    }
    Value text(ValueId base, uint64_t offset) {
        return Value::temporary(TypeId::String, emitOffset(b_, base, offset, pointerTo(types_, TypeId::String)));
    }
    Value flag(ValueId handle, uint64_t bit);
    ValueId categoryIs(ValueId handle, std::initializer_list<ir::TypeCategory>);
    /// An `any` over `data`: what lies there, or what an `any` or protocol value lying there holds.
    Value view(ValueId data, ValueId type);
    Value view(ValueId data, TypeId type);
    ValueId memberRecord(ValueId handle, ValueId index);

    // ---- Reflection.cpp
    Value sizeOf();
    Value alignOf();
    Value typeOf();
    TypeId typeOfDistant(const ast::Expr*);
    Value typeName();
    Value typeEq();
    Value isUnsigned();
    Value isFlags();
    Value isStruct();
    Value isIdentity();
    Value hasImpl();
    Value isComptime();
    Value pointeeType();
    Value vectorLanes();

    // ---- ReflectionMembers.cpp
    enum class Family : uint8_t { Fields, Variants };
    bool checkFamily(TypeId, Family); ///< kind checks of the static forms
    Value fieldCount();
    Value fieldName();
    Value fieldType();
    Value fieldOffset();
    Value fieldValue();
    Value variantCount();
    Value variantName();
    Value variantType();
    Value variantValue();
    Value variantIndex();
    Value variantPayload();
    Value variantTagWidth();
    Value memberName(Family);
    Value memberType(Family);
    /// The data and type of a value whose parts are viewed; false after a report.
    struct Viewed {
        bool ok = false;
        TypeId type{};
        ValueId data = ValueId::None, handle = ValueId::None;
    };
    Viewed viewed(Family);
    Value partView(const Viewed&, const Index&, llvm::ArrayRef<Part>);
    std::vector<Part> parts(TypeId); ///< fields, elements, arms or variants
    bool inRange(const Index&, size_t count);

    // ---- Intrinsics.cpp
    Value anyElement();
    Value rawAnyData();
    Value rawMakeAny();
    Value errorName();
    Value traceResolve();
    template <ir::Op op> Value math() { return math(op); }
    Value math(ir::Op);

    // ---- Services.cpp
    Value serviceOperand(size_t i, Operand);
    Value service();
    Value typeInfo();

    // ---- Atomics.cpp
    Value atomicLoad();
    Value atomicStore();
    Value atomicRmw();
    Value atomicCompareExchange();
    Value atomicFence();
    std::optional<ir::MemoryOrder> order(size_t i);
    bool atomicType(TypeId& type); ///< the first argument
    ValueId atomicPointer(TypeId); ///< the second
    ValueId toBits(const Value&, TypeId);
    Value fromBits(ValueId, TypeId);
    TypeId container(TypeId) const;

    Body& f_;
    ir::Builder& b_;
    Sema& sema_;
    TypeTable& types_;
    FunctionTemplate* declared_;
    const ast::Call& call_;
    TypeId target_;
    std::string_view name_;
};

} // namespace sx::lower
