#include "Assemble.h"

#include "Generator.h"

#include <algorithm>
#include <cctype>

namespace fuzz {

Program assemble(uint64_t seed, uint64_t index, int cases) {
    Program program;
    program.items = {"#import \"modules/std.sx\";", "trace :: #import \"modules/std/trace.sx\";"};
    Random random = Random::of(seed, index);
    Block body;
    bool mayFail = random.chance(60);
    std::string last;
    for (int i = 0; i < cases; ++i) {
        Generator generator(Random(random.next()), i);
        for (Stmt& item : generator.make()) program.items.push_back(std::move(item));
        std::string call = generator.entry() + "()";
        if (generator.failable()) {
            last = call;
            body.push_back(Stmt(call + " catch (e) {",
                                Block{cat("print(\"case ", i, " {}\\n\", e);"), "trace.print_current();"}, "};"));
        } else {
            body.push_back(call + ";");
        }
    }
    if (random.chance(13))
        body.push_back(Generator(Random(random.next()), cases).makePanic(program.items, program.ending) + "();");
    else if (mayFail && !last.empty()) body.push_back("try " + last + ";");
    else mayFail = false;
    bool fails = mayFail && program.ending == Ending::Normal;
    program.items.push_back(Stmt(fails ? "main :: () -> ! {" : "main :: () {", std::move(body)));
    return program;
}

std::string mutate(const std::string& text, uint64_t seed) {
    auto inName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '#'; };
    std::vector<std::string> tokens;
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && inName(text[end])) ++end;
        if (end == i) ++end;
        tokens.push_back(text.substr(i, end - i));
        i = end;
    }
    auto visible = [&](size_t i) { return !std::isspace(static_cast<unsigned char>(tokens[i][0])); };
    Random random(seed);
    for (int n = random.range(1, 3); n > 0; --n) {
        size_t i = static_cast<size_t>(random.below(static_cast<int>(tokens.size()))),
               j = static_cast<size_t>(random.below(static_cast<int>(tokens.size())));
        while (i < tokens.size() && !visible(i)) ++i;
        while (j < tokens.size() && !visible(j)) ++j;
        if (i == tokens.size() || j == tokens.size()) continue;
        switch (random.below(4)) {
        case 0: tokens[i] = tokens[j]; break;
        case 1: std::swap(tokens[i], tokens[j]); break;
        case 2: tokens[i] = " "; break;
        default: tokens[i] += " " + tokens[j];
        }
    }
    std::string out;
    for (const std::string& t : tokens) out += t;
    return out;
}

} // namespace fuzz
