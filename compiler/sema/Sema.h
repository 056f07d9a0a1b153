// Semantic analysis: from syntax trees to a checked, typed IR module.
//
// One Sema checks one program. Work is demand-driven: module-scope symbols are resolved when first asked for,
// function bodies are checked and lowered when first reached (language 1.1), generics once per instance.
// A body is checked and emitted in one walk by a later stage (Bodies.h).
#pragma once

#include "ir/Builder.h"
#include "ir/Comptime.h"
#include "ir/TypeDescriptor.h"
#include "sema/Bodies.h"
#include "sema/Symbols.h"
#include "sema/Warnings.h"
#include "source/Diagnostics.h"
#include "source/StackDepth.h"
#include "syntax/Parser.h"

#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <memory>
#include <optional>

namespace sx::sema {

struct Options {
    bool checks =
        true; ///< keep the run-time checks that levels 2 and 3 may leave out; what runs while compiling has them
    bool checkAll = false;     ///< lower every non-generic function of the entry file
    bool checkModules = false; ///< the same for an entry file without `main`, which is a module
    bool warnings = true;      ///< look for what deserves one
    bool warningsAreErrors = false;
    bool traceValues = false;              ///< frames show what the parameters of their functions hold
    bool requireMain = true;               ///< `run` and `build`
    std::vector<std::string> libraryRoots; ///< folders that contain `modules/`
    std::string workingDirectory;          ///< absolute
    size_t maxErrors = 20;
};

class Sema {
public:
    Sema(SourceManager&, AstContext&, TypeTable&, Diagnostics&, ir::Module&, ir::ComptimeEvaluator&, Options);
    ~Sema();

    /// Loads the entry file and everything it imports, checks, and fills the module. False: errors were
    /// reported. `readError` is set (and nothing reported) when the entry file cannot be read.
    bool analyze(const std::string& entryPath, std::string& readError);
    /// Milliseconds spent reading and parsing, of the last `analyze`.
    double parseMillis = 0, readMillis = 0;
    /// A `#run` statement stands in the program: the driver prints `--- build done ---`.
    bool hasRunStatements = false;
    /// Lines without the diagnostic shape (comptime failures, missing main): printed as they are.
    std::vector<std::string> plainErrors;
    /// What compile-time code said about the build (library/modules/build.sx), by name, in order.
    std::map<std::string, std::vector<std::string>> buildNotes;
    /// Set when compile-time code called process.exit.
    std::optional<int> comptimeExit;

    // ================================================================ shared state (friends by design: the
    // parts of sema are one unit; nothing outside the folder uses these)
    SourceManager& sources;
    AstContext& ast;
    NameTable& names;
    TypeTable& types;
    Diagnostics& diags;
    ir::Module& module;
    ir::ComptimeEvaluator& evaluator;
    Options options;
    Bodies* bodies = nullptr;     ///< set before `analyze`; the caller's
    llvm::BumpPtrAllocator arena; ///< for ConstData texts and small strings
    uint32_t scopeCounter = 1;    ///< numbers scope entries

    std::vector<std::unique_ptr<SourceFile>> files;
    std::vector<std::unique_ptr<ModuleUnit>> units;
    SourceFile* entryFile = nullptr;
    SourceFile* preludeFile = nullptr; ///< library/modules/std.sx, if loaded
    TypeId contextType{};              ///< struct Context with all #context_extend fields; None: no context
    ir::GlobalId defaultContext = ir::GlobalId::None;
    bool hasContext() const { return contextType != TypeId::None; }

    template <typename T> T* make() {
        auto p = std::make_shared<T>();
        owned_.push_back(p);
        return p.get();
    }
    Name name(std::string_view s) { return names.intern(s); }
    std::string text(Name n) const { return std::string(names.text(n)); }
    llvm::StringRef internString(llvm::StringRef); ///< copy in the arena

    // ---------------------------------------------------------------- Modules.cpp
    bool loadProgram(const std::string& entryPath, std::string& readError);
    ModuleUnit* import(SourceFile& from, const ast::ImportDecl&);
    std::vector<SourceFile*> importOrder(); ///< imported modules before the file that imports them
    bool entryRunsStatements();             ///< the entry file or what it imports flat has a `#run` statement

