#include "lower/values/Names.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "sema/Constants.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace sx::lower {

using namespace ast;

namespace {

bool endsWithPath(const std::string& path, std::string_view tail) {
    return path.size() >= tail.size() && std::string_view(path).substr(path.size() - tail.size()) == tail;
}

} // namespace

Symbol* libraryName(Body& f, std::string_view name) {
    Name wanted = f.sema.name(name);
    auto in = [&](const SourceFile& file) -> Symbol* {
        auto it = file.names.find(wanted);
        return it == file.names.end() || it->second->isPrivate ? nullptr : resolve(f.sema, it->second);
    };
    // The parts that the prelude imports come first: their names are declarations, those of the prelude are aliases.
    for (const char* part : {"modules/std/core.sx", "modules/std/target.sx", "modules/std.sx"})
        for (const auto& file : f.sema.program.files)
            if (file->isLibrary && endsWithPath(file->path, part))
                if (Symbol* s = in(*file)) return s;
    for (const auto& file : f.sema.program.files)
        if (file->isLibrary)
            if (Symbol* s = in(*file)) return s;
    return nullptr;
}

// ------------------------------------------------------------------------------------ names that are always there

namespace {

Value contextValue(Body& f) {
    if (f.sema.hasContext()) {
        Value v = Value::place(f.sema.contextType, f.context);
        v.contextRooted = true;
        return v;
    }
    return contextMissing(f);
}

Value unreachableHere(Body& f, Span at) {
    emitPanic(f.b, ir::PanicKind::Unreachable, at);
    return Value::diverged();
}

/// The enum of OS or ARCH: the library's declaration, or one of the same shape if the program does not load it.
TypeId targetEnum(Body& f, TypeId& known, const char* name, llvm::ArrayRef<std::string_view> variants) {
    if (known != TypeId::None) return known;
    if (Symbol* s = libraryName(f, name);
        s && s->kind == SymbolKind::Type && f.types.kind(s->type) == TypeKind::Enum && complete(f.sema, s->type))
        return known = s->type;
    known = f.types.newEnum(name);
    EnumInfo info;
    for (std::string_view v : variants)
        info.variants.push_back({f.sema.name(v), static_cast<int64_t>(info.variants.size()), TypeId::None});
    f.types.completeEnum(known, std::move(info));
    return known;
}

Value variantConstant(Body& f, TypeId type, const char* variant) {
    const EnumInfo& info = f.types.enumInfo(type);
    auto it = info.index.find(f.sema.name(variant));
    return it == info.index.end() ? Value::error()
                                  : Value::ofConst(type, ConstValue::ofInt(info.variants[it->second].value));
}

} // namespace

Value targetConstant(Body& f, std::string_view wanted) {
    if (wanted == "POINTER_SIZE") return Value::ofConst(TypeId::I64, ConstValue::ofInt(8));
    if (wanted == "OS")
        return variantConstant(f, targetEnum(f, f.sema.operatingSystem, "OperatingSystem", operatingSystems), "linux");
    if (wanted == "ARCH")
        return variantConstant(f, targetEnum(f, f.sema.architecture, "Architecture", architectures), "x86_64");
    return Value::error();
}

Value lowerName(Body& f, const NameRef& e, TypeId) {
    Name id = e.id.name;
    Span at = e.id.span;
    LookupResult found = lookup(f.sema, id, f.scope, f.scopeLimit, &f.currentFile());
    if (found.symbol && !found.ambiguous) return valueOfSymbol(f, found.symbol, at, found.crossesFunction);
    if (!found.symbol && !e.id.raw) {
        std::string_view text = f.sema.names.text(id);
        if (text == "context") return contextValue(f);
        if (text == "unreachable") return unreachableHere(f, at);
        if (Value v = targetConstant(f, text); !v.isError()) return v;
        if (text != "_" && namesType(f.sema, &e, typeContext(f, true))) {
            TypeId type = resolveType(f.sema, &e, typeContext(f));
            return type == TypeId::None ? Value::error() : Value::ofType(type);
        }
        if (isIntrinsicName(text)) {
            Symbol* s = libraryName(f, text);
            if (!s ||
                (s->kind != SymbolKind::Intrinsic && !(s->kind == SymbolKind::Function && s->function->isIntrinsic)))
                s = newSymbol(f.sema, id, SymbolKind::Intrinsic, at);
            return valueOfSymbol(f, s, at, false);
        }
    }
    if (f.insertFailed && !found.symbol) return Value::error();
    reportUnresolved(f.sema, id, at, found, f.scope, &f.currentFile());
    return Value::error();
}

// ------------------------------------------------------------------------------------ what a symbol stands for

