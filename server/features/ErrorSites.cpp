#include "server/features/ErrorSites.h"

#include "lower/Question.h"
#include "server/features/Describe.h"
#include "server/features/Targets.h"
#include "syntax/Walk.h"
#include "types/Failable.h"

#include <algorithm>

namespace sx::server {

using namespace ast;

namespace {

/// Finds the sites in a body. Remembers what stands around an expression before the walk reaches it.
class SiteWalk {
public:
    SiteWalk(View& view, const CallInstances& instances, ErrorSites& out, std::vector<const Lambda*>& lambdas,
             std::set<SourcePos>& values)
        : view_(view), instances_(instances), out_(out), lambdas_(lambdas), values_(values) {}

    /// `handling`: of the value of the body.
    void run(const Expr* body, CallHandling handling) {
        put(body, {handling, {}, {}});
        auto onExpr = [this](const Expr* e) { return expression(e); };
        auto onStmt = [this](const Stmt* s) { return statement(s); };
        Walker{onExpr, onStmt, false}.walk(body);
    }

private:
    struct Around {
        CallHandling handling = CallHandling::Destructure; ///< as an operand, a condition, an argument: used as a value
        Span keyword{};
        SourcePos variable{};
        bool isOperand = false; ///< of an `or`, directly
        Span word{};            ///< a `try` that changes nothing
    };

    void put(const Expr* e, Around around) {
        if (e) around_[e] = around;
    }
    Around around(const Expr* e) const {
        auto found = around_.find(e);
        return found == around_.end() ? Around{} : found->second;
    }
    SourcePos declared(const Ident& id) const { return id ? id.span.begin : SourcePos{}; }
    SourcePos targetOf(const Expr* e) {
        const auto* n = llvm::dyn_cast_or_null<NameRef>(withoutParens(e));
        const Named* named = n ? view_.nameAt(n->id.span.begin) : nullptr;
        return named ? named->target : SourcePos{};
    }

    bool expression(const Expr* e) {
        Around here = around(e);
        if (const auto* p = llvm::dyn_cast<Paren>(e)) {
            here.isOperand = false;
            put(p->inner, here);
        } else if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Try) {
            // As an operand of `or` the word changes nothing, but at the end of a chain that nothing catches.
            bool passes =
                !here.isOperand || (here.handling != CallHandling::Or && here.handling != CallHandling::Catch);
            Span word{u->span.begin, u->span.begin + 3};
            here.word = word;
            put(u->operand, passes ? Around{CallHandling::Try, word} : here);
        } else if (const auto* c = llvm::dyn_cast<Catch>(e)) {
            put(c->operand, {CallHandling::Catch, c->keyword, declared(c->binding)});
            put(c->body, here);
        } else if (const auto* b = llvm::dyn_cast<Binary>(e); b && b->op == BinaryOp::Or) {
            put(b->lhs, {CallHandling::Or, b->opSpan, {}, true});
            here.isOperand = true;
            put(b->rhs, here);
        } else if (const auto* call = llvm::dyn_cast<Call>(e)) {
            site(*call, here);
        } else if (const auto* cast = llvm::dyn_cast<Cast>(e)) {
            assertion(*cast, here);
        } else if (const auto* l = llvm::dyn_cast<Lambda>(e)) {
            lambdas_.push_back(l);
            return false;
        } else {
            value(e, here);
        }
        return true;
    }

