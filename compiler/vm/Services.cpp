// The services of the compiler that evaluated code calls (ir::CompilerServices), as stand-ins for C functions of their
// names.
//
// A text or a list comes as the address of its two words, a `Type` as the address of its descriptor; a text that is a
// result goes to an address given last.
#include "vm/FaultGuard.h"
#include "vm/Thread.h"

#include "llvm/ADT/StringSwitch.h"

#include <cstring>

namespace sx::vm {

namespace {

constexpr uint64_t LargestList = uint64_t{1} << 24; ///< bytes of one argument

/// One call of a service. After a failure, results mean nothing.
class ServiceCall {
public:
    ServiceCall(Thread& t, const uint64_t* args) : t_(t), args_(args) {}
    ~ServiceCall() {
        if (!error.empty()) t_.fail(error);
    }

    std::string error;

    ir::CompilerServices& services() { return *t_.program.services; }
    uint64_t word(unsigned i) const { return args_[i]; }
    uint32_t number(unsigned i) const { return static_cast<uint32_t>(args_[i]); }
    int64_t index(unsigned i) const { return static_cast<int64_t>(args_[i]); }
    TypeId typeNumber(unsigned i) const { return static_cast<TypeId>(number(i)); }

    std::string text(unsigned i) { return textAt(bytes(args_[i], 16)); }

    TypeId type(unsigned i) { return typeAt(args_[i]); }

    /// The function behind a function pointer.
    ir::FuncId function(unsigned i) {
        ir::FuncId f = t_.program.functionAt(args_[i]);
        if (f == ir::FuncId::None && error.empty()) error = "an argument is not a function of the program";
        return f;
    }
    /// The function pointer of a function; null if there is none.
    uint64_t address(ir::FuncId f) { return f == ir::FuncId::None ? 0 : t_.program.functionAddress(f); }

    /// `[]Member`: a name and a type each.
    std::vector<std::pair<std::string, TypeId>> members(unsigned i) {
        constexpr uint64_t MemberBytes = 24;
        std::vector<std::pair<std::string, TypeId>> out;
        std::string slice = bytes(args_[i], 16);
        if (!error.empty() || wordIn(slice, 8) == 0) return out;
        if (wordIn(slice, 8) > LargestList / MemberBytes) {
            error = "the list of members is too long";
            return out;
        }
        std::string list = bytes(wordIn(slice, 0), wordIn(slice, 8) * MemberBytes);
        for (uint64_t at = 0; at < list.size() && error.empty(); at += MemberBytes) {
            std::string name = textAt(list.substr(at, 16));
            out.emplace_back(std::move(name), typeAt(wordIn(list, at + 16)));
        }
        return out;
    }

    uint64_t handle(TypeId t) { return error.empty() && t != TypeId::None ? t_.program.descriptors.handle(t) : 0; }

    void store(unsigned i, std::string_view text) {
        if (!error.empty()) return;
        uint64_t words[2] = {0, text.size()};
        if (!text.empty()) words[0] = t_.program.globals.address(services().stringGlobal(text));
        std::memcpy(reinterpret_cast<void*>(args_[i]), words, sizeof words); // a temporary of the compiler's
    }

    /// What the compiler answers; the value of nothing if it is a failure, which ends the call.
    template <typename T> T take(Result<T> answer) {
        if (answer) return *answer;
        if (error.empty()) error = answer.error();
        return T();
    }

    void take(const Result<void>& answer) {
        if (!answer && error.empty()) error = answer.error();
    }

    /// Types have got parts: their descriptors say so from now on.
    void update() { t_.program.descriptors.update(); }

private:
    static uint64_t wordIn(const std::string& bytes, uint64_t at) {
        uint64_t v = 0;
        if (at + sizeof v <= bytes.size()) std::memcpy(&v, bytes.data() + at, sizeof v);
        return v;
    }
    std::string bytes(uint64_t address, uint64_t size) {
        std::string out;
        if (error.empty() && size <= LargestList && t_.program.arena.allows(address, size, Access::Read) &&
            copyChecked(address, size, out))
            return out;
        if (error.empty()) error = "an argument refers to memory that cannot be read";
        return {};
    }
    std::string textAt(const std::string& words) {
        return wordIn(words, 8) == 0 ? std::string() : bytes(wordIn(words, 0), wordIn(words, 8));
    }
    TypeId typeAt(uint64_t handle) {
        TypeId t = t_.program.descriptors.typeOf(handle);
        if (t == TypeId::None && error.empty()) error = "an argument is not the value of a type";
        return t;
    }

