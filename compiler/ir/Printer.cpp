// The text form of a module: for people who debug a stage, and for golden tests. The same module prints the
// same text; there is no reader for it.
#include "ir/Folding.h"
#include "ir/Ops.h"
#include "ir/Passes.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>

namespace sx::ir {

namespace {

std::string quoted(llvm::StringRef text) {
    std::string out;
    llvm::raw_string_ostream os(out);
    os << '"';
    llvm::printEscapedString(text, os);
    os << '"';
    return out;
}

std::string floatText(unsigned bits, uint64_t value) {
    double d = floatValue(bits, value);
    if (!std::isfinite(d)) return ("0x" + llvm::Twine(llvm::utohexstr(value))).str();
    char buffer[32];
    auto end = bits == 32 ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(d)).ptr
                          : std::to_chars(buffer, buffer + sizeof buffer, d).ptr;
    return {buffer, end};
}

// ---- names of things in the module

class ModuleNames {
public:
    explicit ModuleNames(const Module& m) : m_(m) {}

    std::string function(uint64_t id) const {
        if (id >= m_.functions.size()) return ("@<function " + llvm::Twine(id) + ">").str();
        const Function& f = *m_.functions[id];
        return ("@" + llvm::Twine(f.symbol.empty() ? f.name : f.symbol)).str();
    }
    std::string global(uint64_t id) const {
        if (id >= m_.globals.size()) return ("@<global " + llvm::Twine(id) + ">").str();
        const Global& g = m_.globals[id];
        return ("@" + llvm::Twine(g.symbol.empty() ? g.name : g.symbol)).str();
    }
    std::string type(TypeId t) const {
        if (static_cast<uint32_t>(t) >= m_.types.size())
            return ("<type " + llvm::Twine(static_cast<uint32_t>(t)) + ">").str();
        return runtimeName(m_.types, t);
    }
    std::string name(Name n) const { return std::string(m_.types.names().text(n)); }

private:
    const Module& m_;
};

// ---- functions

class FunctionPrinter {
public:
    FunctionPrinter(const Module& m, const Function& fn, PrintOptions options, llvm::raw_ostream& os)
        : m_(m), fn_(fn), options_(options), names_(m), os_(os) {}

    void print();
    void printInstr(ValueId);

private:
    void printSignature();
    void printSlot(uint32_t id, const Slot&);
    void printBlock(uint32_t id, const Block&);
    void printTargets(const Instr&);
    void printDetails(const Instr&);
    void printConst(const Instr&);
    void printCall(const Instr&);
    void printSwitch(const Instr&);
    void printTarget(const Target&);
    void printPosition(Span);
    void printValue(ValueId v) {
        if (v == ValueId::None) os_ << "v?";
        else os_ << 'v' << raw(v);
    }
    void printList(llvm::ArrayRef<ValueId> values) {
        llvm::ListSeparator comma;
        for (ValueId v : values) {
            os_ << comma;
            printValue(v);
        }
    }
    /// " 16": the number after the name of an op that has one.
    void printNumber(uint64_t n) { os_ << ' ' << n; }
    void printOperands(const Instr& i) {
        if (i.operandCount == 0) return;
        os_ << ' ';
        printList(fn_.operandsOf(i));
    }

    /// ` volatile "text" "=r" "+m" "r"`, a constraint an operand.
    void printAssembly(const Instr& i) {
        if (i.imm >= fn_.assembly.size()) return; // the verifier complains
        const AsmBlock& block = fn_.assembly[i.imm];
        os_ << (block.isVolatile ? " volatile " : " ") << quoted(block.text);
        for (const AsmOperand& o : block.operands) {
            llvm::StringRef mark = o.kind == AsmOperand::Kind::In ? "" : o.kind == AsmOperand::Kind::Out ? "=" : "+";
            os_ << ' ' << quoted(mark.str() + o.constraint);
        }
    }

