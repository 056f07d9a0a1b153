// What the tree knows of tokens that their texts do not say: which `*` multiplies, which `(` calls, where statements
// begin.
#pragma once

#include "source/Source.h"
#include "syntax/Ast.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sx::format {

enum Mark : uint16_t {
    ItemStart = 1 << 0,   ///< begins a part of a list: a declaration, statement, member, argument, element, parameter
    Statement = 1 << 1,   ///< an item that gets a line of its own where its block does not fit on one
    ArmBody = 1 << 2,     ///< a statement directly under a `case`
    BinaryOp = 1 << 3,    ///< an operator between two operands
    CallParen = 1 << 4,   ///< the `)` of a call
    PrefixDot = 1 << 5,   ///< the dot of `.name`, `.{ … }` and `.[…]`
    TypeBracket = 1 << 6, ///< the `[` of a type
    Capture = 1 << 7,     ///< the first name, or its `*`, in the capture list of a loop
    SpacedColon = 1 << 8, ///< a variable's or constant's name, whose colon stands between blanks
    SpacedValue = 1 << 9, ///< a typed constant's value, whose colon stands between blanks
    Postfix = 1 << 10,    ///< a `!` that ends an operand or a type
    CatchValue = 1 << 11, ///< the value after `catch (e)`
    ModuleItem = 1 << 12, ///< of a text without a tree: probably begins a declaration of the module
};

/// Marks of the tokens of a file, by the byte at which each begins. Bytes inside of tokens have none.
using Marks = std::vector<uint16_t>;

/// Walks a tree without errors. `text` is that of the file, which begins at `start`.
Marks markTokens(const ast::File&, std::string_view text, SourcePos start);

} // namespace sx::format
