#include "sema/Sema.h"

#include "sema/CompilerServices.h"

namespace sx::sema {

Sema::Sema(SourceManager& sources, AstContext& ast, TypeTable& types, Diagnostics& diags, ir::Module& module,
           ir::ComptimeEvaluator& evaluator, Options options)
    : sources(sources), ast(ast), names(ast.names), types(types), diags(diags), module(module), evaluator(evaluator),
      options(std::move(options)) {
    comptime.services = makeServices(*this);
    evaluator.services = comptime.services.get();
    if (this->options.keepUses) uses = std::make_unique<Uses>();
}

Sema::~Sema() {
    for (const Destructor& d : llvm::reverse(destructors_)) d.run(d.object);
}

} // namespace sx::sema