    const Module& m_;
    const Function& fn_;
    PrintOptions options_;
    ModuleNames names_;
    llvm::raw_ostream& os_;
};

void FunctionPrinter::printSignature() {
    os_ << (fn_.isExtern ? "extern fn " : fn_.isExport ? "export fn " : "fn ") << fn_.name;
    if (fn_.symbol != fn_.name) os_ << ' ' << quoted(fn_.symbol);
    os_ << '(';
    llvm::ListSeparator comma;
    for (size_t i = 0; i < fn_.params.size(); ++i) {
        os_ << comma;
        if (i < fn_.paramNames.size() && fn_.paramNames[i] != Name::None) os_ << names_.name(fn_.paramNames[i]) << ": ";
        os_ << names_.type(fn_.params[i]);
    }
    if (fn_.cVariadic) os_ << comma << "..";
    os_ << ')';
    if (fn_.result != TypeId::Void) os_ << " -> " << names_.type(fn_.result);
    if (fn_.conv == CallConv::C) os_ << " abi(.c)";
    if (fn_.noReturn) os_ << " noreturn";
    if (fn_.cold) os_ << " cold";
    if (fn_.outOfLine) os_ << " out_of_line";
    if (fn_.compilerMade) os_ << " compiler_made";
    if (fn_.hasContext) os_ << " context";
}

void FunctionPrinter::printSlot(uint32_t id, const Slot& s) {
    os_ << "  s" << id << ": ";
    if (s.type == TypeId::None) os_ << s.size << " bytes align " << s.align;
    else os_ << names_.type(s.type);
    if (s.name != Name::None) os_ << ' ' << names_.name(s.name);
    if (s.paramIndex >= 0) os_ << " param " << s.paramIndex;
    if (s.scope != 0) os_ << " scope " << s.scope;
    printPosition(s.span);
    os_ << '\n';
}

void FunctionPrinter::printBlock(uint32_t id, const Block& block) {
    os_ << 'b' << id;
    if (!block.params.empty()) {
        os_ << '(';
        llvm::ListSeparator comma;
        for (ValueId v : block.params) {
            os_ << comma;
            printValue(v);
            os_ << ": " << names_.type(fn_.instr(v).type);
        }
        os_ << ')';
    }
    os_ << ':' << (block.cold ? " cold" : "") << '\n';
    for (ValueId v : block.instrs)
        if (fn_.instr(v).op != Op::BlockParam) printInstr(v);
}

void FunctionPrinter::printPosition(Span span) {
    if (!options_.positions || !span.isValid()) return;
    Location at = m_.sources.resolve(span.begin);
    os_ << "  ; " << at.line << ':' << at.col;
}

void FunctionPrinter::printInstr(ValueId v) {
    const Instr& i = fn_.instr(v);
    os_ << "  ";
    if (i.type != TypeId::Void) {
        printValue(v);
        os_ << ": " << names_.type(i.type) << " = ";
    }
    os_ << opName(i.op);
    printDetails(i);
    if (i.unlikely) os_ << " unlikely";
    printPosition(i.span);
    os_ << '\n';
}

void FunctionPrinter::printConst(const Instr& i) {
    os_ << ' ';
    switch (classOf(m_.types, i.type)) {
    case ValueClass::Bool: os_ << (i.imm != 0 ? "true" : "false"); return;
    case ValueClass::Float: os_ << floatText(bitsOf(m_.types, i.type), i.imm); return;
    case ValueClass::Pointer:
        if (i.imm == 0) os_ << "null";
        else os_ << i.imm;
        return;
    case ValueClass::Int:
        if (isInteger(m_.types, i.type) && m_.types.isSigned(i.type))
            os_ << signExtended(bitsOf(m_.types, i.type), i.imm);
        else os_ << i.imm;
        return;
    case ValueClass::None: os_ << i.imm; return;
    }
}

void FunctionPrinter::printCall(const Instr& i) {
    llvm::ArrayRef<ValueId> operands = fn_.operandsOf(i);
    TypeId result = TypeId::Void;
    os_ << ' ';
    if (i.op == Op::Call) {
        os_ << names_.function(i.imm);
        if (i.imm < m_.functions.size()) result = m_.functions[i.imm]->result;
    } else {
        TypeId type = static_cast<TypeId>(i.imm);
        if (i.imm < m_.types.size() && m_.types.kind(type) == TypeKind::Function)
            result = m_.types.functionInfo(type).result;
        if (!operands.empty()) printValue(operands.front());
        operands = operands.drop_front(operands.empty() ? 0 : 1);
        os_ << " as " << names_.type(type);
    }
    ValueId dest = ValueId::None;
    if (returnsInMemory(m_.types, result) && !operands.empty()) {
        dest = operands.front();
        operands = operands.drop_front();
    }
    os_ << " (";
    printList(operands);
    os_ << ')';
    if (dest == ValueId::None) return;
    os_ << " into ";
    printValue(dest);
}

void FunctionPrinter::printTarget(const Target& t) {
    os_ << 'b' << static_cast<uint32_t>(t.block);
    if (t.argCount == 0) return;
    os_ << '(';
    printList(fn_.argsOf(t));
    os_ << ')';
}

void FunctionPrinter::printSwitch(const Instr& i) {
    printOperands(i);
    llvm::ArrayRef<Target> targets = fn_.targetsOf(i);
    if (targets.empty() || i.imm >= fn_.switches.size()) return;
    const std::vector<uint64_t>& values = fn_.switches[i.imm].values;
    os_ << " [";
    llvm::ListSeparator comma;
    for (size_t k = 0; k < values.size() && k + 1 < targets.size(); ++k) {
        os_ << comma << values[k] << ": ";
        printTarget(targets[k + 1]);
    }
    os_ << "] else ";
    printTarget(targets[0]);
}

void FunctionPrinter::printTargets(const Instr& i) {
    llvm::ListSeparator comma;
    os_ << (i.operandCount > 0 ? ", " : " ");
    for (const Target& t : fn_.targetsOf(i)) {
        os_ << comma;
        printTarget(t);
    }
}

/// Everything after the name of the operation.
void FunctionPrinter::printDetails(const Instr& i) {
    switch (infoOf(i.op).form) {
    case Form::Constant: return printConst(i);
    case Form::Function: os_ << ' ' << names_.function(i.imm); return;
    case Form::Global: os_ << ' ' << names_.global(i.imm); return;
    case Form::Type: os_ << ' ' << names_.type(static_cast<TypeId>(i.imm)); return;
    case Form::Slot: os_ << " s" << i.imm; return;
    case Form::Parameter:
    case Form::Link: return printNumber(i.imm);
    case Form::Number:
        printOperands(i);
        os_ << ", " << i.imm;
        return;
    case Form::Callee:
    case Form::CalleeType: return printCall(i);
    case Form::Cases: return printSwitch(i);
    case Form::Branch: printOperands(i); return printTargets(i);
    case Form::IntCompare: os_ << ' ' << predName(static_cast<ICmpPred>(i.pred)); break;
    case Form::FloatCompare: os_ << ' ' << predName(static_cast<FCmpPred>(i.pred)); break;
    case Form::OrderedUpdate: os_ << ' ' << atomicName(static_cast<AtomicOp>(i.imm)); [[fallthrough]];
    case Form::Ordered: os_ << ' ' << orderName(static_cast<MemoryOrder>(i.pred)); break;
    case Form::Failure: os_ << ' ' << infoOf(static_cast<PanicKind>(i.imm)).text; break;
    case Form::Assembly: printAssembly(i); break;
    case Form::Parameters:
    case Form::Plain:
    case Form::Narrows:
    case Form::Widens:
    case Form::OtherWidth:
    case Form::SameWidth:
    case Form::Returned: break;
    }
    printOperands(i);
}

void FunctionPrinter::print() {
    printSignature();
    if (fn_.blocks.empty()) {
        os_ << '\n';
        return;
    }
    os_ << " {\n";
    for (uint32_t s = 0; s < fn_.slots.size(); ++s) printSlot(s, fn_.slots[s]);
    for (uint32_t b = 0; b < fn_.blocks.size(); ++b) printBlock(b, fn_.blocks[b]);
    os_ << "}\n";
}

} // namespace

std::string print(const Module& m, const Function& fn, PrintOptions options) {
    std::string out;
    llvm::raw_string_ostream os(out);
    FunctionPrinter(m, fn, options, os).print();
    return out;
}

std::string print(const Module& m, const Function& fn, ValueId v) {
    std::string out;
    llvm::raw_string_ostream os(out);
    FunctionPrinter(m, fn, {}, os).printInstr(v);
    return llvm::StringRef(out).trim().str();
}

} // namespace sx::ir
