// Checks one function body and emits its IR, in one walk over the tree.
//
// Conventions of all members:
//  * `lowerX` checks and emits; errors are reported once and come back as Value::error() (or false).
//  * `target` is the expected type (None: none). A result is NOT yet converted to it: callers that need a value of a
//    type use `lowerTo`, which converts. Literals, `.x`, `.{}`, `.[]`, null, lambdas, if/match/block take it.
//  * `dest` is a hint: an address of storage of type `target` that nothing else sees yet. An aggregate
//    result of exactly that type may be built there; it is then returned with id == dest.
//  * Aggregates are addresses (Value::Memory); a temporary may be written by nobody else.
//  * Code after a diverging construct is still checked; it is emitted to unreachable blocks that are removed.
#pragma once

#include "sema/ErrorVariables.h"
#include "sema/Sema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace sx::sema {

using ir::BlockId;
using ir::ValueId;

class FunctionLowering {
public:
    FunctionLowering(Sema&, ir::Function&, SourceFile&, Scope* scope, FunctionInstance*);
    /// A scratch body for constant evaluation: no function instance, no parameters but the context.
    static std::unique_ptr<FunctionLowering> scratch(Sema&, ir::Function&, SourceFile&, Scope*);

    // ================================================================ state
    Sema& sema;
    ir::Module& module;
    TypeTable& types;
    Diagnostics& diags;
    ir::Function& fn;
    ir::Builder b;
    SourceFile& file;                   ///< whose names the code sees
    FunctionInstance* instance;         ///< null: lambda body, scratch, compiler-made
    FunctionLowering* parent = nullptr; ///< of a lambda: the function it is written in
    Scope* scope;                       ///< innermost
    uint32_t scopeLimit = UINT32_MAX;
    ValueId context = ValueId::None; ///< address of the current context; changes inside `push`
    std::string name;                ///< readable name of the function
    uint32_t lambdaCount = 0;

    TypeId resultType{};         ///< declared or inferred so far; None: not known yet
    bool resultInferred = false; ///< takes the type of the first `return value;`
    bool isFailable = false;
    TypeId successType{};           ///< Void for a pure failable
    TypeId errorSet{};              ///< its named set, or InferredErrors
    ErrorNode* errorNode = nullptr; ///< of a bare-`!` function or lambda
    bool isLambda = false, isComptimeScratch = false, inCleanup = false;
    std::vector<Symbol*> resultSlots; ///< named result slots
    Span currentOperation;            ///< innermost enclosing call, or the statement
    bool addressWanted = false;       ///< parts of constants are read where they lie, not folded
    bool castOperand = false;         ///< literal range checks are off (`xx`, `.(T)`)
    Span defaultOfCall; ///< while a parameter default is lowered: the call that omits it (`#caller_location`)
    const ast::Expr* outermostCall = nullptr;
    llvm::SmallPtrSet<Symbol*, 4> narrowed; ///< optionals proven present here (types.md 11.5)
    /// Optionals that were assigned, in the order of lowering: what a stretch of code assigned is the end of the list.
    std::vector<Symbol*> reassigned;
    const ast::Expr* tagOperand =
        nullptr; ///< an operand of a comparison: a variant there is its tag, without a payload

    struct Loop {
        BlockId breakTo, continueTo;
        size_t cleanupDepth, handlerDepth;
    };
    std::vector<Loop> loops;

    /// A registered cleanup. `scope` is where its body resolves names.
    struct Cleanup {
        const ast::Stmt* stmt;
        Scope* scope;
        uint32_t limit;
        ValueId context;
        ir::ScopeId blockScope;                 ///< of the builder: the variables that its code sees
        llvm::SmallPtrSet<Symbol*, 4> narrowed; ///< where it was registered, and not assigned behind that
    };
    std::vector<Cleanup> cleanups;
    /// Shared error exit for the current cleanup stack: block with the tag as parameter. Invalidated when `cleanups`
    /// changes.
    std::vector<std::pair<size_t, BlockId>> errorExits;

    /// An error that is in flight around the expression being lowered: handled by a `catch`, or of the operands of an
    /// `or` chain that have failed before this one. `link` ties what leaves to it; `number` tells handlers apart.
    struct Handler {
        Symbol* binding;
        size_t cleanupDepth;
        uint32_t number = 0;
        ir::TraceLinkKind link = ir::TraceLinkKind::Cause;
    };
    std::vector<Handler> handlers;

