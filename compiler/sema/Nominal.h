// Nominal types: structs, enums, unions, error sets, protocols, and their members.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

TypeId declareNominal(Sema&, const ast::Decl&, SourceFile&, Scope* env, uint32_t envLimit, std::string displayName);
/// Completes the fields, variants and members of a nominal type, which its layout needs. Does it once.
bool complete(Sema&, TypeId, Span at = {});
/// The same, with everything that the type contains by value.
bool completeDeep(Sema&, TypeId, Span at = {});
/// What is known of a nominal type; null for any other.
NominalInfo* nominal(Sema&, TypeId);
/// Completes every type that a type mentions, also through some levels of pointers, so that code may use it freely.
/// `at` is where it is written, for a message that has no better place.
void completeReachable(Sema&, TypeId, Span at = {});

// ---- Members.cpp

/// The members of any type, those of its impls included.
MemberTable& members(Sema&, TypeId);

void declareMembers(Sema&, NominalInfo&);

/// The method `name` of a concrete receiver type, for code inside `within` (null: any code): its own methods
/// first, then impl methods; in a default method of a protocol the protocol's methods are those of the impl.
FunctionTemplate* findMethod(Sema&, TypeId type, Name name, const FunctionTemplate* within);

} // namespace sx::sema