    void value(const Expr* e, Around here) {
        if (const auto* i = llvm::dyn_cast<If>(e)) {
            put(i->then, here);
            put(i->otherwise, here);
        } else if (const auto* m = llvm::dyn_cast<Match>(e)) {
            for (const MatchArm& arm : m->arms) last(arm.body, here);
        } else if (const auto* b = llvm::dyn_cast<BlockExpr>(e)) {
            last(b->stmts, here);
        } else if (const auto* p = llvm::dyn_cast<Push>(e)) {
            put(p->body, here);
        } else if (const auto* r = llvm::dyn_cast<ReturnExpr>(e)) {
            returned(r->elems);
        } else if (const auto* t = llvm::dyn_cast<ErrorTag>(e); t && here.handling == CallHandling::Forward) {
            out_.raises.push_back({t->name.name, t->span, t->span, {}});
        } else if (const auto* n = llvm::dyn_cast<NameRef>(e)) {
            const Named* named = view_.nameAt(n->id.span.begin);
            const Declaration* d = named && named->target.isValid() ? view_.declarationAt(named->target) : nullptr;
            if (d && d->function && d->kind != DeclaredKind::Parameter && !callees_.count(e))
                values_.insert(named->target);
            bool isVariable = d && !d->function && here.handling == CallHandling::Forward;
            if (isVariable) out_.raises.push_back({Name::None, n->span, n->span, named->target});
        }
    }

    void last(llvm::ArrayRef<Stmt*> stmts, Around here) {
        const auto* s = stmts.empty() ? nullptr : llvm::dyn_cast<ExprStmt>(stmts.back());
        if (s && !s->semicolon) put(s->expr, here);
    }

    void returned(llvm::ArrayRef<ReturnElem> elems) {
        if (elems.size() == 1) put(elems[0].value, {CallHandling::Forward, {}, {}});
        const auto* list = elems.size() == 1 ? llvm::dyn_cast_or_null<StructLit>(elems[0].value) : nullptr;
        if (list && !list->inits.empty()) put(list->inits.back().value, {CallHandling::Forward, {}, {}});
    }

    bool statement(const Stmt* s) {
        if (const auto* r = llvm::dyn_cast<RaiseStmt>(s)) {
            const auto* tag = llvm::dyn_cast_or_null<ErrorTag>(withoutParens(r->value));
            out_.raises.push_back({tag ? tag->name.name : Name::None, r->keyword, r->span, targetOf(r->value)});
        } else if (const auto* d = llvm::dyn_cast<Destructure>(s)) {
            put(d->init, {CallHandling::Destructure, {}, d->names.empty() ? SourcePos{} : declared(d->names.back())});
        } else if (const auto* v = llvm::dyn_cast<VarStmt>(s)) {
            put(v->init, {CallHandling::Destructure, {}, declared(v->name)});
        } else if (const auto* a = llvm::dyn_cast<Assign>(s)) {
            put(a->value, {CallHandling::Destructure, {}, targetOf(a->target)});
        } else if (const auto* r = llvm::dyn_cast<ReturnStmt>(s)) {
            returned(r->elems);
        } else if (const auto* e = llvm::dyn_cast<ExprStmt>(s); e && !around_.count(e->expr)) {
            put(e->expr, {CallHandling::None, {}, {}});
        }
        return s->kind != StmtKind::LocalDecl;
    }

    void site(const Call& call, const Around& here) {
        const Expr* callee = withoutParens(call.callee);
        if (const auto* inner = llvm::dyn_cast_or_null<Call>(callee)) callee = withoutParens(inner->callee);
        Span name;
        if (const auto* n = llvm::dyn_cast_or_null<NameRef>(callee)) name = n->id.span;
        else if (const auto* m = llvm::dyn_cast_or_null<Member>(callee)) name = m->name.span;
        const Named* named = name.isValid() ? view_.nameAt(name.begin) : nullptr;
        CallSite site;
        if (named) site.callee = throughAliases(view_, named->target);
        site.calleeTree = call.callee;
        site.callees = instances_.calledBy(call, out_.instance);
        site.isOfOthers = site.callees.empty() && out_.instance && instances_.isKnown(call);
        if (!site.callees.empty()) site.callee = site.callees.front()->tmpl->decl->name.span.begin;
        add(std::move(site), call.span, here);
        callees_.insert(callee); // it is not used as a value by that
    }

