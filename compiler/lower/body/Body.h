// The state of one function body while it is checked and lowered to IR, in one walk over its tree.
//
// Logic is free functions over it, declared in headers beside their sources. Conventions of all of them:
//  * `lowerX` checks and emits; errors are reported once and come back as Value::error() (or false).
//  * `target` is the expected type (None: none). A result is NOT yet converted to it: callers that need a value of a
//    type use `lowerTo`, which converts. Literals, `.x`, `.{}`, `.[]`, null, lambdas, if/match/block take it.
//  * `dest` is a hint: an address of storage of type `target` that nothing else sees yet. An aggregate
//    result of exactly that type may be built there; it is then returned with id == dest.
//  * Aggregates are addresses (Value::Memory); a temporary is written by no other code.
//  * Code after a diverging construct is still checked; it is emitted to unreachable blocks that are removed.
#pragma once

#include "ir/ParameterList.h"
#include "lower/body/Locals.h"
#include "sema/Sema.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace sx::lower {

using namespace sx::sema;
using ir::BlockId;
using ir::ValueId;

/// The result of the function, and what is known of it so far.
struct Result {
    TypeId type{};         ///< declared or inferred so far; None: not known yet
    bool inferred = false; ///< takes the type of the first `return value;`
    bool isFailable = false;
    TypeId success{};            ///< Void for a pure failable
    TypeId errorSet{};           ///< its named set, or InferredErrors
    ErrorNode* errors = nullptr; ///< of a bare-`!` function or lambda
    std::vector<Symbol*> slots;  ///< named result slots
    /// The expressions and statements after which control does not go on, where there are slots.
    llvm::DenseSet<const void*> leaving;
    llvm::DenseMap<const ast::Stmt*, llvm::ArrayRef<ast::Stmt*>> inserted; ///< what stands in place of each `#insert`
    ir::SlotId storage = ir::SlotId::None; ///< of an aggregate result, made on first use
    /// What can be the value of the expression being returned, with the span of the `return`: errors leave from there.
    llvm::DenseMap<const ast::Expr*, Span> returned;
    /// The `if`s and matches whose value is that of the function, which may have none.
    llvm::DenseSet<const ast::Expr*> mayYieldNothing;
};

/// How the expression that is being lowered is read, which depends on what stands around it.
struct Modes {
    Span operation;             ///< innermost enclosing call, or the statement
    bool addressWanted = false; ///< parts of constants are read where they lie, not folded
    bool castOperand = false;   ///< literal range checks are off (`xx`, `.(T)`)
    bool inCleanup = false;     ///< the body of a `defer` or `onfail`
    bool voidIsValue = false;   ///< a `void` field or element takes an empty block
    bool counting = false;      ///< of a scratch body: its value is a count (generics.md 9.2)
    Span defaultOfCall;         ///< while a parameter default is lowered: the call that omits it (`#caller_location`)
    const ast::Expr* outermostCall = nullptr;
    /// An operand of a comparison: a variant there is its tag, without a payload.
    const ast::Expr* tagOperand = nullptr;
    const ast::Expr* bareEnd = nullptr; ///< at the end of a `#run` block: may be a failable that nothing marks
    /// The expressions of other declarations that are being lowered here (lowerInScope), outermost first.
    llvm::SmallVector<const ast::Expr*, 4> fromOtherScopes;
};

/// What is known of optionals here (types.md 11.5).
struct Narrowing {
    llvm::SmallPtrSet<Symbol*, 4> present; ///< proven present
    /// Those that were assigned, in the order of lowering: what a stretch of code assigned is the end of the list.
    std::vector<Symbol*> reassigned;
};

/// A loop that `break` and `continue` may leave.
struct Loop {
    BlockId breakTo, continueTo;
    size_t cleanupDepth, handlerDepth;
};

/// A registered cleanup. `scope` is where its body resolves names.
struct Cleanup {
    const ast::Stmt* stmt;
    Scope* scope;
    uint32_t limit;
    ValueId context;
    ir::ScopeId blockScope;                 ///< of the builder: the variables that its code sees
    llvm::SmallPtrSet<Symbol*, 4> narrowed; ///< where it was registered, and not assigned after that
};

/// The cleanups that are pending, outermost first.
struct Cleanups {
    std::vector<Cleanup> stack;
    /// Shared error exits by the depth of the stack: blocks with the tag as parameter. Invalid once the stack changes.
    std::vector<std::pair<size_t, BlockId>> errorExits;
};

/// An error that is in flight around the expression being lowered: handled by a `catch`, or of the operands of an
/// `or` chain that have failed before this one. `link` ties what leaves to it.
struct Handler {
    Symbol* binding;
    size_t cleanupDepth;
    ir::TraceLinkKind link = ir::TraceLinkKind::Cause;
};