    // lambda captures: outer symbol -> private copy; filled while the body is lowered. Block 0 of a lambda stays
    // open (no terminator) until its body is done: `capture` puts the copy's SlotAddr there, so that it dominates
    // every use, and appends to `captures` with the offset in the environment (aligned for the type, ascending);
    // lowerLambda then fills the slots from the environment at the end of block 0 and branches to the body.
    struct Capture {
        Symbol* outer;
        Symbol* inner;
        uint64_t offset;
    };
    std::vector<Capture> captures;
    ValueId environment = ValueId::None;
    ir::SlotId resultStorage = ir::SlotId::None;                    ///< of an aggregate result, made on first use
    std::map<std::pair<const ast::Run*, const Scope*>, Value> runs; ///< `#run` expressions evaluated so far, by place
    std::map<std::pair<const ast::Expr*, const Scope*>, TypeId> builtTypes; ///< what `buildType` made, by place
    TypeId comptimeType{};           ///< type of what evaluateComptime returned last
    const ast::Expr* tree = nullptr; ///< the body, for what is asked of all of it
    ErrorVariables errorVariables;   ///< which variables carry their trace
    /// What can be the value of the expression being returned, with the span of the `return`: errors leave from there.
    llvm::DenseMap<const ast::Expr*, Span> returned;
    bool counting = false;              ///< of a scratch body: its value is a count (generics.md 9.2)
    const ast::Expr* bareEnd = nullptr; ///< at the end of a `#run` block: may be a failable that nothing marks
    llvm::SmallVector<const ast::Expr*, 4> elsewhere; ///< what lowerElsewhere is at, one inside another

    // ================================================================ what warnings ask (docs/warnings.md)
    const bool warns;                ///< the code stands in a file of the program
    std::vector<Symbol*> keptErrors; ///< that the error of a call was stored in
    struct CaptureWrite {
        Symbol* copy;
        Span statement;
    };
    std::vector<CaptureWrite> captureWrites; ///< of a lambda: what it assigns of its private copies
    void noteMentioned(const ast::Expr*);    ///< the code is not lowered here: what it names may be read
    void noteMentioned(llvm::ArrayRef<ast::Stmt*>);
    ValueId
    storageOf(ValueId part) const; ///< the address that a part's is made from; a pointer on the way leads elsewhere
    void noteWrite(const Value& place, Span statement);
    void warnOfUnreadErrors();
    void warnOfLostWrites(const ast::Expr* body);
    void warnOfNoEffect(const ast::Expr*,
                        size_t firstInstr); ///< Effects.cpp: `firstInstr`: what it was lowered to begins there
    /// FrameArrays.cpp. An array of this call that a value of `type` made by `e` is a view of: its literal or name.
    /// Null: none.
    const ast::Expr* frameArrayOf(const ast::Expr* e, TypeId type, bool arraysCount = true);
    void warnOfLeavingArray(const ast::Expr* value, TypeId type, std::string_view how);
    void warnOfReturned(const ast::Expr*); ///< a `return e` or trailing expression
    void noteInitializer(const ast::VarStmt&);
    void noteStored(const Value& place, const ast::Expr* target, const ast::Expr* value);

    // ================================================================ Body.cpp, Return.cpp: whole functions
    bool lowerFunction();                      ///< body of `instance`
    void bindParameters();                     ///< copies run-time parameters into slots and declares them
    void finishFunction();                     ///< closes the last block, removes dead blocks
    void lowerBody(const ast::FunctionDecl&);  ///< value rules of language 3.8, errors.md 1
    bool lowerNaked(const ast::FunctionDecl&); ///< the assembly that is all of a function (Assembly.cpp)
    void declareResultSlots(const ast::FunctionDecl&);
    void setResultType(TypeId); ///< of the function being lowered; also known as inferred from now on
    bool reachable() const { return !b.terminated(); }
    ValueId resultAddress();                     ///< of the aggregate result under construction
    bool sameSlot(ValueId a, ValueId c) const;   ///< both are the address of one slot
    void emitReturn(const Value& v, Span at);    ///< v has the success type (ignored if that is void)
    void emitErrorReturn(ValueId tag);           ///< sets the error slot and returns; no cleanups
    void returnValue(const ast::Expr*, Span at); ///< `return e`, a trailing expression, an arrow body
    void returnList(llvm::ArrayRef<ast::ReturnElem>, Span at);
    void forward(const Value& failable, const ast::Expr*, Span at); ///< errors.md 10.2
    void returnTag(const Value& error, const ast::Expr*,
                   Span at); ///< `return error.X`, `return err`; the value slots are stored
    /// Lowers what may be returned. A failable, an error or the full form leaves the function there; else its value
    /// comes back.
    Value lowerReturned(const ast::Expr*, TypeId target, ValueId dest, Span at);
    /// The end of a branch whose value is needed; failables as for `lowerReturned` if the branch belongs to what is
    /// returned.
    Value lowerResult(const ast::Expr*, TypeId target, ValueId dest);
    bool isForwarded(const Value&) const; ///< in a failable function: passed on whole, not the success value
    void markReturned(const ast::Expr*, Span at);
    bool isErrorOperand(const ast::Expr*);
    bool returnFullForm(const ast::StructLit&, Span at);    ///< `return .{v, error.Tag}`
    void returnSlots(Span at);                              ///< named result slots
    void leaveTo(size_t cleanupDepth, size_t handlerDepth); ///< cleanups and handlers on a way out without an error

