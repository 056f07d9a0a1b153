// Inferred error sets: the least solution over the graph of who can end with whose errors (errors.md 5).
//
// Each node has own tags and edges to the nodes whose tags it takes over. Tags are propagated along reversed
// edges until nothing changes; every (node, tag) pair is added once, so the work is linear in edges times tags.
#include "sema/ErrorSets.h"

#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/Sema.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Derived.h"
#include "types/Failable.h"

#include <algorithm>
#include <utility>

namespace sx::sema {

using namespace ast;

ErrorNode* newErrorNode(Sema& sema) {
    ErrorNode* node = sema.make<ErrorNode>();
    sema.errorSets.nodes.push_back(node);
    return node;
}

ErrorNode* shapeNode(Sema& sema, TypeId type) {
    const FunctionInfo& info = sema.types.functionInfo(type);
    TypeId key = closureTypeOf(sema.types, info.params, info.result); // functions and closures of a shape share one set
    ErrorNode*& node = sema.errorSets.shapes[key];
    if (!node) {
        node = newErrorNode(sema);
        node->throughValue = true;
    }
    return node;
}

bool setContains(const Sema& sema, TypeId set, Name tag) {
    if (set == TypeId::InferredErrors) return true;
    for (Name n : sema.types.errorSetInfo(set).tags)
        if (n == tag) return true;
    return false;
}

void reportMissingTags(Sema& sema, llvm::ArrayRef<Name> missing, TypeId set, Span at, const std::string& function) {
    if (missing.empty()) return;
    std::string tags;
    for (size_t i = 0; i < missing.size(); ++i)
        tags += (i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ") + code("error." + sema.text(missing[i]));
    bool isOne = missing.size() == 1;
    Diagnostic& d = sema.diags.error(at, "this can fail with " + tags + ", which " + (isOne ? "is" : "are") +
                                             " not in the error set " + code(sema.types, set) + " of " + function);
    if (NominalInfo* info = nominal(sema, set); info && info->decl && info->decl->name)
        d.note(info->decl->name.span, code(sema.types, set) + " is declared here");
    d.help(std::string("add the ") + (isOne ? "tag" : "tags") + " to " + code(sema.types, set) +
           ", or handle the error here with `catch`");
}

static bool hasTry(const FunctionDecl& f) {
    bool found = false;
    auto onExpr = [&](const Expr* e) {
        if (const auto* u = llvm::dyn_cast<Unary>(e)) found |= u->op == UnaryOp::Try;
        return !found;
    };
    Walker{onExpr, [](const Stmt*) { return true; }}.walk(f.body());
    return found;
}

/// Whether an error may leave a function that nothing has lowered, as far as its text tells: no for those that hold
/// nothing an error could leave by.
static bool mayFail(const FunctionDecl& f) {
    const auto* block = llvm::dyn_cast_or_null<BlockExpr>(f.body());
    if (!block) return true;
    if (!block->stmts.empty()) { // a last expression may be a failable that is forwarded
        const auto* last = llvm::dyn_cast<ExprStmt>(block->stmts.back());
        if (last && !last->semicolon && !llvm::isa<While>(last->expr) && !llvm::isa<For>(last->expr)) return true;
    }
    bool found = false;
    auto onExpr = [&](const Expr* e) {
        if (const auto* u = llvm::dyn_cast<Unary>(e)) found |= u->op == UnaryOp::Try;
        if (const auto* b = llvm::dyn_cast<Binary>(e)) found |= b->op == BinaryOp::Or;
        if (const auto* r = llvm::dyn_cast<ReturnExpr>(e)) found |= !r->elems.empty();
        return !found;
    };
    auto onStmt = [&](const Stmt* s) {
        found |= llvm::isa<RaiseStmt>(s) || llvm::isa<InsertStmt>(s);
        if (const auto* r = llvm::dyn_cast<ReturnStmt>(s)) found |= !r->elems.empty();
        return !found;
    };
    Walker{onExpr, onStmt}.walk(f.body());
    return found;
}

/// Where a result type says that the function may fail.
static Span channelSpan(const Expr* result) {
    const auto* list = llvm::dyn_cast<ResultList>(withoutParens(result));
    return list && !list->elems.empty() ? list->elems.back().type->span : result->span;
}

/// What calls something of which it is not known how it fails is such a function, too.
static void spreadUnknown(Sema& sema, const llvm::DenseMap<ErrorNode*, std::vector<ErrorNode*>>& users) {
    std::vector<ErrorNode*> work;
    for (ErrorNode* node : sema.errorSets.nodes)
        if (node->isUnknown) work.push_back(node);
    while (!work.empty()) {
        auto it = users.find(work.back());
        work.pop_back();
        if (it == users.end()) continue;
        for (ErrorNode* user : it->second)
            if (!std::exchange(user->isUnknown, true)) work.push_back(user);
    }
}

void solveErrorSets(Sema& sema) {
    llvm::DenseMap<ErrorNode*, std::vector<ErrorNode*>> users;
    std::vector<std::pair<ErrorNode*, uint32_t>> work;
    for (ErrorNode* node : sema.errorSets.nodes) {
        for (ErrorNode* from : node->from) users[from].push_back(node);
        std::sort(node->tags.begin(), node->tags.end());
        node->tags.erase(std::unique(node->tags.begin(), node->tags.end()), node->tags.end());
        for (uint32_t tag : node->tags) work.push_back({node, tag});
    }
    while (!work.empty()) {
        auto [node, tag] = work.back();
        work.pop_back();
        auto it = users.find(node);
        if (it == users.end()) continue;
        for (ErrorNode* user : it->second) {
            auto at = std::lower_bound(user->tags.begin(), user->tags.end(), tag);
            if (at != user->tags.end() && *at == tag) continue;
            user->tags.insert(at, tag);
            work.push_back({user, tag});
        }
    }
    if (sema.diags.hasErrors()) spreadUnknown(sema, users);
    for (const PendingSetCheck& check : sema.errorSets.checks) {
        llvm::SmallVector<Name, 8> missing;
        for (uint32_t id : check.from->tags)
            if (Name tag = sema.types.tags()[id - 1]; !setContains(sema, check.set, tag)) missing.push_back(tag);
        reportMissingTags(sema, missing, check.set, check.at, check.function);
    }
    for (const FunctionInstance* candidate : sema.errorSets.neverFails) {
        const FunctionInstance& i = *candidate;
        if (i.bodyFailed || (i.errors ? i.errors->isUnknown : i.usesRejected) ||
            (i.errors ? !i.errors->tags.empty() : i.errorLeaves))
            continue;
        if (i.body == FunctionInstance::Body::NotLowered && mayFail(*i.tmpl->decl)) continue;
        bool throughValue = false;
        if (i.errors)
            for (const ErrorNode* from : i.errors->from) throughValue |= from->throughValue;
        if (!throughValue)
            warn(sema, WarningKind::NeverFails, channelSpan(i.tmpl->decl->result),
                 code(i.name) + " never fails, so the `!` can go",
                 hasTry(*i.tmpl->decl) ? "a `try` in it goes with it" : "");
    }
    warnOfSolvedErrors(sema);
}

void requireTags(Sema& sema, ErrorNode* from, TypeId set, Span at, std::string function) {
    sema.errorSets.checks.push_back({from, set, at, std::move(function)});
}

void noteMatchedTag(Sema& sema, Name tag, Span at) { sema.errorSets.matched.push_back({tag, at}); }

// ------------------------------------------------------------------------------------ protocols

ErrorNode& protocolErrors(Sema& sema, TypeId protocol, uint32_t method) {
    ErrorNode*& node = sema.errorSets.ofProtocols[{protocol, method}];
    if (!node) {
        node = newErrorNode(sema);
        node->throughValue = true;
    }
    return *node;
}

static void includeImpl(Sema& sema, TypeId protocol, uint32_t method, TypeId concrete, bool isReached) {
    ErrorNode& node = protocolErrors(sema, protocol, method);
    std::string why;
    FunctionInstance* impl = implMethod(sema, protocol, method, concrete, {}, why);
    if (impl && isReached) funcFor(sema, *impl);
    if (!impl || !impl->errors || std::find(node.from.begin(), node.from.end(), impl->errors) != node.from.end())
        return;
    node.from.push_back(impl->errors);
}

void noteImpls(Sema& sema, TypeId protocol, uint32_t method, bool isReached) {
    for (size_t i = 0; i < sema.impls.all.size(); ++i)
        if (sema.impls.all[i]->protocol == protocol && sema.impls.all[i]->target != TypeId::None)
            includeImpl(sema, protocol, method, sema.impls.all[i]->target, isReached);
}

void noteErasure(Sema& sema, TypeId protocol, TypeId concrete) {
    const auto& methods = sema.types.protocolInfo(protocol).methods;
    for (uint32_t i = 0; i < methods.size(); ++i) {
        TypeId result = methods[i].result;
        if (methods[i].dispatchable && isFailable(sema.types, result) &&
            errorSetOf(sema.types, result) == TypeId::InferredErrors)
            includeImpl(sema, protocol, i, concrete, false);
    }
}

} // namespace sx::sema
