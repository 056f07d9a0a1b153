// Where distributions of Linux keep their libraries.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace sx::codegen {

/// The folders that exist of those where an x86-64 system keeps libraries, below `sysroot` ("": the system's
/// own), best first.
std::vector<std::string> systemLibraryFolders(const std::string& sysroot);

/// Full path of the first of `folders` that has `file`; "" if none has it.
std::string findInFolders(const std::string& file, llvm::ArrayRef<std::string> folders);

/// What to hand to dlopen, in turn, for the library that `-l<name>` names.
std::vector<std::string> sharedLibraryCandidates(const std::string& name, llvm::ArrayRef<std::string> folders);

} // namespace sx::codegen
