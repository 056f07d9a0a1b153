#include "ir/InstrRules.h"

#include "ir/Ops.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::ir {

namespace {

class InstrChecker {
public:
    InstrChecker(const Module& m, const Function& fn, ValueId v, llvm::function_ref<void(const llvm::Twine&)> report)
        : m_(m), types_(m.types), fn_(fn), i_(fn.instr(v)), operands_(fn.operandsOf(i_)), report_(report) {}

    void check();

private:
    // ---- what operands and results are
    TypeId typeOf(size_t k) const { return fn_.instr(operands_[k]).type; }
    ValueClass classOf(size_t k) const { return sx::ir::classOf(types_, typeOf(k)); }
    ValueClass resultClass() const { return sx::ir::classOf(types_, i_.type); }
    unsigned resultBits() const { return valueBits(types_, i_.type); }

    void wrong(size_t k, const llvm::Twine& expected) {
        report_("operand " + llvm::Twine(k) + " is " + runtimeName(types_, typeOf(k)) + ", not " + expected);
    }
    void wrongResult(const llvm::Twine& expected) {
        report_("the result is " + llvm::Twine(runtimeName(types_, i_.type)) + ", not " + expected);
    }

    bool hasOperands(size_t n) {
        if (operands_.size() == n) return true;
        report_("takes " + llvm::Twine(n) + " operands, has " + llvm::Twine(operands_.size()));
        return false;
    }
    /// What keeps a value of this type from being after the rule, for a message; empty: nothing.
    std::string missing(ValueRule, TypeId) const;
    void operand(size_t k, ValueRule rule) {
        if (std::string expected = missing(rule, typeOf(k)); !expected.empty()) wrong(k, expected);
    }
    void result(ValueRule rule) {
        if (std::string expected = missing(rule, i_.type); !expected.empty())
            wrongResult(rule == ValueRule::Bool ? "bool" : expected);
    }
    void like(size_t k, TypeId type) {
        if (!interchangeable(types_, typeOf(k), type)) wrong(k, runtimeName(types_, type));
    }
    void alike(size_t a, size_t b) {
        if (!interchangeable(types_, typeOf(a), typeOf(b)))
            wrong(b, runtimeName(types_, typeOf(a)) + llvm::Twine(" as operand ") + llvm::Twine(a));
    }

    void idBelow(size_t count, const char* what) {
        if (i_.imm >= count) report_("there is no " + llvm::Twine(what) + " " + llvm::Twine(i_.imm));
    }
    void predBelow(unsigned count) {
        if (i_.pred >= count) report_("predicate " + llvm::Twine(unsigned{i_.pred}) + " does not exist");
    }