    /// `av.(T)` may fail where its result says so.
    void assertion(const Cast& cast, const Around& here) {
        if (here.handling == CallHandling::Destructure || here.handling == CallHandling::Forward) return;
        if (cast.optional || here.handling == CallHandling::None) return;
        CallSite site;
        site.tag = view_.program().ast.names.intern("mismatch");
        add(std::move(site), cast.span, here);
    }

    void add(CallSite site, Span whole, const Around& here) {
        site.handling = here.handling;
        site.keyword = here.keyword.isValid() ? here.keyword : whole;
        site.operand = whole;
        site.all = cover(site.keyword, whole);
        if (here.word.isValid()) site.all = cover(here.word, site.all);
        site.variable = here.variable;
        out_.calls.push_back(std::move(site));
    }

    View& view_;
    const CallInstances& instances_;
    ErrorSites& out_;
    std::vector<const Lambda*>& lambdas_;
    std::set<SourcePos>& values_;
    std::set<const Expr*> callees_;
    std::map<const Expr*, Around> around_;
};

/// Whether a result may hold an error, as it is written.
bool mayFail(const FunctionDecl& f) {
    const Expr* result = f.result;
    if (const auto* list = llvm::dyn_cast_or_null<ResultList>(result))
        result = list->elems.empty() ? nullptr : list->elems.back().type;
    return result && (llvm::isa<ErrorChannel>(result) || llvm::isa<NameRef>(result) || llvm::isa<Member>(result) ||
                      llvm::isa<Call>(result));
}

} // namespace

void ErrorMap::read() {
    isRead_ = true;
    auto addOne = [&](const Declaration& d, const Expr* body, CallHandling handling,
                      const std::vector<const sema::FunctionInstance*>& instances) {
        std::vector<std::pair<const Expr*, const Expr*>> work{{nullptr, body}};
        while (!work.empty()) {
            auto [of, tree] = work.back();
            work.pop_back();
            all_.push_back(std::make_unique<ErrorSites>());
            ErrorSites& sites = *all_.back();
            sites.function = &d;
            sites.lambda = of;
            sites.instance = instances.empty() ? nullptr : instances.front();
            if (!of && d.function) named_[d.nameSpan.begin].push_back(&sites);
            for (const sema::FunctionInstance* i : instances)
                if (!of) ofInstance_[i] = &sites;
            std::vector<const Lambda*> lambdas;
            SiteWalk(view_, instances_, sites, lambdas, values_).run(tree, of ? CallHandling::Forward : handling);
            for (const Lambda* l : lambdas)
                if (l->fn->hasBody()) work.emplace_back(l, l->fn->body());
        }
    };
    auto add = [&](const Declaration& d, const Expr* body, CallHandling handling) {
        std::vector<std::vector<const sema::FunctionInstance*>> groups;
        if (d.function) groups = instances_.groupsOf(*d.function);
        if (groups.empty()) groups.emplace_back();
        for (const auto& instances : groups) addOne(d, body, handling, instances);
    };
    for (const auto& file : view_.program().sema->program.files)
        for (const Declaration& d : view_.names(file->id).declarations) {
            if (!d.nameSpan.isValid()) continue;
            bool isFunction = d.kind == DeclaredKind::Function || d.kind == DeclaredKind::Method;
            bool isConstant = d.kind == DeclaredKind::Constant || d.kind == DeclaredKind::Global;
            if (isFunction && d.function && d.function->hasBody()) add(d, d.function->body(), CallHandling::Forward);
            else if (isConstant && d.parent < 0 && d.value) add(d, d.value, CallHandling::Destructure);
        }
}

const std::vector<std::unique_ptr<ErrorSites>>& ErrorMap::all() {
    if (!isRead_) read();
    return all_;
}

const std::vector<const ErrorSites*>& ErrorMap::of(const Declaration& function) {
    all();
    return named_[function.nameSpan.begin];
}

