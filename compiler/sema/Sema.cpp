// The order of work of one analysis.
#include "sema/Sema.h"

#include "sema/CompilerServices.h"
#include "sema/Impls.h"

namespace sx::sema {

Sema::Sema(SourceManager& sources, AstContext& ast, TypeTable& types, Diagnostics& diags, ir::Module& module,
           ir::ComptimeEvaluator& evaluator, Options options)
    : sources(sources), ast(ast), names(ast.names), types(types), diags(diags), module(module), evaluator(evaluator),
      options(std::move(options)), services(makeServices(*this)) {
    evaluator.services = services.get();
}

Sema::~Sema() = default;

/// The functions that are lowered because of what they are: exports, and with `--all` everything in the entry file.
static void lowerRoots(Sema& sema) {
    auto lower = [&](FunctionTemplate& f) {
        if (f.isGeneric || f.isIntrinsic || !f.decl->body) return;
        if (FunctionInstance* i = sema.instance(f); i && !i->signatureFailed) sema.funcFor(*i);
    };
    for (auto& file : sema.files)
        for (Symbol* s : file->order) {
            const auto* fn = llvm::dyn_cast_or_null<ast::FunctionDecl>(s->decl);
            bool all = sema.options.checkAll && file->isEntry;
            if (fn && s->kind == SymbolKind::Function && (fn->linkage == ast::Linkage::Export || all))
                lower(*s->function);
            if (!all || s->kind != SymbolKind::Type || s->type == TypeId::None) continue;
            NominalInfo* info = sema.nominal(s->type);
            if (!info || info->file != file.get() || info->structTemplate) continue;
            MemberTable& table = sema.members(s->type);
            for (auto* methods : {&table.methods, &table.getters, &table.setters})
                for (auto& [name, method] : *methods)
                    if (!method->isImplMethod && !method->isProtocolDefault) lower(*method);
        }
    if (!sema.options.checkAll) return;
    for (ImplInfo* impl : sema.impls) {
        if (!impl->file->isEntry || impl->target == TypeId::None) continue;
        declareImplMethods(sema, *impl);
        for (auto& [name, method] : impl->methods) lower(*method);
    }
}

/// Code that may run calls what only the compiler can do (modules-and-comptime 7, rule 6).
static void reportReachedService(Sema& sema, const ir::ReachedService& path) {
    std::string text = "error: `" + sema.module.fn(path.back()).name +
                       "` works while compiling only, and the program can reach it when it runs\n";
    for (ir::FuncId f : path) text += "  " + sema.module.fn(f).name + "\n";
    sema.plainErrors.push_back(std::move(text));
}

bool Sema::analyze(const std::string& entryPath, std::string& readError) {
    if (!loadProgram(entryPath, readError)) return false;
    if (diags.hasErrors()) return false;
    options.checkAll |= options.checkModules && entryFile->names.count(name("main")) == 0;
    for (auto& file : files)
        if (file->isLibrary && sources.tracePath(file->id) == "modules/std.sx") preludeFile = file.get();

    checkExternLibraries();
    if (diags.hasErrors()) return false;
    declareContext();
    if (diags.hasErrors()) return false;
    declareImpls();
    checkDeclarations();
    collectAssembly();
    checkErrorFlow();
    checkNames();

    buildEntry();
    lowerRoots(*this);
    drainWorklist();
    // With errors nothing is evaluated, but what `#run` reaches is checked together with the rest.
    if (!comptimeExit) runConstants();
    if (!comptimeExit) runStatements();
    hasRunStatements = entryRunsStatements();
    drainWorklist();
    solveErrorSets();
    checkMatchedTags();
    warnOfUnusedImports();
    reportWarnings();
    if (!diags.hasErrors()) writeHeldOutput(importOrder());
    if (diags.hasErrors() || !plainErrors.empty() || comptimeExit) return false;
    listConstants();
    ir::dropComptimeBranches(module);
    if (!options.checks) ir::dropChecks(module);
    ir::finish(module);
    for (const ir::ReachedService& path : ir::markReachable(module)) reportReachedService(*this, path);
    return plainErrors.empty();
}

} // namespace sx::sema
