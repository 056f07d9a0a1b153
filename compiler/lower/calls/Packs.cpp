#include "lower/calls/Packs.h"

#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Arguments.h"
#include "lower/values/Names.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Layout.h"

namespace sx::lower {

using namespace ast;

// ------------------------------------------------------------------------------------ elements

PackInfo* packNamed(Body& f, const Expr* e) {
    const auto* n = llvm::dyn_cast<NameRef>(withoutParens(e));
    if (!n) return nullptr;
    LookupResult found = lookup(f.sema, n->id.name, f.scope, f.scopeLimit, &f.currentFile());
    if (!found.symbol || found.ambiguous) return nullptr;
    Symbol* s = resolve(f.sema, found.symbol);
    return s->kind == SymbolKind::Pack ? s->pack : nullptr;
}

Value packElement(Body& f, PackInfo& pack, uint64_t index, Span at) {
    if (index >= pack.types.size()) {
        f.diags.error(at, "the pack " + code(f.sema, pack.name) + " has " + countOf(pack.types.size(), "element") +
                              ", so there is no element " + std::to_string(index));
        return Value::error();
    }
    if (index >= pack.elements.size()) {
        f.diags.error(at,
                      "only the types of the pack " + code(f.sema, pack.name) + " are known here, it has no values");
        return Value::error();
    }
    Symbol* element = pack.elements[index];
    element->pack = &pack; // tells that the element shows a protocol's interface only
    Value v = valueOfSymbol(f, element, at, element->owner != &f);
    v.captureRoot = nullptr; // by its position it is a parameter like any other
    return v;
}

bool hidesMembers(const Value& v) {
    const Symbol* s = v.symbol;
    return s && s->kind == SymbolKind::Local && s->pack &&
           (s->pack->protocol != TypeId::None || s->pack->protocolTemplate);
}

Value packSlice(Body& f, PackInfo& pack, TypeId sliceType, Span at) {
    TypeId elem = f.types.elem(sliceType);
    bool erases = f.types.kind(elem) == TypeKind::Protocol;
    llvm::SmallVector<Value, 8> elements;
    for (uint64_t i = 0; i < pack.types.size(); ++i) {
        Value v = packElement(f, pack, i, at);
        if (erases) v.lvalue = false; // an element counts as an rvalue: it is copied
        v = convert(f, v, elem, at);
        if (v.isError()) return v;
        elements.push_back(v);
    }
    return sliceOfValues(f, sliceType, elements);
}

// ------------------------------------------------------------------------------------ spreads

bool spreadParts(Body& f, const Value& given, llvm::SmallVectorImpl<Value>& out) {
    TypeTable& types = f.types;
    TypeKind kind = types.kind(given.type);
    bool isAnonymous = kind == TypeKind::Struct && types.structInfo(given.type).name.empty();
    if (kind != TypeKind::Tuple && kind != TypeKind::Array && !isAnonymous) return false;
    Value whole = given.isMemory() ? given : Value::temporary(given.type, addressOf(f, given));
    if (kind == TypeKind::Tuple) {
        llvm::ArrayRef<TupleField> fields = types.tupleFields(given.type);
        for (unsigned i = 0; i < fields.size(); ++i)
            out.push_back(fieldOf(f, whole, fieldOffset(types, given.type, i), fields[i].type));
    } else if (kind == TypeKind::Array) {
        TypeId elem = types.elem(given.type);
        for (uint64_t i = 0; i < types.count(given.type); ++i)
            out.push_back(fieldOf(f, whole, i * sizeOf(types, elem), elem));
    } else {
        for (const StructField& field : types.structInfo(given.type).fields)
            out.push_back(fieldOf(f, whole, field.offset, field.type));
    }
    return true;
}

bool expandSpread(Body& f, const Expr* operand, Span at, llvm::SmallVectorImpl<Value>& out) {
    auto addElements = [&](PackInfo& pack, const Member* method) {
        for (uint64_t i = 0; i < pack.types.size(); ++i) {
            Value v = packElement(f, pack, i, operand->span);
            if (method && !v.isError()) {
                v = callMethodOf(f, v, method->name.name, {}, operand->span);
                if (v.unmarkedFailable) v = rejectUnmarked(f, v, operand->span);
                if (!v.isError() && !requireValue(f, v, operand->span)) return false;
            }
            if (v.isError()) return false;
            out.push_back(v);
        }
        return true;
    };
    if (PackInfo* pack = packNamed(f, operand)) return addElements(*pack, nullptr);
    if (const auto* m = llvm::dyn_cast<Member>(withoutParens(operand)); m && !m->isIndex && !m->optional)
        if (PackInfo* pack = packNamed(f, m->base)) return addElements(*pack, m);
    Value v = lower(f, operand);
    if (v.isError()) return false;
    v = operandOf(f, v, operand->span);
    if (v.isError()) return false;
    if (spreadParts(f, v, out)) return true;
    if (f.types.kind(v.type) == TypeKind::Slice) {
        f.diags
            .error(at,
                   "a slice has no length that is known while compiling, so it cannot be spread into fixed parameters")
            .help("pass its elements one by one, `f(xs[0], xs[1])`, or take a variadic parameter `..xs: []T`");
    } else {
        f.diags.error(operand->span, "a value of type " + code(f.types, v.type) + " cannot be spread")
            .help("only packs, tuples, arrays and anonymous structs can");
    }
    return false;
}

// ------------------------------------------------------------------------------------ inline for

namespace {

/// More copies of a body than this are a mistake in a bound.
constexpr __int128 MaxCopies = 1 << 16;

class InlineFor {
public:
    InlineFor(Body& l, const For& loop) : l_(l), sema_(l.sema), loop_(loop) {}

