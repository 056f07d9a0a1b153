// Random programs, run by the interpreter and by the reference: what register allocation, folding, forwarding and
// superinstructions must not change.
#include "Fixture.h"
#include "Reference.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"
#include "types/Layout.h"

#include <catch2/catch.hpp>
#include <random>

using namespace sx;
using namespace sx::ir;

namespace {

class Generator {
public:
    Generator(Vm& vm, uint32_t seed, int size) : vm_(vm), random_(seed), size_(size) {}

    FuncId program() {
        for (int i = 0; i < 2; ++i)
            helpers_.push_back(function("helper" + std::to_string(i), {type(), type(), TypeId::I64}, TypeId::U64));
        return function("program", {}, TypeId::U64);
    }

private:
    // ---- choices
    unsigned pick(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
    TypeId type() {
        static const TypeId types[] = {TypeId::I64,          TypeId::I64, TypeId::I64,          TypeId::U64,
                                       TypeId::I32,          TypeId::U32, TypeId::I16,          TypeId::U16,
                                       TypeId::I8,           TypeId::U8,  integerType(5, true), integerType(13, false),
                                       integerType(40, true)};
        return types[pick(std::size(types))];
    }
    uint64_t bits() {
        switch (pick(5)) {
        case 0: return pick(4);
        case 1: return static_cast<uint64_t>(-static_cast<int64_t>(pick(200)));
        case 2: return pick(70000);
        case 3: return uint64_t{1} << pick(64);
        }
        return uint64_t{random_()} << 32 | random_();
    }

    // ---- expressions
    ValueId constant(TypeId t) { return constInt(*b_, t, bits()); }

    ValueId variable(TypeId t) {
        SlotId s = slots_[pick(static_cast<unsigned>(slots_.size()))];
        TypeId have = b_->function().slots[static_cast<uint32_t>(s)].type;
        ValueId loaded = emitLoad(*b_, have, slotAddr(*b_, s));
        if (pick(3) == 0) available_.push_back(loaded); // for later blocks
        return convert(loaded, t);
    }

    ValueId element(TypeId t) {
        ValueId index = emitBinary(*b_, Op::And, expression(TypeId::I64, 1), constInt(*b_, TypeId::I64, 7));
        TypeId elem = pick(2) ? TypeId::I64 : TypeId::U8;
        ValueId p =
            emitIndex(*b_, slotAddr(*b_, pick(2) ? array_ : other_), index, sizeOf(vm_.types, elem), vm_.pointer(elem));
        return convert(emitLoad(*b_, elem, p), t);
    }

    ValueId convert(ValueId v, TypeId to) {
        TypeId from = b_->typeOf(v);
        unsigned a = valueBits(vm_.types, from), z = valueBits(vm_.types, to);
        if (a == z) return emitCast(*b_, Op::Reinterpret, v, to);
        return emitCast(*b_, a > z ? Op::Trunc : pick(2) ? Op::SExt : Op::ZExt, v, to);
    }

    ValueId condition(int depth) {
        TypeId t = type();
        ValueId c = emitICmp(*b_, static_cast<ICmpPred>(pick(10)), expression(t, depth),
                             pick(3) ? expression(t, depth) : constant(t));
        return pick(4) == 0 ? emitNot(*b_, c) : c;
    }

    ValueId arithmetic(TypeId t, int depth) {
        static const Op ops[] = {Op::Add, Op::Add,  Op::Sub,  Op::Sub,  Op::Mul,  Op::And,  Op::Or,  Op::Xor,
                                 Op::Shl, Op::LShr, Op::AShr, Op::SDiv, Op::UDiv, Op::SRem, Op::URem};
        Op op = ops[pick(std::size(ops))];
        ValueId a = expression(t, depth), b = pick(3) ? expression(t, depth) : constant(t);
        bool shifts = op == Op::Shl || op == Op::LShr || op == Op::AShr;
        bool divides = op == Op::SDiv || op == Op::UDiv || op == Op::SRem || op == Op::URem;
        if (shifts) b = emitBinary(*b_, Op::And, b, constInt(*b_, t, 3));
        if (divides) b = emitBinary(*b_, Op::Or, emitBinary(*b_, Op::And, b, constInt(*b_, t, 6)), constInt(*b_, t, 1));
        return emitBinary(*b_, op, a, b);
    }

    ValueId floating(TypeId t, int depth) {
        ValueId x = emitCast(*b_, Op::SIntToFloat, convert(expression(type(), depth), TypeId::I32), TypeId::F64);
        ValueId y = emitCast(*b_, Op::UIntToFloat, convert(expression(type(), depth), TypeId::U16), TypeId::F64);
        static const Op ops[] = {Op::FAdd, Op::FSub, Op::FMul};
        if (pick(3) == 0) {
            ValueId c = emitFCmp(*b_, static_cast<FCmpPred>(pick(6)), x, emitUnary(*b_, Op::FNeg, y));
            return convert(emitCast(*b_, Op::ZExt, c, TypeId::I32), t);
        }
        return convert(emitCast(*b_, Op::FloatToSInt, emitBinary(*b_, ops[pick(3)], x, y), TypeId::I64), t);
    }

    ValueId remembered(TypeId t) {
        if (available_.empty()) return constant(t);
        return convert(available_[pick(static_cast<unsigned>(available_.size()))], t);
    }

    ValueId expression(TypeId t, int depth) {
        if (depth <= 0) return pick(2) ? variable(t) : pick(2) ? constant(t) : remembered(t);
        ValueId v = deeper(t, depth - 1);
        if (pick(3) == 0) available_.push_back(v);
        return v;
    }

    ValueId deeper(TypeId t, int depth) {
        switch (pick(10)) {
        case 0: return element(t);
        case 1: return emitSelect(*b_, condition(depth), expression(t, depth), expression(t, depth));
        case 2: return convert(expression(type(), depth), t);
        case 3: return convert(emitCast(*b_, Op::ZExt, condition(depth), TypeId::U8), t);
        case 4: return floating(t, depth);
        case 5: return helpers_.empty() || depth < 1 ? variable(t) : callHelper(t, depth);
        }
        return arithmetic(t, depth);
    }

    ValueId callHelper(TypeId t, int depth) {
        FuncId f = helpers_[pick(static_cast<unsigned>(helpers_.size()))];
        std::vector<ValueId> args;
        for (TypeId p : std::vector<TypeId>(vm_.module.fn(f).params)) args.push_back(expression(p, depth));
        return convert(emitCall(*b_, f, args), t);
    }

    // ---- statements
    void assign() {
        SlotId s = slots_[pick(static_cast<unsigned>(slots_.size()))];
        ValueId v = expression(b_->function().slots[static_cast<uint32_t>(s)].type, 3);
        emitStore(*b_, slotAddr(*b_, s), v);
    }

    void assignElement() {
        ValueId v = expression(pick(2) ? TypeId::I64 : TypeId::U8, 2);
        ValueId index = emitBinary(*b_, Op::And, expression(TypeId::I64, 1), constInt(*b_, TypeId::I64, 7));
        emitStore(
            *b_,
            emitIndex(*b_, slotAddr(*b_, array_), index, sizeOf(vm_.types, b_->typeOf(v)), vm_.pointer(b_->typeOf(v))),
            v);
    }

    ValueId inArray(SlotId array, uint64_t offset, TypeId t) {
        return emitOffset(*b_, slotAddr(*b_, array), offset, vm_.pointer(t));
    }

    /// Moves parts of one array to the other, at offsets that are whole words or not.
    void moveMemory() {
        uint64_t to = pick(2) ? pick(4) * 8 : pick(30), from = pick(2) ? pick(4) * 8 : pick(30),
                 size = pick(2) ? 8 * (1 + pick(4)) : 1 + pick(30);
        switch (pick(4)) {
        case 0: return emitZeroBytes(*b_, inArray(array_, to, TypeId::U8), size);
        case 1: return emitCopy(*b_, inArray(array_, to, TypeId::U8), inArray(other_, from, TypeId::U8), size);
        case 2: return emitCopy(*b_, inArray(other_, to, TypeId::U8), inArray(array_, from, TypeId::U8), size);
        }
        TypeId t = type();
        emitStore(*b_, inArray(other_, pick(6) * 8 + (pick(2) ? 0 : pick(8)), t), expression(t, 2));
    }

    void nested(int depth) {
        size_t known = available_.size();
        statements(depth);
        available_.resize(known);
    }

    void branch(int depth) {
        BlockId yes = b_->newBlock(), no = b_->newBlock(pick(4) == 0), join = b_->newBlock();
        emitCondBr(*b_, condition(2), yes, no);
        b_->setBlock(yes);
        nested(depth);
        emitBr(*b_, join);
        b_->setBlock(no);
        if (pick(2)) nested(depth);
        emitBr(*b_, join);
        b_->setBlock(join);
    }

    /// The value of a branch, through a block parameter.
    void valueBranch() {
        TypeId t = type();
        BlockId yes = b_->newBlock(), no = b_->newBlock(), join = b_->newBlock();
        ValueId result = b_->blockParam(join, t), second = b_->blockParam(join, TypeId::I64);
        size_t known = available_.size();
        if (pick(2)) {
            ValueId c = condition(2), x = expression(t, 2), y = expression(TypeId::I64, 1);
            emitCondBr(*b_, c, join, {x, y}, no, {});
        } else {
            emitCondBr(*b_, condition(2), yes, no);
        }
        known = std::min(known, available_.size());
        b_->setBlock(yes);
        emitBr(*b_, join, {expression(t, 2), expression(TypeId::I64, 1)});
        available_.resize(known);
        b_->setBlock(no);
        emitBr(*b_, join, {expression(t, 2), expression(TypeId::I64, 2)});
        available_.resize(known);
        b_->setBlock(join);
        available_.push_back(result);
        available_.push_back(second);
    }

    /// A loop whose two values go round through block parameters and may swap.
    void parameterLoop() {
        BlockId head = b_->newBlock(), body = b_->newBlock(), done = b_->newBlock();
        ValueId n = b_->blockParam(head, TypeId::I64), x = b_->blockParam(head, TypeId::I64),
                y = b_->blockParam(head, TypeId::I64);
        emitBr(*b_, head, {constInt(*b_, TypeId::I64, 0), expression(TypeId::I64, 1), expression(TypeId::I64, 1)});
        b_->setBlock(head);
        emitCondBr(*b_, emitICmp(*b_, ICmpPred::SLt, n, constInt(*b_, TypeId::I64, 3)), body, done);
        b_->setBlock(body);
        size_t known = available_.size();
        available_.insert(available_.end(), {n, x, y});
        statements(0);
        ValueId next = emitBinary(*b_, Op::Add, n, constInt(*b_, TypeId::I64, 1));
        if (pick(2)) emitBr(*b_, head, {next, y, x});
        else emitBr(*b_, head, {next, emitBinary(*b_, Op::Add, y, x), pick(2) ? x : expression(TypeId::I64, 2)});
        available_.resize(known);
        b_->setBlock(done);
        available_.insert(available_.end(), {x, y});
    }

    void loop(int depth) {
        SlotId counter = b_->newSlot(TypeId::I64);
        emitStore(*b_, slotAddr(*b_, counter), constInt(*b_, TypeId::I64, 0));
        BlockId head = b_->newBlock(), body = b_->newBlock(), done = b_->newBlock();
        emitBr(*b_, head);
        b_->setBlock(head);
        ValueId limit = pick(2) ? constInt(*b_, TypeId::I64, 2 + pick(3))
                                : emitBinary(*b_, Op::And, variable(TypeId::I64), constInt(*b_, TypeId::I64, 3));
        emitCondBr(*b_, emitICmp(*b_, ICmpPred::SLt, emitLoad(*b_, TypeId::I64, slotAddr(*b_, counter)), limit), body,
                   done);
        b_->setBlock(body);
        nested(depth);
        emitStore(*b_, slotAddr(*b_, counter),
                  emitBinary(*b_, Op::Add, emitLoad(*b_, TypeId::I64, slotAddr(*b_, counter)),
                             constInt(*b_, TypeId::I64, 1)));
        emitBr(*b_, head);
        b_->setBlock(done);
    }

    void choose(int depth) {
        TypeId t = type();
        ValueId v = expression(t, 2);
        bool sparse = pick(2);
        BlockId otherwise = b_->newBlock(), join = b_->newBlock();
        std::vector<std::pair<uint64_t, BlockId>> cases;
        for (unsigned i = 0; i < 5; ++i)
            cases.push_back({sparse && valueBits(vm_.types, t) > 30 ? i * 5000003 : i * 2, b_->newBlock()});
        emitSwitch(*b_, v, otherwise, cases);
        cases.push_back({0, otherwise});
        for (auto [value, block] : cases) {
            b_->setBlock(block);
            nested(depth);
            emitBr(*b_, join);
        }
        b_->setBlock(join);
    }

    void statements(int depth) {
        for (int n = 1 + static_cast<int>(pick(static_cast<unsigned>(size_))); n > 0; --n) statement(depth);
    }
    void statement(int depth) {
        unsigned what = pick(depth > 0 ? 12 : 7);
        if (what == 0) return moveMemory();
        if (what < 5) return assign();
        if (what == 5) return assignElement();
        if (what == 6) return valueBranch();
        if (what < 9) return branch(depth - 1);
        if (what == 9) return parameterLoop();
        if (what == 10) return choose(depth - 1);
        loop(depth - 1);
    }

    FuncId function(std::string name, std::vector<TypeId> params, TypeId result) {
        FuncId f = vm_.declare(std::move(name), params, result);
        Builder build = vm_.build(f);
        b_ = &build;
        slots_.clear();
        available_.clear();
        array_ = build.newRawSlot(64, 8);
        other_ = build.newRawSlot(64, 8);
        emitZeroBytes(build, slotAddr(build, array_), 64);
        emitZeroBytes(build, slotAddr(build, other_), 64);
        for (uint32_t i = 0; i < params.size(); ++i) addSlot(params[i], build.param(i));
        for (int i = 0; i < 5; ++i) {
            TypeId t = type();
            addSlot(t, constant(t));
        }
        statements(2);
        ValueId hash = constInt(build, TypeId::U64, 1);
        for (SlotId s : slots_) {
            TypeId t = build.function().slots[static_cast<uint32_t>(s)].type;
            ValueId v = convert(emitLoad(build, t, slotAddr(build, s)), TypeId::U64);
            hash = emitBinary(build, Op::Add, emitBinary(build, Op::Mul, hash, constInt(build, TypeId::U64, 31)), v);
        }
        emitRet(build, hash);
        return f;
    }
    void addSlot(TypeId t, ValueId v) {
        slots_.push_back(b_->newSlot(t));
        emitStore(*b_, slotAddr(*b_, slots_.back()), v);
    }

    Vm& vm_;
    std::mt19937 random_;
    int size_;
    Builder* b_ = nullptr;
    SlotId array_{}, other_{};
    std::vector<SlotId> slots_;
    std::vector<ValueId> available_; ///< values that dominate the place where code is being added
    std::vector<FuncId> helpers_;
};

void compare(uint32_t seed, int size) {
    vm::Limits limits;
    limits.steps = 20'000'000'000;
    Vm vm(limits);
    FuncId f = Generator(vm, seed, size).program();
    std::vector<std::string> problems = verify(vm.module);
    INFO("seed " << seed << (problems.empty() ? "" : problems[0]));
    REQUIRE(problems.empty());
    uint64_t expected = Reference(vm.module).call(f, {});
    uint64_t actual = vm.value<uint64_t>(f);
    INFO(vm.failure);
    REQUIRE(actual == expected);
}

} // namespace

TEST_CASE("random programs give what the reference gives") {
    for (uint32_t seed = 0; seed < 400; ++seed) compare(seed, 4);
}

// Functions so long that branches do not reach with 16 bits.
TEST_CASE("random programs of many statements") { compare(1008, 20); }
