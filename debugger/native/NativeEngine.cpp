#include "debugger/native/NativeEngine.h"

#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/target/Loader.h"

namespace sx::debugger {

std::string nativeEngineProblem(const std::string& folder) { return native::pluginProblem(folder); }

static native::ForeignModule moduleOf(Program& program, ForeignProgram& foreign, PathMap here) {
    return {program.module,       program.sources,     foreign.types,   std::move(here),
            program.foreignFiles, program.withoutText, foreign.problems};
}

void describeBySymbols(Program& program, ForeignProgram& foreign, const symbols::SymbolFile& known, PathMap here) {
    foreign.image->addSymbols(known, moduleOf(program, foreign, std::move(here)));
}

Result<std::unique_ptr<ForeignProgram>> describeExecutable(Program& program, const std::string& executable,
                                                           PathMap here) {
    auto made = std::make_unique<ForeignProgram>();
    made->image = std::make_shared<native::ProgramImage>(
        program.module, [&program](FileId file) { return program.absolutePath(file); });
    native::ForeignModule into = moduleOf(program, *made, std::move(here));
    if (Result<void> read = made->image->readForeign(executable, into); !read) return read.failure();
    return made;
}

Result<std::unique_ptr<Engine>> makeNativeEngine(Program& program, const std::string& folder, PathMap recorded,
                                                 PathMap here, ForeignProgram& foreign) {
    if (std::string problem = nativeEngineProblem(folder); !problem.empty()) return Failure{problem};
    auto absolute = [&program](FileId file) { return program.absolutePath(file); };
    if (!foreign.image)
        foreign.image = std::make_shared<native::ProgramImage>(
            program.module, [absolute, recorded](FileId file) { return recorded(absolute(file)); });
    native::NativeProgram about{program.module,
                                [absolute, recorded](FileId file) { return recorded(absolute(file)); },
                                [&program](ir::FuncId func) { return program.isLibrary(func); },
                                folder,
                                foreign.image,
                                &foreign.types};
    about.readC = [&program, &foreign, here](const native::CodeFile& file, uint64_t offset, native::CCode wanted) {
        Result<void> read = foreign.image->readC(file, offset, wanted, moduleOf(program, foreign, here));
        if (!read) foreign.problems.push_back(read.error());
    };
    about.forgetC = [&program, &foreign](uint32_t first, uint32_t end) {
        for (ir::FuncId func : foreign.image->forget(first, end)) program.module.fn(func).dead = true;
    };
    about.hasCCode = program.mayHaveCCode();
    if (!program.options.tests.empty()) about.entry = program.options.tests.front();
    return std::unique_ptr<Engine>(std::make_unique<native::NativeEngine>(std::move(about)));
}

} // namespace sx::debugger
