// Nominal types: declaring them, and completing what they hold by value.
//
// A type is interned when its declaration is first asked for and completed when its size or its members are.
// In between it may be mentioned freely, so declarations need no order and may refer to each other.
#include "sema/Nominal.h"

#include "sema/ErrorSets.h"
#include "sema/NominalParts.h"
#include "sema/Sema.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

namespace sx::sema {

using namespace ast;

NominalInfo* nominal(Sema& sema, TypeId t) {
    auto it = sema.nominals.infos.find(t);
    return it == sema.nominals.infos.end() ? nullptr : it->second;
}

std::string emptySetMessage(const std::string& name) {
    return "the error set " + code(name) + " has no tags: an error set needs at least one";
}

TypeId declareNominal(Sema& sema, const Decl& decl, SourceFile& file, Scope* env, uint32_t envLimit,
                      std::string displayName) {
    TypeId t = TypeId::None;
    switch (decl.kind) {
    case DeclKind::Struct:
    case DeclKind::RuntimeClass: t = sema.types.newStruct(std::move(displayName)); break;
    case DeclKind::Enum: t = sema.types.newEnum(std::move(displayName)); break;
    case DeclKind::Union: t = sema.types.newUnion(std::move(displayName)); break;
    case DeclKind::Protocol: t = sema.types.newProtocol(std::move(displayName)); break;
    case DeclKind::ErrorSet: {
        const auto& set = static_cast<const ErrorSetDecl&>(decl);
        if (set.tags.empty()) {
            sema.diags.error(decl.span, emptySetMessage(sema.text(decl.name.name)));
            return TypeId::None;
        }
        std::vector<Name> tags;
        for (const Ident& tag : set.tags) tags.push_back(tag.name);
        t = sema.types.newErrorSet(std::move(displayName), std::move(tags));
        break;
    }
    case DeclKind::Const:
    case DeclKind::Var:
    case DeclKind::Function:
    case DeclKind::UfcsAlias:
    case DeclKind::Import:
    case DeclKind::ImportC:
    case DeclKind::Library:
    case DeclKind::Framework:
    case DeclKind::RunStmt:
    case DeclKind::ErrorDirective:
    case DeclKind::ContextExtend:
    case DeclKind::Impl:
    case DeclKind::InlineIf:
    case DeclKind::Asm: return TypeId::None;
    }
    auto* info = sema.make<NominalInfo>();
    info->type = t;
    info->decl = &decl;
    info->file = &file;
    info->env = bindingScope(sema, env, envLimit, &file, decl.kind == DeclKind::Protocol ? TypeId::None : t, {});
    info->envLimit = UINT32_MAX;
    sema.nominals.infos[t] = info;
    return t;
}

// ------------------------------------------------------------------------------------ completion

namespace {

/// Nothing sensible nests types by value this deep: an instance that grows with every level does.
constexpr unsigned MaxDepth = 200;

/// Calls `visit` for each type that a complete type holds by value.
void forEachPart(const TypeTable& types, TypeId t, llvm::function_ref<void(TypeId)> visit) {
    switch (types.kind(t)) {
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Optional: visit(types.elem(t)); return;
    case TypeKind::Tuple:
        for (const TupleField& f : types.tupleFields(t)) visit(f.type);
        return;
    case TypeKind::Struct: {
        const StructInfo& info = types.structInfo(t);
        for (size_t i = 0; i < info.fields.size(); ++i) visit(info.fields[i].type);
        return;
    }
    case TypeKind::Union: {
        const UnionInfo& info = types.unionInfo(t);
        for (size_t i = 0; i < info.members.size(); ++i) visit(info.members[i].type);
        return;
    }
    case TypeKind::Enum: {
        const EnumInfo& info = types.enumInfo(t);
        if (info.layoutStruct != TypeId::None) visit(info.layoutStruct);
        for (size_t i = 0; i < info.variants.size(); ++i)
            if (info.variants[i].payload != TypeId::None) visit(info.variants[i].payload);
        return;
    }
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::String:
    case TypeKind::CString:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Slice:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::ErrorSet:
    case TypeKind::Protocol: return;
    }
}

/// The parts of a nominal type itself. True if it has them, whether or not some were rejected.
bool completeOwn(Sema& sema, NominalInfo& info) {
    if (info.completing) return true;
    info.completing = true;
    if (info.aliasInstanceOf != TypeId::None) completeAlias(sema, info);
    else if (info.decl) completeParts(sema, info);
    info.completing = false;
    return !info.failed;
}

bool isDeclared(const TypeTable& types, TypeId t) {
    switch (types.kind(t)) {
    case TypeKind::Struct: return types.structInfo(t).complete;
    case TypeKind::Enum: return types.enumInfo(t).complete;
    case TypeKind::Union: return types.unionInfo(t).complete;
    case TypeKind::Protocol: return types.protocolInfo(t).complete;
    default: return true;
    }
}

/// A name that is read at a glance: a long one ends in `…`.
std::string beginOfName(std::string name) {
    constexpr size_t longest = 60;
    if (name.size() <= longest) return name;
    size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end; // not within a character
    return name.substr(0, end) + "…";
}

class Completer {
public:
    Completer(Sema& sema, Span at) : sema_(sema), at_(at) {}

