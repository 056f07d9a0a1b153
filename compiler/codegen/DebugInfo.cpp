#include "codegen/DebugInfo.h"

#include "codegen/passes/StatementPlaces.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

namespace sx::codegen {

namespace dw = llvm::dwarf;

namespace {

int dwarfVersion(const llvm::Module& module, const Options& options) {
    if (options.dwarfVersion != 0) return options.dwarfVersion;
    return llvm::Triple(module.getTargetTriple()).isOSDarwin() ? 4 : 5;
}

} // namespace

// The language is given as C99: lldb shows no variables for languages that it does not know.
DebugInfo::DebugInfo(llvm::Module& module, const ir::Module& ir, const Options& options)
    : ir_(ir), options_(options), builder_(module), types_(ir, builder_), files_(ir.sources.fileCount()) {
    if (options.originMarks)
        for (const auto& fn : ir.functions) numbers_[fn.get()] = static_cast<uint32_t>(numbers_.size()) + 1;
    module.addModuleFlag(llvm::Module::Max, "Dwarf Version", dwarfVersion(module, options));
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    FileId main = ir.entry == ir::FuncId::None ? FileId{} : ir.sources.fileOf(ir.fn(ir.entry).span.begin);
    // Without an index of names, which is large, and incomplete for the types that LLVM adds: debuggers make their own.
    unit_ = builder_.createCompileUnit(dw::DW_LANG_C99, file(main), "sx " SX_VERSION, options.optLevel > 0,
                                       options.recordedOptions, 0, "", llvm::DICompileUnit::FullDebug, 0, true, false,
                                       llvm::DICompileUnit::DebugNameTableKind::None);
}

void DebugInfo::keepType(TypeId t) {
    if (llvm::DIType* type = types_.type(t)) builder_.retainType(type);
}

void DebugInfo::finish() { builder_.finalize(); }

llvm::DIFile* DebugInfo::file(FileId id) {
    llvm::DIFile*& known = files_[static_cast<uint32_t>(id)];
    if (known) return known;
    llvm::SmallString<256> path(ir_.sources.path(id));
    for (const std::string& root : options_.libraryRoots)
        if (!llvm::sys::fs::exists(path)) path = root + "/" + std::string(ir_.sources.path(id));
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    llvm::MD5 hash;
    hash.update(llvm::StringRef(ir_.sources.text(id)));
    llvm::SmallString<32> digits;
    llvm::MD5::MD5Result digest;
    hash.final(digest);
    llvm::MD5::stringifyResult(digest, digits);
    llvm::DIFile::ChecksumInfo<llvm::StringRef> checksum(llvm::DIFile::CSK_MD5, digits);
    return known = builder_.createFile(llvm::sys::path::filename(path), llvm::sys::path::parent_path(path), checksum);
}

llvm::DIFile* DebugInfo::fileOf(Span span) {
    return span.isValid() ? file(ir_.sources.fileOf(span.begin)) : unit_->getFile();
}

// ---- functions

/// The context and the environment are no parameters of the source.
llvm::DISubroutineType* DebugInfo::signatureType(const ir::Function& fn, const Signature& signature) {
    llvm::SmallVector<llvm::Metadata*, 8> parts{types_.type(fn.result)};
    for (size_t i = fn.hasContext ? 1 : 0; i < fn.params.size(); ++i) parts.push_back(types_.type(fn.params[i]));
    // Debuggers read results as C returns them; where sx returns differently they are told not to.
    bool isAggregate =
        signature.result.kind == Passing::Kind::Pieces || signature.result.kind == Passing::Kind::Pointer;
    uint8_t convention = fn.conv == CallConv::Sx && isAggregate ? dw::DW_CC_nocall : 0;
    return builder_.createSubroutineType(builder_.getOrCreateTypeArray(parts), llvm::DINode::FlagZero, convention);
}

void DebugInfo::beginFunction(llvm::Function& out, const ir::Function& fn, const Signature& signature) {
    function_ = &fn;
    subprogram_ = nullptr;
    if (ir_.entry != ir::FuncId::None && &fn == &ir_.fn(ir_.entry)) return; // becomes a part of the program's `main`
    lastSpan_ = {};
    llvm::DIFile* where = fileOf(fn.span);
    auto flags = llvm::DISubprogram::SPFlagDefinition;
    if (out.hasLocalLinkage()) flags |= llvm::DISubprogram::SPFlagLocalToUnit;
    if (options_.optLevel > 0) flags |= llvm::DISubprogram::SPFlagOptimized;
    uint32_t declared = locate(fn.span).line,
             body = fn.bodyStart.isValid() ? ir_.sources.resolve(fn.bodyStart).line : declared;
    if (options_.originMarks) declared = numbers_.lookup(&fn), body = 0; // what begins a function is made of nothing
    auto nodeFlags = fn.compilerMade ? llvm::DINode::FlagArtificial : llvm::DINode::FlagZero;
    // gdb takes a linkage name for the name in programs of C: it is left out where it only repeats the name with a
    // prefix.
    std::string linkage = out.hasLocalLinkage() || out.getName() == fn.name ? "" : out.getName().str();
    subprogram_ = builder_.createFunction(where, fn.name, linkage, where, declared, signatureType(fn, signature), body,
                                          nodeFlags, flags);
    out.setSubprogram(subprogram_);
    if (options_.statementMarks && options_.optLevel > 0)
        noteStatements(*out.getParent(), subprogram_, static_cast<uint32_t>(fn.statements.size()));
    scopes_.assign(fn.scopes.size(), nullptr);
    depths_.assign(fn.scopes.size(), 0);
    if (!fn.captures.empty()) builder_.retainType(types_.captures(fn));
}

/// Scopes come after their parents. LLVM takes time by the depth for each instruction, and readers recurse: what lies
/// deeper than people nest, declarations by the thousand, shares blocks.
llvm::DILocalScope* DebugInfo::scope(ir::ScopeId id) {
    if (id == 0) return subprogram_;
    llvm::DILocalScope*& known = scopes_[id];
    if (known) return known;
    llvm::SmallVector<ir::ScopeId, 16> missing;
    for (ir::ScopeId s = id; s != 0 && !scopes_[s]; s = function_->scopes[s].parent) missing.push_back(s);
    while (!missing.empty()) {
        ir::ScopeId s = missing.pop_back_val();
        const ir::Scope& block = function_->scopes[s];
        llvm::DILocalScope* parent = block.parent == 0 ? subprogram_ : scopes_[block.parent];
        depths_[s] = depths_[block.parent] + 1;
        if (depths_[s] > MostNestedBlocks && depths_[s] % MostNestedBlocks != 0) {
            scopes_[s] = parent;
            continue;
        }
        Span where = block.shownAt.isValid() ? block.shownAt : block.span;
        Location at = locate(where);
        scopes_[s] = builder_.createLexicalBlock(parent, fileOf(where), at.line, at.col);
    }
    return scopes_[id];
}

llvm::DebugLoc DebugInfo::location(Span span, ir::ScopeId in, bool isCall, uint32_t marks) {
    if (!subprogram_) return {};
    if (Span shown = function_->scopes[in].shownAt; shown.isValid() && span.isValid()) span = shown;
    if (!span.isValid()) {
        if (!isCall) return {};
        return llvm::DILocation::get(subprogram_->getContext(), 0, 0, scope(in));
    }
    if (!(lastSpan_.begin == span.begin)) {
        lastSpan_ = span;
        lastLocation_ = ir_.sources.resolve(span.begin);
    }
    llvm::DILocalScope* where = scope(in);
    llvm::DIFile* from = file(lastLocation_.file);
    if (where->getFile() != from || marks != 0) where = builder_.createLexicalBlockFile(where, from, marks);
    return llvm::DILocation::get(subprogram_->getContext(), lastLocation_.line, lastLocation_.col, where);
}

llvm::DebugLoc DebugInfo::origin(ir::ValueId v) {
    if (!subprogram_) return {};
    return llvm::DILocation::get(subprogram_->getContext(), static_cast<uint32_t>(v) + 1, 0, subprogram_);
}

// ---- variables

void DebugInfo::declareVariable(const ir::Slot& slot, llvm::AllocaInst* storage, llvm::BasicBlock* entry) {
    llvm::DIType* type = types_.type(slot.type);
    if (!type) return;
    llvm::StringRef name = ir_.types.names().text(slot.name);
    Location at = locate(slot.span);
    llvm::DILocalScope* where = slot.paramIndex >= 0 ? subprogram_ : scope(slot.scope);
    llvm::DIFile* from = fileOf(slot.span);
    constexpr bool Keep = true; // also where the optimiser leaves nothing of it
    llvm::DILocalVariable* variable;
    if (slot.paramIndex >= 0) {
        unsigned number = static_cast<unsigned>(slot.paramIndex) + 1;
        variable = builder_.createParameterVariable(where, name, number, from, at.line, type, Keep);
    } else {
        variable = builder_.createAutoVariable(where, name, from, at.line, type, Keep);
    }
    auto* declared = llvm::DILocation::get(subprogram_->getContext(), at.line, at.col, where);
    builder_.insertDeclare(storage, variable, builder_.createExpression(), declared, entry->getTerminator());
}

void DebugInfo::declareTrace(uint32_t slot, llvm::AllocaInst* storage, llvm::BasicBlock* entry) {
    if (!subprogram_) return;
    auto* variable =
        builder_.createAutoVariable(subprogram_, "", subprogram_->getFile(), slot + 1, types_.type(TypeId::U64),
                                    /*AlwaysPreserve=*/false, llvm::DINode::FlagArtificial);
    auto* declared = llvm::DILocation::get(subprogram_->getContext(), 0, 0, subprogram_);
    builder_.insertDeclare(storage, variable, builder_.createExpression(), declared, entry->getTerminator());
}

// Without linkage names, as for functions.
void DebugInfo::declareGlobal(llvm::GlobalVariable& variable, const ir::Global& global) {
    llvm::DIType* type = global.type == TypeId::None || !global.span.isValid() ? nullptr : types_.type(global.type);
    if (!type) return;
    variable.addDebugInfo(builder_.createGlobalVariableExpression(
        unit_, global.name, "", fileOf(global.span), locate(global.span).line, type, variable.hasLocalLinkage()));
}

void DebugInfo::declareConstants() {
    for (const ir::NamedConstant& constant : ir_.constants) {
        llvm::DIExpression* value = builder_.createConstantValueExpression(constant.bits);
        builder_.createGlobalVariableExpression(unit_, constant.name, "", fileOf(constant.span),
                                                locate(constant.span).line, types_.type(constant.type),
                                                /*IsLocalToUnit=*/true, /*IsDefined=*/true, value);
    }
}

} // namespace sx::codegen
