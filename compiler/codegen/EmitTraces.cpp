// Error return traces: calls of the runtime on failing paths.
#include "codegen/Emit.h"

#include "llvm/IR/InlineAsm.h"

namespace sx::codegen {

namespace {

/// The registers that a function may change, but for r11. The first two pass arguments; the others, and the second,
/// words of parameters.
constexpr const char* Registers[] = {"di", "si", "dx", "cx", "r8", "r9", "r10", "ax"};
constexpr size_t MostWordsInRegisters = std::size(Registers) - 1;

/// Calls sx_program_values below the red zone, on an aligned stack, with the first operand and the address of the
/// others, which are pushed; or of `words`, if that is where they are.
std::string valuesText(size_t pushed) {
    std::string text = "movq %rsp, %r11\n\taddq $$-128, %rsp\n\tandq $$-16, %rsp\n\tpushq %r11\n\tpushq %r11\n\t";
    size_t words = pushed + pushed % 2; // so that the stack stays aligned
    if (words > pushed) text += "pushq %r11\n\t";
    for (size_t i = pushed; i > 0; --i)
        text += std::string("pushq %") + (Registers[i][0] == 'r' ? "" : "r") + Registers[i] + "\n\t";
    if (pushed > 0) text += "movq %rsp, %rsi\n\t";
    text += "callq sx_program_values\n\t";
    if (words > 0) text += "addq $$" + std::to_string(8 * words) + ", %rsp\n\t";
    return text + "popq %rsp";
}

/// So many of the registers go in, and nothing is left in any of them.
std::string valuesConstraints(size_t used) {
    std::string out, in, lost;
    for (size_t i = 0; i < std::size(Registers); ++i) {
        std::string name = std::string("{") + Registers[i] + "}";
        if (i < used) {
            out += "=" + name + ",";
            in += std::to_string(i) + ",";
        } else {
            lost += "~" + name + ",";
        }
    }
    for (int i = 0; i < 16; ++i) lost += "~{xmm" + std::to_string(i) + "},";
    return out + in + lost + "~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";
}

} // namespace

/// The frame is the address of its record; it depends on nothing but the place of the instruction.
llvm::Value* emitTraceFrame(FunctionEmitter& f, const ir::Instr& i) {
    return f.b.CreatePtrToInt(f.module.frames().frame(i.span, f.fn), f.b.getInt64Ty());
}

llvm::Value* traceCall(FunctionEmitter& f, TraceCall call, llvm::ArrayRef<llvm::Value*> args) {
    return f.b.CreateCall(f.module.runtime().trace(call), args);
}

namespace {

llvm::Value* asWord(FunctionEmitter& f, llvm::Value* v) {
    llvm::Type *word = f.b.getInt64Ty(), *type = v->getType();
    if (type->isPointerTy()) return f.b.CreatePtrToInt(v, word);
    if (type->isFloatingPointTy()) v = f.b.CreateBitCast(v, f.b.getIntNTy(type->getPrimitiveSizeInBits()));
    return f.b.CreateZExt(v, word);
}

/// More words than there are registers for get a place in the frame.
llvm::Value* wordsInMemory(FunctionEmitter& f, llvm::ArrayRef<llvm::Value*> words) {
    llvm::Value* place = f.storage(8 * words.size(), 8);
    for (size_t i = 0; i < words.size(); ++i)
        f.b.CreateStore(words[i], f.b.CreateConstInBoundsGEP1_64(f.b.getInt64Ty(), place, i));
    return f.b.CreatePtrToInt(place, f.b.getInt64Ty());
}

} // namespace

/// As a statement, so that the optimiser's rule for trace calls holds here as well: a function that calls nothing else
/// needs no stack frame for it.
void emitTraceValues(FunctionEmitter& f, const ir::Instr& i) {
    llvm::SmallVector<llvm::Value*, 8> arguments;
    for (unsigned k = 0; k < i.operandCount; ++k) arguments.push_back(asWord(f, f.operand(i, k)));
    size_t pushed = i.operandCount - 1;
    if (pushed > MostWordsInRegisters) {
        llvm::Value* words = wordsInMemory(f, llvm::ArrayRef<llvm::Value*>(arguments).drop_front());
        arguments = {arguments.front(), words};
        pushed = 0;
    }
    llvm::SmallVector<llvm::Type*, 8> types(arguments.size(), f.b.getInt64Ty());
    auto* type = llvm::FunctionType::get(llvm::StructType::get(f.b.getContext(), types), types, false);
    auto* text =
        llvm::InlineAsm::get(type, valuesText(pushed), valuesConstraints(arguments.size()), /*hasSideEffects=*/true);
    llvm::CallInst* made = f.b.CreateCall(text, arguments);
    made->addFnAttr(llvm::Attribute::Cold);
    made->addFnAttr(llvm::Attribute::NoUnwind);
}

void emitTraceResolve(FunctionEmitter& f, const ir::Instr& i) {
    llvm::Value* record = f.b.CreateIntToPtr(f.operand(i, 1), f.b.getPtrTy());
    f.b.CreateMemCpy(f.operand(i, 0), llvm::MaybeAlign(8), record, llvm::MaybeAlign(8), FrameTable::RecordSize);
}

} // namespace sx::codegen
