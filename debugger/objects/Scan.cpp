#include "debugger/objects/Scan.h"

#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include <cstring>

namespace sx::debugger::objects {

namespace {

constexpr uint64_t MostArray = 1 << 20; ///< elements of an array in a value that are looked at

uint64_t wordAt(llvm::ArrayRef<uint8_t> bytes, uint64_t offset, uint64_t size = 8) {
    uint64_t word = 0;
    if (offset + size <= bytes.size()) std::memcpy(&word, bytes.data() + offset, size);
    return word;
}

} // namespace

// ---- plans

const Scanner::Plan& Scanner::planOf(TypeId type) {
    auto [at, isNew] = plans_.try_emplace(type);
    if (!isNew) return at->second;
    Plan plan; // a value does not hold one of its own type, so nothing asks for this one meanwhile
    if (type != TypeId::None && types_.isComplete(type)) add(plan, type, 0, "", EdgeKind::Field);
    return plans_[type] = std::move(plan);
}

void Scanner::put(Plan& plan, Step step) {
    step.label = texts_.number(step.path);
    plan.steps.push_back(std::move(step));
}

void Scanner::add(Plan& plan, TypeId type, uint64_t offset, const std::string& path, EdgeKind kind) {
    Step step;
    step.offset = offset;
    step.path = path;
    step.kind = kind;
    auto leaf = [&](Step::Op op, TypeId of) {
        step.op = op;
        step.type = of;
        put(plan, step);
    };
    switch (types_.kind(type)) {
    case TypeKind::Pointer: return leaf(Step::Op::Pointer, types_.elem(type));
    case TypeKind::ManyPointer: return leaf(Step::Op::Many, types_.elem(type));
    case TypeKind::Slice: return leaf(Step::Op::Slice, types_.elem(type));
    case TypeKind::String: return leaf(Step::Op::Text, TypeId::U8);
    case TypeKind::CString: return leaf(Step::Op::CText, TypeId::U8);
    case TypeKind::Closure: return leaf(Step::Op::Closure, type);
    case TypeKind::Any:
    case TypeKind::Protocol: return leaf(Step::Op::Erased, type);
    case TypeKind::Struct: return addStruct(plan, type, offset, path);
    case TypeKind::Enum: return addEnum(plan, type, offset, path);
    case TypeKind::Tuple: {
        unsigned number = 0;
        for (const Part& p : partsOf(types_, type)) {
            std::string name = p.name == Name::None ? std::to_string(number) : std::string(types_.names().text(p.name));
            add(plan, p.type, offset + p.offset, path + "." + name, EdgeKind::Tuple);
            ++number;
        }
        return;
    }
    case TypeKind::Optional: {
        TypeId payload = types_.elem(type);
        if (absence(types_, type) == Absence::NullWord) return add(plan, payload, offset, path, kind);
        if (planOf(payload).steps.empty()) return;
        step.extra = offset + optionalFlagOffset(types_, type);
        step.kind = EdgeKind::Payload;
        return leaf(Step::Op::Optional, payload);
    }
    case TypeKind::Array: {
        TypeId elem = types_.elem(type);
        if (planOf(elem).steps.empty()) return;
        step.count = types_.count(type);
        step.kind = EdgeKind::Index;
        return leaf(Step::Op::Array, elem);
    }
    case TypeKind::Union: step.count = sizeOf(types_, type) / 8; return leaf(Step::Op::Words, TypeId::None);
    default: return;
    }
}

void Scanner::addStruct(Plan& plan, TypeId type, uint64_t offset, const std::string& path) {
    if (addMap(plan, type, offset, path)) return;
    for (const StructField& f : types_.structInfo(type).fields) {
        std::string name = path + "." + std::string(types_.names().text(f.name));
        if (!addRing(plan, type, f, offset, name)) add(plan, f.type, offset + f.offset, name, EdgeKind::Field);
    }
}

/// The room of a `Channel` of the library: what waits in it is `count` values from `head` on.
bool Scanner::addRing(Plan& plan, TypeId type, const StructField& room, uint64_t offset, const std::string& path) {
    if (types_.names().text(room.name) != "room" || types_.kind(room.type) != TypeKind::Slice) return false;
    if (!llvm::StringRef(writtenName(types_, type)).starts_with("Channel(")) return false;
    Step step;
    step.op = Step::Op::Ring;
    step.offset = offset + room.offset;
    step.type = types_.elem(room.type);
    step.path = path;
    int found = 0;
    for (const StructField& f : types_.structInfo(type).fields) {
        std::string_view name = types_.names().text(f.name);
        if (sizeOf(types_, f.type) != sizeof(uint64_t)) continue;
        if (name == "head") step.extra = offset + f.offset, ++found;
        if (name == "count") step.count = offset + f.offset, ++found;
    }
    if (found != 2) return false;
    put(plan, step);
    return true;
}

/// `HashMap` of the library: which keys and values are used says a byte for each.
bool Scanner::addMap(Plan& plan, TypeId type, uint64_t offset, const std::string& path) {
    if (!llvm::StringRef(writtenName(types_, type)).starts_with("HashMap(")) return false;
    const std::vector<StructField>& fields = types_.structInfo(type).fields;
    auto field = [&](std::string_view name) -> const StructField* {
        for (const StructField& f : fields)
            if (types_.names().text(f.name) == name) return &f;
        return nullptr;
    };
    const StructField *mask = field("metadata"), *cap = field("cap");
    if (!mask || !cap || !field("keys") || !field("values")) return false;
    for (const char* name : {"metadata", "keys", "values"}) {
        const StructField& f = *field(name);
        if (types_.kind(f.type) != TypeKind::ManyPointer) return false;
    }
    for (const char* name : {"metadata", "keys", "values"}) {
        const StructField& f = *field(name);
        Step step;
        step.op = Step::Op::Map;
        step.offset = offset + f.offset;
        step.extra = offset + mask->offset;
        step.count = offset + cap->offset;
        step.type = types_.elem(f.type);
        step.path = path + "." + name;
        if (&f != mask) step.kind = std::string_view(name) == "keys" ? EdgeKind::Key : EdgeKind::Value;
        put(plan, step);
    }
    return true;
}

void Scanner::addEnum(Plan& plan, TypeId type, uint64_t offset, const std::string& path) {
    const EnumInfo& info = types_.enumInfo(type);
    if (!info.isTagged) return;
    for (const Variant& v : info.variants) {
        if (v.payload == TypeId::None || planOf(v.payload).steps.empty()) continue;
        Step step;
        step.op = Step::Op::Tagged;
        step.base = offset;
        step.offset = offset + info.payloadOffset;
        step.count = sizeOf(types_, info.backing);
        step.extra =
            static_cast<uint64_t>(v.value) & (step.count >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * step.count) - 1);
        step.type = v.payload;
        step.path = path + "." + std::string(types_.names().text(v.name));
        step.kind = EdgeKind::Payload;
        put(plan, step);
    }
}