    // ================================================================ Values.cpp: values and storage
    /// The value of an expression where a value is needed: an unmarked value-carrying failable is rejected
    /// (errors.md 8.1), a pure one becomes its error value (and its chain is dropped on the failing path).
    Value lower(const ast::Expr*, TypeId target = TypeId::None, ValueId dest = ValueId::None);
    /// The dispatch over expression kinds. A failable call comes back with `unmarkedFailable` set: only for
    /// try, catch, or, return, destructuring and statements, which give the mark.
    Value lowerUnmarked(const ast::Expr*, TypeId target = TypeId::None, ValueId dest = ValueId::None);
    Value dispatchExpr(const ast::Expr*, TypeId target, ValueId dest);
    /// Lowers and converts to `type`; errors at the expression. Error value on failure.
    Value lowerTo(const ast::Expr*, TypeId type, ValueId dest = ValueId::None);
    /// Lowers, converts and stores at `dest`. False on failure.
    bool lowerInto(const ast::Expr*, TypeId type, ValueId dest);
    ValueId scalar(const Value&);           ///< SSA value of a scalar (loads, materialises constants)
    ValueId addressOf(const Value&);        ///< address; spills scalars and constants to a temporary
    void store(ValueId dest, const Value&); ///< of the value's own type
    Value load(const Value&);               ///< an rvalue: scalars loaded, aggregates as they are
    Value copyToTemp(const Value&);         ///< private copy of an aggregate
    Value temp(TypeId, ValueId dest = ValueId::None, std::string_view name = {}); ///< fresh slot (or dest)
    Value fieldOf(const Value& aggregate, uint64_t offset, TypeId);               ///< place or temporary at an offset
    Value zeroValue(TypeId);                                                      ///< all-zero
    void storeDefault(TypeId, ValueId dest);                                      ///< `v : T;` (types.md 7.2)
    Symbol* declareLocal(const ast::Ident&, TypeId, LocalKind, ValueId address);  ///< into `scope`
    Symbol* newVariable(const ast::Ident&, TypeId, LocalKind = LocalKind::Variable); ///< with a slot
    ValueId i64(int64_t);
    ValueId callRuntime(const char* symbol, TypeId result, llvm::ArrayRef<TypeId> params, llvm::ArrayRef<ValueId> args,
                        bool noReturn = false);
    Value stringValue(llvm::StringRef);
    bool requireValue(Value&, Span at); ///< reports a Void/namespace/generic where a value is needed
    bool isConstantEvaluable(const Value&) const;
    void checkIndex(ValueId index, ValueId length, Span at);
    struct ScopeGuard; ///< a lexical scope with its cleanups, defined below
    Scope* pushScope(Span);
    void popScope(Scope* saved);
    /// The file whose names the code being lowered sees: that of the innermost scope (see lowerElsewhere).
    SourceFile& currentFile() const { return scope && scope->file ? *scope->file : file; }
    Sema::TypeContext typeContext(bool quiet = false); ///< where a type expression written here is read
    /// What an operator works on: the element of a `(*x)` capture, the payload of a narrowed name, the pointer of a
    /// named function. Error after a report if there is no value.
    Value operandOf(const Value&, Span at);
    Value elementOf(const Value&); ///< the element behind a `(*x)` capture; any other value as it is
    /// Like `lower`, except that a compile-time float stays one at an integer target (operands of arithmetic).
    Value lowerOperand(const ast::Expr*, TypeId target);
    /// Lowers into blocks that are thrown away, to learn type and kind of an expression that is evaluated later.
    /// Errors are reported (a second, real lowering repeats them to no effect). Only type, kind and flags count.
    Value dryRun(const ast::Expr*, TypeId target = TypeId::None);
    Value lowerRun(const ast::Run&, TypeId target);    ///< `#run e` inside a body
    Value lowerAsm(const ast::AsmExpr&, ValueId dest); ///< Assembly.cpp
    Value valueOfConstant(TypeId, const ConstValue&);  ///< the value of a folded constant: Const, TypeName or data

