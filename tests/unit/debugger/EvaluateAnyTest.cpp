// Whatever is evaluated, in whatever memory: it ends, changes nothing, and says something.
#include "Image.h"
#include "debugger/evaluate/Evaluator.h"
#include "ir/Passes.h"
#include "syntax/Lexer.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <random>

using namespace sx;
using debugger::Datum;
using test::CheckedProgram;

namespace {

/// A frame whose variables hold words that may be anything.
struct AnyFrame : debugger::FrameView {
    test::BlockMemory& memory;
    uint64_t block;
    const ir::Function* function = nullptr;
    SourcePos at;
    std::mt19937_64 random{1};

    AnyFrame(test::BlockMemory& memory, uint64_t block) : memory(memory), block(block) {}
    sema::CodePlace place() const override { return {at, *function}; }
    Datum variable(const lower::UsedVariable& used) override { return Datum::at(used.type, block + random() % 64 * 8); }

    void fill(uint64_t begin) {
        for (uint64_t k = 0; k < 256; ++k) {
            uint64_t word = 0;
            switch (random() % 4) {
            case 0: word = random(); break;
            case 1: word = random() % 4; break;
            default: word = begin + random() % (block - begin + 2048) / 8 * 8; break;
            }
            memory.write(block + 8 * k, {reinterpret_cast<const uint8_t*>(&word), sizeof word});
        }
    }
};

/// Evaluates every name of the entry file where it stands, and expressions around it.
size_t evaluateAll(CheckedProgram& p) {
    test::BlockMemory memory;
    test::Image image(p.module, memory);
    debugger::Evaluator evaluator(p.sema, memory, image);
    debugger::Values values(p.types, evaluator.memory(), evaluator.addresses());
    AnyFrame frame(memory, image.room(4096));
    debugger::EvaluateOptions options;
    options.limits.time = std::chrono::milliseconds(5);
    options.limits.frames = 100;
    size_t evaluated = 0;
    FileId file = p.sema.program.entry->id;
    size_t functions = p.module.functions.size();
    for (const Token& token : lexFile(p.sources, file, p.ast.names)) {
        if (token.kind != TokenKind::Ident) continue;
        for (size_t f = 0; f < functions; ++f) {
            if (!p.sema.bodyScopes.in({token.begin, *p.module.functions[f]})) continue;
            frame.function = p.module.functions[f].get();
            frame.at = token.begin;
            frame.fill(test::BlockMemory::Base);
            std::string name(p.sources.textOf(token.span()));
            for (const std::string& text :
                 {name, name + "()", name + "[1]", name + ".len", "(x: i64) => { y := " + name + "; return y; }",
                  name + " == " + name, "format(\"{}\", " + name + ")"}) {
                debugger::Evaluation e = evaluator.evaluate(text, frame, options);
                CHECK((!e.error.empty() || !values.row(e.value).text.empty()));
                ++evaluated;
            }
        }
        evaluator.resumed();
    }
    return evaluated;
}

} // namespace

TEST_CASE("any name of any program can be evaluated in any memory") {
    size_t evaluated = 0;
    for (const char* area : {"closures"})
        for (const auto& entry :
             std::filesystem::directory_iterator(SX_SOURCE_DIR "/tests/corpus/" + std::string(area))) {
            if (entry.path().extension() != ".sx") continue;
            CheckedProgram p(entry.path());
            if (!p.ok) continue;
            std::string before = ir::print(p.module);
            INFO(entry.path());
            withLargeStack([&] { evaluated += evaluateAll(p); });
            CHECK(ir::print(p.module) == before);
        }
    CHECK(evaluated > 5'000);
}
