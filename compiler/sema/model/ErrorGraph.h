// The graph of inferred error sets, and the checks that wait for its solution.
#pragma once

#include "sema/model/Symbols.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sx::sema {

/// Every tag of `from` must be in `set`; an error at `at` lists those that are not.
struct PendingSetCheck {
    ErrorNode* from;
    TypeId set;
    Span at;
    std::string function;
};

/// What an arm of a match on errors names.
struct MatchedTag {
    Name tag;
    Span at;
};

struct ErrorGraph {
    std::vector<ErrorNode*> nodes;
    std::map<TypeId, ErrorNode*> shapes; ///< by function or closure type
    /// Of a protocol method without a named set, by protocol and method: all its impls.
    std::map<std::pair<TypeId, uint32_t>, ErrorNode*> ofProtocols;
    std::vector<PendingSetCheck> checks;
    std::vector<MatchedTag> matched; ///< judged when all tags are known
    /// Pure `-> !` functions at the top level, and a `main` that may fail: a warning if nothing in them does.
    std::vector<FunctionInstance*> neverFails;
};

} // namespace sx::sema