    // ---------------------------------------------------------------- Lookup.cpp
    /// Finds a bare name for code in `file`: scope chain up to entries numbered below `limit`, then the
    /// file's own names, then its direct flat imports, then namespace aliases carried by these
    /// (modules-and-comptime 2.1, 2.3). `typePosition`: only declarations that can name a type count.
    struct LookupResult {
        Symbol* symbol = nullptr;
        bool ambiguous = false;                         ///< two imports declare it
        bool hiddenPrivate = false, notVisible = false; ///< exists, but may not be used here
        bool crossesFunction = false;                   ///< found beyond a function boundary: a capture or an error
    };
    LookupResult lookup(Name, const Scope*, uint32_t limit, SourceFile*, bool typePosition = false);
    LookupResult lookupModule(Name, SourceFile&, bool typePosition = false);
    /// `ns.member` (2.2). Null: no such member.
    Symbol* lookupMember(ModuleUnit&, Name, SourceFile& from);
    /// Reports an unresolved, ambiguous or invisible name at `at`, with the nearest visible name as help.
    void reportUnresolved(Name, Span at, const LookupResult&, const Scope*, SourceFile*,
                          std::string_view what = "name");
    /// For a name that is ambiguous or private.
    void reportHidden(Name, Span at, const LookupResult&, SourceFile&);
    /// Notes that a file was told to add an import. False if it was told before.
    bool asksForImport(SourceFile&, const std::string& import);
    /// All ufcs functions called `name`: visible from `file`, or anywhere in the program.
    std::vector<FunctionTemplate*> ufcsCandidates(Name, const Scope*, uint32_t limit, SourceFile*, bool visibleOnly);
    Scope* newScope(Scope* parent, SourceFile*);
    Symbol* declare(Scope&, Name, Symbol*);
    Symbol* newSymbol(Name, SymbolKind, Span);

    // ---------------------------------------------------------------- Declare.cpp
    void declareFile(SourceFile&); ///< fills names, reports duplicates and reserved names
    /// Creates the symbol of a declaration, at module scope (scope null) or locally.
    Symbol* symbolFor(const ast::Decl&, SourceFile&, Scope*, std::string qualifierPrefix = {}, bool nested = false);
    /// Resolves a symbol (follows aliases: the result is never an alias). SymbolKind::Error if rejected.
    /// The chain of declarations or expressions is longer than the stack allows: said once.
    void reportTooDeep(Span at);
    bool tooDeep = false;
    Symbol* resolve(Symbol*);
    void checkReservedName(const ast::Ident&, std::string_view what);
    bool isReservedTypeName(Name) const;
    /// The constant value of an expression at module level or in a type: reports and returns nullopt if it does
    /// not fold. Evaluates through a scratch function, with the comptime evaluator where needed.
    /// A typed constant of a number type takes no `bool` (types.md 16.1). False: reported.
    bool checkConstantKind(const ast::Expr*, TypeId, Scope*, uint32_t limit, SourceFile*);
    std::optional<Value> evaluateConstant(const ast::Expr*, TypeId target, Scope*, uint32_t limit, SourceFile*,
                                          bool isRun);
    /// A compile-time integer (array dimension, generic count, inline bound); an integral float is accepted.
    std::optional<__int128> evaluateCount(const ast::Expr*, Scope*, uint32_t limit, SourceFile*, lower::Body* in);
    /// Built from literals, constants and the like only (types.md 17.2); `forGlobal`: fields of struct constants do not
    /// count.
    bool isConstantExpression(const ast::Expr*, Scope*, uint32_t limit, SourceFile*, bool forGlobal = false);
    bool isConstantCall(const ast::Call&, Scope*, uint32_t limit, SourceFile*, bool forGlobal);
    std::string currentConstant() const; ///< "the constant `N`", for messages about its evaluation
    /// Bytes and relocations of a constant of a type, written at `offset` of `out` (grown as needed).
    bool writeConstant(const ConstValue&, TypeId, ir::ConstData& out, uint64_t offset);
    /// Reads a part of constant data back.
    ConstValue readConstant(const ir::ConstData&, uint64_t offset, TypeId);
    ir::GlobalId stringGlobal(llvm::StringRef); ///< pooled, NUL-terminated
    ir::GlobalId constGlobal(TypeId, const ir::ConstData&, std::string name, Span declared = {});
    /// Tells the module of the scalar constants that were asked for, which leave nothing else in it.
    void listConstants();

