// Impl blocks: registration, and which of them speak for a type (generics.md 4.3, 4.6, 4.12).
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Makes templates for the methods that an impl block writes.
void declareImplMethods(Sema&, ImplInfo&);

/// Makes the impls that a generic struct's `impl P for Head($T)` blocks mean for one instance.
void instantiateImpls(Sema&, NominalInfo& instance);

/// The same for the impls that patterns such as `Closure(..$args) -> $R` mean for one closure type.
void instantiatePatterns(Sema&, TypeId closure);

/// Declares all impl blocks of the program, once, and checks the context's defaults and the `$T` of result types (pass
/// 2 of modules-and-comptime 12.1).
void declareImpls(Sema&);
/// The same for a file that is loaded after that.
void declareImplsOf(Sema&, SourceFile&);
ImplInfo* findImpl(Sema&, TypeId protocol, TypeId concrete);
/// All impls of a protocol for a type (an impl of `Into` is visible or not by the file it stands in).
std::vector<ImplInfo*> findImpls(Sema&, TypeId protocol, TypeId concrete);
/// The impls of any instance of a parameterised protocol for a type.
std::vector<ImplInfo*> implsOf(Sema&, ProtocolTemplate&, TypeId concrete);

/// A value of `concrete` is erased to a protocol that holds its methods inline: `has_impl` sees that.
void noteInlineErasure(Sema&, TypeId protocol, TypeId concrete);

// ---- Conformance.cpp

/// The copy of a protocol's default method for one concrete type.
FunctionTemplate* defaultMethod(Sema&, TypeId protocol, unsigned method, TypeId concrete);

/// The template that implements a protocol's method for a concrete type that has an impl: the impl's own method, one
/// that it adopts, or the default. Null: none, or there is no impl.
FunctionTemplate* implTemplate(Sema&, TypeId protocol, unsigned method, TypeId concrete);

/// `Self` = concrete and the protocol's arguments: where the protocol's signatures resolve for one type.
Scope* protocolScope(Sema&, TypeId protocol, TypeId concrete);

/// The function that implements method `index` of a protocol for a concrete type, or null (not conforming).
FunctionInstance* implMethod(Sema&, TypeId protocol, unsigned index, TypeId concrete, Span at, std::string& why);

/// The code of each dispatchable method of (protocol, concrete), in slot order, as it stands in the vtable
/// or in a `#inline` value. nullopt after a conformance report at `at`.
std::optional<std::vector<ir::FuncId>> slotFunctions(Sema&, TypeId protocol, TypeId concrete, Span at);

/// Signature of the code in a slot: `(context?, ctx: *void, params…) -> result`, for CallIndirect.
TypeId slotType(Sema&, TypeId protocol, unsigned method);

/// Constant words of a protocol value that borrows a global; false if the type has no impl (reported at `at`).
bool writeProtocolConstant(Sema&, TypeId protocol, TypeId concrete, ir::GlobalId, Span at, ir::ConstData& out,
                           uint64_t offset);

/// Vtable constant of (protocol, concrete); None after a conformance report at `at`.
ir::GlobalId vtable(Sema&, TypeId protocol, TypeId concrete, Span at);

bool conforms(Sema&, TypeId protocol, TypeId concrete, std::string& why);

} // namespace sx::sema
