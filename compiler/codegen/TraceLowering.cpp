#include "codegen/TraceLowering.h"

#include "codegen/Frames.h"
#include "codegen/RuntimeCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/Local.h"

#include "sx/trace_in_place.h"

#include <cstddef>

namespace sx::codegen {

namespace {

static_assert(sizeof(sx_trace_snapshot) <= ir::TraceSnapshotBytes);
static_assert(offsetof(sx_trace_snapshot, trace.stack) == ir::TraceSnapshotStack);

// What a call may change. The trace functions keep all general registers but r11; those without a result
// touch no vector register either (runtime/src/registers.h).
constexpr llvm::StringLiteral Clobbers = "~{r11},~{dirflag},~{fpsr},~{flags}";
constexpr llvm::StringLiteral VectorClobbers = "~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},~{xmm7},"
                                               "~{xmm8},~{xmm9},~{xmm10},~{xmm11},~{xmm12},~{xmm13},~{xmm14},~{xmm15},";

/// Below the red zone. The functions without a result need no aligned stack.
std::string callText(llvm::StringRef loadArguments, llvm::StringRef callee, llvm::StringRef restore = "") {
    return ("addq $$-128, %rsp\n\tpushq %rdi\n\t" + loadArguments + "callq " + callee + "\n\t" + restore +
            "popq %rdi\n\tsubq $$-128, %rsp")
        .str();
}

/// The same with the arguments in their registers already, and an aligned stack. The old stack pointer is kept twice,
/// so that the aligned one stays aligned.
std::string callTextWithArguments(llvm::StringRef callee) {
    return ("movq %rsp, %r11\n\taddq $$-128, %rsp\n\tandq $$-16, %rsp\n\tpushq %r11\n\tpushq %r11\n\tcallq " + callee +
            "\n\tpopq %rsp")
        .str();
}

/// A hop without a call where there is a chain to add it to and room for it: sx_trace_push in runtime/src/ring.c. $0
/// and $1 are registers, $2 is the frame.
std::string hopInPlaceText(llvm::StringRef call) {
    auto field = [](size_t offset) { return "%fs:" + std::to_string(offset) + "($0)"; };
    std::string end = field(offsetof(struct sx_trace_thread, trace.end)),
                lost = field(offsetof(struct sx_trace_thread, trace.lost)),
                sealed = field(offsetof(struct sx_trace_thread, trace.sealed));
    static_assert(offsetof(struct sx_trace_thread, trace.frames) == 0);
    return "movq sx_trace_thread@gottpoff(%rip), $0\n\tmovq " + end + ", $1\n\tleaq -1($1), %r11\n\tsubq " + lost +
           ", %r11\n\tcmpq $$" + std::to_string(SX_TRACE_FRAMES - 2) + ", %r11\n\tja 1f\n\tcmpq " + sealed +
           ", $1\n\tje 1f\n\tmovl ${1:k}, %r11d\n\tandl $$" + std::to_string(SX_TRACE_FRAMES - 1) +
           ", %r11d\n\tincq $1\n\tmovq $$${2:c}, %fs:($0,%r11,8)\n\tmovq $1, " + end + "\n\tjmp 2f\n1:\t" + call.str() +
           "\n2:";
}

class TraceLowering {
public:
    TraceLowering(llvm::Module& module, bool recordTraces, TraceForm form)
        : module_(module), records_(recordTraces), keepsCalls_(recordTraces && form == TraceForm::Calls),
          hopsInPlace_(form == TraceForm::HopsInPlace) {}

    void run() {
        if (keepsCalls_) return;
        for (size_t i = 0; i < TraceCallCount; ++i) lowerCalls(static_cast<TraceCall>(i));
        if (!records_) deleteFrames();
    }

private:
    /// One of these statements, before it is made.
    struct Statement {
        std::string text, constraints;
        llvm::Type* result;
        llvm::SmallVector<llvm::Value*, 2> operands;
    };

    void lowerCalls(TraceCall kind) {
        llvm::Function* function = RuntimeCalls::find(module_, kind);
        if (!function) return;
        for (llvm::User* user : llvm::make_early_inc_range(function->users()))
            if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == function)
                replace(*call, kind);
        if (function->use_empty()) function->eraseFromParent();
    }

    void replace(llvm::CallInst& call, TraceCall kind) {
        Statement statement = describe(call, kind);
        if (!records_) statement.text.clear();
        llvm::IRBuilder<> builder(&call);
        llvm::SmallVector<llvm::Type*, 2> types;
        for (llvm::Value* v : statement.operands) types.push_back(v->getType());
        auto* type = llvm::FunctionType::get(statement.result, types, false);
        auto* assembly = llvm::InlineAsm::get(type, statement.text, statement.constraints, /*hasSideEffects=*/true);
        llvm::CallInst* made = builder.CreateCall(assembly, statement.operands);
        made->addFnAttr(llvm::Attribute::Cold);
        made->addFnAttr(llvm::Attribute::NoUnwind);
        made->addFnAttr(llvm::Attribute::NoMerge);
        made->setMemoryEffects(call.getMemoryEffects());
        // The count that a capture gives is used by nothing.
        if (kind == TraceCall::Resume || kind == TraceCall::Find)
            call.replaceAllUsesWith(builder.CreateTrunc(made, call.getType()));
        else if (!call.use_empty()) call.replaceAllUsesWith(llvm::Constant::getNullValue(call.getType()));
        llvm::SmallVector<llvm::Value*, 1> args(call.args());
        call.eraseFromParent();
        for (llvm::Value* arg : args) llvm::RecursivelyDeleteTriviallyDeadInstructions(arg);
    }