/// A variable of an outer function and the private copy that a lambda has of it.
struct Capture {
    Symbol* outer;
    Symbol* inner;
    uint64_t offset; ///< bytes, in the environment
    Span used = {};  ///< of a question: where it names the variable first
};

/// An assignment to a private copy.
struct CaptureWrite {
    Symbol* copy;
    Span statement;
};

/// What a lambda captures; filled while its body is lowered. Block 0 of a lambda stays open (no terminator) until its
/// body is done: `capture` puts the copy's SlotAddr there, so that it dominates every use, and appends to `list` with
/// the offset in the environment (aligned for the type, ascending); `lowerLambda` then fills the slots from the
/// environment at the end of block 0 and branches to the body.
struct Captures {
    std::vector<Capture> list;
    ValueId environment = ValueId::None;
    std::vector<CaptureWrite> writes; ///< what the lambda assigns of its private copies
};

/// What one function knows of its error variables (ErrorVariables.h).
struct ErrorVariables {
    llvm::DenseSet<Name> leaving;   ///< names of variables whose value may be raised or returned
    llvm::DenseSet<Name> pointedTo; ///< names of variables whose address is taken
    bool mayHoldHandled = false;    ///< a handler's binding may reach one of them
    /// Ends of branches that such a variable takes its value from: their failables are captured there.
    llvm::DenseMap<const ast::Expr*, Symbol*> ends;
    std::vector<Symbol*> kept; ///< variables that the error of a call was stored in
};

/// Answers that an expression gives once, though it may be lowered again to learn its type.
struct Memo {
    std::map<std::pair<const ast::Run*, const Scope*>, Value> runs;         ///< `#run` expressions, by place
    std::map<std::pair<const ast::Expr*, const Scope*>, TypeId> builtTypes; ///< what `buildType` made, by place
    llvm::DenseMap<const ast::Expr*, TypeId> probed;                        ///< of `probeType`
};

struct Body {
    /// `locals`: where its scopes and variables are made; null: they live as long as the analysis.
    Body(Sema&, ir::Function&, SourceFile&, Scope* scope, FunctionInstance*, Locals* locals = nullptr);
    Body(const Body&) = delete;

    Sema& sema;
    ir::Module& module;
    TypeTable& types;
    Diagnostics& diags;
    ir::Function& fn;
    ir::Builder b;
    Locals* const locals;            ///< null: of the analysis (newLocalScope, newLocal)
    SourceFile& file;                ///< whose names the code sees
    FunctionInstance* instance;      ///< null: lambda body, scratch, compiler-made
    Body* parent = nullptr;          ///< of a lambda: the function it is written in
    const ast::Expr* tree = nullptr; ///< the body, for what is asked of all of it
    std::string name;                ///< readable name of the function
    llvm::SmallVector<FileId, 1> insertedTexts;
    bool insertFailed = false; ///< what a text would have declared is unknown
    uint32_t lambdaCount = 0;
    bool isLambda = false, isComptimeScratch = false;
    bool asks = false; ///< answers a question about another body (Place.h)
    /// Then, where code is made for it: a block with the address of each variable of that body in `captures`.
    ValueId places = ValueId::None;
    const bool warns; ///< the code stands in a file of the program

    Scope* scope; ///< innermost
    uint32_t scopeLimit = UINT32_MAX;
    ValueId context = ValueId::None; ///< address of the current context; changes inside `push`

    Result result;
    Modes modes;
    Narrowing narrowing;
    std::vector<Loop> loops;
    Cleanups cleanups;
    std::vector<Handler> handlers; ///< outermost first
    Captures captures;
    ErrorVariables errorVariables;
    ir::ParameterList parameters; ///< for the values in traces
    Memo memo;

    bool reachable() const { return !b.terminated(); }
    /// The file whose names the code being lowered sees: that of the innermost scope (see lowerInScope).
    SourceFile& currentFile() const { return scope && scope->file ? *scope->file : file; }
};

/// A scratch body for constant evaluation: no function instance, no parameters but the context.
std::unique_ptr<Body> scratch(Sema&, ir::Function&, SourceFile&, Scope*);
/// Empties the function of a scratch body when its evaluation is over: nothing runs or emits it again.
struct ScratchGuard {
    ir::Function& fn;
    ~ScratchGuard();
};
/// Sets the result type of the function being lowered. Its instance takes the type if it has none yet, and keeps the
/// first one.
void setResultType(Body&, TypeId);
/// Closes the last block, removes dead blocks, and puts the code away where nothing is made of the program.
void finishFunction(Body&);

} // namespace sx::lower
