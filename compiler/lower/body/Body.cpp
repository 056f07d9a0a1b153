// The state of one function body while it is lowered.
#include "lower/body/Body.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/PackedCode.h"
#include "ir/Passes.h"
#include "lower/body/Cleanup.h"
#include "lower/body/LocalUse.h"
#include "lower/body/Scopes.h"
#include "sema/Lookup.h"
#include "types/Derived.h"
#include "types/Failable.h"

namespace sx::lower {

Body::Body(Sema& sema, ir::Function& fn, SourceFile& file, Scope* outer, FunctionInstance* instance, Locals* locals)
    : sema(sema), module(sema.module), types(sema.types), diags(sema.diags), fn(fn), b(sema.module, fn), locals(locals),
      file(file), instance(instance), warns(sema.options.warnings && sema.isProgramFile(file)) {
    scope = newLocalScope(*this, outer, &file);
    scope->owner = this;
    scope->isFunctionBoundary = true;
    if (fn.blocks.empty()) b.newBlock();
    b.setBlock(BlockId{0});
    b.setSpan(fn.span);
    name = instance ? instance->name : fn.name;
}

std::unique_ptr<Body> scratch(Sema& sema, ir::Function& fn, SourceFile& file, Scope* scope) {
    auto body = std::make_unique<Body>(sema, fn, file, scope, nullptr);
    body->isComptimeScratch = true;
    if (sema.hasContext())
        body->context = globalAddr(body->b, sema.defaultContext, pointerTo(sema.types, sema.contextType));
    return body;
}

void setResultType(Body& f, TypeId type) {
    f.result.type = type;
    f.result.inferred = false;
    f.result.isFailable = isFailable(f.types, type);
    f.result.success = f.result.isFailable ? successType(f.types, type) : type;
    f.result.errorSet = f.result.isFailable ? errorSetOf(f.types, type) : TypeId::None;
    f.fn.result = type == TypeId::NoReturn ? TypeId::Void : type;
    if (f.instance && f.instance->result == TypeId::None) f.instance->result = type;
}

void finishFunction(Body& f) {
    popCleanups(f, 0);
    warnOfUnreadErrors(f);
    if (!f.b.terminated()) {
        if (f.result.type == TypeId::None || f.result.type == TypeId::Void) emitRet(f.b);
        else emitUnreachable(f.b);
    }
    // What is evaluated at once is not put away before.
    if (f.sema.options.checkOnly && !f.isComptimeScratch) ir::pack(f.fn);
    else ir::removeUnreachableBlocks(f.fn);
}

/// Empties a scratch function when its evaluation is over: nothing runs or emits it again.
ScratchGuard::~ScratchGuard() {
    fn.dead = true;
    ir::dropCode(fn);
}

} // namespace sx::lower
