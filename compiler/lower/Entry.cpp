// The C `main` around the program's `main`, or around its tests.
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
#include "syntax/Tests.h"
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

/// Has the runtime report an error that came out of the program: `report(tag, name, length)`. Gives its result.
ValueId report(Body& l, ValueId tag, const char* function, TypeId result) {
    ir::Builder& b = l.b;
    ValueId at = addressOf(l, errorNameOf(l, tag));
    TypeId bytes = manyPointerTo(l.types, TypeId::U8);
    ValueId ptr = emitLoad(b, bytes, at);
    ValueId len = emitLoad(b, TypeId::I64, emitOffset(b, at, 8, pointerTo(l.types, TypeId::I64)));
    ValueId id32 = emitCast(b, ir::Op::Reinterpret, tag, TypeId::U32);
    return callRuntime(l, function, result, {TypeId::U32, bytes, TypeId::I64}, {id32, ptr, len});
}

/// What a function that may fail gave. The builder stands where it has failed; `fine` is where it has not.
struct Called {
    Value whole; ///< the result with its error, in memory; none where it is nothing but an error
    ValueId tag;
    BlockId fine;
};

Called callFailable(Body& l, ir::FuncId callee, TypeId result, llvm::ArrayRef<ValueId> args) {
    ir::Builder& b = l.b;
    Called called;
    TypeId set = errorSetOf(l.types, result);
    if (isErrorSet(l.types, result)) {
        called.tag = emitCall(b, callee, args);
    } else {
        called.whole = temp(l, result);
        emitCallInto(b, callee, called.whole.id, args);
        ValueId at = emitOffset(b, called.whole.id, fieldOffset(l.types, result, 1), pointerTo(l.types, set));
        called.tag = emitLoad(b, set, at);
    }
    BlockId failed = b.newBlock(true);
    called.fine = b.newBlock();
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Ne, called.tag, constInt(b, set, 0)), failed, called.fine, true);
    b.setBlock(failed);
    return called;
}

/// The hidden argument of functions that take the context: an alias may make any function the `main` of the program.
std::vector<ValueId> contextArgument(Body& l, ir::FuncId callee) {
    if (!l.sema.module.fn(callee).hasContext) return {};
    return {globalAddr(l.b, l.sema.defaultContext, pointerTo(l.types, l.sema.contextType))};
}

TypeId resultType(Sema& sema, FunctionInstance& function, Span at) {
    return function.result == TypeId::None ? resultOf(sema, function, at) : function.result;
}

/// Calls the program's `main` and returns its exit code. An error that reaches it is reported.
void callMain(Body& l, ir::FuncId callee, TypeId result) {
    ir::Builder& b = l.b;
    std::vector<ValueId> args = contextArgument(l, callee);
    if (isFailable(l.types, result)) {
        Called called = callFailable(l, callee, result, args);
        callRuntime(l, "sx_output_flush", TypeId::Void, {}, {});
        report(l, called.tag, "sx_trace_report_unhandled", TypeId::Void);
        emitRet(b, constInt(b, TypeId::I32, 1));
        b.setBlock(called.fine);
        if (isErrorSet(l.types, result)) emitRet(b, constInt(b, TypeId::I32, 0));
        else exitWith(l, load(l, fieldOf(l, called.whole, 0, successType(l.types, result))));
    } else if (isInteger(l.types, result)) {
        exitWith(l, Value::scalar(result, emitCall(b, callee, args)));
    } else {
        emitCall(b, callee, args);
        emitRet(b, constInt(b, TypeId::I32, 0));
    }
}

