// The limits of number types: `i64.max`, `f32.epsilon`.
#pragma once

#include "sema/model/Value.h"
#include "syntax/Ast.h"

#include <optional>
#include <string_view>

namespace sx::sema {

struct Sema;

/// `T.max` and its like; nullopt: T has no such limit.
std::optional<Value> numericLimit(const TypeTable&, TypeId, std::string_view accessor);

/// Such a name, of any type.
bool isLimitName(std::string_view accessor);

/// The builtin type of `f64.max`: a bare name of one is that type for its limits, also where a value `` `f64 `` is in
/// scope. None: the member is none of these.
TypeId limitOwner(const Sema&, const ast::Member&);

} // namespace sx::sema
