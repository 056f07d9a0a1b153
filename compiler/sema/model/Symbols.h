// Names and what they stand for: scopes, modules, and the templates that instances are made from.
#pragma once

#include "sema/model/Value.h"
#include "syntax/Ast.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sx::lower {
struct Body;
}

namespace sx::sema {

struct SourceFile;
struct Scope;

enum class SymbolKind : uint8_t {
    Unresolved,      ///< module-scope or local declaration that nobody has asked for yet
    Error,           ///< its declaration was rejected; uses are unresolved or silent
    Local,           ///< variable, parameter, capture: storage in a function
    Constant,        ///< `constant`/`type`; an aggregate constant has `global`
    RuntimeConst,    ///< struct constant with a field that does not fold: initializer evaluated at every use
    Global,          ///< `global`, `type`
    Function,        ///< `function`
    Type,            ///< `type`
    GenericStruct,   ///< `structTemplate`
    GenericProtocol, ///< `protocolTemplate`
    Namespace,       ///< `module`
    Pack,            ///< `pack`
    Library,         ///< `#library` handle or named `#import c` unit
    Intrinsic,       ///< `size_of`, …: `decl` if the library declares it
};

/// What a local is, for the rules on assignment and their helps.
enum class LocalKind : uint8_t {
    Variable,
    Parameter,
    Const /* local `::` */,
    LoopElement,
    LoopRef /* (*x) */,
    LoopIndex,
    Payload,
    ErrorBinding,
    Capture,
    PackElement,
};

struct Symbol {
    Name name = Name::None;
    SymbolKind kind = SymbolKind::Unresolved;
    bool isPrivate = false;
    bool resolving = false;    ///< on the resolution stack: a second visit is a cycle
    bool isRead = false;       ///< some code looks at its value; of a namespace alias: something is found behind it
    bool isCyclic = false;     ///< defined in terms of itself: reported once, uses are silent
    Symbol* aliasOf = nullptr; ///< resolved alias: what it stands for
    Span nameSpan;
    const ast::Decl* decl = nullptr; ///< null for parameters, captures, variables
    SourceFile* file = nullptr;      ///< whose names its declaration sees
    Scope* scope = nullptr;          ///< scope that its declaration stands in; null: module scope of `file`
    uint32_t scopeLimit = 0;         ///< declarations of `scope` up to this number are visible to it

    TypeId type{};
    ConstValue constant;
    ir::GlobalId global = ir::GlobalId::None;
    FunctionTemplate* function = nullptr;
    StructTemplate* structTemplate = nullptr;
    struct ProtocolTemplate* protocolTemplate = nullptr;
    ModuleUnit* module = nullptr;
    PackInfo* pack = nullptr;

    // Local:
    const ast::Expr* frameArray = nullptr; ///< it views an array of this call: the literal, or the name of the array
    LocalKind localKind = LocalKind::Variable;
    lower::Body* owner = nullptr;            ///< the function whose local it is
    ir::ValueId address = ir::ValueId::None; ///< of its storage (a SlotAddr); for LoopRef: slot of the pointer
    Value value;                 ///< a local const that is compile-time known, a pack element, a type parameter
    ErrorNode* errors = nullptr; ///< of an error variable: union of what was stored
    ir::SlotId snapshot = ir::SlotId::None;    ///< the trace an error variable carries
    ir::SlotId heldHandler = ir::SlotId::None; ///< the number of the handler whose error it holds (ErrorVariables.h)
    bool assigned = false;                     ///< named result slots
    std::optional<int64_t>
        variant; ///< of a `$` parameter of payload enum type: the tag, known while compiling; the value is not
    const ast::Expr* initializer = nullptr; ///< of a variable without a written type
    SourcePos visibleFrom;                  ///< from there on code sees it; invalid: everywhere in its scope