/// Calls a test and returns the exit code: 0 if it came back. The runtime is told of what became of it.
void callTest(Body& l, ir::FuncId callee, TypeId result) {
    ir::Builder& b = l.b;
    std::vector<ValueId> args = contextArgument(l, callee);
    if (isFailable(l.types, result)) {
        Called called = callFailable(l, callee, result, args);
        emitRet(b, report(l, called.tag, "sx_test_failed", TypeId::I32));
        b.setBlock(called.fine);
    } else if (result == TypeId::Void || result == TypeId::None || isScalar(l.types, result)) {
        emitCall(b, callee, args);
    } else {
        emitCallInto(b, callee, temp(l, result).id, args);
    }
    callRuntime(l, "sx_test_passed", TypeId::Void, {}, {});
    emitRet(b, constInt(b, TypeId::I32, 0));
}

/// A test of the entry file; null after a report.
FunctionInstance* findTest(Sema& sema, const std::string& name) {
    std::vector<std::string_view> known;
    for (const ast::FunctionDecl* test : testsOf(sema.program.entry->tree, sema.names).tests) {
        if (sema.names.text(test->name.name) == name) {
            Symbol* declared = sema.program.entry->names.lookup(test->name.name);
            Symbol* symbol = declared ? resolve(sema, declared) : nullptr;
            if (!symbol || symbol->kind != SymbolKind::Function) return nullptr;
            FunctionInstance* found = instance(sema, *symbol->function);
            return found && !found->signatureFailed ? found : nullptr;
        }
        known.push_back(sema.names.text(test->name.name));
    }
    std::string_view near = nearestName(name, known);
    sema.diags.unplacedError("the file has no test " + code(name),
                             near.empty() ? "" : "did you mean " + code(near) + "?");
    return nullptr;
}

/// The C `main` of tests: calls the one that the runtime names.
void buildTestEntry(Sema& sema) {
    std::vector<FunctionInstance*> tests;
    for (const std::string& name : sema.options.tests) {
        FunctionInstance* test = findTest(sema, name);
        if (!test) return;
        tests.push_back(test);
    }
    Span at = tests[0]->tmpl->decl->name.span;
    std::vector<std::pair<ir::FuncId, TypeId>> callees;
    for (FunctionInstance* test : tests) {
        ir::FuncId callee = funcFor(sema, *test);
        callees.push_back({callee, resultType(sema, *test, at)});
    }
    ir::Function& fn = newEntry(sema, at);
    Body l(sema, fn, *sema.program.entry, nullptr, nullptr);
    ir::Builder& b = l.b;
    b.setSpan(at);
    callRuntime(l, "sx_program_start", TypeId::Void, {fn.params[0], fn.params[1]}, {b.param(0), b.param(1)});
    ValueId chosen = callees.size() > 1 ? callRuntime(l, "sx_test_chosen", TypeId::I64, {}, {}) : ValueId::None;
    for (size_t i = 0; i + 1 < callees.size(); ++i) {
        BlockId isThis = b.newBlock(), isNot = b.newBlock();
        ValueId index = constInt(b, TypeId::I64, static_cast<int64_t>(i));
        emitCondBr(b, emitICmp(b, ir::ICmpPred::Eq, chosen, index), isThis, isNot, false);
        b.setBlock(isThis);
        callTest(l, callees[i].first, callees[i].second);
        b.setBlock(isNot);
    }
    callTest(l, callees.back().first, callees.back().second);
    finishFunction(l);
}

} // namespace

void buildEntry(Sema& sema) {
    if (!sema.options.tests.empty()) return buildTestEntry(sema);
    Span at;
    FunctionInstance* user = programMain(sema, at);
    if (!user) return;
    ir::FuncId callee = funcFor(sema, *user);
    TypeId result = resultType(sema, *user, at);

    ir::Function& fn = newEntry(sema, at);
    Body l(sema, fn, *sema.program.entry, nullptr, nullptr);
    l.b.setSpan(at);
    callRuntime(l, "sx_program_start", TypeId::Void, {fn.params[0], fn.params[1]}, {l.b.param(0), l.b.param(1)});
    callMain(l, callee, result);
    finishFunction(l);
}

} // namespace sx::lower
