// What a value of the program refers to, by its type.
#pragma once

#include "debugger/inspect/Memory.h"
#include "debugger/objects/HeapGraph.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace sx::debugger::objects {

/// `used` values from number `first` on; number 0 follows the last one.
struct Ring {
    uint64_t first = 0, used = 0;
};

/// One reference of a value. What is at `target` is as the value's type says; nobody has looked yet.
struct Reference {
    uint64_t target = 0;
    TypeId type{};      ///< of what is there; None: not known
    uint64_t count = 1; ///< of values in a row; 0: as many as there is room for
    bool isRow = false; ///< it is a row, even if of one
    uint64_t mask = 0;  ///< of a row that is used in part: a byte for each value, from `MaskUsed` on if it is used
    const std::vector<ir::Capture>* captures = nullptr; ///< it is the environment of a closure
    std::optional<Ring> ring;                           ///< of a row of which this part is used
    uint32_t label = 0;                                 ///< a text: `.next`
    EdgeKind kind = EdgeKind::Field;
    EdgeKind within = EdgeKind::Index; ///< of a row: what leads on from its values
    bool isApproximate = false;        ///< the word may be no reference at all
};
constexpr uint8_t MaskUsed = 2; ///< library/modules/std/map.sx: EMPTY, DELETED, then used

class Scanner {
public:
    Scanner(const TypeTable& types, Addresses& addresses, Texts& texts)
        : types_(types), addresses_(addresses), texts_(texts) {}

    using Visit = llvm::function_ref<void(const Reference&)>;
    /// The references in a value of a type, whose bytes are laid out as in memory. `prefix` comes before each label.
    void scan(TypeId, llvm::ArrayRef<uint8_t> bytes, Visit, llvm::StringRef prefix = "");
    /// The same of the environment of a closure.
    void scanCaptures(const std::vector<ir::Capture>&, llvm::ArrayRef<uint8_t> bytes, Visit);
    /// A value of the type may refer to something.
    bool refers(TypeId t) { return !planOf(t).steps.empty(); }

private:
    struct Step {
        enum class Op : uint8_t {
            Pointer,
            Many,
            Slice,
            Text,
            CText,
            Closure,
            Erased,
            Optional, ///< `nested` is there if the byte at `extra` is not 0
            Tagged,   ///< `extra` is the tag's value, `count` the tag's size, `offset` that of the payload
            Array,    ///< of `count` `nested` values
            Map,      ///< `extra` is the offset of the mask, `count` of the capacity
            Ring,     ///< `extra` is the offset of the first, `count` of how many are used
            Words,    ///< of a union: `count` of them
        } op{};
        uint64_t offset = 0, extra = 0, count = 0, base = 0;
        TypeId type{};
        std::string path;
        uint32_t label = 0; ///< of the path alone
        EdgeKind kind = EdgeKind::Field;
    };
    struct Plan {
        std::vector<Step> steps;
    };

    const Plan& planOf(TypeId);
    void add(Plan&, TypeId, uint64_t offset, const std::string& path, EdgeKind);
    void addStruct(Plan&, TypeId, uint64_t offset, const std::string& path);
    bool addMap(Plan&, TypeId, uint64_t offset, const std::string& path);
    bool addRing(Plan&, TypeId, const StructField&, uint64_t offset, const std::string& path);
    void addEnum(Plan&, TypeId, uint64_t offset, const std::string& path);
    void put(Plan&, Step);
    void run(const Plan&, llvm::ArrayRef<uint8_t> bytes, Visit, llvm::StringRef prefix);
    void runNested(const Step&, llvm::ArrayRef<uint8_t> bytes, Visit, llvm::StringRef prefix);
    void runClosure(const Step&, llvm::ArrayRef<uint8_t> bytes, Visit, Reference);
    TypeId typeAt(uint64_t descriptor);

    const TypeTable& types_;
    Addresses& addresses_;
    Texts& texts_;
    std::map<TypeId, Plan> plans_;
    std::map<uint64_t, TypeId> descriptors_;
    std::map<uint64_t, std::vector<ir::Capture>> code_;
};

} // namespace sx::debugger::objects