    // ================================================================ Conversions.cpp
    /// Implicit conversion (types.md 16.1). `at`: where an error points; `op`: the current operation for the rows that
    /// point there.
    Value convert(const Value&, TypeId to, Span at, ValueId dest = ValueId::None);
    bool convertible(const Value&, TypeId to); ///< without emitting or reporting
    Value castTo(const Value&, TypeId to, Span at, bool isXx, ValueId dest = ValueId::None); ///< `xx`, `.(T)`
    Value wrapOptional(const Value&, TypeId optional, ValueId dest = ValueId::None);
    /// Common type of value-if and match arms (types.md 15); None: they do not unify.
    TypeId unify(const Value& a, TypeId other);
    void conversionError(const Value&, TypeId to, Span at);
    void reportConversion(const Value&, TypeId to, Span at);
    /// A scalar as another scalar type: numbers by value (narrowing keeps the low bits), anything else by its bits.
    ValueId castScalar(ValueId, TypeId from, TypeId to);
    /// `castTo` with the operand's own span, for the rules that point there.
    Value explicitConversion(const Value&, TypeId to, Span whole, Span operand, bool isXx,
                             ValueId dest = ValueId::None);
    bool userConversion(const Value&, TypeId to, Span whole, Span operand, ValueId dest,
                        Value& out); ///< `impl Into(T)`; false: there is none
    /// Folds a compile-time float at an integer target, or reports that it is not integral (at its expression).
    Value settleFloat(const Value&, TypeId target, Span at);
    Value lowerXx(const ast::Unary&, TypeId target, ValueId dest);
    Value lowerCast(const ast::Cast&, TypeId target, ValueId dest);

    // ================================================================ Literals.cpp, Names.cpp
    Value lowerInt(const ast::IntLit&, TypeId target, bool negated = false, Span at = {});
    Value lowerFloat(const ast::FloatLit&, TypeId target);
    Value lowerName(const ast::NameRef&, TypeId target);
    Value valueOfSymbol(Symbol*, Span at, bool crossesFunction);
    Value capture(Symbol* outer, Span at); ///< inside a lambda: the private copy
    Value lowerEnumLit(const ast::EnumLit&, TypeId target);
    Value lowerErrorTag(const ast::ErrorTag&, TypeId target);
    Value callerLocation(Span call, TypeId target);
    Value contextMissing(); ///< reports that the program has no context
    Value lowerNull(TypeId target);
    Value lowerUndef(Span, TypeId target);                      ///< `---`
    Value lowerTypeParam(const ast::TypeParam&, TypeId target); ///< `$args`, `$args[0]`
    Value localValue(Symbol*);                                  ///< of a local of this very function
    Value targetConstant(std::string_view name); ///< OS, ARCH, POINTER_SIZE; Error (silently) for another name
    /// The symbol of an intrinsic or of a library declaration that needs no import; null if there is none.
    Symbol* libraryName(std::string_view name);

    // ================================================================ Operators.cpp, Compare.cpp
    Value lowerUnary(const ast::Unary&, TypeId target, ValueId dest);
    Value lowerBinary(const ast::Binary&, TypeId target, ValueId dest);
    Value arithmetic(ast::BinaryOp, Value lhs, Value rhs, const ast::Expr* lhsExpr, const ast::Expr* rhsExpr,
                     Span whole, Span op);
    Value lowerCompareChain(const ast::CompareChain&);
    Value compare(ast::BinaryOp, Value lhs, Value rhs, Span lhsAt, Span rhsAt, Span whole);
    ValueId equalValues(const Value&, const Value&, Span lhsAt, Span rhsAt); ///< same type, recursively
    Value lowerComparison(const ast::Binary&);
    Value lowerMembership(const ast::Binary&); ///< `v in t`
    Value negate(const Value&, Span operand, Span whole);
    /// One operation on scalars of one type, with the run-time checks of `/` and `%` (`op`: where they panic).
    ValueId emitArithmetic(ast::BinaryOp, TypeId, ValueId, ValueId, Span op);
    /// Keeps the value that an operand has now: scalars are loaded, aggregates copied unless `next` (if given) cannot
    /// change them.
    Value hold(const Value&, const ast::Expr* next);
    Value lowerLogic(const ast::Binary&); ///< and, or (logical)
    /// A condition (language 4.5) as an i1; None after a report.
    ValueId lowerCondition(const ast::Expr*);
    ValueId conditionOf(const Value&, Span at);
    /// Branches on a condition, short-circuiting, with narrowing facts for both sides.
    struct Facts {
        llvm::SmallVector<Symbol*, 2> presentIfTrue, presentIfFalse;
        void forget(llvm::ArrayRef<Symbol*> assigned) {
            auto isAssigned = [&](Symbol* s) { return llvm::is_contained(assigned, s); };
            llvm::erase_if(presentIfTrue, isAssigned);
            llvm::erase_if(presentIfFalse, isAssigned);
        }
    };
    void lowerBranch(const ast::Expr* cond, BlockId ifTrue, BlockId ifFalse, Facts&);
    /// Decides a constant condition without emitting (4.7, modules-and-comptime 4.3). nullopt: run time.
    std::optional<bool> foldCondition(const ast::Expr*, bool inlineIf);

