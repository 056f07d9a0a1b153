#include "debugger/session/ErrorTrace.h"

#include "debugger/session/Evaluation.h"
#include "debugger/session/Fibers.h"
#include "debugger/session/Foreign.h"
#include "ir/FrameRecord.h"
#include "types/Predicates.h"

#include "sx/trace.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <deque>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

/// Tells what the frames of a trace are. Its texts live as long as it does.
class FrameTeller {
public:
    FrameTeller(Session& s, bool packed) : session_(s), packed_(packed) {}

    const sx_trace_resolver* resolver() {
        resolver_ = {resolve, this, name};
        return &resolver_;
    }

private:
    static bool resolve(uint64_t frame, sx_frame* out, void* self) {
        auto* teller = static_cast<FrameTeller*>(self);
        return teller->packed_ ? teller->unpack(frame, *out) : teller->readFrame(frame, *out);
    }
    static bool name(uint64_t error, sx_string* out, void* self) {
        auto* teller = static_cast<FrameTeller*>(self);
        if (!teller->session_.program) return false;
        std::string name = teller->session_.program->tagName(error);
        if (name.empty()) return false;
        *out = teller->keep(std::move(name));
        return true;
    }

    sx_string keep(std::string text) {
        texts_.push_back(std::move(text));
        return {texts_.back().data(), static_cast<int64_t>(texts_.back().size())};
    }
    bool unpack(uint64_t frame, sx_frame& out);
    bool readFrame(uint64_t address, sx_frame& out);
    sx_string readText(sx_string);

    Session& session_;
    bool packed_;
    sx_trace_resolver resolver_{};
    std::deque<std::string> texts_;
};

bool FrameTeller::unpack(uint64_t frame, sx_frame& out) {
    const Program& program = *session_.program;
    auto func = static_cast<uint32_t>(frame >> 32);
    SourcePos at{static_cast<uint32_t>(frame)};
    if (func >= program.module.functions.size() || !at.isValid()) return false;
    SourcePos end = program.sources.start(static_cast<FileId>(program.sources.fileCount() - 1));
    end =
        end + static_cast<uint32_t>(program.sources.text(static_cast<FileId>(program.sources.fileCount() - 1)).size());
    if (end < at) return false;
    ir::FrameRecord shown = ir::frameRecord(program.sources, at);
    out.file = keep(std::string(shown.path));
    out.line = shown.line;
    out.col = shown.column;
    out.func = keep(program.module.functions[func]->name);
    out.line_text = keep(std::move(shown.lineText));
    return true;
}

sx_string FrameTeller::readText(sx_string there) {
    if (!there.ptr || there.len <= 0 || there.len > SX_TRACE_TEXT_MAX) return {nullptr, 0};
    std::string text(static_cast<size_t>(there.len), '\0');
    size_t n = session_.engine->memory().read(reinterpret_cast<uint64_t>(there.ptr),
                                              {reinterpret_cast<uint8_t*>(text.data()), text.size()});
    text.resize(n);
    return keep(std::move(text));
}

bool FrameTeller::readFrame(uint64_t address, sx_frame& out) {
    uint8_t bytes[sizeof(sx_frame)];
    if (address < 4096 || session_.engine->memory().read(address, bytes) != sizeof bytes) return false;
    std::memcpy(&out, bytes, sizeof out);
    out.file = readText(out.file);
    out.func = readText(out.func);
    out.line_text = readText(out.line_text);
    return true;
}

/// The frame of a JSON trace as `sxErrorTrace` gives it.
Object frameOf(const Object& f) {
    Object o;
    for (const char* key : {"func", "file", "line", "col", "text", "notes", "values"})
        if (const llvm::json::Value* v = f.get(key)) o[key] = *v;
    return o;
}

