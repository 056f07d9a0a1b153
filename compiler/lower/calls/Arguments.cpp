#include "lower/calls/Arguments.h"

#include "ir/BuildConstants.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Closures.h"
#include "lower/calls/Packs.h"
#include "lower/values/ConversionErrors.h"
#include "lower/values/Conversions.h"
#include "lower/values/Literals.h"
#include "sema/Notes.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

bool isTriviallyPure(const Expr* e) {
    switch (e->kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Bool:
    case ExprKind::String:
    case ExprKind::Null:
    case ExprKind::Undef:
    case ExprKind::NameRef:
    case ExprKind::TypeParam:
    case ExprKind::EnumLit:
    case ExprKind::ErrorTag:
    case ExprKind::CallerLocation:
    case ExprKind::Lambda:
    case ExprKind::Run:
    case ExprKind::OptionalType:
    case ExprKind::SliceType:
    case ExprKind::ManyPointerType:
    case ExprKind::SentinelType:
    case ExprKind::ArrayType:
    case ExprKind::FunctionType:
    case ExprKind::ClosureType:
    case ExprKind::TupleType:
    case ExprKind::ResultList:
    case ExprKind::ErrorChannel:
    case ExprKind::InlineType: return true;
    case ExprKind::Paren: return isTriviallyPure(static_cast<const Paren*>(e)->inner);
    case ExprKind::Member: return isTriviallyPure(static_cast<const Member*>(e)->base);
    case ExprKind::Deref: return isTriviallyPure(static_cast<const Deref*>(e)->base);
    case ExprKind::Unary:
        return static_cast<const Unary*>(e)->op != UnaryOp::Try &&
               isTriviallyPure(static_cast<const Unary*>(e)->operand);
    case ExprKind::Binary: {
        const auto* binary = static_cast<const Binary*>(e);
        return isTriviallyPure(binary->lhs) && isTriviallyPure(binary->rhs);
    }
    case ExprKind::CompareChain:
    case ExprKind::Call:
    case ExprKind::Index:
    case ExprKind::Slice:
    case ExprKind::Cast:
    case ExprKind::Unwrap:
    case ExprKind::Catch:
    case ExprKind::StructLit:
    case ExprKind::ArrayLit:
    case ExprKind::Block:
    case ExprKind::If:
    case ExprKind::Match:
    case ExprKind::While:
    case ExprKind::For:
    case ExprKind::Push:
    case ExprKind::Break:
    case ExprKind::Continue:
    case ExprKind::Return:
    case ExprKind::Asm: return false;
    }
    return false;
}

// ------------------------------------------------------------------------------------ conversions

namespace {

/// What is wrong with a number is wrong with the literal: out of range, or not whole.
bool isNumberAtFault(const TypeTable& types, const Value& v, TypeId to) {
    return v.isConst() && isNumeric(types, to) && (v.constant.isFloat() || (v.constant.isInt() && v.untypedLiteral));
}

/// The protocol that a value of type `to` erases to: `P` or `?P`.
TypeId erasedProtocol(const TypeTable& types, TypeId to) {
    if (types.kind(to) == TypeKind::Optional) to = types.elem(to);
    return types.kind(to) == TypeKind::Protocol ? to : TypeId::None;
}

/// A value that can be passed once it has the right type.
bool isData(const Value& v) {
    switch (v.kind) {
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const:
    case Value::Kind::TypeName:
    case Value::Kind::Function: return true;
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Method:
    case Value::Kind::Namespace:
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: return false;
    }
    return false;
}

Value rejectArgument(Body& f, Value v, Span argument) {
    if (v.kind == Value::Kind::Pack) {
        rejectPack(f, argument, *v.pack).help("pass its elements with " + code(".." + f.sema.text(v.pack->name)));
    } else {
        requireValue(f, v, f.modes.operation);
    }
    return Value::error();
}

} // namespace

