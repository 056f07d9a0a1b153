#include "codegen/Linker.h"

#include "codegen/EmbeddedRuntime.h"
#include "codegen/LinkerInputs.h"
#include "codegen/Machine.h"
#include "codegen/Pipeline.h"
#include "source/Files.h"
#include "source/SystemLibraries.h"
#include "source/TemporaryFiles.h"
#include "source/Wording.h"

#include "lld/Common/Driver.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <sys/resource.h>

LLD_HAS_DRIVER(elf)

// lld 19 keeps these in variables of the process, as its own header lld/ELF/Symbols.h, which is not installed, declares
// them. All else it clears before it returns.
namespace lld::elf {
class Defined;
struct ElfSym {
    static Defined *bss, *etext1, *etext2, *edata1, *edata2, *end1, *end2, *globalOffsetTable, *relaIpltStart,
        *relaIpltEnd, *tlsModuleBase;
};
} // namespace lld::elf

namespace sx::codegen {

namespace {

constexpr llvm::StringLiteral ProgramLoader = "/lib64/ld-linux-x86-64.so.2";

/// The flags of `--lflags` as the linker itself knows them.
void appendLinkerFlags(llvm::ArrayRef<std::string> flags, std::vector<std::string>& args) {
    for (llvm::StringRef flag : flags) {
        if (!flag.consume_front("-Wl,")) {
            args.push_back(flag.str());
            continue;
        }
        llvm::SmallVector<llvm::StringRef, 4> parts;
        flag.split(parts, ',');
        for (llvm::StringRef part : parts) args.push_back(part.str());
    }
}

/// lld's messages without the program's name before each, and with names for the inputs in memory.
std::string readableMessages(llvm::StringRef messages, llvm::ArrayRef<MemoryFile> inputs) {
    std::string text;
    llvm::SmallVector<llvm::StringRef, 16> lines;
    messages.rtrim().split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : lines) {
        if (line.consume_front("ld.lld: ")) line.consume_front("error: ");
        if (!text.empty()) text += '\n';
        text += line;
    }
    for (const MemoryFile& input : inputs)
        for (size_t at = text.find(input.path()); at != std::string::npos; at = text.find(input.path(), at + 1))
            text.replace(at, input.path().size(), input.name());
    return text.empty() ? "the linker failed without a message" : text;
}

/// What a linker says of the file that it writes for the time being, in terms of the one that was asked for.
std::string ofOutput(std::string messages, const std::string& temporary, const std::string& output) {
    if (messages.find(std::strerror(EMFILE)) != std::string::npos) { // of each input
        rlimit limit{};
        getrlimit(RLIMIT_NOFILE, &limit);
        return "cannot link: too many open files (`ulimit -n` allows " + std::to_string(limit.rlim_cur) + ")";
    }
    for (size_t at = 0; (at = messages.find(temporary, at)) != std::string::npos; at += output.size())
        messages.replace(at, temporary.size(), output);
    const std::string opened = "cannot open output file " + output;
    size_t at = messages.find(opened);
    if (at == std::string::npos) return messages;
    llvm::StringRef reason = llvm::StringRef(messages).substr(at + opened.size()).split('\n').first;
    return "cannot write " + code(output) + reason.str();
}

/// Leaves lld where LLVM would end the process: so it does where a device takes no more.
void leaveLld(void* reason, const char* text, bool) {
    llvm::StringRef why = text;
    why.consume_front("IO failure on output stream: ");
    *static_cast<std::string*>(reason) = why.str();
    if (llvm::CrashRecoveryContext* lld = llvm::CrashRecoveryContext::GetCurrent()) lld->HandleExit(1);
}

/// Why lld came to a sudden end while it wrote `output`. It maps the file into memory: a full disk is a signal.
std::string suddenEnd(int exit, const std::string& reason, const std::string& output) {
    constexpr uint64_t Enough = 1 << 20; // bytes: a disk with more was not full
    llvm::StringRef folder = llvm::sys::path::parent_path(output);
    llvm::ErrorOr<llvm::sys::fs::space_info> space = llvm::sys::fs::disk_space(folder.empty() ? "." : folder);
    std::string why = reason.empty() ? "the linker died of signal " + std::to_string(exit - 128) : reason;
    if (reason.empty() && space && space->available < Enough) why = std::strerror(ENOSPC);
    return "cannot write " + code(output) + ": " + why;
}

/// The symbols of a link before this one are gone, and lld would write to those that this one does not define.
void forgetEarlierSymbols() {
    using Symbols = lld::elf::ElfSym;
    for (lld::elf::Defined** symbol : {&Symbols::bss, &Symbols::etext1, &Symbols::etext2, &Symbols::edata1,
                                       &Symbols::edata2, &Symbols::end1, &Symbols::end2, &Symbols::globalOffsetTable,
                                       &Symbols::relaIpltStart, &Symbols::relaIpltEnd, &Symbols::tlsModuleBase})
        *symbol = nullptr;
}

Result<void> runLld(llvm::ArrayRef<std::string> args, llvm::ArrayRef<MemoryFile> inMemory, const std::string& output) {
    startLlvm();
    static std::mutex oneAtATime; // sessions of the debugger build side by side
    std::lock_guard<std::mutex> lock(oneAtATime);
    forgetEarlierSymbols();
    llvm::SmallVector<const char*, 32> argv;
    for (const std::string& arg : args) argv.push_back(arg.c_str());
    std::string messages, reason;
    llvm::raw_string_ostream out(messages);
    llvm::CrashRecoveryContext::Enable();
    lld::Result result;
    {
        llvm::ScopedFatalErrorHandler handler(leaveLld, &reason);
        // Comes back even after a fatal error, and clears lld's state for the next time.
        result = lld::lldMain(argv, out, out, {{lld::Gnu, &lld::elf::link}});
    }
    llvm::CrashRecoveryContext::Disable();
    if (result.retCode == 0) return {};
    if (result.retCode > 128 || !reason.empty()) return Failure{suddenEnd(result.retCode, reason, output)};
    return Failure{readableMessages(messages, inMemory)};
}

struct Input {
    std::string name; ///< that messages show
    llvm::StringRef content;
};

/// What is linked, in the order in which it needs each other.
std::vector<Input> inputsOf(llvm::ArrayRef<ObjectFile> objects, bool debugInfo) {
    std::vector<Input> inputs;
    for (const ObjectFile& object : objects) {
        std::string number = objects.size() > 1 ? std::to_string(inputs.size() + 1) : "";
        inputs.push_back({"program" + number + ".o", {object.data(), object.size()}});
    }
    inputs.insert(inputs.end(), {{"libsxprogram.a", programLibrary()}, {"libsxtrace.a", traceLibrary()}});
    if (debugInfo) inputs.push_back({"gdb_script.o", gdbScript()});
    return inputs;
}

} // namespace

