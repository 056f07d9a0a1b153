// The intermediate representation: what every machine runs.
//
// A Function is a list of basic blocks with parameters; an instruction defines at most one value, in SSA
// form. **Every SSA value is a scalar** (isScalar, types/Predicates.h): integer, float or pointer. Aggregates
// (structs, strings, slices, optionals, failable results, …) live in memory with the target's real layout and are
// handled by address: `copy`, `zero`, `offset`, `load` and `store` of their parts. So a machine needs registers for
// scalars and memory for the rest, nothing else.
//
// Calls. A parameter of aggregate type is passed as an address; the callee must not write through it and
// copies it into a slot if it needs its own (the caller keeps it unchanged until the callee has entered).
// A call whose result is an aggregate has the address of the destination as its first operand; a `ret` of
// one has the address of the value. The context is an ordinary first parameter where it exists.
//
// Positions: every instruction carries a span. `trace_frame` has no operands: the frame is its own span and
// enclosing function, and each machine derives the representation from its own context.
#pragma once

#include "source/Source.h"
#include "types/TypeTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sx::ir {

enum class FuncId : uint32_t { None = UINT32_MAX };
enum class GlobalId : uint32_t { None = UINT32_MAX };
enum class BlockId : uint32_t { None = UINT32_MAX };
enum class SlotId : uint32_t { None = UINT32_MAX };
/// Index of the defining instruction within its function.
enum class ValueId : uint32_t { None = UINT32_MAX };

/// The index that an identifier of the IR stands for.
constexpr uint32_t raw(ValueId v) { return static_cast<uint32_t>(v); }
constexpr uint32_t raw(BlockId b) { return static_cast<uint32_t>(b); }
constexpr uint32_t raw(SlotId s) { return static_cast<uint32_t>(s); }

/// Lexical scope within its function, for debug information; 0 is the function body.
using ScopeId = uint32_t;

/// A vector of 16 bytes.
template <typename T> using List = llvm::SmallVector<T, 0>;

/// What an instruction does; Ops.def says of each what its operands, its result and its `imm` are.
enum class Op : uint8_t {
#define IR_OP(name, text, operands, result, form, effect) name,
#include "ir/Ops.def"
};

/// How TraceLink ties chains; the C values.
enum class TraceLinkKind : uint32_t { Cause = 1, Attempt = 2 };

/// Bytes of a snapshot slot: at least sizeof(sx_trace_snapshot), which the back ends check.
constexpr uint64_t TraceSnapshotBytes = 896;
/// The word of it that is 0 where it is empty (the generation aside): its stack of chains.
constexpr uint64_t TraceSnapshotStack = 288;

enum class ICmpPred : uint8_t { Eq, Ne, SLt, SLe, SGt, SGe, ULt, ULe, UGt, UGe };
/// Ordered comparisons, except Ne, which is unordered (x != x is true for NaN).
enum class FCmpPred : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };
enum class AtomicOp : uint8_t { Add, Sub, And, Or, Xor, Min, Max, Swap };
enum class MemoryOrder : uint8_t { Relaxed, Acquire, Release, AcqRel, SeqCst };

/// Run-time failures; Panics.def says of each what its operands are.
enum class PanicKind : uint8_t {
#define PANIC(name, text, operands, message, isDropped) name,
#include "ir/Panics.def"
};

struct Instr {
    Op op{};
    uint8_t pred = 0;                            ///< ICmpPred, FCmpPred, MemoryOrder
    uint8_t targetCount = 0;                     ///< terminators
    bool unlikely = false;                       ///< CondBr: the true target is the cold one; Call: the callee is cold
    TypeId type{};                               ///< of the result; Void when there is none
    uint32_t operandStart = 0, operandCount = 0; ///< into Function::operands
    uint32_t targetStart = 0;                    ///< into Function::targets
    ScopeId scope = 0;
    uint64_t imm = 0;
    Span span;
    bool operator==(const Instr&) const = default;
};

/// A branch target with the arguments for its parameters.
struct Target {
    BlockId block{};
    uint32_t argStart = 0, argCount = 0;
    bool operator==(const Target&) const = default;
}; ///< args in Function::operands

struct SwitchCases {
    std::vector<uint64_t> values;
    bool operator==(const SwitchCases&) const = default;
}; ///< value i goes to target i + 1

struct Block {
    List<ValueId> instrs; ///< the last one is the terminator
    List<ValueId> params; ///< the BlockParam instructions
    bool cold = false;    ///< runs only when something failed
    bool operator==(const Block&) const = default;
};

