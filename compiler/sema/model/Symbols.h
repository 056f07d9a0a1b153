// Names and what they stand for, and the scopes that they are declared in.
#pragma once

#include "sema/model/Value.h"
#include "syntax/Ast.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sx::lower {
struct Body;
}

namespace sx::sema {

struct SourceFile;
struct Scope;
struct ProtocolTemplate;

enum class SymbolKind : uint8_t {
    Unresolved,      ///< module-scope or local declaration that was not asked for yet
    Error,           ///< its declaration was rejected; uses are unresolved or silent
    Local,           ///< variable, parameter, capture: storage in a function
    Constant,        ///< `constant`/`type`; an aggregate constant has `global`
    RuntimeConst,    ///< struct constant with a field that does not fold: initializer evaluated at every use
    Global,          ///< `global`, `type`
    Function,        ///< `function`
    Type,            ///< `type`
    GenericStruct,   ///< `structTemplate`
    GenericProtocol, ///< `protocolTemplate`
    Namespace,       ///< `module`
    Pack,            ///< `pack`
    Library,         ///< `#library` handle or named `#import c` unit
    Intrinsic,       ///< `size_of`, …: `decl` if the library declares it
};

/// What a local is, for the rules on assignment and their helps.
enum class LocalKind : uint8_t {
    Variable,
    Parameter,
    Const /* local `::` */,
    LoopElement,
    LoopRef /* (*x) */,
    LoopIndex,
    Payload,
    ErrorBinding,
    Capture,
    PackElement,
};

struct Symbol {
    Symbol(Name name, SymbolKind kind, Span nameSpan) : name(name), kind(kind), nameSpan(nameSpan) {}

    Name name;
    SymbolKind kind;
    bool isPrivate = false;
    bool resolving = false; ///< on the resolution stack: a second visit is a cycle
    bool isRead = false;    ///< some code looks at its value; of a namespace alias: at one of its members
    bool isCyclic = false;  ///< defined in terms of itself: reported once, uses are silent
    bool assigned = false;  ///< named result slots
    LocalKind localKind = LocalKind::Variable;
    uint32_t scopeLimit = 0; ///< declarations of `scope` up to this number are visible to it
    Span nameSpan;
    Symbol* aliasOf = nullptr;       ///< resolved alias: what it stands for
    const ast::Decl* decl = nullptr; ///< null for parameters, captures, variables
    SourceFile* file = nullptr;      ///< whose names its declaration sees
    Scope* scope = nullptr;          ///< scope that its declaration stands in; null: module scope of `file`

    TypeId type{};
    ir::GlobalId global = ir::GlobalId::None;
    const ConstValue* constantValue = nullptr; ///< of a constant; owned by the Sema arena
    FunctionTemplate* function = nullptr;
    StructTemplate* structTemplate = nullptr;
    ProtocolTemplate* protocolTemplate = nullptr;
    ModuleUnit* module = nullptr;
    PackInfo* pack = nullptr;

    // Local:
    const ast::Expr* frameArray = nullptr;   ///< it views an array of this call: the literal, or the name of the array
    lower::Body* owner = nullptr;            ///< the function whose local it is
    ErrorNode* errors = nullptr;             ///< of an error variable: union of what was stored
    ir::ValueId address = ir::ValueId::None; ///< of its storage (a SlotAddr); for LoopRef: slot of the pointer
    ir::SlotId slot = ir::SlotId::None;      ///< the same, where it is one of the function's own
    ir::SlotId snapshot = ir::SlotId::None;  ///< the trace an error variable carries (ErrorVariables.h)
    /// Of a `$` parameter of payload enum type: the tag, known while compiling; the value is not.
    std::optional<int64_t> variant;
    const ast::Expr* initializer = nullptr; ///< of a variable without a written type
    SourcePos visibleFrom;                  ///< from there on code sees it; invalid: everywhere in its scope

    /// What it stands for while compiling; of kind None where there is nothing.
    const ConstValue& constant() const {
        static constexpr ConstValue None;
        return constantValue ? *constantValue : None;
    }

    /// `NAME :: #import …`
    bool isNamespaceAlias() const {
        return decl && (decl->kind == ast::DeclKind::Import || decl->kind == ast::DeclKind::ImportC);
    }
};

/// One lexical scope. Nested functions and generic bodies keep pointing at the scope they were declared in: those that
/// one of them may point at live as long as the analysis, others as long as their function is lowered. Entries are
/// numbered in order of declaration over the whole compilation, so that a nested function sees only what stood before
/// it.
struct Scope {
    Scope(Scope* parent, SourceFile* file) : parent(parent), file(file), owner(parent ? parent->owner : nullptr) {}

    Scope* parent;
    SourceFile* file;   ///< module scope to continue in when the chain ends
    lower::Body* owner; ///< the function it belongs to; null: type parameters of a struct or function
    /// Crossing it outwards leaves a function: locals beyond are captures (lambda) or errors (nested function).
    bool isFunctionBoundary = false;
    bool isLambda = false;
    bool isKept = false; ///< what outlives the function may look names up in it
    /// Entries of the scopes around this one count only below this number: the envLimit, on the parameter scope of a
    /// nested function.
    uint32_t outerLimit = UINT32_MAX;
    struct Entry {
        Name name;
        uint32_t number;
        Symbol* symbol;
    };
    llvm::SmallVector<Entry, 2> entries;
    llvm::DenseMap<Name, llvm::SmallVector<uint32_t, 1>> index; ///< built when a scope grows beyond 16 entries
};

} // namespace sx::sema
