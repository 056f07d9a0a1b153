#include "lower/flow/Match.h"

#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/LocalUse.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/flow/ControlFlow.h"
#include "lower/flow/MatchArms.h"
#include "lower/flow/TypeSwitch.h"
#include "lower/values/Conversions.h"
#include "lower/values/Literals.h"
#include "lower/values/Optionals.h"
#include "lower/values/Variants.h"
#include "sema/ErrorSets.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

/// What the arms of a match compare.
enum class Subject { Enum, Error, Optional, Int, Bool };

struct ArmValue {
    bool ok = false;
    uint64_t bits = 0; ///< compared with the subject's key
    TypeId payload{};  ///< what a capture binds; None: nothing
    uint64_t payloadOffset = 0;
};

void reportNoPayload(Body& f, const MatchArm& arm) {
    f.diags.error(arm.pattern->span, "there is no payload to bind here: " +
                                         code(f.sema.sources.textOf(arm.pattern->span)) + " carries none");
}

struct MatchLowering {
    Body& l;
    const Match& m;
    Value subject;
    Subject kind{};
    ValueId key = ValueId::None;

    bool classify() {
        TypeTable& types = l.types;
        if (types.kind(subject.type) == TypeKind::Pointer) {
            TypeId to = types.elem(subject.type);
            complete(l.sema, to);
            if (types.kind(to) == TypeKind::Enum || isInteger(types, to) || to == TypeId::Bool)
                subject = dereferenceChecked(l, subject, m.subject->span);
        }
        TypeId t = subject.type;
        complete(l.sema, t);
        if (types.kind(t) == TypeKind::Enum) kind = Subject::Enum;
        else if (isErrorSet(types, t)) kind = Subject::Error;
        else if (types.kind(t) == TypeKind::Optional) kind = Subject::Optional;
        else if (isInteger(types, t)) kind = Subject::Int;
        else if (t == TypeId::Bool) kind = Subject::Bool;
        else {
            l.diags.error(m.subject->span, withArticle(types, t) + " cannot be matched")
                .help("match works on enums, errors, optionals, integers, bools, types, `any` and protocol values; "
                      "compare with `if … else if` instead");
            return false;
        }
        return true;
    }

    Value optionalInPlace() {
        Value place = Value::temporary(subject.type, addressOf(l, subject));
        place.errorSource = subject.errorOrigin(); // a payload has the trace of its variable
        return place;
    }

    void loadKey() {
        TypeTable& types = l.types;
        switch (kind) {
        case Subject::Enum:
            if (isTaggedEnum(types, subject.type)) {
                ValueId address = addressOf(l, subject);
                subject = Value::temporary(subject.type, address);
                TypeId tag = types.enumInfo(subject.type).backing;
                key = emitLoad(l.b, tag == TypeId::None ? TypeId::I64 : tag, address);
            } else {
                key = scalar(l, subject);
            }
            break;
        case Subject::Optional:
            subject = optionalInPlace();
            key = isPresent(l, subject);
            break;
        case Subject::Error:
        case Subject::Int:
        case Subject::Bool: key = scalar(l, subject); break;
        }
    }

    ArmValue pattern(const MatchArm& arm) {
        const Expr* p = withoutParens(arm.pattern);
        switch (kind) {
        case Subject::Enum: return enumPattern(p);
        case Subject::Error: return errorPattern(p);
        case Subject::Optional: return optionalPattern(p);
        case Subject::Int: return intPattern(p);
        case Subject::Bool:
            if (const auto* lit = llvm::dyn_cast<BoolLit>(p)) return {true, lit->value ? 1u : 0u, TypeId::None, 0};
            return reject(p, "a bool is matched with `true` or `false`");
        }
        return {};
    }

    ArmValue reject(const Expr* p, std::string message) {
        l.diags.error(p->span, std::move(message));
        return {};
    }

    ArmValue enumPattern(const Expr* p) {
        const EnumInfo& info = l.types.enumInfo(subject.type);
        const Ident* id = nullptr;
        if (const auto* lit = llvm::dyn_cast<EnumLit>(p)) id = &lit->name;
        else if (const auto* member = llvm::dyn_cast<Member>(p)) id = &member->name;
        if (!id) {
            if (const auto* n = llvm::dyn_cast<NameRef>(p); n && info.index.count(n->id.name))
                return reject(p, "a variant is written with a dot: " + code("." + l.sema.text(n->id.name)));
            return reject(p, withArticle(l.types, subject.type) + " is matched with its variants, `case .name:`");
        }
        auto it = info.index.find(id->name);
        if (it == info.index.end()) {
            std::vector<std::string_view> known;
            std::string list;
            for (const Variant& v : info.variants) {
                known.push_back(l.sema.names.text(v.name));
                list += (list.empty() ? "." : ", .") + l.sema.text(v.name);
            }
            Diagnostic& d = l.diags.error(p->span, code(l.types, subject.type) + " has no variant " +
                                                       code("." + l.sema.text(id->name)) + "; it has " + list);
            std::string_view near = nearestName(l.sema.names.text(id->name), known);
            if (!near.empty()) d.help("did you mean " + code("." + std::string(near)) + "?");
            return {};
        }
        noteUse(l.sema, id->span, subject.type, id->name);
        const Variant& v = info.variants[it->second];
        return {true, static_cast<uint64_t>(v.value), v.payload, info.payloadOffset};
    }

