// C sources that are part of a program: compiled by the system's C compiler, then linked with the program, or loaded
// into this process (docs/c-interface.md).
#pragma once

#include "ir/ForeignCode.h"
#include "ir/Ir.h"
#include "source/TemporaryFiles.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace sx::codegen {

/// One file of C.
struct CFile {
    std::string path;                 ///< absolute
    std::string shown;                ///< as messages spell it
    std::vector<std::string> options; ///< for the C compiler, in order
    std::string content;              ///< where there is no path
};

struct CCodeOptions {
    int optLevel = 0; ///< 0..3, unless the options of a file say otherwise
    bool debugInfo = false;
    std::string sysroot;
    std::vector<std::string> libraries, libraryPaths;   ///< of the program: what the C code may need, too
    const std::vector<ir::AsmText>* assembly = nullptr; ///< of the program: the C code may have symbols from there
};

class CCode {
public:
    /// `exports`: functions of the program that C code may call.
    CCode(std::vector<CFile> files, std::vector<std::string> exports, CCodeOptions);

    bool isEmpty() const { return files_.empty(); }
    /// Compiles all files, once. Fails with what the C compiler says, or that a symbol is defined twice.
    Result<void> compile();
    /// What there is to link after `compile`: objects, and the library that the C compiler's code needs.
    const std::vector<std::string>& objects() const { return objects_; }
    /// Whether the code defines a symbol; after `compile`.
    bool defines(const std::string& symbol) const { return !definedIn_.lookup(symbol).empty(); }
    /// Loads a copy of the code into this process. Fails with all symbols that nobody has, if that is what is wrong.
    Result<std::unique_ptr<ir::ForeignCode>> load();

private:
    Result<void> compileAll();
    Result<void> compileOne(const std::string& compiler, const CFile&, const std::string& object);
    Result<void> noteSymbols(const CFile&, const std::string& object);
    Failure notLoaded(const std::string& path, llvm::StringRef reason) const;
    Result<void> linkShared(const std::string& output);
    Result<std::string> exportObject();

    std::vector<CFile> files_;
    std::vector<std::string> exports_;
    CCodeOptions options_;
    std::unique_ptr<TemporaryFolder> folder_;
    std::optional<Result<void>> compiled_;
    std::vector<std::string> objects_;
    llvm::StringMap<std::string> definedIn_; ///< file by symbol
    bool usesAssembly_ = false;              ///< a symbol is defined by the assembly of the program
    unsigned copies_ = 0;
};

} // namespace sx::codegen