namespace {

/// The value of a constant. An aggregate is read from one read-only global.
Value constantOf(Body& f, Symbol* s) {
    if (s->constant().kind == ConstValue::Kind::Data && s->global == ir::GlobalId::None)
        s->global = constGlobal(f.sema, s->type, *s->constant().data, f.sema.text(s->name), s->nameSpan);
    Value v;
    if (s->global != ir::GlobalId::None) {
        v = Value::place(s->type, globalAddr(f.b, s->global, pointerTo(f.types, s->type)));
        v.constant = s->constant();
    } else {
        v = valueOfConstant(s->type, s->constant());
    }
    v.constRooted = true;
    return v;
}

/// A struct constant that does not fold: its initializer is evaluated here, as it was written there.
Value evaluatedAnew(Body& f, Symbol* s) {
    const auto* decl = llvm::dyn_cast_or_null<ConstDecl>(s->decl);
    if (!decl) return Value::error();
    Value v = lowerInScope(f, decl->value, s->type, *s->file, s->scope, s->scope ? s->scopeLimit : UINT32_MAX);
    v.constRooted = true;
    return v;
}

/// A module-scope constant that is not defined because its value was rejected (modules-and-comptime 12.10). What
/// needs an evaluation may also be missing because of errors elsewhere: about that nothing is said.
bool isRejectedConstant(const Symbol& s) {
    const auto* decl = llvm::dyn_cast_or_null<ConstDecl>(s.decl);
    if (!decl || s.scope) return false;
    ExprKind kind = withoutParens(decl->value)->kind;
    return kind == ExprKind::Int || kind == ExprKind::Float || kind == ExprKind::Bool || kind == ExprKind::String ||
           kind == ExprKind::Null || kind == ExprKind::Unary || kind == ExprKind::Binary || kind == ExprKind::ArrayLit;
}

Value functionNamed(FunctionTemplate* function) {
    Value v;
    v.kind = Value::Kind::Function;
    v.function = function;
    return v;
}

} // namespace

/// In block 0, where it dominates every use (see the note at `captures`). The statement that begins here does not begin
/// there.
template <typename Emit> static ValueId inEntry(Body& f, Emit emit) {
    ir::Builder::Marks marks = f.b.takeMarks();
    BlockId here = f.b.block();
    f.b.setBlock(BlockId{0});
    if (f.b.terminated()) f.b.setBlock(here);
    ValueId made = emit();
    f.b.setBlock(here);
    f.b.putMarks(std::move(marks));
    return made;
}

/// The address of a variable of the body that a question is about: the word of the block of places that follows those
/// in use.
static ValueId addressInPlaces(Body& f, TypeId type) {
    return inEntry(f, [&] {
        TypeId pointer = pointerTo(f.types, type);
        ValueId word = emitOffset(f.b, f.places, 8 * f.captures.list.size(), pointerTo(f.types, pointer));
        return emitLoad(f.b, pointer, word);
    });
}

/// For a question: a variable of the body that it is about has a place that is given, or storage in the question's own
/// function.
static Symbol* standIn(Body& f, Symbol* local, Span at) {
    if (local->type == TypeId::None || local->type == TypeId::Void) return local;
    for (const Capture& c : f.captures.list)
        if (c.outer == local) return c.inner;
    Symbol* inner = f.sema.make<Symbol>(*local);
    inner->address = f.places != ValueId::None ? addressInPlaces(f, local->type)
                                               : slotAddr(f.b, f.b.newSlot(local->type, local->name, local->nameSpan));
    inner->owner = &f;
    inner->snapshot = ir::SlotId::None; // its trace stays with the body
    f.captures.list.push_back({local, inner, 0, at});
    if (f.narrowing.present.count(local)) f.narrowing.present.insert(inner);
    return inner;
}

/// Whether a constant is local to a function around the named function that `f` is (in): it has no access to it.
static bool belongsToEnclosing(const Body& f, const Symbol& s) {
    if (f.sema.journal) return false; // a question stands in the function whose locals it names
    const Body* named = &f;
    // A scratch body stands where its expression does.
    for (const Scope* around = f.scope; f.isComptimeScratch && around && named == &f; around = around->parent)
        if (around->owner && around->owner != &f) named = around->owner;
    while (named->isLambda && named->parent) {
        if (named == s.owner) return false;
        named = named->parent;
    }
    return s.owner && named != s.owner && named->instance;
}

/// A constant may be read here. False after a report.
static bool isUsable(Body& f, const Symbol& s, Span at, bool crossesFunction) {
    if (crossesFunction && belongsToEnclosing(f, s)) {
        f.diags
            .error(at, "the local constant " + code(f.sema, s.name) +
                           " belongs to the enclosing function, and a nested named function has no access to it")
            .note(s.nameSpan, "it is declared here")
            .help("pass it as a parameter, or declare it at the top level");
        return false;
    }
    if (s.variant)
        f.diags.error(at, "only the variant of " + code(f.sema, s.name) +
                              " is known here: its payload is passed at run time");
    return !s.variant;
}

