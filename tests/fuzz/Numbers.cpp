// Expressions of numbers. Each has exactly the type asked for, whatever its surroundings want: an operation has the
// type of its left operand, and a literal is bare only where the surroundings want this very type.
#include "Generator.h"

#include <algorithm>

namespace fuzz {

/// A literal; `typed`: its place gives it the type.
std::string Generator::number(TypeRef t, bool typed) {
    if (t->is(Kind::Float)) {
        std::string digits =
            random_.chance(20)
                ? cat(random_.below(20), random_.word({"e1", "E+1", "e0", ".5e1", "e-2", ".25E-3", "e-20"}))
                : cat(random_.below(200), ".", random_.word({"0", "5", "25", "125", "1", "7", "333"}));
        std::string value = cat(random_.chance(20) ? "-" : "", digits);
        return typed && value[0] != '-' ? value : cat("(", value, ").(", t->name, ")");
    }
    long long value = 0;
    switch (random_.below(6)) {
    case 0: value = t->max(); break;
    case 1: value = t->min(); break;
    case 2: value = t->max() - random_.below(3); break;
    default: value = random_.range(t->isSigned ? -20 : 0, 40);
    }
    value = std::clamp(value, t->min(), t->max());
    if (value >= 1ll << 62 && random_.chance(50)) return cat(t->name, ".max");
    if (value <= -(1ll << 62) && random_.chance(50)) return cat(t->name, ".min");
    if (value < 0) return typed ? cat("(", value, ")") : cat("(", value, ").(", t->name, ")");
    if (typed) return std::to_string(value);
    return cat(value, ".(", t->name, ")");
}

/// An i64 from 0 to `bound` - 1 (a power of two) that the compiler cannot know.
std::string Generator::small(int bound) {
    std::vector<Variable> numbers = places([](TypeRef t) { return t->integer() && t->width > 8; });
    std::erase_if(numbers, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
    if (numbers.empty()) return std::to_string(random_.below(bound));
    const Variable& v = random_.pick(numbers);
    std::string masked = cat("(", v.name, " & ", bound - 1, ")");
    return v.type->name == "i64" ? masked : masked + ".(i64)";
}

std::string Generator::integer(TypeRef t, int depth, bool typed) {
    auto left = [&] { return expr(t, depth - 1, false); };
    auto right = [&] { return expr(t, depth - 1, typed); };
    // A bare literal takes the type that the place of the whole expression wants, if it wants one.
    auto bare = [&](long long value) { return typed ? std::to_string(value) : cat(value, ".(", t->name, ")"); };
    int mask = 1;
    while (mask * 2 + 1 < t->width && mask * 2 + 1 <= t->max()) mask = mask * 2 + 1;
    bool shifts = t->width > 2;
    switch (random_.below(19)) {
    case 0:
    case 1: return cat("(", left(), " + ", right(), ")");
    case 2: return cat("(", left(), " - ", right(), ")");
    case 3: return cat("(", left(), " * ", right(), ")");
    case 4: return cat("(", left(), " ", random_.word({"&", "|", "^"}), " ", right(), ")");
    case 5: return cat("(", random_.word({"-", "~"}), left(), ")");
    case 6: {
        // Divisors are positive: a literal, or a few low bits and one.
        std::string divisor = t->max() < 1 ? "" : bare(random_.range(1, static_cast<int>(std::min(t->max(), 100ll))));
        if (t->max() >= 16 && random_.chance(60)) divisor = cat("((", left(), " & ", bare(7), ") + ", bare(1), ")");
        if (divisor.empty()) return left();
        return cat("(", left(), " ", random_.word({"/", "%"}), " ", divisor, ")");
    }
    case 7:
        if (!shifts) return left();
        return cat("(", left(), " ", random_.word({"<<", ">>"}), " ",
                   bare(random_.below(static_cast<int>(std::min<long long>(t->width, t->max() + 1)))), ")");
    case 8:
        if (!shifts) return left();
        return cat("(", left(), " ", random_.word({"<<", ">>"}), " (", left(), " & ", bare(mask), "))");
    case 9:
    case 10: { // from another integer type
        TypeRef other = integerType();
        return other == t ? left() : cat(expr(other, depth - 1, false), ".(", t->name, ")");
    }
    case 11:
        return cat("(", expr(types_.floating(random_.chance(50) ? 32 : 64), depth - 1, false), " % 1000.0).(", t->name,
                   ")");
    case 12: return cat(boolean(depth - 1), ".(", t->name, ")");
    case 13: {
        if (enums_.empty()) return left();
        return cat(expr(random_.pick(enums_), depth - 1, false), ".(", t->name, ")");
    }
    case 14:
        if (t->name != "i64") return left();
        return cat(text(depth - 1), ".len");
    case 15: { // two types in one operation: the left one decides
        TypeRef other = integerType();
        return cat("(", left(), " ", random_.word({"+", "-", "^", "*", "|", "&"}), " ", expr(other, depth - 1, false),
                   ")");
    }
    case 16: {
        std::vector<std::string> known;
        for (const auto& [name, type] : constants_)
            if (type == t) known.push_back(name);
        return known.empty() ? left() : random_.pick(known);
    }
    case 17:
        if (has("sum") && !cheap_ && affordable(6)) {
            spend(6);
            return cat(prefix_, "sum(", types_.array(2, t)->name, ".[", right(), ", ", right(), "])");
        }
        return left();
    default: return number(t, typed);
    }
}

/// Values stay below 2^32 in size and are never infinite: sums are halved, products reduced.
std::string Generator::floating(TypeRef t, int depth, bool typed) {
    auto left = [&] { return expr(t, depth - 1, false); };
    auto right = [&] { return expr(t, depth - 1, true); };
    switch (random_.below(9)) {
    case 0: return cat("((", left(), " + ", right(), ") * 0.5)");
    case 1: return cat("((", left(), " - ", right(), ") / 2.0)");
    case 2: return cat("((", left(), " * ", right(), ") % 1000.0)");
    case 3: return cat("(", left(), " / ", random_.word({"3.0", "7.5", "2", "10"}), ")");
    case 4: return cat("(-", left(), ")");
    case 5: {
        TypeRef other = integerType();
        return other->width > 32 ? cat("(", expr(other, depth - 1, false), ".(", t->name, ") % 4096.0)")
                                 : cat(expr(other, depth - 1, false), ".(", t->name, ")");
    }
    case 6: return cat(expr(types_.floating(96 - t->width), depth - 1, false), ".(", t->name, ")");
    case 7: { // an integer on the left takes the float's type
        TypeRef other = integerType();
        if (other->width > 24) return left();
        return cat("((", expr(other, depth - 1, false), " + ", left(), ") * 0.5)");
    }
    default: return number(t, typed);
    }
}

std::string Generator::boolean(int depth) {
    if (web_) {
        int of = random_.range(2, 4);
        return cat("(n % ", of, random_.word({" == ", " == ", " != "}), random_.below(of), ")");
    }
    if (depth <= 0) {
        std::string known = place(types_.boolean());
        if (!known.empty() && random_.chance(60)) return known;
        std::string n = place(types_.integer(64, true));
        return n.empty() || random_.chance(10)
                   ? random_.word({"true", "false"})
                   : cat("(", n, random_.word({" > ", " < ", " == ", " != "}), random_.below(4), ")");
    }
    switch (random_.below(12)) {
    case 0: return cat("(", boolean(depth - 1), " and ", boolean(depth - 1), ")");
    case 1: return cat("(", boolean(depth - 1), " or ", boolean(depth - 1), ")");
    case 2: return cat("(!", boolean(depth - 1), ")");
    case 3:
        return cat("(", boolean(depth - 1), random_.word({" ^ ", " & ", " | ", " == ", " < "}), boolean(depth - 1),
                   ")");
    case 4: { // a chain
        TypeRef t = integerType();
        return cat("(", expr(t, depth - 1, false), " <= ", expr(t, depth - 1, true),
                   random_.word({" < ", " >= ", " != "}), expr(t, depth - 1, true), ")");
    }
    case 5: { // two integer types
        return cat("(", expr(integerType(), depth - 1, false), random_.word({" < ", " >= ", " == "}),
                   expr(integerType(), depth - 1, false), ")");
    }
    case 6: { // values of any kind
        std::vector<Variable> all = places([](TypeRef t) { return comparable(t) && !t->is(Kind::Error); });
        std::erase_if(all, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
        if (all.empty()) break;
        const Variable& v = random_.pick(all);
        if (v.narrowed) break;
        // The right side of an optional is another one, or a payload.
        bool payload = v.type->is(Kind::Optional) && random_.chance(50);
        std::string other = payload                      ? expr(v.type->element, 0, true)
                            : v.type->is(Kind::Optional) ? place(v.type)
                                                         : expr(v.type, depth - 1, true);
        return cat("(", v.name, random_.word({" == ", " != "}), other, ")");
    }
    case 7: {
        std::vector<Variable> all = places([](TypeRef t) { return t->is(Kind::Optional); });
        std::erase_if(all, [](const Variable& v) { return v.name.find("[#") != std::string::npos; });
        if (!all.empty()) return cat("(", random_.pick(all).name, random_.word({" == ", " != "}), "null)");
        break;
    }
    case 8: {
        TypeRef t = types_.floating(random_.chance(50) ? 32 : 64);
        return cat("(", expr(t, depth - 1, false), random_.word({" < ", " <= ", " > ", " != "}),
                   expr(t, depth - 1, true), ")");
    }
    default: break;
    }
    TypeRef t = integerType();
    return cat("(", expr(t, depth - 1, false), random_.word({" < ", " <= ", " > ", " >= ", " == ", " != "}),
               expr(t, depth - 1, true), ")");
}

} // namespace fuzz
