// What a piece of code can name: the variables in scope, and their parts.
#include "Generator.h"

#include <algorithm>

namespace fuzz {

/// The newest variable of each name.
std::vector<Variable> Generator::visible() const {
    std::vector<Variable> found;
    for (auto it = scope_.rbegin(); it != scope_.rend(); ++it)
        if (std::none_of(found.begin(), found.end(), [&](const Variable& v) { return v.name == it->name; }))
            found.push_back(*it);
    found.insert(found.end(), globals_.begin(), globals_.end());
    return found;
}

/// All variables and parts of variables whose type is wanted.
std::vector<Variable> Generator::places(const std::function<bool(TypeRef)>& wanted, bool writable) {
    std::vector<Variable> found;
    std::function<void(const std::string&, TypeRef, bool, int)> walk = [&](const std::string& text, TypeRef t,
                                                                           bool canWrite, int depth) {
        if (wanted(t)) found.push_back({text, t, canWrite});
        if (depth == 3) return;
        if (t->is(Kind::Struct) || t->is(Kind::Tuple)) {
            bool pointed = text.size() > 2 && text.compare(text.size() - 2, 2, ".*") == 0 && t->is(Kind::Struct) &&
                           random_.chance(80);
            std::string base = pointed ? text.substr(0, text.size() - 2) : text;
            for (const Field& f : t->fields) walk(cat(base, ".", f.name), f.type, canWrite, depth + 1);
        } else if ((t->is(Kind::Array) || t->is(Kind::Slice)) && depth < 2) {
            // An index that reads variables itself is made where it is used, so that it costs nothing here.
            walk(cat(text, "[#", t->count, "]"), t->element, canWrite, depth + 1);
        }
    };
    for (const Variable& v : visible())
        if (!writable || v.writable) walk(v.name, v.type, v.writable, 0);
    if (writable) std::erase_if(found, [](const Variable& v) { return !v.writable; });
    return found;
}

/// A place of type `t`, or nothing if there is none.
std::string Generator::place(TypeRef t, bool writable) {
    std::vector<Variable> found = places([&](TypeRef other) { return other == t; }, writable);
    if (found.empty()) return "";
    std::string text = random_.pick(found).name;
    // A narrowed name still copies and compares as the optional that it is; `bareName` takes the `!` off where it need
    // not be.
    for (const Variable& v : visible())
        if (v.narrowed && v.name == text) return text + "!";
    // `[#8]` stands for an index below 8, `[#0]` for one into a slice, which is never empty.
    for (size_t at; (at = text.find("[#")) != std::string::npos;) {
        size_t end = text.find(']', at);
        text =
            text.substr(0, at) + "[" + index(std::stoi(text.substr(at + 2, end - at - 2))) + "]" + text.substr(end + 1);
    }
    return text;
}

/// Leaves out of the scope what only flow makes usable, and the optionals behind narrowed names.
void Generator::forgetProven() {
    std::vector<std::string> names;
    for (const Variable& v : scope_)
        if (v.proven) names.push_back(v.name);
    std::erase_if(scope_,
                  [&](const Variable& v) { return std::find(names.begin(), names.end(), v.name) != names.end(); });
}

/// A narrowed name alone, without the `!`, for places that unwrap it: arguments and variables of a written type.
std::string Generator::bareName(const std::string& text) const {
    for (const Variable& v : visible())
        if (v.narrowed && v.name + "!" == text) return v.name;
    return text;
}

/// An index below `count`: a literal, or a variable brought into range. 0: of a slice of unknown length.
std::string Generator::index(int count) {
    if (count <= 1) return "0";
    if (random_.chance(40)) return std::to_string(random_.below(count));
    std::vector<Variable> numbers = places([](TypeRef t) { return t->integer() && t->width > 1; });
    std::erase_if(numbers, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
    if (numbers.empty()) return std::to_string(random_.below(count));
    const Variable& v = random_.pick(numbers);
    if (!v.type->isSigned && v.type->max() < count) return v.name;
    if (v.type->max() >= count && random_.chance(30))
        return v.type->isSigned ? cat("(", v.name, " & ", v.type->max(), ") % ", count) : cat(v.name, " % ", count);
    int mask = 1;
    while (mask * 2 + 1 < count && mask * 2 + 1 <= v.type->max()) mask = mask * 2 + 1;
    return cat(v.name, " & ", mask);
}

/// A function with one result of type `t` that may be called here.
const Function* Generator::functionFor(TypeRef t) {
    std::vector<const Function*> fit;
    for (const Function& f : functions_)
        if (!f.failable && f.results.size() == 1 && f.results[0] == t && (f.pure || !frame_.pure) &&
            affordable(f.cost)) {
            if (f.receiver && place(f.receiver, f.byPointer).empty()) continue;
            fit.push_back(&f);
        }
    return fit.empty() ? nullptr : random_.pick(fit);
}

bool Generator::has(const std::string& name) const {
    return std::find(templates_.begin(), templates_.end(), name) != templates_.end();
}

} // namespace fuzz
