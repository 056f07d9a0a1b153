#include "debugger/session/Foreign.h"

#include "debugger/engine/MachineView.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/SourceMap.h"

#include "source/Installation.h"
#include "source/Paths.h"
#include "symbols/Elf.h"
#include "symbols/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <utility>

namespace sx::debugger {

Result<std::shared_ptr<const Formatters>> loadFormatters(const std::vector<std::string>& files) {
    auto made = std::make_shared<Formatters>();
    if (std::string folder = editorsFolder(); !folder.empty())
        if (auto bytes = llvm::MemoryBuffer::getFile(folder + "/debug/formatters.json"))
            if (Result<void> read = made->read((*bytes)->getBuffer(), folder + "/debug/formatters.json"); !read)
                return read.failure();
    for (const std::string& file : files) {
        auto bytes = llvm::MemoryBuffer::getFile(file);
        if (!bytes) return Failure{"cannot read " + code(file) + ": " + bytes.getError().message()};
        if (Result<void> read = made->read((*bytes)->getBuffer(), file); !read) return read.failure();
    }
    return std::shared_ptr<const Formatters>(std::move(made));
}

namespace {

/// The symbol file beside an executable, where there is one. One that is not of this executable is a failure.
Result<std::optional<symbols::SymbolFile>> symbolsBeside(const std::string& executable) {
    std::string path = executable + ".sym";
    auto text = llvm::MemoryBuffer::getFile(path);
    auto bytes = llvm::MemoryBuffer::getFile(executable);
    if (!text || !bytes) return std::optional<symbols::SymbolFile>();
    auto viewOf = [](const llvm::MemoryBuffer& b) { return std::string_view(b.getBufferStart(), b.getBufferSize()); };
    Result<symbols::SymbolFile> read = symbols::readJson(viewOf(**text));
    if (!read) return Failure{code(path) + ": " + read.error()};
    Result<uint32_t> crc = symbols::executableCrc(viewOf(**bytes));
    if (!crc) return Failure{code(executable) + ": " + crc.error()};
    if (*crc != read->crc)
        return Failure{"the symbols in " + code(path) + " are those of another program: its crc is " +
                       std::to_string(*crc) + ", theirs " + std::to_string(read->crc)};
    return std::optional(std::move(*read));
}

} // namespace

Result<void> describe(Session& s, const std::string& executable, const std::string& why) {
    s.places.reset();
    s.program = std::make_unique<Program>(ProgramOptions{executable, directoryOf(executable)});
    auto here = [&s](const std::string& path) { return pathHere(s, path); };
    Result<std::unique_ptr<ForeignProgram>> read = describeExecutable(*s.program, executable, here);
    if (!read) return read.failure();
    s.foreign = std::make_unique<ForeignState>(std::move(*read));
    const bool isBare = s.program->module.functions.empty();
    std::string note = why;
    if (why.empty()) note = code(executable) + (isBare ? " has no debug information" : " is no program of sx");
    std::string known = "stacks and variables come from the debug information alone, and ";
    if (isBare) {
        Result<std::optional<symbols::SymbolFile>> beside = symbolsBeside(executable);
        if (!beside) return beside.failure();
        if (*beside) describeBySymbols(*s.program, *s.foreign->program, **beside, here);
        known = *beside ? "names, lines and global variables are those of " + code(executable + ".sym") + ", and "
                        : "there are its instructions and the names that it has itself; ";
    }
    s.places = std::make_unique<Places>(*s.program);
    const std::vector<std::string> problems = std::exchange(s.foreign->program->problems, {}); // the first is enough
    if (!problems.empty()) note += "; " + problems.front();
    s.note(note + ": " + known + "expressions are paths, comparisons and arithmetic of numbers");
    return {};
}

bool isForeign(const Session& s, ir::FuncId func) {
    if (!s.foreign || func == ir::FuncId::None) return false;
    return s.foreign->program->image && s.foreign->program->image->isForeign(func);
}

bool isForeign(const Session& s, const FrameHandle* frame) {
    return s.foreign && (!s.program->sema || (frame && isForeign(s, frame->frame.func)));
}

void showValuesOver(Session& s) {
    static const Formatters none;
    const Formatters& formatters = s.options.formatters ? *s.options.formatters : none;
    s.foreign->values = std::make_unique<ForeignValues>(
        s.foreign->program->types, formatters,
        ForeignValues::Program{s.program->types, s.engine->memory(), s.engine->addresses(),
                               [&s](const std::string& name) { return s.engine->machine().symbolAddress(name); }});
}

void showCCode(Session& s) {
    if (!s.program->foreignFiles.empty()) s.places = std::make_unique<Places>(*s.program);
    for (const std::string& problem : std::exchange(s.foreign->program->problems, {})) s.note(problem);
}

namespace {

std::string slotName(const Session& s, const ir::Slot& slot) {
    return std::string(s.program->types.names().text(slot.name));
}

/// `frame`: whose thread's variables count; null: of those of which each thread has its own there are none.
std::optional<Datum> globalNamed(Session& s, const std::string& name, const FrameHandle* frame) {
    const std::vector<ir::Global>& all = s.program->module.globals;
    for (uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].name != name) continue;
        if (std::optional<uint64_t> at = s.engine->addresses().addressOf(static_cast<ir::GlobalId>(i)))
            return Datum::at(all[i].type, *at);
        if (std::optional<Datum> own = frame ? threadLocal(s, *frame, static_cast<ir::GlobalId>(i)) : std::nullopt)
            return own;
    }
    return std::nullopt;
}