    bool deep(TypeId t, unsigned depth = 0) {
        if (t == TypeId::None) return false;
        Nominals::Completion& known = sema_.nominals.completions[t];
        if (known == Nominals::Completion::Failed) return false;
        if (known != Nominals::Completion::Unknown) return true;
        known = Nominals::Completion::Visiting;
        NominalInfo* info = nominal(sema_, t);
        bool ok = !info || isDeclared(sema_.types, t) || completeOwn(sema_, *info);
        ok &= !info || !info->failed;
        if (!isDeclared(sema_.types, t)) { // asked for while its parts are being read
            sema_.nominals.completions[t] = Nominals::Completion::Unknown;
            return ok;
        }
        if (depth > MaxDepth) {
            tooDeep_ = true;
            ok = false;
        }
        if (!tooDeep_) forEachPart(sema_.types, t, [&](TypeId part) { ok &= deep(part, depth + 1); });
        if (depth == 0 && tooDeep_) return rejectDepth(t);
        if (ok && sema_.types.containsItselfByValue(t)) return infinite(t);
        if (ok && (isTooLarge(t) || !payloadsFit(t))) ok = false;
        sema_.nominals.completions[t] = ok ? Nominals::Completion::Done : Nominals::Completion::Failed;
        return ok;
    }

private:
    /// Payloads lie in the last field of the struct that lays an enum out.
    bool payloadsFit(TypeId t) {
        const TypeTable& types = sema_.types;
        NominalInfo* info = nominal(sema_, t);
        const auto* decl = info ? llvm::dyn_cast_or_null<ast::EnumDecl>(info->decl) : nullptr;
        if (!decl || !types.isComplete(t) || types.kind(t) != TypeKind::Enum) return true;
        const EnumInfo& e = types.enumInfo(t);
        if (e.layoutStruct == TypeId::None) return true;
        const std::vector<StructField>& fields = types.structInfo(e.layoutStruct).fields;
        const uint64_t room = fields.size() < 2 ? 0 : sizeOf(types, fields.back().type);
        bool fit = true;
        for (size_t i = 0; i < e.variants.size() && i < decl->variants.size(); ++i) {
            TypeId payload = e.variants[i].payload;
            const uint64_t size = payload == TypeId::None ? 0 : sizeOf(types, payload);
            if (size <= room) continue;
            fit = false;
            info->failed = true;
            sema_.diags
                .error(decl->variants[i].name.span, "the payload of " + code(sema_, e.variants[i].name) + " takes " +
                                                        countOf(size, "byte") + ", and the layout has room for " +
                                                        std::to_string(room))
                .help("payloads lie in the last field of the layout, after the tag: make it as large as the largest");
        }
        return fit;
    }

