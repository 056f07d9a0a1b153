// The arguments of a request with their types. The first one that is missing or of another type is remembered: a
// handler reads what it needs and asks once whether all is well.
#pragma once

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sx::debugger {

class Arguments {
public:
    explicit Arguments(const llvm::json::Object& object, std::string where = "") : object_(object), where_(where) {}

    bool ok() const { return problem_.empty(); }
    const std::string& problem() const { return problem_; }

    // ---- required
    std::string text(llvm::StringRef name);
    int64_t integer(llvm::StringRef name);
    /// An id or a count: an integer from 0 to 2^31 - 1.
    uint32_t index(llvm::StringRef name);
    /// A size in bytes: as an index, or a text `0x…`.
    uint32_t size(llvm::StringRef name);

    // ---- optional: the second argument where it is missing or null
    std::optional<std::string> optionalText(llvm::StringRef name);
    std::optional<int64_t> optionalInteger(llvm::StringRef name);
    std::optional<uint32_t> optionalIndex(llvm::StringRef name);
    bool flag(llvm::StringRef name, bool otherwise);
    std::optional<bool> optionalFlag(llvm::StringRef name);
    std::vector<std::string> texts(llvm::StringRef name);
    /// An address: a number, or a text `0x…` or of decimal digits.
    std::optional<uint64_t> optionalAddress(llvm::StringRef name);
    /// In bytes, either way: a whole number, or a text `0x…`.
    std::optional<int64_t> optionalOffset(llvm::StringRef name);
    /// Null where it is missing.
    const llvm::json::Object* object(llvm::StringRef name);
    /// Null where it is missing.
    const llvm::json::Array* array(llvm::StringRef name);
    std::vector<const llvm::json::Object*> objects(llvm::StringRef name);
    const llvm::json::Value* any(llvm::StringRef name) const { return present(name); }
    const llvm::json::Object& all() const { return object_; }

    void reject(std::string problem) {
        if (problem_.empty()) problem_ = std::move(problem);
    }

private:
    const llvm::json::Value* present(llvm::StringRef name) const;
    void wrong(llvm::StringRef name, const char* what);
    const llvm::json::Object& object_;
    std::string where_; ///< "source." for the object in `source`
    std::string problem_;
};

/// `0x…` or decimal digits; nullopt otherwise.
std::optional<uint64_t> parseAddress(llvm::StringRef);

} // namespace sx::debugger
