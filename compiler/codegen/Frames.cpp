#include "codegen/Frames.h"

#include "sx/trace.h"

#include "llvm/IR/Constants.h"

#include <cstddef>

namespace sx::codegen {

namespace {

constexpr llvm::StringLiteral FrameName = "sx.frame", PositionName = "sx.position", TextName = "sx.text";

static_assert(sizeof(sx_frame) == FrameTable::RecordSize);
static_assert(offsetof(sx_frame, line) == 16 && offsetof(sx_frame, func) == 24 && offsetof(sx_frame, line_text) == 40);

/// What a frame shows of its line: long lines are cut around the position.
std::string shownLine(std::string_view line, uint32_t column) {
    sx_string whole{line.data(), static_cast<int64_t>(line.size())};
    std::string shown(line.size() + 16, '\0'); // room for the line and two ellipses
    size_t length = sx_trace_line_window(whole, static_cast<int32_t>(column), shown.data(), shown.size());
    if (length > shown.size()) {
        shown.resize(length);
        length = sx_trace_line_window(whole, static_cast<int32_t>(column), shown.data(), shown.size());
    }
    shown.resize(length);
    return shown;
}

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

llvm::GlobalVariable* FrameTable::record(Location at, bool known, llvm::StringRef function, llvm::StringRef line,
                                         llvm::StringRef name) {
    llvm::LLVMContext& context = module_.getContext();
    auto i32 = [&](uint32_t v) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), v); };
    auto i64 = [&](uint64_t v) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), v); };
    std::string_view path = known ? sources_.tracePath(at.file) : std::string_view();
    llvm::Constant* value =
        llvm::ConstantStruct::get(recordType_, {text(path), i64(path.size()), i32(at.line), i32(at.col), text(function),
                                                i64(function.size()), text(line), i64(line.size())});
    auto* global =
        new llvm::GlobalVariable(module_, recordType_, true, llvm::GlobalValue::InternalLinkage, value, name);
    global->setAlignment(llvm::Align(8));
    return global;
}

llvm::GlobalVariable* FrameTable::frame(Span at, const ir::Function& function) {
    llvm::GlobalVariable*& known = frames_[{at.begin.raw, &function}];
    if (known) return known;
    if (!at.isValid()) return known = record({}, false, function.name, "", FrameName);
    Location location = sources_.resolve(at.begin);
    std::string line = shownLine(sources_.lineText(location.file, location.line), location.col);
    return known = record(location, true, function.name, line, FrameName);
}

llvm::GlobalVariable* FrameTable::position(Span at) {
    llvm::GlobalVariable*& known = positions_[at.begin.raw];
    if (known) return known;
    return known = record(at.isValid() ? sources_.resolve(at.begin) : Location{}, at.isValid(), "", "", PositionName);
}

} // namespace sx::codegen
