// What the debug console keeps: results, which are called `$1`, `$2`, …, and variables that were declared there. Both
// lie in memory of the program, and are gone with it.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/inspect/Datum.h"

namespace sx::debugger {

struct Session;

struct Console {
    std::vector<Engine::GivenPlace> results, variables;

    /// Memory of the program, 16-byte aligned, that stays. 0: there is none.
    uint64_t allocate(Engine&, uint64_t bytes);
    void clear() { *this = {}; }

private:
    uint64_t at_ = 0, left_ = 0; ///< of the block that is being used up
};

/// An expression as the compiler reads it: a result has a name of the same length in place of `$1`.
struct ConsoleText {
    std::string text;
    std::vector<Engine::GivenPlace> given; ///< what it may name beyond the program
    /// A message of the compiler, with the names that the client knows.
    std::string told(std::string message) const;
};
/// Fails where the text names a result that is not there.
Result<ConsoleText> readAtConsole(const Console&, const std::string& text);

/// What a statement of the console declares.
struct Declared {
    std::string name;
    bool isConstant = false; ///< with `::`
    bool isError = false;    ///< its value is written as an error: `e := error.Bad`
};
/// What statements declare, in their order; nothing where the text is no list of statements.
std::vector<Declared> declarationsIn(const std::string& statements);

/// What is said where `---` is given to what is there already.
inline constexpr const char* NoValue = "`---` is no value that could be assigned";
/// The statements assign `---`, which leaves a variable as it is.
bool assignsNothing(const std::string& statements);
/// The last statement declares a function or a type, which nothing could use.
bool endsInDeclaration(const std::string& statements);

/// Copies a value to memory of the program. The name is the caller's to give.
Result<Engine::GivenPlace> keepValue(Session&, const Datum&);
/// A value that the console shows is called `$N` from now on, if there is room for it. What it refers to is the
/// program's then. `reading`: what gave it.
void keepResult(Session&, Datum&, std::shared_ptr<const Engine::Reading> reading);
/// Declares variables: the value of one, or the parts of a struct with one for each of several. `readings`: an
/// expression for the value of each.
Result<Datum> declareVariables(Session&, const std::vector<Declared>&, const Datum&,
                               const std::vector<std::shared_ptr<const Engine::Reading>>& readings);

} // namespace sx::debugger