/// The type of what is called, where no function is named.
TypeId ErrorMap::calleeType(const CallSite& c) {
    if (!c.calleeTree) return TypeId::None;
    auto [known, isNew] = calleeTypes_.try_emplace(c.calleeTree);
    if (!isNew) return known->second;
    TypeTable& types = view_.program().types;
    TypeId type = lower::typeOf(*view_.program().sema, *c.calleeTree, c.calleeTree->span.begin).type;
    while (types.kind(type) == TypeKind::Optional || types.kind(type) == TypeKind::Pointer) type = types.elem(type);
    bool isFunction = types.kind(type) == TypeKind::Closure || types.kind(type) == TypeKind::Function;
    return known->second = isFunction ? type : TypeId::None;
}

/// The function type of a body; None: nothing says it.
TypeId ErrorMap::shapeOf(const ErrorSites& body) {
    auto [known, isNew] = shapes_.try_emplace(&body);
    if (!isNew) return known->second;
    TypeId type = TypeId::None;
    if (body.lambda) type = lower::typeOf(*view_.program().sema, *body.lambda, body.lambda->span.begin).type;
    else if (body.instance) type = body.instance->type;
    return known->second = type;
}

std::vector<const ErrorSites*> ErrorMap::ofShape(TypeId wanted) {
    std::vector<const ErrorSites*> found;
    TypeTable& types = view_.program().types;
    if (wanted == TypeId::None || !isFailable(types, types.functionInfo(wanted).result)) return found;
    auto params = types.functionInfo(wanted).params;
    TypeId success = successType(types, types.functionInfo(wanted).result);
    for (const auto& body : all()) {
        if (!body->lambda && !values_.count(body->function->nameSpan.begin)) continue;
        TypeId type = shapeOf(*body);
        bool isFunction = types.kind(type) == TypeKind::Closure || types.kind(type) == TypeKind::Function;
        if (!isFunction) { // its types come from where it is used
            const auto* l = llvm::dyn_cast_or_null<Lambda>(body->lambda);
            if (l && l->fn->params.size() == params.size()) found.push_back(body.get());
            continue;
        }
        const auto& info = types.functionInfo(type);
        bool same = info.params == params && isFailable(types, info.result);
        if (same && successType(types, info.result) == success) found.push_back(body.get());
    }
    return found;
}

const std::vector<const ErrorSites*>& ErrorMap::targets(const CallSite& c) {
    all();
    auto [known, isNew] = targets_.try_emplace(&c);
    if (!isNew || c.tag != Name::None) return known->second;
    std::vector<const ErrorSites*>& found = known->second;
    const Declaration* d = c.callee.isValid() ? view_.declarationAt(c.callee) : nullptr;
    bool isFunction = d && d->function && (d->kind == DeclaredKind::Function || d->kind == DeclaredKind::Method);
    for (const sema::FunctionInstance* i : c.callees) {
        auto body = instances_.mayFail(i) ? ofInstance_.find(i) : ofInstance_.end();
        if (body != ofInstance_.end() && !llvm::is_contained(found, body->second)) found.push_back(body->second);
    }
    if (!c.callees.empty()) return found;
    if (isFunction && !mayFail(*d->function)) return found;
    const Declaration* parent = d ? view_.parentOf(*d) : nullptr;
    if (parent && parent->kind == DeclaredKind::Protocol) {
        for (SourcePos member : familyOf(view_, c.callee))
            if (auto bodies = named_.find(member); bodies != named_.end())
                found.insert(found.end(), bodies->second.begin(), bodies->second.end());
    } else if (isFunction) {
        if (!c.isOfOthers) found = of(*d);
    } else {
        // Computed apart: asking makes more entries.
        std::vector<const ErrorSites*> shaped = ofShape(calleeType(c));
        targets_[&c] = std::move(shaped);
    }
    return targets_[&c];
}

const std::vector<std::pair<const ErrorSites*, const CallSite*>>& ErrorMap::callers(const ErrorSites& body) {
    if (!hasCallers_) {
        hasCallers_ = true;
        for (const auto& caller : all())
            for (const CallSite& c : caller->calls)
                if (c.handling != CallHandling::None)
                    for (const ErrorSites* called : targets(c)) callers_[called].emplace_back(caller.get(), &c);
    }
    return callers_[&body];
}

