// Watches that tell of changes at stops and with traced instructions, without stopping the program themselves.
#include "debugger/foreign/Number.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Requests.h"
#include "debugger/session/Rows.h"
#include "types/Derived.h"
#include "types/Predicates.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

constexpr uint64_t MostBytes = 1 << 20;
constexpr size_t MostWatches = 1000;

std::vector<uint8_t> bytesOfWatch(Session& s, const MachineWatch& w) {
    std::vector<uint8_t> bytes(w.size);
    if (memoryOf(s).read(w.address, bytes) != bytes.size()) bytes.clear();
    return bytes;
}

/// The same of a type of another language.
Value foreignValueOf(Session& s, TypeId type, const std::vector<uint8_t>& bytes, const std::string& digits) {
    Result<ForeignNumber> n = numberOf(s.foreign->program->types, *s.foreign->values, Datum::held(type, bytes));
    if (!n) return digits;
    if (n->kind == ForeignNumber::Kind::Float) return std::isfinite(n->real) ? Value(n->real) : Value(digits);
    return n->integer < 0 ? Value(static_cast<int64_t>(n->integer)) : Value(static_cast<uint64_t>(n->integer));
}

/// A number for scalars of up to 8 bytes, else the bytes as hexadecimal digits; null where they could not be read.
Value valueOf(Session& s, TypeId type, const std::vector<uint8_t>& bytes) {
    if (bytes.empty()) return nullptr;
    const TypeTable& types = s.program->types;
    std::string digits = llvm::toHex(bytes, /*LowerCase=*/true);
    if (ForeignTypes::owns(type)) return foreignValueOf(s, type, bytes, digits);
    unsigned bits = isScalar(types, type) && bytes.size() <= sizeof(uint64_t) ? scalarBits(types, type) : 0;
    if (bits == 0) return digits;
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    if (isFloat(types, type)) {
        double number = bytes.size() == sizeof(float) ? std::bit_cast<float>(static_cast<uint32_t>(word))
                                                      : std::bit_cast<double>(word);
        return std::isfinite(number) ? Value(number) : Value(digits);
    }
    if (isInteger(types, type) && types.isSigned(type)) {
        unsigned unused = 64 - bits;
        return static_cast<int64_t>(word << unused) >> unused;
    }
    return word;
}

/// As a row of variables shows it.
std::string formatted(Session& s, const MachineWatch& w) {
    if (w.bytes.empty()) return "<unreadable>";
    bool isThere = bytesOfWatch(s, w) == w.bytes;
    return asUtf8(shownValue(s, isThere ? Datum::at(w.type, w.address) : Datum::held(w.type, w.bytes), {}).row.text);
}

/// `0x2000`: 8 bytes there.
bool isAddress(const std::string& text) {
    uint64_t n = 0;
    llvm::StringRef digits = text;
    return digits.consume_front("0x") && !digits.empty() && !digits.getAsInteger(16, n);
}

/// Where an expression of the innermost frame is: by what data breakpoints know of it.
Result<MachineWatch> find(Session& s, const std::string& text) {
    MachineWatch w;
    w.expression = text;
    if (isAddress(text)) {
        w.address = *parseAddress(text);
        w.size = sizeof(uint64_t);
        w.type = integerType(64, /*isSigned=*/false);
        return w;
    }
    ThreadId thread = s.stop.thread == 0 ? 1 : s.stop.thread;
    Frames top = s.engine->frames(thread, 0, 1);
    if (top.frames.empty()) return Failure{"the thread has no frame"};
    uint32_t id = s.handles.addFrame({thread, 0, top.frames[0]});
    Result<Watched> found = findWatched(s, text, std::nullopt, id);
    if (!found) return found.failure();
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(found->id).split(words, ' ');
    auto number = [&](size_t i) {
        uint64_t n = 0;
        if (i < words.size()) words[i].getAsInteger(10, n);
        return n;
    };
    bool isLocal = words[0] == "slot";
    size_t ofFrame = isLocal ? 1 : 4;
    w.type = static_cast<TypeId>(number(isLocal ? 5 : 3));
    w.size = valuesOf(s).sizeOf(w.type);
    w.thread = static_cast<ThreadId>(number(ofFrame));
    w.func = static_cast<ir::FuncId>(number(ofFrame + 1));
    w.frame = number(ofFrame + 2);
    w.address = isLocal ? s.engine->slot(thread, 0, static_cast<ir::SlotId>(number(4))).address : number(1);
    if (w.address == 0) return Failure{code(text) + " is in a register: it has no address"};
    return w;
}

