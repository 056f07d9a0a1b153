// `--cache`: objects of earlier compilations, by what they were made of.
//
// The key covers the whole LLVM module as it is before it is optimised, the options and the compiler itself, so an
// object is only ever found for code that would come out the same. What costs time comes after that point.
#pragma once

#include "codegen/Pipeline.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace sx::codegen {

class ObjectCache {
public:
    /// The folder is made when something is stored; whoever likes may delete it.
    explicit ObjectCache(std::string folder) : folder_(std::move(folder)) {}

    /// The name of the object that this module becomes.
    static std::string key(const Lowered&, const Options&);
    /// False if there is no such object, or it is damaged.
    bool find(const std::string& key, llvm::SmallVectorImpl<char>& object) const;
    /// A cache that cannot be written is no error: the next compilation takes as long as this one.
    void store(const std::string& key, llvm::StringRef object) const;

private:
    std::string pathOf(const std::string& key) const { return folder_ + "/" + key + ".o"; }

    std::string folder_;
};

} // namespace sx::codegen
