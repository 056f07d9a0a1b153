#include "codegen/library/LibraryCode.h"
#include "codegen/library/FunctionHash.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Verifier.h"

#include <catch2/catch.hpp>

// The table of this executable: `sx.inner` and `sx.outer`, as the tests say.
extern "C" {
sx::codegen::LibraryFunction sx_library_functions[2] = {{"sx.inner", 0, nullptr}, {"sx.outer", 0, nullptr}};
uint64_t sx_library_function_count = 2;
}

using namespace sx::codegen;

namespace {

/// What differs from the usual module.
struct Form {
    uint64_t number = 7;
    const char* text = "text";
    bool isVolatile = false;
    const char* attribute = nullptr;
    bool readsVariable = false; ///< in `sx.inner`
    bool hasAssembly = false;   ///< in `sx.inner`
};

/// A module with `sx.outer`, which calls `sx.inner` with a number and a text and returns a sum.
struct TwoFunctions {
    llvm::LLVMContext context;
    llvm::Module module{"sample", context};
    llvm::IRBuilder<> code{context};
    llvm::Type* word = code.getInt64Ty();
    llvm::Function *inner, *outer;

    explicit TwoFunctions(const Form& form = Form()) {
        inner = define("sx.inner");
        llvm::Value* loaded = code.CreateLoad(word, inner->getArg(0), form.isVolatile);
        if (form.readsVariable) {
            auto* variable = new llvm::GlobalVariable(module, word, false, llvm::GlobalValue::InternalLinkage,
                                                      code.getInt64(0), "variable");
            loaded = code.CreateAdd(loaded, code.CreateLoad(word, variable));
        }
        if (form.hasAssembly)
            code.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(code.getVoidTy(), false), "nop", "", true));
        code.CreateRet(loaded);
        outer = define("sx.outer");
        if (form.attribute) outer->addFnAttr(form.attribute);
        llvm::Constant* bytes = llvm::ConstantDataArray::getString(context, form.text);
        auto* text =
            new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes, "text");
        llvm::Value* result = code.CreateCall(inner, {text});
        code.CreateRet(code.CreateAdd(result, code.getInt64(form.number)));
        REQUIRE(!llvm::verifyModule(module, &llvm::errs()));
    }

    uint64_t hashOf(llvm::Function* function) {
        std::optional<FunctionHash> hash = FunctionHasher().hash(*function);
        REQUIRE(hash);
        return hash->number;
    }

private:
    llvm::Function* define(const char* name) {
        auto* type = llvm::FunctionType::get(word, {code.getPtrTy()}, false);
        auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
        code.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
        return function;
    }
};

/// The executable contains what `sample` has.
void contain(TwoFunctions& sample) {
    static char code[2];
    sx_library_functions[0] = {"sx.inner", sample.hashOf(sample.inner), &code[0]};
    sx_library_functions[1] = {"sx.outer", sample.hashOf(sample.outer), &code[1]};
}

} // namespace

TEST_CASE("functions of two modules have one hash where their code is the same", "[codegen]") {
    TwoFunctions first, second;
    CHECK(first.hashOf(first.outer) == second.hashOf(second.outer));
    CHECK(first.hashOf(first.inner) == second.hashOf(second.inner));
    CHECK(first.hashOf(first.inner) != first.hashOf(first.outer));
    for (const Form& form : {Form{.number = 8}, {.text = "test"}, {.attribute = "probe-stack"}}) {
        TwoFunctions other(form);
        CHECK(first.hashOf(first.outer) != other.hashOf(other.outer));
        CHECK(first.hashOf(first.inner) == other.hashOf(other.inner));
    }
    TwoFunctions other({.isVolatile = true});
    CHECK(first.hashOf(first.inner) != other.hashOf(other.inner));
    CHECK(first.hashOf(first.outer) == other.hashOf(other.outer));
}

TEST_CASE("a function that is its module's own has no hash", "[codegen]") {
    TwoFunctions variable({.readsVariable = true}), assembly({.hasAssembly = true});
    CHECK(!FunctionHasher().hash(*variable.inner));
    CHECK(!FunctionHasher().hash(*assembly.inner));
}

TEST_CASE("functions that the executable contains become declarations, with their constants", "[codegen]") {
    TwoFunctions known, program;
    contain(known);
    useLibraryCode(program.module);
    CHECK(program.inner->isDeclaration());
    CHECK(program.outer->isDeclaration());
    CHECK(!program.outer->isDSOLocal());
    CHECK(program.module.global_empty());
    CHECK(libraryFunction("sx.outer") == sx_library_functions[1].address);
    CHECK(libraryFunction("sx.other") == nullptr);
    CHECK(!llvm::verifyModule(program.module, &llvm::errs()));
}

TEST_CASE("a function of the executable is taken only with those that it calls", "[codegen]") {
    TwoFunctions known;
    contain(known);
    TwoFunctions changed({.isVolatile = true}), own({.readsVariable = true}), caller({.number = 8});
    for (TwoFunctions* program : {&changed, &own}) {
        useLibraryCode(program->module);
        CHECK(!program->inner->isDeclaration());
        CHECK(!program->outer->isDeclaration());
    }
    useLibraryCode(caller.module);
    CHECK(caller.inner->isDeclaration());
    CHECK(!caller.outer->isDeclaration());
    CHECK(!caller.module.global_empty());
}

TEST_CASE("what is kept for the executable names nothing of the program", "[codegen]") {
    TwoFunctions whole, own({.readsVariable = true});
    CHECK(keepLibraryCode(whole.module) == 2);
    CHECK(!whole.inner->isDeclaration());
    CHECK(!whole.outer->isDeclaration());
    auto* table = whole.module.getNamedGlobal("sx_library_functions");
    REQUIRE(table);
    CHECK(table->getValueType()->getArrayNumElements() == 2);
    CHECK(!llvm::verifyModule(whole.module, &llvm::errs()));

    CHECK(keepLibraryCode(own.module) == 0);
    CHECK(own.module.getFunction("sx.inner") == nullptr);
    CHECK(own.module.getFunction("sx.outer") == nullptr);
    CHECK(own.module.getNamedGlobal("variable") == nullptr);
    CHECK(!llvm::verifyModule(own.module, &llvm::errs()));
}
