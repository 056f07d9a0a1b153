// The functions of C whose calls can be undone, and how: what each writes, and whether it can be called again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sx::vm {

/// Memory that a call writes, or whose address it returns.
struct Written {
    static constexpr int8_t ReturnedAddress = -1; ///< for `argument`: the memory that the result points to
    static constexpr int8_t None = -1;            ///< for `countArgument`
    int8_t argument = 0;                          ///< which argument is its address, from 0
    int8_t countArgument = None;                  ///< the size is this argument …
    int8_t timesArgument = None;                  ///< … times this one …
    uint32_t bytes = 0;         ///< … times this; without one, this alone. 0: up to the end of a text
    bool isPointed = false;     ///< the argument points to the size, a number of 32 bits, instead
    bool isAddressList = false; ///< the address of a list as getaddrinfo makes it, of which the program gets a copy
    bool byResult = false;      ///< no more of it than the result says is written
};

struct KnownCall {
    enum class Kind : uint8_t {
        Again,   ///< does the same when it is called again with memory as it was
        Outside, ///< what it gives comes from outside: it is kept and not asked for again
        Malloc,  ///< these of the program's own heap
        Calloc,
        Realloc,
        AlignedAlloc,
        PosixMemalign,
        Free,
        Leave, ///< does nothing: memory that is given back to the system would be gone
    };
    Kind kind{};
    bool isOfHeap() const { return kind >= Kind::Malloc && kind <= Kind::Free; }
    std::vector<Written> writes;
};

/// Of functions by their symbols.
class KnownCalls {
public:
    /// Those of the C library and the runtime.
    KnownCalls();
    /// Null: nothing is known of it.
    const KnownCall* find(const std::string& symbol) const {
        auto it = calls_.find(symbol);
        return it == calls_.end() ? nullptr : &it->second;
    }

    /// Of functions by which threads wait for each other, and begin: with a tape, what they gave is kept. Null: it is
    /// none of them.
    const KnownCall* findOfThreads(const std::string& symbol) const {
        auto it = ofThreads_.find(symbol);
        return it == ofThreads_.end() ? nullptr : &it->second;
    }

    /// Knows this of a function from now on.
    void add(const std::string& symbol, KnownCall call) { calls_[symbol] = std::move(call); }
    /// All names, in order.
    std::vector<std::string> names() const;

private:
    using Table = std::unordered_map<std::string, KnownCall>;
    static void add(Table&, std::string_view line, KnownCall::Kind);

    Table calls_, ofThreads_;
};

} // namespace sx::vm
