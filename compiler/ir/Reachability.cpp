// What a program needs at run time: everything that the entry and the exported functions reach through calls,
// addresses, and the relocations of constant data. Code that only compile-time evaluation used is left out.
#include "ir/Passes.h"
#include "ir/References.h"

#include <algorithm>

namespace sx::ir {

namespace {

class Marker {
public:
    explicit Marker(const Module& module)
        : module_(module), functionSeen_(module.functions.size()), globalSeen_(module.globals.size()),
          reachedFrom_(module.functions.size(), NoFunction) {}

    /// In order of distance from the roots, so that paths are as short as they can be.
    void walk() {
        if (module_.entry != FuncId::None) markFunction(static_cast<uint32_t>(module_.entry));
        for (uint32_t f = 0; f < module_.functions.size(); ++f)
            if (module_.functions[f]->isExport) markFunction(f);
        if (module_.errorNames != GlobalId::None) markGlobal(static_cast<uint32_t>(module_.errorNames));
        References named(
            module_, [this](uint32_t f) { markFunction(f); }, [this](uint32_t g) { markGlobal(g); });
        for (size_t i = 0; i < functions_.size(); ++i) {
            current_ = functions_[i];
            named.of(*module_.functions[current_]);
            while (!globals_.empty()) {
                uint32_t g = globals_.back();
                globals_.pop_back();
                named.of(module_.globals[g].init);
            }
        }
    }
    const std::vector<uint32_t>& functions() const { return functions_; }
    bool isReached(FuncId f) const { return functionSeen_[static_cast<uint32_t>(f)]; }
    bool isReached(GlobalId g) const { return globalSeen_[static_cast<uint32_t>(g)]; }

    std::vector<ReachedService> services() const {
        std::vector<ReachedService> reached;
        for (uint32_t f : functions_)
            if (module_.functions[f]->comptimeOnly) reached.push_back(pathTo(f));
        return reached;
    }

private:
    static constexpr uint32_t NoFunction = UINT32_MAX;

    ReachedService pathTo(uint32_t service) const {
        ReachedService path;
        for (uint32_t f = service; f != NoFunction; f = reachedFrom_[f])
            if (f == service || !module_.functions[f]->compilerMade) path.push_back(static_cast<FuncId>(f));
        std::reverse(path.begin(), path.end());
        return path;
    }

    void markFunction(uint32_t f) {
        if (functionSeen_[f]) return;
        functionSeen_[f] = true;
        reachedFrom_[f] = current_;
        functions_.push_back(f);
    }
    void markGlobal(uint32_t g) {
        if (globalSeen_[g]) return;
        globalSeen_[g] = true;
        globals_.push_back(g);
    }
    const Module& module_;
    std::vector<bool> functionSeen_, globalSeen_;
    std::vector<uint32_t> functions_;   ///< reached, in that order
    std::vector<uint32_t> globals_;     ///< reached, not looked at yet
    std::vector<uint32_t> reachedFrom_; ///< the function through which each was reached, also over constant data
    uint32_t current_ = NoFunction;
};

} // namespace

std::vector<ReachedService> markReachable(Module& module) {
    Marker marker(module);
    marker.walk();
    for (uint32_t f = 0; f < module.functions.size(); ++f)
        module.functions[f]->dead = !marker.isReached(static_cast<FuncId>(f));
    for (uint32_t g = 0; g < module.globals.size(); ++g)
        module.globals[g].dead = !marker.isReached(static_cast<GlobalId>(g));
    return marker.services();
}

std::vector<FuncId> reachedFunctions(const Module& module) {
    Marker marker(module);
    marker.walk();
    std::vector<FuncId> all;
    for (uint32_t f : marker.functions()) all.push_back(static_cast<FuncId>(f));
    return all;
}

} // namespace sx::ir
