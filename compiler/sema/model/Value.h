// What an expression evaluates to while its function is being checked and lowered.
#pragma once

#include "ir/Ir.h"

#include "llvm/ADT/StringRef.h"

namespace sx::sema {

struct Symbol;
struct FunctionTemplate;
struct StructTemplate;
struct ModuleUnit;
struct ErrorNode;
struct PackInfo;
struct BoundMethod;

/// A value known while compiling.
struct ConstValue {
    enum class Kind : uint8_t { None, Int, Float, Bool, String, Type, Null, Undef, Data };
    Kind kind = Kind::None;
    __int128 i = 0;                      ///< Int (also chars, enums, error tag ids), Bool (0/1)
    double f = 0;                        ///< Float (already rounded to f32 where the type is f32)
    llvm::StringRef s;                   ///< String
    TypeId t{};                          ///< Type
    const ir::ConstData* data = nullptr; ///< Data: an aggregate; owned by the Sema arena
    bool isNone() const { return kind == Kind::None; }
    bool isInt() const { return kind == Kind::Int; }
    bool isFloat() const { return kind == Kind::Float; }
    static ConstValue ofInt(__int128 v) {
        ConstValue c;
        c.kind = Kind::Int;
        c.i = v;
        return c;
    }
    static ConstValue ofFloat(double v) {
        ConstValue c;
        c.kind = Kind::Float;
        c.f = v;
        return c;
    }
    static ConstValue ofBool(bool v) {
        ConstValue c;
        c.kind = Kind::Bool;
        c.i = v;
        return c;
    }
    static ConstValue ofString(llvm::StringRef v) {
        ConstValue c;
        c.kind = Kind::String;
        c.s = v;
        return c;
    }
    static ConstValue ofType(TypeId v) {
        ConstValue c;
        c.kind = Kind::Type;
        c.t = v;
        return c;
    }
    static ConstValue null() {
        ConstValue c;
        c.kind = Kind::Null;
        return c;
    }
    static ConstValue undef() {
        ConstValue c;
        c.kind = Kind::Undef;
        return c;
    }
    static ConstValue ofData(const ir::ConstData* d) {
        ConstValue c;
        c.kind = Kind::Data;
        c.data = d;
        return c;
    }
};

struct Value {
    enum class Kind : uint8_t {
        Error,         ///< already reported; every operation on it yields Error again, silently
        Void,          ///< no value (type Void), or control does not get here (type NoReturn)
        Scalar,        ///< `id` is the SSA value
        Memory,        ///< `id` is the address: any lvalue, or an aggregate rvalue in a temporary
        Const,         ///< `constant`, not in the IR yet; `type` is its type (Null: TypeId::Null until it has a target)
        TypeName,      ///< names the type `namedType`; as a value it is a `Type`
        Function,      ///< names a function (`function`), generic or not; not yet a pointer
        Method,        ///< `receiver.name` that is about to be called (`method`)
        Namespace,     ///< names a module (`module`)
        GenericStruct, ///< names a generic struct head (`structTemplate`)
        Protocol,      ///< names a parameterised protocol (`symbol`); plain protocols are TypeName
        Pack,          ///< names a pack (`pack`)
    };
    Kind kind = Kind::Error;
    TypeId type{};
    ir::ValueId id = ir::ValueId::None;
    ConstValue constant;
    TypeId namedType{};
    union {
        FunctionTemplate* function = nullptr;
        ModuleUnit* module;
        StructTemplate* structTemplate;
        PackInfo* pack;
        BoundMethod* method;
    };
    /// The symbol of a bare name (local, constant, global, function): for narrowing and for
    /// "assignment to an immutable …" rules. Also set through Paren.
    Symbol* symbol = nullptr;
    /// Memory only: names storage (variable, field, element, deref). False: a temporary that nobody else sees.
    bool lvalue = false;
    /// The chain is rooted at a constant (writes are rejected), or at a value context field. A constant aggregate is
    /// Memory with its data in `constant` beside; a part of it that folds is a Const that is constRooted too.
    bool constRooted = false, contextRooted = false;
    /// Memory only: a slice that a constant holds leads to it. It is storage, and not assigned (language 3.4).
    bool behindConstant = false;
    /// The by-value capture that this is a part of: a copy that is not written (language 4.8, 5.5).
    Symbol* captureRoot = nullptr;
    /// A literal whose type came from no target (an integer literal defaulting to i64, …).
    bool untypedLiteral = false;
    /// A bound element reference of `for xs (*e)`: reads as the element where a value is needed.
    bool refCapture = false;
    /// Of a value of error set type: where its tags come from when the set is inferred.
    ErrorNode* errors = nullptr;
    /// Of an error that was taken out of a variable (an optional's payload, …): that variable, whose trace it has.
    Symbol* errorSource = nullptr;
    /// Of a failable call: it pushed no marker yet; consumers (try, catch, or, …) clear it.
    bool unmarkedFailable = false;

    Symbol* errorOrigin() const { return errorSource ? errorSource : symbol; } ///< may be any symbol, or null

    bool isError() const { return kind == Kind::Error; }
    bool isVoid() const { return kind == Kind::Void; }
    bool isConst() const { return kind == Kind::Const; }
    bool isMemory() const { return kind == Kind::Memory; }
    bool isTypeName() const { return kind == Kind::TypeName; }

    static Value error() { return {}; }
    static Value none() {
        Value v;
        v.kind = Kind::Void;
        v.type = TypeId::Void;
        return v;
    }
    static Value diverged() {
        Value v;
        v.kind = Kind::Void;
        v.type = TypeId::NoReturn;
        return v;
    }
    static Value scalar(TypeId t, ir::ValueId id) {
        Value v;
        v.kind = Kind::Scalar;
        v.type = t;
        v.id = id;
        return v;
    }
    /// A temporary aggregate.
    static Value temporary(TypeId t, ir::ValueId address) {
        Value v;
        v.kind = Kind::Memory;
        v.type = t;
        v.id = address;
        return v;
    }
    static Value place(TypeId t, ir::ValueId address) {
        Value v = temporary(t, address);
        v.lvalue = true;
        return v;
    }
    static Value ofConst(TypeId t, ConstValue c) {
        Value v;
        v.kind = Kind::Const;
        v.type = t;
        v.constant = c;
        return v;
    }
    static Value ofType(TypeId named) {
        Value v;
        v.kind = Kind::TypeName;
        v.type = TypeId::Type;
        v.namedType = named;
        return v;
    }
};

} // namespace sx::sema
