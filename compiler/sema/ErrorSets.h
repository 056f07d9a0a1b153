// Error sets: the graph of inferred ones, and what is judged when it is solved.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

ErrorNode* newErrorNode(Sema&);
/// The node that all bare-`!` values of a shape share.
ErrorNode* shapeNode(Sema&, TypeId functionOrClosureType);
void solveErrorSets(Sema&);
void reportMissingTags(Sema&, llvm::ArrayRef<Name> missing, TypeId set, Span at, const std::string& function);
bool setContains(const Sema&, TypeId set, Name tag);

std::string emptySetMessage(const std::string& name);

/// Every tag that `from` turns out to have must be in the named set; an error at `at` lists those that are not.
void requireTags(Sema&, ErrorNode* from, TypeId set, Span at, std::string function);
/// An arm of a match on errors names this tag.
void noteMatchedTag(Sema&, Name tag, Span at);
/// What a call through a protocol value can end with: whatever the impls of the method can that were noted.
ErrorNode& protocolErrors(Sema&, TypeId protocol, uint32_t method);
/// A type is erased to a protocol: what its methods can end with, calls through the protocol can.
void noteErasure(Sema&, TypeId protocol, TypeId concrete);
/// The same for all declared impls of a method. `isReached`: their bodies count even if nothing else in the program
/// gets to them.
void noteImpls(Sema&, TypeId protocol, uint32_t method, bool isReached);

} // namespace sx::sema