Value convertArgument(Body& f, const Value& v, TypeId to, Span argument, ValueId dest) {
    if (v.isError() || v.type == TypeId::NoReturn || (to == TypeId::Void && v.isVoid())) return v;
    if (!isData(v)) return rejectArgument(f, v, argument);
    bool isObject = v.isMemory() || v.kind == Value::Kind::Scalar || v.isConst();
    if (f.types.kind(to) == TypeKind::Pointer && isObject && !v.refCapture &&
        sameType(f.sema, v.type, f.types.elem(to))) {
        // Implicit address-of. A constant or a temporary is passed as a copy that the callee may write.
        bool isStorage = v.isMemory() && !v.constRooted;
        Value place = isStorage ? v : temp(f, v.type);
        if (!isStorage) store(f, place.id, v);
        return Value::scalar(to, emitCast(f.b, ir::Op::Reinterpret, place.id, to));
    }
    if (f.types.kind(v.type) == TypeKind::Pointer && !v.refCapture && sameType(f.sema, f.types.elem(v.type), to)) {
        f.diags
            .error(argument, "cannot pass the pointer " + code(f.types, v.type) + " where the value " +
                                 code(f.types, to) + " is expected")
            .help("dereference it with `.*`");
        return Value::error();
    }
    bool atArgument =
        erasedProtocol(f.types, to) != TypeId::None || isNumberAtFault(f.types, v, to) || conventionDiffers(f, v, to);
    return convert(f, v, to, atArgument ? argument : f.modes.operation, dest);
}

Value convertElement(Body& f, const Value& v, TypeId to, Span element, Span literal, ValueId dest) {
    if (v.isError() || v.type == TypeId::NoReturn || (to == TypeId::Void && v.isVoid())) return v;
    Span at = f.modes.operation;
    if (TypeId protocol = erasedProtocol(f.types, to); protocol != TypeId::None) {
        bool isOwned = (v.isMemory() && v.lvalue) || f.types.kind(v.type) == TypeKind::Pointer;
        at = isOwned && !f.types.protocolInfo(protocol).isIdentity ? literal : element;
    } else if (isNumberAtFault(f.types, v, to) || conventionDiffers(f, v, to)) {
        at = element;
    }
    return convert(f, v, to, at, dest);
}

Value lowerInScope(Body& f, const Expr* e, TypeId type, SourceFile& where, Scope* env, uint32_t limit, ValueId dest) {
    if (llvm::is_contained(f.modes.fromOtherScopes, e)) {
        f.diags
            .error(e->span,
                   code(f.sema.sources.textOf(e->span)) + " needs itself before it is known: that would never end")
            .help("give the inner value explicitly, so that it does not come here again");
        return Value::error();
    }
    // A second body writes into the same function: it sees the other declaration's names and none of this one's.
    Body inner(f.sema, f.fn, where, env, nullptr);
    inner.scope->outerLimit = limit;
    inner.b.continueFrom(f.b);
    inner.b.showAt(f.b.span());
    // The statement that begins here begins in front of all of its code.
    ir::Builder::Marks marks = f.b.takeMarks();
    const size_t kept = marks.kept;
    inner.b.putMarks(std::move(marks));
    inner.b.keepStatement();
    inner.context = f.context;
    inner.name = f.name;
    inner.lambdaCount = f.lambdaCount;
    inner.modes.outermostCall = f.modes.outermostCall;
    inner.modes.operation = e->span;
    inner.modes.defaultOfCall = f.modes.defaultOfCall;
    inner.isComptimeScratch = f.isComptimeScratch;
    inner.modes.fromOtherScopes = f.modes.fromOtherScopes;
    inner.modes.fromOtherScopes.push_back(e);
    Value v = type == TypeId::None ? lower(inner, e) : lowerTo(inner, e, type, dest);
    f.b.setBlock(inner.b.block());
    marks = inner.b.takeMarks();
    marks.kept = std::min(kept, marks.statements.size());
    f.b.putMarks(std::move(marks));
    f.lambdaCount = inner.lambdaCount;
    v.symbol = nullptr;
    return v;
}

llvm::SmallVector<ParamInfo, 4> unnamedParams(llvm::ArrayRef<TypeId> parameterTypes) {
    llvm::SmallVector<ParamInfo, 4> params;
    for (TypeId t : parameterTypes) {
        ParamInfo p;
        p.type = t;
        params.push_back(p);
    }
    return params;
}

