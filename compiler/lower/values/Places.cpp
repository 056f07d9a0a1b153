#include "lower/values/Places.h"

#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/Explain.h"
#include "lower/body/LocalUse.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Probe.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/body/VoidValues.h"
#include "lower/values/Access.h"
#include "lower/values/Names.h"
#include "lower/values/Operators.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/NumberLimits.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Parts.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;

namespace {

bool isValue(const Value& v) { return v.kind == Value::Kind::Scalar || v.isMemory() || v.isConst(); }

/// The type of the value whose member a target names, seen through a reference capture, narrowing and one pointer.
/// None: the base is no value.
TypeId ownerType(Body& f, const Value& base) {
    if (!isValue(base)) return TypeId::None;
    TypeId type = base.refCapture ? f.types.elem(base.type) : base.type;
    bool isNarrowed = base.symbol && f.narrowing.present.count(base.symbol) && f.types.kind(type) == TypeKind::Optional;
    if (isNarrowed) type = f.types.elem(type);
    return pointeeOrSelf(f.types, type);
}

/// That value itself.
Value ownerOf(Body& f, const Value& base, Span dot) {
    if (!isValue(base)) return Value::error();
    Value v = narrowedValue(f, elementOf(f, base));
    if (f.types.kind(v.type) != TypeKind::Pointer) return v;
    ValueId address = scalar(f, v);
    checkPointer(f, address, dot);
    return Value::place(f.types.elem(v.type), address);
}

bool hasField(Body& f, TypeId type, Name name) {
    complete(f.sema, type);
    TypeKind kind = f.types.kind(type);
    if (kind == TypeKind::Struct)
        return f.types.structInfo(type).index.count(name) != 0 || promotedMember(f.types, type, name);
    if (kind == TypeKind::Enum) return f.types.enumInfo(type).index.count(name) != 0;
    return kind == TypeKind::Union &&
           llvm::any_of(f.types.unionInfo(type).members, [&](const UnionMember& m) { return m.name == name; });
}

struct Immutable {
    const char* what;
    const char* wayOut;
};

/// Why a local may not be assigned by its name; null: it may.
std::optional<Immutable> immutability(const Symbol& s) {
    if (s.variant) return Immutable{"the compile-time parameter", "copy it into a local"};
    switch (s.localKind) {
    case LocalKind::Variable:
    case LocalKind::Parameter:
    case LocalKind::Capture: return std::nullopt;
    case LocalKind::Const: return Immutable{"the local constant", "declare it with `:=` to make it a variable"};
    case LocalKind::LoopElement:
        return Immutable{"the loop element", "capture it by reference, `(*x)`, or copy it into a local"};
    case LocalKind::LoopRef: return Immutable{"the element reference", "assign what it points at: `x.* = …`"};
    case LocalKind::LoopIndex: return Immutable{"the loop index", "copy it into a local"};
    case LocalKind::Payload: return Immutable{"the payload binding", "copy it into a local"};
    case LocalKind::ErrorBinding: return Immutable{"the error binding", "copy it into a local"};
    case LocalKind::PackElement: return Immutable{"the pack element", "copy it into a local"};
    }
    return std::nullopt;
}

/// Reports a part of something that is not written: a constant, a by-value capture, the context
/// (language 3.4, 4.8, 5.1).
bool checkPart(Body& f, const Value& place, Span at) {
    if (place.constRooted) {
        f.diags.error(at, "this is a part of a constant, which cannot be written")
            .help("copy the constant into a variable first");
        return false;
    }
    if (place.behindConstant) {
        f.diags.error(at, "this is an element of a constant slice, which cannot be written")
            .help("copy the elements into an array or a list first");
        return false;
    }
    if (Symbol* root = place.captureRoot) {
        std::optional<Immutable> why = immutability(*root);
        f.diags
            .error(at, "this is a part of " + std::string(why->what) + " " + code(f.sema, root->name) +
                           ", a copy that cannot be written")
            .note(root->nameSpan, "it is declared here")
            .help(why->wayOut);
        return false;
    }
    if (place.contextRooted) {
        f.diags.error(at, "a field of the context cannot be assigned")
            .help("install another context for a block: `push .{ field = … } { … }`");
        return false;
    }
    return true;
}

/// The accessors of a target `value.name`, if it is a property: found by a dry run of its base.
struct Property {
    FunctionTemplate* getter = nullptr;
    FunctionTemplate* setter = nullptr;
};

Property propertyOf(Body& f, const Expr* target) {
    Property p;
    const auto* m = llvm::dyn_cast<Member>(withoutParens(target));
    if (!m || m->optional || m->isIndex) return p;
    TypeId type = ownerType(f, probeExpr(f, m->base));
    if (type == TypeId::None || hasField(f, type, m->name.name)) return p;
    MemberTable& members = sema::members(f.sema, type);
    if (auto it = members.getters.find(m->name.name); it != members.getters.end()) p.getter = it->second;
    if (auto it = members.setters.find(m->name.name); it != members.setters.end()) p.setter = it->second;
    if (p.setter) noteUse(f.sema, m->name.span, *p.setter);
    return p;
}

TypeId valueTypeOf(Body& f, FunctionTemplate* setter, Span at) {
    FunctionInstance* callee = setter ? instance(f.sema, *setter, {}, at) : nullptr;
    return callee && !callee->signatureFailed && callee->params.size() == 2 ? callee->params[1].type : TypeId::None;
}

void callSetter(Body& f, FunctionTemplate& setter, const Value& receiver, const Value& value, Span at) {
    FunctionInstance* callee = instance(f.sema, setter, {}, at);
    if (!callee || callee->signatureFailed || callee->params.size() != 2) return;
    // A setter that takes its receiver by value writes through a pointer in it.
    if (f.types.kind(callee->params.front().type) == TypeKind::Pointer && !checkPart(f, receiver, at)) return;
    Value self = adjustReceiver(f, receiver, callee->params.front().type, at);
    if (self.isError()) return;
    Value done = emitCall(f, *callee, {self, value}, at, ValueId::None);
    if (done.unmarkedFailable) rejectUnmarked(f, done, at);
}

/// The receiver of a property target, evaluated once.
Value lowerReceiver(Body& f, const Member& m) {
    Value base = lowerBase(f, m.base);
    return base.isError() ? base : ownerOf(f, base, m.dot);
}

const char* whatIs(SymbolKind kind) {
    switch (kind) {
    case SymbolKind::Function:
    case SymbolKind::Intrinsic: return "function";
    case SymbolKind::Type:
    case SymbolKind::GenericStruct:
    case SymbolKind::GenericProtocol: return "type";
    case SymbolKind::Namespace:
    case SymbolKind::Library: return "module";
    case SymbolKind::Pack: return "pack";
    case SymbolKind::Constant:
    case SymbolKind::RuntimeConst: return "constant";
    case SymbolKind::Unresolved:
    case SymbolKind::Error:
    case SymbolKind::Local:
    case SymbolKind::Global: break;
    }
    return "name";
}

/// `ns.name = …`: only a global of the module has storage.
bool checkModuleTarget(Body& f, const Value& module, const Member& m) {
    Symbol* s = lookupMember(*module.module, m.name.name, f.currentFile());
    if (!s) return true; // reported by the access itself
    s = resolve(f.sema, s);
    if (s->kind == SymbolKind::Global || s->kind == SymbolKind::Error) return true;
    f.diags.error(m.name.span,
                  "the " + std::string(whatIs(s->kind)) + " " + code(f.sema, s->name) + " cannot be assigned");
    return false;
}

/// `value.variant = …` of a tagged enum: a variant is set by construction only.
bool isVariantTarget(Body& f, TypeId owner, Name name) {
    return owner != TypeId::None && complete(f.sema, owner) && isTaggedEnum(f.types, owner) &&
           f.types.enumInfo(owner).index.count(name);
}

Value placeOfMember(Body& f, const Member& m) {
    if (m.optional || limitOwner(f.sema, m) != TypeId::None) return lower(f, &m);
    Value base = lowerBase(f, m.base);
    if (base.isError()) return base;
    if (base.kind == Value::Kind::Namespace && !checkModuleTarget(f, base, m)) return Value::error();
    TypeId owner = ownerType(f, base);
    if (!m.isIndex && isVariantTarget(f, owner, m.name.name)) {
        f.diags.error(m.span, "the variant " + code(f.sema, m.name.name) + " is not assigned through the value")
            .help("build the whole value: " + code("x = ." + f.sema.text(m.name.name) + "(…);"));
        return Value::error();
    }
    if (owner != TypeId::None && !hasField(f, owner, m.name.name) &&
        members(f.sema, owner).getters.count(m.name.name)) {
        f.diags
            .error(m.span,
                   "the property " + code(f.sema, m.name.name) + " of " + code(f.types, owner) + " has no setter")
            .help("declare one: " +
                  code(f.sema.text(m.name.name) + " :: (self: *" + writtenName(f.types, owner) + ", v: T) #set { … }"));
        return Value::error();
    }
    return memberOf(f, base, m);
}

/// The names of this function that could be assigned.
std::vector<std::string_view> variablesInSight(Body& f) {
    std::vector<std::string_view> names;
    for (const Scope* s = f.scope; s; s = s->parent)
        for (const Scope::Entry& entry : s->entries)
            if (entry.symbol->kind == SymbolKind::Local && !immutability(*entry.symbol))
                names.push_back(f.sema.names.text(entry.name));
    for (auto& [name, symbol] : f.currentFile().names)
        if (symbol->kind == SymbolKind::Global) names.push_back(f.sema.names.text(name));
    return names;
}

/// A forgotten declaration is one mistake: from here on the name is known everywhere in the function, with no type.
void declareForFunction(Body& f, const Ident& id) {
    Scope* outermost = f.scope;
    while (outermost->parent && !outermost->isFunctionBoundary && outermost->parent->owner == f.scope->owner)
        outermost = outermost->parent;
    declare(f.sema, *outermost, id.name, newSymbol(f.sema, id.name, SymbolKind::Error, id.span));
}

Value placeOfName(Body& f, const NameRef& e, Span statement) {
    LookupResult found = lookup(f.sema, e.id.name, f.scope, f.scopeLimit, &f.currentFile());
    std::string_view text = f.sema.names.text(e.id.name);
    if (!found.symbol && text != "context") {
        std::string spelled(text);
        Diagnostic& d = f.diags.error(statement, "there is no variable " + code(spelled) + " to assign");
        if (isSearchedFor(f.diags, namesInSight(f.scope, f.currentFile())))
            suggest(f.diags, d, text, variablesInSight(f));
        d.help("declare it: " + code(spelled + " := …;"));
        declareForFunction(f, e.id);
        return Value::error();
    }
    return lowerName(f, e, TypeId::None);
}

} // namespace

