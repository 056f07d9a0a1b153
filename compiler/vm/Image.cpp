#include "vm/Image.h"

#include "ir/Passes.h"
#include "vm/translate/Translator.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace sx::vm {

namespace {

/// While functions are translated nobody knows where they will be: these stand for their addresses and those of the
/// data behind them. No process has such addresses, and programs hardly such numbers.
constexpr uint64_t FunctionMark = 0xfb5a'17c3'0000'0000, DataMark = 0xfc5a'17c3'0000'0000,
                   TypeMark = 0xfd5a'17c3'0000'0000;

class ImageEnvironment final : public Environment {
public:
    /// `data`: where each global lies in the data.
    ImageEnvironment(ir::Module& module, const llvm::DenseMap<ir::GlobalId, uint64_t>& data)
        : module_(module), data_(data) {}

    ir::Module& module() override { return module_; }
    bool isComptime() override { return false; }
    uint64_t functionAddress(ir::FuncId f) override { return FunctionMark + static_cast<uint32_t>(f); }
    uint64_t globalAddress(ir::GlobalId g) override {
        auto known = data_.find(g);
        return known == data_.end() ? 0 : DataMark + known->second; // of another library: nowhere in the image
    }
    uint64_t typeHandle(TypeId t) override {
        auto known = module_.typeDescriptors.find(t);
        return known == module_.typeDescriptors.end() ? TypeMark + static_cast<uint32_t>(t)
                                                      : globalAddress(known->second);
    }
    void willCall(ir::FuncId) override {}
    uint32_t foreignSite(const ir::Function& callee, llvm::ArrayRef<TypeId> args) override {
        return foreign_.insert({{&callee, args.vec()}, static_cast<uint32_t>(foreign_.size())}).first->second;
    }
    uint32_t indirectSite(TypeId functionType, llvm::ArrayRef<TypeId> extra) override {
        return indirect_.insert({{functionType, extra.vec()}, static_cast<uint32_t>(indirect_.size())}).first->second;
    }
    std::string definedInAssembly(const std::string&) override { return ""; }
    uint32_t addFailure(std::string) override { return failures_++; }

private:
    ir::Module& module_;
    const llvm::DenseMap<ir::GlobalId, uint64_t>& data_;
    std::map<std::pair<const ir::Function*, std::vector<TypeId>>, uint32_t> foreign_;
    std::map<std::pair<TypeId, std::vector<TypeId>>, uint32_t> indirect_;
    uint32_t failures_ = 0;
};

/// Globals at addresses from 0 on, and the end of them.
uint64_t layOut(const ir::Module& module, std::vector<ImageGlobal>& globals) {
    uint64_t end = 0;
    for (uint32_t g = 0; g < module.globals.size(); ++g) {
        const ir::Global& global = module.globals[g];
        if (global.dead || global.isExtern) continue;
        end = llvm::alignTo(end, std::max<uint64_t>(global.align, 1));
        globals.push_back({ir::GlobalId{g}, end});
        end += global.size;
    }
    return end;
}

/// Puts addresses where marks stand for them.
void resolve(FunctionCode& code, const llvm::DenseMap<uint64_t, uint64_t>& functions, const CodeImage& image) {
    for (size_t i = code.instructionCount; i < code.words.size(); ++i) {
        auto word = std::bit_cast<uint64_t>(code.words[i]);
        if (auto f = functions.find(word); f != functions.end()) code.words[i] = std::bit_cast<Insn>(f->second);
        else if (word >= DataMark && word - DataMark <= image.dataEnd - image.dataStart)
            code.words[i] = std::bit_cast<Insn>(word - DataMark + image.dataStart);
    }
}

} // namespace

uint32_t CodeImage::crc() const {
    uint32_t crc = 0;
    for (const ImageFunction& f : functions)
        crc = llvm::crc32(crc, llvm::ArrayRef(reinterpret_cast<const uint8_t*>(f.code->words.data()), f.size()));
    return crc;
}

Result<CodeImage> makeImage(ir::Module& module) {
    constexpr uint64_t Page = 0x1000;
    CodeImage image;
    uint64_t dataSize = layOut(module, image.globals);
    llvm::DenseMap<ir::GlobalId, uint64_t> data;
    for (const ImageGlobal& g : image.globals) data[g.global] = g.address;
    ImageEnvironment environment(module, data);
    llvm::DenseMap<uint64_t, uint64_t> functions;
    for (ir::FuncId f : ir::reachedFunctions(module)) {
        const ir::Function& fn = module.fn(f);
        if (fn.isExtern || fn.blocks.empty()) continue;
        Result<std::unique_ptr<FunctionCode>> code = translate(environment, f);
        if (!code) return code.failure();
        functions[environment.functionAddress(f)] = image.codeEnd;
        image.functions.push_back({std::move(*code), image.codeEnd});
        image.codeEnd += image.functions.back().size();
    }
    image.dataStart = llvm::alignTo(image.codeEnd, Page);
    image.dataEnd = image.dataStart + dataSize;
    for (ImageGlobal& g : image.globals) g.address += image.dataStart;
    for (ImageFunction& f : image.functions) resolve(*f.code, functions, image);
    return image;
}

} // namespace sx::vm
