// How values of programs in other languages look: texts and children, as values of sx have them.
#pragma once

#include "debugger/foreign/Formatters.h"
#include "debugger/inspect/Values.h"

#include <functional>

namespace sx::debugger {

class ForeignValues final : public OtherValues {
public:
    /// What is asked of the program. `symbol`: the address of a symbol, 0 where there is none.
    struct Program {
        const TypeTable& sx; ///< numbers and texts are shown as those of sx
        Memory& memory;
        Addresses& addresses;
        std::function<uint64_t(const std::string&)> symbol;
    };
    /// All of them must outlive this.
    ForeignValues(ForeignTypes& types, const Formatters& formatters, Program program);

    bool owns(TypeId type) const override { return ForeignTypes::owns(type); }
    uint64_t sizeOf(TypeId type) const override { return types_.sizeOf(type); }
    std::string nameOf(TypeId type) const override { return types_.nameOf(type); }
    Row row(const Datum& datum, ShowOptions options) const override;
    std::vector<Child> children(const Datum& datum, llvm::StringRef evaluateName, Page page) const override;

    // ---- parts of values, for expressions
    /// The bytes of a value; nothing where they cannot be read.
    std::optional<std::vector<uint8_t>> bytes(const Datum& datum) const;
    /// An integer, a truth value, an enum or an address, as wide as its storage; signed ones are extended.
    std::optional<uint64_t> word(const Datum& datum) const;
    /// A member of a struct or a union, of any value in hand or in memory.
    Datum member(const Datum& whole, const ForeignMember& member) const;
    /// Writes a bit field, which was read from memory (Datum::bits).
    Result<void> assignBits(Datum& field, llvm::ArrayRef<uint8_t> value) const;

    /// Memory between two symbols of the formatters file, where the program has them.
    std::optional<std::pair<uint64_t, uint64_t>> bounds(const SymbolRange& range) const;

private:
    /// A child without its expression: what leads to it from one for the value.
    struct Part {
        std::string name, suffix;
        bool hasExpression = true;
        Datum datum;
    };
    struct View {
        std::string text;
        bool hasSummary = false;
        Presentation presentation;
        std::optional<uint64_t> target;
        Datum base; ///< of elements
        TypeId elem{};
        uint64_t elements = 0;
        std::vector<Part> parts;
    };
    View view(const Datum& datum, ShowOptions options, unsigned depth = 0) const;
    bool hasParts(TypeId id) const;
    View viewByType(const Datum& datum, ShowOptions options, unsigned depth) const;
    View plain(const Datum& datum, TypeId sxType, ShowOptions options) const;
    View number(const Datum& datum, ShowOptions options) const;
    View enumeration(const Datum& datum) const;
    View pointer(const Datum& datum, ShowOptions options, unsigned depth) const;
    View array(const Datum& datum, ShowOptions options) const;
    View structure(const Datum& datum, ShowOptions options) const;
    std::string textOf(const View& view, unsigned depth) const;
    std::string partText(const Datum& datum, unsigned depth) const;
    Part element(const View& view, uint64_t index) const;

    // ---- Special.cpp: by formatters
    std::optional<View> special(const Datum& datum, ShowOptions options, unsigned depth) const;
    std::optional<View> sentinel(const Datum& datum, unsigned width) const;
    std::optional<View> object(const Datum& datum, ShowOptions options, unsigned depth) const;
    std::optional<View> fatPointer(const Datum& datum, const Formatter& f, ShowOptions options, unsigned depth) const;
    std::optional<View> result(const Datum& datum, const Formatter& f, unsigned depth) const;
    std::optional<Datum> memberOf(const Datum& whole, const std::string& name) const;
    std::optional<uint64_t> wordAt(uint64_t address, unsigned width) const;
    bool scopeHasExited(uint64_t scope) const;
    void addHeader(View& view, uint64_t object) const;
    bool isInNursery(uint64_t address) const;
    void addRaw(View& view, const Datum& datum) const;

    ForeignTypes& types_;
    const Formatters& formatters_;
    Program program_;
    TypeId header_{}; ///< what stands in front of an object; None: nothing
};

} // namespace sx::debugger
