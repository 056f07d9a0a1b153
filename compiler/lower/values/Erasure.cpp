#include "lower/values/Erasure.h"

#include "ir/BuildConstants.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Allocation.h"
#include "lower/body/Body.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Protocols.h"
#include "sema/ErrorSets.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;

namespace {

constexpr uint64_t TypeWord = 8;

/// Erases one value to one protocol.
class Eraser {
public:
    Eraser(Body& f, TypeId protocol, Span at)
        : f_(f), types_(f.types), protocol_(protocol), pointer_(pointerTo(f.types, TypeId::Void)), at_(at) {}

    bool isIdentity() const { return types_.protocolInfo(protocol_).isIdentity; }

    /// The words of a protocol value over data of type `concrete`. False after a conformance report.
    bool writeWords(ValueId place, ValueId ctx, TypeId concrete) {
        noteErasure(f_.sema, protocol_, concrete);
        emitStore(f_.b, place, ctx);
        emitStore(f_.b, word(place, TypeWord), typeHandle(f_.b, concrete));
        if (!types_.protocolInfo(protocol_).isInline) {
            ir::GlobalId table = vtable(f_.sema, protocol_, concrete, at_);
            if (table == ir::GlobalId::None) return false;
            emitStore(f_.b, word(place, FirstSlot), globalAddr(f_.b, table, pointer_));
            return true;
        }
        std::optional<std::vector<ir::FuncId>> code = slotFunctions(f_.sema, protocol_, concrete, at_);
        if (!code) return false;
        for (size_t i = 0; i < code->size(); ++i)
            emitStore(f_.b, word(place, FirstSlot + 8 * i), funcAddr(f_.b, (*code)[i], pointer_));
        noteInlineErasure(f_.sema, protocol_, concrete);
        return true;
    }

    bool conforms(TypeId concrete) {
        std::string why;
        if (sema::conforms(f_.sema, protocol_, concrete, why)) return true;
        if (why.empty() && f_.diags.hasErrors()) return false; // a signature of the impl was rejected
        f_.diags.error(at_, code(types_, concrete) + " cannot become " + withArticle(types_, protocol_) +
                                (why.empty() ? "" : ": " + why));
        return false;
    }

    /// A copy of `bytes` from `source` on the heap.
    ValueId heapCopy(ValueId source, TypeId concrete, const Value* allocator) {
        uint64_t size = sizeOf(types_, concrete);
        ValueId block = allocate(f_, i64(f_, static_cast<int64_t>(std::max<uint64_t>(size, 1))), allocator, at_);
        emitCopy(f_.b, block, source, size);
        return block;
    }

    /// Copies what a view shows, whose size only its tag knows.
    Value copyOfView(ValueId words, const Value* allocator, ValueId dest) {
        ValueId data = emitLoad(f_.b, pointer_, word(words, 0));
        ValueId descriptor = emitLoad(f_.b, TypeId::Type, word(words, TypeWord));
        ValueId size =
            emitLoad(f_.b, TypeId::I64, emitOffset(f_.b, descriptor, ir::desc::Size, pointerTo(types_, TypeId::I64)));
        ValueId isEmpty = emitICmp(f_.b, ir::ICmpPred::Eq, size, i64(f_, 0));
        ValueId block = allocate(f_, emitSelect(f_.b, isEmpty, i64(f_, 1), size), allocator, at_);
        emitCopyN(f_.b, block, data, size);
        Value result = temp(f_, protocol_, dest);
        emitCopy(f_.b, result.id, words, protocol_);
        emitStore(f_.b, result.id, block);
        return result;
    }

    Value ownershipError(const Value& v) {
        bool isPointer = types_.kind(v.type) == TypeKind::Pointer;
        f_.diags
            .error(at_, withArticle(types_, protocol_) + " owns what it holds, so " +
                            (isPointer ? "what a pointer points at" : "a variable") + " is copied only on demand")
            .help("write " + code(".(" + writtenName(types_, protocol_) + ")") + " to make an owned copy, or take a " +
                  code("*" + writtenName(types_, protocol_)) + " to borrow");
        return Value::error();
    }

