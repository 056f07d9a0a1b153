// How the arguments of a generic call meet its parameters, before any type is known. Private to Generics.cpp.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// One argument: as written, or a value that is there already (the receiver, an element of a spread).
struct GenericArgument {
    const ast::Arg* arg = nullptr;            ///< null: the receiver and the trailing block
    const ast::Expr* expr = nullptr;          ///< null: `value` or `block`
    const ast::FunctionDecl* block = nullptr; ///< a trailing block
    Value value;                              ///< known before the parameters are: Error if not
    bool isReceiver = false;
    bool isTailSpread = false; ///< `..xs` of a run-time slice in a slice-variadic tail
    size_t param = SIZE_MAX;   ///< index of the parameter it goes to
};

/// Which argument goes where (generics.md 1.3, language 3.11, 3.12).
class GenericArguments {
public:
    GenericArguments(Body&, FunctionTemplate&, const ast::Call&, const Value* receiver);
    /// False after a report.
    bool plan();

    std::vector<GenericArgument> list; ///< in written order
    /// The call writes its `$T: Type` slots out; otherwise these take no argument.
    bool isExplicit = false;

private:
    bool collect(const Value* receiver);
    bool addSpread(const ast::Arg&);
    void decideForm();
    bool assign();
    bool assignNamed(llvm::SmallVectorImpl<bool>& taken);
    bool assignBlock(llvm::SmallVectorImpl<bool>& taken);
    bool checkMissing(llvm::ArrayRef<bool> taken);
    bool wrongCount();
    bool isTypeSlot(size_t param) const;
    bool isTail(size_t param) const { return f_.decl->params[param].variadic; }
    size_t paramCount() const { return f_.decl->params.size(); }

    Body& l_;
    FunctionTemplate& f_;
    const ast::Call& call_;
    const Value* receiver_;
};

} // namespace sx::lower
