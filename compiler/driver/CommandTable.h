// The commands of `sx` and their options in one table: the command line is parsed by it, and help, completions and the
// manual page are made from it.
#pragma once

#include "driver/CommandLine.h"

#include "llvm/ADT/ArrayRef.h"

#include <initializer_list>

namespace sx::driver {

/// What follows a command beside its options.
enum class Operands {
    None,
    Raw,      ///< all arguments are those of another program
    Program,  ///< a file, then the arguments of the program
    File,     ///< one file
    Files,    ///< files and folders, one at least
    AnyFiles, ///< files and folders, or none
    Word,     ///< one word
    AnyWord,  ///< one word, or none
};

/// A set of commands.
using CommandSet = uint32_t;
constexpr CommandSet of(Command c) { return CommandSet{1} << static_cast<unsigned>(c); }

struct CommandRow {
    const char* name;
    Command command;
    Operands operands;
    const char* shown;       ///< the operands, as help shows them
    const char* summary;     ///< in the list of all commands
    const char* description; ///< above the options; "" if the summary says it all
    const char* words = "";  ///< the words that may be given, separated by blanks; "": any
};

/// An option may have a row for each group of commands where it means something else.
struct OptionRow {
    const char* name;
    CommandSet commands;      ///< that take it
    const char* value;        ///< what help calls its value; "": it takes none
    const char* help;         ///< lines; null: it is not shown. `{level}` is the level without an option
    const char* shown = "";   ///< instead of the name and the value
    const char* words = "";   ///< values that can be completed, separated by blanks
    bool isPackaging = false; ///< for systems where a program is a folder or an archive
};

llvm::ArrayRef<CommandRow> commandRows();
llvm::ArrayRef<OptionRow> optionRows();

const CommandRow& rowOf(Command);
/// Null if there is none of this name.
const CommandRow* findCommand(std::string_view name);

/// How an option is shown: `-o PATH`, `--dump=STAGE`.
std::string shownOption(const OptionRow&);
/// The lines of its help, for a command that takes it.
std::string helpOf(const OptionRow&, Command);

} // namespace sx::driver
