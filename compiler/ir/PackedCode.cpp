// Numbers are written in as many groups of seven bits as they have, and most of them as differences, which are small:
// of an operand to the value that uses it, of a position to the one before. What follows from the order of a finished
// function (Numbering.h) is not written: the numbers of values, and where operands and targets begin.
#include "ir/PackedCode.h"

#include "ir/Numbering.h"
#include "ir/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sx::ir {

namespace {

/// What the byte behind an operation says of its instruction. Its lowest bits are the number of operands.
enum Parts : uint8_t {
    ManyOperands = 3, ///< their number follows
    HasType = 4,      ///< other than Void
    HasImm = 8,
    HasSpan = 16,  ///< another one than the instruction before
    HasScope = 32, ///< likewise
    HasFlow = 64,  ///< a byte of the next kind follows
};
enum Flow : uint8_t { HasPred = 1, HasTargets = 2, IsUnlikely = 4 };

enum SlotParts : uint8_t { IsVariable = 1, HasName = 2, HasPlace = 4, IsParameter = 8 };
enum ScopeParts : uint8_t { NeedsEntry = 1, HasShownAt = 2 };

unsigned bits(bool isSet, unsigned part) { return isSet ? part : 0; }

/// A small number for one that is near zero on either side.
uint64_t folded(int64_t d) { return (static_cast<uint64_t>(d) << 1) ^ static_cast<uint64_t>(d >> 63); }
int64_t unfolded(uint64_t n) { return static_cast<int64_t>((n >> 1) ^ (0 - (n & 1))); }

/// Writes behind each other, where room was made before.
class Writer {
public:
    Writer() { setSize(FirstBytes); }

    /// For so many numbers.
    void makeRoom(size_t numbers) {
        constexpr size_t NumberBytes = 10; // the most that one takes
        if (static_cast<size_t>(end_ - at_) < numbers * NumberBytes)
            setSize(bytes_.size() + bytes_.size() / 4 + numbers * NumberBytes);
    }
    void byte(unsigned b) { *at_++ = static_cast<uint8_t>(b); }
    void number(uint64_t n) {
        for (; n >= 0x80; n >>= 7) byte(static_cast<uint8_t>(n | 0x80));
        byte(static_cast<uint8_t>(n));
    }
    void difference(int64_t d) { number(folded(d)); }
    void position(SourcePos p) {
        if (!p.isValid()) return number(0);
        number(1 + folded(static_cast<int32_t>(p.raw - last_.raw)));
        last_ = p;
    }
    void span(Span s) {
        position(s.begin);
        difference(static_cast<int32_t>(s.end.raw - s.begin.raw));
    }
    void value(ValueId v, uint32_t user) { difference(static_cast<int32_t>(user - raw(v))); }

    std::vector<uint8_t> bytes() const { return {bytes_.data(), static_cast<const uint8_t*>(at_)}; }

private:
    static constexpr size_t FirstBytes = 2048;

    void setSize(size_t bytes) {
        auto written = at_ ? at_ - bytes_.data() : 0;
        bytes_.resize_for_overwrite(bytes);
        at_ = bytes_.data() + written;
        end_ = bytes_.data() + bytes;
    }

    llvm::SmallVector<uint8_t, FirstBytes> bytes_;
    uint8_t *at_ = nullptr, *end_ = nullptr;
    SourcePos last_;
};

class Reader {
public:
    explicit Reader(const uint8_t* bytes) : at_(bytes) {}

    uint8_t byte() { return *at_++; }
    uint64_t number() {
        uint64_t n = 0;
        unsigned shift = 0;
        for (; *at_ & 0x80; shift += 7) n |= static_cast<uint64_t>(*at_++ & 0x7f) << shift;
        return n | static_cast<uint64_t>(*at_++) << shift;
    }
    template <typename T> T number() { return static_cast<T>(number()); }
    int64_t difference() { return unfolded(number()); }
    SourcePos position() {
        uint64_t n = number();
        return n == 0 ? SourcePos{} : last_ = {last_.raw + static_cast<uint32_t>(unfolded(n - 1))};
    }
    Span span() {
        SourcePos begin = position();
        return {begin, begin + static_cast<uint32_t>(difference())};
    }
    ValueId value(uint32_t user) { return static_cast<ValueId>(user - static_cast<uint32_t>(difference())); }

private:
    const uint8_t* at_;
    SourcePos last_;
};

class Packer {
public:
    explicit Packer(const Function& fn) : fn_(fn), numbers_(fn) {}

