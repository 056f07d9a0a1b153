// The bit fields of C structs and unions in a program: the language has none, code reaches them by functions that the
// import of C headers writes (cimport/Records.cpp).
#pragma once

#include "sema/Sema.h"

namespace sx::debugger {

/// Notes in the type table what the records of C have of them (RecordsOfC). The program has been checked.
void noteBitFields(sema::Sema&);

} // namespace sx::debugger
