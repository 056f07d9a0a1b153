// Programs from their text: what the interpreter is asked for, and what that costs.
#include "../CheckedProgram.h"
#include "vm/Program.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <unistd.h>

using namespace sx;
using test::CheckedProgram;
using test::ProgramText;

TEST_CASE("a program that evaluates nothing makes no interpreter") {
    ProgramText plain(
        "Point :: struct { x, y: i64 = 2; }\n"
        "N :: 4 * 3;\n"
        "NAME :: \"name\";\n"
        "total := N;\n"
        "main :: () { p := Point.{ x = N }; list := List(i64).{}; list.append(p.x + total); print(\"{}\", NAME); }\n");
    CheckedProgram c(plain.path);
    CHECK(c.ok);
    CHECK(!c.evaluator.hasStarted());
    // Literals of constants neither: their parts may be converted, wrapped, copied, and refer to each other.
    ProgramText literals(
        "P :: struct { x: i32; y: f64 = 2.5; s: string = \"d\"; }\n"
        "E :: enum { a: i64; b: P; c; }\n"
        "ORIGIN :: P.{ x = 1 };\n"
        "LIST :: .[1, 2, 3];\n"
        "NAMES : [2]string : .[\"a\", \"b\"];\n"
        "MORE :: P.{ x = ORIGIN.x, y = 3.0, s = NAMES[1] };\n"
        "maybe : ?P = .{ x = 9 };\n"
        "odd : [2]i5 = .[-3, 7];\n"
        "variant : E = .b(.{ x = 3 });\n"
        "grid : [2][2]i64 = .[.[1, 2], .[3, 4]];\n"
        "slice : []i64 = .[5, 6];\n"
        "pair : Tuple(i64, string) = .{1, \"q\"};\n"
        "function : () -> i64 = three;\n"
        "kinds : [2]Type = .[i64, P];\n"
        "pointer : *i64 = *total;\n"
        "total : i64 = 4;\n"
        "three :: () -> i64 { 3 }\n"
        "main :: () { total = LIST[1] + grid[1][0] + slice[1] + function() + pointer.*; out(MORE.s); }\n");
    CheckedProgram known(literals.path);
    CHECK(known.ok);
    CHECK(!known.evaluator.hasStarted());
    for (const char* text : {"N :: #run f();\nf :: () -> i64 { 3 }\nmain :: () { x := N; }\n",
                             "main :: () { #insert \"x := 1;\"; y := #run f(); }\nf :: () -> i64 { 3 }\n",
                             "N :: build_format(\"x\");\nmain :: () { out(#run build_format(N)); }\n"}) {
        ProgramText evaluates(text);
        CheckedProgram started(evaluates.path);
        CHECK(started.ok);
        CHECK(started.evaluator.hasStarted());
    }
}

// Not a test: `vm_tests "[translation]"` prints what bench/vm/run shows.
TEST_CASE("translation cost", "[.translation]") {
    double nanoseconds = 0;
    size_t instructions = 0;
    for (const char* name : {"calculator", "check_config", "word_count"}) {
        CheckedProgram c(std::string(SX_SOURCE_DIR "/examples/") + name + ".sx");
        REQUIRE(c.ok);
        double best = 0;
        for (int round = 0; round < 7; ++round) {
            vm::Program program(c.module, {});
            std::clock_t start = std::clock();
            for (uint32_t f = 0; f < c.module.functions.size(); ++f) {
                const ir::Function& fn = *c.module.functions[f];
                if (fn.isExtern || fn.dead || fn.blocks.empty()) continue;
                REQUIRE(program.prepare(program.callees.at(ir::FuncId{f})));
                if (round == 0) instructions += fn.instrs.size();
            }
            double time = static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC);
            if (round == 0 || time < best) best = time;
        }
        nanoseconds += best;
    }
    std::printf("translation: %.0f ns of processor time for an IR instruction (%zu instructions)\n",
                nanoseconds / static_cast<double>(instructions), instructions);
}
