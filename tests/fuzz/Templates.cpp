// Generic functions and other declarations of one fixed form, used with random types and values; and run-time failures.
#include "Generator.h"

namespace fuzz {

/// Each with the name it is known by, as (name, text); `@` stands for the prefix of the case.
static const std::pair<const char*, const char*> Forms[] = {
    {"pick", "@pick :: (a: $T, b: T, n: i64) -> T { if n % 3 == 0 { return b; } a }"},
    {"sum", "@sum :: (xs: []$T) -> T { t := xs[0]; for xs[1..] (x) { t += x; } t }"},
    {"fold", "@fold :: (xs: []$T, start: $A, f: Closure(A, T) -> A) -> A { acc := start; for xs (x) { acc = f(acc, x); "
             "} acc }"},
    {"Box", "@Box :: struct ($T: Type) { v: T; n: i64 = 3; get :: (self: *@Box(T)) -> T { self.n += 1; self.v } put :: "
            "(self: *@Box(T), v: "
            "T) -> i64 { old := self.n; self.v = v; self.n *= 2; old } }"},
    {"rep", "@rep :: ($n: i64, x: i64) -> i64 { acc : [n]i64; inline for 0..n (i) { acc[i] = x * i; } t := 0; for acc "
            "(a) { t += a; } t }"},
    {"check", "@check :: (a: $T, n: i64) -> (T, !@All) { onfail print(\"unchecked {}\\n\", n); if n % 3 == 0 raise "
              "error.Lost; a }"},
    {"all", "@all :: (..xs: []i64) -> i64 { t := 0; for xs, 1.. (x, i) { t += x * i; } t }"},
    {"Hook", "@Hook :: struct { n: i64; cb: Closure(i64) -> i64; }"},
    {"times", "@times :: (n: i64, f: Closure()) { for 0..n { f(); } }"},
    {"ends", "@ends :: (xs: []$T) -> (first: T, last: T) { first = xs[0]; if xs.len > 2 { return last = xs[1], first = "
             "xs[2]; } last = "
             "xs[xs.len - 1]; }"},
    {"next", "@next :: (p: *i64) -> ?i64 { if p.* <= 0 return null; p.* -= 1; return p.*; }"},
    {"area",
     "@Figure :: enum { dot; line: i64; named: string; } @area :: ($f: @Figure, n: i64) -> i64 { a : [f]i64; "
     "inline if f == .dot { return n; } if f == { case .dot: return a.len; case .line: (l) { return l * n; } case "
     ".named: (s) { return s.len + n; } } }"},
    {"kind", ""},
};

void Generator::declareTemplates() {
    for (const auto& [name, form] : Forms) {
        if (random_.chance(40)) continue;
        templates_.push_back(name);
        std::string text = form;
        for (size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, prefix_);
        if (!text.empty()) items_.push_back(text);
    }
    if (!has("kind")) return;
    std::vector<Part> arms{{"if v == {", {}}};
    auto arm = [&](const std::string& pattern, const std::string& result) {
        arms.push_back({cat(arms.size() == 1 ? "" : "} ", "case ", pattern, " {"), Block{cat("return ", result, ";")}});
    };
    arm("i64: (n)", "format(\"i64 {}\", n)");
    for (TypeRef s : structs_) arm(s->name + ": (s)", "format(\"struct {}\", s)");
    arm("bool: (b)", "if b then \"yes\" else \"no\"");
    arm("f64: (x)", "format(\"f64 {}\", x)");
    arm("int:", "\"int\"");
    arm("enum:", "\"enum\"");
    arm("struct:", "\"some struct\"");
    Block body{Stmt(std::move(arms), "} }"), std::string("\"other\"")};
    items_.push_back(Stmt(prefix_ + "kind :: (v: any) -> string {", std::move(body)));
}

/// A use of one of the forms, or of another rarer construct.
void Generator::pattern(Block& out) {
    TypeRef i64 = types_.integer(64, true);
    auto make = [&](TypeRef t) { return expr(t, 2, true); };
    std::string v = fresh("v");
    switch (random_.below(17)) {
    case 0: {
        if (!has("fold")) break;
        TypeRef t = scalar(), a = scalar();
        TypeRef list = types_.array(random_.range(1, 4), t);
        std::string xs = place(list), values;
        for (int i = 0; i < list->count; ++i) values += (i ? ", " : "") + expr(t, 1, true);
        if (xs.empty()) xs = cat(list->name, ".[", values, "]");
        std::string start = fresh("v");
        out.push_back(cat(start, " : ", a->name, " = ", make(a), ";"));
        out.push_back(cat(v, " := ", prefix_, "fold(", xs, ", ", start, ", ", lambda(types_.closure({a, t}, a)), ");"));
        add(v, a);
        return print(out, {{v, a}});
    }
    case 1: {
        if (!has("Box")) break;
        TypeRef t = storable(1);
        out.push_back(cat(v, " := ", prefix_, "Box(", t->name, ").{ v = ", make(t), " };"));
        add(v + ".v", t);
        add(v + ".n", i64);
        return print(out, {{v + ".get()", t}, {cat(v, ".put(", make(t), ")"), i64}, {v + ".v", t}, {v + ".n", i64}});
    }
    case 2:
        if (!has("rep")) break;
        out.push_back(cat(v, " := ", prefix_, "rep(", random_.range(1, 4), ", ", make(i64), ");"));
        add(v, i64);
        return print(out, {{v, i64}});
    case 3: {
        if (!has("check") || frame_.pure) break;
        TypeRef t = scalar();
        std::string from = fresh("v");
        out.push_back(cat(from, " : ", t->name, " = ", make(t), ";"));
        std::string called = cat(prefix_, "check(", from, ", ", make(i64), ")");
        if (frame_.failable && !frame_.cleanup && frame_.allowed == 15 && random_.chance(50)) {
            frame_.raised |= 15;
            out.push_back(cat(v, " := try ", called, ";"));
        } else {
            out.push_back(cat(v, " := ", called, " or ", lastOperand(t, 1), ";"));
        }
        add(v, t);
        return print(out, {{v, t}});
    }
    case 4: {
        if (!has("all")) break;
        std::string values;
        for (int n = random_.below(4); n > 0; --n) values += (values.empty() ? "" : ", ") + make(i64);
        out.push_back(cat(v, " := ", prefix_, "all(", values, ");"));
        add(v, i64);
        return print(out, {{v, i64}});
    }
    case 5:
        if (!has("Hook")) break;
        out.push_back(
            cat(v, " := ", prefix_, "Hook.{ cb = ", lambda(types_.closure({i64}, i64)), ", n = ", make(i64), " };"));
        return print(out, {{cat(v, ".cb(", make(i64), ")"), i64}, {v + ".n", i64}});
    case 6: {
        if (!has("kind")) break;
        TypeRef t = random_.chance(40) && !structs_.empty() ? random_.pick(structs_) : scalar();
        if (std::string known = place(t); !known.empty())
            print(out, {{cat(prefix_, "kind(", known, ")"), types_.text()}});
        return;
    }
    case 7: { // a function as a value
        std::vector<const Function*> fit;
        for (const Function& f : functions_)
            if (!f.receiver && !f.failable && f.results.size() == 1 && (f.pure || !frame_.pure) && affordable(f.cost))
                fit.push_back(&f);
        if (fit.empty()) break;
        const Function f = *random_.pick(fit);
        spend(f.cost);
        std::string values;
        for (const Field& p : f.parameters) values += (values.empty() ? "" : ", ") + expr(p.type, 1, true);
        out.push_back(cat(v, " := ", f.name, ";"));
        return print(out, {{cat(v, "(", values, ")"), f.results[0]}});
    }
    case 8: { // a failable closure
        std::string n = fresh("p");
        std::vector<Variable> before = scope_;
        forgetProven();
        std::string captured = place(i64), set = random_.chance(50) ? errors_[0]->name : "";
        if (captured.find("[#") != std::string::npos || captured.empty()) captured = "4";
        scope_ = std::move(before);
        out.push_back(Stmt(cat(v, " := (", n, ": i64) -> (i64, !", set, ") {"),
                           Block{cat("if ", n, " % 2 == 0 raise error.Full;"), cat("return ", n, " + ", captured, ";")},
                           "};"));
        return print(out, {{cat("(", v, "(", make(i64), ") or ", lastOperand(i64, 1), ")"), i64},
                           {cat("(", v, "(", make(i64), ") catch (e) ", make(i64), ")"), i64}});
    }
    case 9: { // a field through an optional
        if (structs_.empty()) break;
        TypeRef s = random_.pick(structs_);
        const Field& f = random_.pick(s->fields);
        TypeRef o = types_.optional(s);
        std::string name = fresh("o");
        out.push_back(cat(name, " : ", o->name, " = ", make(o), ";"));
        add(name, o);
        if (f.type->is(Kind::Tuple)) return;
        return print(out, {{cat(name, "?.", f.name), f.type->is(Kind::Optional) ? f.type : types_.optional(f.type)}});
    }
    case 10: { // a trailing block
        if (!has("times") || frame_.pure) break;
        std::string counter = fresh("v");
        std::vector<Variable> before = scope_;
        forgetProven();
        std::string shown = expr(scalar(), 1, false);
        scope_ = std::move(before);
        if (shown.find("try ") != std::string::npos) break;
        out.push_back(cat(counter, " := 0;"));
        out.push_back(cat(v, " := *", counter, ";"));
        out.push_back(Stmt(cat(prefix_, "times(", small(4), ") {"),
                           Block{cat(v, ".* += 1;"), cat("print(\"", v, " {} {}\\n\", ", v, ".*, ", shown, ");")}));
        add(counter, i64);
        return print(out, {{counter, i64}});
    }
    case 11: { // named results
        if (!has("ends")) break;
        TypeRef t = scalar();
        std::string last = fresh("v");
        out.push_back(cat(v, ", ", last, " := ", prefix_, "ends(", types_.array(3, t)->name, ".[", make(t), ", ",
                          make(t), ", ", make(t), "]", ");"));
        add(v, t);
        add(last, t);
        return print(out, {{v, t}, {last, t}});
    }
    case 12: { // a binding of each round
        if (!has("next")) break;
        std::string left = fresh("v");
        out.push_back(cat(left, " := ", small(4), ";"));
        long rounds = frame_.rounds;
        if (rounds > 100) return;
        frame_.rounds *= 4;
        ++frame_.loops;
        Block body = scoped(1, [&](Block& b) {
            add(v, i64);
            print(b, {{v, i64}});
        });
        --frame_.loops;
        frame_.rounds = rounds;
        out.push_back(Stmt(cat("while ", v, " := ", prefix_, "next(*", left, ") {"), std::move(body)));
        return;
    }
    case 13: { // operations of tuples
        TypeRef t = types_.tuple({integerType(), integerType()});
        std::string other = fresh("v");
        out.push_back(cat(v, " : ", t->name, " = ", make(t), ";"));
        out.push_back(cat(other, " : ", t->name, " = ", make(t), ";"));
        add(v, t);
        add(other, t);
        std::string sum = fresh("v");
        out.push_back(cat(sum, " := ", v, " + ", other, ";"));
        return print(out, {{cat("(", v, random_.word({" < ", " <= ", " == ", " > "}), other, ")"), types_.boolean()},
                           {sum + ".1", t->fields[1].type},
                           {sum + ".2", t->fields[0].type}});
    }
    case 14: return tries(out);
    case 15: { // a parameter whose variant is known while compiling
        if (!has("area")) break;
        std::string figure = random_.chance(30)   ? ".dot"
                             : random_.chance(60) ? cat(".line(", make(i64), ")")
                                                  : cat(".named(", text(1), ")");
        out.push_back(cat(v, " := ", prefix_, "area(", figure, ", ", make(i64), ");"));
        add(v, i64);
        return print(out, {{v, i64}});
    }
    default: { // bytes of a text
        std::string t = fresh("t"), b = fresh("b");
        out.push_back(cat(t, " := ", text(2), ";"));
        out.push_back(cat(v, " := ", "0;"));
        out.push_back(cat("for ", t, " (", b, ") => ", v, " = ", v, " * 3 + ", b, ";"));
        add(t, types_.text());
        add(v, i64);
        return print(out, {{t, types_.text()}, {v, i64}});
    }
    }
    printSome(out);
}

/// A function that works a little and then fails, with an error in flight sometimes.
std::string Generator::makePanic(Block& into, Ending& ending) {
    std::string name = prefix_ + "panic", g = prefix_ + "gone";
    into.push_back(cat(g, " : i64 = ", random_.range(5, 9), ";"));
    ending = Ending::Unchecked;
    Block body;
    std::string failure;
    switch (random_.below(8)) {
    case 0:
        body.push_back(cat("a : [5]", integerType()->name, ";")), failure = cat("print(\"{}\\n\", a[", g, "]);");
        break;
    case 1: body.push_back(std::string("a : [5]i32;")), failure = cat("print(\"{}\\n\", a[1..", g, " + 1]);"); break;
    case 2: {
        TypeRef t = integerType();
        body.push_back(cat("d : ", t->name, ";"));
        failure = cat("print(\"{}\\n\", ", number(t, false), random_.word({" / ", " % "}), "d);");
        break;
    }
    case 3: {
        TypeRef t = types_.integer(random_.range(2, 64), true);
        body.push_back(cat("m : ", t->name, " = ", t->name, ".min;"));
        body.push_back(cat("d : ", t->name, " = ", g, ".(", t->name, ") * 0 - 1;"));
        if (t->width < 2) body.push_back(std::string("d = 0;"));
        failure = cat("print(\"{}\\n\", m ", random_.word({"/", "%"}), " d);");
        break;
    }
    case 4: body.push_back(cat("s := \"text\";")), failure = cat("print(\"{}\\n\", s[", g, "]);"); break;
    case 5: failure = cat("print(\"{}\\n\", if ", g, " == { case 1: 5; case 2: 6; });"); break;
    default:
        ending = Ending::Checked;
        body.push_back(cat("o : ?", scalar()->name, ";"));
        failure = "print(\"{}\\n\", o!);";
    }
    body.push_back(cat("defer print(\"never\\n\");"));
    if (random_.chance(50)) {
        std::string fails = prefix_ + "fails";
        into.push_back(cat(fails, " :: (n: i64) -> (i64, !) { if n > 3 raise error.Deep; n }"));
        body.push_back(Stmt(cat("k := ", fails, "(", g, ") catch {"), Block{failure, std::string("1")}, "};"));
        body.push_back(std::string("print(\"{}\\n\", k);"));
    } else {
        body.push_back(failure);
    }
    into.push_back(Stmt(cat(name, " :: () {"), std::move(body)));
    return name;
}

} // namespace fuzz
