// What a program leaves out: inferred types and error sets, names of parameters.
#include "server/features/Describe.h"
#include "server/features/ErrorSites.h"
#include "server/features/Features.h"
#include "syntax/Walk.h"
#include "types/TypeNames.h"

namespace sx::server {

using namespace ast;

namespace {

constexpr size_t LongestHint = 60;

class Hints {
public:
    Hints(View& view, SourcePos from, SourcePos to) : view_(view), errorMap_(view), from_(from), to_(to) {}

    json::Array run() {
        for (const Declaration& d : view_.names(view_.file()).declarations) {
            if (d.kind == DeclaredKind::Local && !d.type) type(d);
            bool isFunction = d.kind == DeclaredKind::Function || d.kind == DeclaredKind::Method;
            if (isFunction && d.function && d.function->hasBody()) {
                errors(*d.function);
                arguments(*d.function->body());
            }
        }
        return std::move(out_);
    }

private:
    bool isWanted(SourcePos p) const { return from_ <= p && p <= to_; }

    void add(SourcePos at, std::string label, int kind, bool left, bool right) {
        if (!isWanted(at) || label.size() > LongestHint) return;
        json::Object hint{{"position", toJson(view_.range({at, at}).start)}, {"label", json::fixUTF8(label)}};
        if (kind) hint["kind"] = kind;
        if (left) hint["paddingLeft"] = true;
        if (right) hint["paddingRight"] = true;
        out_.push_back(std::move(hint));
    }

    void type(const Declaration& d) {
        const sema::Symbol* s = view_.symbolOf(d);
        if (!s || s->type == TypeId::None || s->type == TypeId::Void) return;
        std::string written = writtenName(view_.program().types, s->type);
        if (s->type == TypeId::InferredErrors && isWanted(d.nameSpan.end)) { // the sign alone says nothing
            std::string tags;
            for (Name tag : errorMap_.tagsOfVariable(d.nameSpan.begin))
                tags += (tags.empty() ? "" : ", ") + std::string(view_.program().ast.names.text(tag));
            if (!tags.empty()) written += "{" + tags + "}";
        }
        add(d.nameSpan.end, ": " + written, 1, false, false);
    }

    void errors(const FunctionDecl& f) {
        const Expr* result = f.result;
        if (const auto* list = llvm::dyn_cast_or_null<ResultList>(result))
            result = list->elems.empty() ? nullptr : list->elems.back().type;
        const auto* channel = llvm::dyn_cast_or_null<ErrorChannel>(result);
        if (!channel || channel->set) return;
        std::string text;
        for (Name tag : tagsOf(view_, f))
            text += (text.empty() ? "" : ", ") + std::string(view_.program().ast.names.text(tag));
        if (!text.empty()) add(channel->span.end, "{" + text + "}", 1, false, false);
    }

    void arguments(const Expr& body) {
        auto onExpr = [this](const Expr* e) {
            if (const auto* c = llvm::dyn_cast<Call>(e)) call(*c);
            return true;
        };
        auto onStmt = [](const Stmt* s) { return s->kind != StmtKind::LocalDecl; };
        Walker{onExpr, onStmt, true}.walk(&body);
    }

    void call(const Call& c) {
        const auto* n = llvm::dyn_cast_or_null<NameRef>(c.callee);
        const auto* m = llvm::dyn_cast_or_null<Member>(c.callee);
        if ((!n && !m) || c.piped || c.args.empty()) return;
        const Named* named = view_.nameAt(n ? n->id.span.begin : m->name.span.begin);
        const Declaration* d = named && named->target.isValid() ? view_.declarationAt(named->target) : nullptr;
        if (!d || !d->function || d->kind == DeclaredKind::Parameter) return;
        llvm::ArrayRef<Param> params = d->function->params;
        const Named* base = m ? view_.nameAt(m->base->span.begin) : nullptr;
        const Declaration* owner = base && base->target.isValid() ? view_.declarationAt(base->target) : nullptr;
        bool onValue = m && !(owner && (owner->kind == DeclaredKind::Namespace || owner->kind == DeclaredKind::Struct));
        if (onValue && !params.empty()) params = params.drop_front();
        if (c.args.size() < 2 && params.size() < 2) return;
        for (size_t i = 0; i < c.args.size() && i < params.size(); ++i) {
            if (params[i].variadic || c.args[i].name || c.args[i].spread || !c.args[i].value) return;
            std::string name(view_.program().ast.names.text(params[i].name.name));
            std::string text(view_.textOf(c.args[i].value->span));
            bool saysIt = text == name || llvm::StringRef(text).ends_with("." + name);
            bool isPlain = llvm::isa<IntLit, FloatLit, BoolLit, StringLit, NullLit>(c.args[i].value);
            if (isPlain && !saysIt) add(c.args[i].span.begin, name + " =", 2, false, true);
        }
    }

    View& view_;
    ErrorMap errorMap_;
    SourcePos from_, to_;
    json::Array out_;
};

} // namespace

Reply inlayHints(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Range> range = readRange(params.getObject("range"));
    if (!view || !view->program().fileOf(view->path())) return {};
    SourcePos from = range ? view->at(range->start) : view->posOf(0);
    SourcePos to = range ? view->at(range->end) : view->posOf(static_cast<uint32_t>(view->text().size()));
    return {Hints(*view, from, to).run()};
}

} // namespace sx::server