    // ================================================================ Access.cpp
    Value lowerMember(const ast::Member&, TypeId target);
    Value memberOf(const Value& base, Name, Span nameSpan,
                   Span whole); ///< field, lane, tuple slot, `.len`, property, static
    Value lowerIndex(const ast::Index&);
    Value lowerSlice(const ast::SliceExpr&);
    Value lowerDeref(const ast::Deref&);
    Value lowerAddressOf(const ast::Unary&, TypeId target);
    /// An assignable place; reports the rules of language 3.4, 5.1 (`at`: the target; `statement`: whole statement).
    Value lowerPlace(const ast::Expr*, Span statement);
    bool checkAssignable(const Value& place, const ast::Expr* target, Span statement);
    /// Assigns through a property setter if the target is one.
    /// (Its base is looked at by a dry run.) `handled`: it is a property; then the result is false after a report.
    bool assignProperty(const ast::Expr* target, const ast::Expr* value, const std::optional<ast::BinaryOp>& op,
                        bool& handled, Span statement);

    // ================================================================ Optionals.cpp
    Value lowerUnwrap(const ast::Unwrap&);
    Value lowerCoalesce(const ast::Binary&, TypeId target, ValueId dest);
    Value lowerOptionalChain(const ast::Member&);
    ValueId isPresent(const Value& optional); ///< i1
    Value payloadOf(const Value& optional);   ///< place/temporary of the payload, unchecked
    Value nullOptional(TypeId optional, ValueId dest = ValueId::None);
    Value
    unwrapFor(const Value&,
              TypeId target); ///< the payload of a narrowed name that ends a branch, where the target is no optional
    Value narrowedValue(const Value&); ///< the payload if the name is narrowed, else the value itself
    /// `x?.…`: null stays null, else `onPayload` of the payload, wrapped (an optional result is not doubled).
    Value mapPresent(const Value& optional, llvm::function_ref<Value(const Value&)> onPayload);
    void narrow(const Facts&, bool ifTrue); ///< adds the facts of one side to `narrowed`

    // ================================================================ Aggregates.cpp
    Value lowerStructLit(const ast::StructLit&, TypeId target, ValueId dest);
    Value lowerArrayLit(const ast::ArrayLit&, TypeId target, ValueId dest);
    Value structFromInits(TypeId, const ast::StructLit&, ValueId dest);
    Value constructVariant(TypeId enumType, Name variant, Span at, llvm::ArrayRef<ast::Arg> args,
                           const ast::StructLit* braces, ValueId dest);
    Value lowerTuple(TypeId tuple, const ast::StructLit&, ValueId dest);
    void storeFieldDefault(TypeId structType, unsigned index, ValueId fieldAddress);

    // ================================================================ Calls.cpp, Methods.cpp
    Value lowerCall(const ast::Call&, TypeId target, ValueId dest);
    /// Resolves what is called. Sets `boundReceiver` for dot-calls.
    Value lowerCallee(const ast::Expr*, TypeId target);
    Value callInstance(FunctionInstance&, const ast::Call&, const Value* receiver, TypeId target, ValueId dest);
    Value callTemplate(FunctionTemplate&, const ast::Call&, const Value* receiver, TypeId target, ValueId dest);
    Value callValue(const Value& callee, const ast::Call&, TypeId target, ValueId dest); ///< closure, function pointer
    Value callMethodOf(const Value& receiver, Name method, llvm::ArrayRef<Value> args,
                       Span at); ///< compiler-made calls, by name
    Value emitCall(FunctionInstance&, llvm::ArrayRef<Value> args, Span at, ValueId dest); ///< args already converted
    Value emitIndirect(ValueId callee, TypeId functionType, ValueId env, bool hasEnv, llvm::ArrayRef<Value> args,
                       ValueId dest);
    /// `a.f(…)`: field, method, protocol method, ufcs, in this order; reports when there is none.
    Value bindMethod(const Value& receiver, const ast::Member&, bool& found);
    Value adjustReceiver(const Value& receiver, TypeId paramType, Span at); ///< address-of or dereference
    Value lowerIntrinsic(Name, FunctionTemplate*, const ast::Call&, TypeId target, bool& handled);
    /// Lowers an expression that stands in another declaration (parameter and field defaults, constants that are
    /// evaluated at every use) into this function: names resolve in that file and scope, the context is this
    /// function's. Converts to `type` unless it is None; errors point into the expression.
    Value lowerElsewhere(const ast::Expr*, TypeId type, SourceFile&, Scope*, uint32_t limit,
                         ValueId dest = ValueId::None);
    /// Converts one argument of a call (types.md 16.1 with the positions of arguments); `dest` as for `convert`.
    /// `element`: a field or element of a literal instead, whose span is given.
    Value convertArgument(const Value&, TypeId to, Span argument, ValueId dest = ValueId::None);
    Value convertElement(const Value&, TypeId to, Span element, Span literal, ValueId dest = ValueId::None);
    /// True if lowering it has no effect and reads no variable that a later argument could change in between.
    static bool isTriviallyPure(const ast::Expr*);

