// What runs while compiling, and what it has done.
#pragma once

#include "ir/Comptime.h"
#include "sema/model/BuildNotes.h"
#include "sema/model/Symbols.h"

#include "llvm/ADT/DenseSet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sx::sema {

struct Comptime {
    enum class BuiltState : uint8_t { Announced, Declared, Defined };
    struct HeldOutput {
        Symbol* constant;
        bool ofStatement;
        std::string text;
    };

    /// A `#run` statement stands in the program: the driver prints `--- build done ---`.
    bool hasRunStatements = false;
    BuildNotes buildNotes;
    ir::FuncId buildStep = ir::FuncId::None, buildRunner = ir::FuncId::None; ///< see ir::CompilerServices
    std::optional<int> exit; ///< set when compile-time code called process.exit

    std::unique_ptr<ir::CompilerServices> services; ///< for the evaluator
    llvm::DenseMap<TypeId, BuiltState> builtTypes;  ///< all that code has built (generics.md 10)
    llvm::DenseSet<TypeId> announced;               ///< bound by announceTypes
    std::vector<TypeId>* construction = nullptr;    ///< what the running evaluation has declared
    std::vector<Span> typeCalls;                    ///< of type functions being evaluated, one inside another
    std::vector<HeldOutput> heldOutput;
    std::string* runningOutput = nullptr; ///< of the evaluation that is running
    Symbol* runningConstant = nullptr;
    bool runsStatements = false;
};

} // namespace sx::sema