    Value borrowError() {
        f_.diags
            .error(at_, withArticle(types_, protocol_) +
                            " borrows what it holds, and this value has no storage that could be borrowed")
            .help("bind it to a variable first");
        return Value::error();
    }

private:
    ValueId word(ValueId base, uint64_t offset) { return emitOffset(f_.b, base, offset, pointerTo(types_, pointer_)); }

    Body& f_;
    TypeTable& types_;
    TypeId protocol_, pointer_;
    Span at_;
};

} // namespace

Value erase(Body& f, const Value& given, TypeId protocol, Span at, bool isExplicit, const Value* allocator,
            ValueId dest) {
    Value v = operandOf(f, given, at);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    if (!complete(f.sema, protocol, at)) return Value::error();
    Eraser eraser(f, protocol, at);
    if (allocator && eraser.isIdentity()) {
        f.diags.error(at, withArticle(f.types, protocol) + " borrows what it holds: there is nothing to allocate");
        return Value::error();
    }
    if (v.type == protocol) return v;

    bool isPointer = f.types.kind(v.type) == TypeKind::Pointer;
    if (isPointer) { // an impl for the pointer type itself makes it an ordinary value
        std::string why;
        isPointer = !conforms(f.sema, protocol, v.type, why);
    }
    TypeId concrete = isPointer ? f.types.elem(v.type) : v.type;
    if (concrete == protocol) { // a view of such a value
        ValueId words = scalar(f, v);
        if (eraser.isIdentity()) {
            Value copy = temp(f, protocol, dest);
            emitCopy(f.b, copy.id, words, protocol);
            return copy;
        }
        return isExplicit ? eraser.copyOfView(words, allocator, dest) : eraser.ownershipError(v);
    }
    if (!eraser.conforms(concrete)) return Value::error();

    bool isStorage = isPointer || (v.isMemory() && v.lvalue);
    ValueId ctx = ValueId::None;
    if (eraser.isIdentity()) {
        if (!isStorage) return eraser.borrowError();
        ctx = isPointer ? scalar(f, v) : v.id;
    } else {
        if (isStorage && !isPackElement(v) && !isExplicit) return eraser.ownershipError(v);
        ctx = eraser.heapCopy(isPointer ? scalar(f, v) : addressOf(f, v), concrete, allocator);
    }
    Value result = temp(f, protocol, dest);
    ValueId data = emitCast(f.b, ir::Op::Reinterpret, ctx, pointerTo(f.types, TypeId::Void));
    return eraser.writeWords(result.id, data, concrete) ? result : Value::error();
}

Value eraseView(Body& f, const Value& given, TypeId view, Span at) {
    Value v = given.type == view ? given : operandOf(f, given, at);
    if (v.isError() || v.type == view) return v;
    TypeId protocol = f.types.elem(view);
    if (!complete(f.sema, protocol, at)) return Value::error();
    Eraser eraser(f, protocol, at);
    bool isPointer = f.types.kind(v.type) == TypeKind::Pointer;
    bool isStorage = isPointer || (v.isMemory() && v.lvalue);
    TypeId concrete = isPointer ? f.types.elem(v.type) : v.type;
    if (!isPointer && concrete == protocol && isStorage)
        return Value::scalar(view, emitCast(f.b, ir::Op::Reinterpret, v.id, view));
    if (!eraser.conforms(concrete)) return Value::error();
    if (!isStorage) {
        f.diags
            .error(at, withArticle(f.types, view) +
                           " borrows what it shows, and this value has no storage that could be borrowed")
            .help("bind it to a variable first");
        return Value::error();
    }
    // The words that the pointer points at live in this frame, except where the view is what the function
    // returns: then they have to outlive it.
    ValueId words = ValueId::None;
    if (f.result.success == view) {
        words = mallocBytes(f, i64(f, static_cast<int64_t>(sizeOf(f.types, protocol))), at);
    } else {
        words = temp(f, protocol).id;
    }
    ValueId data =
        emitCast(f.b, ir::Op::Reinterpret, isPointer ? scalar(f, v) : v.id, pointerTo(f.types, TypeId::Void));
    if (!eraser.writeWords(words, data, concrete)) return Value::error();
    return Value::scalar(view, emitCast(f.b, ir::Op::Reinterpret, words, view));
}

} // namespace sx::lower
