#include "lower/values/Access.h"

#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/Explain.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Conversions.h"
#include "lower/values/Names.h"
#include "lower/values/Optionals.h"
#include "lower/values/Variants.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Modules.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/NumberLimits.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include <limits>

namespace sx::lower {

using namespace ast;

namespace {

/// `0`, `1`, … of `t.0`; nullopt: a name.
std::optional<uint64_t> slotNumber(std::string_view text) {
    uint64_t n = 0;
    if (text.empty() || text.size() > 9) return std::nullopt;
    for (char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        n = n * 10 + static_cast<uint64_t>(c - '0');
    }
    return n;
}

/// Lane of `.x .y .z .w` or `.r .g .b .a`.
std::optional<uint64_t> laneNumber(std::string_view text) {
    if (text.size() != 1) return std::nullopt;
    size_t lane = std::string_view("xyzw").find(text[0]);
    if (lane == std::string_view::npos) lane = std::string_view("rgba").find(text[0]);
    return lane == std::string_view::npos ? std::nullopt : std::optional<uint64_t>(lane);
}

} // namespace

namespace {

/// Looks one name up in one base.
class MemberAccess {
public:
    MemberAccess(Body& f, const Member& m)
        : f_(f), types_(f.types), member_(m), name_(m.name.name), text_(f.sema.names.text(m.name.name)),
          nameSpan_(m.name.span), whole_(m.span) {}

    Value run(const Value& base) {
        switch (base.kind) {
        case Value::Kind::Error: return base;
        case Value::Kind::Namespace: return ofModule(base);
        case Value::Kind::TypeName: return ofType(base.namedType);
        case Value::Kind::Pack: return ofPack(*base.pack);
        case Value::Kind::GenericStruct:
        case Value::Kind::Protocol:
            return reject("a generic type has no members until its arguments are given",
                          "write " + code("Name(i64)." + std::string(text_)));
        case Value::Kind::Scalar:
        case Value::Kind::Memory:
        case Value::Kind::Const:
            if (hidesMembers(base))
                return reject("an element of a protocol pack shows the methods of the protocol only",
                              "a copy, `x := …`, has the type of the argument");
            return ofValue(base);
        case Value::Kind::Void:
        case Value::Kind::Function:
        case Value::Kind::Method: break;
        }
        if (base.isVoid() && base.type == TypeId::NoReturn) return base;
        return reject(base.isVoid() ? "this has no value, so it has no " + code(text_)
                                    : "a function has no " + code(text_));
    }

private:
    Value reject(const std::string& message, const std::string& help = {}) {
        Diagnostic& d = f_.diags.error(whole_, message);
        if (!help.empty()) d.help(help);
        return Value::error();
    }

    // ---- modules

    std::string_view nearMember(const ModuleUnit& module) {
        size_t count = 0;
        for (const SourceFile* file : module.files) count += file->names.size();
        if (!isSearchedFor(f_.diags, count)) return {};
        std::vector<std::string_view> names;
        for (const SourceFile* file : module.files)
            for (const auto& [n, symbol] : file->names)
                if (!symbol->isPrivate) names.push_back(f_.sema.names.text(n));
        return nearestName(text_, names);
    }

    Value ofModule(const Value& base) {
        Symbol* s = lookupMember(*base.module, name_, f_.currentFile());
        if (s) return valueOfSymbol(f_, s, nameSpan_, false);
        if (std::string why = whyLeftOut(f_.sema, *base.module, std::string(text_)); !why.empty())
            return reject(code(text_) + " of the C headers cannot be used: " + why);
        std::string_view near = nearMember(*base.module);
        return reject("the module " + code(base.module->path) + " has no member " + code(text_),
                      near.empty() ? "" : "did you mean " + code(near) + "?");
    }

    // ---- types

