// What compile-time code and the driver tell each other about the build, by name (library/modules/build.sx).
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sx::sema {

class BuildNotes {
public:
    /// Adds a value behind those that a name has.
    void add(std::string_view name, std::string_view value) { values_[std::string(name)].emplace_back(value); }
    /// Takes the place of what a name has.
    void set(const std::string& name, std::vector<std::string> values) { values_[name] = std::move(values); }
    /// The values of a name, in the order in which they came; valid until the name is changed.
    llvm::ArrayRef<std::string> all(std::string_view name) const {
        auto found = values_.find(name);
        if (found == values_.end()) return {};
        return found->second;
    }
    /// The last value of a name; "" if there is none.
    std::string last(std::string_view name) const { return all(name).empty() ? "" : all(name).back(); }
    /// Gives the values of a name away.
    std::vector<std::string> take(const std::string& name) { return std::exchange(values_[name], {}); }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

} // namespace sx::sema
