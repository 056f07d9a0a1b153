#include "ir/AsmFunctions.h"

#include "ir/BuildControl.h"
#include "ir/Builder.h"
#include "types/Derived.h"

#include "llvm/ADT/SmallVector.h"

namespace sx::ir {

const AsmText* assemblyWith(llvm::ArrayRef<AsmText> assembly, llvm::StringRef symbol) {
    for (const AsmText& a : assembly) {
        llvm::SmallVector<llvm::StringRef, 16> lines;
        llvm::StringRef(a.text).split(lines, '\n');
        for (llvm::StringRef line : lines)
            if (line = line.trim(); line.consume_front(symbol) && line.ltrim().starts_with(":")) return &a;
    }
    return nullptr;
}

namespace {

class Taker {
public:
    explicit Taker(Module& from) : from_(from), taken_(std::make_unique<Module>(from.types, from.sources)) {}

    std::unique_ptr<Module> run() {
        for (size_t i = 0, count = from_.functions.size(); i < count; ++i) {
            Function& fn = *from_.functions[i];
            if (fn.isExtern || fn.dead || fn.assembly.empty()) continue;
            if (fn.isNaked) takeWhole(fn);
            else takeBlocks(fn);
        }
        if (taken_->functions.empty() && from_.assembly.empty()) return nullptr;
        showSymbols();
        taken_->assembly.insert(taken_->assembly.begin(), from_.assembly.begin(), from_.assembly.end());
        from_.assembly.clear();
        return std::move(taken_);
    }

private:
    /// A function that is nothing but its assembly.
    void takeWhole(Function& fn) {
        auto made = std::make_unique<Function>();
        made->name = fn.name;
        made->symbol = fn.symbol;
        made->params = fn.params;
        made->paramNames = fn.paramNames;
        made->result = fn.result;
        made->conv = fn.conv;
        made->span = fn.span;
        made->isNaked = made->isExport = true;
        made->assembly = fn.assembly;
        Builder b(*taken_, *made);
        b.setSpan(fn.span);
        b.emit(Op::InlineAsm, TypeId::Void, {}, 0);
        b.terminate(Op::Unreachable, {}, {});
        taken_->functions.push_back(std::move(made));
        fn.isExtern = true;
        fn.isExport = false;
        fn.blocks.clear();
    }

    void takeBlocks(Function& fn) {
        for (const Block& block : fn.blocks)
            for (ValueId v : block.instrs)
                if (Instr& i = fn.instrs[static_cast<uint32_t>(v)]; i.op == Op::InlineAsm) {
                    FuncId callee = takeBlock(fn, i);
                    i.op = Op::Call;
                    i.imm = static_cast<uint64_t>(callee);
                }
    }

    /// A function that does what the block does; its parameters are the operands: values, and addresses of outputs.
    FuncId takeBlock(const Function& fn, const Instr& i) {
        Function declared;
        declared.name = "assembly";
        declared.symbol = "sx_assembly_" + std::to_string(taken_->functions.size());
        declared.conv = CallConv::C;
        declared.span = i.span;
        for (ValueId operand : fn.operandsOf(i)) declared.params.push_back(fn.instr(operand).type);
        declared.paramNames.assign(declared.params.size(), Name::None);

        auto made = std::make_unique<Function>(declared);
        made->isExport = true;
        made->assembly.push_back(fn.assembly[i.imm]);
        Builder b(*taken_, *made);
        b.setSpan(i.span);
        llvm::SmallVector<ValueId, 8> operands;
        for (uint32_t n = 0; n < i.operandCount; ++n) operands.push_back(b.param(n));
        b.emit(Op::InlineAsm, TypeId::Void, operands, 0);
        emitRet(b);
        taken_->functions.push_back(std::move(made));

        declared.isExtern = true;
        from_.functions.push_back(std::make_unique<Function>(std::move(declared)));
        return FuncId(from_.functions.size() - 1);
    }

    /// Within one module a label is enough.
    void showSymbols() {
        std::string all;
        auto show = [&](const std::string& symbol) {
            if (assemblyWith(from_.assembly, symbol)) all += ".globl \"" + symbol + "\"\n";
        };
        for (const auto& fn : from_.functions)
            if (fn->isExtern) show(fn->symbol);
        for (const Global& g : from_.globals)
            if (g.isExtern) show(g.symbol);
        if (!all.empty()) taken_->assembly.push_back({std::move(all), {}});
    }

    Module& from_;
    std::unique_ptr<Module> taken_;
};

} // namespace

std::unique_ptr<Module> takeAssembly(Module& module) { return Taker(module).run(); }

} // namespace sx::ir
