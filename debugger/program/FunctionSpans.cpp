#include "debugger/program/FunctionSpans.h"

#include "syntax/Walk.h"

namespace sx::debugger {

using namespace ast;

namespace {

class Collector {
public:
    explicit Collector(std::vector<FunctionSpan>& found) : found_(found) {}

    void add(llvm::ArrayRef<Decl*> all) {
        for (const Decl* d : all) add(*d);
    }
    void add(const Decl& d);

private:
    void addFunction(const FunctionDecl&);
    void walk(const Expr*);

    std::vector<FunctionSpan>& found_;
};

void Collector::walk(const Expr* e) {
    if (!e) return;
    auto onExpr = [&](const Expr* inner) {
        if (const auto* lambda = llvm::dyn_cast<Lambda>(inner)) {
            addFunction(*lambda->fn);
            return false;
        }
        return true;
    };
    auto onStmt = [&](const Stmt* s) {
        if (s->kind != StmtKind::LocalDecl) return true;
        add(*static_cast<const LocalDecl*>(s)->decl);
        return false;
    };
    Walker{onExpr, onStmt, false}.walk(e);
}

void Collector::addFunction(const FunctionDecl& f) {
    if (!f.hasBody()) return;
    found_.push_back({f.span.isValid() ? cover(f.span, f.bodySpan()) : f.bodySpan(), f.bodySpan()});
    walk(f.body());
}

void Collector::add(const Decl& d) {
    switch (d.kind) {
    case DeclKind::Function: return addFunction(static_cast<const FunctionDecl&>(d));
    case DeclKind::Const: return walk(static_cast<const ConstDecl&>(d).value);
    case DeclKind::Var: return walk(static_cast<const VarDecl&>(d).init);
    case DeclKind::Struct:
        for (const MemberDecl& m : static_cast<const StructDecl&>(d).members)
            if (m.decl) add(*m.decl);
        return;
    case DeclKind::Protocol:
        for (const ProtocolMethod& m : static_cast<const ProtocolDecl&>(d).methods) addFunction(*m.fn);
        return;
    case DeclKind::Impl:
        for (const FunctionDecl* f : static_cast<const ImplDecl&>(d).methods) addFunction(*f);
        return;
    case DeclKind::InlineIf: {
        const auto& choice = static_cast<const InlineIfDecl&>(d);
        add(choice.then);
        add(choice.otherwise);
        for (const InlineIfDecl::Arm& arm : choice.arms) add(arm.items);
        return;
    }
    default: return;
    }
}

} // namespace

std::vector<FunctionSpan> functionSpans(const ast::File& file) {
    std::vector<FunctionSpan> found;
    Collector(found).add(file.items);
    return found;
}

} // namespace sx::debugger
