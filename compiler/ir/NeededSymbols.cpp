#include "ir/NeededSymbols.h"

#include "ir/AsmFunctions.h"

#include <map>
#include <set>

namespace sx::ir {

std::vector<NeededSymbol> neededSymbols(const Module& module) {
    std::set<std::string> exported;
    for (const auto& f : module.functions)
        if (f->isExport) exported.insert(f->symbol);
    std::map<std::string, Span> needed;
    auto need = [&](const std::string& symbol, Span declaration) {
        if (exported.count(symbol) || assemblyWith(module.assembly, symbol)) return;
        Span& first = needed.try_emplace(symbol, declaration).first->second;
        bool isEarlier = declaration.begin.raw < first.begin.raw && declaration.begin.isValid();
        if (isEarlier || !first.begin.isValid()) first = declaration;
    };
    for (const auto& f : module.functions)
        if (f->isExtern && !f->dead && !f->comptimeOnly) need(f->symbol, f->span);
    for (const Global& g : module.globals)
        if (g.isExtern && !g.dead) need(g.symbol, g.span);
    std::vector<NeededSymbol> all;
    for (const auto& [symbol, declaration] : needed) all.push_back({symbol, declaration});
    return all;
}

} // namespace sx::ir