Value sliceOfValues(Body& f, TypeId slice, llvm::ArrayRef<Value> elements) {
    TypeId elem = f.types.elem(slice), pointer = manyPointerTo(f.types, elem);
    Value result = temp(f, slice);
    ValueId start = ValueId::None;
    if (elements.empty()) {
        start = nullOf(f.b, pointer);
    } else {
        Value backing = temp(f, arrayOf(f.types, elements.size(), elem));
        for (size_t i = 0; i < elements.size(); ++i)
            store(f, emitOffset(f.b, backing.id, i * sizeOf(f.types, elem), pointerTo(f.types, elem)), elements[i]);
        start = emitCast(f.b, ir::Op::Reinterpret, backing.id, pointer);
    }
    emitStore(f.b, emitOffset(f.b, result.id, 0, pointerTo(f.types, pointer)), start);
    emitStore(f.b, emitOffset(f.b, result.id, 8, pointerTo(f.types, TypeId::I64)),
              i64(f, static_cast<int64_t>(elements.size())));
    return result;
}

// ------------------------------------------------------------------------------------ binding

Span blockSpan(const FunctionDecl& block) { return block.hasBody() ? block.bodySpan() : block.span; }

bool positionalAfterNamed(Body& f, const Arg& arg) {
    f.diags.error(arg.span, "a positional argument cannot follow a named one");
    return false;
}

bool unknownParameter(Body& f, const Arg& arg, const std::string& callee, const FunctionTemplate& tmpl,
                      llvm::ArrayRef<std::string_view> names) {
    std::string_view spelled = f.sema.names.text(arg.name.name);
    Diagnostic& d = f.diags.error(arg.span, callee + " has no parameter " + code(spelled));
    noteFunction(d, tmpl);
    suggest(f.diags, d, spelled, names);
    return false;
}

bool blockGivenByName(Body& f, Span block, Name parameter) {
    f.diags.error(block, "the trailing block is the parameter " + code(f.sema, parameter) +
                             ", which is given by name already");
    return false;
}

namespace {

/// Which argument it is that does not fit: "argument 2 (`b`) of `f`".
Purpose purposeOf(Body& f, const Call& call, const std::string& callee, const Arg& arg, const ParamInfo& p,
                  const Value& given) {
    Purpose why;
    std::string name = p.name == Name::None ? std::string() : code(f.sema, p.name);
    size_t number = static_cast<size_t>(&arg - call.args.data()) + 1;
    why.subject = arg.name ? "argument " + name
                           : "argument " + std::to_string(number) +
                                 (name.empty() || p.isVariadic || p.isPack ? "" : " (" + name + ")");
    why.subject += " of " + callee;
    why.value = arg.value->span;
    why.actual = describeValue(f, given);
    if (p.decl) {
        why.declaration = p.decl->span;
        why.declared = "the parameter " + name + " is declared here";
    }
    return why;
}

class ArgumentBinder {
public:
    ArgumentBinder(Body& f, const Call& call, const CallTarget& target)
        : f_(f), call_(call), target_(target), values_(target.params.size()), bound_(target.params.size(), false),
          spreads_(std::any_of(call.args.begin(), call.args.end(), [](const Arg& a) { return a.spread; })) {}

    bool bind(llvm::SmallVectorImpl<Value>& out) {
        if (!spreads_ && !checkPlan()) return false;
        if (!lowerWritten()) return false;
        if (spreads_ && !checkRequired()) return false;
        if (!lowerDefaults()) return false;
        for (size_t i = 0; i < target_.params.size(); ++i) {
            if (!target_.params[i].isVariadic) out.push_back(values_[i]);
            else if (target_.cVariadic) out.append(tail_.begin(), tail_.end());
            else out.push_back(tailSpread_.isError() ? sliceOfValues(f_, target_.params[i].type, tail_) : tailSpread_);
        }
        return true;
    }

private:
    const ParamInfo& param(size_t i) const { return target_.params[i]; }
    size_t count() const { return target_.params.size(); }
    bool isVariadic(size_t i) const { return i < count() && param(i).isVariadic; }
    bool hasDefault(size_t i) const { return param(i).decl && param(i).decl->defaultValue; }
    Span calleeSpan() const { return call_.callee->span; }

