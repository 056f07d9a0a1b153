#include "codegen/library/LibraryCode.h"

#include "codegen/library/FunctionHash.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"

extern "C" {
// The table, in executables that contain one.
extern const sx::codegen::LibraryFunction sx_library_functions[] __attribute__((weak));
extern const uint64_t sx_library_function_count __attribute__((weak));
}

namespace sx::codegen {

namespace {

llvm::ArrayRef<LibraryFunction> table() {
    if (!&sx_library_function_count) return {};
    return {sx_library_functions, sx_library_function_count};
}

const LibraryFunction* find(llvm::StringRef symbol) {
    llvm::ArrayRef<LibraryFunction> all = table();
    const auto* found = llvm::lower_bound(
        all, symbol, [](const LibraryFunction& f, llvm::StringRef wanted) { return f.symbol < wanted; });
    return found != all.end() && found->symbol == symbol ? found : nullptr;
}

using Hashes = llvm::MapVector<llvm::Function*, FunctionHash>;

/// Hashes of the functions for which `isWanted(function, hash)` holds, as far as they name no other function that the
/// module defines.
template <class Wanted> Hashes closedHashes(llvm::Module& module, Wanted isWanted) {
    FunctionHasher hasher;
    Hashes hashes;
    for (llvm::Function& function : module) {
        if (function.isDeclaration() || !function.hasLocalLinkage()) continue;
        if (std::optional<FunctionHash> hash = hasher.hash(function); hash && isWanted(function, hash->number))
            hashes.insert({&function, std::move(*hash)});
    }
    auto namesOthers = [&](const auto& entry) {
        return llvm::any_of(entry.second.functions, [&](llvm::Function* callee) {
            return !callee->isDeclaration() && !hashes.contains(callee);
        });
    };
    for (size_t before = 0; before != hashes.size();) {
        before = hashes.size();
        hashes.remove_if(namesOthers);
    }
    return hashes;
}

/// Those that nothing names any more, and then those that only they have named.
void eraseUnused(llvm::SetVector<llvm::GlobalVariable*> constants) {
    for (size_t before = 0; before != constants.size();) {
        before = constants.size();
        constants.remove_if([](llvm::GlobalVariable* constant) {
            constant->removeDeadConstantUsers();
            if (!constant->use_empty()) return false;
            constant->eraseFromParent();
            return true;
        });
    }
}

/// Adds the table of these functions to their module.
void addTable(llvm::Module& module, const Hashes& hashes) {
    llvm::SmallVector<std::pair<llvm::Function*, uint64_t>> sorted;
    for (auto& [function, hash] : hashes) sorted.push_back({function, hash.number});
    llvm::sort(sorted, [](auto& a, auto& b) { return a.first->getName() < b.first->getName(); });
    llvm::LLVMContext& context = module.getContext();
    auto* word = llvm::Type::getInt64Ty(context);
    auto* pointer = llvm::PointerType::getUnqual(context);
    auto* recordType = llvm::StructType::get(pointer, word, pointer);
    llvm::SmallVector<llvm::Constant*> records;
    for (auto [function, hash] : sorted) {
        llvm::Constant* text = llvm::ConstantDataArray::getString(context, function->getName());
        auto* name = new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text);
        records.push_back(llvm::ConstantStruct::get(recordType, {name, llvm::ConstantInt::get(word, hash), function}));
    }
    auto define = [&](llvm::Constant* value, const char* symbol) {
        new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::ExternalLinkage, value, symbol);
    };
    define(llvm::ConstantArray::get(llvm::ArrayType::get(recordType, records.size()), records), "sx_library_functions");
    define(llvm::ConstantInt::get(word, records.size()), "sx_library_function_count");
}

} // namespace

void useLibraryCode(llvm::Module& module) {
    if (table().empty()) return;
    Hashes hashes = closedHashes(module, [](const llvm::Function& function, uint64_t hash) {
        const LibraryFunction* known = find(function.getName());
        return known && known->hash == hash;
    });
    llvm::SetVector<llvm::GlobalVariable*> constants;
    for (auto& [function, hash] : hashes) {
        constants.insert(hash.constants.begin(), hash.constants.end());
        function->deleteBody();
        function->clearMetadata();
        function->setLinkage(llvm::GlobalValue::ExternalLinkage);
        function->setDSOLocal(false); // it is farther away than 2 GB
    }
    eraseUnused(std::move(constants));
}

size_t keepLibraryCode(llvm::Module& module) {
    Hashes hashes = closedHashes(module, [](const llvm::Function&, uint64_t) { return true; });
    llvm::SmallPtrSet<llvm::GlobalValue*, 32> kept;
    for (auto& [function, hash] : hashes) {
        kept.insert(function);
        kept.insert(hash.constants.begin(), hash.constants.end());
    }
    // What is not kept loses its content, by which it names others, and goes where nothing names it any more.
    for (llvm::Function& function : module)
        if (!kept.contains(&function) && !function.isDeclaration()) function.deleteBody();
    for (llvm::GlobalVariable& global : module.globals())
        if (!kept.contains(&global)) global.setInitializer(nullptr);
    auto erase = [&](auto& value) {
        value.removeDeadConstantUsers();
        if (!kept.contains(&value) && value.use_empty()) value.eraseFromParent();
    };
    for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) erase(global);
    for (llvm::Function& function : llvm::make_early_inc_range(module)) erase(function);
    addTable(module, hashes);
    return hashes.size();
}

void* libraryFunction(llvm::StringRef symbol) {
    const LibraryFunction* known = find(symbol);
    return known ? known->address : nullptr;
}

} // namespace sx::codegen
