// What is known of nominal types beyond their layout.
#pragma once

#include "sema/model/Symbols.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <utility>

namespace sx::sema {

struct Nominals {
    enum class Completion : uint8_t { Unknown, Visiting, Done, Failed };

    llvm::DenseMap<TypeId, NominalInfo*> infos;
    std::map<TypeId, MemberTable> members;
    llvm::DenseMap<TypeId, Completion> completions; ///< of completeDeep
    llvm::DenseMap<TypeId, unsigned> settled;
    /// Struct types written in place with defaults, by declaration and shape.
    std::map<std::pair<const ast::Decl*, TypeId>, TypeId> anonymousWithDefaults;
    llvm::StringMap<TypeId> anonymousShapes; ///< enums and unions written in place
};

} // namespace sx::sema
