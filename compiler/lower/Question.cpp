#include "lower/Question.h"

#include "lower/Place.h"
#include "lower/Rollback.h"
#include "lower/body/Recursion.h"
#include "lower/body/Values.h"
#include "sema/Functions.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;

namespace {

class Question {
public:
    Question(Sema& sema, const Place& place) : sema_(sema), place_(place) {}

    Answer ask(const Expr& e) {
        Answer answer;
        if (!place_.isKnown()) return answer;
        Rollback rollback(sema_);
        DiagnosticScope apart(sema_.diags);
        ir::Function& fn = sema_.module.fn(newFunction(sema_, "question", "question"));
        fn.compilerMade = true;
        std::unique_ptr<Body> f = place_.body(fn, e.span);
        takeResult(*f);
        answer.value = lowerUnmarked(*f, &e);
        describe(answer);
        answer.errors = sema_.diags.all();
        return answer;
    }

private:
    /// `try` and `return` are read as in the function around them.
    void takeResult(Body& f) {
        FunctionInstance* around = place_.instance();
        if (!around || around->result == TypeId::None) return;
        setResultType(f, around->result);
        if (f.result.errorSet == TypeId::InferredErrors) f.result.errors = sema_.make<ErrorNode>();
    }

    void describe(Answer& answer) {
        const Value& v = answer.value;
        answer.type = v.isError() ? TypeId::None : v.type;
        if (v.kind == Value::Kind::Function && v.function && !v.function->isGeneric && !v.function->isIntrinsic) {
            FunctionInstance* called = instance(sema_, *v.function);
            answer.type = called && !called->signatureFailed ? called->type : TypeId::None;
        }
        TypeId written = v.isTypeName() ? v.namedType : answer.type;
        if (written != TypeId::None) answer.typeText = writtenName(sema_.types, written);
    }

    Sema& sema_;
    Place place_;
};

} // namespace

Answer typeOf(Sema& sema, const Expr& e, SourcePos at, FunctionInstance* instance) {
    return Question(sema, Place(sema, at, instance)).ask(e);
}

static Answer typeOf(Sema& sema, std::string_view text, const Place& place) {
    const AskedText& asked = parsed(sema, text);
    if (asked.tree) return Question(sema, place).ask(*asked.tree);
    Answer answer;
    answer.errors = asked.errors;
    return answer;
}

Answer typeOf(Sema& sema, std::string_view text, const CodePlace& at) { return typeOf(sema, text, Place(sema, at)); }

Answer typeOf(Sema& sema, std::string_view text, SourcePos at, FunctionInstance* instance) {
    return typeOf(sema, text, Place(sema, at, instance));
}

} // namespace sx::lower