Object describe(Session& s, const MachineWatch& w) {
    Object o{{"watch_id", w.id},
             {"expr", asUtf8(w.expression)},
             {"addr", w.address},
             {"size", w.size},
             {"type", valuesOf(s).nameOf(w.type)},
             {"value", w.ended ? Value(nullptr) : valueOf(s, w.type, w.bytes)}};
    o["formatted"] = w.ended ? std::string("<ended>") : formatted(s, w);
    return o;
}

} // namespace

Reply addWatch(Session& s, Arguments& a) {
    checkAddressed(s, a);
    std::string text = a.text("expr");
    if (!a.ok()) return {};
    if (!s.program) return Reply::failure("the program's sources are not known");
    if (s.machine->watches.size() >= MostWatches) return Reply::failure("there are 1000 watches already");
    Result<MachineWatch> found = find(s, text);
    if (!found) return Reply::failure(found.error());
    if (found->size > MostBytes) return Reply::failure(code(asUtf8(text)) + " is larger than 1 MiB");
    found->bytes = bytesOfWatch(s, *found);
    if (found->bytes.empty()) return Reply::failure("the memory at " + hexText(found->address) + " cannot be read");
    found->id = s.machine->nextWatch++;
    s.machine->watches.push_back(std::move(*found));
    traceWatches(s);
    return answered(describe(s, s.machine->watches.back()));
}

Reply removeWatch(Session& s, Arguments& a) {
    checkAddressed(s, a);
    uint32_t id = a.index("watch_id");
    if (!a.ok()) return {};
    bool wasThere = std::erase_if(s.machine->watches, [&](const MachineWatch& w) { return w.id == id; }) > 0;
    if (wasThere) traceWatches(s);
    return wasThere ? answered(Object{{"watch_id", id}}) : Reply::failure("there is no watch " + std::to_string(id));
}

Reply listWatches(Session& s, Arguments& a) {
    checkAddressed(s, a);
    if (!a.ok()) return {};
    Array all;
    for (const MachineWatch& w : s.machine->watches) all.push_back(describe(s, w));
    return answered(Object{{"watches", std::move(all)}});
}

void tellWatches(Session& s) {
    for (MachineWatch& w : s.machine->watches) {
        w.ended = w.ended || (w.frame != 0 && !liveFrame(s, w.thread, w.func, w.frame));
        if (w.ended) continue;
        std::vector<uint8_t> now = bytesOfWatch(s, w);
        if (now != w.bytes) tellWatch(s, w, std::move(now));
    }
}

void tellWatch(Session& s, MachineWatch& w, std::vector<uint8_t> now) {
    Object body{{"watch_id", w.id}, {"expr", asUtf8(w.expression)}, {"old_value", valueOf(s, w.type, w.bytes)}};
    w.bytes = std::move(now);
    body["new_value"] = valueOf(s, w.type, w.bytes);
    body["formatted"] = formatted(s, w);
    machineEvent(s, "watch_update", std::move(body));
}

void traceWatches(Session& s) {
    if (!isLive(s)) return;
    std::vector<TracedPlace> places;
    for (const MachineWatch& w : s.machine->watches)
        if (s.machine->wantsSteps() && !w.ended) places.push_back({w.id, w.address, w.bytes, w.thread, w.frame});
    s.engine->machine().tracePlaces(places);
}

} // namespace sx::debugger
