// The bit fields of C structs and unions in a program: the language has none, code reaches them by functions that the
// import of C headers writes (cimport/Records.cpp).
#pragma once

#include "sema/Sema.h"

namespace sx::debugger {

/// Notes in the type table what the records of C have of them (RecordsOfC). The program has been checked.
void noteBitFields(sema::Sema&);

/// The bit fields that the text of a record's declaration has getters for, with types of basic names: of others an
/// integer of the same bits. `typeOf` knows further names; None: it does not.
std::vector<BitField> bitFieldsIn(std::string_view declaration, NameTable& names,
                                  llvm::function_ref<TypeId(std::string_view)> typeOf);

} // namespace sx::debugger
