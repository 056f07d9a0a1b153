// A module built by hand, and short ways to evaluate its functions.
#pragma once

#include "ir/Builder.h"
#include "vm/Evaluator.h"

#include "source/Source.h"

#include <cstring>

struct Vm {
    sx::NameTable names;
    sx::TypeTable types{names};
    sx::SourceManager sources;
    sx::ir::Module module{types, sources};
    sx::vm::Evaluator evaluator;
    sx::FileId file;

    explicit Vm(sx::vm::Limits limits = {}) : evaluator(limits) {
        file = sources.addFile("folder/test.sx", "test.sx", "first line\nsecond := line;\n\tthird\n");
    }

    sx::Name name(std::string_view text) { return names.intern(text); }
    sx::TypeId pointer(sx::TypeId to = sx::TypeId::I64) { return types.pointerTo(to); }
    /// Bytes [begin, end) of the file.
    sx::Span span(uint32_t begin, uint32_t end = 0) {
        return {sources.start(file) + begin, sources.start(file) + (end ? end : begin + 1)};
    }

    sx::TypeId structOf(std::vector<sx::StructField> fields, std::string called = "S") {
        sx::TypeId t = types.newStruct(std::move(called));
        types.completeStruct(t, std::move(fields));
        return t;
    }
    sx::ir::FuncId declare(std::string called, std::vector<sx::TypeId> params = {},
                           sx::TypeId result = sx::TypeId::Void) {
        auto fn = std::make_unique<sx::ir::Function>();
        fn->name = fn->symbol = std::move(called);
        fn->params = std::move(params);
        fn->result = result;
        fn->span = span(0, 5);
        module.functions.push_back(std::move(fn));
        return static_cast<sx::ir::FuncId>(module.functions.size() - 1);
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
