#include "server/features/CallInstances.h"

#include "types/Failable.h"

#include <algorithm>

namespace sx::server {

CallInstances::CallInstances(View& view) : view_(view) {
    const sema::Sema& sema = *view.program().sema;
    for (const sema::FunctionInstance* i : sema.instances.byFunc)
        if (i && i->tmpl && !i->signatureFailed) instances_[i->tmpl->decl].push_back(i);
    if (!sema.uses) return;
    for (const sema::CallUse& use : sema.uses->calls) {
        std::vector<std::pair<Instance, Instance>>& known = byCall_[use.call];
        if (std::find(known.begin(), known.end(), std::pair(use.caller, use.callee)) != known.end()) continue;
        known.emplace_back(use.caller, use.callee);
        if (use.caller && mayFail(use.callee)) byCaller_[use.caller].emplace_back(use.call, use.callee);
    }
    for (auto& [caller, calls] : byCaller_) std::sort(calls.begin(), calls.end());
}

bool CallInstances::mayFail(Instance i) const {
    return i->result == TypeId::None || isFailable(view_.program().types, i->result);
}

std::vector<std::vector<CallInstances::Instance>> CallInstances::groupsOf(const ast::FunctionDecl& f) const {
    std::vector<std::vector<Instance>> groups;
    auto instances = instances_.find(&f);
    if (instances == instances_.end()) return groups;
    const TypeTable& types = view_.program().types;
    using Key = std::pair<TypeId, std::vector<std::pair<const ast::Call*, Instance>>>;
    std::map<Key, size_t> known;
    for (Instance i : instances->second) {
        bool fails = i->result != TypeId::None && isFailable(types, i->result);
        auto calls = byCaller_.find(i);
        Key key{fails ? errorSetOf(types, i->result) : TypeId::None, {}};
        if (calls != byCaller_.end()) key.second = calls->second;
        auto [at, isNew] = known.try_emplace(std::move(key), groups.size());
        if (isNew) groups.emplace_back();
        groups[at->second].push_back(i);
    }
    return groups;
}

std::vector<CallInstances::Instance> CallInstances::calledBy(const ast::Call& call, Instance caller) const {
    std::vector<Instance> found;
    auto known = byCall_.find(&call);
    if (known == byCall_.end()) return found;
    auto collect = [&](Instance from, bool any) {
        for (auto& [by, callee] : known->second)
            if ((any || by == from) && std::find(found.begin(), found.end(), callee) == found.end())
                found.push_back(callee);
    };
    collect(caller, !caller);
    if (found.empty()) collect(nullptr, false); // evaluated while compiling
    return found;
}

} // namespace sx::server