    ArmValue errorPattern(const Expr* p) {
        const Ident* id = nullptr;
        if (const auto* lit = llvm::dyn_cast<EnumLit>(p)) id = &lit->name;
        else if (const auto* tag = llvm::dyn_cast<ErrorTag>(p)) id = &tag->name;
        if (!id) return reject(p, "an error is matched by its tag, `case .Name:`");
        noteMatchedTag(l.sema, id->name, p->span);
        return {true, l.types.tagId(id->name), TypeId::None, 0};
    }

    ArmValue optionalPattern(const Expr* p) {
        const auto* lit = llvm::dyn_cast<EnumLit>(p);
        std::string_view name = lit ? l.sema.names.text(lit->name.name) : std::string_view();
        if (name == "some") return {true, 1, l.types.elem(subject.type), 0};
        if (name == "none" || llvm::isa<NullLit>(p)) return {true, 0, TypeId::None, 0};
        return reject(p, "an optional is matched with `.some` and `.none`");
    }

    ArmValue intPattern(const Expr* p) {
        if (const auto* lit = llvm::dyn_cast<IntLit>(p)) {
            Value v = lowerInt(l, *lit, subject.type);
            if (v.isError()) return {};
            unsigned bits = bitsOf(l.types, subject.type);
            uint64_t raw = lit->value;
            if (bits < 64) raw &= (uint64_t(1) << bits) - 1;
            return {true, raw, TypeId::None, 0};
        }
        return reject(p, "an integer is matched with integer or character literals");
    }

    bool coversAll(const std::vector<uint64_t>& seen) const {
        auto has = [&](uint64_t v) {
            for (uint64_t s : seen)
                if (s == v) return true;
            return false;
        };
        switch (kind) {
        case Subject::Enum:
            for (const Variant& v : l.types.enumInfo(subject.type).variants)
                if (!has(static_cast<uint64_t>(v.value))) return false;
            return true;
        case Subject::Optional:
        case Subject::Bool: return has(0) && has(1);
        case Subject::Error:
        case Subject::Int: return false;
        }
        return false;
    }

    /// The match is used as a value, and has no `else`.
    void warnOfMissing(const std::vector<uint64_t>& seen) {
        if (!l.warns) return;
        auto has = [&](uint64_t v) { return llvm::is_contained(seen, v); };
        std::vector<std::string> missing;
        auto variant = [&](std::string_view name, uint64_t value) {
            if (!has(value)) missing.push_back(code(name));
        };
        switch (kind) {
        case Subject::Enum:
            for (const Variant& v : l.types.enumInfo(subject.type).variants)
                variant("." + l.sema.text(v.name), static_cast<uint64_t>(v.value));
            break;
        case Subject::Error:
            if (subject.type == TypeId::InferredErrors) { // known when all bodies are
                if (subject.errors) noteErrorMatch(l.sema, subject.errors, seen, m.subject->span);
                return;
            }
            for (Name tag : l.types.errorSetInfo(subject.type).tags)
                variant("." + l.sema.text(tag), l.types.tagId(tag));
            break;
        case Subject::Optional:
            variant(".some", 1);
            variant(".none", 0);
            break;
        case Subject::Bool:
            variant("true", 1);
            variant("false", 0);
            break;
        case Subject::Int: {
            unsigned bits = bitsOf(l.types, subject.type);
            if (bits >= 16 || seen.size() < (size_t(1) << bits)) missing.push_back("any other value");
            break;
        }
        }
        if (!missing.empty()) warnOfMissingArms(l.sema, m.subject->span, missing);
    }

    /// An arm with a pattern, and the block that its body is lowered into.
    struct Arm {
        const MatchArm* arm;
        BlockId block;
        ArmValue value;
    };

    /// Reads an arm's pattern. False after a report; `seen`: the values of `arms`, in their order.
    bool readArm(const MatchArm& arm, std::vector<Arm>& arms, std::vector<uint64_t>& seen) {
        ArmValue value = pattern(arm);
        if (!value.ok) return false;
        if (arm.capture && value.payload == TypeId::None) {
            reportNoPayload(l, arm);
            return false;
        }
        if (auto same = llvm::find(seen, value.bits); same != seen.end()) {
            const Expr* first = arms[static_cast<size_t>(same - seen.begin())].arm->pattern;
            l.diags.error(arm.pattern->span, "this case is never reached: an arm before it has the same value")
                .note(first->span, "it is here");
            return false;
        }
        arms.push_back({&arm, l.b.newBlock(), value});
        seen.push_back(value.bits);
        return true;
    }