Value lowerPlace(Body& f, const Expr* target, Span statement) {
    const Expr* e = withoutParens(target);
    Span outer = f.b.span();
    f.b.setSpan(e->span);
    Value place;
    if (const auto* name = llvm::dyn_cast<NameRef>(e)) place = placeOfName(f, *name, statement);
    else if (const auto* member = llvm::dyn_cast<Member>(e)) place = placeOfMember(f, *member);
    else place = lower(f, e);
    f.b.setSpan(outer);
    if (!checkAssignable(f, place, e, statement)) return Value::error();
    noteWrite(f, place, statement);
    return place;
}

std::string assignmentProblem(const Sema& sema, const Symbol& local) {
    std::optional<Immutable> why = immutability(local);
    return why ? std::string(why->what) + " " + code(sema, local.name) + " cannot be assigned" : "";
}

bool checkAssignable(Body& f, const Value& place, const Expr* target, Span statement) {
    if (place.isError()) return false;
    const Expr* e = withoutParens(target);
    bool isName = llvm::isa<NameRef>(e);
    Symbol* s = isName ? place.symbol : nullptr;
    if (s) {
        std::string name = code(f.sema, s->name);
        if (s->kind == SymbolKind::Local) {
            if (std::optional<Immutable> why = immutability(*s)) {
                f.diags.error(statement, std::string(why->what) + " " + name + " cannot be assigned")
                    .note(s->nameSpan, "it is declared here")
                    .help(why->wayOut);
                return false;
            }
        } else if (s->kind != SymbolKind::Global) {
            Diagnostic& d =
                f.diags.error(statement, "the " + std::string(whatIs(s->kind)) + " " + name + " cannot be assigned")
                    .note(s->nameSpan, "it is declared here");
            if (s->kind == SymbolKind::Constant || s->kind == SymbolKind::RuntimeConst)
                d.help("declare it with `:=` to make it a variable");
            return false;
        }
    }
    if (!checkPart(f, place, target->span)) return false;
    if (place.isMemory() && place.lvalue) return true;
    if (place.isVoid() && place.type == TypeId::Void) {
        if (takesVoid(f)) return true;
        f.diags.error(target->span, "this has no value, so there is nothing to assign");
        return false;
    }
    Diagnostic& d = f.diags.error(target->span, "this is a temporary value, not storage, so it cannot be assigned");
    const auto* member = llvm::dyn_cast<Member>(e);
    if (member && member->optional) {
        std::string base(f.sema.sources.textOf(member->base->span)), field = f.sema.text(member->name.name);
        d.help("`?.` only reads: write " + code(base + "!." + field + " = …") + ", or " +
               code("if v := " + base + " { … }") + " where it may be null");
    } else {
        d.help("assign a variable, a field, an element or `p.*`");
    }
    return false;
}

