#include "Program.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::codegen::test;

TEST_CASE("a program that prints runs in process and as an executable") {
    Program p;
    TypeId cstr = TypeId::CString;
    ir::FuncId printf_ = p.external("printf", {cstr}, TypeId::I32, true);
    ir::GlobalId format = p.text("%d %s %.2f %lld\n"), word = p.text("word");
    p.main([&](ir::Builder& b) {
        emitCall(b, printf_,
                 {globalAddr(b, format, cstr), constInt(b, TypeId::I32, 42), globalAddr(b, word, cstr),
                  constFloat(b, TypeId::F64, 1.5), constInt(b, TypeId::I64, uint64_t(-7))});
        emitRet(b, constInt(b, TypeId::I32, 3));
    });
    Outcome outcome = p.run();
    CHECK(outcome.out == "42 word 1.50 -7\n");
    CHECK(outcome.err == "");
    CHECK(outcome.exitCode == 3);
}
