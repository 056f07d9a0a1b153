// Errors: raising them, passing them on, handling them, and showing the path that they took.
#include "Generator.h"

namespace fuzz {

namespace {
const char* const Tags[] = {"Bad", "Late", "Lost", "Full"};
} // namespace

/// A literal of one of the tags.
std::string Generator::tag(unsigned among) {
    std::vector<int> bits;
    for (int i = 0; i < 4; ++i)
        if (among >> i & 1) bits.push_back(i);
    return cat("error.", Tags[bits.empty() ? 0 : random_.pick(bits)]);
}

/// A failable function whose errors are all allowed, with this many results (the type of a single one, if given).
const Function* Generator::failableFunction(unsigned allowed, size_t results, TypeRef result) {
    std::vector<const Function*> fit;
    for (const Function& f : functions_)
        if (f.failable && f.results.size() == results && (f.tags & ~allowed) == 0 && (f.pure || !frame_.pure) &&
            affordable(f.cost) && (!result || f.results[0] == result)) {
            if (f.receiver && place(f.receiver, f.byPointer).empty()) continue;
            fit.push_back(&f);
        }
    return fit.empty() ? nullptr : random_.pick(fit);
}

/// The plain value at the end of an `or` chain: a chain of its own needs braces there.
std::string Generator::lastOperand(TypeRef t, int depth) {
    std::string value = expr(t, depth, true);
    return value.find(" or ") == std::string::npos ? value : cat("{ ", value, " }");
}

/// A value of type `t` by a failable call whose error is dealt with or passed on; nothing if no function fits.
std::string Generator::attempt(TypeRef t, int depth) {
    bool passes = frame_.failable && !frame_.cleanup && random_.chance(50);
    const Function* f = failableFunction(passes ? frame_.allowed : ~0u, 1, t);
    if (!f) return "";
    if (passes) {
        frame_.raised |= f->tags;
        std::string first = call(*f, depth);
        return cat("(try ", first, ")");
    }
    std::string first = call(*f, depth);
    if (random_.chance(25))
        if (const Function* g = failableFunction(~0u, 1, t)) first += cat(" or ", call(*g, depth));
    if (random_.chance(50)) return cat("(", first, " or ", lastOperand(t, depth), ")");
    if (first.find(" or ") != std::string::npos) first = cat("(", first, ")");
    std::string e = fresh("e");
    return random_.chance(50) ? cat("(", first, " catch (", e, ") ", expr(t, depth, true), ")")
                              : cat("(", first, " catch { ", expr(t, depth, true), " })");
}

void Generator::raise(Block& out) {
    if (!frame_.failable || frame_.cleanup) return;
    std::string c = condition();
    std::vector<std::string> again;
    for (const std::string& h : handled_)
        if ((handledTags_[h] & ~frame_.allowed) == 0) again.push_back(h);
    std::string error;
    if (!again.empty() && random_.chance(60)) {
        error = random_.pick(again);
        frame_.raised |= handledTags_[error];
        if (random_.chance(30)) { // by way of a copy, which is the same error
            std::string held = fresh("held");
            out.push_back(Stmt(cat("if ", c, " {"), Block{cat(held, " := ", error, ";"), cat("raise ", held, ";")}));
            return;
        }
    } else {
        error = tag(frame_.allowed);
        for (int i = 0; i < 4; ++i)
            if (error == cat("error.", Tags[i])) frame_.raised |= 1u << i;
    }
    if (random_.chance(50)) out.push_back(cat("if ", c, " raise ", error, ";"));
    else out.push_back(Stmt(cat("if ", c, " {"), Block{cat("raise ", error, ";")}));
}

/// One of the forms that meet an error.
void Generator::failing(Block& out) {
    if (frame_.depth >= 4) return fallback(out);
    switch (random_.below(7)) {
    case 0:
    case 1: handler(out); return;
    case 2: fallback(out); return;
    case 3: errorVariable(out); return;
    case 4: raise(out); return;
    default: break;
    }
    if (!frame_.failable || frame_.cleanup) return handler(out);
    // Passed on, by one call or by the last one of a chain.
    if (const Function* f = failableFunction(frame_.allowed, 0)) {
        frame_.raised |= f->tags;
        std::string last = call(*f, 1);
        if (const Function* g = random_.chance(40) ? failableFunction(~0u, 0) : nullptr)
            out.push_back(cat("try ", call(*g, 1), " or try ", last, ";"));
        else out.push_back(cat("try ", last, ";"));
    } else if (const Function* pair = failableFunction(frame_.allowed, 2)) {
        frame_.raised |= pair->tags;
        std::string a = fresh("a"), b = fresh("b");
        std::vector<TypeRef> results = pair->results;
        out.push_back(cat(a, ", ", b, " := try ", call(*pair, 1), ";"));
        add(a, results[0]);
        add(b, results[1]);
        print(out, {{a, results[0]}, {b, results[1]}});
    }
}

/// `f() catch (e) { … }`, which may print the path so far, raise again, raise another error, or leave.
void Generator::handler(Block& out) {
    const Function* f = failableFunction(~0u, 0);
    if (const Function* other = failableFunction(~0u, 1); other && (!f || random_.chance(50))) f = other;
    if (!f) return;
    unsigned tags = f->tags;
    std::vector<TypeRef> results = f->results;
    std::string operand = call(*f, 1);
    if (random_.chance(25))
        if (const Function* g = failableFunction(~0u, results.size(), results.empty() ? nullptr : results[0])) {
            tags = g->tags;
            operand = cat("(", operand, random_.word({" or ", frame_.cleanup ? " or " : " or try "}), call(*g, 1), ")");
            if (!results.empty() && !frame_.cleanup && random_.chance(30)) operand.insert(1, "try ");
        }
    std::string e = fresh("e"), v = fresh("v");
    Block body = scoped(random_.range(0, 2), [&](Block& b) {
        if (!frame_.pure) {
            b.push_back(cat("print(\"", e, " {}\\n\", ", e, ");"));
            if (random_.chance(25)) b.push_back(cat("trace.note(\"", e, " is {}\", ", e, ");"));
            if (random_.chance(50)) b.push_back("trace.print_current();");
        }
        if (!frame_.cleanup && !frame_.lambda) {
            handled_.push_back(e);
            handledTags_[e] = tags;
            if (random_.chance(40)) raise(b);
        }
    });
    if (!handled_.empty() && handled_.back() == e) handled_.pop_back();
    std::string head = cat(operand, " catch (", e, ") {");
    if (results.empty()) {
        out.push_back(Stmt(head, std::move(body), "};"));
        return;
    }
    body.push_back(expr(results[0], 1, true));
    out.push_back(Stmt(cat(v, " : ", results[0]->name, " = ", head), std::move(body), "};"));
    add(v, results[0]);
    print(out, {{v, results[0]}});
}

/// A chain that ends in a plain value, or in a destructuring.
void Generator::fallback(Block& out) {
    if (const Function* f = failableFunction(~0u, 2); f && random_.chance(50)) {
        std::vector<TypeRef> results = f->results;
        std::string a = fresh("a"), b = fresh("b"), operand = call(*f, 1);
        out.push_back(cat(a, ", ", b, " := ", operand, random_.word({" or ", " catch (why) "}), ".{ ",
                          expr(results[0], 1, true), ", ", expr(results[1], 1, true), " };"));
        add(a, results[0]);
        add(b, results[1]);
        print(out, {{a, results[0]}, {b, results[1]}});
        return;
    }
    const Function* f = failableFunction(~0u, 1);
    if (!f) return;
    TypeRef t = f->results[0];
    std::string v = fresh("v"), chain = call(*f, 1);
    while (random_.chance(50))
        if (const Function* g = failableFunction(~0u, 1, t))
            chain += cat(random_.word({" or ", frame_.cleanup ? " or " : " or try "}), call(*g, 1));
        else break;
    out.push_back(cat(v, " : ", t->name, " = ", chain, " or ", lastOperand(t, 1), ";"));
    add(v, t);
    print(out, {{v, t}});
}

/// Several attempts, of which the last error counts; or a match on the error.
void Generator::tries(Block& out) {
    const Function* f = failableFunction(~0u, 1);
    if (!f || !affordable(4 * f->cost)) return;
    unsigned tags = f->tags;
    TypeRef t = f->results[0];
    std::string v = fresh("v"), last = fresh("last"), w = fresh("w"), e = fresh("er");
    if (frame_.cleanup || random_.chance(40)) {
        std::string arms;
        for (int i = 0; i < 3; ++i)
            if (random_.chance(60)) arms += cat(" case .", Tags[i], ": ", expr(t, 1, true), ";");
        out.push_back(cat(v, " : ", t->name, " = ", call(*f, 1), " catch (", e, ") == {", arms,
                          " else: ", expr(t, 1, true), "; };"));
        add(v, t);
        return print(out, {{v, t}});
    }
    out.push_back(cat(last, " : ", errors_[0]->name, ";"));
    std::string at = fresh("at");
    long rounds = frame_.rounds;
    frame_.rounds *= 3;
    ++frame_.loops;
    Block body = scoped(0, [&](Block& b) {
        add(at, types_.integer(64, true), false);
        b.push_back(cat(w, ", ", e, " := ", call(*f, 1), ";"));
        b.push_back(cat(last, " = ", e, ";"));
        b.push_back(cat("if !", e, " { ", frame_.pure ? "" : cat("print(\"", w, " {}\\n\", ", w, "); "), "break; }"));
        statement(b);
    });
    --frame_.loops;
    frame_.rounds = rounds;
    out.push_back(Stmt(cat("for 0..3 (", at, ") {"), std::move(body)));
    if (frame_.failable && (tags & ~frame_.allowed) == 0 && errors_[0]->tags == frame_.allowed) {
        frame_.raised |= errors_[0]->tags; // what a variable may hold is the set of its type
        out.push_back(cat("if ", last, " raise ", last, ";"));
    } else if (!frame_.pure) {
        out.push_back(cat("print(\"", last, " {}\\n\", ", last, ");"));
    }
}

/// An error in a variable: tested, shown, and perhaps raised after other work.
void Generator::errorVariable(Block& out) {
    bool may = frame_.failable && !frame_.cleanup;
    unsigned allowed = may && random_.chance(60) ? frame_.allowed : ~0u;
    const Function* f = failableFunction(allowed, 1);
    if (const Function* other = failableFunction(allowed, 0); other && (!f || random_.chance(40))) f = other;
    if (!f || (frame_.cleanup && f->results.empty())) return;
    unsigned tags = f->tags;
    std::vector<TypeRef> results = f->results;
    std::string e = fresh("err"), v = fresh("v");
    bool live = !f->receiver;
    out.push_back(cat(results.empty() ? "" : v + ", ", e, " := ", call(*f, 1), ";"));
    std::string raised = e;
    if (random_.chance(30)) { // a copy carries the trace as well
        raised = fresh("kept");
        out.push_back(cat(raised, " := ", e, ";"));
    }
    if (random_.chance(30)) fallback(out);
    Block failed = scoped(1, [&](Block& b) {
        if (!frame_.pure) b.push_back(cat("print(\"", e, " {}\\n\", ", e, ");"));
    });
    if (may && (tags & ~frame_.allowed) == 0 && random_.chance(70)) {
        frame_.raised |= tags;
        bool returns = random_.chance(20) && results.empty() && frame_.results.empty();
        failed.push_back(cat(returns ? "return " : "raise ", raised, ";"));
    }
    Block succeeded = scoped(1, [&](Block& b) {
        if (results.empty() || !live) return;
        scope_.push_back({v, results[0], true, false, true});
        print(b, {{v, results[0]}});
    });
    out.push_back(Stmt({{cat("if ", e, " {"), std::move(failed)}, {"} else {", std::move(succeeded)}}, "}"));
}

} // namespace fuzz
