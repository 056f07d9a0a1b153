// The syntax tree: what the parser saw, with a span on every node. No types, no resolution.
//
// All nodes live in the arena of their Ast and are trivially destructible; lists are ArrayRefs into the
// same arena. Types are written as expressions: one hierarchy, because `*Node`, `Box(i64)` and `[4]u8` may
// stand in both positions. In type position a Unary AddrOf is a pointer type and a Call a generic instance.
//
// Most of the memory of a large program is its tree: flags come first in a node, into the bytes behind its kind.
#pragma once

#include "source/Names.h"
#include "source/Source.h"
#include "syntax/Operators.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"

namespace sx::ast {

using llvm::ArrayRef;
using llvm::StringRef;

struct Expr;
struct Stmt;
struct Decl;
struct BlockExpr;
struct FunctionDecl;

/// A name where it is written. `raw`: it had a backtick (the span excludes it), so it is never a builtin.
struct Ident {
    Ident() = default;
    Ident(Name name, Span span, bool raw = false) : name(name), raw(raw), span(span) {}
    Name name : 31 = Name::None;
    bool raw : 1 = false;
    Span span;
    explicit operator bool() const { return name != Name::None; }
};

// ------------------------------------------------------------------------------------ expressions

enum class ExprKind : uint8_t {
    // literals and names
    Int,
    Float,
    Bool,
    String,
    Null,
    Undef,
    NameRef,
    TypeParam,
    EnumLit,
    ErrorTag,
    CallerLocation,
    // operators
    Paren,
    Unary,
    Binary,
    CompareChain,
    Call,
    Index,
    Slice,
    Member,
    Deref,
    Cast,
    Unwrap,
    Catch,
    // aggregates
    StructLit,
    ArrayLit,
    Lambda,
    // control flow
    Block,
    If,
    Match,
    While,
    For,
    Push,
    Break,
    Continue,
    Return,
    Run,
    // type forms that are no ordinary expressions
    OptionalType,
    SliceType,
    ManyPointerType,
    SentinelType,
    ArrayType,
    FunctionType,
    ClosureType,
    TupleType,
    ResultList,
    ErrorChannel,
    InlineType,
    // target-specific forms that are parsed and passed on
    Asm,
};

struct Expr {
    explicit Expr(ExprKind kind) : kind(kind) {}
    Span span;
    const ExprKind kind;
};

/// Base for LLVM-style casting: `isa<Call>(e)`, `dyn_cast<Call>(e)`.
template <ExprKind K> struct ExprOf : Expr {
    static constexpr ExprKind Kind = K;
    ExprOf() : Expr(K) {}
    static bool classof(const Expr* e) { return e->kind == K; }
};

struct IntLit : ExprOf<ExprKind::Int> {
    bool isChar = false;
    uint64_t value = 0;
};
struct FloatLit : ExprOf<ExprKind::Float> {
    double value = 0;
};
struct BoolLit : ExprOf<ExprKind::Bool> {
    bool value = false;
};
/// `value` is decoded; `raw` maps nothing. Heredocs arrive here too.
struct StringLit : ExprOf<ExprKind::String> {
    bool heredoc = false;
    StringRef value;
};
struct NullLit : ExprOf<ExprKind::Null> {};
struct UndefLit : ExprOf<ExprKind::Undef> {}; ///< `---`
/// Any identifier, also f32, f64, Type, Self (then `raw` is false and the text is the keyword).
struct NameRef : ExprOf<ExprKind::NameRef> {
    Ident id;
};
/// `$T`, `$T/Eq/Hash`, `$args[0]` (index >= 0).
struct TypeParam : ExprOf<ExprKind::TypeParam> {
    Ident id;
    ArrayRef<Ident> constraints;
    int64_t index = -1;
};
struct EnumLit : ExprOf<ExprKind::EnumLit> {
    Ident name;
}; ///< `.name`, span covers the dot
struct ErrorTag : ExprOf<ExprKind::ErrorTag> {
    Ident name;
}; ///< `error.Name`
struct CallerLocation : ExprOf<ExprKind::CallerLocation> {};

struct Paren : ExprOf<ExprKind::Paren> {
    Expr* inner = nullptr;
};
/// What stands inside any number of parentheses; null for null.
inline const Expr* withoutParens(const Expr* e) {
    while (const auto* p = llvm::dyn_cast_or_null<Paren>(e)) e = p->inner;
    return e;
}

enum class UnaryOp : uint8_t { Neg, Not, BitNot, AddrOf, Xx, Try };
struct Unary : ExprOf<ExprKind::Unary> {
    UnaryOp op{};
    Expr* operand = nullptr;
};

struct Binary : ExprOf<ExprKind::Binary> {
    BinaryOp op{};
    Span opSpan;
    Expr* lhs = nullptr;
    Expr* rhs = nullptr;
};
/// `a < b <= c`: operands.size() == ops.size() + 1 >= 3.
struct CompareChain : ExprOf<ExprKind::CompareChain> {
    ArrayRef<Expr*> operands;
    ArrayRef<BinaryOp> ops;
    ArrayRef<Span> opSpans;
};

struct Arg {
    Ident name;          ///< `name = e`
    bool spread = false; ///< `..e`; the span starts at the dots
    Expr* value = nullptr;
    Span span;
};
struct Call : ExprOf<ExprKind::Call> {
    bool piped = false; ///< args[0] came from `a |> f(…)`
    Span rparen;
    Expr* callee = nullptr;
    ArrayRef<Arg> args;
    FunctionDecl* trailingBlock = nullptr; ///< `f(x) { … }`, as a lambda without parameters
};
struct Index : ExprOf<ExprKind::Index> {
    Expr* base = nullptr;
    Expr* index = nullptr;
    Span bracket;
};
struct SliceExpr : ExprOf<ExprKind::Slice> {
    bool loExclusive = false, hiInclusive = false;
    Span bracket;
    Expr* base = nullptr;
    Expr* lo = nullptr; ///< null: from the start
    Expr* hi = nullptr; ///< null: to the end
};
/// `a.f`, `a.0` (name is the digits, isIndex), `a?.f`.
struct Member : ExprOf<ExprKind::Member> {
    bool isIndex = false;
    bool optional = false;
    Ident name;
    Span dot; ///< of `?.` its second character
    Expr* base = nullptr;
};
struct Deref : ExprOf<ExprKind::Deref> {
    Expr* base = nullptr;
    Span dot;
};
/// `e.(T)`, `e.(T, allocator)`, `e?.(T)`.
struct Cast : ExprOf<ExprKind::Cast> {
    bool optional = false;
    Expr* base = nullptr;
    Expr* type = nullptr;
    Expr* allocator = nullptr;
};
struct Unwrap : ExprOf<ExprKind::Unwrap> {
    Expr* base = nullptr;
    Span bang;
};
/// The body is a block, a Match on the binding (its subject is a NameRef of the binding), or any expression.
struct Catch : ExprOf<ExprKind::Catch> {
    Expr* operand = nullptr;
    Ident binding;
    Expr* body = nullptr;
    Span keyword;
};

struct Init {
    Ident name;             ///< `name = e`; for a lone identifier: that identifier, with shorthand set
    bool shorthand = false; ///< `name` alone directly before `,` or `}`: named or positional, sema decides
    bool spread = false;
    Expr* value = nullptr;
    Span span;
};
struct StructLit : ExprOf<ExprKind::StructLit> {
    Expr* type = nullptr;
    ArrayRef<Init> inits;
    BlockExpr* initBlock = nullptr;
};
struct ArrayLit : ExprOf<ExprKind::ArrayLit> {
    Expr* type = nullptr;
    ArrayRef<Expr*> elems;
};
struct Lambda : ExprOf<ExprKind::Lambda> {
    FunctionDecl* fn = nullptr;
};

/// Statements; the value is that of the last statement if it is an ExprStmt without semicolon.
struct BlockExpr : ExprOf<ExprKind::Block> {
    ArrayRef<Stmt*> stmts;
};
struct If : ExprOf<ExprKind::If> {
    bool isInline = false;  ///< `inline if`: decided at compile time
    bool thenForm = false;  ///< `if c then a else b`
    bool guardForm = false; ///< `if c return 0;`
    Ident binding;          ///< `if name := cond`
    Expr* cond = nullptr;
    Expr* then = nullptr; ///< a block, or any expression after `then`; in the guard form a block of one jump
    Expr* otherwise = nullptr;
};
struct MatchArm {
    Expr* pattern = nullptr; ///< null: `else`
    Ident capture;
    ArrayRef<Stmt*> body;
    bool arrow = false;      ///< `(c) => e;`
    bool emptyBreak = false; ///< `case P: break;`
    Span span;               ///< from `case`/`else` to the end of the body
    Span caseKeyword;
    Span bodySpan;
};
struct Match : ExprOf<ExprKind::Match> {
    bool isInline = false;
    Expr* subject = nullptr;
    ArrayRef<MatchArm> arms;
};
struct While : ExprOf<ExprKind::While> {
    Ident binding;
    Expr* cond = nullptr;
    BlockExpr* body = nullptr;
};
struct ForIter {
    Expr* value = nullptr; ///< the collection, or the start of a range
    Expr* end = nullptr;   ///< null in an open range
    bool isRange = false;
    bool startExclusive = false, endInclusive = false;
    Span span;
};
struct ForCapture {
    Ident name;
    bool byRef = false;
};
struct For : ExprOf<ExprKind::For> {
    bool isInline = false;
    ArrayRef<ForIter> iters;
    ArrayRef<ForCapture> captures;
    BlockExpr* body = nullptr; ///< the arrow form is a block of its one statement
};
struct Push : ExprOf<ExprKind::Push> {
    Expr* context = nullptr;
    BlockExpr* body = nullptr;
};
struct BreakExpr : ExprOf<ExprKind::Break> {};
struct ContinueExpr : ExprOf<ExprKind::Continue> {};
struct ReturnElem {
    Ident name;
    Expr* value = nullptr;
};
struct ReturnExpr : ExprOf<ExprKind::Return> {
    ArrayRef<ReturnElem> elems;
};
struct Run : ExprOf<ExprKind::Run> {
    Expr* value = nullptr;
};
/// `[name] "constraint" -> T`, `-> *place` or `= value`.
struct AsmOperand {
    Ident name;
    StringRef constraint;
    Span constraintSpan, span;
    bool isOutput = false;
    Expr* value = nullptr; ///< of an output: a type, or an address
};
struct AsmExpr : ExprOf<ExprKind::Asm> {
    StringRef text;
    Span textSpan;
    ArrayRef<AsmOperand> operands;
    ArrayRef<Ident> clobbers;
    bool isVolatile = false;
};

// ------------------------------------------------------------------------------------ type forms

struct OptionalType : ExprOf<ExprKind::OptionalType> {
    Expr* inner = nullptr;
};
struct SliceType : ExprOf<ExprKind::SliceType> {
    Expr* elem = nullptr;
};
struct ManyPointerType : ExprOf<ExprKind::ManyPointerType> {
    Expr* elem = nullptr;
};
struct SentinelType : ExprOf<ExprKind::SentinelType> {
    uint64_t sentinel = 0;
    Expr* elem = nullptr;
}; ///< `[:0]u8`
struct ArrayType : ExprOf<ExprKind::ArrayType> {
    Expr* count = nullptr;
    Expr* elem = nullptr;
};
/// One element of a parenthesized type list, of a tuple type, or of a closure's parameters.
struct TypeElem {
    Ident name;
    bool spread = false; ///< `..T`
    Expr* type = nullptr;
    Expr* defaultValue = nullptr; ///< result slots only
    Span span;
};
enum class Abi : uint8_t { Sx, C, Naked };
struct FunctionType : ExprOf<ExprKind::FunctionType> {
    Abi abi = Abi::Sx;
    ArrayRef<TypeElem> params;
    Expr* result = nullptr;
};
struct ClosureType : ExprOf<ExprKind::ClosureType> {
    ArrayRef<TypeElem> params;
    Expr* result = nullptr;
};
struct TupleType : ExprOf<ExprKind::TupleType> {
    ArrayRef<TypeElem> elems;
};
/// `(A, B)`, `(x: A, y: B = 1, !Set)`, `(T, !)`, `()` (void; no elems): only where a result type may stand.
/// The error channel, if any, is the last element (an ErrorChannel).
struct ResultList : ExprOf<ExprKind::ResultList> {
    ArrayRef<TypeElem> elems;
};
struct ErrorChannel : ExprOf<ExprKind::ErrorChannel> {
    Expr* set = nullptr;
}; ///< `!` (set null), `!Set`
struct InlineType : ExprOf<ExprKind::InlineType> {
    Decl* decl = nullptr;
}; ///< `struct {…}`, `enum {…}`, `union {…}`

// ------------------------------------------------------------------------------------ statements

enum class StmtKind : uint8_t {
    Expr,
    Var,
    LocalDecl,
    Destructure,
    Assign,
    MultiAssign,
    Return,
    Raise,
    Defer,
    OnFail,
    Break,
    Continue,
    Insert,
    ErrorDirective,
    Import,
};
struct Stmt {
    explicit Stmt(StmtKind kind) : kind(kind) {}
    Span span; ///< includes the final `;`
    const StmtKind kind;
};
template <StmtKind K> struct StmtOf : Stmt {
    static constexpr StmtKind Kind = K;
    StmtOf() : Stmt(K) {}
    static bool classof(const Stmt* s) { return s->kind == K; }
};

struct ExprStmt : StmtOf<StmtKind::Expr> {
    bool semicolon = false;
    Span semi;
    Expr* expr = nullptr;
};
/// `x := e;`, `x : T = e;`, `x : T;`. Local `::` bindings are LocalDecls.
struct VarStmt : StmtOf<StmtKind::Var> {
    Ident name;
    Expr* type = nullptr;
    Expr* init = nullptr;
};
/// A local constant, function, type, ufcs alias or global-like extern.
struct LocalDecl : StmtOf<StmtKind::LocalDecl> {
    Decl* decl = nullptr;
};
/// `a, b := e;` (`_` has the name "_").
struct Destructure : StmtOf<StmtKind::Destructure> {
    ArrayRef<Ident> names;
    Expr* init = nullptr;
};
/// `t = e;` and `t op= e;` (then `op` is set).
struct Assign : StmtOf<StmtKind::Assign> {
    bool compound = false;
    BinaryOp op{};
    Span opSpan;
    Expr* target = nullptr;
    Expr* value = nullptr;
};
struct MultiAssign : StmtOf<StmtKind::MultiAssign> {
    ArrayRef<Expr*> targets;
    ArrayRef<Expr*> values;
};
struct ReturnStmt : StmtOf<StmtKind::Return> {
    ArrayRef<ReturnElem> elems;
    Span keyword;
};
struct RaiseStmt : StmtOf<StmtKind::Raise> {
    Expr* value = nullptr;
    Span keyword;
};
struct DeferStmt : StmtOf<StmtKind::Defer> {
    Expr* body = nullptr;
}; ///< a block or an expression
struct OnFailStmt : StmtOf<StmtKind::OnFail> {
    Ident binding;
    Expr* body = nullptr;
};
struct BreakStmt : StmtOf<StmtKind::Break> {};
struct ContinueStmt : StmtOf<StmtKind::Continue> {};
struct InsertStmt : StmtOf<StmtKind::Insert> {
    Expr* value = nullptr;
};
struct ErrorStmt : StmtOf<StmtKind::ErrorDirective> {
    StringRef message;
};
struct ImportStmt : StmtOf<StmtKind::Import> {
    StringRef path;
};

// ------------------------------------------------------------------------------------ declarations

enum class DeclKind : uint8_t {
    Const,
    Var,
    Function,
    UfcsAlias,
    Struct,
    Enum,
    Union,
    ErrorSet,
    Protocol,
    Import,
    ImportC,
    Library,
    Framework,
    RunStmt,
    ErrorDirective,
    ContextExtend,
    Impl,
    InlineIf,
    Asm,
    RuntimeClass,
};
struct Decl {
    explicit Decl(DeclKind kind) : kind(kind) {}
    Ident name; ///< none for flat imports, impls, directives, anonymous types
    Span span;
    FileId file{};
    const DeclKind kind;
    bool isPrivate = false;
};
template <DeclKind K> struct DeclOf : Decl {
    static constexpr DeclKind Kind = K;
    DeclOf() : Decl(K) {}
    static bool classof(const Decl* d) { return d->kind == K; }
};

/// `NAME :: expr;`, `NAME : T : expr;`: a constant, a type alias or an alias of any declaration.
/// `NAME :: T intrinsic;` and `NAME :: intrinsic;` set isIntrinsic; in the second, value is null.
struct ConstDecl : DeclOf<DeclKind::Const> {
    Expr* type = nullptr;
    Expr* value = nullptr;
    bool isIntrinsic = false;
};
/// A global, or a local with storage written in declaration form (extern).
struct VarDecl : DeclOf<DeclKind::Var> {
    Expr* type = nullptr;
    Expr* init = nullptr;
    bool isExtern = false;
    Ident library;
    StringRef symbol;
};

struct Param {
    Ident name;
    bool variadic = false;       ///< `..name`
    bool comptime = false;       ///< `$name`
    Expr* type = nullptr;        ///< null in lambdas that take it from the target, and for `..$args`
    ArrayRef<Ident> constraints; ///< `$T: Type/Eq/Hash`
    Expr* defaultValue = nullptr;
    Span span;
};
enum class BodyKind : uint8_t { Block, Arrow, Intrinsic, None };
enum class Linkage : uint8_t { Normal, Extern, Export };
struct FunctionDecl;
/// Reads the bodies that parsing has passed by.
class BodyReader {
public:
    virtual ~BodyReader() = default;
    /// The body that stands at `at`, a block with its braces, in the file of the function.
    virtual Expr* read(const FunctionDecl&, Span at) = 0;
};
/// A block, or the expression of an arrow body; or a place in the text from which a block is read when it is asked for.
class FunctionBody {
public:
    void set(Expr* e) { tree_ = e; }
    void defer(BodyReader& reader, Span at) { reader_ = &reader, at_ = at; }
    bool exists() const { return tree_ || reader_; }
    Span span() const { return tree_ ? tree_->span : at_; } ///< invalid: there is no body
    Expr* of(const FunctionDecl& f) const {
        if (!tree_ && reader_) tree_ = reader_->read(f, at_);
        return tree_;
    }

private:
    mutable Expr* tree_ = nullptr;
    BodyReader* reader_ = nullptr;
    Span at_;
};
struct FunctionDecl : DeclOf<DeclKind::Function> {
    BodyKind bodyKind = BodyKind::None;
    Abi abi = Abi::Sx;
    Linkage linkage = Linkage::Normal;
    bool isUfcs = false, isGet = false, isSet = false, isLambda = false;
    bool implicitVoid = false; ///< `name :: { … }`
    ArrayRef<Param> params;
    Span paramList;         ///< from `(` to `)`
    Expr* result = nullptr; ///< null: none written
    FunctionBody ownBody;
    Ident library; ///< after extern/export
    StringRef symbol;

