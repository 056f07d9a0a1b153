#include "codegen/library/FunctionHash.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/xxhash.h"

namespace sx::codegen {

/// The words that one function is written as before they become a number.
class FunctionHashing {
public:
    FunctionHashing(FunctionHasher& hasher, llvm::Function& function) : hasher_(hasher), function_(function) {}

    std::optional<FunctionHash> run() {
        if (function_.hasSection() || function_.hasComdat() || function_.hasGC() || function_.hasPersonalityFn() ||
            function_.hasPrefixData() || function_.hasPrologueData() || function_.getSubprogram())
            return std::nullopt;
        declaration(function_);
        add(function_.getLinkage());
        add(function_.getAlign().valueOrOne().value());
        notes(function_);
        number();
        for (llvm::BasicBlock& block : function_) {
            add(block.size());
            for (llvm::Instruction& instruction : block) addInstruction(instruction);
        }
        if (!isWhole_) return std::nullopt;
        result_.number = llvm::xxh3_64bits(
            llvm::ArrayRef(reinterpret_cast<const uint8_t*>(words_.data()), words_.size() * sizeof(uint64_t)));
        return std::move(result_);
    }

private:
    void add(uint64_t word) { words_.push_back(word); }
    void add(llvm::StringRef text) {
        add(text.size());
        add(llvm::xxh3_64bits(text));
    }
    void add(const llvm::APInt& value) {
        add(value.getBitWidth());
        for (unsigned i = 0; i < value.getNumWords(); ++i) add(value.getRawData()[i]);
    }
    void refuse() { isWhole_ = false; }

    /// Arguments, blocks and instructions go by their numbers.
    void number() {
        for (llvm::Argument& argument : function_.args()) numbers_[&argument] = numbers_.size();
        for (llvm::BasicBlock& block : function_) {
            numbers_[&block] = numbers_.size();
            for (llvm::Instruction& instruction : block) numbers_[&instruction] = numbers_.size();
        }
    }

    void declaration(llvm::Function& function) {
        add(function.getName());
        add(function.getFunctionType());
        add(function.getCallingConv());
        add(function.getVisibility());
        add(function.getAttributes());
    }

    void add(llvm::Type* type) {
        auto [known, isNew] = hasher_.types_.try_emplace(type, 0);
        if (isNew) {
            uint64_t hash = hashOf(type);
            hasher_.types_[type] = hash;
            add(hash);
        } else {
            add(known->second);
        }
    }

    /// Of types that are built the same way. (Types that contain themselves need names; the emitter makes none.)
    uint64_t hashOf(llvm::Type* type) {
        std::string text;
        llvm::raw_string_ostream(text) << *type;
        auto* named = llvm::dyn_cast<llvm::StructType>(type);
        if (named && !named->isLiteral()) refuse();
        return llvm::xxh3_64bits(text);
    }

    void add(const llvm::AttributeList& attributes) {
        auto [known, isNew] = hasher_.attributes_.try_emplace(attributes.getRawPointer(), 0);
        if (isNew) {
            std::string text;
            for (unsigned index : attributes.indexes())
                text += std::to_string(index) + ' ' + attributes.getAsString(index) + '\n';
            known->second = llvm::xxh3_64bits(text);
        }
        add(known->second);
    }

    /// Metadata, which may only hold numbers and texts.
    template <class Noted> void notes(const Noted& noted) {
        llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>, 2> all;
        noted.getAllMetadata(all);
        add(all.size());
        for (auto [kind, node] : all) {
            add(kind);
            add(node->getNumOperands());
            for (const llvm::MDOperand& operand : node->operands()) {
                if (auto* text = llvm::dyn_cast<llvm::MDString>(operand)) add(text->getString());
                else if (auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand)) add(value->getValue());
                else refuse();
            }
        }
    }

    void addInstruction(llvm::Instruction& instruction) {
        add(instruction.getOpcode());
        add(instruction.getType());
        add(instruction.getRawSubclassOptionalData());
        if (instruction.hasMetadata()) notes(instruction);
        special(instruction);
        add(instruction.getNumOperands());
        for (llvm::Use& operand : instruction.operands()) value(operand.get());
    }

