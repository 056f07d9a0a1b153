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

namespace sx::lower::intrinsics {

using namespace ast;

namespace {

/// How a service takes an argument.
enum class Operand : uint8_t { Text, Number, Index, Type, Members };

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
        {"raw_set_build_step", {Operand::Index, Operand::Index}, Answer::None},
        {"raw_build_step", {}, Answer::Count},
        {"raw_emit_object", {}, Answer::Text},
        {"raw_link", {}, Answer::None},
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

Value serviceOperand(IntrinsicCall& c, size_t i, Operand operand) {
    switch (operand) {
    case Operand::Text: return lowerTo(c.f, c.arg(i), TypeId::String);
    case Operand::Number: return lowerTo(c.f, c.arg(i), TypeId::U32);
    case Operand::Index: return lowerTo(c.f, c.arg(i), TypeId::I64);
    case Operand::Type: {
        Value type = c.value(i, TypeId::Type);
        if (type.isError() || type.type == TypeId::Type) return type;
        return c.reject(c.arg(i)->span,
                        code(c.name) + " takes a value of type `Type`, not " + withArticle(c.types, type.type));
    }
    case Operand::Members: {
        FunctionInstance* self = c.declared ? instance(c.sema, *c.declared, {}, c.nameSpan()) : nullptr;
        TypeId list = self && i < self->params.size() ? self->params[i].type : TypeId::None;
        if (c.types.kind(list) != TypeKind::Slice || !isMember(c.types, c.types.elem(list)))
            return c.reject(c.nameSpan(), code(c.name) + " needs the type `Member`",
                            "add `#import \"modules/std/meta.sx\";`");
        return lowerTo(c.f, c.arg(i), list);
    }
    }
    return Value::error();
}

} // namespace

Value service(IntrinsicCall& c) {
    const Service& service = serviceNamed(c.name);
    llvm::SmallVector<TypeId, 4> params;
    llvm::SmallVector<ValueId, 4> args;
    auto pass = [&](TypeId type, ValueId v) {
        params.push_back(type);
        args.push_back(v);
    };
    for (size_t i = 0; i < service.operands.size(); ++i) {
        Value v = serviceOperand(c, i, service.operands[i]);
        if (v.isError()) return v;
        if (isScalar(c.types, v.type)) pass(v.type, scalar(c.f, v));
        else pass(pointerTo(c.types, v.type), addressOf(c.f, v));
    }
    if (service.name == "declare" || service.name == "raw_declare_type") {
        TypeId announced = announcedBy(c.f, c.call);
        pass(TypeId::Type, announced == TypeId::None ? nullOf(c.b, TypeId::Type) : typeHandle(c.b, announced));
    }
    Value text;
    if (service.answer == Answer::Text) {
        text = temp(c.f, TypeId::String);
        pass(pointerTo(c.types, TypeId::String), text.id);
    }
    TypeId result = answerType(service.answer);
    ir::FuncId callee = runtimeFunction(c.sema, service.name, result, params, false);
    c.f.module.fn(callee).comptimeOnly = true;
    ValueId value = emitCall(c.b, callee, args);
    if (service.answer == Answer::None) return Value::none();
    return service.answer == Answer::Text ? text : Value::scalar(result, value);
}

Value typeInfo(IntrinsicCall& c) {
    TypeId& infoType = c.f.module.typeInfo;
    if (infoType == TypeId::None) {
        Symbol* s = libraryName(c.f, "TypeInfo");
        if (s && s->kind == SymbolKind::Type) completeReachable(c.sema, s->type);
        bool known = s && s->kind == SymbolKind::Type && ir::isTypeInfo(c.types, s->type);
        if (!known)
            return c.reject(c.nameSpan(), "`type_info` yields a `TypeInfo`, which no module of this program declares",
                            "add `#import \"modules/std/meta.sx\";`");
        infoType = s->type;
    }
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !completeDeep(c.sema, t.type, c.arg(0)->span))) return Value::error();
    TypeId pointer = pointerTo(c.types, infoType);
    ValueId address = ValueId::None;
    if (t.isStatic()) {
        address = globalAddr(c.b, ir::describeInfo(c.f.module, t.type), pointer);
    } else {
        ir::referToInfos(c.f.module);
        address = c.load(t.handle, ir::desc::Info, pointer).id;
    }
    Value info = Value::place(infoType, address);
    info.constRooted = true;
    return info;
}

} // namespace sx::lower::intrinsics
