// Calls of the compiler's services (generics.md 9.4 and 9.8), and what describes a type.
//
// A service is a function without a body that only the interpreter can run while compiling (vm/Services.cpp). That
// nothing reaches one at run time is checked on the finished module.
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/TypeDescriptor.h"
#include "ir/TypeInfo.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/calls/IntrinsicCall.h"
#include "lower/values/Names.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

using Operand = IntrinsicCall::Operand;

/// What a service gives back.
enum class Answer : uint8_t { None, Number, Count, Text, Type };

struct Service {
    std::string_view name;
    std::vector<Operand> operands;
    Answer answer;
};

const Service& serviceNamed(std::string_view name) {
    static const std::vector<Service> services = {
        {"raw_intern", {Operand::Text}, Answer::Number},
        {"raw_text_of", {Operand::Number}, Answer::Text},
        {"raw_find_type", {Operand::Number}, Answer::Number},
        {"raw_type_kind", {Operand::Number}, Answer::Count},
        {"raw_type_name", {Operand::Number}, Answer::Number},
        {"raw_field_count", {Operand::Number}, Answer::Count},
        {"raw_field_name", {Operand::Number, Operand::Index}, Answer::Number},
        {"raw_field_type", {Operand::Number, Operand::Index}, Answer::Number},
        {"raw_variant_value", {Operand::Number, Operand::Index}, Answer::Count},
        {"raw_pointer_to", {Operand::Type}, Answer::Type},
        {"raw_register_type", {Operand::Type, Operand::Index, Operand::Members}, Answer::Type},
        {"raw_declare_type", {Operand::Text}, Answer::Type},
        {"declare", {Operand::Text}, Answer::Type},
        {"raw_build_note", {Operand::Text, Operand::Text}, Answer::None},
        {"raw_build_count", {Operand::Text}, Answer::Count},
        {"raw_build_note_at", {Operand::Text, Operand::Index}, Answer::Text},
    };
    return *llvm::find_if(services, [&](const Service& s) { return s.name == name; });
}

TypeId answerType(Answer a) {
    switch (a) {
    case Answer::Number: return TypeId::U32;
    case Answer::Count: return TypeId::I64;
    case Answer::None:
    case Answer::Text: return TypeId::Void;
    case Answer::Type: return TypeId::Type;
    }
    return TypeId::Void;
}

/// What `declare("Name")` hands out if the code around it mentions the type (BuiltTypes.cpp); None: a new one.
TypeId announcedBy(Body& f, const Call& call) {
    const auto* literal = llvm::dyn_cast<StringLit>(call.args[0].value);
    if (!literal) return TypeId::None;
    Symbol* s = lookup(f.sema, f.sema.name(literal->value), f.scope, f.scopeLimit, &f.currentFile(), true).symbol;
    return s && s->kind == SymbolKind::Type && !s->decl && f.sema.isAnnounced(s->type) ? s->type : TypeId::None;
}

/// `{name: string; ty: Type}`, as the interpreter reads it.
bool isMember(const TypeTable& types, TypeId t) {
    if (types.kind(t) != TypeKind::Struct || types.structInfo(t).fields.size() != 2) return false;
    const auto& fields = types.structInfo(t).fields;
    return fields[0].type == TypeId::String && fields[1].type == TypeId::Type;
}

} // namespace

Value IntrinsicCall::serviceOperand(size_t i, Operand operand) {
    switch (operand) {
    case Operand::Text: return lowerTo(f_, arg(i), TypeId::String);
    case Operand::Number: return lowerTo(f_, arg(i), TypeId::U32);
    case Operand::Index: return lowerTo(f_, arg(i), TypeId::I64);
    case Operand::Type: {
        Value type = value(i, TypeId::Type);
        if (type.isError() || type.type == TypeId::Type) return type;
        return reject(arg(i)->span,
                      code(name_) + " takes a value of type `Type`, not " + withArticle(types_, type.type));
    }
    case Operand::Members: {
        FunctionInstance* self = declared_ ? instance(sema_, *declared_, {}, nameSpan()) : nullptr;
        TypeId list = self && i < self->params.size() ? self->params[i].type : TypeId::None;
        if (types_.kind(list) != TypeKind::Slice || !isMember(types_, types_.elem(list)))
            return reject(nameSpan(), code(name_) + " needs the type `Member`",
                          "add `#import \"modules/std/meta.sx\";`");
        return lowerTo(f_, arg(i), list);
    }
    }
    return Value::error();
}

Value IntrinsicCall::service() {
    const Service& service = serviceNamed(name_);
    llvm::SmallVector<TypeId, 4> params;
    llvm::SmallVector<ValueId, 4> args;
    auto pass = [&](TypeId type, ValueId v) {
        params.push_back(type);
        args.push_back(v);
    };
    for (size_t i = 0; i < service.operands.size(); ++i) {
        Value v = serviceOperand(i, service.operands[i]);
        if (v.isError()) return v;
        if (isScalar(types_, v.type)) pass(v.type, scalar(f_, v));
        else pass(pointerTo(types_, v.type), addressOf(f_, v));
    }
    if (service.name == "declare" || service.name == "raw_declare_type") {
        TypeId announced = announcedBy(f_, call_);
        pass(TypeId::Type, announced == TypeId::None ? nullOf(b_, TypeId::Type) : typeHandle(b_, announced));
    }
    Value text;
    if (service.answer == Answer::Text) {
        text = temp(f_, TypeId::String);
        pass(pointerTo(types_, TypeId::String), text.id);
    }
    TypeId result = answerType(service.answer);
    ir::FuncId callee = runtimeFunction(sema_, service.name, result, params, false);
    f_.module.fn(callee).comptimeOnly = true;
    ValueId value = emitCall(b_, callee, args);
    if (service.answer == Answer::None) return Value::none();
    return service.answer == Answer::Text ? text : Value::scalar(result, value);
}

Value IntrinsicCall::typeInfo() {
    TypeId& infoType = f_.module.typeInfo;
    if (infoType == TypeId::None) {
        Symbol* s = libraryName(f_, "TypeInfo");
        if (s && s->kind == SymbolKind::Type) completeReachable(sema_, s->type);
        bool known = s && s->kind == SymbolKind::Type && ir::isTypeInfo(types_, s->type);
        if (!known)
            return reject(nameSpan(), "`type_info` yields a `TypeInfo`, which no module of this program declares",
                          "add `#import \"modules/std/meta.sx\";`");
        infoType = s->type;
    }
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !completeDeep(sema_, t.type, arg(0)->span))) return Value::error();
    TypeId pointer = pointerTo(types_, infoType);
    ValueId address = ValueId::None;
    if (t.isStatic()) {
        address = globalAddr(b_, ir::describeInfo(f_.module, t.type), pointer);
    } else {
        ir::referToInfos(f_.module);
        address = load(t.handle, ir::desc::Info, pointer).id;
    }
    Value info = Value::place(infoType, address);
    info.constRooted = true;
    return info;
}

} // namespace sx::lower