    Statement describe(llvm::CallInst& call, TraceCall kind) {
        llvm::LLVMContext& context = module_.getContext();
        llvm::Type* none = llvm::Type::getVoidTy(context);
        llvm::StringRef callee = RuntimeCalls::symbol(kind);
        switch (kind) {
        case TraceCall::Raise: return raise(call, callee);
        case TraceCall::Push: return hop(call, callee);
        case TraceCall::Link:
            return {callText("movl $0, %edi\n\t", callee), ("i," + Clobbers).str(), none, {call.getArgOperand(0)}};
        case TraceCall::Absorb: return {callText("", callee), Clobbers.str(), none, {}};
        case TraceCall::Copy:
            return {callTextWithArguments(callee),
                    ("{di},{si}," + Clobbers).str(),
                    none,
                    {call.getArgOperand(0), call.getArgOperand(1)}};
        case TraceCall::Capture:
            return {callTextWithArguments(callee),
                    ("{di},{si},~{rax}," + VectorClobbers + Clobbers).str(),
                    none,
                    {call.getArgOperand(0), call.getArgOperand(1)}};
        case TraceCall::Forget:
            return {callTextWithArguments(callee), ("{di}," + Clobbers).str(), none, {call.getArgOperand(0)}};
        case TraceCall::Find:
        case TraceCall::Resume: {
            // rax goes in as 0: what comes out where no call is made.
            auto* result = llvm::IntegerType::get(context, kind == TraceCall::Resume ? 8 : 32);
            return {callTextWithArguments(callee),
                    ("={ax},{di},{si},0," + VectorClobbers + Clobbers).str(),
                    result,
                    {call.getArgOperand(0), call.getArgOperand(1), llvm::ConstantInt::get(result, 0)}};
        }
        }
        llvm_unreachable("no such trace call");
    }

    /// The frame whose address an operand is, if it is a constant.
    static llvm::GlobalVariable* frameOf(llvm::Value* operand) {
        auto* address = llvm::dyn_cast<llvm::ConstantExpr>(operand);
        bool isAddress = address && address->getOpcode() == llvm::Instruction::PtrToInt;
        return isAddress ? llvm::dyn_cast<llvm::GlobalVariable>(address->getOperand(0)) : nullptr;
    }

    /// What an operand becomes: a frame, or without traces a number that stands for it, so that what is told apart in
    /// one mode is so in the other. Null where the frame is chosen at run time, or is none.
    llvm::Constant* frameOperand(llvm::Value* operand) {
        llvm::GlobalVariable* frame = frameOf(operand);
        if (!frame) return nullptr;
        return records_ ? static_cast<llvm::Constant*>(frame) : numberOf(*frame);
    }

    llvm::Value* chosenFrame(llvm::Value* operand) {
        return records_ || llvm::isa<llvm::ConstantInt>(operand) ? operand : llvm::PoisonValue::get(operand->getType());
    }

    Statement hop(llvm::CallInst& call, llvm::StringRef callee) {
        llvm::Type* none = llvm::Type::getVoidTy(module_.getContext());
        llvm::Constant* frame = frameOperand(call.getArgOperand(0));
        if (!frame)
            return {
                callTextWithArguments(callee), ("{di}," + Clobbers).str(), none, {chosenFrame(call.getArgOperand(0))}};
        if (!hopsInPlace_)
            return {callText("leaq ${0:c}(%rip), %rdi\n\t", callee), ("i," + Clobbers).str(), none, {frame}};
        llvm::Type* i64 = llvm::Type::getInt64Ty(module_.getContext());
        return {hopInPlaceText(callText("leaq ${2:c}(%rip), %rdi\n\t", callee)),
                ("=&r,=&r,i," + Clobbers).str(),
                llvm::StructType::get(i64, i64),
                {frame}};
    }

    /// Frame and tag of most errors are constants, which the text itself loads.
    Statement raise(llvm::CallInst& call, llvm::StringRef callee) {
        llvm::Type* none = llvm::Type::getVoidTy(module_.getContext());
        llvm::Value* tag = call.getArgOperand(1);
        llvm::Constant* frame = frameOperand(call.getArgOperand(0));
        if (!frame)
            return {callTextWithArguments(callee),
                    ("{di},{si}," + Clobbers).str(),
                    none,
                    {chosenFrame(call.getArgOperand(0)), tag}};
        std::string load = "leaq ${0:c}(%rip), %rdi\n\t";
        if (!llvm::isa<llvm::ConstantInt>(tag))
            return {callText(load, callee), ("i,{si}," + Clobbers).str(), none, {frame, tag}};
        std::string text = callText("pushq %rsi\n\t" + load + "movl $1, %esi\n\t", callee, "popq %rsi\n\t");
        return {text, ("i,i," + Clobbers).str(), none, {frame, tag}};
    }

    llvm::Constant* numberOf(const llvm::GlobalVariable& frame) {
        uint64_t number = numbers_.try_emplace(&frame, numbers_.size()).first->second;
        return llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), number);
    }

    /// Frames, then the texts that only they had.
    void deleteFrames() {
        auto deleteUnused = [&](auto matches) {
            for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module_.globals())) {
                if (!matches(global)) continue;
                global.removeDeadConstantUsers();
                if (global.use_empty()) global.eraseFromParent();
            }
        };
        deleteUnused(FrameTable::isFrame);
        deleteUnused(FrameTable::isText);
    }

    llvm::Module& module_;
    bool records_, keepsCalls_, hopsInPlace_;
    llvm::DenseMap<const llvm::GlobalVariable*, uint64_t> numbers_;
};

} // namespace

void lowerTraces(llvm::Module& module, bool recordTraces, TraceForm form) {
    TraceLowering(module, recordTraces, form).run();
}

} // namespace sx::codegen
