// Literals: numbers by the type that is expected of them, enum literals, error tags, `null`, `---`.
#include "sema/Literals.h"
#include "sema/Numbers.h"
#include "syntax/Literals.h"

#include <limits>

namespace sx::sema {

using namespace ast;

namespace {

/// The number type that a target asks of a literal: itself, the payload of an optional, the lanes of a vector.
TypeId numberTarget(const TypeTable& types, TypeId target) {
    while (types.kind(target) == TypeKind::Optional || types.kind(target) == TypeKind::Vector)
        target = types.elem(target);
    return types.isNumeric(target) ? target : TypeId::None;
}

} // namespace

Value FunctionLowering::lowerInt(const IntLit& e, TypeId target, bool negated, Span at) {
    if (!at.isValid()) at = e.span;
    __int128 n = negated ? -static_cast<__int128>(e.value) : static_cast<__int128>(e.value);
    TypeId type = numberTarget(types, target);
    if (types.isFloat(type)) {
        std::optional<ConstValue> c = foldCast(types, ConstValue::ofInt(n), TypeId::I64, type);
        return c ? Value::ofConst(type, *c) : Value::error();
    }
    bool untyped = type == TypeId::None;
    if (untyped) type = TypeId::I64;
    IntShape shape = intShape(types, type);
    if (!castOperand && !fits(shape, n)) {
        std::string digits = (negated ? "-" : "") + std::to_string(e.value);
        diags.error(at, "the literal `" + digits + "` is out of the range of " + quoted(types, type))
            .help("`xx` or `.(" + types.writtenName(type) + ")` keeps its low bits");
        return Value::error();
    }
    Value v = Value::ofConst(type, ConstValue::ofInt(wrapTo(shape, n)));
    v.untypedLiteral = untyped;
    return v;
}

Value FunctionLowering::lowerFloat(const FloatLit& e, TypeId target) {
    TypeId type = numberTarget(types, target);
    bool untyped = !types.isFloat(type); // an integer position is settled where the whole expression is known
    if (untyped) type = TypeId::F64;
    double value = e.value;
    if (type == TypeId::F32) {
        // From the digits: rounding the f64 once more may give a neighbour.
        std::optional<float> narrow = decodeFloat32(sema.sources.textOf(e.span));
        if (!narrow && !castOperand) {
            diags.error(e.span, "this number is beyond the range of `f32`");
            return Value::error();
        }
        value = narrow ? static_cast<double>(*narrow) : std::numeric_limits<double>::infinity();
    }
    Value v = Value::ofConst(type, ConstValue::ofFloat(value));
    v.untypedLiteral = untyped;
    return v;
}

Value FunctionLowering::lowerNull(TypeId target) {
    bool takesNull = types.isPointerLike(target) || types.kind(target) == TypeKind::Optional;
    return Value::ofConst(takesNull ? target : TypeId::Null, ConstValue::null());
}

Value FunctionLowering::lowerUndef(Span at, TypeId target) {
    if (target != TypeId::None) return Value::ofConst(target, ConstValue::undef());
    diags.error(at, "`---` needs a type to leave undefined").help("annotate the declaration: `x : T = ---;`");
    return Value::error();
}

// ------------------------------------------------------------------------------------ `.name`

Value FunctionLowering::lowerEnumLit(const EnumLit& e, TypeId target) {
    TypeId type = enumBehind(types, target);
    if (type == TypeId::None) return noEnumTarget(*this, e, target);
    return constructVariant(type, e.name.name, e.span, {}, nullptr, ValueId::None);
}

// ------------------------------------------------------------------------------------ `error.Name`

Value FunctionLowering::lowerErrorTag(const ErrorTag& e, TypeId target) {
    Name tag = e.name.name;
    TypeId type = target;
    while (types.kind(type) == TypeKind::Optional) type = types.elem(type);
    ConstValue id = ConstValue::ofInt(types.tagId(tag));
    switch (types.kind(type)) {
    case TypeKind::ErrorSet: {
        if (type != TypeId::InferredErrors && !sema.setContains(type, tag)) {
            std::vector<std::string_view> candidates;
            for (Name n : types.errorSetInfo(type).tags) candidates.push_back(sema.names.text(n));
            Diagnostic& d =
                diags.error(e.span, "the error set " + quoted(types, type) + " has no tag `" + sema.text(tag) + "`");
            noteType(sema, d, type, true);
            suggest(d, sema.names.text(tag), candidates, "error.");
            return Value::error();
        }
        return Value::ofConst(type, id);
    }
    case TypeKind::Any: return Value::ofConst(TypeId::InferredErrors, id); // shows its name
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Int: break;
    case TypeKind::Struct:
    case TypeKind::Enum:
    case TypeKind::Union:
    case TypeKind::Bool:
    case TypeKind::Float:
    case TypeKind::String:
    case TypeKind::CString:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Slice:
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Optional:
    case TypeKind::Tuple:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::Protocol:
        if (castOperand) break;
        diags.error(e.span, "`error." + sema.text(tag) +
                                "` is an error value or, for an integer, its number; it cannot be " +
                                withArticle(types, target));
        return Value::error();
    }
    return Value::ofConst(TypeId::U32, id);
}

// ------------------------------------------------------------------------------------ `#caller_location`

Value FunctionLowering::callerLocation(Span call, TypeId target) {
    TypeId type = types.kind(target) == TypeKind::Struct ? target : TypeId::None;
    if (type == TypeId::None)
        if (Symbol* s = libraryName("Source_Location"); s && s->kind == SymbolKind::Type) type = s->type;
    if (type == TypeId::None || !sema.completeDeep(type, call)) {
        diags.error(call, "`#caller_location` is a `Source_Location`, which the prelude declares")
            .help("add `#import \"modules/std.sx\";`");
        return Value::error();
    }
    Location at = sema.sources.resolve(call.begin);
    Value location = temp(type);
    b.zero(location.id, type);
    std::vector<StructField> fields = types.structInfo(type).fields;
    for (const StructField& field : fields) {
        std::string_view part = sema.names.text(field.name);
        Value v;
        if (part == "file") v = stringValue(std::string(sema.sources.path(at.file)));
        else if (part == "func") v = stringValue(name);
        else if (part == "line") v = Value::ofConst(TypeId::I64, ConstValue::ofInt(at.line));
        else if (part == "col") v = Value::ofConst(TypeId::I64, ConstValue::ofInt(at.col));
        else continue;
        store(b.offset(location.id, field.offset, types.pointerTo(field.type)), convert(v, field.type, call));
    }
    return location;
}

} // namespace sx::sema