    // ---- matching

    size_t find(Name name) const {
        size_t i = 0;
        while (i < count() && param(i).name != name) ++i;
        return i;
    }

    bool takeNamed(const Arg& arg, llvm::SmallVectorImpl<bool>& taken, size_t& index) {
        std::string name = code(f_.sema, arg.name.name);
        if (!target_.instance) {
            f_.diags.error(calleeSpan(),
                           target_.name + " takes its arguments by position only: its parameters have no names");
            return false;
        }
        index = find(arg.name.name);
        if (index == count()) {
            std::vector<std::string_view> names;
            for (const ParamInfo& p : target_.params) names.push_back(f_.sema.names.text(p.name));
            return unknownParameter(f_, arg, target_.name, *target_.instance->tmpl, names);
        }
        if (f_.sema.uses && param(index).decl)
            f_.sema.uses->all.push_back({arg.name.span, nullptr, nullptr, param(index).decl->name.span, TypeId::None});
        if (param(index).isVariadic) {
            f_.diags.error(arg.span, "the variadic parameter " + name + " cannot be given by name");
            return false;
        }
        if (taken[index]) {
            f_.diags.error(arg.span, "the parameter " + name + " is given twice")
                .note(givenAt(index), "it is given here already");
            return false;
        }
        return taken[index] = true;
    }

    /// The argument that gives a parameter first.
    Span givenAt(size_t index) const {
        size_t next = 0;
        for (const Arg& arg : call_.args)
            if (arg.name ? arg.name.name == param(index).name : next++ == index) return arg.span;
        return call_.span;
    }

    /// Names, order and counts of a call without spreads.
    bool checkPlan() {
        llvm::SmallVector<bool, 8> taken(count(), false);
        size_t next = 0, given = 0;
        bool named = false;
        for (const Arg& arg : call_.args) {
            if (arg.name) {
                size_t index = 0;
                if (!takeNamed(arg, taken, index)) return false;
                named = true;
                continue;
            }
            if (named) return positionalAfterNamed(f_, arg);
            ++given;
            if (next < count()) taken[next] = true;
            if (next >= count() || !param(next).isVariadic) ++next;
        }
        if (call_.trailingBlock && !checkTrailingBlock(taken, next, given)) return false;
        if (next > count()) return wrongCount(given);
        return named ? checkMissing(taken) : checkCount(taken, given) && checkSurplus(given);
    }

    /// An argument beyond those that a call must give, where a parameter stands that the context fills in: if it is
    /// nothing of that kind, it was not meant for it, and there is one too many.
    bool checkSurplus(size_t given) {
        for (size_t i = 0; i < given && i < count(); ++i) {
            const auto* preset =
                hasDefault(i) ? llvm::dyn_cast<Member>(withoutParens(param(i).decl->defaultValue)) : nullptr;
            const auto* base = preset ? llvm::dyn_cast<NameRef>(preset->base) : nullptr;
            if (!base || f_.sema.names.text(base->id.name) != "context" || i >= call_.args.size()) continue;
            const Expr* argument = call_.args[i].value;
            TypeId type = needsTarget(argument) ? TypeId::None : peekType(f_, argument);
            if (type == TypeId::None || convertible(f_, Value::temporary(type, ValueId::None), param(i).type)) continue;
            Diagnostic& d = f_.diags.error(calleeSpan(), target_.name + " takes " + countOf(i, "argument") + ", but " +
                                                             givenCount(given));
            d.note(param(i).decl->span, "one more could only be the " + code(f_.types, param(i).type) + " to use");
            return false;
        }
        return true;
    }

