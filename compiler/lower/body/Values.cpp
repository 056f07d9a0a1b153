#include "lower/body/Values.h"

#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/VoidValues.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"

namespace sx::lower {

using namespace ast;

Value valueOfConstant(TypeId type, const ConstValue& c) {
    switch (c.kind) {
    case ConstValue::Kind::None: return Value::none();
    case ConstValue::Kind::Type: return Value::ofType(c.t);
    case ConstValue::Kind::Int:
    case ConstValue::Kind::Float:
    case ConstValue::Kind::Bool:
    case ConstValue::Kind::String:
    case ConstValue::Kind::Null:
    case ConstValue::Kind::Undef:
    case ConstValue::Kind::Data: return Value::ofConst(type, c);
    }
    return Value::error();
}

TypeContext typeContext(Body& f, bool quiet) {
    TypeContext context;
    context.scope = f.scope;
    context.limit = f.scopeLimit;
    context.file = &f.currentFile();
    context.lowering = &f;
    context.quiet = quiet;
    return context;
}

Diagnostic& rejectPack(Body& f, Span at, const PackInfo& pack) {
    return f.diags.error(at, "the pack " + code(f.sema, pack.name) + " is no value: its elements have different types");
}

bool requireValue(Body& f, Value& v, Span at) {
    auto reject = [&](const std::string& message) -> Diagnostic& { return f.diags.error(at, message); };
    switch (v.kind) {
    case Value::Kind::Error: return false;
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const:
    case Value::Kind::TypeName: return true;
    case Value::Kind::Void:
        if (v.type == TypeId::NoReturn || takesVoid(f)) return true; // control does not get here, or nothing is needed
        reject("this has no value, and one is needed here");
        return false;
    case Value::Kind::Function:
        if (!v.function) {
            reject(code(v.symbol ? f.sema.text(v.symbol->name) : std::string("this intrinsic")) +
                   " is an intrinsic: it can be called, but it is no value");
            return false;
        }
        v = functionValue(f, *v.function, at, TypeId::None);
        return !v.isError();
    case Value::Kind::Method:
        reject("a method is no value: call it").help("write `(…)` after it, or wrap the call in a lambda");
        return false;
    case Value::Kind::Namespace:
        reject("a module is no value").help("name one of its declarations: `module.name`");
        return false;
    case Value::Kind::GenericStruct:
        reject("a generic struct is no value").help("give its arguments and build one: `Name(i64).{ … }`");
        return false;
    case Value::Kind::Protocol:
        reject("a parameterised protocol is no value").help("give its arguments to make it a type: `Name(i64)`");
        return false;
    case Value::Kind::Pack:
        rejectPack(f, at, *v.pack)
            .help("use an element, " + code(f.sema.text(v.pack->name) + "[0]") +
                  ", spread it with `..`, or walk it with `inline for`");
        return false;
    }
    return false;
}

Value elementOf(Body& f, const Value& v) {
    if (!v.refCapture) return v;
    return Value::place(f.types.elem(v.type), scalar(f, v));
}

Value operandOf(Body& f, const Value& value, Span at) {
    Value v = narrowedValue(f, elementOf(f, value));
    return requireValue(f, v, at) ? v : Value::error();
}

bool isConstantEvaluable(const Value& v) {
    switch (v.kind) {
    case Value::Kind::Const:
    case Value::Kind::TypeName:
    case Value::Kind::Function: return true;
    case Value::Kind::Memory: return v.constRooted && v.constant.kind == ConstValue::Kind::Data;
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Scalar:
    case Value::Kind::Method:
    case Value::Kind::Namespace:
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: return false;
    }
    return false;
}

} // namespace sx::lower
