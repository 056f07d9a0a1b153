// Literals: numbers by the type that is expected of them, enum literals, error tags, `null`, `---`.
#include "lower/values/Literals.h"

#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/values/Names.h"
#include "lower/values/Variants.h"
#include "sema/ErrorSets.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/Wording.h"
#include "sema/model/Numbers.h"
#include "syntax/Literals.h"
#include "types/Derived.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include <limits>

namespace sx::lower {

using namespace ast;

namespace {

/// A tag that the set, `type`, does not list.
void rejectTag(Body& f, const ErrorTag& e, TypeId type) {
    Name tag = e.name.name;
    std::vector<std::string_view> candidates;
    for (Name n : f.types.errorSetInfo(type).tags) candidates.push_back(f.sema.names.text(n));
    Diagnostic& d = f.diags.error(e.span, "the error set " + code(f.types, type) + " has no tag " + code(f.sema, tag));
    noteType(f.sema, d, type, true);
    suggest(f.diags, d, f.sema.names.text(tag), candidates, "error.");
}

/// The number type that a target asks of a literal: itself, the payload of an optional, the lanes of a vector.
TypeId numberTarget(const TypeTable& types, TypeId target) {
    while (types.kind(target) == TypeKind::Optional || types.kind(target) == TypeKind::Vector)
        target = types.elem(target);
    return isNumeric(types, target) ? target : TypeId::None;
}

} // namespace

Value lowerInt(Body& f, const IntLit& e, TypeId target, bool negated, Span at) {
    if (!at.isValid()) at = e.span;
    __int128 n = negated ? -static_cast<__int128>(e.value) : static_cast<__int128>(e.value);
    TypeId type = numberTarget(f.types, target);
    if (isFloat(f.types, type)) {
        std::optional<ConstValue> c = foldCast(f.types, ConstValue::ofInt(n), TypeId::I64, type);
        return c ? Value::ofConst(type, *c) : Value::error();
    }
    bool untyped = type == TypeId::None;
    if (untyped) type = TypeId::I64;
    IntShape shape = intShape(f.types, type);
    if (!f.modes.castOperand && !fits(shape, n)) {
        std::string digits = (negated ? "-" : "") + std::to_string(e.value);
        f.diags.error(at, "the literal " + code(digits) + " is out of the range of " + code(f.types, type))
            .help("`xx` or " + code(".(" + writtenName(f.types, type) + ")") + " keeps its low bits");
        return Value::error();
    }
    Value v = Value::ofConst(type, ConstValue::ofInt(wrapTo(shape, n)));
    v.untypedLiteral = untyped;
    return v;
}

Value lowerFloat(Body& f, const FloatLit& e, TypeId target) {
    TypeId type = numberTarget(f.types, target);
    bool untyped = !isFloat(f.types, type); // an integer target is checked once the whole expression is known
    if (untyped) type = TypeId::F64;
    double value = e.value;
    if (type == TypeId::F32) {
        // From the digits: rounding the f64 once more may give a neighbour.
        std::optional<float> narrow = decodeFloat32(f.sema.sources.textOf(e.span));
        if (!narrow && !f.modes.castOperand) {
            f.diags.error(e.span, "this number is beyond the range of `f32`");
            return Value::error();
        }
        value = narrow ? static_cast<double>(*narrow) : std::numeric_limits<double>::infinity();
    }
    Value v = Value::ofConst(type, ConstValue::ofFloat(value));
    v.untypedLiteral = untyped;
    return v;
}

Value lowerNull(Body& f, TypeId target) {
    bool takesNull = isPointerLike(f.types, target) || f.types.kind(target) == TypeKind::Optional;
    return Value::ofConst(takesNull ? target : TypeId::Null, ConstValue::null());
}

Value lowerUndef(Body& f, Span at, TypeId target) {
    if (target != TypeId::None) return Value::ofConst(target, ConstValue::undef());
    f.diags.error(at, "`---` needs a type to leave undefined").help("annotate the declaration: `x : T = ---;`");
    return Value::error();
}

// ------------------------------------------------------------------------------------ `.name`

Value lowerEnumLit(Body& f, const EnumLit& e, TypeId target) {
    TypeId type = enumOrOptionalEnum(f.types, target);
    if (type == TypeId::None) return noEnumTarget(f, e, target);
    return constructVariant(f, type, e.name.name, e.span, {}, nullptr, ValueId::None);
}

// ------------------------------------------------------------------------------------ `error.Name`

Value lowerErrorTag(Body& f, const ErrorTag& e, TypeId target) {
    Name tag = e.name.name;
    TypeId type = target;
    while (f.types.kind(type) == TypeKind::Optional) type = f.types.elem(type);
    ConstValue id = ConstValue::ofInt(f.types.tagId(tag));
    if (isErrorSet(f.types, type)) {
        if (type == TypeId::InferredErrors || setContains(f.sema, type, tag)) return Value::ofConst(type, id);
        rejectTag(f, e, type);
        return Value::error();
    }
    if (type == TypeId::Any) return Value::ofConst(TypeId::InferredErrors, id); // shows its name
    bool isNumber = isOneOf(f.types, type, TypeKind::None, TypeKind::Void, TypeKind::NoReturn, TypeKind::Int) ||
                    f.modes.castOperand;
    if (isNumber) return Value::ofConst(TypeId::U32, id);
    f.diags.error(e.span, code("error." + f.sema.text(tag)) +
                              " is an error value or, for an integer, its number; it cannot be " +
                              withArticle(f.types, target));
    return Value::error();
}

// ------------------------------------------------------------------------------------ `#caller_location`

Value callerLocation(Body& f, Span call, TypeId target) {
    TypeId type = f.types.kind(target) == TypeKind::Struct ? target : TypeId::None;
    if (type == TypeId::None)
        if (Symbol* s = libraryName(f, "Source_Location"); s && s->kind == SymbolKind::Type) type = s->type;
    if (type == TypeId::None || !completeDeep(f.sema, type, call)) {
        f.diags.error(call, "`#caller_location` is a `Source_Location`, which the prelude declares")
            .help("add `#import \"modules/std.sx\";`");
        return Value::error();
    }
    Location at = f.sema.sources.resolve(call.begin);
    Value location = temp(f, type);
    emitZero(f.b, location.id, type);
    std::vector<StructField> fields = f.types.structInfo(type).fields;
    for (const StructField& field : fields) {
        std::string_view part = f.sema.names.text(field.name);
        Value v;
        if (part == "file") v = stringValue(f, std::string(f.sema.sources.path(at.file)));
        else if (part == "func") v = stringValue(f, f.name);
        else if (part == "line") v = Value::ofConst(TypeId::I64, ConstValue::ofInt(at.line));
        else if (part == "col") v = Value::ofConst(TypeId::I64, ConstValue::ofInt(at.col));
        else continue;
        store(f, emitOffset(f.b, location.id, field.offset, pointerTo(f.types, field.type)),
              convert(f, v, field.type, call));
    }
    return location;
}

} // namespace sx::lower
