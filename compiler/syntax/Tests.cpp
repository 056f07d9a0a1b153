#include "syntax/Tests.h"

namespace sx {

static bool yieldsNothing(const ast::FunctionDecl& function, const NameTable& names) {
    if (!function.result || function.result->kind == ast::ExprKind::ErrorChannel) return true;
    const auto* name = llvm::dyn_cast<ast::NameRef>(function.result);
    return name && names.text(name->id.name) == "void";
}

TestFunctions testsOf(const ast::File& file, const NameTable& names) {
    TestFunctions found;
    for (const ast::Decl* decl : file.items) {
        const auto* function = llvm::dyn_cast<ast::FunctionDecl>(decl);
        if (!function || !function->hasBody() || !function->params.empty()) continue;
        if (names.text(function->name.name).substr(0, 5) != "test_") continue;
        (yieldsNothing(*function, names) ? found.tests : found.withValue).push_back(function);
    }
    return found;
}

} // namespace sx
