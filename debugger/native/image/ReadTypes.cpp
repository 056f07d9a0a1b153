#include "debugger/native/image/ReadTypes.h"

#include "debugger/native/image/Executable.h"

#include <algorithm>

namespace sx::debugger::native {

namespace dw = llvm::dwarf;
using llvm::DWARFDie;
using Kind = ForeignType::Kind;

namespace {

std::string nameOf(const DWARFDie& die) { return text(die.getName(llvm::DINameKind::ShortName)); }

std::optional<uint64_t> unsignedOf(const DWARFDie& die, dw::Attribute attribute) {
    std::optional<llvm::DWARFFormValue> value = die.find(attribute);
    if (!value) return std::nullopt;
    if (std::optional<uint64_t> number = value->getAsUnsignedConstant()) return number;
    if (std::optional<int64_t> number = value->getAsSignedConstant()) return static_cast<uint64_t>(*number);
    return std::nullopt;
}

/// What has no name there is spelled as the language does.
bool isOfSx(const DWARFDie& die) {
    DWARFDie unit = die.getDwarfUnit()->getUnitDIE();
    return llvm::StringRef(dw::toString(unit.find(dw::DW_AT_producer), "")).starts_with("sx ");
}

} // namespace

TypeId TypeReader::typeOf(const DWARFDie& die) {
    std::optional<llvm::DWARFFormValue> value = die.findRecursively(dw::DW_AT_type);
    DWARFDie type = value ? die.getAttributeValueAsReferencedDie(*value) : DWARFDie();
    return type ? read(type) : types_.voidType;
}

void TypeReader::readBasic(const DWARFDie& die, ForeignType& made) const {
    switch (unsignedOf(die, dw::DW_AT_encoding).value_or(0)) {
    case dw::DW_ATE_boolean: made.kind = Kind::Bool; break;
    case dw::DW_ATE_signed: made.kind = Kind::Signed; break;
    case dw::DW_ATE_signed_char: made.kind = made.name == "char" ? Kind::Character : Kind::Signed; break;
    case dw::DW_ATE_unsigned_char: made.kind = made.name == "char" ? Kind::Character : Kind::Unsigned; break;
    case dw::DW_ATE_unsigned:
    case dw::DW_ATE_address:
    case dw::DW_ATE_UTF: made.kind = Kind::Unsigned; break;
    case dw::DW_ATE_float: made.kind = Kind::Float; break;
    default: made.kind = Kind::Other; break;
    }
}

/// A pointer to code is spelled around what it takes.
void TypeReader::readPointer(const DWARFDie& die, ForeignType& made) {
    made.kind = Kind::Pointer;
    made.target = typeOf(die);
    if (made.size == 0) made.size = sizeof(uint64_t);
    const ForeignType& target = types_.at(made.target);
    if (made.isOfSx) {
        made.name = (target.kind == Kind::Function ? "" : "*") + target.name;
        return;
    }
    bool isReference = die.getTag() != dw::DW_TAG_pointer_type;
    std::string mark = isReference ? "&" : "*";
    size_t opening = target.kind == Kind::Function ? target.name.find('(') : std::string::npos;
    if (opening != std::string::npos)
        made.name = target.name.substr(0, opening) + "(" + mark + ")" + target.name.substr(opening);
    else made.name = target.name + (llvm::StringRef(target.name).ends_with("*") ? "" : " ") + mark;
}

void TypeReader::readFunction(const DWARFDie& die, ForeignType& made) {
    made.kind = Kind::Function;
    std::string parameters;
    for (const DWARFDie& child : die.children())
        if (child.getTag() == dw::DW_TAG_formal_parameter)
            parameters += (parameters.empty() ? "" : ", ") + types_.nameOf(typeOf(child));
    TypeId result = typeOf(die);
    if (!made.isOfSx) made.name = types_.nameOf(result) + " (" + parameters + ")";
    else made.name = "(" + parameters + ")" + (result == types_.voidType ? "" : " -> " + types_.nameOf(result));
}

/// Of several dimensions the last one is the innermost.
TypeId TypeReader::readArray(const DWARFDie& die) {
    std::vector<uint64_t> counts;
    for (const DWARFDie& child : die.children()) {
        if (child.getTag() != dw::DW_TAG_subrange_type) continue;
        std::optional<uint64_t> count = unsignedOf(child, dw::DW_AT_count),
                                last = unsignedOf(child, dw::DW_AT_upper_bound);
        counts.push_back(count ? *count : last ? *last + 1 : 0);
    }
    TypeId made = typeOf(die);
    const bool isSx = isOfSx(die), isVector = isSx && die.find(dw::DW_AT_GNU_vector);
    std::string inner = types_.nameOf(made), dimensions;
    for (size_t i = counts.size(); i-- > 0;) {
        constexpr uint64_t Most = uint64_t{1} << 40;
        ForeignType array;
        array.kind = Kind::Array;
        array.target = made;
        uint64_t size = types_.sizeOf(made);
        array.count = size == 0 || counts[i] > Most / size ? 0 : counts[i];
        array.size = size * array.count;
        dimensions = "[" + (counts[i] == 0 ? "" : std::to_string(counts[i])) + "]" + dimensions;
        array.isOfSx = isSx;
        array.name = isVector ? "Vector(" + std::to_string(counts[i]) + ", " + inner + ")"
                     : isSx   ? dimensions + inner
                              : inner + " " + dimensions;
        made = types_.add(std::move(array));
    }
    return made;
}

/// Parts of a member without a name belong to what is around it.
void TypeReader::addMember(const DWARFDie& die, ForeignType& made) {
    if (die.find(dw::DW_AT_external) || die.find(dw::DW_AT_declaration)) return; // static
    ForeignMember member;
    member.name = nameOf(die);
    member.type = typeOf(die);
    if (die.getTag() == dw::DW_TAG_inheritance) member.name = types_.nameOf(member.type);
    std::optional<llvm::DWARFFormValue> location = die.find(dw::DW_AT_data_member_location);
    if (location && !location->getAsUnsignedConstant() && !location->getAsSignedConstant()) return; // computed
    member.offset = unsignedOf(die, dw::DW_AT_data_member_location).value_or(0);
    if (std::optional<uint64_t> bits = unsignedOf(die, dw::DW_AT_bit_size); bits && *bits > 0 && *bits <= 64) {
        member.bitSize = static_cast<uint32_t>(*bits);
        if (std::optional<uint64_t> at = unsignedOf(die, dw::DW_AT_data_bit_offset)) {
            member.offset = *at / 8;
            member.bitOffset = static_cast<uint32_t>(*at % 8);
        } else if (std::optional<uint64_t> fromTop = unsignedOf(die, dw::DW_AT_bit_offset)) {
            uint64_t unit = 8 * unsignedOf(die, dw::DW_AT_byte_size).value_or(types_.sizeOf(member.type));
            member.bitOffset = static_cast<uint32_t>(unit - std::min(unit, *fromTop + *bits));
        }
    }
    const ForeignType& type = types_.plain(member.type);
    bool isWithoutName = member.name.empty() && (type.kind == Kind::Struct || type.kind == Kind::Union);
    if (!isWithoutName) {
        if (!member.name.empty()) made.members.push_back(std::move(member));
        return;
    }
    for (ForeignMember inner : type.members) {
        inner.offset += member.offset;
        made.members.push_back(std::move(inner));
    }
}

void TypeReader::readMembers(const DWARFDie& die, ForeignType& made) {
    made.kind = die.getTag() == dw::DW_TAG_union_type ? Kind::Union : Kind::Struct;
    for (const DWARFDie& child : die.children())
        if (child.getTag() == dw::DW_TAG_member || child.getTag() == dw::DW_TAG_inheritance) addMember(child, made);
}

void TypeReader::readEnum(const DWARFDie& die, ForeignType& made) {
    made.kind = Kind::Enum;
    for (const DWARFDie& child : die.children()) {
        if (child.getTag() != dw::DW_TAG_enumerator) continue;
        std::optional<llvm::DWARFFormValue> value = child.find(dw::DW_AT_const_value);
        if (!value) continue;
        int64_t number = 0;
        if (std::optional<uint64_t> without = value->getAsUnsignedConstant()) {
            number = static_cast<int64_t>(*without);
        } else if (std::optional<int64_t> with = value->getAsSignedConstant()) {
            number = *with;
            made.isSigned |= number < 0;
        }
        made.enumerators.push_back({nameOf(child), number});
    }
}

/// The number is given before the parts are read: they may lead back here.
TypeId TypeReader::read(const DWARFDie& die) {
    if (auto known = known_.find(die.getOffset()); known != known_.end()) return known->second;
    known_[die.getOffset()] = types_.voidType; // of damaged information, which may lead in circles
    switch (die.getTag()) {
    case dw::DW_TAG_const_type:
    case dw::DW_TAG_volatile_type:
    case dw::DW_TAG_restrict_type:
    case dw::DW_TAG_atomic_type: return known_[die.getOffset()] = typeOf(die);
    case dw::DW_TAG_array_type: return known_[die.getOffset()] = readArray(die);
    default: break;
    }
    ForeignType made;
    made.name = nameOf(die);
    made.size = unsignedOf(die, dw::DW_AT_byte_size).value_or(0);
    made.isOfSx = isOfSx(die);
    TypeId id = known_[die.getOffset()] = types_.add(made);
    bool isDeclaration = die.find(dw::DW_AT_declaration).has_value();
    switch (die.getTag()) {
    case dw::DW_TAG_base_type: readBasic(die, made); break;
    case dw::DW_TAG_unspecified_type: made.kind = Kind::Void; break;
    case dw::DW_TAG_typedef:
        made.kind = Kind::Alias;
        made.target = typeOf(die);
        break;
    case dw::DW_TAG_pointer_type:
    case dw::DW_TAG_reference_type:
    case dw::DW_TAG_rvalue_reference_type: readPointer(die, made); break;
    case dw::DW_TAG_structure_type:
    case dw::DW_TAG_class_type:
    case dw::DW_TAG_union_type:
        readMembers(die, made);
        if (made.name.empty()) made.name = made.kind == Kind::Union ? "union" : "struct";
        else if (isDeclaration) declared_.push_back({id, made.name});
        else defined_.emplace(made.name, id);
        break;
    case dw::DW_TAG_enumeration_type:
        readEnum(die, made);
        if (made.name.empty()) made.name = "enum";
        break;
    case dw::DW_TAG_subroutine_type: readFunction(die, made); break;
    default: break;
    }
    types_.edit(id) = std::move(made);
    return id;
}

void TypeReader::complete() {
    for (auto& [id, name] : declared_) {
        auto found = defined_.find(name);
        if (found == defined_.end()) continue;
        ForeignType whole = types_.at(found->second);
        types_.edit(id) = std::move(whole);
    }
}

} // namespace sx::debugger::native
