// What the tests of the verifier share: a function to damage and a look at the complaints.
#pragma once

#include "Fixture.h"

#include <catch2/catch.hpp>

struct Verifying : Ir {
    sx::ir::Function& fn = function("f", {sx::TypeId::I64, sx::TypeId::String, sx::TypeId::F64, sx::TypeId::Bool});
    sx::ir::Builder b{module, fn};
    // One value of each class, in the entry.
    sx::ir::ValueId n = b.param(0), text = b.param(1), d = b.param(2), flag = b.param(3);

    /// Some complaint has this text in it.
    void complains(const std::string& expected) {
        std::vector<std::string> found = verify(module);
        for (const std::string& line : found)
            if (line.find(expected) != std::string::npos) return;
        std::string all;
        for (const std::string& line : found) all += line + "\n";
        FAIL_CHECK("expected \"" << expected << "\", found:\n" << all);
    }
    void isValid() {
        for (const std::string& line : verify(module)) FAIL_CHECK(line);
    }
    /// The last instruction of a block, or of the current one; valid until the next is emitted.
    sx::ir::Instr& last(sx::ir::BlockId block) { return at(fn, at(fn, block).instrs.back()); }
    sx::ir::Instr& last() { return last(b.block()); }
};