    /// What makes instructions of one opcode, with the same operands, different.
    void special(llvm::Instruction& instruction) {
        using namespace llvm;
        if (auto* slot = dyn_cast<AllocaInst>(&instruction)) {
            add(slot->getAllocatedType());
            add(slot->getAlign().value());
            add(slot->isUsedWithInAlloca() | slot->isSwiftError() << 1);
        } else if (auto* load = dyn_cast<LoadInst>(&instruction)) {
            access(load->isVolatile(), load->getOrdering(), load->getSyncScopeID(), load->getAlign());
        } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
            access(store->isVolatile(), store->getOrdering(), store->getSyncScopeID(), store->getAlign());
        } else if (auto* pointer = dyn_cast<GetElementPtrInst>(&instruction)) {
            add(pointer->getSourceElementType());
        } else if (auto* comparison = dyn_cast<CmpInst>(&instruction)) {
            add(comparison->getPredicate());
        } else if (auto* call = dyn_cast<CallInst>(&instruction)) {
            if (call->hasOperandBundles() || call->isInlineAsm()) refuse();
            add(call->getFunctionType());
            add(call->getCallingConv());
            add(call->getTailCallKind());
            add(call->getAttributes());
        } else if (auto* part = dyn_cast<ExtractValueInst>(&instruction)) {
            for (unsigned index : part->indices()) add(index);
        } else if (auto* whole = dyn_cast<InsertValueInst>(&instruction)) {
            for (unsigned index : whole->indices()) add(index);
        } else if (auto* choice = dyn_cast<PHINode>(&instruction)) {
            for (BasicBlock* from : choice->blocks()) add(numbers_.at(from));
        } else if (!isPlain(instruction)) {
            refuse();
        }
    }

    /// Whether opcode, type, flags and operands tell all of it.
    static bool isPlain(const llvm::Instruction& instruction) {
        using namespace llvm;
        return isa<BinaryOperator, UnaryOperator, CastInst, SelectInst, BranchInst, SwitchInst, ReturnInst,
                   UnreachableInst, ExtractElementInst, InsertElementInst, FreezeInst>(instruction);
    }

    void access(bool isVolatile, llvm::AtomicOrdering order, uint64_t scope, llvm::Align align) {
        add(isVolatile);
        add(static_cast<uint64_t>(order));
        add(scope);
        add(align.value());
    }

    void value(llvm::Value* value) {
        if (auto known = numbers_.find(value); known != numbers_.end()) {
            add(known->second);
            return;
        }
        add(~uint64_t(value->getValueID()));
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) addConstant(*constant);
        else refuse();
    }

    void addConstant(llvm::Constant& constant) {
        using namespace llvm;
        if (auto* function = dyn_cast<Function>(&constant)) {
            if (!is_contained(result_.functions, function)) result_.functions.push_back(function);
            declaration(*function);
        } else if (auto* global = dyn_cast<GlobalVariable>(&constant)) {
            addGlobal(*global);
        } else {
            add(constant.getType());
            if (auto* number = dyn_cast<ConstantInt>(&constant)) add(number->getValue());
            else if (auto* real = dyn_cast<ConstantFP>(&constant)) add(real->getValueAPF().bitcastToAPInt());
            else if (auto* data = dyn_cast<ConstantDataSequential>(&constant)) add(data->getRawDataValues());
            else if (isa<ConstantAggregate, ConstantExpr>(constant)) addParts(cast<User>(constant));
            else if (!isa<ConstantPointerNull, ConstantAggregateZero, UndefValue>(constant)) refuse();
        }
    }

    void addParts(llvm::User& constant) {
        if (auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
            add(expression->getOpcode());
            add(expression->getRawSubclassOptionalData());
            if (auto* pointer = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
                add(pointer->getSourceElementType());
                if (pointer->getInRange()) refuse();
            }
        }
        add(constant.getNumOperands());
        for (llvm::Use& part : constant.operands()) value(part.get());
    }

    /// A constant that is nothing but its content; it may name others.
    void addGlobal(llvm::GlobalVariable& global) {
        if (!global.isConstant() || !global.hasInitializer() || !global.hasLocalLinkage() ||
            !(global.hasPrivateLinkage() || global.hasAtLeastLocalUnnamedAddr()) || global.isThreadLocal() ||
            global.hasSection() || global.hasComdat())
            return refuse();
        add(global.getValueType());
        add(global.getAlign().valueOrOne().value());
        for (size_t i = 0; i < result_.constants.size(); ++i)
            if (result_.constants[i] == &global) return add(i);
        result_.constants.push_back(&global);
        value(global.getInitializer());
    }

    FunctionHasher& hasher_;
    llvm::Function& function_;
    FunctionHash result_;
    llvm::SmallVector<uint64_t, 0> words_;
    llvm::DenseMap<const llvm::Value*, uint64_t> numbers_;
    bool isWhole_ = true;
};

std::optional<FunctionHash> FunctionHasher::hash(llvm::Function& function) {
    return FunctionHashing(*this, function).run();
}

} // namespace sx::codegen
