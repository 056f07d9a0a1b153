// The impls of the program, and the code that dispatch goes through.
#pragma once

#include "sema/model/Symbols.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace sx::sema {

struct ImplTables {
    bool declared = false; ///< all of them are known
    std::vector<ImplInfo*> all;
    std::map<TypeId, std::vector<ImplInfo*>> byTarget;
    std::vector<ProtocolTemplate*> patternProtocols; ///< those with patternImpls
    /// By protocol, method and concrete type.
    std::map<std::tuple<TypeId, unsigned, TypeId>, FunctionTemplate*> defaultMethods;
    /// By protocol and concrete type: `Self` and the arguments.
    std::map<std::pair<TypeId, TypeId>, Scope*> scopes;
    std::map<std::pair<TypeId, TypeId>, std::vector<ir::FuncId>> slots; ///< by protocol and concrete type
    std::map<std::pair<TypeId, TypeId>, ir::GlobalId> vtables;          ///< by protocol and concrete type
};

} // namespace sx::sema