Result<void> Linker::findStartFiles() {
    systemFolders_ = systemLibraryFolders(options_.sysroot);
    for (auto [file, path] : {std::pair{"crt1.o", &crt1_}, {"crti.o", &crti_}, {"crtn.o", &crtn_}}) {
        *path = findInFolders(file, systemFolders_);
        if (!path->empty()) continue;
        return Failure{std::string("cannot find ") + file + " of the C library; is its development package installed?"};
    }
    return {};
}

std::vector<std::string> Linker::lldArguments(llvm::ArrayRef<std::string> inputs, const std::string& output) const {
    // One thread: starting more takes longer than a link of a few megabytes.
    std::vector<std::string> args{"ld.lld",
                                  "-m",
                                  "elf_x86_64",
                                  "--threads=1",
                                  "--no-pie",
                                  "--gc-sections",
                                  "--eh-frame-hdr",
                                  "--hash-style=gnu",
                                  "-dynamic-linker",
                                  ProgramLoader.str(),
                                  "-o",
                                  output};
    // What debug information says of sections that were dropped lies nowhere, instead of at address 0 and upward.
    args.insert(args.end(), {"-z", "dead-reloc-in-nonalloc=.debug_*=0xffffffffffffffff"});
    args.push_back("--no-mmap-output-file"); // else it is written under a name that a signal may leave
    if (!options_.sysroot.empty()) args.push_back("--sysroot=" + options_.sysroot);
    args.insert(args.end(), {crt1_, crti_});
    args.insert(args.end(), inputs.begin(), inputs.end());
    for (const std::string& path : options_.libraryPaths) args.push_back("-L" + path);
    for (const std::string& folder : systemFolders_) args.push_back("-L" + folder);
    appendLinkerFlags(options_.extraFlags, args);
    for (const std::string& library : options_.libraries)
        if (!isPartOfLibc(library)) args.push_back("-l" + library);
    args.insert(args.end(), {"--as-needed", "-lm", "-lc", crtn_});
    return args;
}

