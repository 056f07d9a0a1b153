#include "lower/Rollback.h"

namespace sx::lower {

using namespace sema;

Rollback::Rollback(Sema& sema)
    : sema_(sema), outer_(sema.journal), functions_(sema.module.functions.size()), globals_(sema.module.globals.size()),
      libraries_(sema.module.libraries.size()), constants_(sema.module.constants.size()),
      assembly_(sema.module.assembly.size()), byFunc_(sema.instances.byFunc.size()),
      worklist_(sema.instances.worklist.size()), errorNodes_(sema.errorSets.nodes.size()),
      setChecks_(sema.errorSets.checks.size()), matchedTags_(sema.errorSets.matched.size()),
      heldOutput_(sema.comptime.heldOutput.size()), warnings_(std::exchange(sema.warnings, {})),
      infosInDescriptors_(sema.module.infosInDescriptors), typeInfo_(sema.module.typeInfo),
      errorNames_(sema.module.errorNames), exit_(sema.comptime.exit) {
    sema.journal = &journal_;
}

Rollback::~Rollback() {
    sema_.journal = outer_;
    undoDeclarations();
    undoModule();
    if (journal_.evaluated) sema_.evaluator.forget();
    sema_.instances.worklist.resize(worklist_);
    sema_.errorSets.nodes.resize(errorNodes_);
    sema_.errorSets.checks.resize(setChecks_);
    sema_.errorSets.matched.resize(matchedTags_);
    sema_.comptime.heldOutput.resize(heldOutput_);
    sema_.comptime.exit = exit_;
    sema_.warnings = std::move(warnings_);
}

/// Declarations that were asked for now, and instances that have code now, may mention what goes.
void Rollback::undoDeclarations() {
    for (FunctionInstance* i : journal_.instances) {
        i->func = ir::FuncId::None;
        i->body = FunctionInstance::Body::NotLowered;
        i->bodyFailed = false;
        if (i->resultInferred) i->result = TypeId::None;
    }
    for (auto& [symbol, before] : llvm::reverse(journal_.resolved)) *symbol = before;
    sema_.instances.byFunc.resize(byFunc_);
}

void Rollback::undoModule() {
    auto isNewFunction = [&](ir::FuncId f) { return static_cast<size_t>(f) >= functions_ && f != ir::FuncId::None; };
    auto isNewGlobal = [&](ir::GlobalId g) { return static_cast<size_t>(g) >= globals_ && g != ir::GlobalId::None; };
    auto dropFrom = [](auto& map, auto isNew) {
        for (auto it = map.begin(); it != map.end();) {
            auto here = it++;
            if (isNew(here->second)) map.erase(here);
        }
    };
    dropFrom(sema_.instances.adapters, isNewFunction);
    dropFrom(sema_.instances.externs, isNewFunction);
    dropFrom(sema_.instances.runtime, isNewFunction);
    dropFrom(sema_.impls.vtables, isNewGlobal);
    dropFrom(sema_.impls.slots, [&](const std::vector<ir::FuncId>& code) { return llvm::any_of(code, isNewFunction); });
    dropFrom(sema_.stringPool, isNewGlobal);
    ir::Module& m = sema_.module;
    dropFrom(m.typeInfos, isNewGlobal);
    dropFrom(m.typeDescriptors, isNewGlobal);
    m.functions.resize(functions_);
    m.globals.resize(globals_);
    m.libraries.resize(libraries_);
    m.constants.resize(constants_);
    m.assembly.resize(assembly_);
    m.infosInDescriptors = infosInDescriptors_;
    m.typeInfo = typeInfo_;
    m.errorNames = errorNames_;
}

} // namespace sx::lower
