#include "ir/InstrRules.h"

#include "ir/Ops.h"

namespace sx::ir {

namespace {

class InstrChecker {
public:
    InstrChecker(const Module& m, const Function& fn, ValueId v, llvm::function_ref<void(const llvm::Twine&)> report)
        : m_(m), types_(m.types), fn_(fn), i_(fn.instr(v)), operands_(fn.operandsOf(i_)), report_(report) {}

    void check();

private:
    using Self = InstrChecker;

    // ---- what operands and results are
    TypeId typeOf(size_t k) const { return fn_.instr(operands_[k]).type; }
    ValueClass classOf(size_t k) const { return sx::ir::classOf(types_, typeOf(k)); }
    ValueClass resultClass() const { return sx::ir::classOf(types_, i_.type); }
    unsigned resultBits() const { return valueBits(types_, i_.type); }

    void wrong(size_t k, const llvm::Twine& expected) {
        report_("operand " + llvm::Twine(k) + " is " + types_.runtimeName(typeOf(k)) + ", not " + expected);
    }
    void wrongResult(const llvm::Twine& expected) {
        report_("the result is " + llvm::Twine(types_.runtimeName(i_.type)) + ", not " + expected);
    }

    bool hasOperands(size_t n) {
        if (operands_.size() == n) return true;
        report_("takes " + llvm::Twine(n) + " operands, has " + llvm::Twine(operands_.size()));
        return false;
    }
    void pointer(size_t k) {
        if (classOf(k) != ValueClass::Pointer) wrong(k, "a pointer");
    }
    void word(size_t k) {
        if (classOf(k) != ValueClass::Int || valueBits(types_, typeOf(k)) != 64) wrong(k, "an integer of 64 bits");
    }
    void integer(size_t k) {
        if (classOf(k) != ValueClass::Int) wrong(k, "an integer");
    }
    void floating(size_t k) {
        if (classOf(k) != ValueClass::Float) wrong(k, "a float");
    }
    void boolean(size_t k) {
        if (typeOf(k) != TypeId::Bool) wrong(k, "a bool");
    }
    void scalar(size_t k) {
        if (classOf(k) == ValueClass::None) wrong(k, "a scalar");
    }
    void like(size_t k, TypeId type) {
        if (!interchangeable(types_, typeOf(k), type)) wrong(k, types_.runtimeName(type));
    }
    void alike(size_t a, size_t b) {
        if (!interchangeable(types_, typeOf(a), typeOf(b)))
            wrong(b, types_.runtimeName(typeOf(a)) + llvm::Twine(" as operand ") + llvm::Twine(a));
    }
    void likeResult(size_t k) { like(k, i_.type); }

    /// So many operands, each after its rule.
    template <typename... Rule> void takes(Rule... rules) {
        if (!hasOperands(sizeof...(rules))) return;
        size_t k = 0;
        ((this->*rules)(k++), ...);
    }

    void noResult() {
        if (i_.type != TypeId::Void) wrongResult("void");
    }
    void scalarResult() {
        if (resultClass() == ValueClass::None) wrongResult("a scalar");
    }
    void boolResult() {
        if (i_.type != TypeId::Bool) wrongResult("bool");
    }
    void resultOf(ValueClass c, const char* expected) {
        if (resultClass() != c) wrongResult(expected);
    }
    void pointerResult() { resultOf(ValueClass::Pointer, "a pointer"); }
    void integerResult() { resultOf(ValueClass::Int, "an integer"); }
    void floatResult() { resultOf(ValueClass::Float, "a float"); }
    void wordResult() {
        if (resultClass() != ValueClass::Int || resultBits() != 64) wrongResult("an integer of 64 bits");
    }

    void idBelow(size_t count, const char* what) {
        if (i_.imm >= count) report_("there is no " + llvm::Twine(what) + " " + llvm::Twine(i_.imm));
    }
    void predBelow(unsigned count) {
        if (i_.pred >= count) report_("predicate " + llvm::Twine(unsigned{i_.pred}) + " does not exist");
    }

