// Where errors are raised, passed on and handled: the places that hovers and error paths tell of.
#pragma once

#include "server/program/View.h"

#include <map>

namespace sx::server {

/// What becomes of the error of a call at one place.
enum class CallHandling : uint8_t { None, Try, Catch, Or, Destructure };

struct RaiseSite {
    Name tag = Name::None; ///< None: a value that is raised again
    Span keyword;          ///< the `raise`
    Span whole;
};

struct CallSite {
    SourcePos callee; ///< where the function is declared
    CallHandling handling{};
    Span keyword; ///< the `try`, `catch` or `or`; else the call
    Span operand; ///< the call
};

/// What stands in the body of one function, lambdas in it included.
struct ErrorSites {
    const Declaration* function = nullptr;
    std::vector<RaiseSite> raises;
    std::vector<CallSite> calls;
};

class ErrorMap {
public:
    explicit ErrorMap(View& view) : view_(view) {}

    const ErrorSites& of(const Declaration& function);
    /// Every function of the program with a body.
    std::vector<const Declaration*> functions();
    /// Whether a function may end with a tag: by what the check has inferred, or else by what stands in it.
    bool mayRaise(const Declaration& function, Name tag);
    /// The raises of a tag that a call of the function may end with.
    std::vector<RaiseSite> raisesOf(const Declaration& function, Name tag);

private:
    View& view_;
    std::map<SourcePos, ErrorSites> sites_;
};

} // namespace sx::server
