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

    Result<std::string_view> textOf(uint32_t name) override {
        if (name < sema_.names.size()) return sema_.names.text(static_cast<Name>(name));
        return Failure{"there is no text with the number " + std::to_string(name)};
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

    Result<int64_t> typeKind(TypeId t) override {
        if (!isType(t)) return noType(t);
        return static_cast<int64_t>(kindCode(t));
    }

    Result<uint32_t> typeName(TypeId t) override {
        if (!isType(t)) return noType(t);
        return intern(runtimeName(types_, t));
    }

    Result<int64_t> fieldCount(TypeId t) override {
        if (!isType(t)) return noType(t);
        return static_cast<int64_t>(count(t));
    }

    Result<uint32_t> fieldName(TypeId t, int64_t index) override {
        if (Result<void> there = inRange(t, index); !there) return there.failure();
        if (isErrorSet(types_, t))
            return static_cast<uint32_t>(types_.errorSetInfo(t).tags[static_cast<size_t>(index)]);
        std::vector<ir::Member> members = ir::membersOf(types_, t);
        return members.empty() ? 0 : static_cast<uint32_t>(members[static_cast<size_t>(index)].name);
    }

    Result<TypeId> fieldType(TypeId t, int64_t index) override {
        if (Result<void> there = inRange(t, index); !there) return there.failure();
        if (isErrorSet(types_, t)) return TypeId::Void;
        std::vector<ir::Member> members = ir::membersOf(types_, t);
        return members.empty() ? types_.elem(t) : members[static_cast<size_t>(index)].type;
    }

    Result<int64_t> variantValue(TypeId t, int64_t index) override {
        if (Result<void> there = inRange(t, index); !there) return there.failure();
        if (isErrorSet(types_, t)) return types_.tagId(types_.errorSetInfo(t).tags[static_cast<size_t>(index)]);
        if (types_.kind(t) == TypeKind::Enum) return types_.enumInfo(t).variants[static_cast<size_t>(index)].value;
        return Failure{code(types_, t) + " is no enum"};
    }

    TypeId pointerTo(TypeId t) override { return sx::pointerTo(types_, t); }

    // ---- building

    Result<TypeId> declareType(std::string_view name, TypeId announced) override {
        if (name.empty()) return Failure{"a type needs a name"};
        // Code that runs a second time makes a second type.
        bool isFirst =
            announced != TypeId::None && sema_.comptime.builtTypes[announced] == Comptime::BuiltState::Announced;
        TypeId t = isFirst ? announced : newBuiltType(sema_, std::string(name));
        sema_.comptime.builtTypes[t] = Comptime::BuiltState::Declared;
        if (sema_.comptime.construction) sema_.comptime.construction->push_back(t);
        return t;
    }

    Result<TypeId> registerType(TypeId handle, int64_t kind, llvm::ArrayRef<Member> members) override {
        auto kindCode = static_cast<KindCode>(kind);
        bool isEnum = kindCode == KindCode::Enum || kindCode == KindCode::TaggedEnum;
        if (Result<void> checked = checkDefinable(handle, kindCode, isEnum); !checked) return checked.failure();
        llvm::SmallVector<Name, 8> names;
        for (const Member& m : members) {
            Name name = sema_.names.intern(m.name);
            if (name == Name::None && kindCode != KindCode::Tuple)
                return Failure{"a member of " + code(types_, handle) + " has no name"};
            if (name != Name::None && llvm::is_contained(names, name))
                return Failure{"the member " + code(m.name) + " of " + code(types_, handle) + " is there twice"};
            names.push_back(name);
        }
        TypeId made = kindCode == KindCode::Tuple ? defineTuple(handle, members, names) : handle;
        if (kindCode == KindCode::Struct) defineStruct(handle, members, names);
        if (isEnum) defineEnum(handle, members, names);
        sema_.comptime.builtTypes[handle] = Comptime::BuiltState::Defined;
        // What was looked at while it had no parts is looked at again.
        sema_.nominals.reachableCompleted.clear();
        return made;
    }

    void noteForBuild(std::string_view key, std::string_view value) override {
        sema_.comptime.buildNotes.add(key, value);
    }
    llvm::ArrayRef<std::string> buildNotes(std::string_view key) override { return sema_.comptime.buildNotes.all(key); }

    void setBuildStep(ir::FuncId step, ir::FuncId runner) override {
        sema_.comptime.buildStep = step;
        sema_.comptime.buildRunner = runner;
    }
    ir::FuncId buildStep() override { return sema_.comptime.buildStep; }

    Result<std::string> emitObject() override {
        if (!sema_.options.emitObject) return Failure{"nothing is built here"};
        return sema_.options.emitObject();
    }
    Result<void> link() override {
        if (!sema_.options.linkNoted) return Failure{"nothing is linked here"};
        return sema_.options.linkNoted();
    }

    ir::GlobalId stringGlobal(std::string_view text) override { return sema::stringGlobal(sema_, text); }

private:
    TypeId complete(TypeId t) { return completeDeep(sema_, t) ? t : TypeId::None; }

    TypeId typeOf(Symbol* s) {
        if (!s) return TypeId::None;
        s = resolve(sema_, s);
        return s->kind == SymbolKind::Type ? complete(s->type) : TypeId::None;
    }

    bool isType(TypeId t) {
        auto number = static_cast<size_t>(t);
        return number != 0 && number < types_.size() && types_.kind(t) != TypeKind::None && completeDeep(sema_, t);
    }

    static Failure noType(TypeId t) {
        return Failure{"there is no type with the number " + std::to_string(static_cast<size_t>(t))};
    }

    Result<void> checkDefinable(TypeId handle, KindCode kind, bool isEnum) {
        auto built = sema_.comptime.builtTypes.find(handle);
        if (built == sema_.comptime.builtTypes.end())
            return Failure{code(types_, handle) + " is not a type that `declare` gave"};
        if (built->second == Comptime::BuiltState::Defined)
            return Failure{code(types_, handle) + " is defined already"};
        if (kind == KindCode::Struct || kind == KindCode::Tuple || isEnum) return {};
        return Failure{"only structs, enums and tuples can be defined"};
    }

    KindCode kindCode(TypeId t) const {
        static constexpr std::pair<TypeKind, KindCode> Codes[] = {
            {TypeKind::Struct, KindCode::Struct},    {TypeKind::Enum, KindCode::Enum},
            {TypeKind::Tuple, KindCode::Tuple},      {TypeKind::Union, KindCode::Union},
            {TypeKind::Array, KindCode::Array},      {TypeKind::Vector, KindCode::Vector},
            {TypeKind::ErrorSet, KindCode::ErrorSet}};
        if (isTaggedEnum(types_, t)) return KindCode::TaggedEnum;
        for (auto [kind, result] : Codes)
            if (types_.kind(t) == kind) return result;
        return KindCode::Other;
    }

    /// Fields, variants, elements, arms, tags.
    uint64_t count(TypeId t) const {
        if (isErrorSet(types_, t)) return types_.errorSetInfo(t).tags.size();
        if (types_.kind(t) == TypeKind::Array || types_.kind(t) == TypeKind::Vector) return types_.count(t);
        return ir::membersOf(types_, t).size();
    }

    Result<void> inRange(TypeId t, int64_t index) {
        if (!isType(t)) return noType(t);
        uint64_t all = count(t);
        if (index >= 0 && static_cast<uint64_t>(index) < all) return {};
        return Failure{code(types_, t) + " has no member " + std::to_string(index) + ": there are " +
                       std::to_string(all)};
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
