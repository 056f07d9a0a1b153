// Types as they are written.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Where a type expression is read.
struct TypeContext {
    Scope* scope = nullptr;
    uint32_t limit = UINT32_MAX; ///< entries of `scope` up to this number count
    SourceFile* file = nullptr;
    lower::Body* lowering = nullptr; ///< when inside a body: `type_of(x)`-like queries, captures of cursors
    bool quiet = false;              ///< do not report; None on failure
    bool resultPosition = false;     ///< result lists and error channels are allowed
};

/// The type that an expression spells. None after a report.
TypeId resolveType(Sema&, const ast::Expr*, const TypeContext&);
/// The same for the result of a function, which may be failable (errors.md 1).
TypeId resolveResultType(Sema&, const ast::Expr*, const TypeContext&);
/// The types that `..Ts`, `..xs.T` or `..F(Ts)` stands for. False after a report.
bool resolveSpread(Sema&, const ast::TypeElem&, const TypeContext&, llvm::SmallVectorImpl<TypeId>& out);
/// Anonymous struct, enum or union written in place: one type per shape.
TypeId anonymousType(Sema&, const ast::Decl&, const TypeContext&);
/// Calls a type function in type position. None after a report.
TypeId callTypeFunction(Sema&, FunctionTemplate&, const ast::Call&, const TypeContext&);

// ---- GenericStructs.cpp

TypeId instantiateStruct(Sema&, StructTemplate&, llvm::ArrayRef<Binding>, Span at);

TypeId instantiateProtocol(Sema&, ProtocolTemplate&, llvm::ArrayRef<TypeId>);

/// Binds the written arguments of a generic head: `Box(i64)`, `Ring(4, u8)`. False after a report.
bool bindStructArgs(Sema&, StructTemplate&, const ast::Call&, const TypeContext&, Bindings&);

std::string bindingKey(llvm::ArrayRef<Binding>);

/// The scope of a type's members or of an instance: binds `Self` (None: not) and generic parameters.
Scope* bindingScope(Sema&, Scope* parent, uint32_t limit, SourceFile*, TypeId self, llvm::ArrayRef<Binding>);

/// The run-time name of an instance, `Box__i64`: the head, then `__` and each argument's own name.
std::string instanceName(Sema&, const std::string& head, llvm::ArrayRef<Binding>);

/// The same as a program writes it: `Box(i64)`.
std::string writtenInstance(Sema&, const std::string& head, llvm::ArrayRef<Binding>);

/// The type that `NAME :: <type expression>;` binds: `type` itself, except that an alias of an instance of a
/// generic struct, or of a struct or enum that a type function made, is a type with the name and handle of its
/// own (generics.md 2.1). Values and pointers convert freely between the two: see `canonical`.
TypeId namedAlias(Sema&, TypeId type, const ast::Expr* written, std::string name);

/// What an alias instance is an alias of; of pointers, tuples and their like the same of what they are made of. Any
/// other type is its own.
TypeId canonical(Sema&, TypeId);

// ---- TypeHeads.cpp

/// True if the expression names a type in this context (without reporting).
bool namesType(Sema&, const ast::Expr*, const TypeContext&);

/// The builtin type of this spelling (`noreturn` and the keywords f32, f64, Type included). None: there is none.
TypeId builtinType(const Sema&, Name);

/// The declaration that a name or a chain `ns.name` in type position stands for, resolved. Null after a report.
Symbol* typeHead(Sema&, const ast::Expr*, const TypeContext&);

/// What `Self` means here.
TypeId selfScopeType(Sema&, const Scope*);

} // namespace sx::sema