    // ---- by form
    void checkForm(Form);
    void checkConst();
    void checkParam();
    void compareInts();
    void compareFloats();
    void changeWidth();
    void otherWidth();
    void sameWidth();
    void checkCall();
    void checkIndirectCall();
    void checkArguments(llvm::ArrayRef<TypeId> params, TypeId result, bool cVariadic, size_t first);
    void checkAssembly();
    void checkParameters();
    void checkOrder() { predBelow(static_cast<unsigned>(MemoryOrder::SeqCst) + 1); }
    void checkLink() {
        if (i_.imm != 1 && i_.imm != 2) report_("link kind " + llvm::Twine(i_.imm) + " does not exist");
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

std::string InstrChecker::missing(ValueRule rule, TypeId type) const {
    ValueClass c = sx::ir::classOf(types_, type);
    switch (rule) {
    case ValueRule::None: return type == TypeId::Void ? "" : "void";
    case ValueRule::Scalar: return c != ValueClass::None ? "" : "a scalar";
    case ValueRule::Pointer: return c == ValueClass::Pointer ? "" : "a pointer";
    case ValueRule::Word: return c == ValueClass::Int && valueBits(types_, type) == 64 ? "" : "an integer of 64 bits";
    case ValueRule::Integer: return c == ValueClass::Int ? "" : "an integer";
    case ValueRule::Float: return c == ValueClass::Float ? "" : "a float";
    case ValueRule::Bool: return type == TypeId::Bool ? "" : "a bool";
    case ValueRule::Bits: return c == ValueClass::Int || c == ValueClass::Bool ? "" : "an integer or bool";
    case ValueRule::Result: return interchangeable(types_, type, i_.type) ? "" : runtimeName(types_, i_.type);
    case ValueRule::Own: return "";
    }
    return "";
}

void InstrChecker::checkConst() {
    if (resultClass() == ValueClass::None) return;
    if (resultClass() == ValueClass::Pointer) {
        if (i_.imm != 0) report_("a constant pointer is null");
    } else if (lowBits(resultBits(), i_.imm) != i_.imm) {
        report_("the bits do not fit " + llvm::Twine(runtimeName(types_, i_.type)));
    }
}

void InstrChecker::checkParam() {
    if (i_.imm >= fn_.params.size()) return idBelow(fn_.params.size(), "parameter");
    TypeId type = fn_.params[i_.imm];
    if (isScalar(types_, type)) {
        if (!interchangeable(types_, i_.type, type)) wrongResult(runtimeName(types_, type));
    } else {
        result(ValueRule::Pointer);
    }
}

void InstrChecker::compareInts() {
    predBelow(static_cast<unsigned>(ICmpPred::UGe) + 1);
    if (!hasOperands(2)) return;
    if (classOf(0) == ValueClass::Float || classOf(0) == ValueClass::None) wrong(0, "an integer, bool or pointer");
    else alike(0, 1);
}

void InstrChecker::compareFloats() {
    predBelow(static_cast<unsigned>(FCmpPred::Ge) + 1);
    if (!hasOperands(2)) return;
    operand(0, ValueRule::Float);
    alike(0, 1);
}

void InstrChecker::changeWidth() {
    if (!hasOperands(1)) return;
    if (classOf(0) != ValueClass::Bool || i_.op != Op::ZExt) operand(0, ValueRule::Integer);
    unsigned from = valueBits(types_, typeOf(0)), to = resultBits();
    if (infoOf(i_.op).form == Form::Narrows ? to >= from : to <= from)
        report_("a " + llvm::Twine(opName(i_.op)) + " from " + runtimeName(types_, typeOf(0)) + " to " +
                runtimeName(types_, i_.type));
}

void InstrChecker::otherWidth() {
    if (operands_.size() == 1 && valueBits(types_, typeOf(0)) == resultBits()) report_("the width stays the same");
}

void InstrChecker::sameWidth() {
    if (!hasOperands(1)) return;
    operand(0, ValueRule::Scalar);
    bool fromPointer = classOf(0) == ValueClass::Pointer, toPointer = resultClass() == ValueClass::Pointer;
    if (fromPointer != toPointer || valueBits(types_, typeOf(0)) != resultBits())
        wrong(0, "of the form of " + llvm::Twine(runtimeName(types_, i_.type)));
}

// ---- calls

void InstrChecker::checkArguments(llvm::ArrayRef<TypeId> params, TypeId result, bool cVariadic, size_t first) {
    if (isScalar(types_, result)) {
        if (!interchangeable(types_, i_.type, result)) wrongResult(runtimeName(types_, result));
    } else {
        this->result(ValueRule::None);
    }
    if (returnsInMemory(types_, result)) {
        if (operands_.size() <= first) return report_("the address of the result is missing");
        operand(first++, ValueRule::Pointer);
    }
    size_t given = operands_.size() - first;
    if (cVariadic ? given < params.size() : given != params.size())
        return report_("passes " + llvm::Twine(given) + " arguments for " + llvm::Twine(params.size()) + " parameters");
    for (size_t k = 0; k < given; ++k) {
        if (k >= params.size()) operand(first + k, ValueRule::Scalar);
        else if (isScalar(types_, params[k])) like(first + k, params[k]);
        else operand(first + k, ValueRule::Pointer);
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
    operand(0, ValueRule::Pointer);
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
    if (classOf(0) != ValueClass::Bool) operand(0, ValueRule::Integer);
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
        if (isScalar(types_, fn_.result)) like(0, fn_.result);
        else operand(0, ValueRule::Pointer);
    }
}

void InstrChecker::checkPanic() {
    if (i_.imm >= std::size(panics)) return report_("panic " + llvm::Twine(i_.imm) + " does not exist");
    size_t count = infoOf(static_cast<PanicKind>(i_.imm)).operandCount;
    if (!hasOperands(count)) return;
    for (size_t k = 0; k < count; ++k) operand(k, ValueRule::Word);
}

void InstrChecker::checkAssembly() {
    if (i_.imm >= fn_.assembly.size()) return idBelow(fn_.assembly.size(), "assembly");
    const std::vector<AsmOperand>& operands = fn_.assembly[i_.imm].operands;
    if (!hasOperands(operands.size())) return;
    for (size_t k = 0; k < operands.size(); ++k)
        operand(k, operands[k].kind == AsmOperand::Kind::In ? ValueRule::Scalar : ValueRule::Pointer);
}

void InstrChecker::checkParameters() {
    if (operands_.empty()) return report_("has no list of parameters");
    operand(0, ValueRule::Pointer);
    for (size_t k = 1; k < operands_.size(); ++k) operand(k, ValueRule::Scalar);
}

void InstrChecker::checkForm(Form form) {
    switch (form) {
    case Form::Plain:
    case Form::Number:
    case Form::Branch: return;
    case Form::Constant: return checkConst();
    case Form::Function: return idBelow(m_.functions.size(), "function");
    case Form::Global: return idBelow(m_.globals.size(), "global");
    case Form::Type: return idBelow(types_.size(), "type");
    case Form::Slot: return idBelow(fn_.slots.size(), "slot");
    case Form::Parameter: return checkParam();
    case Form::Link: return checkLink();
    case Form::IntCompare: return compareInts();
    case Form::FloatCompare: return compareFloats();
    case Form::Narrows:
    case Form::Widens: return changeWidth();
    case Form::OtherWidth: return otherWidth();
    case Form::SameWidth: return sameWidth();
    case Form::Callee: return checkCall();
    case Form::CalleeType: return checkIndirectCall();
    case Form::Ordered: return checkOrder();
    case Form::OrderedUpdate: checkOrder(); return idBelow(static_cast<size_t>(AtomicOp::Swap) + 1, "atomic operation");
    case Form::Assembly: return checkAssembly();
    case Form::Parameters: return checkParameters();
    case Form::Cases: return checkSwitch();
    case Form::Returned: return checkRet();
    case Form::Failure: return checkPanic();
    }
}

void InstrChecker::check() {
    const OpInfo& info = infoOf(i_.op);
    if (!info.hasOwnOperands() && hasOperands(info.operandCount))
        for (size_t k = 0; k < info.operandCount; ++k) operand(k, info.operands[k]);
    result(info.result);
    checkForm(info.form);
}

} // namespace

void checkInstr(const Module& m, const Function& fn, ValueId v, llvm::function_ref<void(const llvm::Twine&)> report) {
    InstrChecker(m, fn, v, report).check();
}

} // namespace sx::ir