bool ErrorMap::allows(const CallSite& c, Name tag) {
    const TypeTable& types = view_.program().types;
    auto allowedBy = [&](TypeId type) {
        if (tag == Name::None || type == TypeId::None || !isFailable(types, type)) return true;
        TypeId set = errorSetOf(types, type);
        return set == TypeId::InferredErrors || llvm::is_contained(types.errorSetInfo(set).tags, tag);
    };
    if (!c.callees.empty())
        return llvm::any_of(c.callees, [&](const sema::FunctionInstance* i) { return allowedBy(i->result); });
    const Declaration* d = c.callee.isValid() ? view_.declarationAt(c.callee) : nullptr;
    TypeId type = TypeId::None;
    if (d && d->function) {
        if (const sema::FunctionInstance* i = instanceOf(view_, *d->function)) type = i->result;
    } else if (TypeId called = calleeType(c); called != TypeId::None) {
        type = types.functionInfo(called).result;
    }
    return allowedBy(type);
}

/// Names once, in alphabetical order.
static std::vector<Name> inOrder(NameTable& names, const std::vector<Name>& tags) {
    std::set<std::string_view> texts;
    for (Name tag : tags) texts.insert(names.text(tag));
    std::vector<Name> sorted;
    for (std::string_view text : texts) sorted.push_back(names.intern(std::string(text)));
    return sorted;
}

std::vector<Name> ErrorMap::tagsOfCall(const CallSite& c) {
    std::vector<Name> found;
    auto add = [&](const std::vector<Name>& tags) { found.insert(found.end(), tags.begin(), tags.end()); };
    if (c.tag != Name::None) found.push_back(c.tag);
    for (const sema::FunctionInstance* i : c.callees) add(errorsOf(view_, *i));
    const Declaration* d = c.callees.empty() && c.callee.isValid() ? view_.declarationAt(c.callee) : nullptr;
    if (d && d->function) add(errorsOf(view_, *d->function));
    for (const ErrorSites* called : targets(c))
        for (const RaiseSite& r : called->raises)
            if (r.tag != Name::None) found.push_back(r.tag);
    return inOrder(view_.program().ast.names, found);
}

std::vector<Name> ErrorMap::tagsOfVariable(SourcePos declared) {
    std::vector<Name> found;
    for (const auto& body : all())
        for (const CallSite& c : body->calls) {
            if (!c.variable.isValid() || c.variable != declared) continue;
            for (Name tag : tagsOfCall(c)) found.push_back(tag);
        }
    return inOrder(view_.program().ast.names, found);
}

std::vector<RaiseSite> ErrorMap::raisesOf(const Declaration& function, Name tag) {
    std::vector<RaiseSite> found;
    std::vector<const ErrorSites*> work = of(function);
    std::set<const ErrorSites*> seen(work.begin(), work.end());
    while (!work.empty()) {
        const ErrorSites* body = work.back();
        work.pop_back();
        std::set<SourcePos> again; // variables that are raised
        for (const RaiseSite& r : body->raises) {
            if (r.tag == tag) found.push_back(r);
            if (r.tag == Name::None && r.variable.isValid()) again.insert(r.variable);
        }
        for (const CallSite& c : body->calls) {
            bool passes = c.handling == CallHandling::Try || c.handling == CallHandling::Forward ||
                          (c.variable.isValid() && again.count(c.variable));
            if (!passes || !allows(c, tag)) continue;
            if (c.tag == tag) found.push_back({tag, c.operand, c.operand, {}});
            for (const ErrorSites* called : targets(c))
                if (seen.insert(called).second) work.push_back(called);
        }
    }
    std::sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.keyword.begin < b.keyword.begin; });
    auto isSame = [](auto& a, auto& b) { return a.keyword.begin == b.keyword.begin; }; // of several instances
    found.erase(std::unique(found.begin(), found.end(), isSame), found.end());
    return found;
}

} // namespace sx::server
