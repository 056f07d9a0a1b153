// Expressions of any type: places, calls, choices, and literals. `typed` says that the surroundings give the type, so
// that literals may leave it out.
#include "Generator.h"

#include <utility>

namespace fuzz {

std::string Generator::expr(TypeRef t, int depth, bool typed) {
    if (web_ && t->name == "i64") return webNumber(depth);
    if (depth > 0 && !cheap_) {
        int dice = random_.below(100);
        if (dice < 9) {
            if (const Function* f = functionFor(t)) return call(*f, depth - 1);
        } else if (dice < 15) {
            return choice(t, depth - 1, typed);
        } else if (dice < 20) {
            std::string o = place(types_.optional(t));
            if (!o.empty() && !t->is(Kind::Optional)) return cat("(", o, " ?? ", expr(t, depth - 1, true), ")");
        } else if (dice < 26) {
            if (std::string tried = attempt(t, depth - 1); !tried.empty()) return tried;
        } else if (dice < 31) {
            // A call of a closure in scope.
            std::vector<Variable> closures = places([&](TypeRef c) { return c->is(Kind::Closure) && c->element == t; });
            std::erase_if(closures, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
            if (!closures.empty() && affordable(8)) {
                spend(8);
                const Variable c = random_.pick(closures);
                std::string arguments;
                for (const Field& f : c.type->fields)
                    arguments += (arguments.empty() ? "" : ", ") + expr(f.type, depth - 1, true);
                return cat(c.name, "(", arguments, ")");
            }
        } else if (dice < 34 && has("pick") && typed && !t->is(Kind::Optional) && affordable(4)) {
            std::string known = place(t);
            if (!known.empty()) {
                spend(4);
                return cat(prefix_, "pick(", known, ", ", expr(t, depth - 1, true), ", ",
                           expr(types_.integer(64, true), depth - 1, true), ")");
            }
        }
    }
    if (random_.chance(t->number() && depth > 0 ? 30 : 65))
        if (std::string known = place(t); !known.empty()) return known;
    return build(t, depth, typed);
}

/// A new value: a literal of the type, or an operation that gives one.
std::string Generator::build(TypeRef t, int depth, bool typed) {
    auto list = [&](const std::vector<Field>& fields) {
        std::string all;
        for (const Field& f : fields) all += (all.empty() ? "" : ", ") + expr(f.type, depth - 1, true);
        return all;
    };
    std::string head = typed && random_.chance(70) ? "" : t->name;
    switch (t->kind) {
    case Kind::Int: return depth > 0 ? integer(t, depth, typed) : number(t, typed);
    case Kind::Float: return depth > 0 ? floating(t, depth, typed) : number(t, typed);
    case Kind::Bool: return boolean(depth);
    case Kind::String: return text(depth);
    case Kind::Enum: return cat(head, ".", random_.pick(t->fields).name);
    case Kind::Flags: {
        std::string one = cat(t->name, ".", random_.pick(t->fields).name);
        return random_.chance(40) ? one
                                  : cat("(", one, random_.word({" | ", " ^ "}), ".", random_.pick(t->fields).name, ")");
    }
    case Kind::Union: {
        const Field& f = random_.pick(t->fields);
        return f.type ? cat(head, ".", f.name, "(", expr(f.type, depth - 1, true), ")") : cat(head, ".", f.name);
    }
    case Kind::Struct: {
        if (random_.chance(40)) return cat(head, ".{ ", list(t->fields), " }");
        std::vector<std::string> named;
        for (const Field& f : t->fields)
            if (f.value.empty() || random_.chance(50))
                named.insert(named.begin() + random_.below(static_cast<int>(named.size()) + 1),
                             cat(f.name, " = ", expr(f.type, depth - 1, true)));
        std::string all;
        for (const std::string& n : named) all += (all.empty() ? "" : ", ") + n;
        return cat(head, ".{ ", all, " }");
    }
    case Kind::Array: {
        std::string all;
        for (int i = 0; i < t->count; ++i)
            all += (i ? ", " : "") + expr(t->element, t->count > 4 ? 0 : depth - 1, true);
        return cat(head, ".[", all, "]");
    }
    case Kind::Slice: {
        std::string all = expr(t->element, depth - 1, true);
        for (int n = random_.below(3); n > 0; --n) all += ", " + expr(t->element, depth - 1, true);
        return cat(head, ".[", all, "]");
    }
    case Kind::Optional:
        if (typed && random_.chance(35)) return "null";
        return typed ? expr(t->element, depth - 1, true) : cat(expr(t->element, depth - 1, false), ".(", t->name, ")");
    case Kind::Tuple: return cat(head, ".{ ", list(t->fields), " }");
    case Kind::Closure: return lambda(t);
    case Kind::Error: return tag(t->tags);
    }
    return "";
}

/// `if` and match as values. The type that the place wants flows into the branches, so a number of another type is cast
/// back.
std::string Generator::choice(TypeRef t, int depth, bool typed) {
    if (!typed && t->number()) return cat(choice(t, depth, true), ".(", t->name, ")");
    switch (random_.below(4)) {
    case 0: return cat("(if ", condition(), " then ", expr(t, depth, typed), " else ", expr(t, depth, typed), ")");
    case 1: return cat("(if ", condition(), " { ", expr(t, depth, typed), " } else { ", expr(t, depth, typed), " })");
    case 2:
        if (!enums_.empty()) {
            TypeRef e = random_.pick(enums_);
            std::string arms;
            bool all = e->is(Kind::Enum) && random_.chance(40); // flags have more values than names
            for (const Field& f : e->fields)
                if (all || random_.chance(50))
                    arms += cat(" case .", f.name, random_.chance(50) ? ": " : " : ", expr(t, depth, typed), ";");
            if (arms.empty()) return expr(t, depth, typed);
            if (!all) arms += cat(" else: ", expr(t, depth, typed), ";");
            return cat("(if ", expr(e, 1, false), " == {", arms, " })");
        }
        [[fallthrough]];
    default: {
        std::string arms = cat(" case 0: ", expr(t, depth, typed), ";");
        if (random_.chance(60)) arms += cat(" case ", random_.range(1, 3), ": ", expr(t, depth, typed), ";");
        return cat("(if ", small(4), " == {", arms, " else: ", expr(t, depth, typed), "; })");
    }
    }
}

std::string Generator::text(int depth) {
    std::string known = place(types_.text());
    if (known.find("[#") != std::string::npos) known.clear();
    bool allowed = depth > 0 && !cheap_;
    switch (random_.below(6)) {
    case 0:
        if (!allowed) break;
        return cat("format(\"", random_.word({"<{}>", "{}", "{{{}", "a{}b"}), "{}\", ", known.empty() ? "\"q\"" : known,
                   ", ", expr(scalar(), depth - 1, false), ")");
    case 1:
        if (!known.empty())
            return cat(known, random_.chance(50) ? cat("[..", known, ".len / 2]") : cat("[", known, ".len / 2..]"));
        break;
    case 2:
    case 3:
        if (!known.empty()) return known;
        break;
    default: break;
    }
    return cat("\"", random_.word({"", "a", "xy", "k\\n", "four", "\\\"q\\\"", "a longer text of words"}), "\"");
}

/// A value for a place of type `t`, sometimes of another type that converts to it.
std::string Generator::argument(TypeRef t, int depth) {
    if (random_.chance(25)) {
        if (t->integer()) {
            std::vector<Variable> all = places([&](TypeRef o) { return o->integer() && o != t; });
            std::erase_if(all, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
            if (!all.empty()) return random_.pick(all).name;
        } else if (t->is(Kind::Float)) {
            std::vector<Variable> all =
                places([&](TypeRef o) { return o != t && ((o->integer() && o->width <= 32) || o->is(Kind::Float)); });
            std::erase_if(all, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
            if (!all.empty()) return random_.pick(all).name;
        } else if (t->is(Kind::Slice)) {
            std::vector<Variable> all =
                places([&](TypeRef o) { return o->is(Kind::Array) && o->element == t->element; }, true);
            std::erase_if(all, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
            if (!all.empty()) return cat(random_.pick(all).name, random_.word({"", "[..]", "[..1]"}));
        }
    }
    return bareName(expr(t, depth, true));
}

std::string Generator::call(const Function& called, int depth) {
    const Function f = called; // `functions_` may grow while the arguments are made
    spend(f.cost);
    std::string head = f.name;
    if (f.receiver) {
        std::string receiver = place(f.receiver, f.byPointer);
        if (receiver.size() > 2 && receiver.compare(receiver.size() - 2, 2, ".*") == 0)
            receiver.resize(receiver.size() - 2);
        head = cat(receiver, ".", f.name);
    }
    // A trailing run of defaults may be left out; from some parameter on, arguments may be named.
    size_t count = f.parameters.size();
    while (count > 0 && !f.parameters[count - 1].value.empty() && random_.chance(60)) --count;
    size_t named = random_.chance(20) && !f.receiver && !f.value
                       ? static_cast<size_t>(random_.below(static_cast<int>(count) + 1))
                       : count;
    std::vector<std::string> positional, byName;
    for (size_t i = 0; i < count; ++i) {
        std::string value = argument(f.parameters[i].type, depth);
        if (i < named) positional.push_back(value);
        else
            byName.insert(byName.begin() + random_.below(static_cast<int>(byName.size()) + 1),
                          cat(f.parameters[i].name, " = ", value));
    }
    positional.insert(positional.end(), byName.begin(), byName.end());
    bool piped = named == count && count > 0 && !f.receiver && !f.value && random_.chance(7);
    std::string all;
    for (size_t i = piped ? 1 : 0; i < positional.size(); ++i) all += (all.empty() ? "" : ", ") + positional[i];
    // A failable call stays what a marker wants to see: a call.
    return piped && !f.failable ? cat("(", positional[0], " |> ", head, "(", all, "))")
           : piped              ? cat(head, "(", positional[0], all.empty() ? "" : ", ", all, ")")
                                : cat(head, "(", all, ")");
}

Generator::LambdaBody::LambdaBody(Generator& generator, TypeRef result)
    : generator_(generator), frame_(generator.frame_), scope_(generator.scope_),
      handled_(std::exchange(generator.handled_, {})) {
    generator.forgetProven();
    generator.frame_ = Frame{};
    generator.frame_.lambda = true;
    generator.frame_.pure = frame_.pure;
    generator.frame_.results = {result};
}

Generator::LambdaBody::~LambdaBody() {
    generator_.frame_ = std::move(frame_);
    generator_.scope_ = std::move(scope_);
    generator_.handled_ = std::move(handled_);
}

/// A lambda for a closure type; its body sees copies of what is in scope.
std::string Generator::lambda(TypeRef t) {
    bool wasCheap = cheap_;
    std::string spelled, body;
    bool written = false;
    {
        LambdaBody inside(*this, t->element);
        cheap_ = true;
        written = random_.chance(60);
        for (const Field& f : t->fields) {
            std::string name = fresh("p");
            spelled += (spelled.empty() ? "" : ", ") + (written ? cat(name, ": ", f.type->name) : name);
            add(name, f.type);
        }
        body = expr(t->element, 2, true);
    }
    cheap_ = wasCheap;
    if (written)
        return cat("((", spelled, ") -> ", t->element->name,
                   random_.chance(50) ? cat(" => ", body) : cat(" { return ", body, "; }"), ")");
    return cat("((", spelled, ") => ", body, ")");
}

} // namespace fuzz