    bool checkTrailingBlock(llvm::SmallVectorImpl<bool>& taken, size_t next, size_t& given) {
        Span at = blockSpan(*call_.trailingBlock);
        if (!target_.instance) {
            f_.diags.error(calleeSpan(),
                           target_.name + " cannot take a trailing block: pass the closure as an argument");
            return false;
        }
        if (count() == 0 || next > count()) return wrongCount(given + 1);
        const ParamInfo& last = param(count() - 1);
        TypeId type = f_.types.kind(last.type) == TypeKind::Optional ? f_.types.elem(last.type) : last.type;
        bool fits =
            !last.isVariadic && f_.types.kind(type) == TypeKind::Closure && f_.types.functionInfo(type).params.empty();
        if (!fits) {
            f_.diags.error(at,
                           "a trailing block needs a last parameter that is a closure without parameters; that of " +
                               target_.name + " is " + withArticle(f_.types, last.type));
            return false;
        }
        if (taken[count() - 1] && next < count()) return blockGivenByName(f_, at, last.name);
        ++given;
        if (taken[count() - 1]) return wrongCount(given);
        return taken[count() - 1] = true;
    }

    size_t leastCount() const {
        size_t least = 0;
        for (size_t i = 0; i < count(); ++i) least += !hasDefault(i) && !param(i).isVariadic;
        return least;
    }

    /// As many arguments as the call needs may still leave one out: behind a parameter with a default.
    bool checkCount(llvm::ArrayRef<bool> taken, size_t given) {
        for (size_t i = 0; i < count(); ++i)
            if (!taken[i] && !hasDefault(i) && !param(i).isVariadic)
                return given < leastCount() ? wrongCount(given) : checkMissing(taken);
        return true;
    }

    bool checkMissing(llvm::ArrayRef<bool> taken) {
        std::string missing;
        for (size_t i = 0; i < count(); ++i)
            if (!taken[i] && !hasDefault(i) && !param(i).isVariadic)
                missing += (missing.empty() ? "" : ", ") + code(f_.sema, param(i).name);
        if (missing.empty()) return true;
        Diagnostic& d = f_.diags.error(calleeSpan(), target_.name + " is called without " + missing);
        noteCallee(d);
        bool isNamed = std::any_of(call_.args.begin(), call_.args.end(), [](const Arg& a) { return bool(a.name); });
        if (!isNamed && !call_.args.empty()) d.help("name the arguments behind a default: `NAME = VALUE`");
        return false;
    }

    void noteCallee(Diagnostic& d) {
        if (target_.instance) noteFunction(d, *target_.instance->tmpl);
    }

    bool checkRequired() {
        llvm::SmallVector<bool, 8> taken(bound_);
        bool named = std::any_of(call_.args.begin(), call_.args.end(), [](const Arg& a) { return bool(a.name); });
        return named ? checkMissing(taken) : checkCount(taken, written_);
    }

    bool wrongCount(size_t given) {
        size_t least = 0, most = count();
        bool open = false;
        for (size_t i = 0; i < count(); ++i) {
            if (param(i).isVariadic) open = true, --most;
            else if (!hasDefault(i)) ++least;
        }
        Diagnostic& d = f_.diags.error(calleeSpan(), target_.name + " takes " + argumentRange(least, most, open) +
                                                         ", but " + givenCount(given));
        noteCallee(d);
        return false;
    }

    // ---- lowering

    /// How many arguments there are up to the last one that may change a variable.
    size_t countToLastImpure() const {
        size_t n = call_.args.size();
        while (n > 0 && isTriviallyPure(call_.args[n - 1].value)) --n;
        return n;
    }

    bool lowerWritten() {
        bool ok = true;
        size_t next = 0;
        const size_t toLastImpure = countToLastImpure();
        for (size_t i = 0; i < call_.args.size(); ++i) {
            const Arg& arg = call_.args[i];
            if (arg.spread) {
                if (!lowerSpread(arg, next)) return false;
                continue;
            }
            size_t index = next;
            if (arg.name && !takeNamed(arg, bound_, index)) return false;
            if (!arg.name && index >= count()) return tooMany();
            ++written_;
            if (param(index).isVariadic && !tailSpread_.isError()) return mixedTail(tailSpreadAt_);
            TypeId type = param(index).isVariadic ? f_.types.elem(param(index).type) : param(index).type;
            bool asItIs = target_.cVariadic && param(index).isVariadic && type == TypeId::Any; // C has no boxes
            Value given = lower(f_, arg.value, asItIs ? TypeId::None : type);
            if (asItIs && given.isConst() && given.type == TypeId::String) { // a literal is a C string
                asItIs = false;
                type = TypeId::CString;
            }
            size_t before = f_.diags.all().size();
            Value v =
                asItIs ? operandOf(f_, given, arg.value->span) : convertArgument(f_, given, type, arg.value->span);
            if (v.isError()) {
                if (!given.isError())
                    explain(f_.diags, before, purposeOf(f_, call_, target_.name, arg, param(index), given));
                ok = false;
            } else {
                v = snapshot(f_, v, i + 1 < toLastImpure); // a later argument may change the variable
            }
            place(index, v);
            if (!arg.name && !param(index).isVariadic) ++next;
        }
        if (!ok || !call_.trailingBlock) return ok;
        if (spreads_) {
            llvm::SmallVector<bool, 8> taken(bound_);
            size_t given = written_;
            if (!checkTrailingBlock(taken, next, given)) return false;
        }
        return lowerTrailingBlock();
    }

