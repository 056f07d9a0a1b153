// What is expected at a place where something is typed.
#pragma once

#include "server/features/Syntax.h"

#include <string>
#include <vector>

namespace sx::server {

/// What a name may stand for.
enum class Wanted : uint8_t { Anything, Protocol, Type, ErrorSet };

/// `offset` is where the name begins.
Wanted wantedAt(const Syntax&, uint32_t offset);

/// The enum whose variant is wanted at the dot that begins an operand: by what the check expects there, by the field,
/// element or declaration that it is given to, or by the parameter of the call around. None: nothing says.
TypeId expectedEnum(View&, const Syntax&, uint32_t dot);

/// The struct that a literal is of, whose brace is this token: by what is written before it, or by what is expected
/// there. None: nothing says.
TypeId literalStruct(View&, const Syntax&, size_t brace);

/// Whether the dot at this token begins an operand: no value or type stands before it whose member it would name.
bool beginsOperand(const Syntax&, size_t dot);

/// The type that an expression names at a place; None: it names none.
TypeId typeNamed(View&, const std::string& written, SourcePos at);

/// The function whose error the match behind `catch (e)` is about; `equals` is its `==`. Null: it is no such match.
const Declaration* caughtCall(View&, const Syntax&, size_t equals);

/// A method that an `impl` has to have.
struct MissingMethod {
    std::string name;
    std::string text; ///< a whole method with an empty body
    std::string comment;
};
/// Of the `impl` whose braces are around a place at which a member may begin.
std::vector<MissingMethod> missingMethodsAt(View&, const Syntax&, uint32_t offset);

} // namespace sx::server
