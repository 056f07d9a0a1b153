// Functions: templates, their instances, and which have been lowered.
#pragma once

#include "sema/model/Symbols.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <utility>
#include <vector>

namespace sx::sema {

struct Instances {
    std::map<const ast::Decl*, FunctionTemplate*> templates; ///< non-generic environments only
    std::vector<FunctionInstance*> worklist;
    std::vector<FunctionInstance*> byFunc;       ///< by FuncId; null for functions that the compiler made
    unsigned depth = 0;                          ///< bodies being lowered, one inside another
    llvm::StringMap<FunctionTemplate*> exported; ///< by C symbol
    llvm::StringMap<ir::FuncId> externs;         ///< by C symbol
    llvm::StringMap<ir::FuncId> runtime;         ///< C functions that compiled code calls by itself
    std::map<std::pair<uint32_t, TypeId>, ir::FuncId> adapters; ///< by what they adapt and the closure type
    llvm::StringMap<uint32_t> symbolUse;                        ///< how often a symbol's name was asked for
};

} // namespace sx::sema
