#include "lower/ExpressionCompiler.h"

#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/TypeDescriptor.h"
#include "lower/Place.h"
#include "lower/body/Recursion.h"
#include "lower/body/Results.h"
#include "lower/body/Storage.h"
#include "lower/body/Values.h"
#include "lower/values/Conditions.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::lower {

using namespace ast;

namespace {

/// Lowers one expression into a function.
class Compilation {
public:
    /// `code`: of the body that the expression is read in.
    Compilation(Sema& sema, const Place& place, const ir::Function& code, CompiledExpression& out)
        : sema_(sema), place_(place), code_(code), out_(out) {}

    void run(const Expr& e, ExpressionCompiler::Want want) {
        ir::FuncId id = makeFunction();
        std::unique_ptr<Body> body = place_.body(sema_.module.fn(id), e.span);
        f_ = body.get();
        declareGiven(want.given);
        setResultType(*f_, TypeId::InferredErrors);
        f_->result.errors = newErrorNode(sema_);
        f_->places = f_->b.param(0);
        answer_ = f_->b.param(1);
        BlockId start = f_->b.newBlock();
        f_->b.setBlock(start); // the entry block stays open for the addresses of variables

        if (want.isCondition) answerCondition(e);
        else answerValue(e, want.type);

        BlockId end = f_->b.block();
        f_->b.setBlock(BlockId{0});
        emitBr(f_->b, start);
        f_->b.setBlock(end);
        finishFunction(*f_);
        drainWorklist(sema_);
        for (const Capture& c : f_->captures.list) {
            out_.variables.push_back({c.outer->name, c.outer->nameSpan, c.outer->type, c.outer->slot});
            findCaptured(out_.variables.back(), c.used);
        }
        if (out_.namedType == TypeId::None && !sema_.diags.hasErrors()) out_.function = id;
    }

private:
    ir::FuncId makeFunction() {
        ir::FuncId id = newFunction(sema_, "(expression)", "evaluation");
        ir::Function& fn = sema_.module.fn(id);
        fn.compilerMade = true;
        TypeId pointer = pointerTo(sema_.types, TypeId::Void);
        fn.params = {pointer, pointer};
        fn.paramNames = {Name::None, Name::None};
        return id;
    }

    /// The body may be that of a lambda, which has of the variables around it those that its code uses.
    void findCaptured(UsedVariable& used, Span at) {
        if (!used.declared.isValid() || !place_.isAround(used.name, used.declared)) return;
        used.slot = capturedSlot(code_, used.name, used.declared);
        if (used.slot == ir::SlotId::None)
            sema_.diags.error(at, code(sema_.names.text(used.name)) + " is not captured by this function");
    }

    void declareGiven(llvm::ArrayRef<GivenVariable> given) {
        for (const GivenVariable& g : given) {
            if (!g.isInnermost && place_.sees(g.name)) continue;
            Symbol* symbol = newSymbol(sema_, g.name, SymbolKind::Local, {});
            symbol->type = g.type;
            if (g.isConstant) symbol->localKind = LocalKind::Const;
            declare(sema_, *f_->scope, g.name, symbol);
        }
    }

    void answerCondition(const Expr& e) {
        ValueId truth = lowerCondition(*f_, &e);
        if (truth == ValueId::None || !f_->reachable()) return;
        answer(Value::scalar(TypeId::Bool, truth), e.span);
    }

    void answerValue(const Expr& e, TypeId type) {
        // Code takes an error that has to fit nothing for its number; who asks for it wants the error.
        if (type == TypeId::None && llvm::isa<ErrorTag>(withoutParens(&e))) type = TypeId::InferredErrors;
        Value v = type == TypeId::None ? elementOf(*f_, lowerUnmarked(*f_, &e)) : lowerTo(*f_, &e, type);
        if (v.isError()) return;
        out_.isFailable = v.unmarkedFailable && isFailable(sema_.types, v.type);
        if (v.isTypeName() && type == TypeId::None) {
            out_.namedType = v.namedType;
            out_.type = TypeId::Type;
        } else if (v.isVoid()) {
            out_.type = TypeId::Void;
            if (f_->reachable()) emitReturn(*f_, Value::none(), e.span);
        } else if (requireValue(*f_, v, e.span)) {
            answer(v, e.span);
        }
    }

    void answer(const Value& v, Span at) {
        out_.type = v.type;
        out_.isPlace = v.isMemory();
        out_.isConstant = v.constRooted || v.behindConstant || !v.lvalue;
        out_.answerSize = out_.isPlace ? sizeof(uint64_t) : sizeOf(sema_.types, v.type);
        if (out_.isPlace) emitStore(f_->b, answer_, v.id);
        else store(*f_, answer_, v);
        emitReturn(*f_, Value::none(), at);
    }

    Sema& sema_;
    const Place& place_;
    const ir::Function& code_;
    CompiledExpression& out_;
    Body* f_ = nullptr;
    ValueId answer_ = ValueId::None;
};

} // namespace

ExpressionCompiler::~ExpressionCompiler() {
    for (auto& kept : kept_) kept->isReleased = true;
    undoReleased();
}

ir::SlotId capturedSlot(const ir::Function& lambda, Name name, Span declared) {
    for (uint32_t i = 0; i < lambda.slots.size(); ++i)
        if (lambda.slots[i].name == name && lambda.slots[i].span == declared) return static_cast<ir::SlotId>(i);
    return ir::SlotId::None;
}

const CompiledExpression& ExpressionCompiler::compile(std::string_view text, const CodePlace& at, Want want) {
    const AskedText& asked = parsed(sema_, text);
    Place place(sema_, at);
    ir::Module& m = sema_.module;
    size_t functions = m.functions.size(), globals = m.globals.size();
    CompiledExpression& out = kept_.emplace_back(std::make_unique<Kept>(sema_))->code;
    DiagnosticScope apart(sema_.diags);
    if (!asked.tree) {
        out.errors = asked.errors;
    } else if (!place.isKnown()) {
        sema_.diags.error(asked.tree->span, "the place at which this is read is in no file of the program");
    } else {
        Compilation(sema_, place, at.code, out).run(*asked.tree, want);
        ir::finish(m, functions, globals); // where this has errors, too: another expression may use what it has made
    }
    if (out.errors.empty()) out.errors = sema_.diags.all();
    llvm::erase_if(out.errors, [](const Diagnostic& d) { return d.severity != Severity::Error; });
    kept_.back()->rollback.suspend();
    return out;
}

void ExpressionCompiler::release(const CompiledExpression& code) {
    for (auto& kept : kept_)
        if (&kept->code == &code) kept->isReleased = true;
    undoReleased();
}

void ExpressionCompiler::undoReleased() {
    while (!kept_.empty() && kept_.back()->isReleased) {
        kept_.pop_back();
        ++generation_;
    }
}

} // namespace sx::lower
