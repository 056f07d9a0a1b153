// Works out what a value shows and what its children are. Private to debugger/inspect.
#pragma once

#include "debugger/inspect/Texts.h"
#include "debugger/inspect/Values.h"
#include "types/Layout.h"
#include "types/Parts.h"

namespace sx::debugger {

constexpr uint64_t LengthLimit = uint64_t{1} << 47;      ///< no program has more elements, or bytes
constexpr unsigned NestingLimit = 8;                     ///< values inside of values that are shown as one text
constexpr uint64_t SummaryParts = 8, SummaryBytes = 100; ///< of a struct, tuple, array or vector

/// Where the keys and values of a map of the library lie: in places from 0 on, which an array of marks may leave out.
struct MapEntries {
    TypeId key{}, value{};
    uint64_t keys = 0, values = 0;           ///< addresses of those in place 0
    uint64_t keyStride = 0, valueStride = 0; ///< bytes from place to place
    uint64_t marks = 0; ///< address of one byte a place, of which `Used` says that it is in use; 0: all are
    uint64_t places = 0;
    llvm::StringRef items, keyStep, valueStep; ///< what selects from the map: `.entries`, and from an item: `.value`
    static constexpr uint8_t Used = 128;
};

/// A value, seen through what stands around it: the payload of an optional shows as the optional's own parts.
struct View {
    enum class Kind : uint8_t {
        Plain,    ///< nothing to open
        Parts,    ///< of `base`, a struct, tuple or union
        Elements, ///< `count` values of type `elem`, from `base` on
        Captures, ///< of a closure, whose environment `base` is
        Results,  ///< the values of a failable result, which `base` is
        Pointee,  ///< `base`, as the one child
        Entries,  ///< `count` keys with their values, of a map
        Rows,     ///< nothing but `rows`
    };
    Kind kind = Kind::Plain;
    std::string text;
    bool hasSummary = false; ///< the parts or elements belong to the text: `{x: 1, y: 2}`
    bool isPointer = false;  ///< the text is an address, though the children are those of what it points at
    Presentation presentation;
    Datum base;
    TypeId elem{};
    uint64_t count = 0;
    MapEntries entries;
    uint64_t first = 0, wrap = 0; ///< elements of a ring of `wrap` places, from place `first` on; 0: of no ring
    /// Children after those of the kind. Their `evaluateName` is what selects them from the value: `.count`.
    std::vector<Child> rows;
    llvm::ArrayRef<ir::Capture> captures;
    std::optional<Datum> raw; ///< what the last child, `[raw]`, shows by its layout
    /// What leads from an expression for the value to one for what is opened: `!`, `.circle`; nothing where no
    /// expression does. From there to `base`: `.items`.
    std::optional<std::string> path = "";
    std::string step;
    std::optional<uint64_t> target; ///< the address that the value refers to

    static View of(std::string text) {
        View v;
        v.text = std::move(text);
        return v;
    }
};

/// Of a value whose bytes cannot be had.
View unreadable(const Datum& datum);
inline std::string nameText(const TypeTable& types, Name name) { return std::string(types.names().text(name)); }
inline Datum partOf(const TypeTable& types, const Datum& whole, uint64_t offset, TypeId type) {
    return whole.part(offset, type, sizeOf(types, type));
}

/// How far the marks of a map have been read: the next place to look at is that of entry `index`, or before it.
struct MapCursor {
    uint64_t marks = 0, index = 0, place = 0;
    uint64_t start = 0; ///< the place of the first byte in `bytes`
    std::vector<uint8_t> bytes;
};

class Reader {
public:
    Reader(const TypeTable& types, Memory& memory, Addresses& addresses, ShowOptions options)
        : types_(types), memory_(memory), addresses_(addresses), options_(options) {}

    View view(const Datum& datum);
    /// The whole text of a view.
    std::string textOf(const View& view);
    /// Children that are elements, and others.
    uint64_t indexedCount(const View& view) const;
    uint64_t namedCount(const View& view) const;
    /// A child by its number: elements first. `name` is an expression for the value, or empty.
    Child child(const View& view, llvm::StringRef name, uint64_t index);

private:
    friend class MapReader;
    /// Of a value inside of another: a chain of them ends.
    View viewInside(const Datum& datum);
    View viewByType(const Datum& datum);

    // ---- Scalars.cpp
    View integer(const Datum& datum);
    View floating(const Datum& datum);
    View boolean(const Datum& datum);
    View errorValue(const Datum& datum);
    View plainEnum(const Datum& datum);
    View pointer(const Datum& datum);
    View function(const Datum& datum);

    // ---- Texts.cpp
    View string(const Datum& datum);
    View cstring(const Datum& datum);
    std::string textAt(uint64_t address, int64_t length);

    // ---- Sequences.cpp
    View array(const Datum& datum);
    View slice(const Datum& datum);
    /// Says what is wrong with an address and a length, or nothing. Reads two bytes at most.
    std::string spanProblem(uint64_t address, int64_t length, uint64_t itemSize, const char* what);

    // ---- Variants.cpp
    View optional(const Datum& datum);
    View taggedEnum(const Datum& datum);
    View tuple(const Datum& datum);
    View failable(const Datum& datum);
    View structure(const Datum& datum);
    View closure(const Datum& datum);
    View parts(const Datum& datum);

    // ---- Erased.cpp: what says its type while the program runs
    View typeHandle(const Datum& datum);
    View erased(const Datum& datum);
    /// The name of the type with a descriptor, or nothing where there is none.
    std::optional<std::string> typeNameAt(uint64_t descriptor);

    // ---- Collections.cpp: types of the library that show their meaning
    std::optional<View> collection(const Datum& datum);
    View list(const Datum& datum);

    // ---- Children.cpp
    std::string summary(const View& view);
    std::string partText(const Datum& datum);
    Child part(const View& view, llvm::StringRef name, uint64_t index);

    // ---- bytes
    bool readAt(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
        return memory_.read(address, into) == into.size();
    }
    bool canRead(uint64_t address, uint64_t size);
    /// A part of a value, up to eight bytes, zero-extended; nothing where it cannot be read.
    std::optional<uint64_t> word(const Datum& datum, uint64_t offset = 0, uint64_t size = 8);
    /// The bits of a scalar.
    std::optional<uint64_t> scalar(const Datum& datum) { return word(datum, 0, sizeOf(types_, datum.type)); }

    const TypeTable& types_;
    Memory& memory_;
    Addresses& addresses_;
    ShowOptions options_;
    MapCursor cursor_;
    unsigned nesting_ = 0;
};

/// Maps of the library, by means of a reader (Maps.cpp).
class MapReader {
public:
    explicit MapReader(Reader& reader) : r_(reader) {}

    /// Nothing for other types.
    std::optional<View> view(const Datum& datum);
    Child entry(const View& view, llvm::StringRef base, uint64_t index);

private:
    View hashMap(const Datum& datum);
    View entriesView(MapEntries entries, int64_t count);
    /// The place of an entry by its number, or nothing where the marks have fewer.
    std::optional<uint64_t> usedPlace(const View& view, uint64_t index);

    Reader& r_;
};

/// Fibers, tasks, futures and channels of the library; nothing for other types (Concurrency.cpp).
std::optional<View> concurrencyView(const TypeTable& types, Memory& memory, Addresses& addresses, const Datum& datum);

} // namespace sx::debugger