    bool tooMany() {
        size_t given = 0;
        for (const Arg& arg : call_.args) given += !arg.name;
        return wrongCount(std::max(given, written_ + 1));
    }

    void place(size_t index, const Value& v) {
        bound_[index] = true;
        if (param(index).isVariadic) tail_.push_back(v);
        else values_[index] = v;
    }

    bool lowerTrailingBlock() {
        size_t last = count() - 1;
        TypeId type = param(last).type;
        Span at = blockSpan(*call_.trailingBlock);
        Value v = convertArgument(f_, lowerLambda(f_, *call_.trailingBlock, type, at), type, at);
        if (v.isError()) return false;
        place(last, v);
        return true;
    }

    /// `..x`: a run-time slice or array feeds the variadic tail as a whole, anything else its elements in turn.
    bool lowerSpread(const Arg& arg, size_t& next) {
        bool isPack = packNamed(f_, arg.value) != nullptr;
        if (const auto* member = llvm::dyn_cast<Member>(withoutParens(arg.value)))
            isPack |= packNamed(f_, member->base) != nullptr;
        llvm::SmallVector<Value, 8> values;
        if (!isVariadic(next) || isPack) {
            if (!expandSpread(f_, arg.value, arg.span, values)) return false;
        } else {
            Value v = lower(f_, arg.value);
            if (!requireValue(f_, v, arg.value->span)) return false;
            TypeKind kind = f_.types.kind(v.type);
            bool isWhole = tail_.empty() && tailSpread_.isError() && &arg == &call_.args.back();
            if (kind == TypeKind::Slice || (kind == TypeKind::Array && isWhole)) return spreadTail(arg, v, next);
            if (!elementsOf(v, arg, values)) return false;
        }
        for (const Value& v : values) {
            if (next >= count()) return tooMany();
            if (param(next).isVariadic && !tailSpread_.isError()) return mixedTail(tailSpreadAt_);
            TypeId type = param(next).isVariadic ? f_.types.elem(param(next).type) : param(next).type;
            size_t before = f_.diags.all().size();
            Value converted = convertArgument(f_, v, type, arg.span);
            if (converted.isError()) {
                explain(f_.diags, before, purposeOf(f_, call_, target_.name, arg, param(next), v));
                return false;
            }
            place(next, converted);
            ++written_;
            if (!param(next).isVariadic) ++next;
        }
        return true;
    }

    bool mixedTail(Span at) {
        f_.diags.error(at, "a slice can be spread only as the whole of the variadic arguments")
            .help("pass its elements one by one, or append them to one list first");
        return false;
    }

    bool spreadTail(const Arg& arg, const Value& v, size_t index) {
        if (target_.cVariadic || !tail_.empty() || !tailSpread_.isError()) return mixedTail(arg.span);
        tailSpreadAt_ = arg.span;
        tailSpread_ = convertArgument(f_, v, param(index).type, arg.value->span);
        bound_[index] = true;
        return !tailSpread_.isError();
    }

    bool elementsOf(const Value& v, const Arg& arg, llvm::SmallVectorImpl<Value>& out) {
        if (spreadParts(f_, v, out)) return true;
        f_.diags.error(arg.value->span, "a value of type " + code(f_.types, v.type) + " cannot be spread")
            .help("only packs, tuples, arrays and slices can");
        return false;
    }

