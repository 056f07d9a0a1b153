// Assembly at module scope, which is put in front of the code of the whole program.
#include "sema/Sema.h"

namespace sx::sema {

using namespace ast;

void Sema::collectAssembly() {
    for (SourceFile* file : importOrder())
        for (const Decl* d : file->items)
            if (const auto* assembly = llvm::dyn_cast<AsmDecl>(d))
                module.assembly.push_back({assembly->text.str(), assembly->textSpan});
}

} // namespace sx::sema