// ------------------------------------------------------------------------------------ properties

TypeId setterType(Body& f, const Expr* target) { return valueTypeOf(f, propertyOf(f, target).setter, target->span); }

void storeProperty(Body& f, const Expr* target, const Value& value) {
    Property p = propertyOf(f, target);
    const auto* m = llvm::dyn_cast<Member>(withoutParens(target));
    if (!p.setter || !m) return;
    Value receiver = lowerReceiver(f, *m);
    if (!receiver.isError()) callSetter(f, *p.setter, receiver, value, target->span);
}

bool assignProperty(Body& f, const Expr* target, const Expr* value, const std::optional<BinaryOp>& op, bool& handled,
                    Span statement) {
    Property p = propertyOf(f, target);
    handled = p.setter != nullptr;
    if (!handled) return true;
    const auto& m = *llvm::cast<Member>(withoutParens(target));
    TypeId type = valueTypeOf(f, p.setter, target->span);
    if (type == TypeId::None) return false;
    if (!op) {
        Value v = lowerTo(f, value, type);
        if (v.isError() || !f.reachable()) return false;
        v = snapshot(f, v);
        Value receiver = lowerReceiver(f, m);
        if (receiver.isError()) return false;
        callSetter(f, *p.setter, receiver, v, target->span);
        return true;
    }
    if (!p.getter) {
        f.diags.error(target->span, "the property " + code(f.sema, m.name.name) +
                                        " has no getter, so it cannot be combined with a value");
        return false;
    }
    // The right side, then the receiver once, then get, combine, set.
    Value rhs = lower(f, value, isNumeric(f.types, type) || isPlainEnum(f.types, type) ? type : TypeId::None);
    if (rhs.isError() || !f.reachable()) return false;
    rhs = snapshot(f, rhs);
    Value receiver = lowerReceiver(f, m);
    if (receiver.isError()) return false;
    Value current = callGetter(f, *p.getter, receiver, target->span);
    if (current.isError()) return false;
    Value combined = arithmetic(f, *op, current, rhs, target, value, statement, statement);
    if (combined.isError()) return false;
    combined = convert(f, combined, type, value->span);
    if (combined.isError()) return false;
    callSetter(f, *p.setter, receiver, combined, target->span);
    return true;
}