    std::vector<uint8_t> write() {
        slots();
        scopes();
        out_.makeRoom(4);
        out_.number(numbers_.valueCount());
        out_.number(fn_.operands.size());
        out_.number(fn_.targets.size());
        out_.number(numbers_.blockCount());
        for (uint32_t b = 0; b < fn_.blocks.size(); ++b)
            if (numbers_.of(BlockId{b}) != BlockId::None) block(fn_.blocks[b]);
        statements();
        errorEvents();
        return out_.bytes();
    }

private:
    void slots() {
        out_.makeRoom(1);
        out_.number(fn_.slots.size());
        for (const Slot& s : fn_.slots) {
            out_.makeRoom(10);
            bool hasName = s.name != Name::None, hasPlace = s.span != Span(), isParameter = s.paramIndex != -1;
            out_.byte(bits(s.isVariable, IsVariable) | bits(hasName, HasName) | bits(hasPlace, HasPlace) |
                      bits(isParameter, IsParameter));
            out_.number(static_cast<uint32_t>(s.type));
            if (hasName) out_.number(static_cast<uint32_t>(s.name));
            if (hasPlace) out_.span(s.span);
            if (isParameter) out_.difference(s.paramIndex);
            out_.number(s.scope);
            out_.number(s.size);
            out_.number(s.align);
        }
    }

    void scopes() {
        out_.makeRoom(1);
        out_.number(fn_.scopes.size());
        for (const Scope& s : fn_.scopes) {
            out_.makeRoom(6);
            bool hasShownAt = s.shownAt != Span();
            out_.byte(bits(s.needsEntry, NeedsEntry) | bits(hasShownAt, HasShownAt));
            out_.number(s.parent);
            out_.span(s.span);
            if (hasShownAt) out_.span(s.shownAt);
        }
    }

    void block(const Block& b) {
        assert(llvm::ArrayRef(b.instrs).take_front(b.params.size()) == llvm::ArrayRef(b.params));
        out_.makeRoom(3);
        out_.byte(b.cold);
        out_.number(b.params.size());
        out_.number(b.instrs.size());
        for (ValueId v : b.instrs) instruction(fn_.instr(v));
    }

    void instruction(const Instr& i) {
        const bool isSwitch = i.op == Op::Switch; // its `imm` follows from the order
        const bool hasType = i.type != TypeId::Void, hasImm = i.imm != 0 && !isSwitch;
        const bool newSpan = i.span != span_, newScope = i.scope != scope_;
        const unsigned flow = bits(i.pred, HasPred) | bits(i.targetCount, HasTargets) | bits(i.unlikely, IsUnlikely);
        const unsigned count = std::min<uint32_t>(i.operandCount, ManyOperands);
        out_.makeRoom(10 + i.operandCount);
        out_.byte(static_cast<uint8_t>(i.op));
        out_.byte(count | bits(hasType, HasType) | bits(hasImm, HasImm) | bits(newSpan, HasSpan) |
                  bits(newScope, HasScope) | bits(flow, HasFlow));
        if (flow) out_.byte(flow);
        if (i.pred) out_.byte(i.pred);
        if (i.targetCount) out_.byte(i.targetCount);
        if (hasType) out_.number(static_cast<uint32_t>(i.type));
        if (count == ManyOperands) out_.number(i.operandCount);
        if (hasImm) out_.difference(static_cast<int64_t>(i.imm));
        if (newSpan) out_.span(span_ = i.span);
        if (newScope) out_.number(scope_ = i.scope);
        operands(fn_.operandsOf(i));
        for (const Target& t : fn_.targetsOf(i)) target(t);
        if (isSwitch) cases(fn_.switches[i.imm]);
        ++written_;
    }

    void target(const Target& t) {
        out_.makeRoom(2 + t.argCount);
        out_.number(raw(numbers_.of(t.block)));
        out_.number(t.argCount);
        operands(fn_.argsOf(t));
    }

    void operands(llvm::ArrayRef<ValueId> values) {
        for (ValueId v : values) out_.value(numbers_.of(v), written_);
    }

    void cases(const SwitchCases& s) {
        out_.makeRoom(1 + s.values.size());
        out_.number(s.values.size());
        for (uint64_t v : s.values) out_.difference(static_cast<int64_t>(v));
    }

    void statements() {
        auto isLeft = [&](const Statement& s) { return numbers_.of(s.first) != ValueId::None; };
        out_.makeRoom(1);
        out_.number(static_cast<size_t>(llvm::count_if(fn_.statements, isLeft)));
        for (const Statement& s : fn_.statements) {
            if (!isLeft(s)) continue;
            out_.makeRoom(3);
            out_.byte(s.breakable);
            out_.number(raw(numbers_.of(s.first)));
            out_.position(s.begin);
        }
    }

    void errorEvents() {
        auto isLeft = [&](const ErrorEvent& e) { return numbers_.of(e.at) != ValueId::None; };
        out_.makeRoom(1);
        out_.number(static_cast<size_t>(llvm::count_if(fn_.errorEvents, isLeft)));
        for (const ErrorEvent& e : fn_.errorEvents) {
            if (!isLeft(e)) continue;
            out_.makeRoom(3);
            out_.byte(static_cast<uint8_t>(e.kind));
            out_.number(raw(numbers_.of(e.at)));
            out_.number(raw(numbers_.of(e.tag)));
        }
    }

