#include "lower/flow/Loops.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/Narrowing.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Packs.h"
#include "lower/flow/ControlFlow.h"
#include "lower/flow/Statements.h"
#include "lower/values/Conditions.h"
#include "lower/values/Optionals.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Derived.h"
#include "types/Layout.h"

namespace sx::lower {

using namespace ast;

void lowerWhile(Body& f, const While& w) {
    forgetAssigned(f, w.cond);
    forgetAssigned(f, w.body);
    BlockId head = f.b.newBlock(), body = f.b.newBlock(), after = f.b.newBlock();
    ir::Builder::Marks marks = f.b.takeMarks(); // the statement begins at each round
    emitBr(f.b, head);
    f.b.setBlock(head);
    f.b.putMarks(std::move(marks));
    auto before = f.narrowing.present;
    Scope* saved = pushScope(f, w.body->span);
    Facts facts;
    if (w.binding) {
        Value optional = lower(f, w.cond);
        if (optional.isError() || !f.reachable()) {
            popScope(f, saved);
            if (!f.reachable()) return;
            emitBr(f.b, after);
            f.b.setBlock(after);
            return;
        }
        if (f.types.kind(optional.type) != TypeKind::Optional) {
            f.diags.error(w.cond->span,
                          "`while name := …` needs an optional, and this is " + withArticle(f.types, optional.type));
            popScope(f, saved);
            emitBr(f.b, after);
            f.b.setBlock(after);
            return;
        }
        if (!optional.isMemory()) optional = Value::temporary(optional.type, addressOf(f, optional));
        emitCondBr(f.b, isPresent(f, optional), body, after);
        f.b.setBlock(body);
        bindPayload(f, w.binding, payloadOf(f, optional), LocalKind::Variable);
    } else {
        lowerBranch(f, w.cond, body, after, facts);
        f.b.setBlock(body);
        for (Symbol* s : facts.presentIfTrue) f.narrowing.present.insert(s);
    }
    f.loops.push_back({after, head, f.cleanups.stack.size(), f.handlers.size()});
    lowerBlock(f, *w.body, TypeId::None, ValueId::None, false);
    f.loops.pop_back();
    if (f.reachable()) emitBr(f.b, head);
    popScope(f, saved);
    f.narrowing.present = before;
    f.b.setBlock(after);
}

// ------------------------------------------------------------------------------------ for

namespace {

/// One iterable of a `for` header, evaluated once before the first round.
struct Source {
    enum class Kind { Range, Elements } kind{};
    ValueId start = ValueId::None;  ///< Range: first value
    ValueId length = ValueId::None; ///< rounds it has; None for an open range
    TypeId element{};
    ValueId base = ValueId::None;     ///< Elements: address of the first element…
    ValueId baseFrom = ValueId::None; ///< …or of the word that holds it, read again every round
    uint64_t stride = 0;
};

struct ForLowering {
    Body& l;
    const For& f;
    std::vector<Source> sources;

    ValueId toI64(const Expr* e) {
        Value v = lower(l, e, TypeId::I64);
        if (v.isError()) return ValueId::None;
        Span outer = l.modes.operation;
        l.modes.operation = e->span; // not the loop with its body
        v = convert(l, v, TypeId::I64, e->span);
        l.modes.operation = outer;
        return v.isError() ? ValueId::None : scalar(l, v);
    }

    bool range(const ForIter& it, Source& s, bool first) {
        s.kind = Source::Kind::Range;
        s.element = TypeId::I64;
        s.start = toI64(it.value);
        if (s.start == ValueId::None) return false;
        ValueId written = s.start;
        if (it.startExclusive) s.start = emitBinary(l.b, ir::Op::Add, written, i64(l, 1));
        if (!it.end || !first) return true; // the range ends of later iterables are not evaluated
        ValueId end = toI64(it.end);
        if (end == ValueId::None) return false;
        // Neither bound is moved before they are compared: either may be the last of its type.
        bool holdsBoth = it.endInclusive && !it.startExclusive;
        ValueId empty = emitICmp(l.b, holdsBoth ? ir::ICmpPred::SLt : ir::ICmpPred::SLe, end, written);
        ValueId length = emitBinary(l.b, ir::Op::Sub, end, s.start);
        if (it.endInclusive) length = emitBinary(l.b, ir::Op::Add, length, i64(l, 1));
        s.length = emitSelect(l.b, empty, i64(l, 0), length);
        return true;
    }

