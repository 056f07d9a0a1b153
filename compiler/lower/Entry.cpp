// The C `main` around the program's `main`, and what runs while compiling.
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "sema/Wording.h"

namespace sx::sema {

using namespace lower;

using namespace ast;

bool Sema::checkMainSignature(FunctionInstance& main) {
    const FunctionDecl& decl = *main.tmpl->decl;
    TypeId result = main.result;
    if (result == TypeId::None) result = resultOf(main, decl.name.span);
    TypeId success = types.isFailable(result) ? types.successType(result) : result;
    if (success == TypeId::Void || types.isInteger(success) || success == TypeId::None) return true;
    diags.error(decl.result ? decl.result->span : decl.name.span, "`main` cannot return " + withArticle(types, result))
        .help("it returns nothing, an integer (the exit code), `!`, or `(integer, !)`");
    return false;
}

void Sema::buildEntry() {
    auto it = entryFile->names.find(name("main"));
    Symbol* symbol = it == entryFile->names.end() ? nullptr : resolve(it->second);
    if (!symbol || symbol->kind != SymbolKind::Function) {
        if (options.requireMain && !diags.hasErrors())
            plainErrors.emplace_back("error: the program has no `main` function\n");
        return;
    }
    if (llvm::ArrayRef<Param> params = symbol->function->decl->params; !params.empty()) {
        diags.error(params[0].name.span, "`main` takes no parameters").help("the arguments are in `cli.os_args`");
        return;
    }
    FunctionInstance* user = instance(*symbol->function);
    if (!user || user->signatureFailed || !checkMainSignature(*user)) return;
    ir::FuncId callee = funcFor(*user);
    if (types.isFailable(user->result)) neverFailsCandidates.push_back({user});
    TypeId result = user->result == TypeId::None ? resultOf(*user, symbol->nameSpan) : user->result;

    ir::FuncId id = newFunction("main", "main");
    ir::Function& fn = module.fn(id);
    fn.symbol = "main";
    fn.isExport = true;
    fn.compilerMade = true;
    fn.conv = CallConv::C;
    fn.span = symbol->nameSpan;
    TypeId argvType = types.pointerTo(types.pointerTo(TypeId::U8));
    fn.params = {TypeId::I32, argvType};
    fn.paramNames = {name("argc"), name("argv")};
    fn.result = TypeId::I32;
    module.entry = id;

    Body l(*this, fn, *entryFile, nullptr, nullptr);
    ir::Builder& b = l.b;
    b.setSpan(symbol->nameSpan);
    ir::ValueId argc = b.param(0), argv = b.param(1);
    callRuntime(l, "sx_program_start", TypeId::Void, {TypeId::I32, argvType}, {argc, argv});
    // An alias may make any function the `main` of the program, also one that takes a context.
    std::vector<ir::ValueId> args;
    if (module.fn(callee).hasContext) args.push_back(b.globalAddr(defaultContext, types.pointerTo(contextType)));
    auto exitWith = [&](const Value& v) {
        // The low 8 bits of the value, as the system would take them.
        Value wide = convert(l, v, TypeId::I32, symbol->nameSpan);
        b.ret(b.binary(ir::Op::And, scalar(l, wide), b.constInt(TypeId::I32, 255)));
    };
    bool failable = types.isFailable(result);
    if (!failable) {
        if (types.isInteger(result)) {
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
    TypeId set = types.errorSetOf(result);
    bool pure = types.isErrorSet(result);
    if (pure) {
        tag = b.call(callee, args);
    } else {
        whole = temp(l, result);
        b.callInto(callee, whole.id, args);
        tag = b.load(set, b.offset(whole.id, types.fieldOffset(result, 1), types.pointerTo(set)));
    }
    ir::BlockId failed = b.newBlock(true), fine = b.newBlock();
    b.condBr(b.icmp(ir::ICmpPred::Ne, tag, b.constInt(set, 0)), failed, fine, true);
    b.setBlock(failed);
    Value text = errorNameOf(l, tag);
    ir::ValueId at = addressOf(l, text);
    TypeId bytes = types.manyPointerTo(TypeId::U8);
    ir::ValueId ptr = b.load(bytes, at);
    ir::ValueId len = b.load(TypeId::I64, b.offset(at, 8, types.pointerTo(TypeId::I64)));
    ir::ValueId id32 = b.cast(ir::Op::Reinterpret, tag, TypeId::U32);
    callRuntime(l, "sx_trace_report_unhandled", TypeId::Void, {TypeId::U32, bytes, TypeId::I64}, {id32, ptr, len});
    b.ret(b.constInt(TypeId::I32, 1));
    b.setBlock(fine);
    if (pure) b.ret(b.constInt(TypeId::I32, 0));
    else exitWith(load(l, fieldOf(l, whole, 0, types.successType(result))));
    finishFunction(l);
}

/// Entry `tag` of the table of error names: a string in read-only data. A number that is no tag has no name.
Value Sema::errorNameOf(Body& l, ir::ValueId tag) {
    TypeId stringPtr = types.pointerTo(TypeId::String);
    ir::ValueId table = l.b.globalAddr(module.errorNameTable(), types.pointerTo(TypeId::I64));
    ir::ValueId count = l.b.load(TypeId::I64, table);
    ir::ValueId number = l.b.cast(ir::Op::ZExt, l.b.cast(ir::Op::Reinterpret, tag, TypeId::U32), TypeId::I64);
    ir::ValueId index = l.b.select(l.b.icmp(ir::ICmpPred::ULt, number, count), number, l.b.constInt(TypeId::I64, 0));
    table = l.b.offset(table, ir::Module::ErrorNamesHeader, stringPtr);
    Value v = Value::temporary(TypeId::String, l.b.index(table, index, 16, stringPtr));
    v.constRooted = v.lvalue = true;
    return v;
}

// ------------------------------------------------------------------------------------ `#run`

void Sema::runConstants() {
    for (SourceFile* file : importOrder())
        for (Symbol* s : file->order) {
            const auto* c = llvm::dyn_cast_or_null<ConstDecl>(s->decl);
            if (c && c->value->kind == ExprKind::Run) resolve(s);
            if (comptimeExit) return;
        }
}

void Sema::runStatements() {
    runsStatements_ = true;
    for (SourceFile* file : importOrder())
        for (const Decl* d : file->items)
            if (const auto* run = llvm::dyn_cast<RunDecl>(d); run && !comptimeExit)
                evaluateConstant(run->value, TypeId::None, nullptr, UINT32_MAX, file, true);
    runsStatements_ = false;
}

} // namespace sx::sema