    /// A BlockExpr, or the expression of an arrow body; null: there is none.
    Expr* body() const { return ownBody.of(*this); }
    bool hasBody() const { return ownBody.exists(); }
    Span bodySpan() const { return ownBody.span(); } ///< read or not; invalid: there is no body
};
struct UfcsAliasDecl : DeclOf<DeclKind::UfcsAlias> {
    Ident target;
};

struct TypeParamDecl {
    Ident name;
    bool variadic = false;
    Expr* type = nullptr;
    ArrayRef<Ident> constraints;
    Span span;
};
/// A field, with one name each (`x, y: T` gives two that share the type expression).
struct FieldDecl {
    Ident name;
    Expr* type = nullptr;
    Expr* defaultValue = nullptr;
    Span span;
};
enum class MemberKind : uint8_t { Field, Using, Decl };
struct MemberDecl {
    MemberKind kind{};
    Ident usingName;
    FieldDecl field;
    Decl* decl = nullptr; ///< a method (FunctionDecl), a constant (ConstDecl) or a nested type
};
struct StructDecl : DeclOf<DeclKind::Struct> {
    Abi abi = Abi::Sx;
    bool isExtern = false;
    Ident library; ///< after extern
    ArrayRef<TypeParamDecl> typeParams;
    ArrayRef<MemberDecl> members;
};
struct VariantDecl {
    Ident name;
    Expr* value = nullptr;
    Expr* payload = nullptr;
    Span payloadColon;
    Span span;
};
struct EnumDecl : DeclOf<DeclKind::Enum> {
    bool isFlags = false;
    Expr* backing = nullptr;
    ArrayRef<VariantDecl> variants;
};
struct UnionMemberDecl {
    Ident name;
    Expr* type = nullptr;
    StructDecl* anonymous = nullptr;
    Span span;
};
struct UnionDecl : DeclOf<DeclKind::Union> {
    ArrayRef<UnionMemberDecl> members;
};
struct ErrorSetDecl : DeclOf<DeclKind::ErrorSet> {
    ArrayRef<Ident> tags;
};
struct ProtocolMethod {
    FunctionDecl* fn = nullptr;
}; ///< body None: required; else a default method
struct ProtocolDecl : DeclOf<DeclKind::Protocol> {
    ArrayRef<TypeParamDecl> typeParams;
    ArrayRef<ProtocolMethod> methods;
    bool isInline = false, isIdentity = false;
};

/// Named: a namespace. `directive` runs from `#import` to the `;`.
struct ImportDecl : DeclOf<DeclKind::Import> {
    StringRef path;
    Span directive;
};
struct ImportCDecl : DeclOf<DeclKind::ImportC> {
    enum class Kind : uint8_t { Include, Source, Define, Flags };
    struct Entry {
        Kind kind;
        StringRef text;
        Span span; ///< of the text, with its quotes
    };
    ArrayRef<Entry> entries;
    Span directive;
};
struct LibraryDecl : DeclOf<DeclKind::Library> {
    StringRef library;
};
struct FrameworkDecl : DeclOf<DeclKind::Framework> {
    StringRef framework;
};
struct RunDecl : DeclOf<DeclKind::RunStmt> {
    Expr* value = nullptr;
};
struct ErrorDecl : DeclOf<DeclKind::ErrorDirective> {
    StringRef message;
};
struct ContextExtendDecl : DeclOf<DeclKind::ContextExtend> {
    Expr* type = nullptr;
    Expr* defaultValue = nullptr;
};
struct ImplDecl : DeclOf<DeclKind::Impl> {
    Ident protocol;
    Expr* protocolRef = nullptr; ///< a NameRef, a Member (ns.P) or a Call (P(args))
    Expr* target = nullptr;
    ArrayRef<Ident> targetParams; ///< fresh `$T` of a generic target `Stack($T)`
    ArrayRef<FunctionDecl*> methods;
};
/// Module-scope `inline if`: either a condition with two branches, or a match (then arms is not empty).
struct InlineIfDecl : DeclOf<DeclKind::InlineIf> {
    struct Arm {
        Expr* pattern = nullptr;
        ArrayRef<Decl*> items;
    }; ///< pattern null: else
    Expr* cond = nullptr;
    ArrayRef<Decl*> then, otherwise;
    Expr* subject = nullptr;
    ArrayRef<Arm> arms;
};
struct AsmDecl : DeclOf<DeclKind::Asm> {
    StringRef text;
    Span textSpan;
};
/// Objective-C, Java and Swift class declarations: parsed, names checked, otherwise inert on this target.
struct RuntimeMember {
    enum class Kind : uint8_t { Extends, Implements, Field, Const, Method } kind{};
    Ident name;
    Expr* type = nullptr;       ///< Field, Const
    Expr* value = nullptr;      ///< Const
    FunctionDecl* fn = nullptr; ///< Method
    Span span;
};
struct RuntimeClassDecl : DeclOf<DeclKind::RuntimeClass> {
    StringRef runtimeName;
    ArrayRef<RuntimeMember> members;
    Linkage linkage = Linkage::Normal;
    bool isJniMain = false;
};

// ------------------------------------------------------------------------------------ files

/// The tree of one file.
struct File {
    FileId id{};
    ArrayRef<Decl*> items;
};

} // namespace sx::ast
