#include "codegen/Frames.h"

#include "sx/trace.h"

#include "llvm/IR/Constants.h"

#include <cstddef>

namespace sx::codegen {

namespace {

constexpr llvm::StringLiteral FrameName = "sx.frame", PositionName = "sx.position", TextName = "sx.text";

static_assert(sizeof(sx_frame) == FrameTable::RecordSize);
static_assert(offsetof(sx_frame, line) == 16 && offsetof(sx_frame, func) == 24 && offsetof(sx_frame, line_text) == 40);

} // namespace

FrameTable::FrameTable(llvm::Module& module, const SourceManager& sources) : module_(module), sources_(sources) {
    llvm::LLVMContext& context = module.getContext();
    llvm::Type *ptr = llvm::PointerType::get(context, 0), *i32 = llvm::Type::getInt32Ty(context),
               *i64 = llvm::Type::getInt64Ty(context);
    recordType_ = llvm::StructType::get(context, {ptr, i64, i32, i32, ptr, i64, ptr, i64});
}

bool FrameTable::isFrame(const llvm::GlobalValue& value) { return value.getName().starts_with(FrameName); }
bool FrameTable::isText(const llvm::GlobalValue& value) { return value.getName().starts_with(TextName); }

llvm::Constant* FrameTable::text(llvm::StringRef content) {
    if (content.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::get(module_.getContext(), 0));
    llvm::Constant*& known = texts_[content];
    if (known) return known;
    llvm::Constant* bytes = llvm::ConstantDataArray::getString(module_.getContext(), content);
    auto* global =
        new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes, TextName);
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    global->setAlignment(llvm::Align(1));
    return known = global;
}

llvm::GlobalVariable* FrameTable::record(const ir::FrameRecord& r, llvm::StringRef function, llvm::StringRef name) {
    llvm::LLVMContext& context = module_.getContext();
    auto i32 = [&](int32_t v) { return llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(context), v); };
    auto i64 = [&](uint64_t v) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), v); };
    llvm::Constant* value = llvm::ConstantStruct::get(recordType_, {text(r.path), i64(r.path.size()), i32(r.line),
                                                                    i32(r.column), text(function), i64(function.size()),
                                                                    text(r.lineText), i64(r.lineText.size())});
    auto* global = new llvm::GlobalVariable(module_, recordType_, true, llvm::GlobalValue::PrivateLinkage, value, name);
    global->setAlignment(llvm::Align(8));
    return global;
}

llvm::GlobalVariable* FrameTable::frame(Span at, const ir::Function& function) {
    llvm::GlobalVariable*& known = frames_[{at.begin.raw, &function}];
    if (known) return known;
    ir::FrameRecord shown = at.isValid() ? ir::frameRecord(sources_, at.begin) : ir::FrameRecord{};
    return known = record(shown, function.name, FrameName);
}

llvm::GlobalVariable* FrameTable::position(Span at) {
    llvm::GlobalVariable*& known = positions_[at.begin.raw];
    if (known) return known;
    return known = record(at.isValid() ? ir::frameRecord(sources_, at.begin, ir::ShownLine::None) : ir::FrameRecord{},
                          "", PositionName);
}

} // namespace sx::codegen