    // ---- groups of operations
    void checkConst();
    void checkParam();
    void arithmetic();
    void bitwise();
    void floatArithmetic(size_t operandCount);
    void compareInts();
    void compareFloats();
    void changeWidth();
    void reinterpret();
    void checkCall();
    void checkIndirectCall();
    void checkArguments(llvm::ArrayRef<TypeId> params, TypeId result, bool cVariadic, size_t first);
    void checkAssembly() {
        if (i_.imm >= fn_.assembly.size()) return idBelow(fn_.assembly.size(), "assembly");
        const std::vector<AsmOperand>& operands = fn_.assembly[i_.imm].operands;
        if (!hasOperands(operands.size())) return;
        for (size_t k = 0; k < operands.size(); ++k) operands[k].kind == AsmOperand::Kind::In ? scalar(k) : pointer(k);
    }
    void checkOrder() { predBelow(static_cast<unsigned>(MemoryOrder::SeqCst) + 1); }
    void checkLink() {
        if (i_.imm != 1 && i_.imm != 2) report_("link kind " + llvm::Twine(i_.imm) + " does not exist");
    }
    void widthChanges() {
        if (operands_.size() == 1 && valueBits(types_, typeOf(0)) == resultBits()) report_("the width stays the same");
    }
    void checkSwitch();
    void checkRet();
    void checkPanic();

