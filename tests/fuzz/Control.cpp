// Statements that branch, repeat, and leave.
#include "Generator.h"

namespace fuzz {

void Generator::branch(Block& out) {
    std::vector<Part> parts;
    parts.push_back({cat("if ", condition(), " {"), scoped(random_.range(1, 3))});
    while (random_.chance(25)) {
        std::string c = condition();
        parts.push_back({cat("} else if ", c, " {"), scoped(random_.range(1, 2))});
    }
    if (random_.chance(50)) parts.push_back({"} else {", scoped(random_.range(1, 2))});
    out.push_back(Stmt(std::move(parts), "}"));
}

/// Loops of at most four rounds, and blocks.
void Generator::loop(Block& out) {
    if (frame_.rounds > 100 || frame_.cost > Budget) return branch(out);
    int form = random_.below(10);
    std::string i = fresh("at");
    long before = frame_.rounds;
    auto body = [&](const std::function<void(Block&)>& first) {
        frame_.rounds = before * 4;
        ++frame_.loops;
        Block made = scoped(random_.range(1, 3), first);
        --frame_.loops;
        frame_.rounds = before;
        return made;
    };
    std::vector<Variable> lists =
        places([](TypeRef t) { return (t->is(Kind::Array) && t->count <= 9) || t->is(Kind::Slice); });
    std::erase_if(lists, [](const Variable& v) { return v.name.find("[#") != std::string::npos || v.narrowed; });
    TypeRef i64 = types_.integer(64, true);
    if (form < 4 && !lists.empty()) {
        Variable list = random_.pick(lists);
        if (list.type->is(Kind::Slice)) list.writable = false;
        std::string x = fresh("x");
        int style = random_.below(list.writable ? 4 : 3);
        Block made = body([&](Block& b) {
            add(style == 3 ? x + ".*" : x, list.type->element, style == 3);
            if (style != 0) add(i, i64, false);
            print(b, {{style == 3 ? x + ".*" : x, list.type->element}});
        });
        std::string captures = style == 0 ? cat("(", x, ")") : cat("(", style == 3 ? "*" : "", x, ", ", i, ")");
        out.push_back(
            Stmt(cat("for ", list.name, style == 0 ? "" : random_.word({", 0..", ", 5.."}), " ", captures, " {"),
                 std::move(made)));
    } else if (form < 7) {
        std::string bound = random_.chance(50) ? small(4) : std::to_string(random_.below(5));
        std::string from = std::to_string(random_.below(2));
        std::string range = random_.word({"..", "..<", "..=", "<..", "<..=", "=..<"});
        Block made = body([&](Block& b) {
            add(i, i64, false);
            if (random_.chance(60)) print(b, {{i, i64}});
        });
        out.push_back(Stmt(cat("for ", from, range, bound, " (", i, ") {"), std::move(made)));
    } else if (form < 9) { // while, by a counter that only the loop writes
        std::string limit = small(4);
        out.push_back(cat(i, " := 0;"));
        Block made = body([&](Block& b) {
            add(i, i64, false);
            b.push_back(cat(i, " += 1;"));
        });
        std::string extra = random_.chance(20) ? cat(" and ", boolean(1)) : "";
        out.push_back(Stmt(cat("while ", i, " < ", limit, extra, " {"), std::move(made)));
        add(i, i64, false);
    } else if (random_.chance(50)) {
        Block made = scoped(2, [&](Block&) { add(i, i64, false); });
        std::string inner = fresh("k");
        out.push_back(Stmt(cat("inline for 0..", random_.range(1, 3), " (", i, ") {"), std::move(made)));
    } else {
        out.push_back(Stmt("{", scoped(random_.range(1, 3))));
    }
}

/// A match on an enum, a union, a number, a bool, or an optional.
void Generator::match(Block& out) {
    std::vector<Part> parts;
    auto arm = [&](const std::string& pattern, const std::string& capture, TypeRef payload) {
        std::string name = capture.empty() ? "" : capture;
        Block made = scoped(random_.range(1, 2), [&](Block& b) {
            if (!name.empty()) {
                add(name, payload, false);
                print(b, {{name, payload}});
            }
        });
        parts.push_back(
            {cat(parts.size() == 1 ? "" : "} ", pattern, capture.empty() ? "" : cat(" (", capture, ")"), " {"),
             std::move(made)});
    };
    bool open = true;
    int kind = random_.below(5);
    if (kind < 2 && !unions_.empty()) {
        TypeRef u = random_.pick(unions_);
        parts.push_back({cat("if ", expr(u, 2, false), " == {"), {}});
        bool all = random_.chance(50);
        for (const Field& f : u->fields)
            if (all || random_.chance(60))
                arm(cat("case .", f.name, ":"), f.type && random_.chance(80) ? fresh("m") : "", f.type);
        open = !all;
    } else if (kind == 2 && !enums_.empty()) {
        TypeRef e = random_.pick(enums_);
        parts.push_back({cat("if ", expr(e, 2, false), " == {"), {}});
        for (const Field& f : e->fields)
            if (random_.chance(60)) arm(cat("case .", f.name, ":"), "", nullptr);
    } else if (kind == 3) {
        TypeRef o = types_.optional(knownType());
        std::string subject = place(o);
        if (subject.empty()) return branch(out);
        parts.push_back({cat("if ", subject, " == {"), {}});
        arm("case .some:", fresh("m"), o->element);
        arm("case .none:", "", nullptr);
        open = false;
    } else if (random_.chance(20)) {
        parts.push_back({cat("if ", boolean(2), " == {"), {}});
        arm("case true:", "", nullptr);
        if (random_.chance(50)) arm("case false:", "", nullptr);
    } else {
        TypeRef t = integerType();
        while (t->max() < 7) t = integerType();
        parts.push_back({cat("if (", expr(t, 2, false), " & 7) == {"), {}});
        int value = -1;
        for (int n = random_.range(1, 4); n > 0; --n) arm(cat("case ", value += random_.range(1, 2), ":"), "", nullptr);
    }
    if (parts.size() < 2) return;
    if (open && random_.chance(60)) arm("else:", "", nullptr);
    out.push_back(Stmt(std::move(parts), "} }"));
}

/// Optionals: the binding form, and what flow proves.
void Generator::narrow(Block& out) {
    std::vector<Variable> all = visible();
    std::erase_if(all, [](const Variable& v) {
        return !v.type->is(Kind::Optional) || v.type->element->is(Kind::Optional) || v.narrowed ||
               v.name.find_first_of(".[") != std::string::npos;
    });
    if (all.empty()) {
        TypeRef t = types_.optional(scalar());
        std::string name = fresh("o");
        out.push_back(cat(name, " : ", t->name, " = ", expr(t, 2, true), ";"));
        add(name, t);
        all.push_back({name, t});
    }
    Variable o = random_.pick(all);
    if (o.name.find(prefix_) != std::string::npos) return;
    std::string x = fresh("x");
    if (random_.chance(50)) {
        Block present = scoped(1, [&](Block& b) {
            add(x, o.type->element);
            print(b, {{x, o.type->element}});
        });
        Block absent = scoped(1);
        out.push_back(Stmt(
            {{cat("if ", x, " := ", random_.chance(60) ? o.name : expr(o.type, 2, false), " {"), std::move(present)},
             {"} else {", std::move(absent)}},
            "}"));
    } else {
        bool inverted = random_.chance(30);
        Block present = scoped(2, [&](Block& b) {
            scope_.push_back({o.name, o.type->element, false, true, true});
            print(b, {{o.name, o.type->element}});
        });
        Block absent = scoped(1);
        if (inverted)
            out.push_back(
                Stmt({{cat("if ", o.name, " == null {"), std::move(absent)}, {"} else {", std::move(present)}}, "}"));
        else
            out.push_back(
                Stmt({{cat("if ", o.name, " != null", random_.chance(30) ? cat(" and ", boolean(1)) : "", " {"),
                       std::move(present)},
                      {"} else {", std::move(absent)}},
                     "}"));
    }
}

/// `break`, `continue` or `return`, under a condition.
void Generator::jump(Block& out) {
    if (frame_.cleanup || frame_.depth == 0) return printSome(out);
    std::string c = condition();
    std::string leave;
    if (frame_.loops > 0 && random_.chance(70)) leave = random_.word({"break;", "continue;"});
    else leave = returned();
    if (random_.chance(50)) out.push_back(cat("if ", c, " ", leave));
    else out.push_back(Stmt(cat("if ", c, " {"), Block{leave}));
}

/// `defer` and `onfail`, with bodies that neither leave nor pass an error on.
void Generator::cleanup(Block& out) {
    if (frame_.cleanup) return printSome(out);
    bool fails = frame_.failable && random_.chance(50);
    std::string e = fresh("e");
    frame_.cleanup = true;
    int loops = frame_.loops;
    frame_.loops = 0;
    std::vector<Variable> before = scope_;
    forgetProven();
    bool binds = fails && random_.chance(50);
    Block body = scoped(random_.range(1, 2), [&](Block& b) {
        if (!frame_.pure)
            b.push_back(binds ? cat("print(\"", e, " {}\\n\", ", e, ");") : cat("print(\"", e, "\\n\");"));
        if (fails && !frame_.pure && random_.chance(40)) b.push_back("trace.print_current();");
    });
    scope_ = std::move(before);
    frame_.cleanup = false;
    frame_.loops = loops;
    out.push_back(Stmt(cat(fails ? "onfail " : "defer ", binds ? cat("(", e, ") ") : "", "{"), std::move(body)));
}

/// Arrays and slices: larger ones, filled by loops, and views of them.
void Generator::array(Block& out) {
    TypeRef element = random_.chance(70) ? scalar() : storable(1);
    if (weight(element) > 4) element = types_.integer(64, true);
    bool huge = random_.chance(10) && frame_.rounds < 5 && frame_.depth < 2;
    TypeRef t = types_.array(huge ? random_.range(700, 1500) : random_.range(2, 17), element);
    std::string a = fresh("a");
    out.push_back(cat(a, " : ", t->name, ";"));
    add(a, t);
    TypeRef i64 = types_.integer(64, true);
    std::string i = fresh("at");
    spend(t->count / 4);
    Block fill = scoped(0, [&](Block& b) {
        add(i, i64, false);
        bool was = cheap_;
        cheap_ = true;
        b.push_back(cat(a, "[", i, "] = ", expr(element, 2, true), ";"));
        cheap_ = was;
    });
    out.push_back(Stmt(cat("for 0..", t->count, " (", i, ") {"), std::move(fill)));
    std::string s = fresh("s");
    int from = random_.below(t->count), to = random_.range(from + 1, t->count);
    out.push_back(cat(
        s, " := ", a,
        random_.chance(30) ? "[..];" : cat("[", from, random_.chance(50) ? cat("..", to) : cat("..=", to - 1), "];")));
    if (!huge) add(s, types_.slice(element), false); // loops over it would take long
    if (!huge) print(out, {{a, t}, {s, types_.slice(element)}});
    else print(out, {{cat(a, "[", random_.below(t->count), "]"), element}, {cat(s, ".len"), i64}});
}

} // namespace fuzz
