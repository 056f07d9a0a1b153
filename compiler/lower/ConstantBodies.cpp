#include "lower/ConstantBodies.h"

#include "ir/BuildControl.h"
#include "ir/StraightLine.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "sema/BuiltTypes.h"
#include "sema/Constants.h"
#include "sema/Evaluate.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

/// Makes a function of the scratch body that returns `v`, or the address of it.
void returnFrom(Body& body, const Value& v, TypeId type) {
    if (type == TypeId::Void || v.isVoid()) {
        emitRet(body.b);
        return;
    }
    body.fn.result = type;
    emitRet(body.b, isScalar(body.types, type) ? scalar(body, v) : addressOf(body, v));
}

/// The path to the first function pointer or closure in constant data, in the form of `.field[1]`; empty for the value
/// itself. Null if there is none.
std::optional<std::string> functionIn(const TypeTable& types, TypeId type, const ir::ConstData& data, uint64_t offset) {
    auto inPart = [&](const std::string& step, TypeId part, uint64_t at) {
        std::optional<std::string> path = functionIn(types, part, data, at);
        if (path) path->insert(0, step);
        return path;
    };
    auto nameOf = [&](Name name, size_t index) {
        return "." + (name == Name::None ? std::to_string(index) : std::string(types.names().text(name)));
    };
    switch (types.kind(type)) {
    case TypeKind::Function:
    case TypeKind::Closure:
        for (const ir::Reloc& r : data.relocs)
            if (r.offset == offset && r.kind == ir::Reloc::Kind::Function) return std::string();
        return std::nullopt;
    case TypeKind::Struct:
    case TypeKind::Tuple: {
        std::vector<Part> parts = partsOf(types, type);
        for (size_t i = 0; i < parts.size(); ++i)
            if (auto path = inPart(nameOf(parts[i].name, i), parts[i].type, offset + parts[i].offset)) return path;
        return std::nullopt;
    }
    case TypeKind::Optional: return functionIn(types, types.elem(type), data, offset);
    case TypeKind::Enum: // the payload that holds one is the one that is there: the bytes of another have no address of
                         // a function
        if (!isTaggedEnum(types, type)) return std::nullopt;
        for (const Variant& v : types.enumInfo(type).variants)
            if (v.payload != TypeId::None)
                if (auto path = inPart(nameOf(v.name, 0), v.payload, offset + types.enumInfo(type).payloadOffset))
                    return path;
        return std::nullopt;
    case TypeKind::Array:
        for (uint64_t i = 0; i < types.count(type); ++i)
            if (auto path = inPart("[" + std::to_string(i) + "]", types.elem(type),
                                   offset + i * sizeOf(types, types.elem(type))))
                return path;
        return std::nullopt;
    default: return std::nullopt;
    }
}

namespace {

/// `__run_0`, …: what a list of frames calls the top-level `#run` statements of a file. Empty for anything else.
std::string runName(const SourceFile& file, const Expr* e) {
    unsigned index = 0;
    for (const Decl* d : file.items)
        if (const auto* run = llvm::dyn_cast<RunDecl>(d)) {
            if (run->value == e) return "__run_" + std::to_string(index);
            ++index;
        }
    return {};
}

/// One evaluation of a constant's initializer, or of a `#run`.
class ConstantEvaluation {
public:
    ConstantEvaluation(Sema& sema, const Expr* e, TypeId target, Scope* scope, uint32_t limit, SourceFile* file,
                       bool isRun)
        : sema_(sema), types_(sema.types), e_(e), target_(target), scope_(scope), limit_(limit), file_(file),
          isRun_(isRun) {}

