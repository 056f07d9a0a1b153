// What messages add about other places: where something is declared, what there is to choose from, what was meant.
#pragma once

#include "sema/Sema.h"

#include <string>

namespace sx::sema {

/// Where a field, variant, union member, error tag or protocol method of a type is declared; invalid: not by itself.
Span memberSpan(Sema&, TypeId, Name);

/// Notes for editors that the name at `at` is a field, variant or member of a type (Sema::uses).
inline void noteUse(Sema& sema, Span at, TypeId owner, Name member) {
    if (!sema.uses) return;
    if (Span declared = memberSpan(sema, owner, member); declared.isValid())
        sema.uses->all.push_back({at, nullptr, nullptr, declared, owner});
}
/// The same of a method or `ufcs` function.
inline void noteUse(Sema& sema, Span at, const FunctionTemplate& function) {
    if (sema.uses) sema.uses->all.push_back({at, nullptr, function.decl, {}, function.ownerType});
}

/// A note at the declaration of a nominal type. `offers`: with the names of its fields, variants or tags, if they are
/// few.
void noteType(Sema&, Diagnostic&, TypeId, bool offers = false);

/// A note at the declaration of a function.
void noteFunction(Diagnostic&, const FunctionTemplate&);

/// How many names the scopes around a place and its file declare.
size_t namesInSight(const Scope*, const SourceFile&);
/// Among so many names that which a wrong one may mean is looked for: always for the first errors of a program, and for
/// later ones as long as all of them together do not take much longer than its check.
bool isSearchedFor(const Diagnostics&, size_t names);

/// A help with the nearest of the candidates, if there is one near enough. `prefix` is put in front of it. False: none.
bool suggest(const Diagnostics&, Diagnostic&, std::string_view name, llvm::ArrayRef<std::string_view> candidates,
             std::string_view prefix = {});

/// The help for a name of another language where a value is expected (ForeignNames.def); "": it is none.
std::string_view foreignValue(std::string_view name);
/// The same after a dot.
std::string_view foreignMember(std::string_view name);

/// The same of a method that any value has elsewhere.
std::string_view foreignOfAny(std::string_view name);
/// What methods are called in the library that other languages call `name`.
std::vector<std::string_view> ownNames(std::string_view name);

/// An error has been reported at a place inside `span`: what follows from it is not said again.
bool rejectedWithin(const Diagnostics&, Span);

} // namespace sx::sema
