// How values of the program look: texts, children, and writing them. There is one implementation for all engines; the
// text is that of the table in docs/debugging.md, which the scripts in editors/debug share.
//
// Memory may hold anything. Every length is checked before it is used, nothing is read without a limit, and what makes
// no sense is shown between < >.
#pragma once

#include "debugger/inspect/Datum.h"
#include "source/Result.h"

#include "llvm/ADT/StringRef.h"

namespace sx::debugger {

/// How a client should present a row, in the words of the protocol.
struct Presentation {
    bool isVirtual = false; ///< kind `virtual`: a failable result, or a row that is no part of the program
    bool isData = false;    ///< kind `data`
    bool hasFailed = false; ///< attribute `failedEvaluation`: the value is an error
    bool isReadOnly = false;
};

/// One row of a list of variables.
struct Row {
    std::string text, type;
    Presentation presentation;
    uint64_t indexed = 0, named = 0;         ///< children, by kind
    std::optional<uint64_t> memoryReference; ///< of what the value refers to, or else of itself
};

/// A part of a value.
struct Child {
    std::string name;
    Datum datum;
    std::string evaluateName; ///< an expression for it; empty where there is none
};

enum class ChildFilter : uint8_t { All, Indexed, Named };

/// Which children are wanted. Indexed ones come before named ones.
struct Page {
    uint64_t start = 0;
    uint64_t count =
        0; ///< 0: all from `start` on, but no more than `Unpaged` and a last row that says how many there are
    ChildFilter filter = ChildFilter::All;

    static constexpr uint64_t Unpaged = 10'000;
};

struct ShowOptions {
    bool hex = false;       ///< integers in hexadecimal
    bool clipboard = false; ///< strings whole
};

/// Values of types that are not in the type table: those of other languages. What the functions are for is said there.
class OtherValues {
public:
    virtual ~OtherValues() = default;
    virtual bool owns(TypeId type) const = 0;
    virtual uint64_t sizeOf(TypeId type) const = 0;
    virtual std::string nameOf(TypeId type) const = 0;
    virtual Row row(const Datum& datum, ShowOptions options) const = 0;
    virtual std::vector<Child> children(const Datum& datum, llvm::StringRef evaluateName, Page page) const = 0;
};

class Values {
public:
    /// `others` may be null.
    Values(const TypeTable& types, Memory& memory, Addresses& addresses, const OtherValues* others = nullptr)
        : types_(types), memory_(memory), addresses_(addresses), others_(others) {}

    /// Of any type: its bytes, and its name as the source has it.
    uint64_t sizeOf(TypeId type) const;
    std::string nameOf(TypeId type) const;

    /// The row of a value, without its name.
    Row row(const Datum& datum, ShowOptions options = {}) const;
    /// Only the text.
    std::string text(const Datum& datum, ShowOptions options = {}) const;
    /// A page of the children. `evaluateName` is an expression for the value itself, or empty.
    std::vector<Child> children(const Datum& datum, llvm::StringRef evaluateName, Page page = {}) const;
    /// Puts the bytes of a value of the datum's type, laid out as in memory, to its place. Of a value in hand, `datum`
    /// holds them then, and whoever made it passes them on.
    Result<void> assign(Datum& datum, llvm::ArrayRef<uint8_t> bytes) const;

private:
    bool isOther(TypeId type) const { return others_ && others_->owns(type); }

    const TypeTable& types_;
    Memory& memory_;
    Addresses& addresses_;
    const OtherValues* others_;
};

} // namespace sx::debugger
