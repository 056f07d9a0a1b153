#include "codegen/RuntimeSymbols.h"

#include "codegen/SystemLibraries.h"

#include "args.h"
#include "panic.h"
#include "sx/trace.h"

#include "llvm/ADT/StringSwitch.h"

#include <cstdlib>
#include <dlfcn.h>

namespace sx::codegen {

namespace {

template <class Function> void* address(Function* function) { return reinterpret_cast<void*>(function); }

} // namespace

void* runtimeSymbol(llvm::StringRef name) {
    return llvm::StringSwitch<void*>(name)
        .Case("sx_trace_raise", address(sx_trace_raise))
        .Case("sx_trace_push", address(sx_trace_push))
        .Case("sx_trace_link", address(sx_trace_link))
        .Case("sx_trace_absorb", address(sx_trace_absorb))
        .Case("sx_trace_clear", address(sx_trace_clear))
        .Case("sx_trace_len", address(sx_trace_len))
        .Case("sx_trace_truncated", address(sx_trace_truncated))
        .Case("sx_trace_omitted", address(sx_trace_omitted))
        .Case("sx_trace_frame_at", address(sx_trace_frame_at))
        .Case("sx_trace_chains", address(sx_trace_chains))
        .Case("sx_trace_chain_at", address(sx_trace_chain_at))
        .Case("sx_trace_capture", address(sx_trace_capture))
        .Case("sx_trace_restore", address(sx_trace_restore))
        .Case("sx_trace_capture_newest", address(sx_trace_capture_newest))
        .Case("sx_trace_resume", address(sx_trace_resume))
        .Case("sx_trace_swap", address(sx_trace_swap))
        .Case("sx_trace_set_resolver", address(sx_trace_set_resolver))
        .Case("sx_trace_render", address(sx_trace_render))
        .Case("sx_trace_format", address(sx_trace_format))
        .Case("sx_trace_print", address(sx_trace_print))
        .Case("sx_trace_report_unhandled", address(sx_trace_report_unhandled))
        .Case("sx_trace_line_window", address(sx_trace_line_window))
        .Case("sx_panic_message", address(sx_panic_message))
        .Case("sx_panic_index", address(sx_panic_index))
        .Case("sx_panic_slice", address(sx_panic_slice))
        .Case("sx_program_start", address(sx_program_start))
        .Case("sx_program_argc", address(sx_program_argc))
        .Case("sx_program_argv", address(sx_program_argv))
        .Case("sx_comptime_frames", address(sx_comptime_frames))
        .Case("atexit", address(atexit)) // glibc has it in the static part of libc only
        .Default(nullptr);
}

bool LoadedLibraries::open(const std::string& file) {
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle) handles_.push_back(handle);
    return handle != nullptr;
}

bool LoadedLibraries::load(const std::string& name, llvm::ArrayRef<std::string> paths, std::string& error) {
    if (isPartOfLibc(name)) return true;
    std::string file = "lib" + name + ".so";
    for (const std::string& path : paths)
        if (open(path + "/" + file)) return true;
    if (open(file)) return true;
    for (const std::string& version : versionsOf(file))
        if (open(version)) return true;
    error = "cannot load the library '" + name + "'";
    return false;
}

void* LoadedLibraries::find(const std::string& symbol) const {
    for (void* handle : handles_)
        if (void* found = dlsym(handle, symbol.c_str())) return found;
    return dlsym(RTLD_DEFAULT, symbol.c_str());
}

} // namespace sx::codegen
