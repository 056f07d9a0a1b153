#include "sema/LibraryTexts.h"

#include "source/Files.h"

namespace sx::sema {

LibraryFunction libraryFunction(const Sema& sema, llvm::ArrayRef<const char*> modules, std::string_view name) {
    std::string head = "\n" + std::string(name) + " :: ";
    for (const char* module : modules)
        for (const std::string& root : sema.options.libraryRoots) {
            Result<std::string> text = readTextFile(root + "/modules/std/" + module + ".sx");
            size_t at = text ? text->find(head) : std::string::npos;
            if (at != std::string::npos) return {module, text->compare(at + head.size(), 4, "ufcs") == 0};
        }
    return {};
}

} // namespace sx::sema
