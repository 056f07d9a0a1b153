// `while` and `for` (language 5.4, 5.5). `inline for` is in Generics/Packs.
#include "sema/CallSupport.h"
#include "sema/Explain.h"
#include "syntax/Walk.h"

namespace sx::sema {

using namespace ast;

/// A name that the loop assigns is not known to be present when a later round begins. Text that it inserts may assign
/// any.
void FunctionLowering::forgetAssigned(const Expr* repeated) {
    if (narrowed.empty()) return;
    auto onStmt = [&](const Stmt* s) {
        if (const auto* a = llvm::dyn_cast<Assign>(s)) endNarrowing(a->target);
        if (const auto* m = llvm::dyn_cast<MultiAssign>(s))
            for (const Expr* t : m->targets) endNarrowing(t);
        if (llvm::isa<InsertStmt>(s)) narrowed.clear();
        return true;
    };
    auto onExpr = [](const Expr*) { return true; };
    Walker walker{onExpr, onStmt};
    walker.walk(repeated);
}

void FunctionLowering::lowerWhile(const While& w) {
    forgetAssigned(w.cond);
    forgetAssigned(w.body);
    BlockId head = b.newBlock(), body = b.newBlock(), after = b.newBlock();
    b.br(head);
    b.setBlock(head);
    auto before = narrowed;
    Scope* saved = pushScope(w.body->span);
    Facts facts;
    if (w.binding) {
        Value optional = lower(w.cond);
        if (optional.isError() || !reachable()) {
            popScope(saved);
            if (!reachable()) return;
            b.br(after);
            b.setBlock(after);
            return;
        }
        if (types.kind(optional.type) != TypeKind::Optional) {
            diags.error(w.cond->span,
                        "`while name := …` needs an optional, and this is " + withArticle(types, optional.type));
            popScope(saved);
            b.br(after);
            b.setBlock(after);
            return;
        }
        if (!optional.isMemory()) optional = Value::temporary(optional.type, addressOf(optional));
        b.condBr(isPresent(optional), body, after);
        b.setBlock(body);
        bindPayload(w.binding, payloadOf(optional), LocalKind::Variable);
    } else {
        lowerBranch(w.cond, body, after, facts);
        b.setBlock(body);
        for (Symbol* s : facts.presentIfTrue) narrowed.insert(s);
    }
    loops.push_back({after, head, cleanups.size(), handlers.size()});
    lowerBlock(*w.body, TypeId::None, ValueId::None, false);
    loops.pop_back();
    if (reachable()) b.br(head);
    popScope(saved);
    narrowed = before;
    b.setBlock(after);
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

} // namespace

struct ForLowering {
    FunctionLowering& l;
    const For& f;
    std::vector<Source> sources;

    ValueId toI64(const Expr* e) {
        Value v = l.lowerTo(e, TypeId::I64);
        return v.isError() ? ValueId::None : l.scalar(v);
    }

    bool range(const ForIter& it, Source& s, bool first) {
        s.kind = Source::Kind::Range;
        s.element = TypeId::I64;
        s.start = toI64(it.value);
        if (s.start == ValueId::None) return false;
        ValueId written = s.start;
        if (it.startExclusive) s.start = l.b.binary(ir::Op::Add, written, l.i64(1));
        if (!it.end || !first) return true; // the range ends of later iterables are not evaluated
        ValueId end = toI64(it.end);
        if (end == ValueId::None) return false;
        // Neither bound is moved before they are compared: either may be the last of its type.
        bool holdsBoth = it.endInclusive && !it.startExclusive;
        ValueId empty = l.b.icmp(holdsBoth ? ir::ICmpPred::SLt : ir::ICmpPred::SLe, end, written);
        ValueId length = l.b.binary(ir::Op::Sub, end, s.start);
        if (it.endInclusive) length = l.b.binary(ir::Op::Add, length, l.i64(1));
        s.length = l.b.select(empty, l.i64(0), length);
        return true;
    }

    /// A value that has elements: array, vector, slice, string, list-like struct.
    bool elements(const ForIter& it, Source& s) {
        TypeTable& types = l.types;
        Value v = l.lower(it.value);
        if (v.isError()) return false;
        v = l.narrowedValue(v);
        if (v.kind == Value::Kind::Pack) return isPack(it, *v.pack);
        if (!l.requireValue(v, it.value->span)) return false;
        Value given = v;
        if (types.kind(v.type) == TypeKind::Pointer) v = behindChecked(l, v, it.value->span);
        l.sema.completeDeep(v.type, it.value->span);
        TypeKind kind = types.kind(v.type);
        s.kind = Source::Kind::Elements;
        if (kind == TypeKind::Array || kind == TypeKind::Vector) {
            s.element = types.elem(v.type);
            s.base = l.addressOf(v);
            s.length = l.i64(static_cast<int64_t>(types.count(v.type)));
        } else if (kind == TypeKind::Slice || v.type == TypeId::String) {
            s.element = kind == TypeKind::Slice ? types.elem(v.type) : TypeId::U8;
            const auto* member = llvm::dyn_cast<Member>(withoutParens(it.value));
            // The header is evaluated once, so the body may re-seat a slice; a list may move its elements as it grows.
            ptrAndLength(v, s, v.lvalue && member && member->name.name == l.sema.name("items"));
        } else if (kind != TypeKind::Struct || !list(v, s)) {
            return notIterable(it, given);
        }
        s.stride = types.sizeOf(s.element);
        return true;
    }

