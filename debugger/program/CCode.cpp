#include "debugger/program/CCode.h"

#include "ir/Ir.h"
#include "sema/ExternDecls.h"
#include "source/CCode.h"
#include "source/Files.h"
#include "source/LoadedLibraries.h"
#include "source/Wording.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <dlfcn.h>
#include <optional>

namespace sx::debugger {

namespace {

/// A folder that lasts as long as this.
class Folder {
public:
    Folder() { static_cast<void>(llvm::sys::fs::createUniqueDirectory("sx-c", path_)); }
    ~Folder() { static_cast<void>(llvm::sys::fs::remove_directories(path_)); }
    Folder(const Folder&) = delete;
    std::string file(const std::string& name) const { return (path_ + "/" + name).str(); }

private:
    llvm::SmallString<64> path_;
};

class LoadedCode : public ir::ForeignCode {
public:
    LoadedCode(void* handle, std::string path, std::vector<std::string> exports)
        : handle_(handle), path_(std::move(path)), exports_(std::move(exports)),
          table_(static_cast<void**>(dlsym(handle, ExportTable))) {}

    /// What the code needs is found by its handle as well, and is not its own.
    void* find(const std::string& symbol) override {
        if (std::find(exports_.begin(), exports_.end(), symbol) != exports_.end()) return nullptr;
        void* address = dlsym(handle_, symbol.c_str());
        Dl_info where;
        return address && dladdr(address, &where) && path_ == where.dli_fname ? address : nullptr;
    }
    const std::vector<std::string>& exports() const override { return exports_; }
    void provide(size_t index, void* address) override { table_[index] = address; }

private:
    void* handle_;
    std::string path_;
    std::vector<std::string> exports_;
    void** table_;
};

class Builder {
public:
    Builder(const std::vector<sema::CFile>& files, std::string compiler)
        : files_(files), compiler_(std::move(compiler)) {}

    Result<std::unique_ptr<ir::ForeignCode>> load(std::vector<std::string> exports) {
        std::vector<std::string> link{
            compiler_, "-shared", "-Wl,-Bsymbolic", "-o", folder_.file("code.so"), folder_.file("exports.s")};
        if (Result<void> kept = writeFile(folder_.file("exports.s"), exportAssembly(exports)); !kept)
            return kept.failure();
        for (size_t i = 0; i < files_.size(); ++i) {
            std::string object = folder_.file(std::to_string(i) + ".o");
            if (Result<void> done = compile(files_[i], object); !done) return done.failure();
            link.push_back(object);
        }
        if (Result<void> linked = run(link, "cannot link the C code of the program"); !linked) return linked.failure();
        void* handle = dlopen(link[4].c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) return Failure{std::string("cannot load the C code of the program: ") + dlerror()};
        return std::unique_ptr<ir::ForeignCode>(std::make_unique<LoadedCode>(handle, link[4], std::move(exports)));
    }

private:
    Result<void> compile(const sema::CFile& file, const std::string& object) {
        std::string path = file.source.path;
        if (path.empty()) {
            path = object + ".c";
            if (Result<void> kept = writeFile(path, file.content); !kept) return kept;
        }
        std::vector<std::string> arguments{compiler_, "-c", "-fPIC", "-g"};
        arguments.insert(arguments.end(), file.source.options.begin(), file.source.options.end());
        arguments.insert(arguments.end(), {path, "-o", object});
        return run(arguments, "cannot compile " + code(file.source.shown));
    }

    Result<void> run(const std::vector<std::string>& arguments, const std::string& problem) {
        std::string messages = folder_.file("messages");
        std::vector<llvm::StringRef> words(arguments.begin(), arguments.end());
        std::optional<llvm::StringRef> redirects[] = {"", messages, messages};
        if (llvm::sys::ExecuteAndWait(words[0], words, std::nullopt, redirects) == 0) return {};
        Result<std::string> said = readTextFile(messages);
        return Failure{problem + (said && !said->empty() ? ":\n" + *said : "")};
    }

    const std::vector<sema::CFile>& files_;
    std::string compiler_;
    Folder folder_;
};

} // namespace

Result<std::unique_ptr<ir::ForeignCode>> loadCCode(const sema::Sema& sema,
                                                   const std::vector<std::string>& libraryPaths) {
    LoadedLibraries libraries; // where one is missing, what needs it says so
    for (const std::string& name : sema.module.libraries) static_cast<void>(libraries.load(name, libraryPaths));
    std::vector<sema::CFile> files = sema::cFiles(sema);
    if (files.empty()) return std::unique_ptr<ir::ForeignCode>();
    Result<std::string> compiler = findCCompiler(files.front().source.shown);
    if (!compiler) return compiler.failure();
    return Builder(files, *compiler).load(sema::exportedSymbols(sema));
}

} // namespace sx::debugger