    // ---------------------------------------------------------------- TypeResolver.cpp
    /// Where a type expression is read.
    struct TypeContext {
        Scope* scope = nullptr;
        uint32_t limit = UINT32_MAX;
        SourceFile* file = nullptr;
        lower::Body* lowering = nullptr; ///< when inside a body: `type_of(x)`-like queries, captures of cursors
        bool quiet = false;              ///< do not report; None on failure
        bool resultPosition = false;     ///< result lists and error channels are allowed
    };
    TypeId resolveType(const ast::Expr*, const TypeContext&); ///< None after a report
    /// Result type of a function: failable forms included (errors.md 1).
    TypeId resolveResultType(const ast::Expr*, const TypeContext&);
    /// The types that `..Ts`, `..xs.T` or `..F(Ts)` stands for. False after a report.
    bool resolveSpread(const ast::TypeElem&, const TypeContext&, llvm::SmallVectorImpl<TypeId>& out);
    /// True if the expression names a type in this context (without reporting).
    bool namesType(const ast::Expr*, const TypeContext&);
    TypeId instantiateStruct(StructTemplate&, llvm::ArrayRef<Binding>, Span at);
    TypeId instantiateProtocol(ProtocolTemplate&, llvm::ArrayRef<TypeId>);
    /// Binds the written arguments of a generic head: `Box(i64)`, `Ring(4, u8)`. False after a report.
    bool bindStructArgs(StructTemplate&, const ast::Call&, const TypeContext&, Bindings&);
    std::string bindingKey(llvm::ArrayRef<Binding>);
    /// The builtin type of this spelling (`noreturn` and the keywords f32, f64, Type included). None: there is none.
    TypeId builtinType(Name) const;
    /// The declaration that a name or a chain `ns.name` in type position stands for, resolved. Null after a report.
    Symbol* typeHead(const ast::Expr*, const TypeContext&);
    /// The scope of a type's members or of an instance: binds `Self` (None: not) and generic parameters.
    Scope* bindingScope(Scope* parent, uint32_t limit, SourceFile*, TypeId self, llvm::ArrayRef<Binding>);
    /// The run-time name of an instance, `Box__i64`: the head, then `__` and each argument's own name.
    std::string instanceName(const std::string& head, llvm::ArrayRef<Binding>);
    /// The same as a program writes it: `Box(i64)`.
    std::string writtenInstance(const std::string& head, llvm::ArrayRef<Binding>);
    /// Anonymous struct, enum or union written in place: one type per shape.
    TypeId anonymousType(const ast::Decl&, const TypeContext&);
    /// The type that `NAME :: <type expression>;` binds: `type` itself, except that an alias of an instance of a
    /// generic struct, or of a struct or enum that a type function made, is a type with the name and handle of its
    /// own (generics.md 2.1). Values and pointers convert freely between the two: see `canonical`.
    TypeId namedAlias(TypeId type, const ast::Expr* written, std::string name);
    /// What an alias instance is an alias of; any other type is its own.
    TypeId canonical(TypeId);
    /// Calls a type function in type position. None after a report.
    TypeId callTypeFunction(FunctionTemplate&, const ast::Call&, const TypeContext&);

    // ---------------------------------------------------------------- Nominal.cpp
    TypeId declareNominal(const ast::Decl&, SourceFile&, Scope* env, uint32_t envLimit, std::string displayName);
    /// Completes fields, variants, members… of a nominal type (idempotent; needed before layout).
    bool complete(TypeId, Span at = {});
    bool completeDeep(TypeId, Span at = {}); ///< also everything it contains by value
    NominalInfo* nominal(TypeId);            ///< null for non-nominal types
    MemberTable& members(TypeId);            ///< of any type; impl methods included
    /// Completes whatever a type mentions, also some levels of what it points at, so that code may use it freely.
    void settle(TypeId);
    void declareMembers(NominalInfo&);
    void declareContext();              ///< builds contextType and defaultContext from all #context_extend
    void writeContextDefaults();        ///< the contents of defaultContext: protocol-typed ones need the impls
    TypeId selfScopeType(const Scope*); ///< what `Self` means here
    /// Where a constant of a protocol type stands: borrows the global that `e` names (generics.md 4.8). nullopt: it
    /// names none; false after a report.
    std::optional<bool> writeBorrowedGlobal(const ast::Expr* e, TypeId protocol, Scope*, uint32_t limit, SourceFile*,
                                            ir::ConstData& out, uint64_t offset);
    /// Writes the default value of a type (zero, or the declared defaults of a struct's own fields) as constant
    /// data; nullopt if a default does not fold.
    std::optional<ir::ConstData> defaultConstant(TypeId);

