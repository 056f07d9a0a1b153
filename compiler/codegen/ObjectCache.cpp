#include "codegen/ObjectCache.h"

#include "source/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

namespace sx::codegen {

namespace {

using Digest = std::array<uint8_t, 32>;

/// Another build of the compiler may make other code of the same module.
std::string compilerIdentity() {
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status("/proc/self/exe", status)) return SX_VERSION;
    return SX_VERSION " " + std::to_string(status.getSize()) + " " +
           std::to_string(status.getLastModificationTime().time_since_epoch().count());
}

} // namespace

std::string ObjectCache::key(const Lowered& lowered, const Options& options) {
    llvm::SmallString<0> bitcode;
    llvm::raw_svector_ostream out(bitcode);
    llvm::WriteBitcodeToFile(*lowered.module, out);
    std::string settings = compilerIdentity() + '\0' + std::to_string(options.optLevel) + (options.traces ? 't' : '-') +
                           (lowered.use == CodeUse::InProcess ? 'j' : 'e') + lowered.machine->getTargetCPU().str() +
                           '\0' + lowered.machine->getTargetFeatureString().str() + '\0';
    llvm::SHA256 hash;
    hash.update(settings);
    hash.update(bitcode);
    return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

// A file is the object's checksum and the object.

bool ObjectCache::find(const std::string& key, llvm::SmallVectorImpl<char>& object) const {
    auto file = llvm::MemoryBuffer::getFile(pathOf(key), /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!file || (*file)->getBufferSize() < sizeof(Digest)) return false;
    llvm::StringRef content = (*file)->getBuffer(), stored = content.drop_front(sizeof(Digest));
    Digest digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(stored));
    if (content.take_front(sizeof(Digest)) != llvm::toStringRef(digest)) return false;
    object.assign(stored.begin(), stored.end());
    return true;
}

void ObjectCache::store(const std::string& key, llvm::StringRef object) const {
    if (llvm::sys::fs::create_directories(folder_)) return;
    std::string content = llvm::toStringRef(llvm::SHA256::hash(llvm::arrayRefFromStringRef(object))).str();
    static_cast<void>(writeFile(pathOf(key), content.append(object)));
}

} // namespace sx::codegen