// ---- values

void Scanner::scan(TypeId type, llvm::ArrayRef<uint8_t> bytes, Visit visit, llvm::StringRef prefix) {
    run(planOf(type), bytes, visit, prefix);
}

void Scanner::scanCaptures(const std::vector<ir::Capture>& captures, llvm::ArrayRef<uint8_t> bytes, Visit visit) {
    for (const ir::Capture& c : captures) {
        if (c.offset + sizeOf(types_, c.type) > bytes.size()) continue;
        auto asCapture = [&](const Reference& r) {
            Reference of = r;
            of.kind = EdgeKind::Capture;
            visit(of);
        };
        scan(c.type, bytes.slice(c.offset, sizeOf(types_, c.type)), asCapture,
             "." + std::string(types_.names().text(c.name)));
    }
}

TypeId Scanner::typeAt(uint64_t descriptor) {
    auto [at, isNew] = descriptors_.try_emplace(descriptor, TypeId::None);
    if (isNew && descriptor != 0) at->second = addresses_.typeAt(descriptor);
    return at->second;
}

void Scanner::runClosure(const Step& step, llvm::ArrayRef<uint8_t> bytes, Visit visit, Reference r) {
    uint64_t code = wordAt(bytes, step.offset);
    r.target = wordAt(bytes, step.offset + 8);
    if (code == 0 || r.target == 0) return;
    auto [at, isNew] = code_.try_emplace(code);
    if (isNew)
        if (std::optional<CodeName> known = addresses_.codeAt(code)) at->second = known->captures.vec();
    if (!at->second.empty()) r.captures = &at->second;
    visit(r);
}

