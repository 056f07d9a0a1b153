#include "codegen/ModuleEmitter.h"

#include "codegen/ConstantWrites.h"
#include "codegen/FunctionEmitter.h"
#include "codegen/FunctionTable.h"
#include "types/TypeNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace sx::codegen {

ModuleEmitter::ModuleEmitter(const ir::Module& ir, const Options& options, const Part& part, llvm::Module& out)
    : ir_(ir), options_(options), part_(part), out_(out), types_(ir.types, out.getContext()), abi_(types_),
      frames_(out, ir.sources), runtime_(out), functions_(ir.functions.size()), globals_(ir.globals.size()) {
    if (options.debugInfo) debug_ = std::make_unique<DebugInfo>(out, ir, options);
}

void ModuleEmitter::fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
}

void ModuleEmitter::fail(Span at, const std::string& message) {
    if (options_.reject) options_.reject(at, message);
    fail(message);
}

/// Every text begins in the section of code, wherever the one before ends (see spanOfLine).
void ModuleEmitter::appendAssembly() {
    std::string all;
    for (const ir::AsmText& a : ir_.assembly) all += ".text\n" + a.text + "\n";
    if (!all.empty()) out_.setModuleInlineAsm(all);
}

Span ModuleEmitter::spanOfLine(const ir::Module& ir, unsigned line) {
    for (const ir::AsmText& a : ir.assembly) {
        auto lines = static_cast<unsigned>(2 + llvm::count(a.text, '\n'));
        if (line <= lines) return a.span;
        line -= lines;
    }
    return {};
}

/// Declares what is emitted for its own sake.
void ModuleEmitter::declareRoots() {
    bool hasRoots = false;
    auto isRoot = [&](size_t i) {
        return ir::FuncId(i) == ir_.entry || (ir_.functions[i]->isExport && !ir_.functions[i]->isExtern);
    };
    for (size_t i = 0; i < ir_.functions.size(); ++i) {
        if (!isRoot(i)) continue;
        hasRoots = true;
        definitions_.try_emplace(ir_.functions[i]->symbol, ir::FuncId(i));
    }
    auto isWanted = [&](size_t i) { return part_.partition ? isMine(ir::FuncId(i)) : !hasRoots || isRoot(i); };
    for (size_t i = 0; i < ir_.functions.size(); ++i)
        if (!ir_.functions[i]->isExtern && !ir_.functions[i]->blocks.empty() && isWanted(i)) function(ir::FuncId(i));
    for (size_t i = 0; part_.partition && i < ir_.globals.size(); ++i)
        if (isMine(ir::GlobalId(i)) && isShared(ir::GlobalId(i))) global(ir::GlobalId(i));

    if (ir_.errorNames != ir::GlobalId::None && isMine(ir_.errorNames))
        global(ir_.errorNames); // the trace runtime looks for it
}

Result<void> ModuleEmitter::emit() {
    appendAssembly();
    declareRoots();
    // Bodies and initialisers mention further functions and globals, which queue up here.
    while (!pendingBodies_.empty() || !pendingGlobals_.empty()) {
        while (!pendingGlobals_.empty()) {
            ir::GlobalId id = pendingGlobals_.back();
            pendingGlobals_.pop_back();
            defineGlobal(*globals_[static_cast<uint32_t>(id)], ir_.global(id));
        }
        if (pendingBodies_.empty()) break;
        ir::FuncId id = pendingBodies_.back();
        pendingBodies_.pop_back();
        FunctionEmitter(*this, ir_.fn(id), *function(id), signature(id)).emit();
    }
    if (!writtenConstants_.empty()) keepWrites(out_, writtenConstants_);
    if (ir_.entry != ir::FuncId::None && isMine(ir_.entry)) mergeMain();
    if (debug_) finishDebugInfo();
    if (!error_.empty()) return Failure{error_};
    return {};
}

namespace {

constexpr uint64_t LargestMain = 64 << 10; ///< bytes of variables

uint64_t bytesOfVariables(const llvm::Function& function) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    uint64_t bytes = 0;
    for (const llvm::Instruction& i : function.getEntryBlock())
        if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
            bytes += variable->getAllocationSize(layout).value_or(llvm::TypeSize::getFixed(0)).getFixedValue();
    return bytes;
}

} // namespace