    std::optional<Value> run() {
        scope_ = announceTypes(sema_, e_, scope_, limit_, file_);
        ir::FuncId id = newFunction(sema_, "constant", "constant");
        ir::Function& fn = sema_.module.fn(id);
        ScratchGuard guard{fn};
        fn.compilerMade = true;
        fn.span = e_->span;
        if (isRun_ && sema_.resolving.empty()) fn.name = runName(*file_, e_);
        std::unique_ptr<Body> body = scratch(sema_, fn, *file_, scope_);
        body->scopeLimit = limit_;
        body->modes.operation = e_->span;
        if (isRun_) body->modes.bareEnd = blockEnd(e_);

        Value v = lowered(*body);
        if (v.isError()) return std::nullopt;
        if (v.isTypeName()) return v;
        if (!isRun_ && (v.isConst() || v.kind == Value::Kind::Function)) return folded(v);
        if (!v.isVoid() && !requireValue(*body, v, e_->span)) return std::nullopt;
        // A struct literal with a field that does not fold is evaluated at every use; anything else as if by `#run`.
        if (!isRun_ && llvm::isa<StructLit>(withoutParens(e_)) &&
            !isConstantExpression(sema_, e_, scope_, limit_, file_))
            return Value::temporary(v.type, ir::ValueId::None);
        if (isRun_ && sema_.diags.hasErrors()) return std::nullopt; // evaluation waits for a program without errors
        TypeId type = v.isVoid() ? TypeId::Void : v.type;
        // `c_allocator : CAllocator = .{};`: nothing is left to find out, and the library would make every program
        // start an interpreter.
        if (!isRun_ && type != TypeId::Void && sizeOf(types_, type) == 0)
            return Value::ofConst(type, readConstant(sema_, {}, 0, type));
        fn.errorIsValue = !failable_;
        returnFrom(*body, v, type);
        finishFunction(*body);
        // A literal of constants needs no interpreter.
        if (!isRun_ && !failable_)
            if (std::optional<ir::ConstData> data = ir::evaluateStraightLine(sema_.module, fn))
                return Value::ofConst(type, readConstant(sema_, *data, 0, type));
        return interpreted(id, type);
    }

private:
    Value lowered(Body& body) {
        bool isAsRun = isRun_ || llvm::isa<Call>(withoutParens(e_)); // a call is evaluated as if `#run` were written
        Value v = isAsRun ? lowerUnmarked(body, e_, target_) : lower(body, e_, target_);
        failable_ = !v.isError() && v.unmarkedFailable && isFailable(types_, v.type);
        return v.isError() || failable_ || target_ == TypeId::None ? v : convert(body, v, target_, e_->span);
    }

    std::optional<Value> folded(const Value& v) {
        if (!v.isConst() || v.type != TypeId::Null) return v;
        sema_.diags.error(e_->span, "`null` alone has no type: annotate the declaration");
        return std::nullopt;
    }

    std::optional<Value> interpreted(ir::FuncId id, TypeId type) {
        std::string what = currentConstant(sema_);
        bool buildsType =
            !isRun_ && type == TypeId::Type; // while checking: its failure has a place, and it prints at once
        EvaluationFailure failure;
        std::optional<ConstValue> c = evaluate(sema_, id, type, what, buildsType ? Output::AtOnce : Output::Held,
                                               buildsType ? &failure : nullptr);
        if (!c && !failure.reason.empty())
            reportFailure(sema_, e_->span, sema_.resolving.empty() ? "this type" : what, failure);
        if (!c) return std::nullopt;
        if (type == TypeId::Void) return Value::none();
        if (isRun_ && holdsFunction(type, *c, what)) return std::nullopt;
        return failable_ ? valueSlots(type, *c) : Value::ofConst(type, *c);
    }

    /// Functions cannot be stored as constants. True after a report.
    bool holdsFunction(TypeId type, const ConstValue& c, const std::string& what) {
        if (c.kind != ConstValue::Kind::Data || c.data->relocs.empty()) return false;
        std::optional<std::string> path = functionIn(types_, type, *c.data, 0);
        if (!path) return false;
        if (!path->empty() && path->front() == '.') path->erase(0, 1);
        sema_.diags.unplacedError(what + " failed while compiling: the result cannot be stored as a constant: " +
                                  (path->empty() ? "it" : code(*path)) + " is a function reference");
        return true;
    }