    // ---- defaults

    bool lowerDefaults() {
        bool ok = true;
        for (size_t i = 0; i < count(); ++i) {
            if (bound_[i] || param(i).isVariadic) continue;
            Value v = defaultValue(f_, call_, *target_.instance, param(i));
            if (v.isError()) {
                ok = false;
                continue;
            }
            // As it is now: the next default may change the variable that it stands for.
            values_[i] = snapshot(f_, v);
        }
        return ok;
    }

public:
    static Value defaultValue(Body& f, const Call& call, FunctionInstance& callee, const ParamInfo& p) {
        const Expr* value = p.decl->defaultValue;
        if (llvm::isa<CallerLocation>(withoutParens(value)))
            return convertArgument(f, callerLocation(f, call.span, p.type), p.type, value->span);
        Span saved = f.modes.defaultOfCall;
        f.modes.defaultOfCall = call.span;
        FunctionTemplate& tmpl = *callee.tmpl;
        Value v = lowerInScope(f, value, p.type, *tmpl.file, callee.paramScope, UINT32_MAX);
        f.modes.defaultOfCall = saved;
        return v;
    }

private:
    Body& f_;
    const Call& call_;
    const CallTarget& target_;
    llvm::SmallVector<Value, 8> values_, tail_;
    Value tailSpread_; ///< Error until a slice has been spread
    Span tailSpreadAt_;
    llvm::SmallVector<bool, 8> bound_;
    size_t written_ = 0;
    bool spreads_;
};

} // namespace

bool bindArguments(Body& f, const Call& call, const CallTarget& target, llvm::SmallVectorImpl<Value>& out) {
    return ArgumentBinder(f, call, target).bind(out);
}

bool bindInferred(Body& f, const Call& call, FunctionInstance& callee, bool hasReceiver, llvm::ArrayRef<Value> lowered,
                  llvm::ArrayRef<const Arg*> written, bool spread, llvm::SmallVectorImpl<Value>& out) {
    size_t next = 0;
    bool ok = true;
    auto spanOf = [&](size_t i) { return i < written.size() && written[i] ? written[i]->value->span : call.span; };
    const ParamInfo* param = nullptr;
    auto convertNext = [&](TypeId type) {
        size_t before = f.diags.all().size();
        Value v = convertArgument(f, lowered[next], type, spanOf(next));
        if (v.isError() && param && next < written.size() && written[next])
            explain(f.diags, before,
                    purposeOf(f, call, code(callee.tmpl->qualifiedName), *written[next], *param, lowered[next]));
        ++next;
        ok &= !v.isError();
        return v;
    };
    bool receiver = hasReceiver;
    for (const ParamInfo& p : callee.params) {
        if (p.isComptime) continue;
        param = &p;
        if (receiver) {
            receiver = false;
            Value v = adjustReceiver(f, lowered[next++], p.type, call.callee->span, followedAt(call.callee));
            if (v.isError()) return false;
            out.push_back(v);
        } else if (p.isPack) {
            auto binding = std::find_if(callee.bindings.begin(), callee.bindings.end(), [&](const Binding& x) {
                return x.name == p.name && x.kind == Binding::Kind::Pack;
            });
            if (binding == callee.bindings.end()) continue;
            for (TypeId type : binding->packTypes) out.push_back(convertNext(type));
        } else if (p.isVariadic && spread) {
            out.push_back(convertNext(p.type));
        } else if (p.isVariadic) {
            llvm::SmallVector<Value, 8> tail;
            while (next < lowered.size()) tail.push_back(convertNext(f.types.elem(p.type)));
            if (!ok) return false;
            out.push_back(sliceOfValues(f, p.type, tail));
        } else if (next < lowered.size() &&
                   !(lowered[next].isVoid() && lowered[next].type == TypeId::Void && p.type != TypeId::Void)) {
            out.push_back(convertNext(p.type));
        } else {
            ++next;
            if (!p.decl || !p.decl->defaultValue) return false;
            Value v = ArgumentBinder::defaultValue(f, call, callee, p);
            if (v.isError()) return false;
            out.push_back(v);
        }
    }
    return ok;
}

} // namespace sx::lower