    /// The parts are not; so nothing overflows here.
    bool isTooLarge(TypeId t) {
        const TypeTable& types = sema_.types;
        if (!types.isComplete(t)) return false;
        bool isArray = types.kind(t) == TypeKind::Array;
        __int128 size = isArray ? static_cast<__int128>(types.count(t)) * sizeOf(types, types.elem(t))
                                : static_cast<__int128>(sizeOf(types, t));
        if (size <= LargestTypeSize) return false;
        if (NominalInfo* info = nominal(sema_, t)) info->failed = true;
        sema_.diags.error(at_, "the type " + code(types, t) + " is larger than the memory that a program can address");
        return true;
    }

    /// Instances that grow with every level, or a type that is written so.
    bool rejectDepth(TypeId t) {
        sema_.nominals.completions[t] = Nominals::Completion::Failed;
        NominalInfo* info = nominal(sema_, t);
        if (info) info->failed = true;
        Diagnostic& d = sema_.diags.error(at_, "the type " + code(beginOfName(writtenName(sema_.types, t))) +
                                                   " is nested more than " + std::to_string(MaxDepth) + " types deep");
        if (info && isNamed(t)) d.note(info->decl->name.span, "it is declared here");
        d.help("a pointer ends the nesting: what it points to is no part of the type");
        return false;
    }

    bool infinite(TypeId t) {
        sema_.nominals.completions[t] = Nominals::Completion::Failed;
        if (NominalInfo* info = nominal(sema_, t)) info->failed = true;
        std::vector<TypeId> cycle;
        if (!pathTo(t, t, cycle)) cycle = {t};
        std::string pointer, chain;
        std::string name = describe(cycle, pointer, chain);
        sema_.diags.error({}, "the type " + code(name) + " contains itself by value" + chain +
                                  ", so it has no finite size: hold a pointer, " + code(pointer) + ", instead");
        return false;
    }

    /// The by-value parts that lead from `from` to `to`; `path` begins with `from`.
    bool pathTo(TypeId from, TypeId to, std::vector<TypeId>& path) {
        path.push_back(from);
        bool found = false;
        forEachPart(sema_.types, from, [&](TypeId part) {
            if (found) return;
            bool seen = std::find(path.begin(), path.end(), part) != path.end();
            found = part == to || (!seen && pathTo(part, to, path));
        });
        if (!found) path.pop_back();
        return found;
    }

    bool isNamed(TypeId t) {
        NominalInfo* info = nominal(sema_, t);
        return info && info->decl && info->decl->name;
    }

    /// Of a cycle: the declared type that comes first in the source, how a pointer to it would be held, and the
    /// declared types on the way if there are several.
    std::string describe(std::vector<TypeId>& cycle, std::string& pointer, std::string& chain) {
        auto earlier = [&](TypeId a, TypeId b) {
            if (!isNamed(a) || !isNamed(b)) return isNamed(a) && !isNamed(b);
            return nominal(sema_, a)->decl->name.span.begin < nominal(sema_, b)->decl->name.span.begin;
        };
        std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end(), earlier), cycle.end());
        std::string name = writtenName(sema_.types, cycle.front());
        size_t last = cycle.size() - 1; // what holds it directly, and what that is wrapped in
        while (last > 0 && !isNamed(cycle[last])) --last;
        std::string holder = last + 1 < cycle.size() ? writtenName(sema_.types, cycle[last + 1]) : name;
        bool endsInName =
            holder.size() > name.size() && holder.compare(holder.size() - name.size(), name.size(), name) == 0;
        pointer = endsInName ? holder.substr(0, holder.size() - name.size()) + "*" + name : "*" + name;
        size_t declared =
            static_cast<size_t>(std::count_if(cycle.begin(), cycle.end(), [&](TypeId t) { return isNamed(t); }));
        if (declared < 2) return name;
        chain = " (";
        for (TypeId t : cycle)
            if (isNamed(t)) chain += code(sema_.types, t) + " -> ";
        chain += code(name) + ")";
        return name;
    }