    /// The value slots of a failable: an escaping error has stopped the build already.
    std::optional<Value> valueSlots(TypeId type, const ConstValue& c) {
        TypeId success = successType(types_, type);
        if (success == TypeId::Void) return Value::none();
        ConstValue part = c.kind == ConstValue::Kind::Data ? readConstant(sema_, *c.data, 0, success) : c;
        if (target_ != TypeId::None && target_ != success) return std::nullopt;
        return Value::ofConst(success, part);
    }

    Sema& sema_;
    TypeTable& types_;
    const Expr* e_;
    TypeId target_;
    Scope* scope_;
    uint32_t limit_;
    SourceFile* file_;
    bool isRun_;
    bool failable_ = false; ///< the expression may fail, and nothing marks it
};

} // namespace

std::optional<Value> evaluateConstant(Sema& sema, const Expr* e, TypeId target, Scope* scope, uint32_t limit,
                                      SourceFile* file, bool isRun) {
    const auto* run = llvm::dyn_cast<Run>(e);
    return ConstantEvaluation(sema, run ? run->value : e, target, scope, limit, file, isRun || run).run();
}

std::optional<__int128> evaluateCount(Sema& sema, const Expr* e, Scope* scope, uint32_t limit, SourceFile* file) {
    if (const auto* i = llvm::dyn_cast<IntLit>(e)) return static_cast<__int128>(i->value);
    if (const auto* p = llvm::dyn_cast<TypeParam>(withoutParens(e)); p && p->index < 0) { // `$N` of a bound parameter
        Symbol* s = lookup(sema, p->id.name, scope, limit, file).symbol;
        if (s && s->kind == SymbolKind::Constant && !s->decl && s->constant().isInt()) return s->constant().i;
    }
    if (const auto* n = llvm::dyn_cast<NameRef>(withoutParens(e))) { // a parameter of an enum type counts by its value
        Symbol* s = lookup(sema, n->id.name, scope, limit, file).symbol;
        if (s && s->variant) return *s->variant;
        if (s && s->kind == SymbolKind::Constant && !s->decl && s->constant().isInt() &&
            isPlainEnum(sema.types, s->type))
            return s->constant().i;
    }
    ir::FuncId id = newFunction(sema, "count", "count");
    ir::Function& fn = sema.module.fn(id);
    ScratchGuard guard{fn};
    fn.compilerMade = true;
    std::unique_ptr<Body> body = scratch(sema, fn, *file, scope);
    body->scopeLimit = limit;
    body->modes.operation = e->span;
    body->modes.counting = true;
    Value v = lower(*body, e);
    if (v.isError()) {
        if (!sema.diags.hasErrors()) sema.diags.error(e->span, "this is not a compile-time integer");
        return std::nullopt;
    }
    if (!v.isConst() && isScalar(body->types, v.type) && isConstantExpression(sema, e, scope, limit, file)) {
        returnFrom(*body, v, v.type);
        finishFunction(*body);
        if (std::optional<ConstValue> c = evaluate(sema, id, v.type, "this count", Output::AtOnce))
            v = Value::ofConst(v.type, *c);
    }
    if (v.isConst() && v.constant.isInt() && (isInteger(sema.types, v.type) || v.untypedLiteral)) return v.constant.i;
    if (v.isConst() && v.constant.isFloat()) {
        double f = v.constant.f;
        if (f >= -9.2e18 && f <= 1.8e19 && static_cast<double>(static_cast<__int128>(f)) == f)
            return static_cast<__int128>(f);
        sema.diags.error(e->span, "a count must be a whole number, and this is " + std::to_string(f));
        return std::nullopt;
    }
    sema.diags.error(e->span, "a count must be an integer that is known while compiling");
    return std::nullopt;
}

} // namespace sx::lower
