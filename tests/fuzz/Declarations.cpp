// What stands at the top of a case: its types, constants, globals and functions, and the case itself.
#include "Generator.h"

namespace fuzz {

Generator::Generator(Random random, int number) : random_(random), prefix_(cat("c", number, "_")), number_(number) {}

TypeRef Generator::integerType() {
    int width = random_.chance(50) ? random_.pick(std::vector<int>{8, 16, 32, 64}) : random_.range(1, 64);
    return random_.chance(25) ? types_.integer(64, true) : types_.integer(width, random_.chance(50));
}

TypeRef Generator::scalar() {
    switch (random_.below(8)) {
    case 0: return types_.floating(random_.chance(60) ? 64 : 32);
    case 1: return types_.boolean();
    case 2: return types_.text();
    case 3: return enums_.empty() ? types_.boolean() : random_.pick(enums_);
    default: return integerType();
    }
}

/// A type of values that may be kept anywhere.
TypeRef Generator::storable(int depth) {
    if (depth <= 0 || random_.chance(35)) return scalar();
    switch (random_.below(6)) {
    case 0: return types_.array(random_.range(1, 9), random_.chance(70) ? scalar() : storable(depth - 1));
    case 1:
    case 2: {
        TypeRef of = storable(depth - 1);
        return of->is(Kind::Optional) ? of : types_.optional(of);
    }
    case 3: {
        std::vector<TypeRef> parts;
        for (int n = random_.range(2, 3); n > 0; --n) parts.push_back(scalar());
        return types_.tuple(parts);
    }
    case 4:
        if (!structs_.empty()) return random_.pick(structs_);
        [[fallthrough]];
    default: return unions_.empty() ? scalar() : random_.pick(unions_);
    }
}

/// The type of something in scope, so that places of it exist; or any.
TypeRef Generator::knownType() {
    std::vector<Variable> all = visible();
    std::erase_if(all, [](const Variable& v) {
        return weight(v.type) > 30 || v.type->is(Kind::Slice) || v.type->is(Kind::Closure);
    });
    if (all.empty() || random_.chance(15)) return storable(1);
    TypeRef t = random_.pick(all).type;
    if (t->is(Kind::Struct) && random_.chance(60)) t = random_.pick(t->fields).type;
    return t;
}

void Generator::declareTypes() {
    for (int n = random_.range(0, 2); n > 0; --n) {
        Type t{random_.chance(75) ? Kind::Enum : Kind::Flags, cat(prefix_, fresh("E"))};
        std::string head = cat(t.name, " :: enum ", t.is(Kind::Flags) ? "flags " : "",
                               random_.chance(40) ? random_.word({"u8 ", "u16 ", "i32 "}) : "", "{");
        int value = 0;
        for (int k = random_.range(2, 5); k > 0; --k) {
            t.fields.push_back({cat("n", t.fields.size()), nullptr, ""});
            // Values that are given stay apart from the positions of the others; the first is the default value, 0.
            bool given = t.is(Kind::Enum) && t.fields.size() > 1 && random_.chance(20);
            head += cat(" ", t.fields.back().name, given ? cat(" :: ", 20 + 3 * value++) : "", ";");
        }
        items_.push_back(head + " }");
        enums_.push_back(types_.declared(std::move(t)));
    }
    for (int n = random_.range(0, 2); n > 0; --n) {
        bool isUnion = random_.chance(45);
        Type t{isUnion ? Kind::Union : Kind::Struct, cat(prefix_, fresh(isUnion ? "U" : "S"))};
        Block fields;
        for (int k = random_.range(isUnion ? 2 : 1, 4); k > 0; --k) {
            Field f{cat(isUnion ? "w" : "f", t.fields.size()), storable(2), ""};
            if (isUnion && random_.chance(25)) f.type = nullptr;
            if (f.type && weight(f.type) > 12) f.type = scalar();
            if (!isUnion && f.type->number() && random_.chance(40)) f.value = number(f.type, true);
            fields.push_back(f.type ? cat(f.name, ": ", f.type->name, f.value.empty() ? "" : " = " + f.value, ";")
                                    : cat(f.name, ";"));
            t.fields.push_back(std::move(f));
        }
        items_.push_back(Stmt(cat(t.name, isUnion ? " :: enum {" : " :: struct {"), std::move(fields)));
        TypeRef made = types_.declared(std::move(t));
        (isUnion ? unions_ : structs_).push_back(made);
    }
    for (const auto& [name, tags] : {std::pair{"All", 15u}, std::pair{"Few", 3u}}) {
        Type t{Kind::Error, cat(prefix_, name)};
        t.tags = tags;
        items_.push_back(cat(t.name, tags == 15 ? " :: error { Bad, Late, Lost, Full }" : " :: error { Bad, Late }"));
        errors_.push_back(types_.declared(std::move(t)));
    }
}

void Generator::declareConstants() {
    TypeRef i64 = types_.integer(64, true);
    for (int n = random_.range(0, 3); n > 0; --n) {
        std::string name = cat(prefix_, fresh("K"));
        TypeRef t = random_.chance(50) ? i64 : integerType();
        if (t == i64 && random_.chance(50))
            items_.push_back(
                cat(name, " :: ", random_.range(1, 40), random_.word({" + 2", " * 3", " << 4", " % 7", ""}), ";"));
        else items_.push_back(cat(name, " : ", t->name, " : ", number(t, true), ";"));
        constants_.push_back({name, t});
    }
    for (int n = random_.range(1, 2); n > 0; --n) {
        std::string name = cat(prefix_, fresh("g"));
        TypeRef t = n == 1 ? i64 : integerType();
        items_.push_back(cat(name, " : ", t->name, " = ", number(t, true), ";"));
        globals_.push_back({name, t, true, false});
    }
    if (random_.chance(40)) {
        std::string name = cat(prefix_, fresh("A"));
        TypeRef element = integerType(), t = types_.array(random_.range(2, 5), element);
        std::string values;
        for (int i = 0; i < t->count; ++i) values += (i ? ", " : "") + number(element, true);
        items_.push_back(cat(name, " : ", t->name, " : .[", values, "];"));
        globals_.push_back({name, t, false, false});
    }
}

/// `(RESULTS, !SET)`. A function without results has two ways to say so.
std::string Generator::failableResult(const std::string& results, const std::string& set) {
    if (results.empty() && random_.chance(70)) return "!" + set;
    return cat("(", results.empty() ? "void" : results, ", !", set, ")");
}

std::string Generator::signature(const Function& f) {
    std::string all = f.receiver ? cat("self: ", f.byPointer ? "*" : "", f.receiver->name) : "";
    for (const Field& p : f.parameters)
        all += cat(all.empty() ? "" : ", ", p.name, ": ", p.type->name, p.value.empty() ? "" : " = " + p.value);
    std::string results;
    for (TypeRef t : f.results) results += (results.empty() ? "" : ", ") + t->name;
    if (!f.failable)
        return cat("(", all, ")",
                   f.results.empty() ? "" : cat(" -> ", f.results.size() == 1 ? results : cat("(", results, ")")),
                   " {");
    std::string set = f.tags == 15 ? errors_[0]->name : f.tags == 3 ? errors_[1]->name : "";
    return cat("(", all, ") -> ", failableResult(results, set), " {");
}

/// The function with a body; its tags and cost are known afterwards.
Stmt Generator::functionBody(const std::string& head, Function& f) {
    scope_.clear();
    handled_.clear();
    frame_ = Frame{};
    frame_.results = f.results;
    frame_.failable = f.failable;
    frame_.pure = f.pure;
    frame_.allowed = f.tags ? f.tags : 15;
    std::string open = head + signature(f);
    if (f.receiver) add(f.byPointer ? "self.*" : "self", f.receiver);
    for (const Field& p : f.parameters) add(p.name, p.type, !p.type->is(Kind::Slice));
    Block body;
    if (!f.pure && random_.chance(50)) print(body, {});
    Block made = statements(random_.range(1, 4));
    body.insert(body.end(), made.begin(), made.end());
    if (f.failable) raise(body);
    if (!f.results.empty())
        body.push_back(f.results.size() == 1 && random_.chance(50) ? expr(f.results[0], 2, true) : returned());
    if (f.failable && !f.tags) f.tags = frame_.raised;
    f.cost = frame_.cost + 2;
    return Stmt(open, std::move(body));
}

void Generator::declareFunction(bool pure) {
    std::vector<Variable> globals;
    if (pure) globals.swap(globals_);
    Function f;
    f.name = cat(prefix_, fresh(pure ? "p" : "f"));
    f.pure = pure;
    bool defaults = false;
    for (int n = random_.range(pure ? 1 : 0, 4); n > 0; --n) {
        TypeRef t = random_.chance(12)            ? types_.slice(scalar())
                    : random_.chance(10) && !pure ? types_.closure({scalar()}, scalar())
                                                  : storable(2);
        Field p{fresh("a"), t, ""};
        if (t->number() && (defaults || random_.chance(20)) && n <= 2) p.value = number(t, true), defaults = true;
        else if (defaults) p = {p.name, types_.integer(64, true), "7"};
        f.parameters.push_back(std::move(p));
    }
    f.failable = random_.chance(pure ? 30 : 60);
    int results = random_.below(pure ? 4 : 8);
    if (pure || results > 1) f.results.push_back(random_.chance(60) ? scalar() : storable(2));
    if (results == 7) f.results.push_back(scalar());
    // Inferred sets are left open here, and known after the body.
    if (f.failable) f.tags = random_.pick(std::vector<unsigned>{0, 0, 15, 3});
    items_.push_back(functionBody(f.name + " :: ", f));
    functions_.push_back(std::move(f));
    if (pure) globals.swap(globals_);
}

/// A method; it is added to the declaration of its struct.
void Generator::declareMethod(TypeRef receiver) {
    Function f;
    f.name = fresh("m");
    f.receiver = receiver;
    f.byPointer = random_.chance(60);
    f.pure = random_.chance(30);
    if (random_.chance(60)) f.parameters.push_back({fresh("a"), storable(1), ""});
    f.failable = random_.chance(30);
    if (f.failable) f.tags = random_.pick(std::vector<unsigned>{0, 15});
    if (random_.chance(85)) f.results.push_back(scalar());
    std::vector<Variable> globals;
    if (f.pure) globals.swap(globals_);
    Stmt method = functionBody(f.name + " :: ", f);
    if (f.pure) globals.swap(globals_);
    for (Stmt& item : items_)
        if (!item.parts.empty() && item.parts[0].open == receiver->name + " :: struct {")
            item.parts[0].body.push_back(method);
    functions_.push_back(std::move(f));
}

Block Generator::make() {
    declareTypes();
    declareConstants();
    declareTemplates();
    if (random_.chance(70)) declareFunction(true);
    for (TypeRef s : structs_)
        if (random_.chance(40)) declareMethod(s);
    for (int n = random_.range(1, 2); n > 0; --n) declareFunction(false);
    if (random_.chance(60)) declareWeb();

    Function entry;
    entry.name = prefix_ + "case";
    entryFails_ = entry.failable = random_.chance(60);
    handled_.clear();
    frame_ = Frame{};
    frame_.failable = entry.failable;
    frame_.allowed = 15;
    scope_.clear();
    Block body;
    for (TypeRef s : structs_) {
        std::string name = fresh("s");
        body.push_back(cat(name, " : ", s->name, " = ", build(s, 2, true), ";"));
        add(name, s);
    }
    declare(body);
    runTwice(body);
    std::vector<Function> all = functions_;
    for (const Function& f : all)
        for (int n = f.web ? 3 : 1; n > 0; --n) invoke(body, f);
    Block rest = statements(random_.range(0, 2));
    body.insert(body.end(), rest.begin(), rest.end());
    if (entry.failable) body.push_back(cat("raise error.", random_.word({"Bad", "Late", "Lost"}), ";"));
    items_.push_back(Stmt(cat(entry.name, " :: ()", entry.failable ? " -> !" : "", " {"), std::move(body)));
    return items_;
}

/// A call of `f` that shows what comes back, an error included.
void Generator::invoke(Block& out, const Function& f) {
    if (f.receiver && place(f.receiver, f.byPointer).empty()) return;
    std::vector<std::pair<std::string, TypeRef>> made;
    std::string names, operand = call(f, 1);
    for (TypeRef t : f.results) {
        made.push_back({fresh("v"), t});
        names += (names.empty() ? "" : ", ") + made.back().first;
    }
    std::string head = f.results.empty()      ? ""
                       : f.results.size() > 1 ? cat(names, " := ")
                                              : cat(names, " : ", f.results[0]->name, " = ");
    if (!f.failable) {
        out.push_back(cat(head, operand, ";"));
    } else {
        std::string e = fresh("e"), value;
        for (TypeRef t : f.results) value += (value.empty() ? "" : ", ") + expr(t, 1, true);
        Block handled{cat("print(\"", e, " {}\\n\", ", e, ");"), std::string("trace.print_current();")};
        if (!value.empty()) handled.push_back(f.results.size() > 1 ? cat(".{ ", value, " }") : value);
        out.push_back(Stmt(cat(head, operand, " catch (", e, ") {"), std::move(handled), "};"));
    }
    for (const auto& [name, type] : made) add(name, type);
    print(out, made);
}

/// Pure functions at compile time and at run time, with the same arguments.
void Generator::runTwice(Block& out) {
    std::vector<Function> pure;
    for (const Function& f : functions_)
        if (f.pure && !f.receiver && f.results.size() == 1) pure.push_back(f);
    for (const Function& f : pure) {
        std::vector<Variable> scope, globals;
        std::vector<Function> functions;
        scope.swap(scope_);
        globals.swap(globals_);
        functions.swap(functions_);
        std::string arguments;
        for (const Field& p : f.parameters) arguments += (arguments.empty() ? "" : ", ") + expr(p.type, 1, true);
        std::string otherwise = f.failable ? cat(" or ", lastOperand(f.results[0], 0)) : "";
        scope.swap(scope_);
        globals.swap(globals_);
        functions.swap(functions_);
        std::string early = fresh("r"), late = fresh("r");
        TypeRef t = f.results[0];
        out.push_back(cat(early, " : ", t->name, " = #run ", f.name, "(", arguments, ")", otherwise, ";"));
        out.push_back(cat(late, " : ", t->name, " = ", f.name, "(", arguments, ")", otherwise, ";"));
        add(early, t);
        add(late, t);
        print(out, {{early, t}, {late, t}});
        if (comparable(t)) print(out, {{cat(early, " == ", late), types_.boolean()}});
    }
}

} // namespace fuzz
