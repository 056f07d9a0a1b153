// The graph of inferred error sets, and the checks that wait for its solution.
#pragma once

#include "sema/model/Symbols.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sx::sema {

struct FunctionInstance;

/// The tags with which something can end: a function, a closure shape, or an error variable. Edges are added
/// while bodies are lowered; `solveErrorSets` computes the least fix-point over the graph.
struct ErrorNode {
    llvm::SmallVector<uint32_t, 4> tags;   ///< own tags (ids), sorted by the solver
    llvm::SmallVector<ErrorNode*, 2> from; ///< everything these can end with, this can too
    bool throughValue = false;             ///< reached through a closure, function pointer or protocol value
    bool isUnknown = false;                ///< something that was rejected may be among what these come from
    FunctionInstance* owner = nullptr;     ///< whose result it is; null: of a variable, a shape, branches that join
};

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