    // ================================================================ Generics.cpp, Packs.cpp
    /// Infers and binds all `$` parameters of a call, and checks its argument count and names on the way. Returns
    /// null after a report. Arguments are lowered here, each once, in written order. `loweredArgs` then holds, in the
    /// order of the instance's run-time parameters (ParamInfo without isComptime):
    ///  * the receiver first, if there is one, as given (not adjusted to `*T` or `T`),
    ///  * per fixed parameter one value, not converted to its type yet; Value::none() where the argument was
    ///    omitted and the parameter's default applies (trailing omitted ones included),
    ///  * per pack one value an element (`inst->params[i].isPack`: as many as its binding has types),
    ///  * for a slice-variadic tail the elements, not converted; if the last argument is a spread of a run-time
    ///    slice or array, the one value `..xs` stands for, marked by `inferredSpread`.
    /// A trailing block is the value of the last parameter. `inferredArgs` is parallel to loweredArgs: the argument
    /// each came from (null for the receiver, omitted ones and the trailing block). Both are those of the latest
    /// inferInstance: read them before anything else is lowered.
    FunctionInstance* inferInstance(FunctionTemplate&, const ast::Call&, const Value* receiver,
                                    llvm::SmallVectorImpl<Value>& loweredArgs, TypeId target);
    llvm::SmallVector<const ast::Arg*, 8> inferredArgs;
    bool inferredSpread = false;
    /// Matches a written parameter type against a type (generics.md 1.2). `bindings` lists the names that may be
    /// bound (type None: not yet) and takes new `$` names; a later match changes a binding by float promotion only.
    /// True if the pattern matched (one that mentions no generic name: always).
    bool inferFromType(const ast::Expr* pattern, TypeId actual, Bindings&, const Sema::TypeContext&);
    /// Type of an argument that can be told without lowering it: literals, names, typed literals, casts. None: unknown.
    TypeId peekType(const ast::Expr*);
    /// The values that `..operand` stands for where a fixed number is needed: elements of a pack, tuple, anonymous
    /// struct or fixed array, or `xs.m` of a pack. False after a report (`at`: from the dots).
    bool expandSpread(const ast::Expr* operand, Span at, llvm::SmallVectorImpl<Value>& out);
    /// An element of a pack `..xs: P`: of its members only P's methods may be used.
    bool hidesMembers(const Value&) const;
    /// The pack that an expression names, or null.
    PackInfo* packNamed(const ast::Expr*);
    /// ExternCalls.cpp: a call of an extern function. `args`: one value per fixed parameter, of its type; for C
    /// varargs the extra values follow one by one, of the variadic's element type (never a slice of them).
    Value emitExternCall(FunctionInstance&, llvm::ArrayRef<Value> args, Span at, ValueId dest);
    Value packElement(PackInfo&, uint64_t index, Span at);
    Value packSlice(PackInfo&, TypeId sliceType, Span at); ///< `xx xs` at []any, []P
    void lowerInlineFor(const ast::For&);

    // ================================================================ Closures.cpp
    /// A target closure type whose result is None gives the parameter types only (inference of `-> $R`).
    /// `target`: a closure or function type (or an optional of one); its result may be None: inferred. Yields a
    /// closure, or a function pointer if the target is a function type.
    Value lowerLambda(const ast::FunctionDecl&, TypeId target, Span at);
    Value functionValue(FunctionTemplate&, Span at, TypeId target); ///< pointer to a named function
    Value toClosure(const Value& function, TypeId closureType, Span at, ValueId dest = ValueId::None);

