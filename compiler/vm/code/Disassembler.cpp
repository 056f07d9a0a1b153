#include "vm/code/Disassemble.h"

#include <cstring>

namespace sx::vm {

namespace {

constexpr OpcodeInfo Infos[] = {
#define VM_OP(name, format) {#name, format, nullptr},
#define VM_OPX(name, format, extra) {#name, format, extra},
#include "vm/code/Opcodes.def"
};

std::string number(int64_t v) { return std::to_string(v); }

/// One operand; capital kinds stand for b and c together.
std::string operand(char kind, uint16_t value, const Insn& insn, int64_t at) {
    switch (kind) {
    case 'w':
    case 'x':
    case 'r':
    case 'o': return "r" + number(value);
    case 'i': return number(static_cast<int16_t>(value));
    case 'u': return number(value);
    case 'j': return "-> " + number(at + static_cast<int16_t>(value));
    case 'I': return number(insn.wide());
    case 'J': return "-> " + number(at + insn.wide());
    case 'P': return "pool[" + number(at + insn.wide()) + "]";
    case 'F': return "frame+" + number(insn.wide());
    }
    return "";
}

void addOperands(std::string& out, const char* format, const Insn& insn, int64_t at) {
    const uint16_t values[] = {insn.a, insn.b, insn.c};
    for (size_t i = 0; i < std::strlen(format); ++i) {
        if (format[i] == '-') continue;
        if (!out.empty() && out.back() != ' ') out += ", ";
        out += operand(format[i], values[i], insn, at);
    }
}

} // namespace

const OpcodeInfo& infoOf(Opcode op) { return Infos[static_cast<uint16_t>(op)]; }

Opcode opcodeAt(const FunctionCode& code, uint32_t index) {
    return index < code.opcodes.size() ? static_cast<Opcode>(code.opcodes[index]) : code.words[index].opcode();
}

InstructionText instructionText(const FunctionCode& code, uint32_t index) {
    Insn insn = code.words[index];
    const OpcodeInfo& info = infoOf(opcodeAt(code, index));
    InstructionText text{info.name, "", info.extraFormat ? 2u : 1u};
    addOperands(text.operands, info.format, insn, index);
    if (info.extraFormat) addOperands(text.operands, info.extraFormat, code.words[index + 1], index);
    return text;
}

std::string disassemble(const FunctionCode& code, const ir::Module& module) {
    std::string out = module.fn(code.func).name + ": " + number(code.frameWords) + " words\n";
    for (uint32_t i = 0; i < code.instructionCount; ++i) {
        InstructionText text = instructionText(code, i);
        out += "  " + number(i) + ": " + text.name + " " + text.operands + "\n";
        i += text.words - 1;
    }
    for (size_t i = code.instructionCount; i < code.words.size(); ++i)
        out +=
            "  " + number(static_cast<int64_t>(i)) + ": pool " + number(std::bit_cast<int64_t>(code.words[i])) + "\n";
    return out;
}

} // namespace sx::vm