    Value ofType(TypeId t) {
        if (std::optional<Value> limit = numericLimit(types_, t, text_)) return *limit;
        // Its own fields may ask for a constant, so as to know how large they are.
        const NominalInfo* info = nominal(f_.sema, t);
        if (info && info->completing)
            if (auto own = sema::members(f_.sema, t).statics.find(name_);
                own != sema::members(f_.sema, t).statics.end())
                return valueOfSymbol(f_, own->second, nameSpan_, false);
        if (!complete(f_.sema, t, whole_)) return Value::error();
        TypeKind kind = types_.kind(t);
        if (kind == TypeKind::Enum && types_.enumInfo(t).index.count(name_))
            return constructVariant(f_, t, name_, whole_, {}, nullptr, ValueId::None);
        MemberTable& members = sema::members(f_.sema, t);
        if (auto it = members.statics.find(name_); it != members.statics.end())
            return valueOfSymbol(f_, it->second, nameSpan_, false);
        if (FunctionTemplate* method = findMethod(f_.sema, t, name_, enclosingTemplate(f_))) {
            noteUse(f_.sema, nameSpan_, *method);
            Value v;
            v.kind = Value::Kind::Function;
            v.function = method;
            return v;
        }
        bool isBuiltin = !nominal(f_.sema, t);
        if (isBuiltin && isLimitName(text_))
            return reject("the type " + code(types_, t) + " has no " + code(text_),
                          isInteger(types_, t) ? "integers have `min` and `max`" : "");
        if (kind == TypeKind::Enum) {
            Diagnostic& d = f_.diags.error(whole_, "the enum " + code(types_, t) + " has no " + code(text_));
            noteType(f_.sema, d, t, true);
            suggest(f_.diags, d, text_, variantNames(t));
            return Value::error();
        }
        if (kind == TypeKind::Struct && types_.structInfo(t).index.count(name_))
            return reject(code(text_) + " is a field of " + code(types_, t) +
                          "; it belongs to a value, not to the type");
        if (kind == TypeKind::ErrorSet) return unknownTag(t);
        bool isMaker = text_ == "new" || text_ == "init" || text_ == "create";
        if (kind == TypeKind::Struct && isMaker && !members.statics.size())
            return reject("the type " + code(types_, t) + " has no " + code(text_),
                          "a value is built with " + code(writtenName(types_, t) + ".{ … }"));
        return unknown("the type " + code(types_, t), staticNames(members));
    }

    /// A tag belongs to no set: it is written the same way wherever it is used.
    Value unknownTag(TypeId set) {
        std::string text(text_);
        Diagnostic& d = f_.diags.error(whole_, "the type " + code(types_, set) + " has no " + code(text));
        if (set != TypeId::InferredErrors && setContains(f_.sema, set, name_))
            d.help("a tag is written " + code("error." + text));
        else noteType(f_.sema, d, set, true);
        return Value::error();
    }

    std::vector<std::string_view> variantNames(TypeId t) {
        std::vector<std::string_view> names;
        for (const Variant& v : types_.enumInfo(t).variants) names.push_back(f_.sema.names.text(v.name));
        return names;
    }

    std::vector<std::string_view> staticNames(const MemberTable& members) {
        std::vector<std::string_view> names;
        for (const auto& [n, s] : members.statics) names.push_back(f_.sema.names.text(n));
        for (const auto& [n, m] : members.methods) names.push_back(f_.sema.names.text(n));
        return names;
    }

    Value unknown(const std::string& where, const std::vector<std::string_view>& candidates) {
        std::string_view near = nearestName(text_, candidates);
        return reject(where + " has no " + code(text_), near.empty() ? "" : "did you mean " + code(near) + "?");
    }

    // ---- packs

    Value ofPack(PackInfo& pack) {
        if (text_ == "len")
            return Value::ofConst(TypeId::I64, ConstValue::ofInt(static_cast<__int128>(pack.types.size())));
        // `xs.m`: the results of the method on every element, as a tuple.
        llvm::SmallVector<Value, 8> results;
        for (uint64_t i = 0; i < pack.types.size(); ++i) {
            size_t before = f_.diags.errorCount();
            Value v = callMethodOf(f_, packElement(f_, pack, i, whole_), name_, {}, whole_);
            if (v.unmarkedFailable) v = rejectUnmarked(f_, v, whole_);
            if (v.isError() || !requireValue(f_, v, whole_)) {
                if (f_.diags.errorCount() == before)
                    reject("the elements of the pack " + code(f_.sema, pack.name) + " have no method " + code(text_) +
                           " without parameters");
                return Value::error();
            }
            results.push_back(snapshot(f_, v));
        }
        return tupleOf(results);
    }

