// A module built by hand, and short ways to evaluate its functions.
#pragma once

#include "../ir/Fixture.h"

#include "ir/BuildConstants.h"
#include "vm/Evaluator.h"

#include <cstring>

struct Vm : Ir {
    sx::vm::Evaluator evaluator;
    sx::FileId file;

    explicit Vm(sx::vm::Limits limits = {}) : evaluator(std::move(limits)) {
        file = sources.addFile("folder/test.sx", "test.sx", "first line\nsecond := line;\n\tthird\n");
    }

    /// Bytes [begin, end) of the file.
    sx::Span span(uint32_t begin, uint32_t end = 0) {
        return {sources.start(file) + begin, sources.start(file) + (end ? end : begin + 1)};
    }

    sx::ir::FuncId declare(std::string called, std::vector<sx::TypeId> params = {},
                           sx::TypeId result = sx::TypeId::Void) {
        sx::ir::FuncId f = Ir::declare(std::move(called), std::move(params), result);
        module.fn(f).span = span(0, 5);
        return f;
    }
    sx::ir::FuncId external(std::string symbol, std::vector<sx::TypeId> params, sx::TypeId result,
                            bool variadic = false) {
        sx::ir::FuncId f = declare(std::move(symbol), std::move(params), result);
        module.fn(f).isExtern = true;
        module.fn(f).cVariadic = variadic;
        module.fn(f).conv = sx::CallConv::C;
        return f;
    }
    sx::ir::Builder build(sx::ir::FuncId f) { return sx::ir::Builder(module, module.fn(f)); }

    sx::ir::GlobalId constant(std::string called, const void* data, size_t size, bool isConst = true) {
        sx::ir::Global g;
        g.name = g.symbol = std::move(called);
        g.size = size;
        g.align = 8;
        g.isConst = isConst;
        g.init.bytes.resize(size);
        if (data) std::memcpy(g.init.bytes.data(), data, size);
        module.globals.push_back(std::move(g));
        return static_cast<sx::ir::GlobalId>(module.globals.size() - 1);
    }

    sx::ir::ComptimeResult run(sx::ir::FuncId f) {
        return evaluator.evaluate(module, f, [](sx::ir::FuncId) { return true; });
    }
    /// The scalar result; fails the program loudly if there is none.
    template <typename T> T value(sx::ir::FuncId f) {
        sx::ir::ComptimeResult r = run(f);
        T v{};
        if (!r.ok || r.value.bytes.size() != sizeof v) {
            failure = r.error;
            return v;
        }
        std::memcpy(&v, r.value.bytes.data(), sizeof v);
        return v;
    }
    std::string failure; ///< of the last `value`
};

/// A constant of type i64.
inline sx::ir::ValueId i64(sx::ir::Builder& b, int64_t v) {
    return sx::ir::constInt(b, sx::TypeId::I64, static_cast<uint64_t>(v));
}
