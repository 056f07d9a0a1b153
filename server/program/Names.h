// What is declared in a file, and what each name in it stands for: by scopes, for all code, whether the program reaches
// it or not. What depends on types the check adds (sema::Uses).
#pragma once

#include "sema/Sema.h"

#include <vector>

namespace sx::server {

enum class DeclaredKind : uint8_t {
    Constant,
    Global,
    Function,
    Method,
    Struct,
    Enum,
    Union,
    ErrorSet,
    Protocol,
    Namespace,
    Library,
    Class,
    Field,
    Variant,
    Tag,
    Parameter,
    TypeParameter,
    Local,
};

struct Declaration {
    DeclaredKind kind{};
    Name name = Name::None;
    Span nameSpan;
    Span whole;                                  ///< all that declares it
    int parent = -1;                             ///< index of the declaration that it stands in; -1: the file
    const ast::Decl* decl = nullptr;             ///< of what is declared with `::`
    const ast::FunctionDecl* function = nullptr; ///< of a function; of a parameter: whose
    const ast::Expr* type = nullptr;             ///< as it is written
    const ast::Expr* value = nullptr;
    Span scope{}; ///< of a local or parameter: where it can be used; else not valid
    /// Of one with a scope: a name that callers write too, of a parameter or a result.
    bool isOfSignature = false;

    /// Other files may have the name of it.
    bool isSeenOutside() const { return !scope.isValid() || isOfSignature; }
};

struct NameUse {
    Span at;
    SourcePos target; ///< where the name is declared
    bool writes = false;
};

/// `error.Name`, or a tag in a pattern.
struct TagUse {
    Span at;
    Name tag = Name::None;
};

/// The text of an `#import`.
struct ImportUse {
    Span at; ///< the path, without its quotes
    const ast::ImportDecl* decl = nullptr;
};

/// A name that is an expression: `x`, or `.x` behind a value.
struct NameExpr {
    SourcePos begin; ///< of the name
    const ast::Expr* expr = nullptr;
};

/// `.name` in the arm of a match.
struct PatternUse {
    const ast::EnumLit* tree = nullptr;
    bool isTag = false; ///< the subject is what a `catch` or `on_fail` binds
};

struct FileNames {
    std::vector<Declaration> declarations;
    std::vector<NameUse> uses;
    std::vector<TagUse> tags;
    std::vector<ImportUse> imports;
    std::vector<PatternUse> patterns;
    std::vector<NameExpr> expressions;
};

FileNames namesOf(sema::Sema&, sema::SourceFile&);

} // namespace sx::server