    /// A value that has elements: array, vector, slice, string, list-like struct.
    bool elements(const ForIter& it, Source& s) {
        TypeTable& types = l.types;
        Value v = lower(l, it.value);
        if (v.isError()) return false;
        v = narrowedValue(l, v);
        if (v.kind == Value::Kind::Pack) return isPack(it, *v.pack);
        if (!requireValue(l, v, it.value->span)) return false;
        Value given = v;
        if (types.kind(v.type) == TypeKind::Pointer) v = dereferenceChecked(l, v, it.value->span);
        completeDeep(l.sema, v.type, it.value->span);
        TypeKind kind = types.kind(v.type);
        s.kind = Source::Kind::Elements;
        if (kind == TypeKind::Array || kind == TypeKind::Vector) {
            s.element = types.elem(v.type);
            s.base = addressOf(l, v);
            s.length = i64(l, static_cast<int64_t>(types.count(v.type)));
        } else if (kind == TypeKind::Slice || v.type == TypeId::String) {
            s.element = kind == TypeKind::Slice ? types.elem(v.type) : TypeId::U8;
            const auto* member = llvm::dyn_cast<Member>(withoutParens(it.value));
            // The header is evaluated once, so the body may re-seat a slice; a list may move its elements as it grows.
            ptrAndLength(v, s, v.lvalue && member && member->name.name == l.sema.name("items"));
        } else if (kind != TypeKind::Struct || !list(v, s)) {
            return notIterable(it, given);
        }
        s.stride = sizeOf(types, s.element);
        return true;
    }

    void ptrAndLength(const Value& v, Source& s, bool ofList) {
        ValueId address = addressOf(l, v);
        TypeId elementPtr = manyPointerTo(l.types, s.element);
        if (ofList) s.baseFrom = address;
        else s.base = emitLoad(l.b, elementPtr, address);
        s.length = emitLoad(l.b, TypeId::I64, emitOffset(l.b, address, 8, pointerTo(l.types, TypeId::I64)));
    }

    bool list(const Value& v, Source& s) {
        TypeTable& types = l.types;
        const StructInfo& info = types.structInfo(v.type);
        auto it = info.index.find(l.sema.name("items"));
        if (it == info.index.end()) return false;
        const StructField& items = info.fields[it->second];
        Value field = fieldOf(l, v, items.offset, items.type);
        field.lvalue = v.lvalue;
        if (types.kind(items.type) == TypeKind::Slice) {
            s.element = types.elem(items.type);
            ptrAndLength(field, s, v.lvalue);
            return true;
        }
        auto len = info.index.find(l.sema.name("len"));
        if (types.kind(items.type) != TypeKind::ManyPointer || len == info.index.end()) return false;
        s.element = types.elem(items.type);
        s.baseFrom = field.id;
        const StructField& count = info.fields[len->second];
        Value n = convert(l, load(l, fieldOf(l, v, count.offset, count.type)), TypeId::I64, f.span);
        if (n.isError()) return false;
        s.length = scalar(l, n);
        return true;
    }

    bool isPack(const ForIter& it, const PackInfo& pack) {
        rejectPack(l, it.value->span, pack)
            .help("walk it with " + code("inline for " + l.sema.text(pack.name) + " (x) { … }"));
        return false;
    }

    bool notIterable(const ForIter& it, const Value& v) {
        if (rejectTypeVariable(l, v)) return false;
        Diagnostic& d = l.diags.error(it.span, withArticle(l.types, v.type) + " cannot be iterated");
        if (v.kind == Value::Kind::Function || !f.captures.empty())
            d.help("`for` goes over arrays, slices, strings, vectors, lists and ranges; a call needs a capture or "
                   "parentheses: `for (f()) { … }`");
        else d.help("`for` goes over arrays, slices, strings, vectors, lists and ranges");
        return false;
    }

    bool header() {
        for (size_t i = 0; i < f.iters.size(); ++i) {
            Source s;
            l.b.setSpan(f.iters[i].span);
            if (!(f.iters[i].isRange ? range(f.iters[i], s, i == 0) : elements(f.iters[i], s))) return false;
            sources.push_back(s);
        }
        return true;
    }

