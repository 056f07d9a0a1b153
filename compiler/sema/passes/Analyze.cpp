#include "sema/passes/Analyze.h"

#include "ir/PackedCode.h"
#include "ir/Passes.h"
#include "ir/TypeDescriptor.h"
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
#include "sema/passes/Passes.h"

namespace sx::sema {

/// The functions that are lowered because of what they are: exports, and with `--all` everything in the entry file.
static void lowerRoots(Sema& sema) {
    auto lower = [&](FunctionTemplate& f) {
        if (f.isGeneric || f.isIntrinsic || !f.decl->hasBody()) return;
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

/// The program asks something of the compiler, in code that may run or not.
static bool hasServices(const ir::Module& module) {
    return llvm::any_of(module.functions, [](const auto& fn) { return fn->comptimeOnly; });
}

/// Code that may run calls what only the compiler can do (modules-and-comptime 7, rule 6).
static void reportReachedService(Sema& sema, const ir::ReachedService& path) {
    std::string functions;
    for (ir::FuncId f : path) functions += "  " + sema.module.fn(f).name + "\n";
    sema.diags.unplacedError(code(sema.module.fn(path.back()).name) +
                                 " works while compiling only, and the program can reach it when it runs",
                             functions);
}

static Result<bool> checkProgram(Sema& sema, const std::string& entryPath) {
    if (Result<void> loaded = loadProgram(sema, entryPath); !loaded) return loaded.failure();
    if (sema.diags.hasErrors()) return false;
    sema.options.checkAll |= sema.options.checkModules && sema.program.entry->names.count(sema.name("main")) == 0;
    checkExternLibraries(sema);
    noteOwnLibraries(sema);
    if (sema.diags.hasErrors()) return false;
    declareContext(sema);
    if (sema.diags.hasErrors()) return false;
    declareImpls(sema);
    checkDeclarations(sema);
    collectAssembly(sema);
    checkErrorFlow(sema);
    checkNames(sema);

    sema.bodies->buildEntry();
    lowerRoots(sema);
    drainWorklist(sema);
    // With errors nothing is evaluated, but what `#run` reaches is checked together with the rest.
    if (!sema.comptime.exit) runConstants(sema);
    if (!sema.comptime.exit) runStatements(sema);
    sema.comptime.hasRunStatements = entryRunsStatements(sema);
    drainWorklist(sema);
    solveErrorSets(sema);
    checkMatchedTags(sema);
    warnOfUnusedImports(sema);
    reportWarnings(sema);
    if (!sema.diags.hasErrors()) writeHeldOutput(sema, importOrder(sema));
    if (sema.diags.hasErrors() || sema.diags.hasUnplacedErrors() || sema.comptime.exit) return false;
    if (sema.options.checkOnly && !hasServices(sema.module)) return true;
    for (auto& fn : sema.module.functions) ir::unpack(*fn);
    listConstants(sema);
    ir::dropComptimeBranches(sema.module);
    if (!sema.options.checks) ir::dropChecks(sema.module);
    ir::finish(sema.module);
    for (const ir::ReachedService& path : ir::markReachable(sema.module)) reportReachedService(sema, path);
    return !sema.diags.hasUnplacedErrors();
}

Result<bool> analyze(Sema& sema, const std::string& entryPath) {
    Result<bool> isRight = checkProgram(sema, entryPath);
    if (!isRight || !sema.ast.lateErrors.hasErrors()) return isRight;
    // What does not parse ends the compilation before anything is checked, also where it was read late.
    sema.diags = std::move(sema.ast.lateErrors);
    return false;
}

} // namespace sx::sema
