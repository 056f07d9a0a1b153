#include "codegen/FunctionTable.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

#include "functions.h"

#include <cstddef>

namespace sx::codegen {

namespace {

constexpr llvm::StringLiteral Note = "sx.function", Section = "sx_functions";

// Start and size are LLVM's; what follows in a record is this table's.
static_assert(offsetof(sx_function, name) == 8 && offsetof(sx_function, line) == 24 && sizeof(sx_function) == 32);

class FunctionTable {
public:
    explicit FunctionTable(llvm::Module& module) : module_(module) {}

    void add(llvm::Function& function, const llvm::MDNode& note) {
        llvm::LLVMContext& context = module_.getContext();
        auto text = [&](unsigned i) {
            return llvm::ConstantAsMetadata::get(textOf(llvm::cast<llvm::MDString>(note.getOperand(i))->getString()));
        };
        auto number = [&](unsigned i) { return note.getOperand(i).get(); };
        llvm::MDNode* record = llvm::MDNode::get(context, {text(0), text(1), number(2), number(3)});
        function.setMetadata(llvm::LLVMContext::MD_pcsections,
                             llvm::MDNode::get(context, {llvm::MDString::get(context, Section), record}));
    }

private:
    llvm::Constant* textOf(llvm::StringRef content) {
        llvm::Constant*& known = texts_[content];
        if (known) return known;
        llvm::Constant* bytes = llvm::ConstantDataArray::getString(module_.getContext(), content);
        auto* global = new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                                bytes, "sx.name");
        global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
        global->setAlignment(llvm::Align(1));
        return known = global;
    }

    llvm::Module& module_;
    llvm::StringMap<llvm::Constant*> texts_;
};

} // namespace

void describeFunction(llvm::Function& function, llvm::StringRef name, llvm::StringRef path, Location declaredAt) {
    llvm::LLVMContext& context = function.getContext();
    auto text = [&](llvm::StringRef s) { return llvm::MDString::get(context, s); };
    auto number = [&](uint32_t n) {
        return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), n));
    };
    function.setMetadata(
        Note, llvm::MDNode::get(context, {text(name), text(path), number(declaredAt.line), number(declaredAt.col)}));
}

void forgetFunctions(llvm::Module& module) {
    for (llvm::Function& function : module) function.setMetadata(Note, nullptr);
}

void addFunctionTable(llvm::Module& module) {
    FunctionTable table(module);
    for (llvm::Function& function : module)
        if (llvm::MDNode* note = function.getMetadata(Note); note && !function.isDeclaration())
            table.add(function, *note);
}

} // namespace sx::codegen
