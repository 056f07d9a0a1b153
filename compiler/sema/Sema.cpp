// The order of work of one analysis.
#include "sema/Sema.h"

#include "ir/Passes.h"
#include "ir/TypeDescriptor.h"
#include "sema/CompilerServices.h"
#include "sema/Constants.h"
#include "sema/Context.h"
#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/Evaluate.h"
#include "sema/ExternDecls.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Modules.h"
#include "sema/Nominal.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"

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

/// The functions that are lowered because of what they are: exports, and with `--all` everything in the entry file.
static void lowerRoots(Sema& sema) {
    auto lower = [&](FunctionTemplate& f) {
        if (f.isGeneric || f.isIntrinsic || !f.decl->body) return;
        if (FunctionInstance* i = instance(sema, f); i && !i->signatureFailed) funcFor(sema, *i);
    };
    for (auto& file : sema.program.files)
        for (Symbol* s : file->order) {
            const auto* fn = llvm::dyn_cast_or_null<ast::FunctionDecl>(s->decl);
            bool all = sema.options.checkAll && file->isEntry;
            if (fn && s->kind == SymbolKind::Function && (fn->linkage == ast::Linkage::Export || all))
                lower(*s->function);
            if (!all || s->kind != SymbolKind::Type || s->type == TypeId::None) continue;
            NominalInfo* info = nominal(sema, s->type);
            if (!info || info->file != file.get() || info->structTemplate) continue;
            MemberTable& table = members(sema, s->type);
            for (auto* methods : {&table.methods, &table.getters, &table.setters})
                for (auto& [name, method] : *methods)
                    if (!method->isImplMethod && !method->isProtocolDefault) lower(*method);
        }
    if (!sema.options.checkAll) return;
    for (ImplInfo* impl : sema.impls.all) {
        if (!impl->file->isEntry || impl->target == TypeId::None) continue;
        declareImplMethods(sema, *impl);
        for (auto& [name, method] : impl->methods) lower(*method);
    }
}

/// Code that may run calls what only the compiler can do (modules-and-comptime 7, rule 6).
static void reportReachedService(Sema& sema, const ir::ReachedService& path) {
    std::string functions;
    for (ir::FuncId f : path) functions += "  " + sema.module.fn(f).name + "\n";
    sema.diags.unplacedError(code(sema.module.fn(path.back()).name) +
                                 " works while compiling only, and the program can reach it when it runs",
                             functions);
}

Result<bool> Sema::analyze(const std::string& entryPath) {
    if (Result<void> loaded = loadProgram(*this, entryPath); !loaded) return loaded.failure();
    if (diags.hasErrors()) return false;
    options.checkAll |= options.checkModules && program.entry->names.count(name("main")) == 0;
    checkExternLibraries(*this);
    if (diags.hasErrors()) return false;
    declareContext(*this);
    if (diags.hasErrors()) return false;
    declareImpls(*this);
    checkDeclarations(*this);
    collectAssembly(*this);
    checkErrorFlow(*this);
    checkNames(*this);

    bodies->buildEntry();
    lowerRoots(*this);
    drainWorklist(*this);
    // With errors nothing is evaluated, but what `#run` reaches is checked together with the rest.
    if (!comptime.exit) runConstants(*this);
    if (!comptime.exit) runStatements(*this);
    comptime.hasRunStatements = entryRunsStatements(*this);
    drainWorklist(*this);
    solveErrorSets(*this);
    checkMatchedTags(*this);
    warnOfUnusedImports(*this);
    reportWarnings(*this);
    if (!diags.hasErrors()) writeHeldOutput(*this, importOrder(*this));
    if (diags.hasErrors() || diags.hasUnplacedErrors() || comptime.exit) return false;
    listConstants(*this);
    ir::dropComptimeBranches(module);
    if (!options.checks) ir::dropChecks(module);
    ir::finish(module);
    for (const ir::ReachedService& path : ir::markReachable(module)) reportReachedService(*this, path);
    return !diags.hasUnplacedErrors();
}

} // namespace sx::sema
