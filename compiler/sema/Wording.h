// Words that messages share: names of types as they are shown, numbers with what they count.
#pragma once

#include "sema/Sema.h"
#include "sema/Wording.h"

namespace sx::sema {

/// A type's name as messages show it.
inline std::string quoted(const TypeTable& types, TypeId t) { return "`" + types.writtenName(t) + "`"; }
/// The same with "a" or "an" in front of it: an `i64`, a `u8`, a `?i64`.
std::string withArticle(const TypeTable& types, TypeId t);

/// `text` in backticks, as messages show code.
inline std::string tick(std::string_view text) { return "`" + std::string(text) + "`"; }
inline std::string tick(const TypeTable& types, TypeId t) { return tick(types.writtenName(t)); }
inline std::string tick(const Sema& sema, Name n) { return tick(sema.names.text(n)); }

/// "1 argument", "2 arguments".
std::string countOf(size_t n, std::string_view what);

/// The help for a failable whose error cannot leave the function. `isPure`: it has no value that `or` could replace.
std::string handledHere(bool isPure);

} // namespace sx::sema