/// The program's `main` becomes the body of the C `main` that calls it, unless something else uses it: so there is one
/// function of that name to stop at, to see in a backtrace, and to return from.
void ModuleEmitter::mergeMain() {
    llvm::Function* entry = function(ir_.entry);
    llvm::SmallVector<llvm::CallInst*, 1> calls;
    for (llvm::Instruction& i : llvm::instructions(entry)) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
        llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (callee && callee != entry && callee->hasLocalLinkage() && !callee->isDeclaration() && callee->hasOneUse())
            calls.push_back(call);
    }
    if (calls.size() != 1) return;
    llvm::Function* main = calls[0]->getCalledFunction();
    if (bytesOfVariables(*main) > LargestMain) { // what tells of a used-up stack is set up before its frame is there
        main->addFnAttr(llvm::Attribute::NoInline);
        return;
    }
    llvm::DISubprogram* subprogram = main->getSubprogram();
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(*calls[0], info, false, nullptr, /*InsertLifetime=*/false).isSuccess()) return;
    main->eraseFromParent();
    entry->setSubprogram(subprogram); // the call had no location: what came in kept its own
}

void ModuleEmitter::finishDebugInfo() {
    llvm::SmallVector<TypeId, 0> described; // in the order of the types, whatever that of the table
    for (auto [type, descriptor] : ir_.typeDescriptors)
        if (globals_[static_cast<uint32_t>(descriptor)] && isMine(descriptor)) described.push_back(type);
    llvm::sort(described);
    for (TypeId type : described) debug_->keepType(type);
    if (part_.number == 0) debug_->declareConstants();
    debug_->finish();
}

// ---- functions

ModuleEmitter::DeclaredFunction& ModuleEmitter::declare(ir::FuncId id) {
    DeclaredFunction& declared = functions_[static_cast<uint32_t>(id)];
    if (declared.function) return declared;
    const ir::Function& fn = ir_.fn(id);
    declared.signature = std::make_unique<Signature>(abi_.signature(fn.params, fn.result, fn.conv, fn.cVariadic));
    declared.function = createFunction(id, *declared.signature);
    if (!fn.isExtern && isMine(id)) pendingBodies_.push_back(id);
    return declared;
}

llvm::Function* ModuleEmitter::function(ir::FuncId id) { return declare(id).function; }
const Signature& ModuleEmitter::signature(ir::FuncId id) { return *declare(id).signature; }

const Signature& ModuleEmitter::signatureOfType(TypeId functionType) {
    std::unique_ptr<Signature>& signature = typeSignatures_[functionType];
    if (!signature) {
        const FunctionInfo& info = ir_.types.functionInfo(functionType);
        signature = std::make_unique<Signature>(abi_.signature(info.params, info.result, info.conv, info.cVariadic));
    }
    return *signature;
}

/// Names what has it already, and is seen in this module only, another way.
void ModuleEmitter::claimName(const std::string& symbol) {
    llvm::GlobalValue* other = out_.getNamedValue(symbol);
    if (other && other->hasLocalLinkage()) other->setName(symbol + ".sx");
}

llvm::Function* ModuleEmitter::createFunction(ir::FuncId id, const Signature& signature) {
    const ir::Function& fn = ir_.fn(id);
    bool isVisible = fn.isExtern || fn.isExport || id == ir_.entry;
    if (isVisible || isShared(id)) claimName(fn.symbol);
    llvm::Function* known = isVisible ? out_.getFunction(fn.symbol) : nullptr;
    // The same C function may be declared several times, with different types, and be defined here as well.
    if (known && fn.isExtern) return known;
    if (auto own = definitions_.find(fn.symbol); fn.isExtern && own != definitions_.end())
        return this->function(own->second);
    if (known && (!known->isDeclaration() || known->getFunctionType() != signature.type)) {
        fail("the symbol '" + fn.symbol + "' is defined twice, or declared with another type");
        known = nullptr;
    }
    auto linkage = isVisible || isShared(id) ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage;
    llvm::Function* function = known ? known : llvm::Function::Create(signature.type, linkage, fn.symbol, out_);
    if (!isVisible && isShared(id)) function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    // Each call of a C function says for itself how it is made: what one declaration says does not hold for others.
    if (fn.isExtern) function->addFnAttr(llvm::Attribute::NoUnwind);
    else function->setAttributes(signature.attributes);
    setAttributes(*function, fn);
    if (!fn.isExtern) describe(*function, fn);
    return function;
}