/// The runtime's JSON has one list of frames, with marks where a chain begins; the protocol has a list of chains.
Array chainsOf(const Object& group) {
    Array chains;
    const Array* frames = group.getArray("frames");
    if (!frames) return chains;
    Object chain;
    Array own;
    bool begun = false;
    auto end = [&] {
        if (!begun) return;
        chain["frames"] = std::exchange(own, {});
        chains.push_back(std::exchange(chain, {}));
    };
    for (const llvm::json::Value& v : *frames) {
        const Object* f = v.getAsObject();
        if (!f) continue;
        std::optional<llvm::StringRef> link = f->getString("link");
        if (link || !begun) {
            end();
            begun = true;
            chain["error"] = f->get("error") ? *f->get("error") : llvm::json::Value(nullptr);
            chain["link"] = link ? llvm::json::Value(link->str()) : llvm::json::Value(nullptr);
            chain["omitted"] = 0;
            chain["unknownOrigin"] = f->getString("origin") == std::optional<llvm::StringRef>("unknown");
        }
        own.push_back(frameOf(*f));
    }
    end();
    return chains;
}

std::string textOf(const sx_trace_snapshot* snapshot, const sx_trace_options& options) {
    size_t size = sx_trace_format(nullptr, 0, snapshot, &options);
    std::string text(size + 1, '\0');
    sx_trace_format(text.data(), text.size(), snapshot, &options);
    text.resize(size);
    return text;
}

/// `  parse at a.sx:3:4 (2 times)` is told by the frames; lines that are none are labels.
std::vector<std::string> labelsOf(const std::string& rendered) {
    std::vector<std::string> labels;
    llvm::StringRef rest = rendered;
    while (!rest.empty()) {
        auto [line, others] = rest.split('\n');
        rest = others;
        labels.push_back(line.str());
    }
    return labels;
}

/// Puts the newest group's lines together: frames as JSON has them, and between them the text's links and omissions.
void addLines(ErrorTrace& t, const std::string& shortText) {
    t.lines.push_back(
        {true,
         "error return trace: " + (t.error.empty() ? "another error" : "error." + t.error) + " (most recent call last)",
         "", 0, 0});
    const Array* chains = t.json.getArray("chains");
    std::vector<const Object*> frames;
    if (chains)
        for (const llvm::json::Value& c : *chains)
            for (const llvm::json::Value& f : *c.getAsObject()->getArray("frames")) frames.push_back(f.getAsObject());
    size_t next = 0;
    for (const std::string& line : labelsOf(shortText)) {
        llvm::StringRef text = llvm::StringRef(line).trim();
        if (text.starts_with("also in flight")) break;
        if (text.empty() || text.starts_with("error return trace (")) continue;
        bool isFrame = llvm::StringRef(line).starts_with("  ") && next < frames.size() && text.contains(" at ") &&
                       !text.starts_with("...") && !text.starts_with("(");
        if (!isFrame) {
            if (llvm::StringRef(line).starts_with("    ")) continue; // notes and values
            t.lines.push_back({true, text.str(), "", 0, 0});
            continue;
        }
        uint64_t times = 1; // neighbours that are equal are folded in the text, and are not here
        if (size_t open = text.rfind(" ("); text.ends_with(" times)"))
            text.drop_front(open + 2).split(' ').first.getAsInteger(10, times);
        for (; times > 0 && next < frames.size(); --times, ++next) {
            const Object& f = *frames[next];
            t.lines.push_back({false, f.getString("func").value_or("").str(), f.getString("file").value_or("").str(),
                               static_cast<uint32_t>(f.getInteger("line").value_or(0)),
                               static_cast<uint32_t>(f.getInteger("col").value_or(0))});
        }
    }
}

ErrorTrace tell(Session& s, const sx_trace_snapshot* snapshot, bool packed) {
    ErrorTrace t;
    FrameTeller teller(s, packed);
    sx_trace_options options{};
    options.resolver = teller.resolver();
    options.style = SX_TRACE_STYLE_TEXT;
    t.rendered = textOf(snapshot, options);
    t.inFlight = !t.rendered.empty();
    t.json["chains"] = Array{};
    t.json["in_flight"] = Array{};
    if (!t.inFlight) return t;
    options.style = SX_TRACE_STYLE_JSON;
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(textOf(snapshot, options));
    Object* object = value ? value->getAsObject() : nullptr;
    if (!value) llvm::consumeError(value.takeError());
    if (object) {
        t.error = object->getString("error").value_or("").str();
        Array chains = chainsOf(*object);
        if (!chains.empty())
            if (const llvm::json::Value* omitted = object->get("omitted"))
                (*chains[0].getAsObject())["omitted"] = *omitted;
        t.json["chains"] = std::move(chains);
        if (const Array* others = object->getArray("in_flight")) t.json["in_flight"] = Array(*others);
    }
    options.style = SX_TRACE_STYLE_SHORT;
    addLines(t, textOf(snapshot, options));
    return t;
}

} // namespace