/// A stack slot: a local variable, a parameter's own copy, or a temporary. One place per call of its function.
struct Slot {
    TypeId type{};
    Name name = Name::None; ///< None: a temporary
    Span span;              ///< of the declaring name
    ScopeId scope = 0;
    int32_t paramIndex = -1; ///< index into Function::params if it is a parameter's copy
    bool isVariable = false; ///< declared by the program: debuggers show it where its scope is
    uint64_t size = 0;       ///< bytes; set from the type, except for untyped storage (type None: trace snapshots)
    uint32_t align = 8;
    bool operator==(const Slot&) const = default;
};

/// A block of the source, or what follows the declaration of a variable in one: so a variable is visible from
/// its declaration on, and an instruction's scope says which of several variables of one name it sees.
struct Scope {
    ScopeId parent = 0;
    Span span;
    Span shownAt; ///< valid: the code was written elsewhere (a default, inserted text); debuggers show it here
    bool needsEntry = false; ///< what its code uses is set where it is entered: bindings, the context of a `push`
    bool operator==(const Scope&) const = default;
};

/// An operand of inline assembly. Outputs stand before inputs.
struct AsmOperand {
    enum class Kind : uint8_t { Out, InOut, In } kind{};
    std::string constraint; ///< as the code generator spells it, without `=` and `+`
    TypeId type{};          ///< a scalar
    bool operator==(const AsmOperand&) const = default;
};
/// A piece of inline assembly: `${0}` is the first operand in `text`, and `$$` a dollar.
struct AsmBlock {
    std::string text;
    std::vector<AsmOperand> operands;
    std::vector<std::string> clobbers;
    bool isVolatile = false;
    bool operator==(const AsmBlock&) const = default;
};

/// Where the code of a statement begins, for debuggers. Several may begin at one instruction, in the order in which
/// they run: a `return` that does nothing before the first `defer`.
struct Statement {
    ValueId first{}; ///< the instruction before which execution stands at the statement
    SourcePos begin;
    bool breakable = true; ///< false: a step stops here and a breakpoint does not, as at the next round of a `for`
    bool operator==(const Statement&) const = default;
};

/// What may happen to an error on its way.
enum class ErrorEventKind : uint8_t {
    Raise,     ///< a `raise` statement
    Propagate, ///< a `try` passes it on
    Absorb,    ///< `catch`, `or` or a variable takes it
    Unhandled, ///< it leaves the program's `main`
};

/// An instruction before which something has happened to an error, for debuggers.
struct ErrorEvent {
    ValueId at{};
    ErrorEventKind kind{};
    ValueId tag{}; ///< the error
    bool operator==(const ErrorEvent&) const = default;
};

/// A value that a closure keeps in its environment.
struct Capture {
    Name name = Name::None;
    TypeId type{};
    uint64_t offset = 0;
};

/// What a function does; empty where it has no body.
struct Code {
    List<Instr> instrs; ///< indexed by ValueId
    List<ValueId> operands;
    List<Target> targets;
    List<SwitchCases> switches;
    List<AsmBlock> assembly;
    List<Block> blocks; ///< block 0 is the entry (no parameters, no branch leads to it)
    List<Slot> slots;
    List<Scope> scopes;           ///< scope 0 is the body
    List<Statement> statements;   ///< in the order in which they were lowered
    List<ErrorEvent> errorEvents; ///< likewise
    bool operator==(const Code&) const = default;
};

struct Function : Code {
    std::string name;   ///< as a programmer writes it: `parse`, `Parser.next`, `max(i64)`, `main.lambda`
    std::string symbol; ///< link name, unique; for extern/export the C symbol, which any number of externs may have
    std::vector<TypeId> params; ///< the context (a pointer) first where it exists
    std::vector<Name> paramNames;
    TypeId result = TypeId::Void;
    CallConv conv = CallConv::Sx;
    bool isExtern = false;  ///< no body
    bool isExport = false;  ///< symbol visible outside
    bool cVariadic = false; ///< extern only
    bool noReturn = false;
    bool cold = false;
    bool compilerMade = false; ///< adapters, the entry wrapper: no line of the source
    bool hasContext = false;
    bool comptimeOnly = false;     ///< a service of the compiler: only compile-time code may call it
    bool errorIsValue = false;     ///< compile-time code that yields an error: none that escapes
    bool dead = false;             ///< nothing at run time reaches it: not emitted (set by markReachable)
    bool outOfLine = false;        ///< called where others may be inlined
    bool isNaked = false;          ///< nothing but its assembly: no frame, no return
    Span span;                     ///< of the declaration
    std::vector<Capture> captures; ///< of a closure: what its environment holds, in order
    SourcePos bodyStart;           ///< the `{` or the arrow's expression
    /// Its code while nobody needs it; then it has no other (PackedCode.h).
    std::vector<uint8_t> packed;