Result<void> Linker::linkInProcess(llvm::ArrayRef<ObjectFile> objects, const std::string& output) {
    if (Result<void> found = findStartFiles(); !found) return found;
    std::vector<MemoryFile> files;
    std::vector<std::string> inputs = options_.objects;
    for (const auto& [name, content] : inputsOf(objects, options_.debugInfo)) {
        files.emplace_back(name);
        if (Result<void> written = files.back().write(content); !written) return written;
        inputs.push_back(files.back().path());
    }
    return runLld(lldArguments(inputs, output), files, options_.output);
}

std::vector<std::string> Linker::commandArguments(llvm::ArrayRef<std::string> inputs, const std::string& output) const {
    llvm::SmallVector<llvm::StringRef, 4> words;
    llvm::SplitString(options_.linkerCommand, words);
    std::vector<std::string> args;
    for (llvm::StringRef word : words) args.push_back(word.str());
    args.insert(args.end(), {"-no-pie", "-Wl,--gc-sections", "-o", output});
    if (!options_.sysroot.empty()) args.push_back("--sysroot=" + options_.sysroot);
    args.insert(args.end(), inputs.begin(), inputs.end());
    for (const std::string& path : options_.libraryPaths) args.push_back("-L" + path);
    args.insert(args.end(), options_.extraFlags.begin(), options_.extraFlags.end());
    for (const std::string& library : options_.libraries)
        if (!isPartOfLibc(library)) args.push_back("-l" + library);
    args.insert(args.end(), {"-Wl,--as-needed", "-lm"});
    return args;
}

Result<void> Linker::linkWithCommand(llvm::ArrayRef<ObjectFile> objects, const std::string& output) {
    TemporaryFolder folder;
    std::vector<std::string> inputs = options_.objects;
    for (const auto& [name, content] : inputsOf(objects, options_.debugInfo)) {
        inputs.push_back(folder.path() + "/" + name);
        if (Result<void> written = folder.write(inputs.back(), content); !written) return written;
    }
    return runCommand(commandArguments(inputs, output), folder.path() + "/messages");
}

Result<void> Linker::link(llvm::ArrayRef<ObjectFile> objects) {
    if (llvm::sys::fs::is_directory(options_.output))
        return Failure{"cannot write " + code(options_.output) + ": it is a directory"};
    return replaceFile(options_.output, [&](const std::string& output) -> Result<void> {
        Result<void> linked =
            options_.linkerCommand.empty() ? linkInProcess(objects, output) : linkWithCommand(objects, output);
        if (!linked) return Failure{ofOutput(linked.error(), output, options_.output)};
        return options_.whenLinked ? options_.whenLinked(output) : linked;
    });
}

Result<void> linkSharedObject(llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> libraries,
                              llvm::ArrayRef<std::string> libraryPaths, const std::string& output) {
    std::vector<std::string> args{"ld.lld",         "-m", "elf_x86_64", "--threads=1", "-shared", "-Bsymbolic",
                                  "--eh-frame-hdr", "-z", "undefs",     "-o",          output};
    args.insert(args.end(), inputs.begin(), inputs.end());
    std::vector<std::string> folders(libraryPaths.begin(), libraryPaths.end());
    for (const std::string& path : libraryPaths) args.insert(args.end(), {"-rpath", path});
    for (const std::string& folder : systemLibraryFolders("")) folders.push_back(folder);
    for (const std::string& library : libraries) {
        if (isPartOfLibc(library)) continue;
        std::string file = "lib" + library + ".so", path = findInFolders(file, folders);
        std::vector<std::string> versions = path.empty() ? versionsOf(file) : std::vector<std::string>();
        if (!versions.empty()) path = versions.front();
        if (!path.empty()) args.push_back(path);
    }
    for (const std::string& folder : folders) args.push_back("-L" + folder);
    args.insert(args.end(), {"--as-needed", "-lm", "-lc"});
    return runLld(args, {}, output);
}

Result<void> linkExecutable(const std::vector<ObjectFile>& objects, const LinkOptions& options, Timings* timings) {
    StageTimer timer;
    Result<void> linked = Linker(options).link(objects);
    timer.addTo(timings ? &timings->link : nullptr);
    return linked;
}

} // namespace sx::codegen