namespace {

ErrorTrace noTrace() {
    ErrorTrace none;
    none.json["chains"] = Array{};
    none.json["in_flight"] = Array{};
    return none;
}

/// Calls `look` while what is in flight in a thread of the program is so in this one.
template <typename Look> ErrorTrace withTraceOf(const TraceSource& source, Look look) {
    sx_trace_state state{};
    if (source.state.size() != sizeof state) return noTrace();
    std::memcpy(&state, source.state.data(), sizeof state);
    // This thread's own trace makes room for the copy while it is told. A swap marks a state as one; what was read from
    // a thread has no such mark.
    sx_trace_state own{};
    sx_trace_swap(&own);
    state.trace.is_state = own.trace.is_state;
    sx_trace_swap(&state);
    ErrorTrace t = look();
    sx_trace_swap(&own);
    return t;
}

} // namespace

ErrorTrace errorTraceOf(Session& s, ThreadId thread) {
    TraceSource source = traceSourceOf(s, thread);
    return withTraceOf(source, [&] { return tell(s, nullptr, source.packedFrames); });
}

ErrorTrace errorTraceAt(Session& s, const TracePlace& place) {
    sx_trace_snapshot snapshot{};
    if (place.snapshot == 0) {
        TraceSource source = traceSourceOf(s, place.thread);
        return withTraceOf(source, [&] {
            sx_trace_capture_at(place.below, &snapshot);
            return tell(s, &snapshot, source.packedFrames);
        });
    }
    uint8_t* bytes = reinterpret_cast<uint8_t*>(&snapshot);
    if (s.engine->memory().read(place.snapshot, {bytes, sizeof snapshot}) != sizeof snapshot) snapshot = {};
    return tell(s, &snapshot, s.engine->trace(s.stop.thread).packedFrames);
}

namespace {

/// The newest of what is in flight that is this error: a handler's is, until the handler ends.
std::optional<TracePlace> inFlight(Session& s, ThreadId thread, const std::string& error) {
    for (TracePlace place{0, thread, 0}; place.below < SX_TRACE_CHAINS; ++place.below) {
        ErrorTrace trace = errorTraceAt(s, place);
        if (!trace.inFlight) return std::nullopt;
        if (trace.error == error) return place;
    }
    return std::nullopt;
}

} // namespace

std::optional<TracePlace> tracePlaceOf(Session& s, const FrameHandle& frame, ir::SlotId slot, const Datum& value) {
    if (!s.evaluator || slot == ir::SlotId::None || isForeign(s, &frame) || !isErrorSet(s.program->types, value.type))
        return std::nullopt;
    Result<std::vector<uint8_t>> tag = bytesOf(s, value);
    if (!tag || llvm::all_of(*tag, [](uint8_t b) { return b == 0; })) return std::nullopt;
    uint64_t number = 0;
    std::memcpy(&number, tag->data(), std::min(tag->size(), sizeof number));
    if (isOfHandler(s, frame, slot)) return inFlight(s, frame.thread, s.program->tagName(number));
    ir::SlotId trace = traceSlotOf(s, frame, slot);
    if (trace == ir::SlotId::None) return std::nullopt;
    SlotPlace place = s.engine->slot(frame.thread, frame.index, trace);
    if (place.kind != SlotPlace::Kind::Memory || !errorTraceAt(s, {place.address, 0, 0}).inFlight) return std::nullopt;
    return TracePlace{place.address, 0, 0};
}

std::optional<FileId> fileOfTrace(const Session& s, const std::string& tracePath) {
    if (!s.program) return std::nullopt;
    for (FileId file : s.program->files())
        if (s.program->sources.tracePath(file) == tracePath) return file;
    return std::nullopt;
}

} // namespace sx::debugger
