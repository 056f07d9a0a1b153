// Where errors are raised, passed on and handled: the places that hovers and error paths tell of.
#pragma once

#include "server/features/CallInstances.h"

#include <map>
#include <memory>
#include <set>

namespace sx::server {

/// What becomes of the error of a call at one place.
enum class CallHandling : uint8_t {
    None,        ///< nothing, which the check rejects where there is an error
    Try,         ///< passed on
    Forward,     ///< passed on with the whole result: `return f();`, or at the end of the body
    Catch,       ///< given to a handler
    Or,          ///< dropped for the next operand
    Destructure, ///< a value from there on
};

struct RaiseSite {
    Name tag = Name::None; ///< None: a value that is raised again
    Span keyword;          ///< the `raise`, or the tag that is returned
    Span whole;
    SourcePos variable{}; ///< where the value is declared
};

struct CallSite {
    SourcePos callee; ///< where what is called is declared; not valid: an expression says it
    const ast::Expr* calleeTree = nullptr;
    CallHandling handling{};
    Span keyword;         ///< the `try`, `catch` or `or`; else the call
    Span operand;         ///< the call
    Span all;             ///< both, and a `try` in front of an operand of `or`
    SourcePos variable{}; ///< that gets the error
    /// The functions that it goes to in this instance of the body, where the check has looked at it.
    std::vector<const sema::FunctionInstance*> callees{};
    bool isOfOthers = false; ///< it goes to a function in other instances only
    Name tag = Name::None;   ///< it is no call, and fails with this: a cast of an `any`
};

/// What stands in one body, without the bodies in it. A generic body has one for all instances whose calls go to the
/// same functions.
struct ErrorSites {
    const Declaration* function = nullptr;            ///< or constant; of a lambda that around it
    const ast::Expr* lambda = nullptr;                ///< that has the body; null: the function itself
    const sema::FunctionInstance* instance = nullptr; ///< of the function, or one of several; null: none was looked at
    std::vector<RaiseSite> raises;
    std::vector<CallSite> calls;
};

/// The flow of errors through one program. It is read when it is first asked for.
class ErrorMap {
public:
    explicit ErrorMap(View& view) : view_(view), instances_(view) {}

    /// Every body of the program: those of functions, those of lambdas, and values of constants.
    const std::vector<std::unique_ptr<ErrorSites>>& all();
    /// The body of a function, once for each way in which its instances differ. Empty: it has none.
    const std::vector<const ErrorSites*>& of(const Declaration& function);
    /// The bodies that a call may run: those of a function, of all that implement a protocol's method, or of all
    /// functions and lambdas that a value of the type may hold.
    const std::vector<const ErrorSites*>& targets(const CallSite&);
    /// Where a body may be called, with the body that does it.
    const std::vector<std::pair<const ErrorSites*, const CallSite*>>& callers(const ErrorSites&);
    /// A value at a call can be this error: its type does not rule it out.
    bool allows(const CallSite&, Name tag);
    /// What a call may end with, in alphabetical order.
    std::vector<Name> tagsOfCall(const CallSite&);
    /// What the error that a variable gets may be, in alphabetical order.
    std::vector<Name> tagsOfVariable(SourcePos declared);
    /// The places where an error begins that a call of the function may end with.
    std::vector<RaiseSite> raisesOf(const Declaration& function, Name tag);

private:
    void read();
    TypeId calleeType(const CallSite&);
    std::vector<const ErrorSites*> ofShape(TypeId functionType);
    TypeId shapeOf(const ErrorSites&);

    View& view_;
    CallInstances instances_;
    bool isRead_ = false;
    std::vector<std::unique_ptr<ErrorSites>> all_;
    std::map<SourcePos, std::vector<const ErrorSites*>> named_;
    std::map<const sema::FunctionInstance*, const ErrorSites*> ofInstance_;
    std::set<SourcePos> values_; ///< functions that are used as values
    std::map<const CallSite*, std::vector<const ErrorSites*>> targets_;
    std::map<const ErrorSites*, std::vector<std::pair<const ErrorSites*, const CallSite*>>> callers_;
    std::map<const ErrorSites*, TypeId> shapes_;
    std::map<const ast::Expr*, TypeId> calleeTypes_;
    bool hasCallers_ = false;
};

} // namespace sx::server
