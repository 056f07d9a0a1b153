#include "lower/calls/MissingMethods.h"

#include "lower/body/Explain.h"
#include "lower/calls/Formats.h"
#include "lower/calls/Methods.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/LibraryTexts.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

std::string argumentText(Body& f, const Member& m) { return std::string(f.sema.sources.textOf(m.base->span)); }

/// The type implements a protocol that has the method, and its impl does not.
bool noteIncompleteImpl(Body& f, Diagnostic& d, TypeId type, Name name) {
    bool found = false;
    for (const ImplInfo* impl : f.sema.impls.byTarget[canonical(f.sema, type)]) {
        const NominalInfo* protocol = nominal(f.sema, impl->protocol);
        if (!protocol || !protocol->decl) continue;
        for (const ProtocolMethod& m : static_cast<const ProtocolDecl*>(protocol->decl)->methods) {
            if (m.fn->name.name != name || m.fn->hasBody()) continue;
            d.note(impl->decl->protocolRef->span, "this impl of " + code(f.types, impl->protocol) + " leaves it out");
            found = true;
        }
    }
    return found;
}

/// `date.to_text(d)`, where the file imports a module as `date` whose function takes the receiver; "": none does.
std::string functionOfModule(Body& f, const Value& receiver, const Member& m, std::string_view name) {
    SourceFile& file = f.currentFile();
    for (const Symbol* alias : file.order) {
        if (!alias->module || !alias->isNamespaceAlias()) continue;
        Symbol* found = lookupMember(*alias->module, f.sema.name(name), file);
        if (!found || resolve(f.sema, found)->kind != SymbolKind::Function) continue;
        FunctionTemplate& function = *found->function;
        if (!takesReceiver(f, receiver, function)) continue;
        const auto* first = llvm::dyn_cast_or_null<Unary>(function.decl->params.front().type);
        bool needsAddress = first && first->op == UnaryOp::AddrOf && f.types.kind(receiver.type) != TypeKind::Pointer;
        std::string rest = function.decl->params.size() > 1 && !function.decl->params[1].defaultValue ? ", …)" : ")";
        return f.sema.text(alias->name) + "." + std::string(name) + "(" + (needsAddress ? "*" : "") +
               argumentText(f, m) + rest;
    }
    return {};
}

/// The function of the library that values of a type have, in a module that the file does not import.
LibraryFunction functionFor(Body& f, TypeId type, std::string_view name) {
    if (type == TypeId::String) return libraryFunction(f.sema, {"text"}, name);
    bool isList = nominal(f.sema, type) && writtenName(f.types, type).starts_with("List(");
    if (!isList && elementType(f.types, type) == TypeId::None) return {};
    return libraryFunction(f.sema, {"lists", "sort"}, name);
}

/// What is called otherwise here, or is a function of a module.
bool helpWithName(Body& f, Diagnostic& d, const Value& receiver, const Member& m, TypeId type, std::string_view name) {
    if (members(f.sema, type).methods.count(f.sema.name(name)) != 0) {
        d.help("it is called " + code("." + std::string(name) + "(…)"));
        return true;
    }
    if (std::string call = functionOfModule(f, receiver, m, name); !call.empty()) {
        d.help("it is a function of a module: call it directly, " + code(call));
        return true;
    }
    if (auto [module, isUfcs] = functionFor(f, type, name); !module.empty()) {
        std::string import = module + " :: #import \"modules/std/" + module + ".sx\";";
        if (isUfcs)
            d.help(code("modules/std/" + module + ".sx") + " has " + code(std::string(name)) + ": add " + code(import));
        else
            d.help("it is a function of a module: add " + code(import) + " and call " +
                   code(module + "." + std::string(name) + "(…)"));
        return true;
    }
    return false;
}

} // namespace

Value noMethod(Body& f, const Value& receiver, const Member& m) {
    if (rejectTypeVariable(f, receiver)) return Value::error();
    TypeId type = pointeeOrSelf(f.types, receiver.type);
    std::string name = f.sema.text(m.name.name);
    LookupResult found = lookup(f.sema, m.name.name, f.scope, f.scopeLimit, &f.currentFile());
    Symbol* symbol = found.symbol ? resolve(f.sema, found.symbol) : nullptr;
    std::string base = argumentText(f, m);
    bool isPlain = symbol && symbol->kind == SymbolKind::Function && !symbol->function->decl->isUfcs;
    if (isPlain && isFormat(f.sema, *symbol->function, 0)) { // a receiver is none
        Diagnostic made;
        bool isKnown = false;
        for (std::string_view own : ownNames(name)) isKnown = isKnown || helpWithName(f, made, receiver, m, type, own);
        if (!isKnown) made.help("write " + code(name + "(\"{}\", " + base + ")"));
        f.diags.error(m.span, code(f.types, type) + " has no method " + code(name)).notes = made.notes;
        return Value::error();
    }
    if (isPlain) {
        f.diags.error(m.span, code(name) + " is a plain function: it cannot be called with a dot")
            .help("call it directly, " + code(name + "(" + base + ", …)") + ", pipe into it, " +
                  code(base + " |> " + name + "(…)") + ", or declare it " + code(name + " :: ufcs (…)"));
        return Value::error();
    }
    if (f.types.kind(type) == TypeKind::Optional) {
        f.diags
            .error(m.span, "this may be null: " + code(f.types, type) + " is unwrapped before " + code(name) +
                               " is called on it")
            .help("write `!`, `??` or `if v := …` to get at the value");
        return Value::error();
    }
    std::vector<std::string_view> names;
    for (auto& [known, method] : members(f.sema, type).methods) names.push_back(f.sema.names.text(known));
    size_t before = f.diags.all().size();
    f.diags.error(m.span, code(f.types, type) + " has no method " + code(name));
    if (f.diags.all().size() == before) return Value::error(); // it was reported before
    std::vector<std::string_view> wanted{name};
    for (std::string_view other : ownNames(name)) wanted.push_back(other);
    Diagnostic made; // looking for what takes the receiver may report
    bool isKnown = noteIncompleteImpl(f, made, type, m.name.name);
    for (std::string_view other : wanted)
        if (!isKnown) isKnown = helpWithName(f, made, receiver, m, type, other);
    bool hasLength =
        elementType(f.types, type) != TypeId::None || members(f.sema, type).getters.count(f.sema.name("len"));
    std::string_view foreign = hasLength ? foreignMember(name) : std::string_view();
    if (foreign.empty()) foreign = foreignOfAny(name);
    if (!isKnown && !foreign.empty()) made.help(std::string(foreign));
    else if (!isKnown) suggest(f.diags, made, name, names);
    f.diags.since(before).front().notes = made.notes;
    return Value::error();
}

} // namespace sx::lower
