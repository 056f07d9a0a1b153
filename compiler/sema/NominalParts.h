// Reading the parts of struct, enum, union and protocol declarations. Private to the completion of types.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Resolves the fields, variants, members or methods of a declared type and hands them to the type table.
/// Sets `failed` after a report.
void completeParts(Sema&, NominalInfo&);

/// The parts of an alias of an instance: those of the instance.
void completeAlias(Sema&, NominalInfo&);

/// Fields of the context, in their order, once declareContext has collected them.
void completeContext(Sema&, NominalInfo&, std::vector<StructField> fields);

} // namespace sx::sema
