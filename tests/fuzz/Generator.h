// Makes one case: a function `cN_case` without parameters, with the types, constants and functions it uses. Cases share
// nothing, so any number of them make a program. What a case does is defined by the language: shifts stay in range,
// floats small, divisors positive, slices within the life of their arrays, loops bounded, calls without recursion.
#pragma once

#include "Program.h"
#include "Random.h"
#include "Types.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fuzz {

/// A name in scope that holds a value, spelled as it is read (`p.*` for a pointer `p`).
struct Variable {
    std::string name;
    TypeRef type;
    bool writable = true;
    bool narrowed = false; ///< an optional known to be present
    bool proven = false;   ///< usable by what flow proves, which a lambda does not know
};

struct Function {
    std::string name;
    TypeRef receiver = nullptr; ///< a method of this type; by pointer if it writes
    bool byPointer = false;
    std::vector<Field> parameters;
    std::vector<TypeRef> results; ///< none, one, or several
    bool failable = false;
    unsigned tags = 0;  ///< the errors that may leave it
    bool pure = false;  ///< prints nothing: may run at compile time in any order
    bool web = false;   ///< about error flow; worth several calls
    bool value = false; ///< a closure in a variable: takes neither names nor pipes
    long cost = 1;      ///< about how many statements a call runs
};

/// What the function around the code allows.
struct Frame {
    std::vector<TypeRef> results;
    bool failable = false, pure = false, cleanup = false, lambda = false;
    unsigned allowed = 0, raised = 0; ///< tags that may leave, tags that may so far
    int loops = 0;                    ///< around the code, for `break` and `continue`
    int depth = 0;                    ///< of blocks
    long rounds = 1;                  ///< how often the code runs a call, about
    long cost = 0;
};

class Generator {
public:
    Generator(Random random, int number);

    /// The declarations of the case, the function itself last.
    Block make();
    std::string entry() const { return prefix_ + "case"; }
    /// Whether `entry()` is a failable function.
    bool failable() const { return entryFails_; }
    /// A function like the case that ends in a run-time failure, and calls it as `NAME()`.
    std::string makePanic(Block& into, Ending& ending);

private:
    /// While it lives, what is made belongs to the body of a lambda with this result, which sees copies of what is in
    /// scope.
    class LambdaBody {
    public:
        LambdaBody(Generator&, TypeRef result);
        ~LambdaBody();
        LambdaBody(const LambdaBody&) = delete;

    private:
        Generator& generator_;
        Frame frame_; // of the code around, as the rest
        std::vector<Variable> scope_;
        std::vector<std::string> handled_;
    };

    // Declarations.cpp, Templates.cpp
    void declareTypes();
    void declareConstants();
    void declareFunction(bool pure);
    void declareMethod(TypeRef receiver);
    void declareTemplates();
    void declareWeb();
    void invoke(Block& out, const Function& f);
    void runTwice(Block& out);
    Stmt functionBody(const std::string& head, Function& f);
    std::string signature(const Function& f);
    std::string failableResult(const std::string& results, const std::string& set);
    TypeRef storable(int depth);
    TypeRef scalar();
    TypeRef integerType();
    TypeRef knownType();

    // Statements.cpp
    Block statements(int count);
    Block scoped(int count, const std::function<void(Block&)>& first = nullptr);
    void statement(Block& out);
    void declare(Block& out);
    void assign(Block& out);
    void branch(Block& out);
    void loop(Block& out);
    void match(Block& out);
    void closure(Block& out);
    void pointer(Block& out);
    void array(Block& out);
    void destructure(Block& out);
    void narrow(Block& out);
    void jump(Block& out);
    void cleanup(Block& out);
    void pattern(Block& out);
    void print(Block& out, const std::vector<std::pair<std::string, TypeRef>>& values);
    void printSome(Block& out);
    void showInto(std::string& format, std::string& arguments, const std::string& text, TypeRef t);
    std::string returned();

    // Web.cpp
    void webStatement(Block& out);
    void failableClosure(Block& out);
    std::string webNumber(int depth);

    // Failures.cpp
    void failing(Block& out);
    void handler(Block& out);
    void fallback(Block& out);
    void errorVariable(Block& out);
    void raise(Block& out);
    void tries(Block& out);
    std::string tag(unsigned among);
    const Function* failableFunction(unsigned allowed, size_t results, TypeRef result = nullptr);
    std::string attempt(TypeRef t, int depth);
    std::string lastOperand(TypeRef t, int depth);

    // Expressions.cpp, Numbers.cpp
    std::string expr(TypeRef t, int depth, bool typed);
    std::string build(TypeRef t, int depth, bool typed);
    std::string integer(TypeRef t, int depth, bool typed);
    std::string floating(TypeRef t, int depth, bool typed);
    std::string boolean(int depth);
    std::string text(int depth);
    std::string condition() { return boolean(2); }
    std::string number(TypeRef t, bool typed);
    std::string argument(TypeRef t, int depth);
    std::string call(const Function& f, int depth);
    std::string choice(TypeRef t, int depth, bool typed);
    std::string lambda(TypeRef t);
    std::string index(int count);
    std::string small(int bound);

    // Places.cpp
    std::vector<Variable> visible() const;
    std::vector<Variable> places(const std::function<bool(TypeRef)>& wanted, bool writable = false);
    std::string place(TypeRef t, bool writable = false);
    void forgetProven();
    std::string bareName(const std::string& text) const;
    void add(const std::string& name, TypeRef t, bool writable = true) { scope_.push_back({name, t, writable}); }
    std::string fresh(const char* stem) { return cat(stem, ++counter_); }
    const Function* functionFor(TypeRef result);
    bool affordable(long cost) const { return frame_.cost + frame_.rounds * cost <= Budget; }
    void spend(long cost) { frame_.cost += frame_.rounds * cost; }

    static constexpr long Budget = 1500;

    Random random_;
    std::string prefix_;
    int number_;
    int counter_ = 0;
    Types types_;
    Block items_;
    std::vector<TypeRef> structs_, enums_, unions_, errors_;
    std::vector<Function> functions_;
    std::vector<std::pair<std::string, TypeRef>> constants_; ///< compile-time numbers and texts
    std::vector<Variable> scope_, globals_;
    std::vector<std::string> handled_; ///< error bindings of the handlers around, which may be raised again
    std::map<std::string, unsigned> handledTags_;
    std::vector<std::string> templates_; ///< names of the generic functions there are
    Frame frame_;
    bool has(const std::string& name) const;
    bool entryFails_ = false;
    bool cheap_ = false; ///< keep expressions free of calls
    bool web_ = false;   ///< makes functions of error flow, about a single number `n`
};

} // namespace fuzz
