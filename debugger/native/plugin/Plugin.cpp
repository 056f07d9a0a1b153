// What the executable finds in this library, and how lldb is set up in a process.
#include "debugger/native/plugin/LldbTarget.h"

#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>

#include <dlfcn.h>

namespace sx::debugger::native {

namespace {

std::string folderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// lldb looks for its server beside itself, and where this variable says; distributions put it elsewhere.
void findServer() {
    if (std::getenv("LLDB_DEBUGSERVER_PATH")) return;
    Dl_info library{};
    std::vector<std::string> places;
    if (dladdr(reinterpret_cast<void*>(&lldb::SBDebugger::Initialize), &library) && library.dli_fname) {
        char* real = realpath(library.dli_fname, nullptr);
        std::string folder = folderOf(real ? real : library.dli_fname);
        std::free(real);
        places = {folder + "/lldb-server", folder + "/../bin/lldb-server", folder + "/../lib/llvm-19/bin/lldb-server",
                  folder + "/llvm-19/bin/lldb-server"};
    }
    places.insert(places.end(), {"/usr/lib/llvm-19/bin/lldb-server", "/usr/bin/lldb-server-19"});
    for (const std::string& place : places) {
        if (access(place.c_str(), X_OK) != 0) continue;
        setenv("LLDB_DEBUGSERVER_PATH", place.c_str(), 1);
        return;
    }
}

void initialize() {
    static std::once_flag once;
    std::call_once(once, [] {
        findServer();
        lldb::SBDebugger::Initialize();
    });
}

/// What lldb has of a program.
struct Remains {
    lldb::SBDebugger debugger;
    lldb::SBTarget target;
    lldb::SBProcess process;
};

/// Where a program is killed while lldb is about to let it run, lldb waits for seconds. Nobody else does: this process
/// may end meanwhile, and with it whatever it started.
void endInTime(Remains all, bool runs) {
    constexpr std::chrono::milliseconds Patience{250};
    auto done = std::make_shared<std::promise<void>>();
    std::future<void> end = done->get_future();
    std::thread([all, runs, done]() mutable {
        if (runs && all.process.IsValid()) all.process.Destroy();
        all.process = {};
        all.target = {};
        lldb::SBDebugger::Destroy(all.debugger);
        done->set_value();
    }).detach();
    end.wait_for(Patience);
}

} // namespace

LldbTarget::LldbTarget() {
    initialize();
    debugger_ = lldb::SBDebugger::Create(/*source_init_files=*/false);
    debugger_.SetScriptLanguage(lldb::eScriptLanguageNone); // or a package of Python is compiled, in each session
    debugger_.SetAsync(false);
    // What it says of its own accord, as at a watchpoint, is for nobody.
    if (FILE* nowhere = std::fopen("/dev/null", "w"))
        debugger_.SetOutputFileHandle(nowhere, /*transfer_ownership=*/true);
    const char* settings[][2] = {
        {"target.preload-symbols", "false"},
        {"target.auto-import-clang-modules", "false"},
        {"target.load-script-from-symbol-file", "false"},
        {"target.skip-prologue", "false"},
        {"plugin.jit-loader.gdb.enable", "on"},
        {"symbols.enable-external-lookup", "false"},
        {"target.experimental.inject-local-vars", "false"}, // names of the program are none of C++
        {"target.process.memory-cache-line-size", "4096"},  // a stop reads a page of the stack at once
        {"plugin.process.gdb-remote.packet-timeout", "60"}, // seconds: on a busy machine stacks ended early
    };
    for (auto& [name, value] : settings)
        lldb::SBDebugger::SetInternalVariable(name, value, debugger_.GetInstanceName());
}

LldbTarget::~LldbTarget() {
    line_.letGo();
    events_.end();
    breakpoints_.clear();
    watchpoints_.clear();
    endInTime({debugger_, target_, process_}, !isCore_);
}

std::string messageOf(const lldb::SBError& error) {
    if (error.Success()) return {};
    const char* text = error.GetCString();
    return text && *text ? text : "lldb gives no reason";
}

} // namespace sx::debugger::native

extern "C" {
__attribute__((visibility("default"))) uint32_t sx_native_version() { return sx::debugger::native::TargetVersion; }
__attribute__((visibility("default"))) sx::debugger::native::Target* sx_native_target() {
    return new sx::debugger::native::LldbTarget;
}
}