// ------------------------------------------------------------------------------------ addresses

Value lowerAddressOf(Body& f, const Unary& e, TypeId target) {
    TypeId pointee = f.types.kind(target) == TypeKind::Pointer ? f.types.elem(target) : TypeId::None;
    if (f.types.kind(pointee) == TypeKind::Protocol) pointee = TypeId::None; // a view takes the address of any object
    bool outer = std::exchange(f.modes.addressWanted, true);
    Value v = lowerOperand(f, e.operand, pointee);
    f.modes.addressWanted = outer;
    if (v.isError()) return v;
    if (v.isTypeName()) return Value::ofType(pointerTo(f.types, v.namedType));
    v = elementOf(f, v);
    if (!requireValue(f, v, e.operand->span)) return Value::error();
    if (v.type == TypeId::NoReturn) return v;
    Symbol* s = v.symbol;
    bool isConstant =
        s && (s->kind == SymbolKind::Constant || (s->kind == SymbolKind::Local && s->localKind == LocalKind::Const));
    if (isConstant && isScalar(f.types, v.type)) {
        f.diags.error(e.span, "the constant " + code(f.sema, s->name) + " has no address: it is no storage")
            .help("copy it into a variable and take the address of that");
        return Value::error();
    }
    if (v.isVoid() && takesVoid(f)) v = temp(f, TypeId::Void); // an address that is not null: nobody reads there
    else if (v.type == TypeId::Null || v.type == TypeId::Void) {
        f.diags.error(e.span, "there is no address of this")
            .help("`*` takes the address of a variable, a field or an element");
        return Value::error();
    }
    if (pointee != v.type && f.types.kind(v.type) == TypeKind::Optional && f.types.elem(v.type) == pointee)
        v = narrowedValue(f, v);
    TypeId pointer = pointerTo(f.types, v.type);
    return Value::scalar(pointer, emitCast(f.b, ir::Op::Reinterpret, addressOf(f, v), pointer));
}

} // namespace sx::lower
