// Error return traces: calls of the runtime on failing paths.
#include "codegen/FunctionEmitter.h"

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
llvm::Value* FunctionEmitter::emitTraceFrame(const ir::Instr& i) {
    return b_.CreatePtrToInt(module_.frames().frame(i.span, fn_), b_.getInt64Ty());
}

llvm::Value* FunctionEmitter::traceCall(TraceCall call, llvm::ArrayRef<llvm::Value*> args) {
    return b_.CreateCall(module_.runtime().trace(call), args);
}

llvm::Value* FunctionEmitter::asWord(llvm::Value* v) {
    llvm::Type *word = b_.getInt64Ty(), *type = v->getType();
    if (type->isPointerTy()) return b_.CreatePtrToInt(v, word);
    if (type->isFloatingPointTy()) v = b_.CreateBitCast(v, b_.getIntNTy(type->getPrimitiveSizeInBits()));
    return b_.CreateZExt(v, word);
}

/// More words than there are registers for get a place in the frame.
llvm::Value* FunctionEmitter::wordsInMemory(llvm::ArrayRef<llvm::Value*> words) {
    llvm::Value* place = storage(8 * words.size(), 8);
    for (size_t i = 0; i < words.size(); ++i)
        b_.CreateStore(words[i], b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), place, i));
    return b_.CreatePtrToInt(place, b_.getInt64Ty());
}

/// As a statement, so that the optimiser's rule for trace calls holds here as well: a function that calls nothing else
/// needs no stack frame for it.
void FunctionEmitter::emitTraceValues(const ir::Instr& i) {
    llvm::SmallVector<llvm::Value*, 8> arguments;
    for (unsigned k = 0; k < i.operandCount; ++k) arguments.push_back(asWord(operand(i, k)));
    size_t pushed = i.operandCount - 1;
    if (pushed > MostWordsInRegisters) {
        llvm::Value* words = wordsInMemory(llvm::ArrayRef<llvm::Value*>(arguments).drop_front());
        arguments = {arguments.front(), words};
        pushed = 0;
    }
    llvm::SmallVector<llvm::Type*, 8> types(arguments.size(), b_.getInt64Ty());
    auto* type = llvm::FunctionType::get(llvm::StructType::get(b_.getContext(), types), types, false);
    auto* text =
        llvm::InlineAsm::get(type, valuesText(pushed), valuesConstraints(arguments.size()), /*hasSideEffects=*/true);
    llvm::CallInst* made = b_.CreateCall(text, arguments);
    made->addFnAttr(llvm::Attribute::Cold);
    made->addFnAttr(llvm::Attribute::NoUnwind);
}

void FunctionEmitter::emitTraceResolve(const ir::Instr& i) {
    llvm::Value* record = b_.CreateIntToPtr(operand(i, 1), b_.getPtrTy());
    b_.CreateMemCpy(operand(i, 0), llvm::MaybeAlign(8), record, llvm::MaybeAlign(8), FrameTable::RecordSize);
}

} // namespace sx::codegen
