// The files of a program and what they import.
#pragma once

#include "sema/model/Symbols.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sx::sema {

struct Program {
    std::vector<std::unique_ptr<SourceFile>> files;
    std::vector<std::unique_ptr<ModuleUnit>> units;
    SourceFile* entry = nullptr;
    SourceFile* prelude = nullptr; ///< library/modules/std.sx, if loaded
    std::map<std::string, SourceFile*> filesByPath;
    std::map<std::string, ModuleUnit*> unitsByPath;
    /// Files that were told to add an import, with the import.
    std::vector<std::pair<const SourceFile*, std::string>> importsAskedFor;
    std::vector<std::pair<const ast::ContextExtendDecl*, SourceFile*>> contextFields; ///< in their order
};

} // namespace sx::sema
