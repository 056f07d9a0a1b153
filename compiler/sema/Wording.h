// Words that messages share: names of types as they are shown, numbers with what they count.
#pragma once

#include "sema/Sema.h"
#include "source/Wording.h"
#include "types/TypeNames.h"

namespace sx::sema {

using sx::code;

/// A type's name as messages show it, in backticks.
inline std::string code(const TypeTable& types, TypeId t) { return code(writtenName(types, t)); }
inline std::string code(const Sema& sema, Name n) { return code(sema.names.text(n)); }
/// The same with "a" or "an" in front of it: an `i64`, a `u8`, a `?i64`.
std::string withArticle(const TypeTable& types, TypeId t);

/// "1 argument", "2 arguments".
std::string countOf(size_t n, std::string_view what);

/// How many arguments a callee takes: "2 arguments", "1 to 3 arguments", "at least 1 argument" (`isOpen`).
std::string argumentRange(size_t least, size_t most, bool isOpen);
/// "1 is given", "2 are given".
std::string givenCount(size_t n);

/// The help for a failable whose error cannot leave the function. `isPure`: it has no value that `or` could replace.
std::string handledHere(bool isPure);

} // namespace sx::sema
