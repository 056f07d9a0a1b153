// Data breakpoints of a program that begins: those of global variables are set, or set anew; the others end.
#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Session.h"

#include <utility>

namespace sx::debugger {

using llvm::json::Object;

namespace {

/// Its name without the module.
llvm::StringRef ownName(const ir::Global& g) {
    llvm::StringRef name = g.name;
    return name.substr(name.rfind('.') + 1); // npos + 1 is 0
}

std::string fileOf(const Session& s, Span span) {
    return span.isValid() ? s.program->absolutePath(s.program->sources.fileOf(span.begin)) : std::string();
}

/// The memory of a global variable, as far as the program has it.
std::optional<Datum> memoryOfGlobal(Session& s, ir::GlobalId id) {
    std::optional<uint64_t> address = s.engine->addresses().addressOf(id);
    const ir::Global& g = s.program->module.global(id);
    if (!address || g.type == TypeId::None) return std::nullopt;
    return Datum::at(g.type, *address);
}

bool holds(Session& s, const Datum& whole, uint64_t address, uint64_t size) {
    uint64_t bytes = valuesOf(s).sizeOf(whole.type);
    return address >= whole.address && size <= bytes && address - whole.address <= bytes - size;
}

/// Where names have the meaning that they have in a file: in a function there; nothing: it has none.
std::optional<FrameHandle> scopeInFile(const Session& s, const std::string& file) {
    for (uint32_t i = 0; i < s.program->module.functions.size(); ++i) {
        const ir::Function& fn = *s.program->module.functions[i];
        if (fn.dead || fn.isExtern || fn.compilerMade || fileOf(s, fn.span) != file) continue;
        FrameHandle scope;
        scope.frame.func = static_cast<ir::FuncId>(i);
        scope.frame.at = fn.bodyStart;
        return scope;
    }
    return std::nullopt;
}

/// What the breakpoint watched, in the program that has begun.
Result<Datum> placeAgain(Session& s, const Breakpoint& b) {
    if (b.isPending) return evaluatePlace(s, b.name, nullptr);
    if (!b.global) return Failure{"it is no part of a global variable"};
    const ir::Module& module = s.program->module;
    for (uint32_t i = 0; i < module.globals.size(); ++i) {
        const ir::Global& g = module.globals[i];
        if (g.name != b.global->name || fileOf(s, g.span) != b.global->file) continue;
        std::optional<Datum> whole = memoryOfGlobal(s, static_cast<ir::GlobalId>(i));
        if (!whole) continue;
        if (b.global->isWhole) return *whole;
        std::optional<FrameHandle> scope = scopeInFile(s, b.global->file);
        Result<Datum> part = evaluatePlace(s, b.name, scope ? &*scope : nullptr);
        if (!part) return part.failure();
        if (!holds(s, *whole, part->address, valuesOf(s).sizeOf(part->type)))
            return Failure{"it is no part of " + code(asUtf8(g.name)) + " any more"};
        return *part;
    }
    return Failure{"the program has no " + code(asUtf8(b.global->name)) + " any more"};
}

Result<void> setAgain(Session& s, Breakpoint& b) {
    Result<Datum> place = placeAgain(s, b);
    if (!place) return place.failure();
    b.address = place->address;
    b.size = valuesOf(s).sizeOf(place->type);
    b.type = place->type;
    if (std::exchange(b.isPending, false)) {
        noteGlobal(s, b);
        settleData(s, b);
        if (!b.message.empty()) return Failure{b.message};
        return s.engine->setWatch(b.id, b.address, b.size);
    }
    b.scope = ir::FuncId::None;
    if (Resolved found = b.scopeName.empty() ? Resolved() : s.places->ofFunction(b.scopeName); !found.points.empty())
        b.scope = found.points.front().func;
    return s.engine->setWatch(b.id, b.address, b.size);
}

} // namespace

void noteGlobal(Session& s, Breakpoint& b) {
    b.global.reset();
    if (!s.program) return;
    const ir::Module& module = s.program->module;
    for (uint32_t i = 0; i < module.globals.size(); ++i) {
        const ir::Global& g = module.globals[i];
        if (g.name.empty() || b.name.find(ownName(g)) == std::string::npos) continue;
        std::optional<Datum> whole = memoryOfGlobal(s, static_cast<ir::GlobalId>(i));
        if (!whole || !holds(s, *whole, b.address, b.size)) continue;
        bool isWhole = whole->address == b.address && whole->type == b.type;
        b.global = {g.name, fileOf(s, g.span), isWhole};
        return;
    }
}

void setWatchesAgain(Session& s) {
    for (auto it = s.breakpoints.all.begin(); it != s.breakpoints.all.end();) {
        Breakpoint& b = it->second;
        if (b.kind != Breakpoint::Kind::Data) {
            ++it;
            continue;
        }
        Result<void> set = setAgain(s, b);
        b.verified = bool(set);
        s.event("breakpoint", Object{{"reason", set ? "changed" : "removed"}, {"breakpoint", describe(s, b)}});
        if (!set) s.note(code(asUtf8(b.name)) + " is not watched any more: " + set.error());
        it = set ? std::next(it) : s.breakpoints.all.erase(it);
    }
}

} // namespace sx::debugger