static Value rejectedName(Body& f, const Symbol& s, Span at) {
    if (isRejectedConstant(s) && !s.resolving && !s.isCyclic)
        f.diags.error(at, "unknown name " + code(f.sema, s.name) + ": its declaration was rejected")
            .note(s.nameSpan, "it is declared here");
    return Value::error();
}

Value valueOfSymbol(Body& f, Symbol* symbol, Span at, bool crossesFunction) {
    Symbol* s = resolve(f.sema, symbol);
    if (f.sema.uses) f.sema.uses->all.push_back({at, symbol, nullptr, {}, TypeId::None});
    Value v;
    switch (s->kind) {
    case SymbolKind::Unresolved: return Value::error();
    case SymbolKind::Error: return rejectedName(f, *s, at);
    case SymbolKind::Local:
        if (f.asks && s->owner != &f) v = localValue(standIn(f, s, at));
        else if (s->owner == &f || (!s->owner && !crossesFunction)) v = localValue(s);
        else return capture(f, s, at);
        break;
    case SymbolKind::Constant:
        if (!isUsable(f, *s, at, crossesFunction)) return Value::error();
        v = constantOf(f, s);
        break;
    case SymbolKind::RuntimeConst: v = evaluatedAnew(f, s); break;
    case SymbolKind::Global: v = Value::place(s->type, globalAddr(f.b, s->global, pointerTo(f.types, s->type))); break;
    case SymbolKind::Function: v = functionNamed(s->function); break;
    case SymbolKind::Intrinsic: v = functionNamed(s->function); break;
    case SymbolKind::Type:
        if (s->type == TypeId::None) return Value::error();
        v = Value::ofType(s->type);
        break;
    case SymbolKind::GenericStruct:
        v.kind = Value::Kind::GenericStruct;
        v.structTemplate = s->structTemplate;
        break;
    case SymbolKind::GenericProtocol: v.kind = Value::Kind::Protocol; break;
    case SymbolKind::Library:
    case SymbolKind::Namespace:
        if (!s->module) {
            f.diags.error(at, code(f.sema, s->name) + " names a library to link with, it is no value");
            return Value::error();
        }
        v.kind = Value::Kind::Namespace;
        v.module = s->module;
        break;
    case SymbolKind::Pack:
        v.kind = Value::Kind::Pack;
        v.pack = s->pack;
        break;
    }
    if (v.isError()) return v;
    v.symbol = s;
    return v;
}

Value localValue(Symbol* s) {
    if (s->type == TypeId::None) return Value::error();
    if (s->type == TypeId::Void) return Value::none();
    Value v = Value::place(s->type, s->address);
    v.symbol = s;
    v.errors = s->errors;
    v.refCapture = s->localKind == LocalKind::LoopRef;
    switch (s->localKind) {
    case LocalKind::Const: v.constRooted = true; break;
    case LocalKind::LoopElement:
    case LocalKind::LoopIndex:
    case LocalKind::Payload:
    case LocalKind::ErrorBinding:
    case LocalKind::PackElement: v.captureRoot = s; break;
    case LocalKind::Variable:
    case LocalKind::Parameter:
    case LocalKind::LoopRef:
    case LocalKind::Capture: break;
    }
    return v;
}

// ------------------------------------------------------------------------------------ captures

namespace {

std::string_view whatIs(LocalKind kind) {
    switch (kind) {
    case LocalKind::Variable: return "variable";
    case LocalKind::Parameter: return "parameter";
    case LocalKind::Const: return "local constant";
    case LocalKind::LoopElement:
    case LocalKind::LoopRef:
    case LocalKind::LoopIndex: return "loop variable";
    case LocalKind::Payload:
    case LocalKind::ErrorBinding: return "binding";
    case LocalKind::Capture: return "captured variable";
    case LocalKind::PackElement: return "pack element";
    }
    return "local";
}

/// The lambdas from `f` outwards lead to the function that owns the symbol.
bool canCapture(const Body& f, const Symbol& s) {
    for (const Body* outer = f.parent; outer; outer = outer->parent)
        if (outer == s.owner) return true;
    return false;
}

/// The private copy of `outer` in the lambda `f`, made on first use; the lambdas in between get theirs as well.
Symbol* privateCopy(Body& f, Symbol* outer) {
    Symbol* source = outer->owner == f.parent ? outer : privateCopy(*f.parent, outer);
    source->isRead = true;
    for (const Capture& c : f.captures.list)
        if (c.outer == source) return c.inner;
    ir::SlotId slot = f.b.newSlot(source->type, source->name, source->nameSpan);
    Symbol* inner = newLocal(f, source->name, SymbolKind::Local, source->nameSpan);
    inner->type = source->type;
    inner->owner = &f;
    inner->file = source->file;
    inner->errors = source->errors;
    inner->variant = source->variant;
    // Its own variable from here on, except that element references go on reading as elements and constants stay so.
    bool keepsKind = source->localKind == LocalKind::LoopRef || source->localKind == LocalKind::Const;
    inner->localKind = keepsKind ? source->localKind : LocalKind::Capture;
    inner->address = inEntry(f, [&] { return slotAddr(f.b, slot); });
    f.b.declareEverywhere(inner->address, source->name, source->nameSpan);
    uint64_t end = 0;
    if (!f.captures.list.empty())
        end = f.captures.list.back().offset + sizeOf(f.types, f.captures.list.back().inner->type);
    f.captures.list.push_back({source, inner, llvm::alignTo(end, alignOf(f.types, source->type))});
    return inner;
}

} // namespace