    // ---------------------------------------------------------------- Impls.cpp
    /// Pass 2 of modules-and-comptime 12.1, once: all impl blocks of the program, the context's defaults, and the
    /// `$T` of result types.
    void declareImpls();
    /// Rejects `-> $T` that no parameter mentions, in all functions and methods.
    void checkGenericResults();
    ImplInfo* findImpl(TypeId protocol, TypeId concrete);
    /// The function behind protocol method `index` for a concrete type, or null (not conforming).
    FunctionInstance* implMethod(TypeId protocol, unsigned index, TypeId concrete, Span at, std::string& why);
    /// All impls of a protocol for a type (an impl of `Into` is visible or not by the file it stands in).
    std::vector<ImplInfo*> findImpls(TypeId protocol, TypeId concrete);
    /// The impls of any instance of a parameterised protocol for a type.
    std::vector<ImplInfo*> implsOf(ProtocolTemplate&, TypeId concrete);
    /// The method `name` of a concrete receiver type, for code inside `within` (null: any code): its own methods
    /// first, then impl methods; in a default method of a protocol the protocol's methods are those of the impl.
    FunctionTemplate* findMethod(TypeId type, Name name, const FunctionTemplate* within);
    /// The code behind each dispatchable method of (protocol, concrete), in slot order, as it stands in the vtable
    /// or in a `#inline` value. nullopt after a conformance report at `at`.
    std::optional<std::vector<ir::FuncId>> slotFunctions(TypeId protocol, TypeId concrete, Span at);
    /// Code with the slot signature for an impl method: the method itself, or a thunk that reads `self` by value.
    ir::FuncId slotCode(FunctionInstance&, TypeId concrete);
    /// Signature of the code in a slot: `(context?, ctx: *void, params…) -> result`, for CallIndirect.
    TypeId slotType(TypeId protocol, unsigned method);
    /// Constant words of a protocol value that borrows a global; false if the type has no impl (reported at `at`).
    bool writeProtocolConstant(TypeId protocol, TypeId concrete, ir::GlobalId, Span at, ir::ConstData& out,
                               uint64_t offset);
    /// Vtable constant of (protocol, concrete); None after a conformance report at `at`.
    ir::GlobalId vtable(TypeId protocol, TypeId concrete, Span at);
    bool conforms(TypeId protocol, TypeId concrete, std::string& why);

    // ---------------------------------------------------------------- Functions.cpp
    FunctionTemplate* newTemplate(const ast::FunctionDecl&, SourceFile&, Scope* env, std::string qualifiedName,
                                  TypeId owner);
    /// The instance for these bindings: creates it and resolves its signature (not its body).
    FunctionInstance* instance(FunctionTemplate&, Bindings = {}, Span at = {});
    /// The IR function of an instance; queues the body for lowering.
    ir::FuncId funcFor(FunctionInstance&);
    /// Lowers the body now if that has not begun (inferred result types, comptime evaluation).
    bool ensureLowered(FunctionInstance&);
    /// Result type; lowers the body first if it is inferred. None after a report.
    TypeId resultOf(FunctionInstance&, Span at);
    void drainWorklist();
    void checkExternLibraries();                 ///< the handle after `extern` is declared somewhere
    void checkExternSymbols();                   ///< all declarations of a C symbol agree
    llvm::StringMap<FunctionTemplate*> exported; ///< by C symbol
    std::string cSymbol(const ast::FunctionDecl&) const;
    void collectAssembly(); ///< at module scope, for the module (Assembly.cpp)
    /// `-l` name of a library handle, noted as needed; false (silently) if the program declares no such handle.
    bool useLibrary(Name handle);
    bool materialize(ir::FuncId); ///< for the evaluator
    /// Signature with the hidden operands made explicit: [context], [environment], params.
    TypeId machineType(TypeId functionType, bool closureEnv);
    ir::FuncId newFunction(std::string name, std::string symbolHint);
    std::string uniqueSymbol(const std::string& hint);
    std::vector<FunctionInstance*> worklist;
    std::vector<FunctionInstance*> byFunc; ///< FuncId -> instance (null for compiler-made functions)
    /// Adapter with the closure signature that calls a plain function / a function pointer kept in env.
    /// A function that cannot fail in a closure type that can (same success type): the error slot is 0.
    ir::FuncId closureAdapter(ir::FuncId target, TypeId functionType, TypeId closureType);
    ir::FuncId pointerAdapter(TypeId functionType, TypeId closureType);

