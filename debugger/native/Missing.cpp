// Stands for the native engine in a build without liblldb.
#include "debugger/native/NativeEngine.h"

namespace sx::debugger {

std::string nativeEngineProblem(const std::string&) {
    return "the native engine needs liblldb, with which this compiler was not built; use the engine `vm`";
}

Result<std::unique_ptr<Engine>> makeNativeEngine(Program*, const std::string& folder) {
    return Failure{nativeEngineProblem(folder)};
}

} // namespace sx::debugger
