#include "lower/values/ConversionErrors.h"

#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Conversions.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/TypeNames.h"

namespace sx::lower {

namespace {

bool isReturn(Body& f, Span operation) {
    return operation.isValid() && f.sema.sources.textOf(operation).substr(0, 6) == "return";
}

/// What a message calls a value.
std::string valueOfType(Body& f, const Value& v) {
    if (v.kind != Value::Kind::Function) return "a value of type " + code(f.types, v.type);
    if (!v.function || v.function->isIntrinsic) return "an intrinsic";
    if (v.function->isGeneric) return "the generic function " + code(v.function->qualifiedName);
    FunctionInstance* instance = sema::instance(f.sema, *v.function);
    return instance && instance->type != TypeId::None ? "a value of type " + code(f.types, instance->type)
                                                      : "a function";
}

/// An impl that is incomplete is one mistake, however often the type is used as the protocol.
void protocolError(Body& f, const Value& v, TypeId protocol, Span at, const std::string& text) {
    std::string why;
    TypeId concrete = pointeeOrSelf(f.types, v.type);
    conforms(f.sema, protocol, concrete, why);
    if (why.empty() && f.diags.hasErrors()) return;
    std::string message = text + (why.empty() ? "" : ": " + why);
    const ImplInfo* impl = findImpl(f.sema, protocol, concrete);
    if (impl)
        for (const Diagnostic& d : f.diags.all())
            if (d.message == message) return;
    Diagnostic& d = f.diags.error(at, message);
    if (impl) d.note(impl->decl->protocolRef->span, "this is its impl");
}

/// Two types of one name: where each is declared. Empty for others.
std::string declaredApart(Body& f, TypeId a, TypeId b) {
    while (f.types.kind(a) == f.types.kind(b) && f.types.elem(a) != TypeId::None && f.types.elem(b) != TypeId::None) {
        a = f.types.elem(a);
        b = f.types.elem(b);
    }
    NominalInfo *x = nominal(f.sema, a), *y = nominal(f.sema, b);
    if (!x || !y || !x->file || !y->file || x->file == y->file || writtenName(f.types, a) != writtenName(f.types, b))
        return {};
    auto path = [&](const NominalInfo& info) { return code(std::string(f.sema.sources.tracePath(info.file->id))); };
    return ": the one is declared in " + path(*x) + ", the other in " + path(*y);
}

} // namespace

bool conventionDiffers(Body& f, const Value& v, TypeId to) {
    TypeId from = v.type;
    if (v.kind == Value::Kind::Function) {
        FunctionInstance* instance =
            v.function && !v.function->isGeneric ? sema::instance(f.sema, *v.function) : nullptr;
        from = instance ? instance->type : TypeId::None;
    }
    if (f.types.kind(from) != TypeKind::Function || f.types.kind(to) != TypeKind::Function) return false;
    return f.types.functionInfo(from).conv != f.types.functionInfo(to).conv;
}

bool holdsItems(Body& f, TypeId type) {
    type = pointeeOrSelf(f.types, type);
    if (f.types.kind(type) != TypeKind::Struct) return false;
    const StructInfo& info = f.types.structInfo(type);
    auto it = info.index.find(f.sema.name("items"));
    return it != info.index.end() && f.types.kind(info.fields[it->second].type) == TypeKind::Slice;
}

void conversionError(Body& f, const Value& value, TypeId to, Span at) {
    Value v = value;
    switch (v.kind) {
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const:
    case Value::Kind::TypeName:
    case Value::Kind::Function: break;
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Method:
    case Value::Kind::Namespace:
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: requireValue(f, v, at); return;
    }
    if (rejectTypeVariable(f, v)) return;
    size_t before = f.diags.all().size();
    reportConversion(f, v, to, at);
    explainResults(f, before, v);
}

void reportConversion(Body& f, const Value& v, TypeId to, Span at) {
    Span operation = f.modes.operation.isValid() ? f.modes.operation : at;
    std::string target = code(f.types, to), text = "cannot use " + valueOfType(f, v) + " as " + target;
    TypeKind fk = f.types.kind(v.type), tk = f.types.kind(to);
    if (conventionDiffers(f, v, to)) {
        f.diags.error(at, text + ": the calling conventions differ");
    } else if (v.kind == Value::Kind::Function && (tk == TypeKind::Closure || tk == TypeKind::Function)) {
        f.diags.error(isReturn(f, operation) ? at : operation, text + ": the signatures differ");
    } else if (v.kind == Value::Kind::Function) {
        f.diags.error(isReturn(f, operation) ? at : operation, text)
            .help("call the function, or pass it where a function or closure type is expected");
    } else if (v.type == TypeId::Null) {
        f.diags.error(at, "`null` is no value of type " + target)
            .help("make it optional: " + code("?" + writtenName(f.types, to)));
    } else if (fk == TypeKind::Optional && tk == TypeKind::Optional) {
        f.diags.error(at, text);
    } else if (fk == TypeKind::Optional && !convertible(f, Value::temporary(f.types.elem(v.type), ValueId::None), to)) {
        f.diags.error(operation, text);
    } else if (fk == TypeKind::Optional) {
        f.diags.error(operation, text + ": it may be null")
            .help("unwrap it with `!`, give a default with `??`, or test it with `if v := … { … }`");
    } else if (fk == TypeKind::Any) {
        f.diags.error(operation, text + ": an `any` is not unboxed implicitly")
            .help("assert its type with " + code(".(" + writtenName(f.types, to) + ")"));
    } else if (fk == TypeKind::String && tk == TypeKind::CString) {
        f.diags.error(operation, text + ": only a string literal is known to end in a NUL byte")
            .help("make a terminated copy with `to_cstring(s)`");
    } else if (fk == TypeKind::CString && tk == TypeKind::String) {
        f.diags.error(operation, text + ": its length is not known").help("measure it with `from_cstring(c)`");
    } else if (fk == TypeKind::Closure && tk == TypeKind::Function) {
        f.diags.error(operation, text + ": a closure carries an environment").help("take a `Closure(…)` there instead");
    } else if (fk == TypeKind::ManyPointer && tk == TypeKind::Slice) {
        f.diags.error(operation, text + ": a many-pointer has no length").help("slice it with an end: `p[0..n]`");
    } else if (tk == TypeKind::Slice && holdsItems(f, v.type)) {
        f.diags.error(at, text).help("its elements are a slice: write `.items` behind it");
    } else if (fk == TypeKind::Pointer && f.types.elem(v.type) == to) {
        f.diags.error(at, text).help("read what it points at with `.*`");
    } else if (tk == TypeKind::Protocol) {
        protocolError(f, v, to, at, text);
    } else {
        f.diags.error(at, text + declaredApart(f, v.type, to));
    }
}

} // namespace sx::lower
