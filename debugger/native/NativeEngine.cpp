#include "debugger/native/NativeEngine.h"

#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/target/Loader.h"

namespace sx::debugger {

std::string nativeEngineProblem(const std::string& folder) { return native::pluginProblem(folder); }

Result<std::unique_ptr<Engine>> makeNativeEngine(Program* program, const std::string& folder,
                                                 std::function<std::string(const std::string&)> recorded) {
    if (std::string problem = nativeEngineProblem(folder); !problem.empty()) return Failure{problem};
    if (!program) return Failure{"the sources of the program are not known"};
    native::NativeProgram about{program->module, [program, recorded](FileId file) { return recorded(program->absolutePath(file)); },
                                [program](ir::FuncId func) { return program->isLibrary(func); }, folder};
    return std::unique_ptr<Engine>(std::make_unique<native::NativeEngine>(std::move(about)));
}

} // namespace sx::debugger
