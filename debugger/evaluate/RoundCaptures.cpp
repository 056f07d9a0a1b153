#include "debugger/evaluate/RoundCaptures.h"

#include "lower/Place.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::debugger {

using sema::LocalKind;
using sema::Symbol;
using sema::SymbolKind;

static bool isNumber(const Symbol& s) {
    return s.kind == SymbolKind::Constant && s.localKind == LocalKind::LoopIndex && s.constantValue;
}

static bool isElement(const Symbol& s) {
    return s.kind == SymbolKind::Local && s.localKind == LocalKind::PackElement && s.slot != ir::SlotId::None;
}

bool RoundCaptures::hasAny(const ir::Function& code) {
    auto [known, isNew] = known_.try_emplace(&code);
    if (isNew)
        known->second = sema_.bodyScopes.any(code, [](const sema::BodyScope& s) {
            return llvm::any_of(s.scope->entries, [](const sema::Scope::Entry& e) {
                return isNumber(*e.symbol) || isElement(*e.symbol);
            });
        });
    return known->second;
}

std::vector<RoundCapture> RoundCaptures::at(const sema::CodePlace& at) {
    std::vector<RoundCapture> all;
    if (!hasAny(at.code)) return all;
    lower::Place place(sema_, at);
    for (const sema::Scope* s = place.scope(); s; s = s->parent) {
        for (const sema::Scope::Entry& e : s->entries) {
            if (!isNumber(*e.symbol) && !isElement(*e.symbol)) continue;
            RoundCapture found{e.name, e.symbol->nameSpan, e.symbol->type, e.symbol->slot};
            if (isNumber(*e.symbol)) found.number = static_cast<int64_t>(e.symbol->constantValue->i);
            found.scope = sema_.bodyScopes.openedFor(at.code, s);
            found.fixed = isNumber(*e.symbol) ? "this is a constant, which cannot be changed"
                                              : place.assignmentProblem(*e.symbol);
            all.push_back(std::move(found));
        }
        if (s->isFunctionBoundary) break;
    }
    return all;
}

} // namespace sx::debugger
