// A program built by hand, to be run in this process and as an executable.
#pragma once

#include "codegen/Codegen.h"
#include "ir/Builder.h"

#include <functional>
#include <string>

namespace sx::codegen::test {

struct Outcome {
    int exitCode = -1;
    std::string out, err;
};

class Program {
public:
    NameTable names;
    TypeTable types{names};
    SourceManager sources;
    ir::Module module{types, sources};

    Program();

    /// A function without body, or one for a Builder to fill.
    ir::FuncId function(std::string name, std::vector<TypeId> params, TypeId result, CallConv = CallConv::Sx);
    ir::FuncId external(std::string symbol, std::vector<TypeId> params, TypeId result, bool variadic = false);
    /// `int main(int, char**)`; its body is given the builder.
    void main(const std::function<void(ir::Builder&)>& body);
    ir::GlobalId text(std::string_view);
    TypeId structOf(std::vector<TypeId> fields);
    /// The span of the first appearance of `part` in the source.
    Span at(std::string_view part) const;
    void source(std::string text, std::string path = "main.sx");

    /// Checks the module, then runs it in a child process: compiled in process.
    Outcome runJit(const Options&);
    /// Builds an executable and runs it.
    Outcome runNative(const Options&, const LinkOptions& = {});
    /// Runs it both ways at -O0 and -O2, and requires the same outcome of all.
    Outcome run();
    std::string assemblyText(const Options&);
    /// The verifier's complaints, one a line.
    std::string problems() const;

private:
    FileId file_{};
};

Options level(int optLevel, bool traces);

/// Runs `command` with its standard streams collected.
Outcome collect(const std::function<int()>& inChild);
Outcome runFile(const std::string& path);
/// A path in a fresh folder of this process's own.
std::string scratch(const std::string& name);

} // namespace sx::codegen::test