Value capture(Body& f, Symbol* outer, Span at) {
    if (outer->type == TypeId::None) return Value::error();
    if (outer->type == TypeId::Void) return Value::none();
    for (Body* around = f.parent; around; around = around->parent)
        if (around->asks && !canCapture(f, *outer)) outer = standIn(*around, outer, at);
    if (canCapture(f, *outer)) return localValue(privateCopy(f, outer));
    std::string text = "the " + std::string(whatIs(outer->localKind)) + " " + code(f.sema, outer->name);
    if (f.isComptimeScratch) {
        f.diags.error(at, text + " has no value while compiling").note(outer->nameSpan, "it is declared here");
        return Value::error();
    }
    f.diags.error(at, text + " belongs to the enclosing function, and a nested named function has no access to it")
        .note(outer->nameSpan, "it is declared here")
        .help("pass it as a parameter, or write a lambda, which captures it: `name := (…) { … };`");
    return Value::error();
}

// ------------------------------------------------------------------------------------ `$name`

namespace {

/// `$args` as a value: the element types as a slice.
Value typesOfPack(Body& f, const PackInfo& pack) {
    TypeId array = arrayOf(f.types, pack.types.size(), TypeId::Type), slice = sliceOf(f.types, TypeId::Type);
    ir::ConstData data;
    data.bytes.resize(8 * pack.types.size());
    for (size_t i = 0; i < pack.types.size(); ++i)
        writeConstant(f.sema, ConstValue::ofType(pack.types[i]), TypeId::Type, data, 8 * i);
    Value all = Value::place(array, globalAddr(f.b, constGlobal(f.sema, array, data, f.sema.text(pack.name) + ".types"),
                                               pointerTo(f.types, array)));
    return convert(f, all, slice, f.b.span());
}

} // namespace

Value contextMissing(Body& f) {
    // Whatever else of the prelude was used has said so.
    if (!f.sema.program.prelude && !asksForImport(f.sema, f.currentFile(), "#import \"modules/std.sx\";"))
        return Value::error();
    SourcePos start = f.sema.sources.start(f.currentFile().id);
    Diagnostic& d = f.diags.error(
        {start, start + 1}, "there is no context here: no module of this program declares the prelude's `Context`");
    for (const auto& file : f.sema.program.files)
        for (const Decl* decl : file->items)
            if (llvm::isa<ContextExtendDecl>(decl)) d.note(decl->span, "this declares a field of it");
    d.help("add `#import \"modules/std.sx\";`");
    return Value::error();
}

Value lowerTypeParam(Body& f, const TypeParam& e, TypeId) {
    LookupResult found = lookup(f.sema, e.id.name, f.scope, f.scopeLimit, &f.currentFile());
    Symbol* s = found.symbol ? resolve(f.sema, found.symbol) : nullptr;
    std::string spelled = code("$" + f.sema.text(e.id.name));
    if (s && s->kind == SymbolKind::Pack) {
        if (e.index < 0) return typesOfPack(f, *s->pack);
        if (static_cast<uint64_t>(e.index) < s->pack->types.size())
            return Value::ofType(s->pack->types[static_cast<size_t>(e.index)]);
        f.diags.error(e.span, "the pack " + spelled + " has " + countOf(s->pack->types.size(), "element") +
                                  ", so there is no element " + std::to_string(e.index));
        return Value::error();
    }
    Diagnostic& d = f.diags.error(e.span, spelled + " introduces a type parameter, which only a signature can do");
    if (s && s->kind == SymbolKind::Type) d.help("the bound parameter is written " + code(f.sema, e.id.name));
    return Value::error();
}

} // namespace sx::lower
