// The C `main` around the program's `main`, and what runs while compiling.
#include "lower/Entry.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/calls/Intrinsics.h"
#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

static bool checkMainSignature(Sema& sema, FunctionInstance& main) {
    const FunctionDecl& decl = *main.tmpl->decl;
    TypeId result = main.result;
    if (result == TypeId::None) result = resultOf(sema, main, decl.name.span);
    TypeId success = isFailable(sema.types, result) ? successType(sema.types, result) : result;
    if (success == TypeId::Void || isInteger(sema.types, success) || success == TypeId::None) return true;
    sema.diags
        .error(decl.result ? decl.result->span : decl.name.span,
               "`main` cannot return " + withArticle(sema.types, result))
        .help("it returns nothing, an integer (the exit code), `!`, or `(integer, !)`");
    return false;
}

namespace {

/// The program's `main` as a function that may be called; null after a report, or where there is none.
FunctionInstance* programMain(Sema& sema, Span& at) {
    auto it = sema.program.entry->names.find(sema.name("main"));
    Symbol* symbol = it == sema.program.entry->names.end() ? nullptr : resolve(sema, it->second);
    if (!symbol || symbol->kind != SymbolKind::Function) {
        if (sema.options.requireMain && !sema.diags.hasErrors())
            sema.diags.unplacedError("the program has no `main` function");
        return nullptr;
    }
    if (llvm::ArrayRef<Param> params = symbol->function->decl->params; !params.empty()) {
        sema.diags.error(params[0].name.span, "`main` takes no parameters").help("the arguments are in `cli.os_args`");
        return nullptr;
    }
    at = symbol->nameSpan;
    FunctionInstance* user = instance(sema, *symbol->function);
    return user && !user->signatureFailed && checkMainSignature(sema, *user) ? user : nullptr;
}

/// The C `main`, still empty.
ir::Function& newEntry(Sema& sema, Span at) {
    ir::FuncId id = newFunction(sema, "main", "main");
    ir::Function& fn = sema.module.fn(id);
    fn.symbol = "main";
    fn.isExport = true;
    fn.compilerMade = true;
    fn.conv = CallConv::C;
    fn.span = at;
    fn.params = {TypeId::I32, pointerTo(sema.types, pointerTo(sema.types, TypeId::U8))};
    fn.paramNames = {sema.name("argc"), sema.name("argv")};
    fn.result = TypeId::I32;
    sema.module.entry = id;
    return fn;
}

/// Returns a value of the program's `main` as the exit code: its low 8 bits, as the system would take them.
void exitWith(Body& l, const Value& v) {
    Value wide = convert(l, v, TypeId::I32, l.b.span());
    emitRet(l.b, emitBinary(l.b, ir::Op::And, scalar(l, wide), constInt(l.b, TypeId::I32, 255)));
}

/// Prints an error that reached `main`, with its trace, and returns 1.
void reportUnhandled(Body& l, ValueId tag) {
    ir::Builder& b = l.b;
    ValueId at = addressOf(l, errorNameOf(l, tag));
    TypeId bytes = manyPointerTo(l.types, TypeId::U8);
    ValueId ptr = emitLoad(b, bytes, at);
    ValueId len = emitLoad(b, TypeId::I64, emitOffset(b, at, 8, pointerTo(l.types, TypeId::I64)));
    ValueId id32 = emitCast(b, ir::Op::Reinterpret, tag, TypeId::U32);
    callRuntime(l, "sx_trace_report_unhandled", TypeId::Void, {TypeId::U32, bytes, TypeId::I64}, {id32, ptr, len});
    emitRet(b, constInt(b, TypeId::I32, 1));
}

/// Calls a `main` that may fail.
void callFailable(Body& l, ir::FuncId callee, TypeId result, llvm::ArrayRef<ValueId> args) {
    ir::Builder& b = l.b;
    Value whole;
    ValueId tag;
    TypeId set = errorSetOf(l.types, result);
    bool isPure = isErrorSet(l.types, result);
    if (isPure) {
        tag = emitCall(b, callee, args);
    } else {
        whole = temp(l, result);
        emitCallInto(b, callee, whole.id, args);
        tag = emitLoad(b, set, emitOffset(b, whole.id, fieldOffset(l.types, result, 1), pointerTo(l.types, set)));
    }
    BlockId failed = b.newBlock(true), fine = b.newBlock();
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Ne, tag, constInt(b, set, 0)), failed, fine, true);
    b.setBlock(failed);
    reportUnhandled(l, tag);
    b.setBlock(fine);
    if (isPure) emitRet(b, constInt(b, TypeId::I32, 0));
    else exitWith(l, load(l, fieldOf(l, whole, 0, successType(l.types, result))));
}

} // namespace

void buildEntry(Sema& sema) {
    Span at;
    FunctionInstance* user = programMain(sema, at);
    if (!user) return;
    ir::FuncId callee = funcFor(sema, *user);
    if (isFailable(sema.types, user->result)) noteMayFail(sema, *user);
    TypeId result = user->result == TypeId::None ? resultOf(sema, *user, at) : user->result;

    ir::Function& fn = newEntry(sema, at);
    Body l(sema, fn, *sema.program.entry, nullptr, nullptr);
    ir::Builder& b = l.b;
    b.setSpan(at);
    callRuntime(l, "sx_program_start", TypeId::Void, {fn.params[0], fn.params[1]}, {b.param(0), b.param(1)});
    // An alias may make any function the `main` of the program, also one that takes a context.
    std::vector<ValueId> args;
    if (sema.module.fn(callee).hasContext)
        args.push_back(globalAddr(b, sema.defaultContext, pointerTo(sema.types, sema.contextType)));
    if (isFailable(sema.types, result)) {
        callFailable(l, callee, result, args);
    } else if (isInteger(sema.types, result)) {
        exitWith(l, Value::scalar(result, emitCall(b, callee, args)));
    } else {
        emitCall(b, callee, args);
        emitRet(b, constInt(b, TypeId::I32, 0));
    }
    finishFunction(l);
}

} // namespace sx::lower