    // ================================================================ Any.cpp, Protocols.cpp, TypeSwitch.cpp
    Value boxAny(const Value&, ValueId dest = ValueId::None);
    Value assertAny(const Value& any, TypeId, Span at, bool consumed, bool optionalResult); ///< `av.(T)`, `av.(?T)`
    Value assertPresentAny(const Value& optional, TypeId, Span at); ///< `o?.(T)` of a `?any` whose mismatch is consumed
    Value unboxAny(const Value& any, TypeId);                       ///< unchecked
    /// `xx v` at a numeric target: by the width in the tag, so that it is right in int/float arms; a value that is
    /// no number is read as a `to`.
    Value anyToNumber(const Value& any, TypeId to);
    Value erase(const Value&, TypeId protocol, Span at, bool isExplicit, const Value* allocator = nullptr,
                ValueId dest = ValueId::None);
    Value eraseView(const Value&, TypeId pointerToProtocol, Span at);
    Value dispatch(const BoundMethod&, const ast::Call&, TypeId target, ValueId dest);
    Value castProtocol(const Value&, TypeId to, Span at, bool isXx, bool consumed);
    bool isTypeMatch(const Value& subject, const ast::Match&);
    Value lowerTypeMatch(const ast::Match&, const Value& subject, TypeId target, ValueId dest, bool valueNeeded);
    const ast::Match* inlineTypeMatchArm(const ast::Match&, const ast::MatchArm*& arm); ///< `inline if T == {`

    // ================================================================ Statements.cpp, Assign.cpp
    void lowerStmt(const ast::Stmt*);
    void lowerStmts(llvm::ArrayRef<ast::Stmt*>);
    void lowerVar(const ast::VarStmt&);
    void lowerLocalDecl(const ast::LocalDecl&);
    void lowerDestructure(const ast::Destructure&);
    void lowerAssign(const ast::Assign&);
    void lowerMultiAssign(const ast::MultiAssign&);
    void lowerCompound(const ast::Assign&);
    void assignValue(const Value& place, const ast::Expr* target, const ast::Expr* value);
    bool isDiscard(const ast::Expr*) const; ///< the target `_`
    TypeId fixedPlaceType(const ast::Expr*);
    TypeId probePlace(const ast::Expr*, Span statement);
    Symbol*
    localTarget(const ast::Expr* target); ///< the local that an assignment to `target` changes; null: none by name
    void endNarrowing(const ast::Expr* target);
    void forgetReassigned(size_t from); ///< ends the narrowing of everything in `reassigned` behind that
    TypeId
    setterType(const ast::Expr* target); ///< value type of a property with a setter; None: no property (Places.cpp)
    void storeProperty(const ast::Expr* target, const Value&); ///< calls the setter (Places.cpp)
    void lowerReturn(llvm::ArrayRef<ast::ReturnElem>, Span statement);
    void lowerInsert(const ast::InsertStmt&);
    Value lowerInsertValue(const ast::InsertStmt&, TypeId target, ValueId dest, bool valueNeeded);
    void lowerErrorDirective(const ast::ErrorStmt&);
    bool adoptTemporary(const Value&, const ast::Ident&); ///< the temporary's slot becomes the variable's storage
    void declareBroken(const ast::Ident&);
    void declareConstant(const ast::Decl&, Value, const ast::Expr* value);
    /// `captured`: the ends of its branches have filled the snapshot.
    void storeErrorVariable(Symbol*, const Value&, const ast::Expr* at, bool captured);
    void noteVariableErrors(Symbol*, const Value&);
    void addErrors(ErrorNode&, const Value&); ///< the tags that an error value may be
    Value lowerDropped(const ast::Expr*);     ///< a statement, or the body of a cleanup: its value is not used
    bool isNarrowed(const ast::Expr* target);
    /// The string of an `#insert` operand, a `$fmt` argument…: evaluated at compile time. nullopt after a report.
    /// A call that yields a type, run while compiling (generics.md 10). None after a report. Once for each place.
    TypeId buildType(const ast::Expr*);
    bool needsRunTime(const ast::Expr*); ///< it names a variable
    std::optional<ConstValue> evaluateComptime(const ast::Expr*, TypeId target, const std::string& what,
                                               bool isRun = false);

    // ================================================================ ControlFlow.cpp, Match.cpp, Loops.cpp
    /// Value of a block: its last expression without `;`. `valueNeeded`: the caller uses it.
    Value lowerBlock(const ast::BlockExpr&, TypeId target, ValueId dest, bool valueNeeded);
    Value lowerIf(const ast::If&, TypeId target, ValueId dest, bool valueNeeded);
    Value lowerMatch(const ast::Match&, TypeId target, ValueId dest, bool valueNeeded);
    void lowerWhile(const ast::While&);
    void lowerFor(const ast::For&);
    void lowerPush(const ast::Push&);
    void forgetAssigned(const ast::Expr* repeated);            ///< narrowing facts that a loop's body or condition ends
    void checkIndexAt(ValueId index, ValueId length, Span at); ///< panics with the position `at`, whatever the options
    void lowerBreak(Span);
    void lowerContinue(Span);
    Value lowerBranchBody(const ast::Expr*, TypeId target, ValueId dest, bool valueNeeded);
    Value lowerIfBinding(const ast::If&, TypeId target, ValueId dest, bool valueNeeded);
    void bindPayload(const ast::Ident&, const Value& payload, LocalKind);
    Value loadForJoin(const Value&);
    bool voidIsValue = false; ///< a `void` field or element takes an empty block
    struct Join;              ///< collects the values of branches into one result (Join.h)
    void finishBranch(Join&, Value, const ast::Expr* at, bool valueNeeded);
    Value lowerArm(const ast::MatchArm&, TypeId target, ValueId dest, bool valueNeeded);
    Value lowerStmtsValue(llvm::ArrayRef<ast::Stmt*>, TypeId target, ValueId dest, bool valueNeeded,
                          bool keepSemicolonValue);