/// The innermost of a name, of the frame's file before that of others.
ForeignScope scopeIn(Session& s, const FrameHandle* frame) {
    std::optional<FrameHandle> held;
    if (frame && frame->frame.func != ir::FuncId::None) held = *frame;
    return [&s, held](const std::string& name) -> std::optional<Datum> {
        if (held)
            for (auto list : {localsOf, globalsOf})
                for (const Variable& v : list(s, *held))
                    if (v.evaluateName == name) return v.datum;
        return globalNamed(s, name, held ? &*held : nullptr);
    };
}

ForeignExpressions expressionsIn(Session& s, const FrameHandle* frame) {
    return {s.foreign->program->types, *s.foreign->values, scopeIn(s, frame)};
}

/// Where an assignment has its `=`; npos: it is none.
size_t assignmentAt(llvm::StringRef text) {
    for (size_t i = 1; i + 1 < text.size(); ++i)
        if (text[i] == '=' && text[i + 1] != '=' && !llvm::StringRef("=!<>").contains(text[i - 1])) return i;
    return std::string::npos;
}

} // namespace

Result<Datum> evaluateForeign(Session& s, const std::string& text, const FrameHandle* frame) {
    return expressionsIn(s, frame).evaluate(llvm::StringRef(text).trim().str());
}

Result<Datum> assignForeign(Session& s, Datum place, const std::string& text, const FrameHandle* frame) {
    if (place.place == Datum::Place::Nowhere) return Failure{"there is no value to change: " + place.note};
    const ForeignTypes& types = s.foreign->program->types;
    ForeignExpressions expressions = expressionsIn(s, frame);
    Result<Datum> value = expressions.evaluate(llvm::StringRef(text).trim().str());
    Result<std::vector<uint8_t>> bytes =
        value ? expressions.converted(*value, place.type) : Result<std::vector<uint8_t>>(value.failure());
    if (!bytes && types.plain(place.type).kind == ForeignType::Kind::Array)
        return Failure{code(types.nameOf(place.type)) +
                       " is set element by element, as by `[0]`: a character is its number"};
    if (!bytes) return bytes.failure();
    Result<void> done =
        place.bits.count != 0 ? s.foreign->values->assignBits(place, *bytes) : valuesOf(s).assign(place, *bytes);
    return done ? Result<Datum>(place) : done.failure();
}

Result<Datum> evaluateForeignAtPrompt(Session& s, const std::string& text, const FrameHandle* frame) {
    size_t at = assignmentAt(text);
    if (at == std::string::npos) return evaluateForeign(s, text, frame);
    std::string name = llvm::StringRef(text).take_front(at).trim().str(), value = text.substr(at + 1);
    Result<Datum> place = evaluateForeign(s, name, frame);
    if (!place) return place;
    if (place->place == Datum::Place::Hand && frame)
        for (const Variable& v : localsOf(s, *frame)) { // it may be in a register
            if (v.evaluateName != name) continue;
            Result<Datum> assigned = assignForeign(s, v.datum, value, frame);
            if (!assigned) return assigned;
            std::vector<uint8_t> bytes(assigned->bytes.begin(), assigned->bytes.end());
            Result<void> done = s.engine->writeSlot(frame->thread, frame->index, v.slot, bytes);
            return done ? assigned : Result<Datum>(done.failure());
        }
    bool isThere = place->place == Datum::Place::Memory || place->bits.count != 0;
    if (!isThere) return Failure{code(asUtf8(name)) + " cannot be assigned to"};
    return assignForeign(s, *place, value, frame);
}

std::string foreignProblem(Session& s, const std::string& text, CodePoint at) {
    const ir::Function& fn = s.program->module.fn(at.func);
    ForeignScope scope = [&](const std::string& name) -> std::optional<Datum> {
        for (const ir::Slot& slot : fn.slots)
            if (slotName(s, slot) == name) return Datum::nowhere(slot.type, "<not set>");
        if (std::optional<Datum> known = globalNamed(s, name, nullptr)) return known;
        for (const ir::Global& g : s.program->module.globals) // each thread may have its own
            if (g.name == name && ForeignTypes::owns(g.type)) return Datum::nowhere(g.type, "<not set>");
        return std::nullopt;
    };
    return ForeignExpressions(s.foreign->program->types, *s.foreign->values, scope).problem(text);
}

Result<bool> foreignHolds(Session& s, const std::string& text, const FrameHandle& frame) {
    ForeignExpressions expressions = expressionsIn(s, &frame);
    Result<Datum> value = expressions.evaluate(text);
    if (!value) return value.failure();
    return expressions.isTrue(*value);
}

std::vector<std::string> foreignCandidates(Session& s, const std::string& before, const FrameHandle* frame,
                                           size_t& from) {
    from = before.size();
    while (from > 0 && (llvm::isAlnum(before[from - 1]) || before[from - 1] == '_')) --from;
    std::vector<std::string> found;
    if (from > 0 && before[from - 1] == '.') {
        size_t begin = from - 1;
        while (begin > 0 && (llvm::isAlnum(before[begin - 1]) || llvm::StringRef("_.[]*").contains(before[begin - 1])))
            --begin;
        Result<Datum> owner = evaluateForeign(s, before.substr(begin, from - 1 - begin), frame);
        if (!owner) return found;
        const ForeignTypes& types = s.foreign->program->types;
        const ForeignType* type = &types.plain(owner->type);
        if (type->kind == ForeignType::Kind::Pointer) type = &types.plain(type->target);
        for (const ForeignMember& m : type->members) found.push_back(m.name);
        return found;
    }
    if (frame && frame->frame.func != ir::FuncId::None)
        for (const Variable& v : localsOf(s, *frame))
            if (!v.evaluateName.empty()) found.push_back(v.evaluateName);
    for (const ir::Global& g : s.program->module.globals) found.push_back(g.name);
    return found;
}

} // namespace sx::debugger