    void bindCapture(const ForCapture& capture, size_t index, ValueId round) {
        const Source& s = sources[index];
        bool blank = !capture.name.raw && l.sema.names.text(capture.name.name) == "_";
        if (s.kind == Source::Kind::Range) {
            if (blank) return;
            Symbol* v = newVariable(l, capture.name, TypeId::I64, LocalKind::LoopIndex);
            emitStore(l.b, v->address, emitBinary(l.b, ir::Op::Add, s.start, round));
            return;
        }
        if (blank) return;
        TypeId elementPtr = pointerTo(l.types, s.element);
        ValueId base = s.base != ValueId::None ? s.base : emitLoad(l.b, manyPointerTo(l.types, s.element), s.baseFrom);
        ValueId at = emitIndex(l.b, base, round, s.stride, elementPtr);
        if (capture.byRef) {
            Symbol* v = newVariable(l, capture.name, elementPtr, LocalKind::LoopRef);
            emitStore(l.b, v->address, at);
        } else {
            Symbol* v = newVariable(l, capture.name, s.element, LocalKind::LoopElement);
            store(l, v->address, Value::place(s.element, at));
        }
    }

    /// The body of a loop whose header was rejected: nothing is known of its captures.
    void checkBodyOfRejected() {
        checkDiscarded(l, [&] {
            Scope* saved = pushScope(l, f.body->span);
            for (const ForCapture& capture : f.captures) declareBroken(l, capture.name);
            BlockId after = l.b.newBlock();
            l.loops.push_back({after, after, l.cleanups.stack.size(), l.handlers.size()});
            lowerBlock(l, *f.body, TypeId::None, ValueId::None, false);
            l.loops.pop_back();
            if (l.reachable()) emitBr(l.b, after);
            popScope(l, saved);
            l.b.setBlock(after);
        });
    }

    void run() {
        if (!header()) return checkBodyOfRejected();
        if (!l.reachable()) return;
        l.b.setSpan(f.span);
        ir::SlotId counter = l.b.newSlot(TypeId::I64);
        emitStore(l.b, slotAddr(l.b, counter), i64(l, 0));
        BlockId head = l.b.newBlock(), body = l.b.newBlock(), next = l.b.newBlock(), after = l.b.newBlock();
        emitBr(l.b, head);
        l.b.setBlock(head);
        ValueId round = emitLoad(l.b, TypeId::I64, slotAddr(l.b, counter));
        bool isRange = sources[0].kind == Source::Kind::Range; // which may be longer than any collection
        emitCondBr(l.b, emitICmp(l.b, isRange ? ir::ICmpPred::ULt : ir::ICmpPred::SLt, round, sources[0].length), body,
                   after);
        l.b.setBlock(body);
        Scope* saved = pushScope(l, f.body->span);
        for (size_t i = 1; i < sources.size(); ++i)
            if (sources[i].kind == Source::Kind::Elements)
                checkIndexAt(l, round, sources[i].length, f.iters[i].value->span);
        for (size_t i = 0; i < f.captures.size(); ++i) bindCapture(f.captures[i], i, round);
        l.b.needEntry(); // its round is counted from the loop's beginning
        l.loops.push_back({after, next, l.cleanups.stack.size(), l.handlers.size()});
        lowerBlock(l, *f.body, TypeId::None, ValueId::None, false);
        l.loops.pop_back();
        if (l.reachable()) emitBr(l.b, next);
        popScope(l, saved);
        l.b.setBlock(next);
        l.b.beginStatement(f.span.begin, false);
        l.b.setSpan(f.span);
        ValueId again = emitLoad(l.b, TypeId::I64, slotAddr(l.b, counter));
        emitStore(l.b, slotAddr(l.b, counter), emitBinary(l.b, ir::Op::Add, again, i64(l, 1)));
        emitBr(l.b, head);
        l.b.setBlock(after);
    }
};

} // namespace

void checkIndexAt(Body& f, ValueId index, ValueId length, Span at) {
    BlockId bad = f.b.newBlock(true), fine = f.b.newBlock();
    emitCondBr(f.b, emitICmp(f.b, ir::ICmpPred::UGe, index, length), bad, fine, true);
    f.b.setBlock(bad);
    emitPanic(f.b, ir::PanicKind::Index, at, {index, length});
    f.b.setBlock(fine);
}

void lowerFor(Body& f, const For& loop) {
    if (loop.isInline) return lowerInlineFor(f, loop);
    forgetAssigned(f, loop.body);
    auto before = f.narrowing.present;
    size_t assignedBefore = f.narrowing.reassigned.size();
    ForLowering{f, loop, {}}.run();
    f.narrowing.present = before;
    forgetReassigned(f, assignedBefore); // the header too may assign
}

} // namespace sx::lower
