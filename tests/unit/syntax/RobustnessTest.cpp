// Whatever bytes a file holds, the parser ends, with errors or without: no crash, no endless loop, and a tree
// that can be walked if there were no errors. Every prefix and many damaged copies of real programs are parsed.
#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::test;
using namespace std::string_literals;

namespace {

const char* const programs[] = {
    R"(#import "modules/std.sx";
trace :: #import "modules/std/trace.sx";
E :: error { A, B }
P :: struct ($T: Type/Eq) { n, m: i64 = 3; K :: 1; next :: (self: *P) -> !E { raise error.A; } #using Base; }
Op :: enum flags u8 { add :: 1: i64; neg; stop }
U :: union { f: f32; struct { lo, hi: u16; }; }
S :: protocol(I: Type) #inline { put :: (self: *Self, s: string) -> i64; line :: (self: Self) { } }
impl S(i64) for P($T) { put :: (self: *P) -> i64 #get => self.n; }
private clamp :: ufcs clamp_to;
inline if OS == .linux { A :: 1; } else { B :: 2; }
#context_extend depth: i64 = 0;
zl :: #import c { #include "z.h"; };
ext :: (a: i32, ..b: []i32) -> i32 abi(.c) extern libm "pow";
)",
    R"(main :: () -> (i64, !E) {
    v := try a("é漢字😀") or b() catch (e) { return -1; };
    onfail (e) { print("{}\n", e); } defer f();
    for xs[1..=3], 0.. (*x, i) { x.* += 'a'; if i > 5 break; }
    if op == { case .add: (n) { acc += n; } case .neg: (n) => f(n); case struct: break; else: return null; }
    r := if a then b else c |> g(1, n = 2, ..t) ?? d!.e?.f;
    s := #string END
raw " text
END;
    g := (n: i64) -> Closure(..$args) -> $R => n * 6;
    lo, hi = .{ x = 1, lo, ..t } { self.x = 2; }, .[1, 0xFF, 2.5];
    while v := next() { push .{ a = T.{} } { run(x) { y }; } }
    asm volatile { "nop", clobbers(.memory) };
    return lo = 1, hi = xx r.(?*[4]u8);
}
)",
};

/// A small generator of its own, so that every run damages the same way.
struct Random {
    uint32_t state = 12345;
    uint32_t below(size_t limit) {
        state = state * 1664525u + 1013904223u;
        return static_cast<uint32_t>((state >> 8) % limit);
    }
};

/// Parses; if there were no errors the tree is complete and its dump must not crash. Every error has a place.
void survive(std::string text) {
    const Parsed parsed(std::move(text));
    if (!parsed.diags.hasErrors()) {
        CHECK_FALSE(parsed.dump().empty());
        return;
    }
    for (const Diagnostic& d : parsed.diags.all())
        if (!d.span.isValid() || d.message.empty() || d.span.end < d.span.begin) FAIL(d.message);
    if (parsed.rendered().empty()) FAIL("nothing rendered");
}

} // namespace

TEST_CASE("the sample programs are correct") {
    for (const char* program : programs) {
        const Parsed parsed(program);
        CHECK(parsed.rendered() == "");
    }
}

TEST_CASE("every prefix and every suffix") {
    for (const std::string program : programs) {
        for (size_t i = 0; i < program.size(); ++i) {
            survive(program.substr(0, i));
            survive(program.substr(i));
        }
    }
}

TEST_CASE("every byte left out, every line left out") {
    for (const std::string program : programs) {
        for (size_t i = 0; i < program.size(); ++i) survive(program.substr(0, i) + program.substr(i + 1));
        for (size_t i = program.find('\n'); i != std::string::npos; i = program.find('\n', i + 1)) {
            const size_t next = program.find('\n', i + 1);
            if (next != std::string::npos) survive(program.substr(0, i) + program.substr(next));
        }
    }
}

TEST_CASE("random damage") {
    Random random;
    const std::string bytes = "(){}[];:.,=<>!?*&|+-/\\\"'`#$@ \n\t\0\x80\xC3\xFF_a0if"s;
    for (const std::string program : programs) {
        for (int round = 0; round < 3000; ++round) {
            std::string text = program;
            for (uint32_t edits = 1 + random.below(6); edits > 0; --edits) {
                const uint32_t at = random.below(text.size());
                switch (random.below(4)) {
                case 0: text[at] = bytes[random.below(bytes.size())]; break;
                case 1: text.insert(at, 1, bytes[random.below(bytes.size())]); break;
                case 2: text.erase(at, 1 + random.below(8)); break;
                default: text.insert(at, text.substr(random.below(text.size()), random.below(40))); break;
                }
            }
            survive(std::move(text));
        }
    }
}

TEST_CASE("random tokens") {
    Random random;
    std::vector<std::string> words;
#define PUNCT(name, spelling) words.push_back(spelling);
#define KEYWORD(name, spelling) words.push_back(spelling);
#define DIRECTIVE(name, spelling) words.push_back(spelling);
#include "syntax/Tokens.def"
    for (const char* word :
         {"a", "b", "Tuple", "Closure", "0", "1.5", "'c'", "\"s\"", "\n", "\n", "flags", "#string E\nE"})
        words.push_back(word);
    for (int round = 0; round < 4000; ++round) {
        std::string text = round % 2 ? "f :: () {\n" : "";
        for (uint32_t count = random.below(60); count > 0; --count) text += words[random.below(words.size())] + " ";
        survive(text + (round % 4 == 1 ? "}\n" : ""));
    }
}

TEST_CASE("inserted text survives as well") {
    Random random;
    const std::string program(programs[1]);
    for (int round = 0; round < 1000; ++round) {
        SourceManager sources;
        AstContext context;
        const size_t begin = random.below(program.size());
        const FileId file = sources.addFile("i", "i", program.substr(begin, random.below(200)));
        CHECK(parseStatements(sources, file, context).size() < 200);
    }
}
