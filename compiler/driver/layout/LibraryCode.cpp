// library-code PROGRAM OUT: compiles what of the library is the same in every program, as far as PROGRAM uses it, to an
// object that `sx` is linked with (codegen/library/LibraryCode.h).
#include "codegen/Codegen.h"
#include "driver/Compilation.h"
#include "driver/Report.h"
#include "source/Files.h"

int main(int argc, char** argv) {
    using namespace sx;
    if (argc != 3) {
        driver::printError("usage: library-code PROGRAM OUT");
        return 2;
    }
    Result<driver::Invocation> invocation = driver::parseCommandLine({"run", argv[1]});
    if (!invocation) {
        driver::printError(invocation.error());
        return 2;
    }
    driver::Compilation& compilation = driver::Compilation::start(*invocation);
    if (std::optional<int> failed = compilation.check()) return *failed;
    Result<codegen::ObjectFile> object = codegen::emitLibraryCode(compilation.module);
    Result<void> written = object ? writeFile(argv[2], {object->data(), object->size()}) : object.failure();
    if (written) return 0;
    driver::printError(written.error());
    return 1;
}
