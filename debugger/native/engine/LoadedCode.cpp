#include "debugger/native/engine/LoadedCode.h"

#include "debugger/native/engine/AnnouncedCode.h"
#include "source/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <link.h>

namespace sx::debugger::native {

namespace {

/// `libm.so.6` is a file of the library `m`.
bool isFileOf(const std::string& library, const std::string& path) {
    llvm::StringRef file = llvm::StringRef(path).substr(path.rfind('/') + 1);
    return file.consume_front("lib" + library + ".so") && (file.empty() || file[0] == '.');
}

void read(Native& n, const TargetModule& module, CCode wanted) {
    auto first = static_cast<uint32_t>(n.image.copies().size());
    if (isFile(module.path)) n.program.readC({module.path, {}}, module.slide - n.slide, wanted);
    n.modules[{module.path, module.slide}] = {first, static_cast<uint32_t>(n.image.copies().size())};
}

/// The dynamic linker says what it is at to debuggers (`r_state` in <link.h>).
bool saysUnloading(Native& n) {
    uint64_t said = n.target->symbolAddress("_r_debug");
    return said != 0 && n.memory.word(said + offsetof(r_debug, r_state), 4) == r_debug::RT_DELETE;
}

/// Forgets the code of files that are not loaded any more. False: none of it was known.
bool forgetUnloaded(Native& n, const std::vector<TargetModule>& loaded) {
    bool wasKnown = false;
    for (auto at = n.modules.begin(); at != n.modules.end();) {
        const auto& [path, slide] = at->first;
        if (llvm::any_of(loaded, [&](const TargetModule& m) { return m.path == path && m.slide == slide; })) {
            ++at;
            continue;
        }
        auto [first, end] = at->second;
        if (first < end) n.program.forgetC(first, end);
        wasKnown |= first < end;
        n.afterWrites.clear();
        at = n.modules.erase(at);
    }
    return wasKnown;
}

/// What the program calls in C: linked into its file, and in the libraries that it names. What is compiled into memory
/// has its C code in files that the compiler has loaded. Whose beginning was not seen may have loaded more.
void readOwnCode(Native& n, const StartRequest& request) {
    if (!request.inMemory) n.program.readC({request.program, {}}, 0, CCode::OfProgram);
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

void leaveOutUnloaded(const Native& n, std::set<uint64_t>& addresses) {
    if (!n.isUnloading) return;
    auto isIn = [&](uint64_t address, std::pair<uint32_t, uint32_t> copies) {
        std::vector<uint32_t> at = n.image.copiesAt(n.toFile(address));
        return !at.empty() && copies.first <= at.front() && at.front() < copies.second;
    };
    std::erase_if(addresses, [&](uint64_t address) {
        return llvm::any_of(n.modules, [&](auto& module) { return isIn(address, module.second); });
    });
}

void readCode(Native& n, const StartRequest& request) {
    if (!n.program.readC) return;
    if (!n.image.isForeign()) readOwnCode(n, request);
    for (const TargetModule& module : n.target->modules()) n.modules.try_emplace({module.path, module.slide});
    if (!request.inMemory) watchAnnouncements(n);
    n.loadsCode = !n.isCore && mayLoadCode(n);
    if (n.loadsCode) n.target->command("settings set target.process.stop-on-sharedlibrary-events true");
}

bool hasLoadedCode(Native& n, const std::vector<ThreadStop>& stops) {
    auto stop = llvm::find_if(stops, [](const ThreadStop& s) { return s.kind == ThreadStop::Kind::Breakpoint; });
    if (!n.loadsCode || stop == stops.end()) return false;
    n.isUnloading = saysUnloading(n);
    std::vector<TargetModule> loaded = n.target->modules(), added;
    bool hasChanged = forgetUnloaded(n, loaded);
    for (const TargetModule& module : loaded)
        if (n.modules.try_emplace({module.path, module.slide}).second) added.push_back(module);
    if (added.empty() || !isCalledByProgram(n, stop->thread)) return hasChanged;
    size_t before = n.image.copies().size();
    for (const TargetModule& module : added) read(n, module, CCode::OfLibrary);
    hasChanged |= watchAnnouncements(n);
    return hasChanged || n.image.copies().size() != before;
}

} // namespace sx::debugger::native