    /// `NAME :: #import …`
    bool isNamespaceAlias() const {
        return decl && (decl->kind == ast::DeclKind::Import || decl->kind == ast::DeclKind::ImportC);
    }
};

/// One lexical scope. Scopes are never freed during a compilation: nested functions and generic bodies keep
/// pointing at the scope they were declared in. Entries are numbered in order of declaration over the whole
/// compilation, so that a nested function sees only what stood before it.
struct Scope {
    Scope* parent = nullptr;
    SourceFile* file = nullptr;      ///< module scope to continue in when the chain ends
    lower::Body* owner = nullptr;    ///< the function it belongs to; null: type parameters of a struct or function
    bool isFunctionBoundary = false; ///< crossing it outwards leaves a function: locals beyond are captures (lambda) or
                                     ///< errors (nested function)
    bool isLambda = false;
    uint32_t outerLimit = UINT32_MAX; ///< entries of the scopes around this one count only below this number
                                      ///< (set it on the parameter scope of a nested function: its envLimit)
    struct Entry {
        Name name;
        uint32_t number;
        Symbol* symbol;
    };
    llvm::SmallVector<Entry, 4> entries;
    llvm::DenseMap<Name, llvm::SmallVector<uint32_t, 1>> index; ///< built when a scope grows beyond 16 entries
};

struct ImportEdge {
    ModuleUnit* module = nullptr;
    const ast::ImportDecl* decl = nullptr;
    mutable bool used = false; ///< a name was found through it
};

/// A file of the program. Its own names, in one table.
struct SourceFile {
    FileId id{};
    std::string path; ///< normalised: identity, and where it lies
    ast::File tree;
    std::vector<const ast::Decl*> items; ///< after module-scope `inline if`, in order
    llvm::DenseMap<Name, Symbol*> names; ///< own declarations incl. namespace aliases
    std::vector<Symbol*> order;          ///< the same in order of declaration
    std::vector<ImportEdge> flatImports;
    bool isEntry = false, isLibrary = false; ///< library: found under a library root
    ModuleUnit* unit = nullptr;              ///< the single-file module of this file
};

/// What an import reaches: one file, or the files of a directory.
struct ModuleUnit {
    std::string path;               ///< as diagnostics spell it
    std::vector<SourceFile*> files; ///< byte-wise alphabetical for a directory
    bool isDirectory = false;
};

// ------------------------------------------------------------------------------------ error sets

struct FunctionInstance;

/// The tags with which something can end: a function, a closure shape, or an error variable. Edges are added
/// while bodies are lowered; `solveErrorSets` computes the least fix-point over the graph.
struct ErrorNode {
    llvm::SmallVector<uint32_t, 4> tags;   ///< own tags (ids), sorted by the solver
    llvm::SmallVector<ErrorNode*, 2> from; ///< everything these can end with, this can too
    bool throughValue = false;             ///< reached through a closure, function pointer or protocol value
    FunctionInstance* owner = nullptr;     ///< whose result it is; null: of a variable, a shape, branches that join
};

// ------------------------------------------------------------------------------------ functions

/// What a generic parameter is bound to in an instance.
struct Binding {
    Name name = Name::None;
    enum class Kind : uint8_t { Type, Value, Pack } kind{};
    TypeId type{};                 ///< Type: the type. Value: the value's type
    ConstValue value;              ///< Value; of a payload enum the tag alone where the value is passed at run time
    std::vector<TypeId> packTypes; ///< Pack: element types
    std::vector<ConstValue> packValues;
};
using Bindings = std::vector<Binding>;

/// A name that a signature introduces with `$`, in order of introduction.
struct GenericParam {
    Name name = Name::None;
    Binding::Kind kind{};
    const ast::Param* slot =
        nullptr; ///< the parameter that is it: `$T: Type`, `$n: i64`, `..$args`; null: `$T` inside a type
};

struct ParamInfo {
    Name name = Name::None;
    TypeId type{}; ///< a slice-variadic: the slice type. None for compile-time-only parameters
    const ast::Param* decl = nullptr;
    bool isVariadic = false; ///< `..xs: []T`
    bool isComptime = false; ///< `$T: Type`, `$n: i64`: no run-time argument
    bool isPack = false;     ///< expands to one run-time parameter per element
};

struct FunctionInstance {
    FunctionTemplate* tmpl = nullptr;
    Bindings bindings;
    Scope* paramScope = nullptr;   ///< type parameters and comptime values of this instance
    std::vector<ParamInfo> params; ///< as declared (packs not expanded)
    TypeId result{};               ///< None until known (inferred results are known after lowering)
    bool resultInferred = false;   ///< no result type written: known once the body is lowered
    bool signatureFailed = false, bodyFailed = false;
    bool errorLeaves = false; ///< something in the body lets an error out
    TypeId type{};            ///< the function type (run-time params, packs expanded)
    ir::FuncId func = ir::FuncId::None;
    enum class Body : uint8_t { NotLowered, InProgress, Done } body = Body::NotLowered;
    ErrorNode* errors = nullptr;               ///< of a bare-`!` function
    std::string name;                          ///< readable: `parse`, `Parser.next`, `max(i64)`
    TypeId builtType{};                        ///< of a type function: what it built
    const ast::Expr* instantiatedAt = nullptr; ///< outermost call, for `#error`
    const ast::Expr* askedBy = nullptr;        ///< the first call of a function that is not generic itself
    FunctionInstance* instantiatedBy = nullptr;
};

/// A function as declared; instances are made from it. A non-generic function has exactly one.
struct FunctionTemplate {
    const ast::FunctionDecl* decl = nullptr;
    SourceFile* file = nullptr;
    Scope* env = nullptr; ///< enclosing scope (type parameters of a generic struct, an outer function); null: module
    uint32_t envLimit = 0;
    TypeId ownerType{};                 ///< of a method: the struct (instance), enum or builtin
    std::string qualifiedName;          ///< `next` -> `Parser.next`, nested: `outer.inner`
    bool isGeneric = false;             ///< has `$` parameters or packs
    std::vector<GenericParam> generics; ///< in order of introduction
    TypeId protocol{};                  ///< of an impl or default method: the protocol it serves
    bool isNested = false;              ///< declared inside a function: may not touch its locals
    bool isImplMethod = false, isProtocolDefault = false;
    Symbol* symbol = nullptr;
    std::map<std::string, FunctionInstance*> instances; ///< by binding key; "" for non-generic
    bool isIntrinsic = false;
};

/// A function value `T.f`, `recv.f`, a ufcs or protocol call about to happen.
struct BoundMethod {
    enum class Kind : uint8_t { Method, Ufcs, ProtocolSlot, CallableField } kind{};
    Value receiver;
    FunctionTemplate* function = nullptr; ///< Method, Ufcs
    uint32_t protocolMethod = 0;          ///< ProtocolSlot: index into ProtocolInfo::methods
    TypeId protocol{};
    Span span; ///< `receiver.name`
    Span dot;
};

/// The elements of a pack within one instance.
struct PackInfo {
    Name name = Name::None;
    std::vector<TypeId> types;
    std::vector<Symbol*> elements;                       ///< one local per element; empty while only types are known
    TypeId protocol{};                                   ///< of `..xs: P`: elements show P's interface only
    const ast::Expr* protocolExpr = nullptr;             ///< `..xs: P(args)` with P parameterised
    struct ProtocolTemplate* protocolTemplate = nullptr; ///< of a bare parameterised `..xs: P`
};

// ------------------------------------------------------------------------------------ types

struct StructTemplate {
    const ast::StructDecl* decl = nullptr;
    SourceFile* file = nullptr;
    Scope* env = nullptr;
    uint32_t envLimit = 0;
    std::string name;
    std::map<std::string, TypeId> instances;
    std::vector<struct ImplInfo*> impls; ///< `impl P for Stack($T)`
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
    struct ProtocolTemplate* protocolTemplate = nullptr; ///< of an instance of a parameterised protocol
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

} // namespace sx::sema
