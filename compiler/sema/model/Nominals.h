// What is known of nominal types beyond their layout.
#pragma once

#include "sema/model/Instances.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <utility>

namespace sx::sema {

struct ImplInfo;

/// A generic struct as declared.
struct StructTemplate {
    const ast::StructDecl* decl = nullptr;
    SourceFile* file = nullptr;
    Scope* env = nullptr;
    uint32_t envLimit = 0;
    std::string name;
    std::map<std::string, TypeId> instances;
    std::vector<ImplInfo*> impls; ///< `impl P for Stack($T)`
};

/// What sema knows of a nominal type beyond its layout.
struct NominalInfo {
    TypeId type{};
    const ast::Decl* decl = nullptr; ///< StructDecl, EnumDecl, UnionDecl, ErrorSetDecl, ProtocolDecl
    SourceFile* file = nullptr;
    Scope* env = nullptr; ///< where member types and bodies resolve names: binds type parameters and `Self`
    uint32_t envLimit = 0;
    StructTemplate* structTemplate = nullptr; ///< of an instance
    Bindings bindings;
    TypeId aliasInstanceOf{};                    ///< `IB :: Box(i64)` has a handle of its own; this is Box(i64)
    std::vector<const ast::Expr*> fieldDefaults; ///< parallel to StructInfo::fields; null: none
    std::vector<NominalInfo*> fieldOwners;       ///< whose env a default resolves in (differs through #using)
    bool membersDeclared = false, completing = false;
    ProtocolTemplate* protocolTemplate = nullptr; ///< of an instance of a parameterised protocol
    bool built = false;   ///< made by a type function: an alias gives it a name (generics.md 2.2)
    size_t implsMade = 0; ///< how many of structTemplate->impls have been instantiated
    bool failed = false;  ///< a part of it was rejected, or it holds itself by value: reported
};

/// Methods and constants reachable through a type: declared in its body and by impls.
struct MemberTable {
    llvm::DenseMap<Name, FunctionTemplate*> methods;          ///< own methods win over impl methods
    llvm::DenseMap<Name, FunctionTemplate*> getters, setters; ///< `#get`, `#set`
    llvm::DenseMap<Name, Symbol*> statics;                    ///< constants and nested types
    size_t implsSeen = 0;                                     ///< how many of impls have been looked at
};

struct Nominals {
    enum class Completion : uint8_t { Unknown, Visiting, Done, Failed };

    llvm::DenseMap<TypeId, NominalInfo*> infos;
    std::map<TypeId, MemberTable> members;
    llvm::DenseMap<TypeId, Completion> completions;      ///< of completeDeep
    llvm::DenseMap<TypeId, unsigned> reachableCompleted; ///< by `completeReachable`: one more than the levels followed
    /// Struct types written in place with defaults, by declaration and shape.
    std::map<std::pair<const ast::Decl*, TypeId>, TypeId> anonymousWithDefaults;
    llvm::StringMap<TypeId> anonymousShapes; ///< enums and unions written in place
};

} // namespace sx::sema
