// Statements: declarations, assignments, and printing. Control flow is in Control.cpp.
#include "Generator.h"

namespace fuzz {

Block Generator::statements(int count) {
    Block out;
    for (int i = 0; i < count; ++i) statement(out);
    return out;
}

/// A block of its own scope; `first` begins it.
Block Generator::scoped(int count, const std::function<void(Block&)>& first) {
    std::vector<Variable> before = scope_;
    size_t functions = functions_.size();
    ++frame_.depth;
    Block out;
    if (first) first(out);
    for (int i = 0; i < count; ++i) statement(out);
    --frame_.depth;
    scope_ = std::move(before);
    functions_.resize(functions); // closures in variables count as functions while they can be seen
    return out;
}

void Generator::statement(Block& out) {
    spend(1);
    if (web_) return webStatement(out);
    bool deep = frame_.depth >= 3;
    switch (random_.below(deep ? 13 : 26)) {
    case 0:
    case 1:
    case 2: return declare(out);
    case 3:
    case 4:
    case 5: return assign(out);
    case 6: return printSome(out);
    case 7: return destructure(out);
    case 8: return pointer(out);
    case 9:
    case 10: return failing(out);
    case 11: return jump(out);
    case 12: return closure(out);
    case 13:
    case 14: return branch(out);
    case 15:
    case 16:
    case 17: return loop(out);
    case 18:
    case 19: return match(out);
    case 20: return array(out);
    case 21: return narrow(out);
    case 22:
    case 23: return cleanup(out);
    default: return pattern(out);
    }
}

/// The placeholder and the arguments that show a value; tuples by their elements, which print as nothing.
void Generator::showInto(std::string& format, std::string& arguments, const std::string& text, TypeRef t) {
    if (t->is(Kind::Tuple)) {
        format += "(";
        for (size_t i = 0; i < t->fields.size(); ++i) {
            if (i) format += " ";
            showInto(format, arguments, cat(text, ".", i), t->fields[i].type);
        }
        format += ")";
        return;
    }
    if (t->is(Kind::Closure)) return;
    format += "{}";
    arguments += ", " + text;
}

void Generator::print(Block& out, const std::vector<std::pair<std::string, TypeRef>>& values) {
    if (frame_.pure || frame_.rounds > 60) return;
    std::string format = fresh(prefix_.c_str()), arguments;
    for (const auto& [text, type] : values) {
        format += " ";
        showInto(format, arguments, text, type);
    }
    out.push_back(cat("print(\"", format, "\\n\"", arguments, ");"));
}

/// Shows one or two variables, or an expression.
void Generator::printSome(Block& out) {
    std::vector<std::pair<std::string, TypeRef>> values;
    std::vector<Variable> known = visible();
    std::erase_if(known, [](const Variable& v) { return v.type->is(Kind::Closure) || weight(v.type) > 12; });
    for (int n = random_.range(1, 2); n > 0 && !known.empty(); --n) {
        const Variable& v = random_.pick(known);
        values.push_back({v.name, v.type});
    }
    if (random_.chance(40)) {
        TypeRef t = scalar();
        values.push_back({expr(t, 2, false), t});
    }
    print(out, values);
}

void Generator::declare(Block& out) {
    TypeRef t = random_.chance(60) ? knownType() : storable(2);
    std::string name = fresh("v");
    std::vector<Variable> known = visible();
    // An inner variable may take the name of an outer one, which its initializer still sees.
    if (frame_.depth > 0 && random_.chance(8) && !known.empty()) {
        const Variable& outer = random_.pick(known);
        if (outer.type->number() && outer.name.find_first_of(".[") == std::string::npos &&
            outer.name.find(prefix_) == std::string::npos) {
            name = outer.name;
            t = outer.type;
        }
    }
    bool inferable = t->number() || t->is(Kind::Bool) || t->is(Kind::String) || t->is(Kind::Struct) ||
                     t->is(Kind::Enum) || t->is(Kind::Union) || t->is(Kind::Flags);
    bool writable = true;
    switch (random_.below(8)) {
    case 0: out.push_back(cat(name, " : ", t->name, ";")); break;
    case 1:
        name = fresh("v");
        out.push_back(cat(name, " : ", t->name, " = ---;"));
        out.push_back(cat(name, " = ", expr(t, 2, true), ";"));
        break;
    case 2: { // a block as the value
        Block body;
        std::vector<Variable> before = scope_;
        ++frame_.depth;
        body = statements(random_.range(0, 2));
        body.push_back(expr(t, 2, true));
        --frame_.depth;
        scope_ = std::move(before);
        out.push_back(Stmt(cat(name, " : ", t->name, " = {"), std::move(body), "};"));
        break;
    }
    case 3:
        if (inferable && !t->is(Kind::Float)) {
            out.push_back(cat(name, " :: ", expr(t, 2, false), ";"));
            writable = false;
            break;
        }
        [[fallthrough]];
    case 4:
    case 5:
        if (inferable) {
            out.push_back(cat(name, " := ", expr(t, 3, false), ";"));
            break;
        }
        [[fallthrough]];
    default:
        out.push_back(
            cat(name, " : ", t->name, " = ", random_.chance(20) ? argument(t, 2) : bareName(expr(t, 3, true)), ";"));
    }
    add(name, t, writable);
    if (random_.chance(55) && weight(t) <= 12) print(out, {{name, t}});
}

void Generator::assign(Block& out) {
    TypeRef t = knownType();
    std::string target = place(t, true);
    if (target.empty() || t->is(Kind::Slice) || t->is(Kind::Closure)) return declare(out);
    if (t->integer() && random_.chance(50)) {
        std::string op = random_.word({"+=", "-=", "*=", "^=", "|=", "&=", "<<=", "/="});
        std::string value = argument(t, 2);
        if (op == "<<=") value = t->width > 2 ? "1" : "0";
        if (op == "/=") {
            if (t->max() < 3) return;
            value = std::to_string(random_.range(1, 3));
        }
        out.push_back(cat(target, " ", op, " ", value, ";"));
    } else if (t->is(Kind::Float) && random_.chance(40)) {
        out.push_back(cat(target, random_.word({" += ", " -= ", " *= "}), expr(t, 1, true), ";"));
        out.push_back(cat(target, " %= 1000.0;"));
    } else if (std::string other = place(t, true); random_.chance(20) && !other.empty()) {
        out.push_back(cat(target, ", ", other, " = ", expr(t, 1, true), ", ", expr(t, 1, true), ";"));
    } else {
        out.push_back(cat(target, " = ", random_.chance(20) ? argument(t, 2) : expr(t, 3, true), ";"));
    }
    if (random_.chance(40) && weight(t) <= 12) print(out, {{target, t}});
}

/// Names for the parts of a tuple, of several results, or of an array's ends.
void Generator::destructure(Block& out) {
    std::vector<TypeRef> parts;
    std::string value;
    std::vector<const Function*> several;
    for (const Function& f : functions_)
        if (!f.failable && f.results.size() > 1 && (f.pure || !frame_.pure) && affordable(f.cost))
            several.push_back(&f);
    if (!several.empty() && random_.chance(70)) {
        const Function* f = random_.pick(several);
        parts = f->results;
        value = call(*f, 1);
    } else {
        parts = {scalar(), knownType()};
        if (parts[1]->is(Kind::Slice) || parts[1]->is(Kind::Closure) || parts[1]->is(Kind::Tuple) ||
            parts[1]->is(Kind::Error))
            parts[1] = scalar();
        value = cat(types_.tuple(parts)->name, ".{ ", expr(parts[0], 2, true), ", ", expr(parts[1], 2, true), " }");
    }
    std::string names;
    std::vector<std::pair<std::string, TypeRef>> made;
    for (TypeRef t : parts) {
        std::string name = random_.chance(15) ? "_" : fresh("d");
        names += (names.empty() ? "" : ", ") + name;
        if (name != "_") made.push_back({name, t});
    }
    if (made.empty()) return;
    out.push_back(cat(names, " := ", value, ";"));
    for (const auto& [name, type] : made) add(name, type);
    print(out, made);
}

/// A pointer to something in scope, written through.
void Generator::pointer(Block& out) {
    std::vector<Variable> all = places(
        [](TypeRef t) { return t->number() || t->is(Kind::Struct) || t->is(Kind::Bool) || t->is(Kind::String); }, true);
    if (all.empty()) return declare(out);
    TypeRef t = random_.pick(all).type;
    std::string target = place(t, true), p = fresh("q");
    if (target.empty() || target.find(".*") != std::string::npos || target.find(" %") != std::string::npos)
        return declare(out);
    out.push_back(cat(p, " := *", target, ";"));
    add(p + ".*", t);
    out.push_back(cat(p, ".* = ", expr(t, 2, true), ";"));
    print(out, {{target, t}});
}

/// A closure in a variable, called at once, and again after its captures changed.
void Generator::closure(Block& out) {
    TypeRef result = scalar();
    std::vector<TypeRef> parameters;
    for (int n = random_.range(0, 2); n > 0; --n) parameters.push_back(random_.chance(70) ? scalar() : knownType());
    for (TypeRef& p : parameters)
        if (p->is(Kind::Slice) || p->is(Kind::Closure)) p = result;
    TypeRef t = types_.closure(parameters, result);
    std::string name = fresh("c");
    if (random_.chance(50)) {
        out.push_back(cat(name, " : ", t->name, " = ", lambda(t), ";"));
    } else { // a body of statements
        long rounds = frame_.rounds;
        LambdaBody inside(*this, result);
        frame_.rounds = rounds * 4;
        frame_.depth = 2;
        std::string spelled;
        for (TypeRef p : parameters) {
            std::string parameter = fresh("p");
            spelled += (spelled.empty() ? "" : ", ") + cat(parameter, ": ", p->name);
            add(parameter, p);
        }
        Block body = statements(random_.range(1, 3));
        body.push_back(cat("return ", expr(result, 2, true), ";"));
        out.push_back(Stmt(cat(name, " := (", spelled, ") -> ", result->name, " {"), std::move(body), "};"));
    }
    add(name, t, false);
    if (!affordable(20)) return;
    spend(20);
    std::string arguments;
    for (TypeRef p : parameters) arguments += (arguments.empty() ? "" : ", ") + expr(p, 1, true);
    print(out, {{cat(name, "(", arguments, ")"), result}});
}

/// What `return` hands back, for the function that is made.
std::string Generator::returned() {
    std::string all;
    const std::vector<TypeRef> results = frame_.results; // lambdas in the values replace the frame for a while
    for (TypeRef t : results) all += (all.empty() ? "" : ", ") + expr(t, 2, true);
    return all.empty() ? "return;" : cat("return ", all, ";");
}

} // namespace fuzz
