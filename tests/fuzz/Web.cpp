// Functions that are about nothing but error flow: they raise, pass on, handle and retry, by the remainders of a
// number. Their traces have many hops, causes and attempts.
#include "Generator.h"

namespace fuzz {

/// An i64 near `n`, or by a failable call.
std::string Generator::webNumber(int depth) {
    if (depth > 0 && !cheap_ && random_.chance(30))
        if (std::string tried = attempt(types_.integer(64, true), depth - 1); !tried.empty()) return tried;
    return random_.chance(80) ? cat("(n + ", random_.below(5), ".(i64))") : cat(random_.below(9), ".(i64)");
}

void Generator::webStatement(Block& out) {
    bool deep = frame_.depth >= 3;
    int dice = random_.below(100);
    if (dice < 50) return failing(out);
    if (dice < 60) return raise(out);
    if (dice < 66) return jump(out);
    if (dice < 70) out.push_back(frame_.cleanup || frame_.lambda ? "print(\"-\\n\");" : "n += 1;");
    else if (dice < 78) return tries(out);
    else if (deep) return print(out, {{"n", types_.integer(64, true)}});
    else if (dice < 86) return cleanup(out);
    else if (dice < 91) return branch(out);
    else if (dice < 95) return loop(out);
    else return failableClosure(out);
}

/// A closure with an error channel; the code after it calls it like a function.
void Generator::failableClosure(Block& out) {
    TypeRef i64 = types_.integer(64, true);
    Function f;
    f.name = fresh("w");
    f.parameters = {{"n", i64, ""}};
    f.failable = true;
    f.value = true;
    if (random_.chance(70)) f.results = {i64};
    f.tags = 15; // closures of one shape share a set
    std::string set = random_.chance(50) ? errors_[0]->name : "";
    Frame outer = frame_;
    std::vector<Variable> before = scope_;
    std::vector<std::string> handlers;
    handlers.swap(handled_);
    forgetProven();
    frame_ = Frame{};
    frame_.lambda = true;
    frame_.failable = true;
    frame_.allowed = 15;
    frame_.results = f.results;
    frame_.depth = 2;
    add("n", i64);
    size_t functions = functions_.size();
    Block body = statements(random_.range(1, 3));
    raise(body);
    if (!f.results.empty()) body.push_back(returned());
    functions_.resize(functions);
    f.cost = frame_.cost + 2;
    frame_ = outer;
    handled_ = std::move(handlers);
    scope_ = std::move(before);
    out.push_back(Stmt(cat(f.name, " := (n: i64) -> ", failableResult(f.results.empty() ? "" : "i64", set), " {"),
                       std::move(body), "};"));
    functions_.push_back(std::move(f));
    failing(out);
}

void Generator::declareWeb() {
    web_ = true;
    for (int k = random_.range(3, 5); k > 0; --k) {
        Function f;
        f.name = cat(prefix_, fresh("w"));
        f.parameters = {{"n", types_.integer(64, true), ""}};
        f.failable = random_.chance(90);
        f.web = true;
        int results = random_.below(10);
        if (results < 7) f.results.push_back(types_.integer(64, true));
        if (results == 6) f.results.push_back(types_.integer(64, true));
        if (f.failable) f.tags = random_.pick(std::vector<unsigned>{0, 0, 15, 3});
        size_t functions = functions_.size();
        items_.push_back(functionBody(f.name + " :: ", f));
        functions_.resize(functions);
        functions_.push_back(std::move(f));
    }
    web_ = false;
}

} // namespace fuzz