    // ---- values

    Value ofValue(const Value& base) {
        Value v = narrowedValue(f_, elementOf(f_, base));
        if (v.type == TypeId::NoReturn) return v;
        if (types_.kind(v.type) == TypeKind::Optional)
            return reject(withArticle(types_, v.type) + " may be null, so " + code(text_) + " cannot be taken from it",
                          "unwrap it, " + code("x!." + std::string(text_)) + ", or look into it with `?.`");
        if (types_.kind(v.type) == TypeKind::Pointer) v = dereferenceForMember(v); // one level
        if (!types_.isComplete(v.type) && v.type != TypeId::Void && !completeDeep(f_.sema, v.type, whole_))
            return Value::error();
        if (std::optional<Value> field = fieldOf(v)) {
            noteUse(f_.sema, nameSpan_, v.type, name_);
            field->symbol = nullptr;
            return *field;
        }
        if (std::optional<Value> got = property(v)) return *got;
        if (std::optional<Value> all = ofElements(v)) return *all;
        return missing(v);
    }

    /// `t.field`: the fields of all elements of a tuple, if all have one of that name (generics.md 8.5).
    std::optional<Value> ofElements(const Value& v) {
        if (!isTupleLike(types_, v.type)) return std::nullopt;
        std::vector<Part> parts = partsOf(types_, v.type);
        if (parts.empty() || slotNumber(text_)) return std::nullopt;
        for (const Part& part : parts)
            if (!hasField(part.type)) return std::nullopt;
        Value whole = v.isMemory() ? v : Value::temporary(v.type, addressOf(f_, v));
        llvm::SmallVector<Value, 8> values;
        for (const Part& part : parts) {
            Value element = lower::fieldOf(f_, whole, part.offset, part.type);
            element.symbol = nullptr;
            values.push_back(memberOf(f_, element, member_));
        }
        return tupleOf(values);
    }

    /// Whether a value of the type, or what it points at, has a field, slot or property of the name.
    bool hasField(TypeId type) {
        if (types_.kind(type) == TypeKind::Pointer) type = types_.elem(type);
        complete(f_.sema, type);
        if (members(f_.sema, type).getters.count(name_)) return true;
        switch (types_.kind(type)) {
        case TypeKind::Struct:
            return types_.structInfo(type).index.count(name_) != 0 || promotedMember(types_, type, name_);
        case TypeKind::Tuple:
            return llvm::any_of(types_.tupleFields(type), [&](const TupleField& f) { return f.name == name_; });
        case TypeKind::Union:
            return llvm::any_of(types_.unionInfo(type).members, [&](const UnionMember& m) { return m.name == name_; });
        case TypeKind::Array:
        case TypeKind::Slice:
        case TypeKind::String: return text_ == "len" || text_ == "ptr";
        default: return false;
        }
    }

    /// A tuple of values that are there already. An error among them is the result.
    Value tupleOf(llvm::ArrayRef<Value> values) {
        std::vector<TupleField> fields;
        for (const Value& v : values) {
            if (v.isError()) return v;
            fields.push_back({Name::None, v.type});
        }
        TypeId tuple = types_.tupleOf(fields);
        Value all = temp(f_, tuple);
        for (unsigned i = 0; i < values.size(); ++i)
            if (!values[i].isVoid())
                store(f_, emitOffset(f_.b, all.id, fieldOffset(types_, tuple, i), pointerTo(types_, fields[i].type)),
                      values[i]);
        return all;
    }

    /// The length of an array is known from the type: nothing is read for it.
    Value dereferenceForMember(const Value& v) {
        TypeId type = types_.elem(v.type);
        ValueId address = scalar(f_, v);
        bool isCount =
            text_ == "len" && (types_.kind(type) == TypeKind::Array || types_.kind(type) == TypeKind::Vector);
        if (!isCount) checkPointer(f_, address, member_.dot);
        return Value::place(type, address);
    }

