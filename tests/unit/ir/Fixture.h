// A module with short ways to make functions and types.
#pragma once

#include "ir/Builder.h"
#include "ir/Passes.h"

#include "source/Source.h"
#include "types/Derived.h"

struct Ir {
    sx::NameTable names;
    sx::TypeTable types{names};
    sx::SourceManager sources;
    sx::ir::Module module{types, sources};

    sx::Name name(std::string_view text) { return names.intern(text); }
    sx::TypeId pointer(sx::TypeId to = sx::TypeId::I64) { return pointerTo(types, to); }
    sx::TypeId plainEnum(sx::TypeId backing = sx::TypeId::None) {
        sx::TypeId t = types.newEnum("Dir");
        sx::EnumInfo info;
        info.backing = backing;
        info.variants.push_back({name("north"), 0, {}});
        types.completeEnum(t, std::move(info));
        return t;
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
        module.functions.push_back(std::move(fn));
        return static_cast<sx::ir::FuncId>(module.functions.size() - 1);
    }
    /// A function and where it is built.
    sx::ir::Function& function(std::string called, std::vector<sx::TypeId> params = {},
                               sx::TypeId result = sx::TypeId::Void) {
        return module.fn(declare(std::move(called), std::move(params), result));
    }
    sx::ir::GlobalId global(std::string symbol, uint64_t size = 8) {
        sx::ir::Global g;
        g.symbol = std::move(symbol);
        g.size = size;
        module.globals.push_back(std::move(g));
        return static_cast<sx::ir::GlobalId>(module.globals.size() - 1);
    }
};

/// The instruction that defines `v`, to look at or to damage.
inline sx::ir::Instr& at(sx::ir::Function& fn, sx::ir::ValueId v) { return fn.instrs[static_cast<uint32_t>(v)]; }
inline sx::ir::Block& at(sx::ir::Function& fn, sx::ir::BlockId b) { return fn.blocks[static_cast<uint32_t>(b)]; }
