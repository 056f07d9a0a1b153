// Types of debug information. Private to debugger/native/image.
#pragma once

#include "debugger/foreign/Types.h"

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace sx::debugger::native {

class TypeReader {
public:
    explicit TypeReader(ForeignTypes& types) : types_(types) {}

    /// The type that an attribute DW_AT_type of `die` names, also of what it stands for; without one it is `void`.
    TypeId typeOf(const llvm::DWARFDie& die);
    /// Types that are declared in one place and defined in another become whole. To be called at the end.
    void complete();

private:
    TypeId read(const llvm::DWARFDie& die);
    void readBasic(const llvm::DWARFDie& die, ForeignType& made) const;
    void readPointer(const llvm::DWARFDie& die, ForeignType& made);
    void readFunction(const llvm::DWARFDie& die, ForeignType& made);
    TypeId readArray(const llvm::DWARFDie& die);
    void readMembers(const llvm::DWARFDie& die, ForeignType& made);
    void addMember(const llvm::DWARFDie& die, ForeignType& made);
    void readEnum(const llvm::DWARFDie& die, ForeignType& made);

    ForeignTypes& types_;
    std::map<uint64_t, TypeId> known_;                     ///< by the offset of the entry
    std::map<std::string, TypeId> defined_;                ///< structs by their names
    std::vector<std::pair<TypeId, std::string>> declared_; ///< that have no members yet
};

} // namespace sx::debugger::native