void Scanner::runNested(const Step& step, llvm::ArrayRef<uint8_t> bytes, Visit visit, llvm::StringRef prefix) {
    std::string path = prefix.str() + step.path;
    if (step.op == Step::Op::Optional && wordAt(bytes, step.extra, 1) == 0) return;
    if (step.op == Step::Op::Tagged && wordAt(bytes, step.base, step.count) != step.extra) return;
    uint64_t size = sizeOf(types_, step.type), count = step.op == Step::Op::Array ? std::min(step.count, MostArray) : 1;
    for (uint64_t i = 0; i < count && step.offset + (i + 1) * size <= bytes.size(); ++i)
        run(
            planOf(step.type), bytes.slice(step.offset + i * size, size),
            [&](const Reference& r) {
                Reference of = r;
                if (of.kind == EdgeKind::Field && step.op != Step::Op::Array) of.kind = step.kind;
                if (step.op == Step::Op::Array && of.kind == EdgeKind::Field) of.kind = EdgeKind::Index;
                visit(of);
            },
            step.op == Step::Op::Array ? path + "[" + std::to_string(i) + "]" : path);
}

void Scanner::run(const Plan& plan, llvm::ArrayRef<uint8_t> bytes, Visit visit, llvm::StringRef prefix) {
    for (const Step& step : plan.steps) {
        using Op = Step::Op;
        if (step.op == Op::Optional || step.op == Op::Tagged || step.op == Op::Array) {
            runNested(step, bytes, visit, prefix);
            continue;
        }
        Reference r;
        r.target = wordAt(bytes, step.offset);
        r.type = step.type;
        r.label = prefix.empty() ? step.label : texts_.number(prefix.str() + step.path);
        r.kind = step.kind;
        switch (step.op) {
        case Op::Many:
        case Op::CText: r.count = 0, r.isRow = true; break;
        case Op::Slice:
        case Op::Text: r.count = wordAt(bytes, step.offset + 8), r.isRow = true; break;
        case Op::Ring:
            r.count = wordAt(bytes, step.offset + 8), r.isRow = true;
            r.within = EdgeKind::Element;
            r.ring = Ring{wordAt(bytes, step.extra), wordAt(bytes, step.count)};
            break;
        case Op::Erased: r.type = typeAt(wordAt(bytes, step.offset + 8)); break;
        case Op::Map:
            r.count = wordAt(bytes, step.count), r.isRow = true;
            if (step.kind != EdgeKind::Field) r.mask = wordAt(bytes, step.extra), r.within = step.kind;
            r.kind = EdgeKind::Field;
            break;
        case Op::Closure: runClosure(step, bytes, visit, r); continue;
        case Op::Words:
            r.isApproximate = true;
            for (uint64_t i = 0; i < step.count; ++i) {
                r.target = wordAt(bytes, step.offset + 8 * i);
                if (r.target != 0) visit(r);
            }
            continue;
        default: break;
        }
        if (r.target != 0) visit(r);
    }
}

} // namespace sx::debugger::objects
