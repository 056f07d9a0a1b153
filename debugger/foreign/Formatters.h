// How types that are known by their names or their layout are shown, in words of their language: data, from files
// (docs/debugger.md has the form).
#pragma once

#include "debugger/foreign/Types.h"
#include "source/Result.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

#include <memory>
#include <string>
#include <vector>

namespace sx::debugger {

/// Bits of a header in front of an object.
struct HeaderField {
    std::string name;
    unsigned firstBit = 0, bits = 1;
    std::string ifSet, ifClear; ///< what one bit says; empty: it is a number
    bool isHex = false;
};

struct Formatter {
    enum class Kind : uint8_t {
        Sentinel,   ///< a number whose most negative value says that there was an error
        Object,     ///< a pointer to an object with a header in front of it
        FatPointer, ///< a pointer with its bounds
        Result,     ///< an error, or else a value
    };
    Kind kind{};
    std::shared_ptr<llvm::Regex> type; ///< of the name; null: the layout is enough
    std::vector<std::string> members;  ///< that a type of this layout has
};

/// Memory between two symbols of the program.
struct SymbolRange {
    std::string type; ///< as the memory map calls it: `gc_nursery`
    std::string start, end;
};

/// Where the program keeps which of its scopes live.
struct ScopeTable {
    std::string table, count, counter; ///< symbols: of the numbers of living scopes, how many, and the last one given
    unsigned width = 8;                ///< bytes of each number
};

struct Formatters {
    std::vector<Formatter> all; ///< the first that fits counts
    std::vector<SymbolRange> regions;
    std::vector<HeaderField> header;
    unsigned headerBytes = 8;
    ScopeTable scopes;

    /// Adds what a file says, in front of what is there. `name` is for messages.
    Result<void> read(llvm::StringRef text, const std::string& name);
    /// The one for a type, by any of its names. `number`: what stands in the first parentheses of the pattern.
    const Formatter* find(const ForeignTypes&, TypeId type, unsigned& number) const;
};

} // namespace sx::debugger
