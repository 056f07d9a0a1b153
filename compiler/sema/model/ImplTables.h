// The impls of the program, and the code that dispatch goes through.
#pragma once

#include "sema/model/Symbols.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace sx::sema {

/// One impl block, or what a pattern of one means for a type.
struct ImplInfo {
    const ast::ImplDecl* decl = nullptr;
    SourceFile* file = nullptr;
    TypeId protocol{};    ///< for a parameterised protocol: its instance
    TypeId target{};      ///< None: a pattern (`Closure(..$args) -> $R`) or a generic struct head
    Scope* env = nullptr; ///< where its methods resolve names: `Self`, and what `$` of the target are bound to
    ProtocolTemplate* protocolTemplate = nullptr; ///< of a parameterised protocol
    llvm::DenseMap<Name, FunctionTemplate*> methods;
    bool methodsDeclared = false;
};

/// A parameterised protocol `protocol(Item: Type)`.
struct ProtocolTemplate {
    const ast::ProtocolDecl* decl = nullptr;
    SourceFile* file = nullptr;
    std::map<std::string, TypeId> instances;
    std::vector<ImplInfo*> patternImpls; ///< `impl P(A) for Closure(..$args) -> $R`
};

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
