// Warnings: collected while bodies are lowered, told once the whole program is known (docs/warnings.md).
//
// A body may be lowered several times: once for each instance of a generic function, and again where only the type of
// an expression is wanted. So a warning is known by its kind and place, and an instance that shows the code to be right
// there outweighs those that do not.
#include "sema/Warnings.h"

#include "sema/Modules.h"
#include "sema/Wording.h"

#include <algorithm>

namespace sx::sema {

using namespace ast;

void warn(Sema& sema, WarningKind kind, Span at, std::string message, std::string help) {
    if (!sema.options.warnings) return;
    if (at.isValid()) {
        const SourceFile* file = fileOf(sema, sema.sources.fileOf(at.begin));
        if (!file || !sema.isProgramFile(*file)) return; // of the library, or text that code has made
        if (!sema.warnings.known.insert({kind, at.begin}).second) return;
    }
    sema.warnings.found.push_back({kind, at, std::move(message), std::move(help)});
}

void reportWarnings(Sema& sema) {
    if (!sema.options.warnings) return;
    // After an error much looks unused that is not.
    bool all = !sema.diags.hasErrors() && !sema.diags.hasUnplacedErrors() && !sema.comptime.exit;
    std::vector<Warnings::Found>& found = sema.warnings.found;
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.at.begin < b.at.begin; });
    for (Warnings::Found& w : found) {
        bool isCertain = w.kind == WarningKind::NeverFails || w.kind == WarningKind::SharedName;
        if ((!all && !isCertain) || sema.warnings.refuted.count({w.kind, w.at.begin})) continue;
        Diagnostic& d = sema.options.warningsAreErrors ? sema.diags.error(w.at, std::move(w.message))
                                                       : sema.diags.warning(w.at, std::move(w.message));
        if (!w.help.empty()) d.help(std::move(w.help));
    }
    found.clear();
}

// ------------------------------------------------------------------------------------ what the error sets tell

namespace {

/// A function whose `!` nothing asks for but itself: no protocol, and no other instance that may fail.
bool decidesItsErrors(const Sema& sema, const FunctionInstance& f) {
    const FunctionTemplate& tmpl = *f.tmpl;
    if (tmpl.isGeneric || tmpl.isImplMethod || tmpl.isProtocolDefault || !sema.isProgramFile(*tmpl.file)) return false;
    for (const Scope* s = tmpl.env; s; s = s->parent) // of a generic struct, or in a generic function
        for (const Scope::Entry& e : s->entries)
            if (!e.symbol->owner && sema.names.text(e.name) != "Self") return false;
    return f.body == FunctionInstance::Body::Done && !f.bodyFailed;
}

bool failsThroughValue(const ErrorNode& node) {
    return node.throughValue || llvm::any_of(node.from, [](const ErrorNode* from) { return from->throughValue; });
}

} // namespace

void warnOfSolvedErrors(Sema& sema) {
    for (const Warnings::Catch& c : sema.warnings.catches) {
        const FunctionInstance* callee = c.errors->owner;
        if (c.errors->isUnknown || !c.errors->tags.empty() || !callee || failsThroughValue(*c.errors) ||
            !decidesItsErrors(sema, *callee)) {
            refuteWarning(sema, WarningKind::UnreachableCatch, c.at);
            continue;
        }
        warn(sema, WarningKind::UnreachableCatch, c.at,
             "nothing can reach this `catch`: " + code(callee->name) + " never fails",
             "drop the `!` of " + code(callee->name) + ", and this `catch`");
    }
    for (const Warnings::ErrorMatch& m : sema.warnings.errorMatches) {
        std::vector<std::string> missing;
        for (uint32_t tag : m.errors->tags)
            if (!llvm::is_contained(m.arms, tag)) missing.push_back(code("." + sema.text(sema.types.tags()[tag - 1])));
        if (!missing.empty()) warnOfMissingArms(sema, m.at, missing);
    }
}

void warnOfMissingArms(Sema& sema, Span subject, llvm::ArrayRef<std::string> missing) {
    std::string list;
    constexpr size_t Most = 6;
    for (size_t i = 0; i < missing.size() && i < Most; ++i)
        list += (i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ") + missing[i];
    if (missing.size() > Most) list += " and " + std::to_string(missing.size() - Most) + " more";
    warn(sema, WarningKind::MissingArm, subject,
         "this match yields a value, but " + list + (missing.size() == 1 ? " has" : " have") +
             " no arm: the program fails there when it runs",
         "add the missing " + std::string(missing.size() == 1 ? "arm" : "arms") + ", or `else:`");
}

void refuteWarning(Sema& sema, WarningKind kind, Span at) { sema.warnings.refuted.insert({kind, at.begin}); }

void noteCatch(Sema& sema, const ErrorNode* errors, Span keyword) {
    sema.warnings.catches.push_back({errors, keyword});
}

void noteErrorMatch(Sema& sema, const ErrorNode* errors, std::vector<uint64_t> arms, Span subject) {
    sema.warnings.errorMatches.push_back({errors, std::move(arms), subject});
}

} // namespace sx::sema
