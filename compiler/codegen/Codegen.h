// The compiled back end: IR to machine code, through LLVM. The only folder that includes LLVM code
// generation headers; nothing of LLVM is initialised before one of these functions runs.
#pragma once

#include "ir/ForeignCode.h"
#include "ir/Ir.h"
#include "source/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sx::codegen {

/// What programs are compiled for.
constexpr const char* TargetTriple = "x86_64-unknown-linux-gnu";

/// Functions of the library that the executable contains compiled (codegen/library/LibraryCode.h).
enum class LibraryCode : uint8_t {
    Compile, ///< are compiled as all others are
    Use,     ///< are called where they are
    Make,    ///< are what is compiled, to be contained
};

struct Options {
    int optLevel = 0;       ///< 0..3
    bool traces = true;     ///< false: no trace call, no Frame in the output; failing paths stay cold blocks
    bool checks = true;     ///< writes to constants are kept, so that they are noticed
    bool debugInfo = false; ///< DWARF; changes nothing of the code
    std::vector<std::string> libraryRoots; ///< where source files lie that are called by the path that imports them
    int dwarfVersion = 0;                  ///< 4 or 5; 0: what the target's debuggers know
    bool statementMarks = false;           ///< in debug information: ir/CodeMarks.h
    bool statementCode = false;            ///< each statement has code of its own at level 0, whoever is told of it
    bool originMarks = false;              ///< in debug information, instead of lines: codegen/CodeOrigins.h
    std::string recordedOptions;           ///< in debug information: what the program was compiled with
    std::string cacheFolder;               ///< where objects are kept and looked for; "": nowhere
    std::string cpu;                       ///< "" = baseline of the target
    std::function<void(Span, const std::string&)> reject; ///< told of errors with a place in the program: in assembly
    bool verify = false;                                  ///< check the LLVM code that is made; for tests
    LibraryCode libraryCode = LibraryCode::Compile;       ///< what becomes of the library's functions
    ir::ForeignCode* foreign = nullptr;                   ///< runInProcess: the C code of the program; may be null
    uint32_t parts = 0;                    ///< that unoptimised code is compiled in, side by side; 0: as its size says
    std::vector<std::string> libraryPaths; ///< runInProcess: where libraries are looked for before the system's folders
};

/// Milliseconds per stage, for `--time`.
struct Timings {
    double codegen = 0, emit = 0, jit = 0, link = 0;
};

/// The module's LLVM IR as text (after optimisation at the level given).
std::string llvmText(const ir::Module&, const Options&);
/// Assembly text.
Result<std::string> assembly(const ir::Module&, const Options&);
using ObjectFile = std::vector<char>; ///< a relocatable ELF object in memory
Result<ObjectFile> emitObject(const ir::Module&, const Options&, Timings* = nullptr);
/// The program as one or several objects, which are linked together: what is large is compiled in parts side by side.
Result<std::vector<ObjectFile>> emitObjects(const ir::Module&, const Options&, Timings* = nullptr);

/// What of the library is the same in every program, as far as the module uses it, as an object to be linked into the
/// compiler.
Result<ObjectFile> emitLibraryCode(const ir::Module&);

struct LinkOptions {
    std::string output;
    std::vector<std::string> libraryPaths, libraries, extraFlags;
    std::vector<std::string> objects; ///< files that are linked before the object
    std::string linkerCommand;        ///< "" = the linker in process
    std::string sysroot;
    bool debugInfo = false; ///< the script for gdb goes with it
    /// What else has to succeed: reads the executable while it has another name.
    std::function<Result<void>(const std::string& executable)> whenLinked;
};
/// Links objects (none: those of the options only) with the runtime (embedded in the compiler) and libc into an
/// executable. Writes the output only on success: never leaves a partial file.
Result<void> linkExecutable(const std::vector<ObjectFile>& objects, const LinkOptions&, Timings* = nullptr);

/// A program in this process, which stays there: calls its entry with the arguments (argv[0] included).
using LoadedProgram = std::function<int(const std::vector<std::string>& argv)>;

/// The symbols that the program needs (ir/NeededSymbols.h) and neither this process with the program's libraries nor,
/// as `isDefined` says, its C code has.
std::set<std::string> missingSymbols(const ir::Module&, const Options&,
                                     llvm::function_ref<bool(const std::string&)> isDefined);

/// Compiles the module into this process. Fails if it cannot be compiled or a symbol is missing.
Result<LoadedProgram> loadInProcess(const ir::Module&, const Options&, Timings* = nullptr);

/// Compiles the module into this process, calls its entry with the arguments (argv[0] included), and gives its exit
/// code. Fails if it cannot be compiled or a symbol is missing.
Result<int> runInProcess(const ir::Module&, const Options&, const std::vector<std::string>& argv, Timings* = nullptr);

/// Compiles and loads a module without a main. What is found in it: the functions that it exports and the symbols that
/// its assembly makes global. `exports` are functions of others that its assembly may call. What it needs besides are
/// the options' C code, the module's libraries and this process. The code stays for the rest of the process.
Result<std::unique_ptr<ir::ForeignCode>> loadModuleCode(ir::Module&, std::vector<std::string> exports, const Options&);

/// Two pieces of code as one. What both define is that of the first, which the second may call as an export. The second
/// one may be null.
std::unique_ptr<ir::ForeignCode> joinCode(std::unique_ptr<ir::ForeignCode> first,
                                          std::unique_ptr<ir::ForeignCode> second);

} // namespace sx::codegen