    std::optional<Value> fieldOf(const Value& v) {
        switch (types_.kind(v.type)) {
        case TypeKind::Struct: {
            const StructInfo& info = types_.structInfo(v.type);
            auto it = info.index.find(name_);
            if (it == info.index.end()) {
                std::optional<PromotedMember> inner = promotedMember(types_, v.type, name_);
                if (!inner) return std::nullopt;
                uint64_t offset = info.fields[inner->field].offset + inner->member.offset;
                return lower::fieldOf(f_, v, offset, inner->member.type);
            }
            StructField field = info.fields[it->second];
            return lower::fieldOf(f_, v, field.offset, field.type);
        }
        case TypeKind::Tuple: return tupleSlot(v);
        case TypeKind::Array: return arrayPart(v);
        case TypeKind::Vector: return vectorPart(v);
        case TypeKind::Slice: return slicePart(v, types_.elem(v.type));
        case TypeKind::String: return slicePart(v, TypeId::U8);
        case TypeKind::Closure: {
            if (text_ != "fn_ptr" && text_ != "env") return std::nullopt;
            return lower::fieldOf(f_, v, text_ == "fn_ptr" ? 0 : 8, pointerTo(types_, TypeId::Void));
        }
        case TypeKind::Enum: return enumPart(v);
        case TypeKind::Union:
            for (const UnionMember& m : types_.unionInfo(v.type).members)
                if (m.name == name_) return lower::fieldOf(f_, v, m.offset, m.type);
            return std::nullopt;
        case TypeKind::None:
        case TypeKind::Void:
        case TypeKind::NoReturn:
        case TypeKind::Bool:
        case TypeKind::Int:
        case TypeKind::Float:
        case TypeKind::CString:
        case TypeKind::Any:
        case TypeKind::Type:
        case TypeKind::Null:
        case TypeKind::Pointer:
        case TypeKind::ManyPointer:
        case TypeKind::Optional:
        case TypeKind::Function:
        case TypeKind::ErrorSet:
        case TypeKind::Protocol: break;
        }
        return std::nullopt;
    }

    std::optional<Value> tupleSlot(const Value& v) {
        llvm::ArrayRef<TupleField> fields = types_.tupleFields(v.type);
        std::optional<uint64_t> number = slotNumber(text_);
        for (unsigned i = 0; i < fields.size(); ++i) {
            if (number ? *number != i : fields[i].name != name_) continue;
            Value slot = lower::fieldOf(f_, v, fieldOffset(types_, v.type, i), fields[i].type);
            if (isErrorSet(types_, slot.type)) slot.errors = v.errors;
            return slot;
        }
        return std::nullopt;
    }

    Value lengthOf(TypeId t) {
        return Value::ofConst(TypeId::I64, ConstValue::ofInt(static_cast<__int128>(types_.count(t))));
    }

    std::optional<Value> arrayPart(const Value& v) {
        if (text_ == "len") return lengthOf(v.type);
        if (text_ != "ptr") return std::nullopt;
        TypeId pointer = manyPointerTo(types_, types_.elem(v.type));
        return Value::scalar(pointer, emitCast(f_.b, ir::Op::Reinterpret, addressOf(f_, v), pointer));
    }

    std::optional<Value> vectorPart(const Value& v) {
        if (text_ == "len") return lengthOf(v.type);
        std::optional<uint64_t> lane = laneNumber(text_);
        if (!lane || *lane >= types_.count(v.type)) return std::nullopt;
        TypeId elem = types_.elem(v.type);
        return lower::fieldOf(f_, v, *lane * sizeOf(types_, elem), elem);
    }

    std::optional<Value> slicePart(const Value& v, TypeId elem) {
        bool isLength = text_ == "len";
        if (!isLength && text_ != "ptr") return std::nullopt;
        TypeId pointer = manyPointerTo(types_, elem);
        if (v.isConst() && v.constant.kind == ConstValue::Kind::String)
            return isLength ? Value::ofConst(TypeId::I64, ConstValue::ofInt(static_cast<__int128>(v.constant.s.size())))
                            : Value::ofConst(pointer, v.constant);
        return lower::fieldOf(f_, v, isLength ? 8 : 0, isLength ? TypeId::I64 : pointer);
    }

