// Code for expressions that are no part of the program: what a debugger evaluates in the scope of a frame.
//
// An expression becomes a function of the module, with those that it needs and nothing else has. It stays while
// somebody keeps it; then the module is as it was before.
#pragma once

#include "lower/Rollback.h"
#include "sema/Sema.h"

#include <memory>
#include <string_view>
#include <vector>

namespace sx::lower {

/// A variable of the body that an expression uses.
struct UsedVariable {
    Name name = Name::None;
    Span declared;
    TypeId type{};
    ir::SlotId slot = ir::SlotId::None; ///< of the body that it is used in; None: the body has none
};

/// A variable that an expression sees and the program does not have. It is used like one of the body, with an invalid
/// place of declaration.
struct GivenVariable {
    Name name = Name::None;
    TypeId type{};
    bool isInnermost = false; ///< it hides what the program calls so; else the program's names hide it
    bool isConstant = false;  ///< it was declared with `::`
};

/// What a lambda has of a variable around it, by its name and where it is declared; None: it does not capture it.
ir::SlotId capturedSlot(const ir::Function& lambda, Name, Span declared);

/// What an expression was compiled to.
///
/// The function takes two addresses: of a block with a word for each variable, the address of its storage; and of room
/// for the answer, `answerSize` bytes. It returns an error value of the inferred set: that of a `try` that failed, or
/// no error. Then the answer is a value of type `type`, or if `isPlace` the address of one.
struct CompiledExpression {
    ir::FuncId function = ir::FuncId::None; ///< None: `errors` say why, or a type is named
    TypeId type{};                          ///< Void: there is no value
    TypeId namedType{};                     ///< of an expression that names a type
    bool isPlace = false;
    bool isConstant = false; ///< a place that may not be written
    bool isFailable = false; ///< the result of a call that may fail, which nothing marks
    uint64_t answerSize = 0;
    std::vector<UsedVariable> variables;
    std::vector<Diagnostic> errors; ///< in the order of reporting; positions in the text are those of a file of its own
};

class ExpressionCompiler {
public:
    explicit ExpressionCompiler(sema::Sema& sema) : sema_(sema) {}
    ~ExpressionCompiler();
    ExpressionCompiler(const ExpressionCompiler&) = delete;

    /// What is wanted of an expression.
    struct Want {
        TypeId type{};            ///< it is converted to this type; None: as it is
        bool isCondition = false; ///< its truth, as in an `if`, is a bool
        llvm::ArrayRef<GivenVariable> given = {};
    };
    /// Compiles `text` as it is read at a place of the program. The answer is there until it is released.
    /// `Options::keepScopes` has to be set, and the program has to have no errors.
    const CompiledExpression& compile(std::string_view text, const sema::CodePlace& at, Want want);
    void release(const CompiledExpression&);

    /// Changes whenever functions and globals of the module go, so that their numbers may come to mean others.
    unsigned generation() const { return generation_; }

private:
    /// Made in a row, and undone from the last one on: a released one waits for those that were made after it.
    struct Kept {
        Rollback rollback;
        CompiledExpression code;
        bool isReleased = false;
        explicit Kept(sema::Sema& sema) : rollback(sema) {}
    };
    void undoReleased();

    sema::Sema& sema_;
    std::vector<std::unique_ptr<Kept>> kept_;
    unsigned generation_ = 0;
};

} // namespace sx::lower