    void run() {
        if (!readHeader()) return;
        for (__int128 round = 0; round < rounds_; ++round) {
            Scope* saved = pushScope(l_, loop_.body->span);
            bool ok = declareCaptures(round);
            if (!loop_.captures.empty()) l_.b.needEntry();
            if (ok) lowerBlock(l_, *loop_.body, TypeId::None, ValueId::None, false);
            popScope(l_, saved);
            if (!ok) return;
        }
    }

private:
    struct Iter {
        PackInfo* pack = nullptr;
        __int128 start = 0;
    };

    bool readHeader() {
        bool ok = true;
        for (size_t i = 0; i < loop_.iters.size(); ++i) ok &= read(loop_.iters[i], i == 0);
        return ok;
    }

    std::optional<__int128> bound(const Expr* e) {
        return sema_.bodies->evaluateCount(e, l_.scope, l_.scopeLimit, &l_.currentFile());
    }

    bool read(const ForIter& written, bool isFirst) {
        Iter iter;
        bool ok = written.isRange ? readRange(written, isFirst, iter) : readPack(written, isFirst, iter);
        iters_.push_back(iter);
        return ok;
    }

    bool readRange(const ForIter& written, bool isFirst, Iter& iter) {
        std::optional<__int128> start = bound(written.value);
        if (!start) return false;
        iter.start = *start + (written.startExclusive ? 1 : 0);
        if (!isFirst) return true; // it just counts along
        std::optional<__int128> end = bound(written.end);
        if (!end) return false;
        rounds_ = std::max<__int128>(0, *end + (written.endInclusive ? 1 : 0) - iter.start);
        if (rounds_ <= MaxCopies) return true;
        l_.diags
            .error(written.end->span, "this `inline for` would repeat its body " +
                                          std::to_string(static_cast<int64_t>(rounds_)) + " times")
            .help("a plain `for` loops at run time");
        return false;
    }

    bool readPack(const ForIter& written, bool isFirst, Iter& iter) {
        iter.pack = packNamed(l_, written.value);
        if (!iter.pack) {
            l_.diags
                .error(written.value->span,
                       "an `inline for` walks a pack, or a range whose bounds are known while compiling")
                .help("a plain `for` walks arrays, slices and lists at run time");
            return false;
        }
        auto length = static_cast<__int128>(iter.pack->types.size());
        if (isFirst) rounds_ = length;
        if (length == rounds_) return true;
        l_.diags.error(written.value->span, "the pack " + code(sema_, iter.pack->name) + " has " +
                                                countOf(iter.pack->types.size(), "element") + ", and the loop takes " +
                                                std::to_string(static_cast<int64_t>(rounds_)) + " rounds");
        return false;
    }

    bool declareCaptures(__int128 round) {
        bool ok = true;
        for (size_t i = 0; i < loop_.captures.size() && i < iters_.size(); ++i) {
            const ForCapture& capture = loop_.captures[i];
            ok &= iters_[i].pack ? declareElement(capture, *iters_[i].pack, static_cast<uint64_t>(round))
                                 : declareCursor(capture, iters_[i].start + round);
        }
        return ok;
    }

    /// A constant in each copy of the body.
    bool declareCursor(const ForCapture& capture, __int128 value) {
        if (sema_.names.text(capture.name.name) == "_") return true;
        Symbol* s = newSymbol(sema_, capture.name.name, SymbolKind::Constant, capture.name.span);
        s->localKind = LocalKind::LoopIndex;
        s->type = TypeId::I64;
        s->constantValue = sema_.make<ConstValue>(ConstValue::ofInt(value));
        s->file = &l_.currentFile();
        s->scope = l_.scope;
        declare(sema_, *l_.scope, s->name, s);
        return true;
    }

    bool declareElement(const ForCapture& capture, PackInfo& pack, uint64_t index) {
        if (capture.byRef) {
            l_.diags.error(capture.name.span, "an element of a pack cannot be captured by reference")
                .help("capture it by value, " + code("(" + sema_.text(capture.name.name) + ")"));
            return false;
        }
        Value v = packElement(l_, pack, index, loop_.iters.front().span);
        if (v.isError()) return false;
        ValueId address = v.isMemory() ? v.id : temp(l_, v.type).id;
        Symbol* s = declareLocal(l_, capture.name, v.type, LocalKind::PackElement, address);
        s->pack = &pack;
        return true;
    }

    Body& l_;
    Sema& sema_;
    const For& loop_;
    llvm::SmallVector<Iter, 2> iters_;
    __int128 rounds_ = 0;
};

} // namespace

void lowerInlineFor(Body& f, const For& loop) { InlineFor(f, loop).run(); }

} // namespace sx::lower
