// The order of work of one analysis.
#include "sema/Sema.h"

#include "sema/Lowering.h"

namespace sx::sema {

Sema::Sema(SourceManager& sources, AstContext& ast, TypeTable& types, Diagnostics& diags, ir::Module& module,
           ir::ComptimeEvaluator& evaluator, Options options)
    : sources(sources), ast(ast), names(ast.names), types(types), diags(diags), module(module), evaluator(evaluator),
      options(std::move(options)) {}

Sema::~Sema() = default;

bool Sema::analyze(const std::string& entryPath, std::string& readError) {
    if (!loadProgram(entryPath, readError)) return false;
    if (diags.hasErrors()) return false;
    for (auto& file : files)
        if (file->isLibrary && sources.tracePath(file->id) == "modules/std.sx") preludeFile = file.get();

    declareContext();
    if (diags.hasErrors()) return false;
    declareImpls();
    checkDeclarations();
    checkErrorFlow();
    checkNames();

    buildEntry();
    for (auto& file : files)
        for (Symbol* s : file->order) {
            const auto* fn = llvm::dyn_cast_or_null<ast::FunctionDecl>(s->decl);
            if (!fn || s->kind != SymbolKind::Function || s->function->isGeneric) continue;
            bool root = fn->linkage == ast::Linkage::Export || (options.checkAll && file->isEntry && fn->linkage != ast::Linkage::Extern && fn->body);
            if (!root) continue;
            if (FunctionInstance* i = instance(*s->function); i && !i->signatureFailed) funcFor(*i);
        }
    drainWorklist();
    if (!diags.hasErrors() && !comptimeExit) runStatements();
    drainWorklist();
    solveErrorSets();
    if (!diags.hasErrors()) writeHeldOutput(evaluationOrder());
    if (diags.hasErrors() || !plainErrors.empty() || comptimeExit) return false;
    ir::finish(module);
    ir::markReachable(module);
    return true;
}

} // namespace sx::sema
