#include "sema/CompilerServices.h"

#include "ir/TypeDescriptor.h"
#include "sema/BuiltTypes.h"
#include "sema/Constants.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Sema.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::sema {

namespace {

/// What `raw_type_kind` answers, and which kinds `raw_register_type` takes: see KIND_… of modules/std/meta.sx.
enum class KindCode : int64_t { Other = 0, Struct, Enum, TaggedEnum, Tuple, Union, Array, Vector, ErrorSet };

class Services : public ir::CompilerServices {
public:
    explicit Services(Sema& sema) : sema_(sema), types_(sema.types) {}

    // ---- reading

    uint32_t intern(std::string_view text) override { return static_cast<uint32_t>(sema_.names.intern(text)); }

    std::string_view textOf(uint32_t name, std::string& error) override {
        if (name < sema_.names.size()) return sema_.names.text(static_cast<Name>(name));
        error = "there is no text with the number " + std::to_string(name);
        return {};
    }

    /// Builtin types, then what the entry file can name, then the declarations of other files, then instances and built
    /// types.
    TypeId findType(uint32_t number) override {
        if (number == 0 || number >= sema_.names.size()) return TypeId::None;
        auto name = static_cast<Name>(number);
        if (TypeId t = builtinType(sema_, name); t != TypeId::None) return t;
        LookupResult visible = lookupModule(sema_, name, *sema_.program.entry, true);
        if (TypeId t = visible.ambiguous ? TypeId::None : typeOf(visible.symbol); t != TypeId::None) return t;
        for (const auto& file : sema_.program.files)
            if (auto it = file->names.find(name); it != file->names.end() && !it->second->isPrivate)
                if (TypeId t = typeOf(it->second); t != TypeId::None) return t;
        std::string wanted = sema_.text(name);
        for (size_t i = static_cast<size_t>(TypeId::FirstDerived); i < types_.size(); ++i)
            if (auto t = static_cast<TypeId>(i); types_.kind(t) != TypeKind::None && runtimeName(types_, t) == wanted)
                return complete(t);
        return TypeId::None;
    }

    int64_t typeKind(TypeId t, std::string& error) override {
        return isType(t, error) ? static_cast<int64_t>(kindCode(t)) : 0;
    }

    uint32_t typeName(TypeId t, std::string& error) override {
        return isType(t, error) ? intern(runtimeName(types_, t)) : 0;
    }

    int64_t fieldCount(TypeId t, std::string& error) override {
        return isType(t, error) ? static_cast<int64_t>(count(t)) : 0;
    }

    uint32_t fieldName(TypeId t, int64_t index, std::string& error) override {
        if (!inRange(t, index, error)) return 0;
        if (isErrorSet(types_, t))
            return static_cast<uint32_t>(types_.errorSetInfo(t).tags[static_cast<size_t>(index)]);
        std::vector<ir::Member> members = ir::membersOf(types_, t);
        return members.empty() ? 0 : static_cast<uint32_t>(members[static_cast<size_t>(index)].name);
    }

    TypeId fieldType(TypeId t, int64_t index, std::string& error) override {
        if (!inRange(t, index, error)) return TypeId::None;
        if (isErrorSet(types_, t)) return TypeId::Void;
        std::vector<ir::Member> members = ir::membersOf(types_, t);
        return members.empty() ? types_.elem(t) : members[static_cast<size_t>(index)].type;
    }

    int64_t variantValue(TypeId t, int64_t index, std::string& error) override {
        if (!inRange(t, index, error)) return 0;
        if (isErrorSet(types_, t)) return types_.tagId(types_.errorSetInfo(t).tags[static_cast<size_t>(index)]);
        if (types_.kind(t) == TypeKind::Enum) return types_.enumInfo(t).variants[static_cast<size_t>(index)].value;
        error = code(types_, t) + " is no enum";
        return 0;
    }

    TypeId pointerTo(TypeId t) override { return sx::pointerTo(types_, t); }

    // ---- building

    TypeId declareType(std::string_view name, TypeId announced, std::string& error) override {
        if (name.empty()) {
            error = "a type needs a name";
            return TypeId::None;
        }
        // Code that runs a second time makes a second type.
        bool isFirst =
            announced != TypeId::None && sema_.comptime.builtTypes[announced] == Comptime::BuiltState::Announced;
        TypeId t = isFirst ? announced : newBuiltType(sema_, std::string(name));
        sema_.comptime.builtTypes[t] = Comptime::BuiltState::Declared;
        if (sema_.comptime.construction) sema_.comptime.construction->push_back(t);
        return t;
    }

