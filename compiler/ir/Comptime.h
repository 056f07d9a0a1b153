// What the checker needs of an interpreter, without knowing it: the driver supplies the implementation.
#pragma once

#include "ir/Ir.h"
#include "source/Result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sx::ir {

/// The outcome of a compile-time evaluation.
struct ComptimeResult {
    bool ok = false;
    ConstData value;   ///< the bytes of the result, pointers as relocations (new globals are added to the module)
    std::string error; ///< why it stopped: "division by zero", "index 4 out of range for length 3", …
    Span errorAt;      ///< position inside the evaluated code, if known
    struct Call {
        FuncId func;
        Span at;
    };
    std::vector<Call>
        calls; ///< where it stopped, innermost first, down to the evaluated function: without what is omitted
    uint64_t callsOmitted = 0;  ///< in the middle of `calls`, after its first half
    bool needsRejected = false; ///< it needed a function that was rejected: that is the message
    uint32_t errorTag = 0;      ///< an error escaped (`#run` of a failable, unless Function::errorIsValue): its tag id
    std::string trace;          ///< its return trace, rendered as traces.md 6
    bool exited = false;        ///< the code called process.exit
    int exitCode = 0;
};

/// What compile-time code may ask of the compiler's own tables, and build in them (generics.md 9.8 and 10). The checker
/// supplies it. Names and types are numbers of the program's tables; a type that is no type is TypeId::None.
class CompilerServices {
public:
    virtual ~CompilerServices() = default;

    virtual uint32_t intern(std::string_view text) = 0;
    virtual Result<std::string_view> textOf(uint32_t name) = 0;
    virtual TypeId findType(uint32_t name) = 0;   ///< by the name that it shows; None: there is none
    virtual Result<int64_t> typeKind(TypeId) = 0; ///< of generics.md 9.8
    virtual Result<uint32_t> typeName(TypeId) = 0;
    virtual Result<int64_t> fieldCount(TypeId) = 0;
    virtual Result<uint32_t> fieldName(TypeId, int64_t index) = 0;
    virtual Result<TypeId> fieldType(TypeId, int64_t index) = 0;
    virtual Result<int64_t> variantValue(TypeId, int64_t index) = 0;
    virtual TypeId pointerTo(TypeId) = 0;

    /// A type without parts; `announced` is the one that the code around the call already names, or None.
    virtual Result<TypeId> declareType(std::string_view name, TypeId announced) = 0;
    struct Member {
        std::string_view name;
        TypeId type;
    };
    /// Gives a declared type its parts. The result is the type to use.
    virtual Result<TypeId> registerType(TypeId handle, int64_t kind, llvm::ArrayRef<Member> members) = 0;
    /// The build's configuration: lists of texts by name (library/modules/build.sx).
    virtual void noteForBuild(std::string_view key, std::string_view value) = 0;
    virtual llvm::ArrayRef<std::string> buildNotes(std::string_view key) = 0;

    /// Keeps the program's own build step; `runner` takes nothing, calls it and returns what it returns.
    virtual void setBuildStep(FuncId step, FuncId runner) = 0;
    virtual FuncId buildStep() = 0; ///< None: there is none
    /// Compiles the program to an object, and gives its path.
    virtual Result<std::string> emitObject() = 0;
    /// Links what the configuration lists for it.
    virtual Result<void> link() = 0;

    /// The global of a string constant, with a NUL after its text.
    virtual GlobalId stringGlobal(std::string_view text) = 0;
};

class ComptimeEvaluator {
public:
    virtual ~ComptimeEvaluator() = default;
    /// For the services that evaluated code calls; null: there are none.
    CompilerServices* services = nullptr;
    /// Runs `f`, which takes the context (if it has one) and nothing else, and bakes its result. Functions are
    /// requested through `materialize` at their first call; it returns false if the function has errors.
    /// What the code writes to standard output is appended to `output`; null: written at once.
    virtual ComptimeResult evaluate(Module&, FuncId f, const std::function<bool(FuncId)>& materialize,
                                    std::string* output) = 0;
    /// Forgets what it knows of the module, which loses functions and globals. Not while `evaluate` runs.
    virtual void forget() = 0;
};

} // namespace sx::ir