    const Module& m_;
    const TypeTable& types_;
    const Function& fn_;
    const Instr& i_;
    llvm::ArrayRef<ValueId> operands_;
    llvm::function_ref<void(const llvm::Twine&)> report_;
};

void InstrChecker::checkConst() {
    scalarResult();
    if (resultClass() == ValueClass::None) return;
    if (resultClass() == ValueClass::Pointer) {
        if (i_.imm != 0) report_("a constant pointer is null");
    } else if (lowBits(resultBits(), i_.imm) != i_.imm) {
        report_("the bits do not fit " + llvm::Twine(types_.runtimeName(i_.type)));
    }
}

void InstrChecker::checkParam() {
    if (i_.imm >= fn_.params.size()) return idBelow(fn_.params.size(), "parameter");
    TypeId type = fn_.params[i_.imm];
    if (types_.isScalar(type)) {
        if (!interchangeable(types_, i_.type, type)) wrongResult(types_.runtimeName(type));
    } else {
        pointerResult();
    }
}

void InstrChecker::arithmetic() {
    integerResult();
    takes(&Self::likeResult, &Self::likeResult);
}

void InstrChecker::bitwise() {
    if (resultClass() != ValueClass::Bool) resultOf(ValueClass::Int, "an integer or bool");
    takes(&Self::likeResult, &Self::likeResult);
}

void InstrChecker::floatArithmetic(size_t operandCount) {
    floatResult();
    if (!hasOperands(operandCount)) return;
    for (size_t k = 0; k < operandCount; ++k) likeResult(k);
}

void InstrChecker::compareInts() {
    boolResult();
    predBelow(static_cast<unsigned>(ICmpPred::UGe) + 1);
    if (!hasOperands(2)) return;
    if (classOf(0) == ValueClass::Float || classOf(0) == ValueClass::None) wrong(0, "an integer, bool or pointer");
    else alike(0, 1);
}

void InstrChecker::compareFloats() {
    boolResult();
    predBelow(static_cast<unsigned>(FCmpPred::Ge) + 1);
    if (!hasOperands(2)) return;
    floating(0);
    alike(0, 1);
}

void InstrChecker::changeWidth() {
    integerResult();
    if (!hasOperands(1)) return;
    if (classOf(0) != ValueClass::Bool || i_.op != Op::ZExt) integer(0);
    unsigned from = valueBits(types_, typeOf(0)), to = resultBits();
    if (i_.op == Op::Trunc ? to >= from : to <= from)
        report_("a " + llvm::Twine(opName(i_.op)) + " from " + types_.runtimeName(typeOf(0)) + " to " +
                types_.runtimeName(i_.type));
}

void InstrChecker::reinterpret() {
    scalarResult();
    if (!hasOperands(1)) return;
    scalar(0);
    bool fromPointer = classOf(0) == ValueClass::Pointer, toPointer = resultClass() == ValueClass::Pointer;
    if (fromPointer != toPointer || valueBits(types_, typeOf(0)) != resultBits())
        wrong(0, "of the form of " + llvm::Twine(types_.runtimeName(i_.type)));
}

// ---- calls

void InstrChecker::checkArguments(llvm::ArrayRef<TypeId> params, TypeId result, bool cVariadic, size_t first) {
    if (types_.isScalar(result)) {
        if (!interchangeable(types_, i_.type, result)) wrongResult(types_.runtimeName(result));
    } else {
        noResult();
    }
    if (returnsInMemory(types_, result)) {
        if (operands_.size() <= first) return report_("the address of the result is missing");
        pointer(first++);
    }
    size_t given = operands_.size() - first;
    if (cVariadic ? given < params.size() : given != params.size())
        return report_("passes " + llvm::Twine(given) + " arguments for " + llvm::Twine(params.size()) + " parameters");
    for (size_t k = 0; k < given; ++k) {
        if (k >= params.size()) scalar(first + k);
        else if (types_.isScalar(params[k])) like(first + k, params[k]);
        else pointer(first + k);
    }
}

void InstrChecker::checkCall() {
    if (i_.imm >= m_.functions.size()) return idBelow(m_.functions.size(), "function");
    const Function& callee = *m_.functions[i_.imm];
    checkArguments(callee.params, callee.result, callee.cVariadic, 0);
}

void InstrChecker::checkIndirectCall() {
    TypeId type = static_cast<TypeId>(i_.imm);
    if (i_.imm >= types_.size() || types_.kind(type) != TypeKind::Function)
        return report_("the type of the callee is not a function type");
    if (operands_.empty()) return report_("the callee is missing");
    pointer(0);
    const FunctionInfo& info = types_.functionInfo(type);
    checkArguments(info.params, info.result, info.cVariadic, 1);
}

// ---- terminators

void InstrChecker::checkSwitch() {
    if (i_.imm >= fn_.switches.size()) return idBelow(fn_.switches.size(), "list of cases");
    const std::vector<uint64_t>& values = fn_.switches[i_.imm].values;
    if (values.size() + 1 != i_.targetCount)
        report_("has " + llvm::Twine(values.size()) + " cases and " + llvm::Twine(unsigned{i_.targetCount}) +
                " targets");
    if (!hasOperands(1)) return;
    if (classOf(0) != ValueClass::Bool) integer(0);
    llvm::DenseMap<std::pair<uint64_t, uint32_t>, bool> seen; // a pair: no value is a reserved key
    for (uint64_t value : values) {
        if (lowBits(valueBits(types_, typeOf(0)), value) != value)
            report_("case " + llvm::Twine(value) + " does not fit the value");
        if (!seen.try_emplace({value, 0}, true).second) report_("case " + llvm::Twine(value) + " stands twice");
    }
}

void InstrChecker::checkRet() {
    if (fn_.noReturn || fn_.result == TypeId::NoReturn) return report_("the function does not return");
    if (fn_.result == TypeId::Void) {
        hasOperands(0);
    } else if (hasOperands(1)) {
        if (types_.isScalar(fn_.result)) like(0, fn_.result);
        else pointer(0);
    }
}

void InstrChecker::checkPanic() {
    if (i_.imm > static_cast<uint64_t>(PanicKind::TypeAssertion))
        return report_("panic " + llvm::Twine(i_.imm) + " does not exist");
    PanicKind kind = static_cast<PanicKind>(i_.imm);
    size_t count = kind == PanicKind::Index || kind == PanicKind::TypeAssertion ? 2
                   : kind == PanicKind::SliceBounds                             ? 3
                                                                                : 0;
    if (!hasOperands(count)) return;
    for (size_t k = 0; k < count; ++k) word(k);
}

// ---- one rule per operation

void InstrChecker::check() {
    switch (i_.op) {
    case Op::Const:
        takes();
        checkConst();
        return;
    case Op::FuncAddr:
        takes();
        pointerResult();
        idBelow(m_.functions.size(), "function");
        return;
    case Op::GlobalAddr:
        takes();
        pointerResult();
        idBelow(m_.globals.size(), "global");
        return;
    case Op::TypeHandle:
        takes();
        pointerResult();
        idBelow(types_.size(), "type");
        return;
    case Op::SlotAddr:
        takes();
        pointerResult();
        idBelow(fn_.slots.size(), "slot");
        return;
    case Op::Param:
        takes();
        checkParam();
        return;
    case Op::BlockParam:
    case Op::Undef:
        takes();
        scalarResult();
        return;

    case Op::Load:
        takes(&Self::pointer);
        scalarResult();
        return;
    case Op::Store:
        takes(&Self::pointer, &Self::scalar);
        noResult();
        return;
    case Op::Copy:
        takes(&Self::pointer, &Self::pointer);
        noResult();
        return;
    case Op::Zero:
        takes(&Self::pointer);
        noResult();
        return;
    case Op::CopyN:
        takes(&Self::pointer, &Self::pointer, &Self::word);
        noResult();
        return;
    case Op::Offset:
        takes(&Self::pointer);
        pointerResult();
        return;
    case Op::Index:
        takes(&Self::pointer, &Self::word);
        pointerResult();
        return;
    case Op::NullCheck:
        takes(&Self::pointer);
        noResult();
        return;
    case Op::MemEq:
        takes(&Self::pointer, &Self::pointer, &Self::word);
        boolResult();
        return;

    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::SDiv:
    case Op::UDiv:
    case Op::SRem:
    case Op::URem:
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: arithmetic(); return;
    case Op::And:
    case Op::Or:
    case Op::Xor: bitwise(); return;
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FRem: floatArithmetic(2); return;
    case Op::FNeg:
    case Op::FSqrt:
    case Op::FSin:
    case Op::FCos:
    case Op::FFloor: floatArithmetic(1); return;
    case Op::ICmp: compareInts(); return;
    case Op::FCmp: compareFloats(); return;
    case Op::Select:
        scalarResult();
        takes(&Self::boolean, &Self::likeResult, &Self::likeResult);
        return;

    case Op::Trunc:
    case Op::ZExt:
    case Op::SExt: changeWidth(); return;
    case Op::IntToBool:
        takes(&Self::integer);
        boolResult();
        return;
    case Op::SIntToFloat:
    case Op::UIntToFloat:
        takes(&Self::integer);
        floatResult();
        return;
    case Op::FloatToSInt:
    case Op::FloatToUInt:
        takes(&Self::floating);
        integerResult();
        return;
    case Op::FloatResize:
        takes(&Self::floating);
        floatResult();
        widthChanges();
        return;
    case Op::PtrToInt:
        takes(&Self::pointer);
        wordResult();
        return;
    case Op::IntToPtr:
        takes(&Self::word);
        pointerResult();
        return;
    case Op::Reinterpret: reinterpret(); return;

    case Op::Call: checkCall(); return;
    case Op::CallIndirect: checkIndirectCall(); return;

    case Op::AtomicLoad:
        takes(&Self::pointer);
        scalarResult();
        checkOrder();
        return;
    case Op::AtomicStore:
        takes(&Self::pointer, &Self::scalar);
        noResult();
        checkOrder();
        return;
    case Op::AtomicRmw:
        takes(&Self::pointer, &Self::likeResult);
        scalarResult();
        checkOrder();
        idBelow(static_cast<size_t>(AtomicOp::Swap) + 1, "atomic operation");
        return;
    case Op::AtomicCmpXchg:
        takes(&Self::pointer, &Self::likeResult, &Self::likeResult);
        scalarResult();
        checkOrder();
        return;
    case Op::Fence:
        takes();
        noResult();
        checkOrder();
        return;

    case Op::TraceFrame:
        takes();
        wordResult();
        return;
    case Op::TraceRaise:
        takes(&Self::word, &Self::scalar);
        noResult();
        return;
    case Op::TracePush:
        takes(&Self::word);
        noResult();
        return;
    case Op::TraceLink:
        takes();
        noResult();
        checkLink();
        return;
    case Op::TraceAbsorb:
        takes();
        noResult();
        return;
    case Op::TraceCapture:
        takes(&Self::pointer);
        noResult();
        return;
    case Op::TraceCopy:
        takes(&Self::pointer, &Self::pointer);
        noResult();
        return;
    case Op::TraceForget:
        takes(&Self::pointer);
        noResult();
        return;
    case Op::TraceResume:
        takes(&Self::pointer);
        boolResult();
        return;
    case Op::TraceResolve:
        takes(&Self::pointer, &Self::word);
        noResult();
        return;
    case Op::IsComptime:
        takes();
        boolResult();
        return;
    case Op::InlineAsm:
        noResult();
        checkAssembly();
        return;

    case Op::Br:
    case Op::Unreachable:
        takes();
        noResult();
        return;
    case Op::CondBr:
        takes(&Self::boolean);
        noResult();
        return;
    case Op::Switch:
        noResult();
        checkSwitch();
        return;
    case Op::Ret:
        noResult();
        checkRet();
        return;
    case Op::Panic:
        noResult();
        checkPanic();
        return;
    }
}

} // namespace

void checkInstr(const Module& m, const Function& fn, ValueId v, llvm::function_ref<void(const llvm::Twine&)> report) {
    InstrChecker(m, fn, v, report).check();
}

} // namespace sx::ir
