// Nominal types: structs, enums, unions, error sets, protocols, and their members.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

TypeId declareNominal(Sema&, const ast::Decl&, SourceFile&, Scope* env, uint32_t envLimit, std::string displayName);
/// Completes fields, variants, members… of a nominal type (idempotent; needed before layout).
bool complete(Sema&, TypeId, Span at = {});
/// Also everything it contains by value.
bool completeDeep(Sema&, TypeId, Span at = {});
/// Null for non-nominal types.
NominalInfo* nominal(Sema&, TypeId);
/// Of any type; impl methods included.
MemberTable& members(Sema&, TypeId);
/// Completes every type that a type mentions, also through some levels of pointers, so that code may use it freely.
void completeReachable(Sema&, TypeId);
void declareMembers(Sema&, NominalInfo&);
/// The method `name` of a concrete receiver type, for code inside `within` (null: any code): its own methods
/// first, then impl methods; in a default method of a protocol the protocol's methods are those of the impl.
FunctionTemplate* findMethod(Sema&, TypeId type, Name name, const FunctionTemplate* within);

} // namespace sx::sema