    // ================================================================ Errors.cpp, OrChain.cpp, Cleanup.cpp
    void lowerRaise(const ast::RaiseStmt&);
    Value lowerTry(const ast::Unary&, TypeId target, ValueId dest);
    Value lowerCatch(const ast::Catch&, TypeId target, ValueId dest);
    Value lowerOr(const ast::Binary&, TypeId target, ValueId dest); ///< fallback form, propagating
    bool isFailableExpr(const ast::Expr*); ///< an `or` operand that makes it the fallback operator
    bool isFallbackOr(const ast::Expr*);   ///< an `or` of failables, parentheses looked through
    /// Something that may fail, lowered: `tag` is the u32 error id, 0 for success.
    struct Failable {
        bool isFresh = false;  ///< a chain is in flight if it fails; else an error value that was there before
        bool failable = false; ///< false: an ordinary value (`whole`), or an error was reported
        Value whole;
        ValueId tag = ValueId::None;
        TypeId set{};                ///< named set, or InferredErrors
        ErrorNode* errors = nullptr; ///< where the tags of an inferred set come from
    };
    Failable lowerFailable(const ast::Expr*, TypeId target);
    Value successOf(const Failable&); ///< the value slots, valid where the tag is 0
    /// Branches on `f`. `onError` emits the failing path (in a cold block) and returns its value, or diverges;
    /// the result is the success value joined with it.
    Value branchOnFailure(const Failable&, ValueId dest, Span at, llvm::function_ref<Value()> onError);
    /// An `or` chain. `onError(tag, set, errors)` runs when every operand has failed (frames are pushed).
    Value lowerChain(const ast::Binary&, TypeId target, ValueId dest,
                     llvm::function_ref<Value(ValueId, TypeId, ErrorNode*)> onError);
    TypeId chainSuccess{}; ///< success type of the `or` chain whose onError is running
    /// The type an expression would have, found by lowering it into a block that is thrown away; reports nothing
    /// new (an error comes again, once, when the expression is lowered for good). None if it has none.
    TypeId probeType(const ast::Expr*);
    llvm::DenseMap<const ast::Expr*, TypeId> probed; ///< remembered: nested chains would probe again and again
    void tracePush(Span at);
    void traceRaise(Span at, ValueId tag); ///< begins the chain of an error; invalid `at`: without an origin frame
    void traceFailure(const Failable&, Span at); ///< the hop of a failable operand, on the failing path
    /// Leaves the function with an error: frames already pushed. Runs defers and onfails, sets the error slot.
    void emitErrorExit(ValueId tag);
    /// Records that errors of this kind leave the function here; checks them against its named set.
    void noteEscaping(TypeId set, ErrorNode* errors, Span at);
    void noteTag(const ast::ErrorTag&);
    bool requireFailableFunction(Span at, std::string_view what);
    void
    linkHandlers(size_t count); ///< an error leaves the outermost `count` of the handlers around here (traces.md 3)
    void linkCauses() { linkHandlers(handlers.size()); } ///< … every handler around here
    /// Rejects a failable value that nothing marks (errors.md 8.1); `at`: the call.
    Value rejectUnmarked(const Value&, Span at);
    Value errorOperand(
        const Value& failable); ///< a pure failable used as an error value: drops the chain on the failing path
    void runCleanups(size_t downTo, bool errorExit, ValueId tag = ValueId::None); ///< emits them, does not pop
    void popCleanups(size_t downTo);
    void registerCleanup(const ast::Stmt&);
    bool isAssignedAfter(const Symbol*, Span); ///< behind that place in the body, by its name
};

/// A lexical scope: names, cleanups, narrowing, debug scope. `close` (or the destructor) runs the cleanups registered
/// in it if its end is reached, and forgets them. Narrowings found inside end with it; those ended inside stay ended.
struct FunctionLowering::ScopeGuard {
    ScopeGuard(FunctionLowering&, Span);
    ~ScopeGuard() { close(); }
    ScopeGuard(const ScopeGuard&) = delete;
    void close();

private:
    FunctionLowering& f_;
    Scope* saved_;
    size_t cleanupDepth_;
    llvm::SmallPtrSet<Symbol*, 4> narrowed_;
    bool open_ = true;
};

} // namespace sx::sema
