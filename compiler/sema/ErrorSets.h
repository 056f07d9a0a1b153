// Error sets: the graph of inferred ones, and what is judged when it is solved.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

ErrorNode* newErrorNode(Sema&);
/// Shared by all bare-`!` values of a shape.
ErrorNode* shapeNode(Sema&, TypeId functionOrClosureType);
void solveErrorSets(Sema&);
void reportMissingTags(Sema&, llvm::ArrayRef<Name> missing, TypeId set, Span at, const std::string& function);
/// Rejects those that no error of the program can have (MatchedTags.cpp).
void checkMatchedTags(Sema&);
bool setContains(const Sema&, TypeId set, Name tag);
/// Value-slot liveness (errors.md 8.2) and cleanup rules (9.1) on the top-level functions of the entry file.
void checkErrorFlow(Sema&);

std::string emptySetMessage(const std::string& name);

} // namespace sx::sema