    TypeId registerType(TypeId handle, int64_t kind, llvm::ArrayRef<Member> members, std::string& error) override {
        auto built = sema_.comptime.builtTypes.find(handle);
        if (built == sema_.comptime.builtTypes.end())
            error = code(types_, handle) + " is not a type that `declare` gave";
        else if (built->second == Comptime::BuiltState::Defined) error = code(types_, handle) + " is defined already";
        auto kindCode = static_cast<KindCode>(kind);
        bool isEnum = kindCode == KindCode::Enum || kindCode == KindCode::TaggedEnum;
        if (error.empty() && kindCode != KindCode::Struct && kindCode != KindCode::Tuple && !isEnum)
            error = "only structs, enums and tuples can be defined";
        llvm::SmallVector<Name, 8> names;
        for (const Member& m : members) {
            Name name = sema_.names.intern(m.name);
            if (error.empty() && name == Name::None && kindCode != KindCode::Tuple)
                error = "a member of " + code(types_, handle) + " has no name";
            if (error.empty() && name != Name::None && llvm::is_contained(names, name))
                error = "the member " + code(m.name) + " of " + code(types_, handle) + " is there twice";
            names.push_back(name);
        }
        if (!error.empty()) return TypeId::None;
        TypeId made = kindCode == KindCode::Tuple ? defineTuple(handle, members, names) : handle;
        if (kindCode == KindCode::Struct) defineStruct(handle, members, names);
        if (isEnum) defineEnum(handle, members, names);
        sema_.comptime.builtTypes[handle] = Comptime::BuiltState::Defined;
        // What was looked at while it had no parts is looked at again.
        sema_.nominals.reachableCompleted.clear();
        return made;
    }

    void noteForBuild(std::string_view key, std::string_view value) override {
        sema_.comptime.buildNotes[std::string(key)].emplace_back(value);
    }
    llvm::ArrayRef<std::string> buildNotes(std::string_view key) override {
        return sema_.comptime.buildNotes[std::string(key)];
    }

    ir::GlobalId stringGlobal(std::string_view text) override { return sema::stringGlobal(sema_, text); }

private:
    TypeId complete(TypeId t) { return completeDeep(sema_, t) ? t : TypeId::None; }

    TypeId typeOf(Symbol* s) {
        if (!s) return TypeId::None;
        s = resolve(sema_, s);
        return s->kind == SymbolKind::Type ? complete(s->type) : TypeId::None;
    }

    bool isType(TypeId t, std::string& error) {
        auto number = static_cast<size_t>(t);
        bool known =
            number != 0 && number < types_.size() && types_.kind(t) != TypeKind::None && completeDeep(sema_, t);
        if (!known) error = "there is no type with the number " + std::to_string(number);
        return known;
    }

    KindCode kindCode(TypeId t) const {
        switch (types_.kind(t)) {
        case TypeKind::Struct: return KindCode::Struct;
        case TypeKind::Enum: return isTaggedEnum(types_, t) ? KindCode::TaggedEnum : KindCode::Enum;
        case TypeKind::Tuple: return KindCode::Tuple;
        case TypeKind::Union: return KindCode::Union;
        case TypeKind::Array: return KindCode::Array;
        case TypeKind::Vector: return KindCode::Vector;
        case TypeKind::ErrorSet: return KindCode::ErrorSet;
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
        case TypeKind::Pointer:
        case TypeKind::ManyPointer:
        case TypeKind::Slice:
        case TypeKind::Optional:
        case TypeKind::Function:
        case TypeKind::Closure:
        case TypeKind::Protocol: return KindCode::Other;
        }
        return KindCode::Other;
    }

    /// Fields, variants, elements, arms, tags.
    uint64_t count(TypeId t) const {
        if (isErrorSet(types_, t)) return types_.errorSetInfo(t).tags.size();
        if (types_.kind(t) == TypeKind::Array || types_.kind(t) == TypeKind::Vector) return types_.count(t);
        return ir::membersOf(types_, t).size();
    }

    bool inRange(TypeId t, int64_t index, std::string& error) {
        if (!isType(t, error)) return false;
        uint64_t all = count(t);
        if (index >= 0 && static_cast<uint64_t>(index) < all) return true;
        error = code(types_, t) + " has no member " + std::to_string(index) + ": there are " + std::to_string(all);
        return false;
    }

    void defineStruct(TypeId t, llvm::ArrayRef<Member> members, llvm::ArrayRef<Name> names) {
        std::vector<StructField> fields;
        for (size_t i = 0; i < members.size(); ++i) fields.push_back({.name = names[i], .type = members[i].type});
        NominalInfo* info = nominal(sema_, t);
        info->fieldDefaults.assign(fields.size(), nullptr);
        info->fieldOwners.assign(fields.size(), info);
        types_.completeStruct(t, std::move(fields));
    }

    void defineEnum(TypeId t, llvm::ArrayRef<Member> members, llvm::ArrayRef<Name> names) {
        EnumInfo info;
        for (size_t i = 0; i < members.size(); ++i)
            info.variants.push_back({names[i], static_cast<int64_t>(i), members[i].type});
        types_.turnIntoEnum(t);
        types_.completeEnum(t, std::move(info));
    }

    /// A tuple is known by its elements, so it is the one that can be written too, unless an element mentions the
    /// handle.
    TypeId defineTuple(TypeId t, llvm::ArrayRef<Member> members, llvm::ArrayRef<Name> names) {
        llvm::SmallVector<TupleField, 8> fields;
        bool mentionsItself = false;
        for (size_t i = 0; i < members.size(); ++i) {
            fields.push_back({names[i], members[i].type});
            for (TypeId part = members[i].type; part != TypeId::None; part = types_.elem(part))
                mentionsItself |= part == t;
        }
        TypeId tuple = types_.tupleOf(fields);
        types_.turnIntoTuple(t, tuple);
        sema_.nominals.infos.erase(t);
        return mentionsItself ? t : tuple;
    }

    Sema& sema_;
    TypeTable& types_;
};

} // namespace

std::unique_ptr<ir::CompilerServices> makeServices(Sema& sema) { return std::make_unique<Services>(sema); }

} // namespace sx::sema
