// Which instances of functions the calls in a program go to, as the check has noted it (sema::Uses): a call in generic
// code goes to another function in each instance.
#pragma once

#include "server/program/View.h"

#include <map>
#include <vector>

namespace sx::server {

class CallInstances {
public:
    using Instance = const sema::FunctionInstance*;

    explicit CallInstances(View&);

    /// The instances of a function, together where their calls go to the same functions, as far as those may fail.
    std::vector<std::vector<Instance>> groupsOf(const ast::FunctionDecl&) const;
    /// What a call goes to in an instance of the function around it; null: in any. Empty: a value, a protocol's method,
    /// or code that was not looked at.
    std::vector<Instance> calledBy(const ast::Call&, Instance caller) const;
    /// The call goes to a function in some instance.
    bool isKnown(const ast::Call& c) const { return byCall_.count(&c) != 0; }
    /// The result of a function may be an error.
    bool mayFail(Instance) const;

private:
    View& view_;
    std::map<const ast::FunctionDecl*, std::vector<Instance>> instances_;
    std::map<const ast::Call*, std::vector<std::pair<Instance, Instance>>> byCall_; ///< caller, callee
    std::map<Instance, std::vector<std::pair<const ast::Call*, Instance>>> byCaller_;
};

} // namespace sx::server