    // ---------------------------------------------------------------- Entry.cpp
    void buildEntry(); ///< C main: default context, exit codes, unhandled errors
    bool checkMainSignature(FunctionInstance&);
    void runConstants();  ///< evaluates all `NAME :: #run`
    void runStatements(); ///< evaluates all `#run` statements
    /// Why an evaluation failed, and where in the evaluated code.
    struct Failure {
        std::string reason;
        Span at;
    };
    /// Evaluates `f` at compile time; reports failure as a plain error naming `what`, or hands it to `failure`.
    /// Constants and `#run` print once the program is known to be right, in the order of modules-and-comptime 6.1; the
    /// texts and types that checking itself needs, at once.
    enum class Output : uint8_t { AtOnce, Held };
    std::optional<ConstValue> evaluate(ir::FuncId f, TypeId result, const std::string& what, Output,
                                       Failure* failure = nullptr);
    /// The failure of an evaluation that a type stands or falls with: an error at the code that builds it.
    void reportFailure(Span at, const std::string& what, const Failure&);
    void writeHeldOutput(llvm::ArrayRef<SourceFile*> order);

    Value errorNameOf(lower::Body&, ir::ValueId tag); ///< the tag's name, from the table that ir::finish fills

    // ---------------------------------------------------------------- BuiltTypes.cpp
    /// Binds `X` for each `declare("X")` that stands in the code, so that what it builds may mention `*X`. The scope to
    /// read the code in: `scope` itself if there is none; else a new one, of which all counts.
    Scope* announceTypes(const ast::Expr* code, Scope* scope, uint32_t& limit, SourceFile*);
    bool isAnnounced(TypeId t) const { return announcedTypes.count(t) != 0; }
    TypeId newBuiltType(std::string name); ///< without parts
    bool loadsMeta() const;                ///< the program may build types

    // ---------------------------------------------------------------- ErrorSets.cpp
    std::vector<ErrorNode*> errorNodes;
    ErrorNode* newErrorNode();
    ErrorNode* shapeNode(TypeId functionOrClosureType); ///< shared by all bare-`!` values of a shape
    void solveErrorSets();
    /// Checks that wait for the solution: every tag of `from` must be in `set`; an error at `at` lists those that are
    /// not.
    struct PendingSetCheck {
        ErrorNode* from;
        TypeId set;
        Span at;
        std::string function;
    };
    void reportMissingTags(llvm::ArrayRef<Name> missing, TypeId set, Span at, const std::string& function);
    std::vector<PendingSetCheck> pendingSetChecks;
    struct MatchedTag {
        Name tag;
        Span at;
    };
    std::vector<MatchedTag> matchedTags; ///< what arms of matches on errors name; judged when all tags are known
    void checkMatchedTags();             ///< rejects those that no error of the program can have (MatchedTags.cpp)
    /// Pure `-> !` functions at the top level, and a `main` that may fail: a warning if nothing in them does.
    struct NeverFails {
        FunctionInstance* instance;
    };
    std::vector<NeverFails> neverFailsCandidates;
    bool setContains(TypeId set, Name tag) const;

    // ---------------------------------------------------------------- Warnings.cpp
    /// A warning, if `at` lies in a file of the program (an invalid span: in any case). The first of a kind at a place
    /// counts, so the instances of a generic function give one.
    void warn(WarningKind, Span at, std::string message, std::string help = {});
    /// Some instance shows that there is nothing to warn of at this place.
    void refuteWarning(WarningKind kind, Span at) { warnings.refuted.insert({kind, at.begin}); }
    bool isProgramFile(const SourceFile& f) const { return !f.isLibrary || f.isEntry; }
    /// Hands the warnings to the diagnostics, in order of position. Those about bodies only if all bodies are right.
    void reportWarnings();
    Warnings warnings;
    void warnOfSolvedErrors();  ///< what the solution of the error sets tells
    void warnOfUnusedImports(); ///< UnusedImports.cpp

