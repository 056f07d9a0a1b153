#include "debugger/native/engine/LoadedCode.h"

#include "source/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace sx::debugger::native {

namespace {

/// `libm.so.6` is a file of the library `m`.
bool isFileOf(const std::string& library, const std::string& path) {
    llvm::StringRef file = llvm::StringRef(path).substr(path.rfind('/') + 1);
    return file.consume_front("lib" + library + ".so") && (file.empty() || file[0] == '.');
}

void read(Native& n, const TargetModule& module, CCode wanted) {
    if (isFile(module.path)) n.program.readC(module.path, module.slide - n.slide, wanted);
}

/// What the program calls in C: linked into its file, and in the libraries that it names. What is compiled into memory
/// has its C code in files that the compiler has loaded. Whose beginning was not seen may have loaded more.
void readOwnCode(Native& n, const StartRequest& request) {
    if (!request.inMemory) n.program.readC(request.program, 0, CCode::OfProgram);
    std::optional<TargetModule> ofCompiler; // the last one: before there are copies for what runs while compiling
    bool isFirst = true;
    for (const TargetModule& module : n.target->modules()) {
        bool isLibrary = llvm::any_of(n.program.module.libraries,
                                      [&](const std::string& name) { return isFileOf(name, module.path); });
        llvm::StringRef file = llvm::StringRef(module.path).substr(module.path.rfind('/') + 1);
        if (!std::exchange(isFirst, false) && (isLibrary || n.isAttached || n.isCore))
            read(n, module, CCode::OfLibrary);
        if (request.inMemory && file.starts_with("code") && file.ends_with(".so")) ofCompiler = module;
    }
    if (ofCompiler) read(n, *ofCompiler, CCode::OfProgram);
}

/// It is of C, or has C code, or calls the dynamic linker.
bool mayLoadCode(const Native& n) { return n.image.isForeign() || n.program.hasCCode; }

/// The program itself has asked for it; else libraries that it was linked with are loaded as it begins.
bool isCalledByProgram(Native& n, SystemThread thread) {
    constexpr uint32_t MostFrames = 200;
    for (uint32_t i = 0; i < MostFrames; ++i) {
        const StackFrame* f = n.stack.frame(thread, i);
        if (!f) return false;
        if (f->copy != UINT32_MAX) return true;
    }
    return true;
}

} // namespace

void readCode(Native& n, const StartRequest& request) {
    if (!n.program.readC) return;
    if (!n.image.isForeign()) readOwnCode(n, request);
    for (const TargetModule& module : n.target->modules()) n.modules.insert({module.path, module.slide});
    n.loadsCode = !n.isCore && mayLoadCode(n);
    if (n.loadsCode) n.target->command("settings set target.process.stop-on-sharedlibrary-events true");
}

bool hasLoadedCode(Native& n, const std::vector<ThreadStop>& stops) {
    auto stop = llvm::find_if(stops, [](const ThreadStop& s) { return s.kind == ThreadStop::Kind::Breakpoint; });
    if (!n.loadsCode || stop == stops.end()) return false;
    std::vector<TargetModule> added;
    for (const TargetModule& module : n.target->modules())
        if (n.modules.insert({module.path, module.slide}).second) added.push_back(module);
    if (added.empty() || !isCalledByProgram(n, stop->thread)) return false;
    size_t before = n.image.copies().size();
    for (const TargetModule& module : added) read(n, module, CCode::OfLibrary);
    return n.image.copies().size() != before;
}

} // namespace sx::debugger::native