    void ptrAndLength(const Value& v, Source& s, bool ofList) {
        ValueId address = l.addressOf(v);
        TypeId elementPtr = l.types.manyPointerTo(s.element);
        if (ofList) s.baseFrom = address;
        else s.base = l.b.load(elementPtr, address);
        s.length = l.b.load(TypeId::I64, l.b.offset(address, 8, l.types.pointerTo(TypeId::I64)));
    }

    bool list(const Value& v, Source& s) {
        TypeTable& types = l.types;
        const StructInfo& info = types.structInfo(v.type);
        auto it = info.index.find(l.sema.name("items"));
        if (it == info.index.end()) return false;
        const StructField& items = info.fields[it->second];
        Value field = l.fieldOf(v, items.offset, items.type);
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
        Value n = l.convert(l.load(l.fieldOf(v, count.offset, count.type)), TypeId::I64, f.span);
        if (n.isError()) return false;
        s.length = l.scalar(n);
        return true;
    }

    bool isPack(const ForIter& it, const PackInfo& pack) {
        std::string name = l.sema.text(pack.name);
        l.diags.error(it.value->span, "the pack " + tick(name) + " is no value: its elements have different types")
            .help("walk it with " + tick("inline for " + name + " (x) { … }"));
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
            Symbol* v = l.newVariable(capture.name, TypeId::I64, LocalKind::LoopIndex);
            l.b.store(v->address, l.b.binary(ir::Op::Add, s.start, round));
            return;
        }
        if (blank) return;
        TypeId elementPtr = l.types.pointerTo(s.element);
        ValueId base = s.base != ValueId::None ? s.base : l.b.load(l.types.manyPointerTo(s.element), s.baseFrom);
        ValueId at = l.b.index(base, round, s.stride, elementPtr);
        if (capture.byRef) {
            Symbol* v = l.newVariable(capture.name, elementPtr, LocalKind::LoopRef);
            l.b.store(v->address, at);
        } else {
            Symbol* v = l.newVariable(capture.name, s.element, LocalKind::LoopElement);
            l.store(v->address, Value::place(s.element, at));
        }
    }

    /// The body of a loop whose header was rejected: nothing is known of its captures.
    void orphanBody() {
        checkAside(l, [&] {
            Scope* saved = l.pushScope(f.body->span);
            for (const ForCapture& capture : f.captures) l.declareBroken(capture.name);
            BlockId after = l.b.newBlock();
            l.loops.push_back({after, after, l.cleanups.size(), l.handlers.size()});
            l.lowerBlock(*f.body, TypeId::None, ValueId::None, false);
            l.loops.pop_back();
            if (l.reachable()) l.b.br(after);
            l.popScope(saved);
            l.b.setBlock(after);
        });
    }

    void run() {
        if (!header()) return orphanBody();
        if (!l.reachable()) return;
        l.b.setSpan(f.span);
        ir::SlotId counter = l.b.newSlot(TypeId::I64);
        l.b.store(l.b.slotAddr(counter), l.i64(0));
        BlockId head = l.b.newBlock(), body = l.b.newBlock(), next = l.b.newBlock(), after = l.b.newBlock();
        l.b.br(head);
        l.b.setBlock(head);
        ValueId round = l.b.load(TypeId::I64, l.b.slotAddr(counter));
        bool isRange = sources[0].kind == Source::Kind::Range; // which may be longer than any collection
        l.b.condBr(l.b.icmp(isRange ? ir::ICmpPred::ULt : ir::ICmpPred::SLt, round, sources[0].length), body, after);
        l.b.setBlock(body);
        Scope* saved = l.pushScope(f.body->span);
        for (size_t i = 1; i < sources.size(); ++i)
            if (sources[i].kind == Source::Kind::Elements)
                l.checkIndexAt(round, sources[i].length, f.iters[i].value->span);
        for (size_t i = 0; i < f.captures.size(); ++i) bindCapture(f.captures[i], i, round);
        l.loops.push_back({after, next, l.cleanups.size(), l.handlers.size()});
        l.lowerBlock(*f.body, TypeId::None, ValueId::None, false);
        l.loops.pop_back();
        if (l.reachable()) l.b.br(next);
        l.popScope(saved);
        l.b.setBlock(next);
        l.b.setSpan(f.span);
        ValueId again = l.b.load(TypeId::I64, l.b.slotAddr(counter));
        l.b.store(l.b.slotAddr(counter), l.b.binary(ir::Op::Add, again, l.i64(1)));
        l.b.br(head);
        l.b.setBlock(after);
    }
};

void FunctionLowering::checkIndexAt(ValueId index, ValueId length, Span at) {
    BlockId bad = b.newBlock(true), fine = b.newBlock();
    b.condBr(b.icmp(ir::ICmpPred::UGe, index, length), bad, fine, true);
    b.setBlock(bad);
    b.panic(ir::PanicKind::Index, at, {index, length});
    b.setBlock(fine);
}

void FunctionLowering::lowerFor(const For& f) {
    if (f.isInline) return lowerInlineFor(f);
    forgetAssigned(f.body);
    auto before = narrowed;
    size_t assignedBefore = reassigned.size();
    ForLowering{*this, f, {}}.run();
    narrowed = before;
    forgetReassigned(assignedBefore); // the header too may assign
}

} // namespace sx::sema