    // ---------------------------------------------------------------- ErrorFlow.cpp
    /// Value-slot liveness (errors.md 8.2) and cleanup rules (9.1) on the top-level functions of the entry file.
    void checkErrorFlow();
    void checkNames(); ///< reserved names in all bodies, unknown types in those of the entry file
    void checkInsertedNames(SourceFile&, llvm::ArrayRef<ast::Stmt*>);

    // ---------------------------------------------------------------- DeclChecks.cpp
    /// The passes of modules-and-comptime 12.1 that look at unreachable code.
    void checkDeclarations();

private:
    std::vector<std::shared_ptr<void>> owned_;

public: // side tables
    llvm::DenseMap<TypeId, NominalInfo*> nominals;
    std::map<TypeId, MemberTable> memberTables;
    std::vector<ImplInfo*> impls;
    std::map<std::pair<TypeId, TypeId>, ir::GlobalId> vtables;
    llvm::StringMap<ir::GlobalId> stringPool;
    std::unique_ptr<ir::CompilerServices> services; ///< for the evaluator
    enum class BuiltState : uint8_t { Announced, Declared, Defined };
    llvm::DenseMap<TypeId, BuiltState> builtTypes; ///< all that code has built (generics.md 10)
    llvm::DenseSet<TypeId> announcedTypes;         ///< bound by announceTypes
    std::vector<TypeId>* construction = nullptr;   ///< what the running evaluation has declared
    class OutputScope;
    class ConstructionScope;
    struct HeldOutput {
        Symbol* constant;
        bool ofStatement;
        std::string text;
    };
    std::vector<HeldOutput> heldOutput_;
    std::string* runningOutput_ = nullptr; ///< of the evaluation that is running
    Symbol* runningConstant_ = nullptr;
    bool runsStatements_ = false;
    llvm::StringMap<ir::FuncId> runtimeFunctions; ///< C functions that compiled code calls by itself (callRuntime)
    TypeId operatingSystem{}, architecture{};     ///< types of OS and ARCH, once asked for
    llvm::StringMap<uint32_t> symbolUse;
    std::vector<std::pair<const SourceFile*, std::string>> importsAskedFor;
    std::vector<std::pair<const ast::ContextExtendDecl*, SourceFile*>> contextFields; ///< in their order
    std::map<TypeId, std::vector<ImplInfo*>> implsByTarget;
    std::map<std::tuple<TypeId, unsigned, TypeId>, FunctionTemplate*>
        defaultMethods;                                         ///< protocol, method, concrete type
    std::map<std::pair<TypeId, TypeId>, Scope*> protocolScopes; ///< protocol, concrete type: `Self` and the arguments
    std::map<std::pair<TypeId, TypeId>, std::vector<ir::FuncId>> protocolSlots;
    std::map<std::pair<uint32_t, TypeId>, ir::FuncId> adapters; ///< made by Adapters.cpp
    llvm::StringMap<ir::FuncId> externFunctions;                ///< by C symbol
    /// Struct types written in place with defaults, by declaration and shape.
    std::map<std::pair<const ast::Decl*, TypeId>, TypeId> anonymousWithDefaults;
    llvm::StringMap<TypeId> anonymousShapes; ///< enums and unions written in place
    llvm::DenseMap<TypeId, unsigned> settledTypes;
    enum class Completion : uint8_t { Unknown, Visiting, Done, Failed };
    llvm::DenseMap<TypeId, Completion> completions; ///< of completeDeep
    std::vector<Span> typeCalls;                    ///< of type functions being evaluated, one inside another
    unsigned loweringDepth = 0;                     ///< bodies being lowered, one inside another
    bool implsDeclared = false;
    std::map<TypeId, ErrorNode*> shapes;
    std::map<std::pair<TypeId, uint32_t>, ErrorNode*>
        protocolErrors;             ///< of a protocol method without named set: all its impls
    std::vector<Symbol*> resolving; ///< stack of symbols being resolved, to name a cycle
    std::map<std::string, SourceFile*> filesByPath;
    std::map<std::string, ModuleUnit*> unitsByPath;
    std::map<const ast::Decl*, FunctionTemplate*> templates; ///< non-generic environments only
    std::vector<ProtocolTemplate*> patternProtocols;         ///< those with patternImpls
};

std::string emptySetMessage(const std::string& name);
/// Intrinsics that may be called without any declaration in sight (generics.md 9, library.md 5).
bool isIntrinsicName(std::string_view);

} // namespace sx::sema
