// Fibers, tasks, futures and channels of the library: what they stand for, and who waits. Known by name and fields.
#include "debugger/inspect/Fibers.h"
#include "debugger/inspect/Reader.h"
#include "types/TypeNames.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace sx::debugger {

namespace {

/// A struct of the library, and how its fields are read.
class Record {
public:
    Record(const TypeTable& types, Memory& memory, Addresses& addresses, const Datum& datum)
        : types(types), memory(memory), addresses(addresses), datum(datum) {}

    const StructField* field(llvm::StringRef name) const {
        for (const StructField& f : types.structInfo(datum.type).fields)
            if (types.names().text(f.name) == std::string_view(name)) return &f;
        return nullptr;
    }
    bool has(std::initializer_list<llvm::StringRef> names) const {
        return std::all_of(names.begin(), names.end(), [&](llvm::StringRef name) { return field(name) != nullptr; });
    }
    Datum part(llvm::StringRef name) const {
        const StructField* f = field(name);
        return partOf(types, datum, f->offset, f->type);
    }
    /// Of up to eight bytes; 0 where it cannot be read.
    uint64_t number(const Datum& of) const {
        uint64_t value = 0, size = std::min<uint64_t>(sizeOf(types, of.type), sizeof value);
        uint8_t bytes[sizeof value] = {};
        if (of.place == Datum::Place::Memory) memory.read(of.address, {bytes, size});
        else std::memcpy(bytes, of.bytes.data(), std::min<size_t>(size, of.bytes.size()));
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    uint64_t number(llvm::StringRef name) const { return number(part(name)); }
    bool flag(llvm::StringRef name) const { return (number(name) & 1) != 0; }
    FiberList fibers() const { return readFibers(memory, addresses.fiberRecords()); }
    Record at(TypeId type, uint64_t address) const { return {types, memory, addresses, Datum::at(type, address)}; }

    Child row(const char* shown, llvm::StringRef name) const { return {shown, part(name), "." + name.str()}; }
    static Child text(const char* shown, std::string value) {
        return {shown, Datum::nowhere(TypeId::None, std::move(value)), ""};
    }

    const TypeTable& types;
    Memory& memory;
    Addresses& addresses;
    Datum datum;
};

View rowsView(std::string text, std::vector<Child> rows) {
    View v = View::of(std::move(text));
    v.kind = View::Kind::Rows;
    v.rows = std::move(rows);
    return v;
}

/// The ring of a channel holds `count` values from `head` on.
std::optional<View> channelView(const Record& r) {
    if (!r.has({"room", "head", "count", "is_closed", "senders", "receivers", "number"})) return std::nullopt;
    Datum room = r.part("room");
    if (r.types.kind(room.type) != TypeKind::Slice) return std::nullopt;
    const StructField* count = r.field("count");
    Datum capacity = room.part(sizeof(uint64_t), count->type, sizeof(uint64_t));
    uint64_t size = r.number(capacity), length = r.number("count"), head = r.number("head");
    if (size > LengthLimit || length > size || (size > 0 && head >= size))
        return View::of("<bad channel: " + std::to_string(static_cast<int64_t>(length)) + " of " +
                        std::to_string(static_cast<int64_t>(size)) + " values>");
    uint64_t number = r.number("number");
    View v;
    v.text = (number != 0 ? "channel " + std::to_string(number) + ", " : std::string()) + "len " +
             std::to_string(length) + ", cap " + std::to_string(size) + (r.flag("is_closed") ? ", closed" : "");
    v.kind = View::Kind::Elements;
    v.elem = r.types.elem(room.type);
    v.base = Datum::at(v.elem, r.number(room.part(0, count->type, sizeof(uint64_t))));
    v.count = length;
    v.first = head;
    v.wrap = size;
    v.step = ".room";
    v.rows = {{"capacity", capacity, ".room.len"},
              r.row("length", "count"),
              r.row("closed", "is_closed"),
              r.row("senders", "senders"),
              r.row("receivers", "receivers")};
    return v;
}

/// Fibers that wait for one thing, by their links.
std::optional<View> queueView(const Record& r) {
    constexpr size_t Most = 1000;
    if (!r.has({"first", "last"}) || r.types.kind(r.part("first").type) != TypeKind::Pointer) return std::nullopt;
    TypeId fiber = r.types.elem(r.part("first").type);
    std::vector<Child> rows;
    std::set<uint64_t> seen;
    for (uint64_t at = r.number("first"); at != 0 && rows.size() < Most && seen.insert(at).second;) {
        Record one = r.at(fiber, at);
        if (!one.has({"link"})) return std::nullopt;
        rows.push_back({"[" + std::to_string(rows.size()) + "]", one.datum, ""});
        at = one.number("link");
    }
    std::string text = "len " + std::to_string(rows.size());
    return rowsView(std::move(text), std::move(rows));
}

std::optional<View> fiberView(const Record& r) {
    if (!r.has({"state", "scheduler", "place", "machine", "record"})) return std::nullopt;
    constexpr uint64_t Over = 3;
    std::vector<Child> rows{r.row("state", "state"), r.row("spawned", "place")};
    if (r.number("state") == Over) return rowsView("fiber that is over", std::move(rows));
    std::optional<FiberRecord> record = readFiber(r.memory, r.number("record"));
    if (!record) return std::nullopt;
    FiberList all = r.fibers();
    if (std::string awaited = awaitedText(*record, all, r.addresses); !awaited.empty())
        rows.insert(rows.begin() + 1, Record::text("waiting for", awaited));
    return rowsView(fiberTitle(*record, all, r.addresses), std::move(rows));
}

/// The error that a task, or the worker of a future, ended with: `path.name` (std/internal/failure.sx).
std::string keptError(const Record& r) {
    constexpr uint64_t Most = 200;
    if (!r.has({"path"}) || r.types.kind(r.part("path").type) != TypeKind::Struct) return "";
    Record path{r.types, r.memory, r.addresses, r.part("path")};
    if (!path.has({"name", "snapshot"}) || path.part("name").place != Datum::Place::Memory) return "";
    TypeId word = path.part("snapshot").type;
    uint64_t at = path.part("name").address;
    std::string name(std::min(r.number(Datum::at(word, at + sizeof at)), Most), '\0');
    name.resize(r.memory.read(r.number(Datum::at(word, at)), {reinterpret_cast<uint8_t*>(name.data()), name.size()}));
    return name;
}

/// `failed`, with the error where it was kept.
std::string failedText(const Record& r) {
    std::string error = keptError(r);
    return error.empty() ? "failed" : "failed: error." + error;
}

std::optional<View> futureView(const Record& r) {
    if (!r.has({"value", "state", "worker_done", "canceled", "task"})) return std::nullopt;
    enum State : uint64_t { Pending, Ready, Failed, Canceled };
    uint64_t kept = r.number("state"), done = r.number("worker_done"), flag = r.number("canceled");
    if (kept > Canceled || done > 1 || flag > 1) // freed, or never made
        return View::of("<bad future: state " + std::to_string(kept) + ">");
    // One that is canceled when its value is there has it all the same, although `await` does not give it.
    bool isDone = done != 0, isReady = isDone && kept == Ready, isCanceled = flag != 0 && !isReady;
    std::vector<Child> rows;
    std::string state = isCanceled ? "canceled" : !isDone ? "pending" : isReady ? "ready" : failedText(r);
    rows.push_back(Record::text("state", state));
    if (isReady) rows.push_back(r.row("value", "value"));
    if (isReady && flag != 0) rows.push_back(Record::text("canceled", "true"));
    if (r.datum.place == Datum::Place::Memory && !isDone) {
        FiberList all = r.fibers();
        if (const FiberRecord* worker = all.byTask(r.datum.address))
            rows.push_back(Record::text("fiber", fiberTitle(*worker, all, r.addresses)));
        for (const FiberRecord& waiter : all.records)
            if (waiter.reason == FiberReason::Await && waiter.object == r.datum.address)
                rows.push_back(Record::text("awaited by", waiter.number ? fiberName(waiter, r.addresses) : "main"));
    }
    return rowsView(state, std::move(rows));
}

std::optional<View> taskView(const Record& r) {
    if (!r.has({"scheduler", "body", "ending", "fiber", "is_over", "canceled"})) return std::nullopt;
    Record ending{r.types, r.memory, r.addresses, r.part("ending")};
    if (r.types.kind(ending.datum.type) != TypeKind::Struct || !ending.has({"failed"})) return std::nullopt;
    std::vector<Child> rows;
    std::string text = "pending";
    if (r.flag("is_over")) {
        text = ending.flag("failed") ? failedText(ending) : "done";
    } else if (r.types.kind(r.part("fiber").type) == TypeKind::Pointer) {
        rows.push_back({"fiber", Datum::at(r.types.elem(r.part("fiber").type), r.number("fiber")), ".fiber.*"});
    }
    rows.insert(rows.begin(), Record::text("state", text));
    rows.push_back(r.row("canceled", "canceled"));
    return rowsView(std::move(text), std::move(rows));
}

} // namespace

std::optional<View> concurrencyView(const TypeTable& types, Memory& memory, Addresses& addresses, const Datum& datum) {
    std::string name = writtenName(types, datum.type);
    Record r{types, memory, addresses, datum};
    std::optional<View> v;
    if (llvm::StringRef(name).starts_with("Channel(")) v = channelView(r);
    else if (llvm::StringRef(name).starts_with("Future(")) v = futureView(r);
    else if (name == "Fiber") v = fiberView(r);
    else if (name == "FiberTask") v = taskView(r);
    else if (name == "FiberQueue") v = queueView(r);
    if (v && v->kind != View::Kind::Plain) v->raw = datum;
    return v;
}

} // namespace sx::debugger
