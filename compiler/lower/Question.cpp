#include "lower/Question.h"

#include "lower/Rollback.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Values.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"

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

SourceFile* fileAt(Sema& sema, SourcePos at) {
    FileId id = sema.sources.fileOf(at);
    for (auto& file : sema.program.files)
        if (file->id == id) return file.get();
    return nullptr;
}

class Question {
public:
    Question(Sema& sema, SourcePos at, FunctionInstance* instance)
        : sema_(sema), at_(at), place_(sema.bodyScopes.at(at, instance)),
          file_(place_ && place_->scope->file ? place_->scope->file : fileAt(sema, at)) {}

    Answer ask(const Expr& e) {
        Answer answer;
        if (!file_) return answer;
        Rollback rollback(sema_);
        DiagnosticScope apart(sema_.diags);
        ir::Function& fn = sema_.module.fn(newFunction(sema_, "question", "question"));
        fn.compilerMade = true;
        std::unique_ptr<Body> f = scratch(sema_, fn, *file_, place_ ? place_->scope : nullptr);
        prepare(*f, e);
        answer.value = lowerUnmarked(*f, &e);
        describe(answer);
        answer.errors = sema_.diags.all();
        return answer;
    }

private:
    void prepare(Body& f, const Expr& e) {
        f.asks = true;
        f.isComptimeScratch = false;
        f.modes.operation = e.span;
        if (!place_) return;
        f.scopeLimit = limitAt(place_->scope, at_);
        f.narrowing.present.insert(place_->narrowed.begin(), place_->narrowed.end());
        if (FunctionInstance* around = place_->instance; around && around->result != TypeId::None) {
            setResultType(f, around->result);
            if (f.result.errorSet == TypeId::InferredErrors) f.result.errors = sema_.make<ErrorNode>();
        }
    }

    void describe(Answer& answer) {
        const Value& v = answer.value;
        answer.type = v.isError() ? TypeId::None : v.type;
        if (v.kind == Value::Kind::Function && v.function && !v.function->isGeneric && !v.function->isIntrinsic) {
            FunctionInstance* called = instance(sema_, *v.function);
            answer.type = called && !called->signatureFailed ? called->type : TypeId::None;
        }
        TypeId written = v.isTypeName() ? v.namedType : answer.type;
        if (written != TypeId::None) answer.typeText = sema_.types.writtenName(written);
    }

    Sema& sema_;
    SourcePos at_;
    const BodyScope* place_;
    SourceFile* file_;
};

} // namespace

Answer typeOf(Sema& sema, const Expr& e, SourcePos at, FunctionInstance* instance) {
    return Question(sema, at, instance).ask(e);
}

Answer typeOf(Sema& sema, std::string_view text, SourcePos at, FunctionInstance* instance) {
    auto [known, isNew] = sema.questions.try_emplace(text);
    if (isNew) {
        DiagnosticScope apart(sema.diags);
        FileId file = sema.sources.addFile("(question)", "(question)", std::string(text));
        known->second.tree = parseExpression(sema.sources, file, sema.ast, sema.diags);
        known->second.errors = sema.diags.all();
    }
    if (known->second.tree) return typeOf(sema, *known->second.tree, at, instance);
    Answer answer;
    answer.errors = known->second.errors;
    return answer;
}

} // namespace sx::lower
