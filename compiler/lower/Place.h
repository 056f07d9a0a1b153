// A place in a program that was checked, at which an expression is read that is no part of it.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// What code at a position sees. `Options::keepScopes` has to be set.
class Place {
public:
    /// In the body of `instance`, or in any (null), or outside of all bodies in a file of the program.
    Place(Sema&, SourcePos at, const FunctionInstance* instance);
    /// In a body that was lowered.
    Place(Sema&, const CodePlace&);

    /// The position is in a file of the program.
    bool isKnown() const { return file_ != nullptr; }
    /// The function whose body it is in; null: a lambda, or none.
    FunctionInstance* instance() const { return scope_ ? scope_->instance : nullptr; }
    /// The innermost scope of the body; null: it is in none. Of its entries, and of those of the scopes around it, code
    /// at the place sees the ones with a number below `limit`.
    const Scope* scope() const { return scope_ ? scope_->scope : nullptr; }
    uint32_t limit() const;
    /// Whose names the place sees. Only where it `isKnown`.
    SourceFile& file() const { return *file_; }
    /// A name that stands for something at the place.
    bool sees(Name) const;
    /// The variable that is declared there belongs to a function around the lambda that the place is in.
    bool isAround(Name, Span declared) const;
    /// Why a local that is seen there may not be assigned by its name: `the loop index …`; empty: it may.
    std::string assignmentProblem(const Symbol& local) const;
    /// A body for `fn`, in which an expression at `e` is read as it would be at the place.
    std::unique_ptr<Body> body(ir::Function& fn, Span e) const;

private:
    Place(Sema&, SourcePos at, const BodyScope* scope);

    Sema& sema_;
    SourcePos at_;
    const BodyScope* scope_;
    SourceFile* file_;
};

/// The tree of an expression in text, or why it is none. One text takes room once, however often it is asked for.
const AskedText& parsed(Sema&, std::string_view text);

} // namespace sx::lower