    const Instr& instr(ValueId v) const { return instrs[static_cast<uint32_t>(v)]; }
    /// In which a statement stands: its first code may be of a default, which was written elsewhere.
    ScopeId scopeOf(const Statement& s) const {
        ScopeId scope = instr(s.first).scope;
        while (scope != 0 && scopes[scope].shownAt.isValid()) scope = scopes[scope].parent;
        return scope;
    }
    llvm::ArrayRef<ValueId> operandsOf(const Instr& i) const {
        return {operands.data() + i.operandStart, i.operandCount};
    }
    llvm::ArrayRef<Target> targetsOf(const Instr& i) const { return {targets.data() + i.targetStart, i.targetCount}; }
    llvm::ArrayRef<ValueId> argsOf(const Target& t) const { return {operands.data() + t.argStart, t.argCount}; }
};

/// An address inside constant data.
struct Reloc {
    enum class Kind : uint8_t { Function, Global, TypeHandle } kind{};
    uint64_t offset = 0; ///< byte offset of the 8-byte word
    uint32_t id = 0;     ///< FuncId, GlobalId or TypeId
    int64_t addend = 0;
};
/// The bytes of a constant, with the addresses in it.
struct ConstData {
    std::vector<uint8_t> bytes; ///< what lies beyond them is zero
    std::vector<Reloc> relocs;
};

struct Global {
    std::string name;   ///< readable
    std::string symbol; ///< link name, unique but for externs
    TypeId type{};      ///< None: untyped data (string bytes, tables)
    uint64_t size = 0;
    uint32_t align = 1;
    ConstData init;
    bool isConst = false;
    bool isExtern = false;
    bool mergeable = false; ///< constant whose address does not matter (string literals)
    bool dead = false;      ///< nothing at run time uses it: not emitted (set by markReachable)
    Span span;
};

/// Assembly beside the functions; it may define symbols.
struct AsmText {
    std::string text;
    Span span;
};

/// A named scalar constant. Its uses hold its value: this is for debuggers.
struct NamedConstant {
    std::string name;
    TypeId type{};
    uint64_t bits = 0;
    Span span;
};

struct Module {
    explicit Module(TypeTable& types, const SourceManager& sources) : types(types), sources(sources) {}
    TypeTable& types;
    const SourceManager& sources;
    std::vector<std::unique_ptr<Function>> functions; ///< indexed by FuncId
    std::vector<Global> globals;                      ///< indexed by GlobalId
    std::vector<NamedConstant> constants;
    std::vector<AsmText> assembly;                    ///< at module scope, in order
    std::vector<std::string> libraries;               ///< `-l` names of `#library` handles in use
    bool recordsTraces = true;                        ///< false: `--no-traces` for interpreted code
    FuncId entry = FuncId::None;                      ///< the C `main(argc, argv)`, if the program has a main
    llvm::DenseMap<TypeId, GlobalId> typeDescriptors; ///< filled by finish(); a TypeHandle is this global's address
    TypeId typeInfo = TypeId::None;                   ///< the library's `TypeInfo`, once `type_info` is used
    llvm::DenseMap<TypeId, GlobalId> typeInfos;       ///< see ir/TypeInfo.h
    bool infosInDescriptors = false;                  ///< descriptors refer to the descriptions of their types
    /// The table that the trace runtime knows as sx_trace_error_names: a count, then strings indexed by tag id (0: "").
    /// There is one as soon as something uses it or an error has a name; filled by finish().
    GlobalId errorNames = GlobalId::None;
    static constexpr uint64_t ErrorNamesHeader = 8; ///< bytes before the strings
    GlobalId errorNameTable();                      ///< made on first use

    Function& fn(FuncId f) { return *functions[static_cast<uint32_t>(f)]; }
    const Function& fn(FuncId f) const { return *functions[static_cast<uint32_t>(f)]; }
    Global& global(GlobalId g) { return globals[static_cast<uint32_t>(g)]; }
    const Global& global(GlobalId g) const { return globals[static_cast<uint32_t>(g)]; }
};

} // namespace sx::ir
