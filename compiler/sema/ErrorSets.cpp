// Inferred error sets: the least solution over the graph of who can end with whose errors (errors.md 5).
//
// Each node has own tags and edges to the nodes whose tags it takes over. Tags are propagated along reversed
// edges until nothing changes; every (node, tag) pair is added once, so the work is linear in edges times tags.
#include "sema/Sema.h"
#include "syntax/Walk.h"

#include <algorithm>

namespace sx::sema {

using namespace ast;

ErrorNode* Sema::newErrorNode() {
    ErrorNode* node = make<ErrorNode>();
    errorNodes.push_back(node);
    return node;
}

ErrorNode* Sema::shapeNode(TypeId type) {
    const FunctionInfo& info = types.functionInfo(type);
    TypeId key = types.closure(info.params, info.result); // functions and closures of a shape share one set
    ErrorNode*& node = shapes[key];
    if (!node) {
        node = newErrorNode();
        node->throughValue = true;
    }
    return node;
}

bool Sema::setContains(TypeId set, Name tag) const {
    if (set == TypeId::InferredErrors) return true;
    for (Name n : types.errorSetInfo(set).tags)
        if (n == tag) return true;
    return false;
}

void Sema::reportMissingTags(llvm::ArrayRef<Name> missing, TypeId set, Span at, const std::string& function) {
    if (missing.empty()) return;
    std::string tags;
    for (size_t i = 0; i < missing.size(); ++i)
        tags += (i == 0                    ? ""
                 : i + 1 == missing.size() ? " and "
                                           : ", ") +
                std::string("`error.") + text(missing[i]) + "`";
    bool isOne = missing.size() == 1;
    Diagnostic& d = diags.error(at, "this can fail with " + tags + ", which " + (isOne ? "is" : "are") +
                                        " not in the error set `" + types.writtenName(set) + "` of " + function);
    if (NominalInfo* info = nominal(set); info && info->decl && info->decl->name)
        d.note(info->decl->name.span, "`" + types.writtenName(set) + "` is declared here");
    d.help(std::string("add the ") + (isOne ? "tag" : "tags") + " to `" + types.writtenName(set) +
           "`, or handle the error here with `catch`");
}

/// Whether an error may leave a function that nothing has lowered, as far as its text tells: no for those that hold
/// nothing an error could leave by.
static bool mayFail(const FunctionDecl& f) {
    const auto* block = llvm::dyn_cast_or_null<BlockExpr>(f.body);
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
    Walker{onExpr, onStmt}.walk(f.body);
    return found;
}

/// Where a result type says that the function may fail.
static Span channelSpan(const Expr* result) {
    const auto* list = llvm::dyn_cast<ResultList>(withoutParens(result));
    return list && !list->elems.empty() ? list->elems.back().type->span : result->span;
}

void Sema::solveErrorSets() {
    llvm::DenseMap<ErrorNode*, std::vector<ErrorNode*>> users;
    std::vector<std::pair<ErrorNode*, uint32_t>> work;
    for (ErrorNode* node : errorNodes) {
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
    for (const PendingSetCheck& check : pendingSetChecks) {
        llvm::SmallVector<Name, 8> missing;
        for (uint32_t id : check.from->tags)
            if (Name tag = types.tags()[id - 1]; !setContains(check.set, tag)) missing.push_back(tag);
        reportMissingTags(missing, check.set, check.at, check.function);
    }
    for (const NeverFails& candidate : neverFailsCandidates) {
        const FunctionInstance& i = *candidate.instance;
        if (i.bodyFailed || (i.errors ? !i.errors->tags.empty() : i.errorLeaves)) continue;
        if (i.body == FunctionInstance::Body::NotLowered && mayFail(*i.tmpl->decl)) continue;
        bool throughValue = false;
        if (i.errors)
            for (const ErrorNode* from : i.errors->from) throughValue |= from->throughValue;
        if (!throughValue)
            warn(WarningKind::NeverFails, channelSpan(i.tmpl->decl->result),
                 "`" + i.name + "` never fails, so the `!` can go");
    }
    warnOfSolvedErrors();
}

} // namespace sx::sema
