// Where calls begin of functions whose code has no IR: debug information alone tells of them.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// `Statement::first` of such a place: there are no instructions.
constexpr ValueId EntryOfCall = ValueId::None;

inline bool isEntry(const Statement& statement) { return statement.first == EntryOfCall; }

} // namespace sx::ir
