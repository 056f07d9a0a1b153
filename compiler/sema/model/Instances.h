// Functions as declared, their instances, and which have been lowered.
#pragma once

#include "sema/model/Symbols.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <utility>
#include <vector>

namespace sx::sema {

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
    /// The parameter that is it: `$T: Type`, `$n: i64`, `..$args`; null: `$T` inside a type.
    const ast::Param* slot = nullptr;
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
    /// Type parameters and comptime values of this instance; null: it has none, and sees its module only.
    Scope* paramScope = nullptr;
    std::vector<ParamInfo> params; ///< as declared (packs not expanded)
    TypeId result{};               ///< None until known (inferred results are known after lowering)
    bool resultInferred = false;   ///< no result type written: known once the body is lowered
    bool signatureFailed = false, bodyFailed = false;
    bool usesRejected = false; ///< something in the body was rejected, there or where it is declared
    bool errorLeaves = false;  ///< something in the body lets an error out
    TypeId type{};             ///< the function type (run-time params, packs expanded)
    ir::FuncId func = ir::FuncId::None;
    enum class Body : uint8_t { NotLowered, InProgress, Done } body = Body::NotLowered;
    ErrorNode* errors = nullptr;               ///< of a bare-`!` function
    std::string name;                          ///< readable: `parse`, `Parser.next`, `max(i64)`
    TypeId builtType{};                        ///< of a type function: what it built
    const ast::Expr* instantiatedAt = nullptr; ///< outermost call, for `#error`
    const ast::Expr* askedBy = nullptr;        ///< the first call of this instance
    /// The outermost call that led to it, through generic functions and methods of generic structs; null for others.
    const ast::Expr* askedFrom = nullptr;
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
    FunctionInstance* unbound = nullptr;          ///< the instance without bindings
    llvm::StringMap<FunctionInstance*> instances; ///< the others, by binding key
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
    std::vector<Symbol*> elements;                ///< one local per element; empty while only types are known
    TypeId protocol{};                            ///< of `..xs: P`: elements show P's interface only
    const ast::Expr* protocolExpr = nullptr;      ///< `..xs: P(args)` with P parameterised
    ProtocolTemplate* protocolTemplate = nullptr; ///< of a bare parameterised `..xs: P`
};

struct Instances {
    std::vector<FunctionInstance*> worklist;
    std::vector<FunctionInstance*> byFunc;       ///< by FuncId; null for functions that the compiler made
    unsigned depth = 0;                          ///< bodies being lowered, one inside another
    llvm::StringMap<FunctionTemplate*> exported; ///< by C symbol
    llvm::StringMap<ir::FuncId> externs;         ///< by C symbol
    llvm::StringMap<ir::FuncId> runtime;         ///< C functions that compiled code calls by itself
    std::map<std::pair<uint32_t, TypeId>, ir::FuncId> adapters; ///< by what they adapt and the closure type
    llvm::StringMap<uint32_t> symbolUse;                        ///< how often a symbol's name was asked for
};

} // namespace sx::sema