    Value run(TypeId target, ValueId dest, bool valueNeeded) {
        if (!classify()) return Value::error();
        loadKey();
        MatchArms lowered(l, m, target, dest, valueNeeded);
        std::vector<Arm> arms;
        std::vector<uint64_t> seen;
        BlockId otherwise = l.b.newBlock();
        const MatchArm* elseArm = nullptr;
        for (const MatchArm& arm : m.arms) {
            if (!arm.pattern) elseArm = &arm;
            else if (!readArm(arm, arms, seen)) lowered.fail();
        }
        dispatch(arms, otherwise);
        for (const Arm& arm : arms) {
            l.b.setBlock(arm.block);
            lowered.add(*arm.arm, [&] { bindCapture(arm); });
        }
        l.b.setBlock(otherwise);
        if (elseArm) {
            lowered.add(*elseArm);
        } else if ((valueNeeded && !lowered.yieldNothing()) ||
                   (coversAll(seen) && lowered.allLeave() && !lowered.failed())) {
            // A value must come from somewhere, and where every variant's arm leaves nothing goes on after the match:
            // getting here is a run-time failure.
            if (valueNeeded && !lowered.failed()) warnOfMissing(seen);
            emitPanic(l.b, ir::PanicKind::Unreachable, m.span);
        } else {
            lowered.addNothing();
        }
        return lowered.finish();
    }

    void bindCapture(const Arm& arm) {
        if (!arm.arm->capture) return;
        Value payload = kind == Subject::Optional ? payloadOf(l, subject)
                                                  : fieldOf(l, subject, arm.value.payloadOffset, arm.value.payload);
        bindPayload(l, arm.arm->capture, payload, LocalKind::Payload);
    }

    void dispatch(const std::vector<Arm>& arms, BlockId otherwise) {
        if (kind == Subject::Optional || kind == Subject::Bool) {
            BlockId yes = otherwise, no = otherwise;
            for (const Arm& arm : arms) (arm.value.bits ? yes : no) = arm.block;
            emitCondBr(l.b, key, yes, no);
            return;
        }
        std::vector<std::pair<uint64_t, BlockId>> cases;
        for (const Arm& arm : arms) cases.push_back({arm.value.bits, arm.block});
        emitSwitch(l.b, key, otherwise, cases);
    }
};

} // namespace

/// `case .some` or `case .none`: the optional itself is asked, also where it is known to be present.
static bool matchesPresence(Body& f, const Match& m, TypeId payload) {
    if (f.types.kind(payload) == TypeKind::Enum) return false; // whose variants the arms name
    for (const MatchArm& arm : m.arms)
        if (const auto* lit = llvm::dyn_cast_or_null<EnumLit>(arm.pattern))
            if (std::string_view name = f.sema.names.text(lit->name.name); name == "some" || name == "none")
                return true;
    return false;
}

/// The payload of the variant that is known while compiling.
static void bindKnownPayload(Body& f, const Match& m, const MatchArm& arm) {
    Value subject = lower(f, m.subject);
    if (subject.isError() || !isTaggedEnum(f.types, subject.type)) return;
    const EnumInfo& info = f.types.enumInfo(subject.type);
    std::optional<int64_t> tag = knownVariant(f, arm.pattern, subject.type);
    for (const Variant& v : info.variants) {
        if (v.value != tag) continue;
        if (v.payload != TypeId::None)
            bindPayload(f, arm.capture, fieldOf(f, subject, info.payloadOffset, v.payload), LocalKind::Payload);
        else reportNoPayload(f, arm);
        return;
    }
}

Value lowerMatch(Body& f, const Match& m, TypeId target, ValueId dest, bool valueNeeded) {
    f.b.setSpan(m.subject->span);
    if (m.isInline) {
        const MatchArm* arm = nullptr;
        bool decided = inlineTypeMatchArm(f, m, arm) != nullptr;
        if (decided) {
            for (const MatchArm& other : m.arms)
                if (&other != arm) noteMentioned(f, other.body);
            if (!arm) return Value::none();
            Scope* saved = pushScope(f, arm->span);
            if (arm->capture) bindKnownPayload(f, m, *arm);
            Value v = lowerArm(f, *arm, target, dest, valueNeeded);
            popScope(f, saved);
            return v;
        }
    }
    Value subject = lower(f, m.subject);
    if (subject.isError()) return subject;
    if (!f.reachable()) return Value::diverged();
    if (f.types.kind(subject.type) != TypeKind::Optional || !matchesPresence(f, m, f.types.elem(subject.type)))
        subject = narrowedValue(f, subject);
    if (isTypeMatch(f, subject, m)) return lowerTypeMatch(f, m, subject, target, dest, valueNeeded);
    if (!requireValue(f, subject, m.subject->span)) return Value::error();
    MatchLowering lowering{f, m, subject};
    return lowering.run(target, dest, valueNeeded);
}

} // namespace sx::lower
