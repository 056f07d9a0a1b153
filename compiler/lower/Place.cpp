#include "lower/Place.h"

#include "lower/values/Places.h"
#include "sema/Lookup.h"
#include "sema/Modules.h"

namespace sx::lower {

using namespace ast;

namespace {

/// The entries of the scopes around `at` that code there sees are those with a smaller number.
uint32_t limitAt(const Scope* scope, SourcePos at) {
    uint32_t limit = UINT32_MAX;
    for (; scope; scope = scope->parent) {
        for (const Scope::Entry& e : scope->entries)
            if (e.symbol->visibleFrom.isValid() && e.symbol->visibleFrom > at) limit = std::min(limit, e.number);
        if (scope->isFunctionBoundary && !scope->isLambda) break;
    }
    return limit;
}

} // namespace

Place::Place(Sema& sema, SourcePos at, const BodyScope* scope)
    : sema_(sema), at_(at), scope_(scope),
      file_(scope && scope->scope->file ? scope->scope->file : fileOf(sema, sema.sources.fileOf(at))) {}

Place::Place(Sema& sema, SourcePos at, const FunctionInstance* instance)
    : Place(sema, at, sema.bodyScopes.at(at, instance)) {}

Place::Place(Sema& sema, const CodePlace& place) : Place(sema, place.at, sema.bodyScopes.in(place)) {}

uint32_t Place::limit() const { return limitAt(scope(), at_); }

bool Place::sees(Name name) const {
    LookupResult found = lookup(sema_, name, scope(), limit(), file_);
    return found.symbol || found.ambiguous;
}

bool Place::isAround(Name name, Span declared) const {
    bool isOutside = false;
    for (const Scope* s = scope(); s; s = s->parent) {
        for (const Scope::Entry& e : s->entries)
            if (e.name == name && e.symbol->nameSpan == declared) return isOutside;
        isOutside |= s->isFunctionBoundary;
    }
    return false;
}

std::string Place::assignmentProblem(const Symbol& local) const { return lower::assignmentProblem(sema_, local); }

std::unique_ptr<Body> Place::body(ir::Function& fn, Span e) const {
    std::unique_ptr<Body> f = scratch(sema_, fn, *file_, scope_ ? scope_->scope : nullptr);
    f->asks = true;
    f->isComptimeScratch = false;
    f->modes.operation = e;
    if (scope_) {
        f->scope->outerLimit = limit(); // what the expression itself declares is seen
        f->narrowing.present.insert(scope_->narrowed.begin(), scope_->narrowed.end());
    }
    return f;
}

const AskedText& parsed(Sema& sema, std::string_view text) {
    auto [known, isNew] = sema.questions.try_emplace(text);
    if (isNew) {
        DiagnosticScope apart(sema.diags);
        FileId file = sema.sources.addFile("(expression)", "(expression)", std::string(text));
        known->second.tree = parseExpression(sema.sources, file, sema.ast, sema.diags);
        known->second.errors = sema.diags.all();
        if (sema.diags.hasErrors()) known->second.tree = nullptr; // the parser goes on after errors in blocks
    }
    return known->second;
}

} // namespace sx::lower