    Thread& t_;
    const uint64_t* args_;
};

uint64_t intern(ServiceCall& c) {
    std::string text = c.text(0);
    return c.error.empty() ? c.services().intern(text) : 0;
}
uint64_t textOf(ServiceCall& c) {
    c.store(1, c.take(c.services().textOf(c.number(0))));
    return 0;
}
uint64_t findType(ServiceCall& c) { return static_cast<uint32_t>(c.services().findType(c.number(0))); }
uint64_t typeKind(ServiceCall& c) { return static_cast<uint64_t>(c.take(c.services().typeKind(c.typeNumber(0)))); }
uint64_t typeName(ServiceCall& c) { return c.take(c.services().typeName(c.typeNumber(0))); }
uint64_t fieldCount(ServiceCall& c) { return static_cast<uint64_t>(c.take(c.services().fieldCount(c.typeNumber(0)))); }
uint64_t fieldName(ServiceCall& c) { return c.take(c.services().fieldName(c.typeNumber(0), c.index(1))); }
uint64_t fieldType(ServiceCall& c) {
    return static_cast<uint32_t>(c.take(c.services().fieldType(c.typeNumber(0), c.index(1))));
}
uint64_t variantValue(ServiceCall& c) {
    return static_cast<uint64_t>(c.take(c.services().variantValue(c.typeNumber(0), c.index(1))));
}

uint64_t noteForBuild(ServiceCall& c) {
    std::string key = c.text(0), value = c.text(1);
    if (c.error.empty()) c.services().noteForBuild(key, value);
    return 0;
}
uint64_t buildNoteCount(ServiceCall& c) { return c.services().buildNotes(c.text(0)).size(); }
uint64_t buildNoteAt(ServiceCall& c) {
    llvm::ArrayRef<std::string> notes = c.services().buildNotes(c.text(0));
    if (c.word(1) >= notes.size())
        c.error = "there is no entry " + std::to_string(c.index(1)) + " of the build's configuration";
    else c.store(2, notes[c.word(1)]);
    return 0;
}

uint64_t setBuildStep(ServiceCall& c) {
    ir::FuncId step = c.function(0), runner = c.function(1);
    if (c.error.empty()) c.services().setBuildStep(step, runner);
    return 0;
}
uint64_t buildStep(ServiceCall& c) { return c.address(c.services().buildStep()); }
uint64_t emitObject(ServiceCall& c) {
    c.store(0, c.take(c.services().emitObject()));
    return 0;
}
uint64_t link(ServiceCall& c) {
    c.take(c.services().link());
    return 0;
}

uint64_t pointerTo(ServiceCall& c) {
    TypeId t = c.type(0);
    return c.error.empty() ? c.handle(c.services().pointerTo(t)) : 0;
}

uint64_t declareType(ServiceCall& c) {
    std::string name = c.text(0);
    TypeId announced = c.word(1) == 0 ? TypeId::None : c.type(1);
    return c.error.empty() ? c.handle(c.take(c.services().declareType(name, announced))) : 0;
}

uint64_t registerType(ServiceCall& c) {
    TypeId handle = c.type(0);
    std::vector<std::pair<std::string, TypeId>> members = c.members(2);
    if (!c.error.empty()) return 0;
    std::vector<ir::CompilerServices::Member> list;
    for (const auto& [name, type] : members) list.push_back({name, type});
    TypeId made = c.take(c.services().registerType(handle, c.index(1), list));
    if (c.error.empty()) c.update();
    return c.handle(made);
}

/// The compiler is at work: its faults are its own.
template <uint64_t (*service)(ServiceCall&)> uint64_t standIn(Thread& t, const uint64_t* args) {
    if (!t.program.services) {
        t.fail("the compiler offers no services here");
        return 0;
    }
    FaultGuard::Suspend suspend;
    ServiceCall call(t, args);
    return service(call);
}

} // namespace

Override serviceOverride(const std::string& symbol) {
    return llvm::StringSwitch<Override>(symbol)
        .Case("raw_intern", standIn<intern>)
        .Case("raw_text_of", standIn<textOf>)
        .Case("raw_find_type", standIn<findType>)
        .Case("raw_type_kind", standIn<typeKind>)
        .Case("raw_type_name", standIn<typeName>)
        .Case("raw_field_count", standIn<fieldCount>)
        .Case("raw_field_name", standIn<fieldName>)
        .Case("raw_field_type", standIn<fieldType>)
        .Case("raw_variant_value", standIn<variantValue>)
        .Case("raw_set_build_step", standIn<setBuildStep>)
        .Case("raw_build_step", standIn<buildStep>)
        .Case("raw_emit_object", standIn<emitObject>)
        .Case("raw_link", standIn<link>)
        .Case("raw_pointer_to", standIn<pointerTo>)
        .Case("raw_build_note", standIn<noteForBuild>)
        .Case("raw_build_count", standIn<buildNoteCount>)
        .Case("raw_build_note_at", standIn<buildNoteAt>)
        .Cases("declare", "raw_declare_type", standIn<declareType>)
        .Case("raw_register_type", standIn<registerType>)
        .Default(nullptr);
}

} // namespace sx::vm
