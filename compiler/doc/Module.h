// What a module offers: its public names with their signatures and comments.
#pragma once

#include "syntax/Parser.h"

#include <optional>
#include <string>
#include <vector>

namespace sx::doc {

enum class Kind : uint8_t { Function, Type, Constant, Variable, Alias };

struct Entry {
    Kind kind{};
    std::string name;      ///< `print`, of a method `Writer.print`
    std::string signature; ///< as it is written, without a body
    std::string comment;   ///< what the comment above it says
    std::vector<std::string>
        errors; ///< the tags of its named error set, where the module or one it imports declares it
    std::optional<uint32_t> inferredAt{}; ///< the compiler infers its errors: the byte offset of its name
    std::string aliasOf;                  ///< of an alias: what it stands for
    std::vector<Entry> members;           ///< methods of a type
    std::string section;                  ///< the heading that it stands below; "" if there is none
};

struct Module {
    std::string path; ///< as it is imported: `modules/std/text.sx`
    std::string name; ///< what people call it: `std/text`
    std::string comment;
    std::vector<Entry> entries; ///< in the order of the file
};

/// Reads the public names of a parsed file. `errors` are found for sets that the file itself declares.
Module readModule(const SourceManager&, const ast::File&, const NameTable&, std::string path);
/// The name of a module by its path: without `modules/` and `.sx`.
std::string moduleName(const std::string& path);
/// The name of the file that a module's page goes into: `std-text.html`.
std::string pageFile(const Module&, const char* extension);
/// Fills in the errors of sets that other modules declare. All of them are known then.
void linkErrors(std::vector<Module>&);

} // namespace sx::doc
