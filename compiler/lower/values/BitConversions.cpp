#include "lower/values/BitConversions.h"

#include "lower/body/Body.h"
#include "lower/values/Names.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "types/Layout.h"
#include "types/MachineForm.h"
#include "types/Predicates.h"

namespace sx::lower {

namespace {

class BitPasser {
public:
    explicit BitPasser(Body& f) : f_(f), types_(f.types) {}

    bool pass(TypeId from, TypeId to) {
        TypeKind fk = types_.kind(from), tk = types_.kind(to);
        if (fk == TypeKind::ErrorSet && tk == TypeKind::ErrorSet)
            return true; // its tags are checked where the sets are known
        // A function of another signature is called with the types of the pointer (types.md 13.1).
        if (fk == TypeKind::Function && tk == TypeKind::Function)
            return types_.functionInfo(from).conv == types_.functionInfo(to).conv;
        if (isPointerLike(types_, from) && isPointerLike(types_, to)) return pointers(from, to);
        return alike(f_.sema, from, to) || (isBytes(from) && isBytes(to)) || isRawView(from, to) || isRawView(to, from);
    }

private:
    bool isBytes(TypeId t) const {
        return t == TypeId::String || (types_.kind(t) == TypeKind::Slice && types_.elem(t) == TypeId::U8);
    }

    /// `raw` is the library's `{ptr, len}` of a text or slice.
    bool isRawView(TypeId raw, TypeId of) {
        if (types_.kind(raw) != TypeKind::Struct || (of != TypeId::String && types_.kind(of) != TypeKind::Slice))
            return false;
        const std::string& name = types_.structInfo(raw).name;
        if (name != "StringRaw" && name != "SliceRaw") return false;
        Symbol* s = libraryName(f_, name.c_str());
        return s && s->kind == SymbolKind::Type && s->type == raw;
    }

    bool pointers(TypeId from, TypeId to) {
        if (isVoidPointer(from) || isVoidPointer(to)) return true;
        TypeKind fk = types_.kind(from), tk = types_.kind(to);
        if (fk == TypeKind::Function || tk == TypeKind::Function) return false;
        if (fk == TypeKind::CString) return isCharacters(to);
        if (tk == TypeKind::CString && isCharacters(from)) return true;
        TypeId pointee = types_.elem(from);
        if (isByte(pointee)) return true;
        if (tk == TypeKind::CString) return false;
        if (alike(f_.sema, pointee, types_.elem(to))) return true;
        return tk == TypeKind::ManyPointer && types_.kind(pointee) == TypeKind::Array &&
               alike(f_.sema, types_.elem(pointee), types_.elem(to));
    }

    bool isVoidPointer(TypeId t) const { return types_.elem(t) == TypeId::Void; }

    /// `[*]u8`, `[*]i8`, `*u8`: what a C text is.
    bool isCharacters(TypeId t) const {
        return types_.elem(t) == TypeId::U8 ||
               (types_.elem(t) == TypeId::I8 && types_.kind(t) == TypeKind::ManyPointer);
    }

    bool isByte(TypeId t) {
        if (!types_.isComplete(t) && !complete(f_.sema, t)) return false;
        return sizeOf(types_, t) == 1;
    }

    Body& f_;
    TypeTable& types_;
};

} // namespace

/// A struct of C headers and one that the program declares for the same values: nothing tells them apart in C.
static bool areOneInC(Sema& sema, TypeId a, TypeId b) {
    auto isForeign = [&](TypeId t) {
        NominalInfo* info = nominal(sema, t);
        return info && info->file && info->file->isForeign;
    };
    return (isForeign(a) || isForeign(b)) && completeDeep(sema, a) && completeDeep(sema, b) &&
           haveSameLayout(sema.types, a, b);
}

bool alike(Sema& sema, TypeId a, TypeId b) {
    if (a == b || canonical(sema, a) == canonical(sema, b)) return true;
    TypeTable& types = sema.types;
    if (types.kind(a) != types.kind(b)) return false;
    auto allAlike = [&](const auto& xs, const auto& ys, auto typeOf) {
        return std::equal(xs.begin(), xs.end(), ys.begin(), ys.end(),
                          [&](const auto& x, const auto& y) { return alike(sema, typeOf(x), typeOf(y)); });
    };
    switch (types.kind(a)) {
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Slice:
    case TypeKind::Optional: return alike(sema, types.elem(a), types.elem(b));
    case TypeKind::Array:
    case TypeKind::Vector: return types.count(a) == types.count(b) && alike(sema, types.elem(a), types.elem(b));
    case TypeKind::Tuple:
        return allAlike(types.tupleFields(a), types.tupleFields(b), [](const TupleField& f) { return f.type; });
    case TypeKind::Function:
    case TypeKind::Closure: {
        const FunctionInfo &x = types.functionInfo(a), &y = types.functionInfo(b);
        return x.conv == y.conv && alike(sema, x.result, y.result) &&
               allAlike(x.params, y.params, [](TypeId t) { return t; });
    }
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::String:
    case TypeKind::CString:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Enum:
    case TypeKind::ErrorSet:
    case TypeKind::Protocol: break;
    case TypeKind::Struct:
    case TypeKind::Union: return areOneInC(sema, a, b);
    }
    return false;
}

bool passesBits(Body& f, TypeId from, TypeId to) { return BitPasser(f).pass(from, to); }

} // namespace sx::lower
