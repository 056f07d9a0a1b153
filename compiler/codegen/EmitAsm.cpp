// Inline assembly: outputs become results that are stored, or memory operands; what is read and written is tied to its
// output.
#include "codegen/Emit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Metadata.h"

namespace sx::codegen {

namespace {

using Kind = ir::AsmOperand::Kind;

/// In memory and nowhere else: the operand is its address.
bool isMemory(llvm::StringRef constraint) { return constraint.ltrim('&') == "m"; }

/// The constraints and values of one statement, in LLVM's order.
struct Assembly {
    std::string constraints;
    llvm::SmallVector<llvm::Type*, 4> results, argTypes;
    llvm::SmallVector<llvm::Value*, 4> args;
    llvm::SmallVector<std::pair<TypeId, llvm::Value*>, 4> stores;  ///< of each result: its type and where it goes
    llvm::SmallVector<std::pair<unsigned, llvm::Type*>, 2> memory; ///< arguments that are addresses of operands

    void constrain(const llvm::Twine& text) { constraints += (constraints.empty() ? "" : ",") + text.str(); }
    void pass(llvm::Value* v) {
        argTypes.push_back(v->getType());
        args.push_back(v);
    }
    void passMemory(llvm::Value* address, llvm::Type* type) {
        memory.push_back({args.size(), type});
        pass(address);
    }
};

void describeOperands(FunctionEmitter& f, const ir::AsmBlock& block, llvm::ArrayRef<ir::ValueId> values,
                      Assembly& out) {
    llvm::SmallVector<std::pair<unsigned, unsigned>, 2>
        tied; // index of the operand and its place among the constraints
    for (auto [n, o] : llvm::enumerate(block.operands)) {
        llvm::Value* v = f.value(values[n]);
        llvm::Type* type = f.module.types().stored(o.type);
        if (o.kind == Kind::In) {
            out.constrain(o.constraint);
            out.pass(toStored(f, o.type, v));
            continue;
        }
        if (o.kind == Kind::InOut) tied.push_back({n, n});
        if (isMemory(o.constraint)) {
            out.constrain("=*" + o.constraint);
            out.passMemory(v, type);
            continue;
        }
        out.constrain("=" + o.constraint);
        out.results.push_back(type);
        out.stores.push_back({o.type, v});
    }
    for (auto [n, place] : tied) {
        const ir::AsmOperand& o = block.operands[n];
        llvm::Value* v = f.value(values[n]);
        if (isMemory(o.constraint)) {
            out.constrain("*m");
            out.passMemory(v, f.module.types().stored(o.type));
        } else {
            out.constrain(llvm::Twine(place));
            out.pass(toStored(f, o.type, loadScalar(f, o.type, v)));
        }
    }
    for (const std::string& c : block.clobbers) out.constrain("~{" + c + "}");
    // Nobody expects these to be kept.
    for (const char* c : {"~{dirflag}", "~{fpsr}", "~{flags}"}) out.constrain(c);
}

} // namespace

void emitAssembly(FunctionEmitter& f, const ir::Instr& i) {
    const ir::AsmBlock& block = f.fn.assembly[i.imm];
    Assembly a;
    describeOperands(f, block, f.fn.operandsOf(i), a);
    llvm::Type* result = a.results.empty()       ? f.b.getVoidTy()
                         : a.results.size() == 1 ? a.results.front()
                                                 : llvm::StructType::get(f.module.context(), a.results);
    auto* type = llvm::FunctionType::get(result, a.argTypes, false);
    if (llvm::Error e = llvm::InlineAsm::verify(type, a.constraints))
        return f.module.fail(i.span, llvm::toString(std::move(e)));
    bool touchesMemory = !a.memory.empty() || llvm::is_contained(block.clobbers, "memory");
    auto* assembly = llvm::InlineAsm::get(type, block.text, a.constraints, block.isVolatile || touchesMemory);
    llvm::CallInst* call = f.b.CreateCall(assembly, a.args);
    call->addFnAttr(llvm::Attribute::NoUnwind);
    if (!block.isVolatile && !touchesMemory) call->setDoesNotAccessMemory();
    for (auto [n, elementType] : a.memory)
        call->addParamAttr(n, llvm::Attribute::get(f.module.context(), llvm::Attribute::ElementType, elementType));
    // What the assembler does not understand is told of this place.
    auto* cookie = llvm::ConstantAsMetadata::get(f.b.getInt64(i.span.begin.raw));
    call->setMetadata("srcloc", llvm::MDNode::get(f.module.context(), cookie));
    for (auto [n, store] : llvm::enumerate(a.stores)) {
        llvm::Value* v = a.results.size() == 1 ? static_cast<llvm::Value*>(call) : f.b.CreateExtractValue(call, n);
        storeScalar(f, store.first, fromStored(f, store.first, v), store.second);
    }
}

} // namespace sx::codegen