constexpr uint64_t LargeFrame = 1000;

static uint64_t frameBytes(const ir::Function& fn) {
    uint64_t bytes = 0;
    for (const ir::Slot& slot : fn.slots) bytes += slot.size;
    return bytes;
}

void ModuleEmitter::describe(llvm::Function& function, const ir::Function& fn) const {
    SourcePos pos = fn.span.begin;
    if (!pos.isValid()) return;
    Location at = ir_.sources.resolve(pos);
    describeFunction(function, fn.name, ir_.sources.tracePath(at.file), at);
}

void ModuleEmitter::setAttributes(llvm::Function& function, const ir::Function& fn) const {
    if (fn.noReturn && (!fn.isExtern || fn.compilerMade)) function.addFnAttr(llvm::Attribute::NoReturn);
    if (fn.cold) function.addFnAttr(llvm::Attribute::Cold);
    if (fn.isExtern) return;
    if (fn.isNaked) {
        function.addFnAttr(llvm::Attribute::Naked);
        function.addFnAttr(llvm::Attribute::NoInline);
        return;
    }
    // Inlined, a large frame would be part of every frame of its caller, which may recurse without ever getting there.
    if (fn.outOfLine || frameBytes(fn) >= LargeFrame) function.addFnAttr(llvm::Attribute::NoInline);
    // Debuggers walk unoptimised code by its frame pointers; optimised code has the register for itself. And where a
    // function that calls nothing has a frame of its own too, a call can be put anywhere without another prologue.
    if (options_.optLevel == 0) {
        function.addFnAttr("frame-pointer", "all");
        function.addFnAttr(llvm::Attribute::NoRedZone);
    }
    // A frame larger than a page touches its pages in order, so that it cannot step over the guard page.
    function.addFnAttr("probe-stack", "inline-asm");
}

// ---- globals

llvm::Constant* ModuleEmitter::global(ir::GlobalId id) {
    llvm::GlobalVariable*& global = globals_[static_cast<uint32_t>(id)];
    if (global) return global;
    const ir::Global& source = ir_.global(id);
    if (source.isExtern) {
        if (llvm::GlobalVariable* known = out_.getGlobalVariable(source.symbol, true)) return global = known;
        return global = new llvm::GlobalVariable(out_, types_.bytes(source.size), source.isConst,
                                                 llvm::GlobalValue::ExternalLinkage, nullptr, source.symbol);
    }
    if (!isMine(id)) return global = declareElsewhere(id);
    // Initialisers may mention each other in a circle: they are filled in after all are declared.
    pendingGlobals_.push_back(id);
    bool isVisible = id == ir_.errorNames || isShared(id);
    if (isVisible) claimName(source.symbol);
    auto linkage = isVisible ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage;
    global = new llvm::GlobalVariable(out_, dataType(source), source.isConst, linkage, nullptr, source.symbol);
    if (isVisible && id != ir_.errorNames) global->setVisibility(llvm::GlobalValue::HiddenVisibility);
    global->setAlignment(llvm::Align(std::max<uint32_t>(source.align, 1)));
    if (source.mergeable) global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    bool isWritable = source.mergeable || source.type != TypeId::None; // by a program, through a pointer
    if (source.isConst && isWritable && options_.checks && options_.optLevel > 0) writtenConstants_.push_back(global);
    if (debug_) debug_->declareGlobal(*global, source);
    return global;
}

/// A variable of another part. What it holds is of no interest here.
llvm::GlobalVariable* ModuleEmitter::declareElsewhere(ir::GlobalId id) {
    const ir::Global& source = ir_.global(id);
    claimName(source.symbol);
    auto* variable = new llvm::GlobalVariable(out_, types_.bytes(source.size), source.isConst,
                                              llvm::GlobalValue::ExternalLinkage, nullptr, source.symbol);
    if (id != ir_.errorNames) variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
    variable->setAlignment(llvm::Align(std::max<uint32_t>(source.align, 1)));
    return variable;
}

llvm::Constant* ModuleEmitter::typeHandle(TypeId t) {
    auto it = ir_.typeDescriptors.find(t);
    if (it != ir_.typeDescriptors.end()) return global(it->second);
    fail("internal error: no descriptor of the type '" + writtenName(ir_.types, t) + "'");
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(context(), 0));
}

} // namespace sx::codegen
