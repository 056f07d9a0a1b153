// Where calls begin of functions that debug information alone tells of.
#pragma once

#include "ir/Ir.h"

namespace sx::debugger {

/// `Statement::first` of such a place: there are no instructions of an IR.
constexpr ir::ValueId EntryOfCall = ir::ValueId::None;

inline bool isEntry(const ir::Statement& statement) { return statement.first == EntryOfCall; }

} // namespace sx::debugger
