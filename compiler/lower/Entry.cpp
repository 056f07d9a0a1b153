// The C `main` around the program's `main`, and what runs while compiling.
#include "lower/Entry.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/calls/Intrinsics.h"
#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Wording.h"

namespace sx::lower {

using namespace ast;

bool checkMainSignature(Sema& sema, FunctionInstance& main) {
    const FunctionDecl& decl = *main.tmpl->decl;
    TypeId result = main.result;
    if (result == TypeId::None) result = resultOf(sema, main, decl.name.span);
    TypeId success = sema.types.isFailable(result) ? sema.types.successType(result) : result;
    if (success == TypeId::Void || sema.types.isInteger(success) || success == TypeId::None) return true;
    sema.diags
        .error(decl.result ? decl.result->span : decl.name.span,
               "`main` cannot return " + withArticle(sema.types, result))
        .help("it returns nothing, an integer (the exit code), `!`, or `(integer, !)`");
    return false;
}

void buildEntry(Sema& sema) {
    auto it = sema.program.entry->names.find(sema.name("main"));
    Symbol* symbol = it == sema.program.entry->names.end() ? nullptr : resolve(sema, it->second);
    if (!symbol || symbol->kind != SymbolKind::Function) {
        if (sema.options.requireMain && !sema.diags.hasErrors())
            sema.diags.unplacedError("the program has no `main` function");
        return;
    }
    if (llvm::ArrayRef<Param> params = symbol->function->decl->params; !params.empty()) {
        sema.diags.error(params[0].name.span, "`main` takes no parameters").help("the arguments are in `cli.os_args`");
        return;
    }
    FunctionInstance* user = instance(sema, *symbol->function);
    if (!user || user->signatureFailed || !checkMainSignature(sema, *user)) return;
    ir::FuncId callee = funcFor(sema, *user);
    if (sema.types.isFailable(user->result)) noteMayFail(sema, *user);
    TypeId result = user->result == TypeId::None ? resultOf(sema, *user, symbol->nameSpan) : user->result;

    ir::FuncId id = newFunction(sema, "main", "main");
    ir::Function& fn = sema.module.fn(id);
    fn.symbol = "main";
    fn.isExport = true;
    fn.compilerMade = true;
    fn.conv = CallConv::C;
    fn.span = symbol->nameSpan;
    TypeId argvType = sema.types.pointerTo(sema.types.pointerTo(TypeId::U8));
    fn.params = {TypeId::I32, argvType};
    fn.paramNames = {sema.name("argc"), sema.name("argv")};
    fn.result = TypeId::I32;
    sema.module.entry = id;

    Body l(sema, fn, *sema.program.entry, nullptr, nullptr);
    ir::Builder& b = l.b;
    b.setSpan(symbol->nameSpan);
    ir::ValueId argc = b.param(0), argv = b.param(1);
    callRuntime(l, "sx_program_start", TypeId::Void, {TypeId::I32, argvType}, {argc, argv});
    // An alias may make any function the `main` of the program, also one that takes a context.
    std::vector<ir::ValueId> args;
    if (sema.module.fn(callee).hasContext)
        args.push_back(b.globalAddr(sema.defaultContext, sema.types.pointerTo(sema.contextType)));
    auto exitWith = [&](const Value& v) {
        // The low 8 bits of the value, as the system would take them.
        Value wide = convert(l, v, TypeId::I32, symbol->nameSpan);
        b.ret(b.binary(ir::Op::And, scalar(l, wide), b.constInt(TypeId::I32, 255)));
    };
    bool failable = sema.types.isFailable(result);
    if (!failable) {
        if (sema.types.isInteger(result)) {
            exitWith(Value::scalar(result, b.call(callee, args)));
        } else {
            b.call(callee, args);
            b.ret(b.constInt(TypeId::I32, 0));
        }
        finishFunction(l);
        return;
    }
    Value whole;
    ir::ValueId tag;
    TypeId set = sema.types.errorSetOf(result);
    bool pure = sema.types.isErrorSet(result);
    if (pure) {
        tag = b.call(callee, args);
    } else {
        whole = temp(l, result);
        b.callInto(callee, whole.id, args);
        tag = b.load(set, b.offset(whole.id, sema.types.fieldOffset(result, 1), sema.types.pointerTo(set)));
    }
    ir::BlockId failed = b.newBlock(true), fine = b.newBlock();
    b.condBr(b.icmp(ir::ICmpPred::Ne, tag, b.constInt(set, 0)), failed, fine, true);
    b.setBlock(failed);
    Value text = errorNameOf(l, tag);
    ir::ValueId at = addressOf(l, text);
    TypeId bytes = sema.types.manyPointerTo(TypeId::U8);
    ir::ValueId ptr = b.load(bytes, at);
    ir::ValueId len = b.load(TypeId::I64, b.offset(at, 8, sema.types.pointerTo(TypeId::I64)));
    ir::ValueId id32 = b.cast(ir::Op::Reinterpret, tag, TypeId::U32);
    callRuntime(l, "sx_trace_report_unhandled", TypeId::Void, {TypeId::U32, bytes, TypeId::I64}, {id32, ptr, len});
    b.ret(b.constInt(TypeId::I32, 1));
    b.setBlock(fine);
    if (pure) b.ret(b.constInt(TypeId::I32, 0));
    else exitWith(load(l, fieldOf(l, whole, 0, sema.types.successType(result))));
    finishFunction(l);
}

// ------------------------------------------------------------------------------------ `#run`

} // namespace sx::lower