    const Function& fn_;
    const Numbering numbers_;
    Writer out_;
    Span span_; ///< of the instruction before
    ScopeId scope_ = 0;
    uint32_t written_ = 0; ///< instructions
};

class Unpacker {
public:
    Unpacker(Function& fn, const uint8_t* packed) : fn_(fn), in_(packed) {}

    void read() {
        fn_.slots.resize(in_.number());
        for (Slot& s : fn_.slots) slot(s);
        fn_.scopes.resize(in_.number());
        for (Scope& s : fn_.scopes) scope(s);
        fn_.instrs.reserve(in_.number());
        fn_.operands.reserve(in_.number());
        fn_.targets.reserve(in_.number());
        fn_.blocks.resize(in_.number());
        for (Block& b : fn_.blocks) block(b);
        marks();
    }

private:
    void slot(Slot& s) {
        uint8_t parts = in_.byte();
        s.isVariable = parts & IsVariable;
        s.type = in_.number<TypeId>();
        if (parts & HasName) s.name = in_.number<Name>();
        if (parts & HasPlace) s.span = in_.span();
        if (parts & IsParameter) s.paramIndex = static_cast<int32_t>(in_.difference());
        s.scope = in_.number<ScopeId>();
        s.size = in_.number();
        s.align = in_.number<uint32_t>();
    }

    void scope(Scope& s) {
        uint8_t parts = in_.byte();
        s.needsEntry = parts & NeedsEntry;
        s.parent = in_.number<ScopeId>();
        s.span = in_.span();
        if (parts & HasShownAt) s.shownAt = in_.span();
    }

    void block(Block& b) {
        b.cold = in_.byte();
        size_t params = in_.number();
        b.instrs.resize(in_.number());
        for (ValueId& v : b.instrs) {
            v = static_cast<ValueId>(fn_.instrs.size());
            instruction();
        }
        b.params.assign(b.instrs.begin(), b.instrs.begin() + static_cast<ptrdiff_t>(params));
    }

    void instruction() {
        Instr i;
        i.op = static_cast<Op>(in_.byte());
        uint8_t parts = in_.byte();
        uint8_t flow = parts & HasFlow ? in_.byte() : 0;
        i.unlikely = flow & IsUnlikely;
        if (flow & HasPred) i.pred = in_.byte();
        if (flow & HasTargets) i.targetCount = in_.byte();
        i.type = parts & HasType ? in_.number<TypeId>() : TypeId::Void;
        i.operandCount = parts & ManyOperands;
        if (i.operandCount == ManyOperands) i.operandCount = in_.number<uint32_t>();
        if (parts & HasImm) i.imm = static_cast<uint64_t>(in_.difference());
        i.span = parts & HasSpan ? in_.span() : last_.span;
        i.scope = parts & HasScope ? in_.number<ScopeId>() : last_.scope;
        last_ = i;
        uint32_t user = static_cast<uint32_t>(fn_.instrs.size());
        i.operandStart = operands(i.operandCount, user);
        i.targetStart = static_cast<uint32_t>(fn_.targets.size());
        for (unsigned t = 0; t < i.targetCount; ++t) {
            BlockId to = in_.number<BlockId>();
            uint32_t count = in_.number<uint32_t>();
            fn_.targets.push_back({to, operands(count, user), count});
        }
        if (i.op == Op::Switch) {
            i.imm = fn_.switches.size();
            cases(fn_.switches.emplace_back());
        }
        fn_.instrs.push_back(i);
    }

    /// Where they begin.
    uint32_t operands(uint32_t count, uint32_t user) {
        uint32_t start = static_cast<uint32_t>(fn_.operands.size());
        for (; count > 0; --count) fn_.operands.push_back(in_.value(user));
        return start;
    }

    void cases(SwitchCases& s) {
        s.values.resize(in_.number());
        for (uint64_t& v : s.values) v = static_cast<uint64_t>(in_.difference());
    }

    void marks() {
        fn_.statements.resize(in_.number());
        for (Statement& s : fn_.statements) {
            s.breakable = in_.byte();
            s.first = in_.number<ValueId>();
            s.begin = in_.position();
        }
        fn_.errorEvents.resize(in_.number());
        for (ErrorEvent& e : fn_.errorEvents) {
            e.kind = static_cast<ErrorEventKind>(in_.byte());
            e.at = in_.number<ValueId>();
            e.tag = in_.number<ValueId>();
        }
    }

    Function& fn_;
    Reader in_;
    Instr last_; ///< its span and its scope
};

} // namespace

void pack(Function& fn) {
    if (!fn.assembly.empty()) return removeUnreachableBlocks(fn);
    if (fn.blocks.empty()) return;
    fn.packed = Packer(fn).write();
    dropCode(fn);
}

void unpack(Function& fn) {
    if (fn.packed.empty()) return;
    Unpacker(fn, fn.packed.data()).read();
    fn.packed = {};
}

void dropCode(Function& fn) {
    Code gone = std::move(static_cast<Code&>(fn)); // an assignment would keep the memory
}

} // namespace sx::ir
