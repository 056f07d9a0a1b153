// Where distributions of Linux keep their libraries.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sx {

/// The folders that exist of those where an x86-64 system keeps libraries, below `sysroot` ("": the system's
/// own), best first.
std::vector<std::string> systemLibraryFolders(const std::string& sysroot);

/// Whether `-l<name>` is a part of the C library: linked with every program, loaded in every process.
bool isPartOfLibc(llvm::StringRef name);

/// Full path of the first of `folders` that has `file`; "" if none has it.
std::string findInFolders(const std::string& file, llvm::ArrayRef<std::string> folders);

/// Full paths of what is installed as `<file>.<version>` in the system's folders: all there is of a library without
/// its development files. Reads whole folders.
std::vector<std::string> versionsOf(const std::string& file);

} // namespace sx