    std::optional<Value> enumPart(const Value& v) {
        const EnumInfo& info = types_.enumInfo(v.type);
        if (auto it = info.index.find(name_); it != info.index.end()) {
            TypeId payload = info.variants[it->second].payload;
            if (payload == TypeId::None) return std::nullopt;
            return lower::fieldOf(f_, v, info.payloadOffset, payload); // unchecked
        }
        if (text_ != "tag") return std::nullopt;
        if (!info.isTagged) return Value::scalar(info.backing, castScalar(f_, scalar(f_, v), v.type, info.backing));
        Value tag = lower::fieldOf(f_, v, 0, info.backing);
        return load(f_, tag);
    }

    std::optional<Value> property(const Value& v) {
        MemberTable& members = sema::members(f_.sema, v.type);
        auto it = members.getters.find(name_);
        if (it == members.getters.end()) return std::nullopt;
        noteUse(f_.sema, nameSpan_, *it->second);
        return callGetter(f_, *it->second, v, whole_);
    }

    Value missing(const Value& v) {
        if (rejectTypeVariable(f_, v)) return Value::error();
        std::string type = code(types_, v.type), text = std::string(text_);
        if (findMethod(f_.sema, v.type, name_, enclosingTemplate(f_)))
            return reject(code(text) + " is a method of " + type + ": call it", "write " + code("." + text + "(…)"));
        if (types_.kind(v.type) == TypeKind::Enum && types_.enumInfo(v.type).index.count(name_))
            return reject("the variant " + code(text) + " of " + type + " carries no value");
        if (types_.kind(v.type) == TypeKind::Protocol)
            return reject("a protocol value shows its methods only, and " + type + " has no field " + code(text));
        std::vector<std::string_view> names;
        if (types_.kind(v.type) == TypeKind::Struct)
            for (const StructField& field : types_.structInfo(v.type).fields)
                names.push_back(f_.sema.names.text(field.name));
        for (const auto& [n, getter] : members(f_.sema, v.type).getters) names.push_back(f_.sema.names.text(n));
        Diagnostic& d = f_.diags.error(whole_, type + " has no field " + code(text));
        noteType(f_.sema, d, v.type, true);
        bool hasLength =
            elementType(types_, v.type) != TypeId::None || members(f_.sema, v.type).getters.count(f_.sema.name("len"));
        std::string_view foreign = hasLength ? foreignMember(text_) : std::string_view();
        if (slotNumber(text_) && types_.kind(v.type) == TypeKind::Tuple)
            d.help("it has " + countOf(types_.tupleFields(v.type).size(), "element"));
        else if (!foreign.empty()) d.help(std::string(foreign));
        else suggest(f_.diags, d, text_, names);
        return Value::error();
    }

    Body& f_;
    TypeTable& types_;
    const Member& member_;
    Name name_;
    std::string_view text_;
    Span nameSpan_, whole_;
};

} // namespace

Value callGetter(Body& f, FunctionTemplate& getter, const Value& receiver, Span at) {
    FunctionInstance* callee = instance(f.sema, getter, {}, at);
    if (!callee || callee->signatureFailed || callee->params.empty()) return Value::error();
    Value self = adjustReceiver(f, receiver, callee->params.front().type, at);
    return self.isError() ? self : emitCall(f, *callee, {self}, at, ValueId::None);
}

/// A name, or members of one: nothing happens when it is evaluated.
static bool isPlace(const Expr* e) {
    const auto* m = llvm::dyn_cast<Member>(withoutParens(e));
    return m ? !m->optional && isPlace(m->base) : llvm::isa<NameRef>(withoutParens(e));
}

Value lowerMember(Body& f, const Member& e, TypeId) {
    if (e.optional) return lowerOptionalChain(f, e);
    if (f.modes.counting && e.name.name == f.sema.name("len") &&
        isPlace(e.base)) { // known from the type, also of a variable
        TypeId t = peekType(f, e.base);
        if (f.types.kind(t) == TypeKind::Pointer) t = f.types.elem(t);
        if (f.types.kind(t) == TypeKind::Array)
            return Value::ofConst(TypeId::I64, ConstValue::ofInt(static_cast<__int128>(f.types.count(t))));
    }
    TypeId limited = limitOwner(f.sema, e);
    Value base = limited != TypeId::None ? Value::ofType(limited) : lowerBase(f, e.base);
    return base.isError() ? base : memberOf(f, base, e);
}

Value memberOf(Body& f, const Value& base, const Member& m) { return MemberAccess(f, m).run(base); }

} // namespace sx::lower