    Sema& sema_;
    Span at_;
    bool tooDeep_ = false;
};

} // namespace

bool complete(Sema& sema, TypeId t, Span at) { return completeDeep(sema, t, at); }

/// `Pending`: it is being completed just now.
enum class Completed : uint8_t { Failed, Pending, Done };

static Completed completeIfPossible(Sema& sema, TypeId t, Span at) {
    if (t == TypeId::None) return Completed::Failed;
    if (auto it = sema.nominals.completions.find(t); it != sema.nominals.completions.end()) {
        if (it->second == Nominals::Completion::Done && sema.types.isComplete(t)) return Completed::Done;
        if (it->second == Nominals::Completion::Failed) return Completed::Failed;
    }
    if (!Completer(sema, at).deep(t)) return Completed::Failed;
    return sema.types.isComplete(t) ? Completed::Done : Completed::Pending;
}

bool completeDeep(Sema& sema, TypeId t, Span at) {
    const Completed completed = completeIfPossible(sema, t, at);
    if (completed == Completed::Pending && at.isValid())
        sema.diags.error(at, code(sema.types, t) + " is needed here in full, but its own parts depend on this");
    return completed == Completed::Done;
}

// ------------------------------------------------------------------------------------ what a type reaches

namespace {

/// Completes what is reachable over by-value parts and `Levels` pointers. Deeper levels come when a body names
/// them; a type that points at ever larger instances of itself so ends somewhere.
class ReachableCompleter {
public:
    ReachableCompleter(Sema& sema, Span at) : sema_(sema), at_(at) {}
    static constexpr unsigned Levels = 4;

    void visit(TypeId t, unsigned levels) {
        if (t == TypeId::None) return;
        unsigned& done = sema_.nominals.reachableCompleted[t];
        if (done > levels) return;
        done = levels + 1;
        TypeTable& types = sema_.types;
        switch (types.kind(t)) {
        case TypeKind::Pointer:
        case TypeKind::ManyPointer:
        case TypeKind::Slice:
            if (levels > 0) visit(types.elem(t), levels - 1);
            return;
        case TypeKind::Function:
        case TypeKind::Closure:
            if (levels > 0) signature(types.functionInfo(t).params, types.functionInfo(t).result, levels - 1);
            return;
        case TypeKind::Protocol: return protocol(t, levels);
        case TypeKind::Struct:
        case TypeKind::Enum:
        case TypeKind::Union: {
            NominalInfo* info = nominal(sema_, t);
            if (info && info->completing) {
                sema_.nominals.reachableCompleted.erase(t);
                return;
            }
            if (completeIfPossible(sema_, t, at_) != Completed::Done || !isDeclared(types, t)) return;
            forEachPart(types, t, [&](TypeId part) { visit(part, levels); });
            return;
        }
        case TypeKind::Array:
        case TypeKind::Vector:
        case TypeKind::Optional:
        case TypeKind::Tuple:
            completeIfPossible(sema_, t, at_);
            forEachPart(types, t, [&](TypeId part) { visit(part, levels); });
            return;
        default: return; // any other type is complete and mentions none
        }
    }

private:
    void signature(llvm::ArrayRef<TypeId> params, TypeId result, unsigned levels) {
        for (TypeId p : params) visit(p, levels);
        visit(result, levels);
    }

    void protocol(TypeId t, unsigned levels) {
        completeIfPossible(sema_, t, at_);
        if (levels == 0 || !isDeclared(sema_.types, t)) return;
        const ProtocolInfo& p = sema_.types.protocolInfo(t);
        for (size_t i = 0; i < p.methods.size(); ++i) signature(p.methods[i].params, p.methods[i].result, levels - 1);
    }

    Sema& sema_;
    Span at_;
};

} // namespace

void completeReachable(Sema& sema, TypeId t, Span at) {
    ReachableCompleter(sema, at).visit(t, ReachableCompleter::Levels);
}

} // namespace sx::sema
