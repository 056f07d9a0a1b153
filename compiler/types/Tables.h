// What a TypeTable keeps beside its list of types: the parts of each kind, the keys that make equal types
// equal, and the layouts computed so far. Private to compiler/types.
#pragma once

#include "types/TypeTable.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>

namespace sx {

/// What is known of one type's layout.
struct LayoutState {
    Extent extent;
    bool known = false;    ///< extent and member offsets are final
    bool complete = false; ///< isComplete was answered with yes
    bool finite = false;   ///< neither holds itself by value nor anything that does
    bool sizing = false;   ///< its extent is being computed
    bool seen = false;     ///< mark of the walk under way; always cleared at its end
};

inline uint32_t raw(TypeId t) { return static_cast<uint32_t>(t); }

struct TypeTable::Tables {
    // Deques: an info that a caller holds stays where it is while more types are made.
    std::deque<StructInfo> structs;
    std::deque<EnumInfo> enums;
    std::deque<UnionInfo> unions;
    std::deque<ErrorSetInfo> errorSets;
    std::deque<ProtocolInfo> protocols;
    std::deque<FunctionInfo> functions;
    std::deque<std::vector<TupleField>> tuples;

    /// Types of one part: kind and part in the first word, count in the second.
    llvm::DenseMap<std::pair<uint64_t, uint64_t>, TypeId> byPart;
    /// Types of many parts: their ids as bytes.
    llvm::StringMap<TypeId> byShape;

    llvm::DenseMap<TypeId, std::string> writtenNames; ///< of nominal types for which it is not their name

    std::vector<LayoutState> layouts; ///< indexed by TypeId, grown on demand

    LayoutState& layout(TypeId t) {
        if (raw(t) >= layouts.size()) layouts.resize(raw(t) + 1);
        return layouts[raw(t)];
    }

    /// Size and alignment; sets the member offsets of structs and tagged enums on the way.
    Extent extent(const TypeTable&, TypeId);
    /// Computes the layout if every part is there, so that offsets in an info are final when it is read.
    void settle(const TypeTable&, TypeId);
    bool isComplete(const TypeTable&, TypeId);
    bool containsItself(const TypeTable&, TypeId);

private:
    Extent compute(const TypeTable&, TypeId);
    Extent structExtent(const TypeTable&, StructInfo&);
    Extent tupleExtent(const TypeTable&, llvm::ArrayRef<TupleField>);
    Extent enumExtent(const TypeTable&, EnumInfo&);
    Extent unionExtent(const TypeTable&, const UnionInfo&);
    /// A walk over types held by value.
    bool allDeclared(const TypeTable&, TypeId, llvm::SmallDenseSet<TypeId>& visited);
    /// `unsure`: a cycle or an undeclared type was met, so nothing more is marked finite.
    bool reaches(const TypeTable&, TypeId from, TypeId target, std::vector<TypeId>& visited, bool& unsure);
    void clearMarks(llvm::ArrayRef<TypeId> visited);
    /// The parts of this very type have been set.
    bool isDeclared(const TypeTable&, TypeId) const;
    /// Calls `visit` for each type held by value until it returns false; then returns false.
    bool forEachPart(const TypeTable&, TypeId, llvm::function_ref<bool(TypeId)> visit) const;
};

} // namespace sx
