#include "debugger/session/Heap.h"

#include "debugger/engine/ProcessMemory.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/LongWork.h"
#include "types/Layout.h"

#include "heap.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstring>

namespace sx::debugger {

namespace {

/// The memory of a process of this machine, in large pieces: what is asked of debuggers word by word would take too
/// long for a whole heap.
class ProcessMemory final : public Memory {
public:
    ProcessMemory(Memory& slow, int pid) : slow_(slow), pid_(pid) {}

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override {
        if (into.size() >= PieceBytes) return direct(address, into);
        size_t done = 0;
        while (done < into.size()) {
            const Piece& piece = pieceAt((address + done) / PieceBytes);
            size_t offset = (address + done) % PieceBytes;
            if (offset >= piece.size) break;
            size_t n = std::min(into.size() - done, piece.size - offset);
            std::memcpy(into.data() + done, piece.bytes.get() + offset, n);
            done += n;
        }
        // A piece ends where a page cannot be read; what is asked for may lie behind it.
        return done < into.size() ? done + direct(address + done, into.drop_front(done)) : done;
    }
    bool write(uint64_t, llvm::ArrayRef<uint8_t>) override { return false; }

private:
    static constexpr size_t PieceBytes = 64 << 10, MostPieces = 8192;

    size_t direct(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
        size_t n = readProcessMemory(pid_, address, into.data(), into.size());
        return n > 0 ? n : slow_.read(address, into);
    }
    struct Piece {
        std::unique_ptr<uint8_t[]> bytes;
        size_t size = 0;
    };
    const Piece& pieceAt(uint64_t number) {
        if (number == last_ && lastPiece_) return *lastPiece_;
        if (pieces_.size() > MostPieces) pieces_.clear();
        auto [at, isNew] = pieces_.try_emplace(number);
        if (isNew) {
            at->second.bytes.reset(new uint8_t[PieceBytes]); // without zeros in it
            at->second.size = direct(number * PieceBytes, {at->second.bytes.get(), PieceBytes});
        }
        last_ = number;
        lastPiece_ = &at->second;
        return at->second;
    }

    Memory& slow_;
    int pid_;
    std::map<uint64_t, Piece> pieces_;
    uint64_t last_ = 0;
    const Piece* lastPiece_ = nullptr;
};

} // namespace

void HeapState::forget() {
    rows.clear();
    index.reset();
    graph.reset();
    registry.reset();
    memory.reset();
    problem.clear();
}

Result<const objects::Registry*> registryOf(Session& s) {
    HeapState& heap = *s.heap;
    if (!s.engine || !s.program) return Failure{"no program is loaded"};
    if (!s.program->sema) return Failure{"the program's sources are not known"};
    // What changes while it is read would be half of one heap and half of another.
    if (s.phase == Phase::Running) return Failure{"the program is running: `pause` it first"};
    if (s.phase != Phase::Stopped) return Failure{"the program has no heap yet: it has not begun"};
    if (heap.registry) return &*heap.registry;
    if (!heap.problem.empty()) return Failure{heap.problem};
    if (heap.tables == 0) heap.tables = s.engine->addresses().heapTables();
    heap.memory = std::make_unique<ProcessMemory>(s.engine->memory(), s.engine->processId());
    Result<objects::Registry> read = objects::Registry::read(*heap.memory, heap.tables);
    if (!read) {
        heap.problem = read.error();
        return read.failure();
    }
    heap.registry = std::move(*read);
    return &*heap.registry;
}

// ---- sites and owners

namespace {

objects::Site placeOf(Session& s, ir::FuncId func, SourcePos pos) {
    objects::Site site;
    if (func != ir::FuncId::None) site.func = s.program->module.fn(func).name;
    if (!pos.isValid()) return site;
    Location at = s.program->sources.resolve(pos);
    site.file = std::string(s.program->sources.tracePath(at.file));
    site.line = at.line;
    site.column = at.col;
    return site;
}

/// A frame as a place of the program; `isUser`: it is not the library's.
objects::Site frameSite(Session& s, bool isPacked, uint64_t frame, bool& isUser) {
    auto func = ir::FuncId::None;
    SourcePos pos;
    if (isPacked) {
        if (frame >> 32 < s.program->module.functions.size()) func = static_cast<ir::FuncId>(frame >> 32);
        pos.raw = static_cast<uint32_t>(frame);
    } else {
        // The instruction before the return address is the call.
        std::vector<Instruction> at = s.engine->machine().disassemble(frame - 1, 0, 1);
        if (at.empty()) return {};
        func = at.front().func;
        pos = at.front().at;
    }
    isUser = pos.isValid() && !s.program->isLibrary(s.program->sources.fileOf(pos));
    return placeOf(s, func, pos);
}

} // namespace

objects::Site siteOf(Session& s, const objects::Registry& registry, uint32_t site) {
    objects::Site innermost;
    for (uint64_t frame : registry.frames(*s.heap->memory, site)) {
        bool isUser = false;
        objects::Site at = frameSite(s, registry.isPacked(), frame, isUser);
        if (isUser) return at;
        if (innermost.file.empty()) innermost = at;
    }
    return innermost;
}

std::string ownerOf(Session& s, const objects::Block& block) {
    if (block.fiber != 0) {
        uint32_t thread = s.engine->addresses().threadOfFiber(block.fiber);
        return thread != 0 ? "fiber " + std::to_string(thread) : "fiber #" + std::to_string(block.fiber);
    }
    auto known = s.heap->threads.find(block.thread);
    return known != s.heap->threads.end() ? "thread " + std::to_string(known->second) : "a thread that has ended";
}

// ---- the graph

/// Milliseconds since the epoch.
static uint64_t now() {
    using namespace std::chrono;
    return static_cast<uint64_t>(duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
}

Result<std::shared_ptr<objects::HeapGraph>> heapGraphOf(Session& s) {
    HeapState& heap = *s.heap;
    if (heap.graph) return heap.graph;
    LongWork work(s, "reading the heap");
    Result<const objects::Registry*> registry = registryOf(s);
    if (!registry) return registry.failure();
    Addresses& addresses = s.engine->addresses();
    heap.index = std::make_unique<objects::HeapIndex>(s.program->types, *heap.memory, addresses, **registry);
    objects::HeapIndex::Names names;
    names.site = [&](uint32_t site) { return siteOf(s, **registry, site); };
    names.owner = [&](const objects::Block& b) { return ownerOf(s, b); };
    names.isCancelled = [&] { return !work.goesOn(); };
    bool isBuilt = heap.index->build(heapRoots(s), names);
    if (!isBuilt) {
        heap.index.reset();
        return Failure{Cancelled};
    }
    heap.graph = heap.index->take();
    heap.graph->takenAt = now();
    return heap.graph;
}

// ---- values

HeapRemark heapRemark(Session& s, const Datum& datum, std::optional<uint64_t> reference) {
    HeapRemark remark;
    if (!reference || datum.place == Datum::Place::Nowhere) return remark;
    Result<const objects::Registry*> registry = registryOf(s);
    if (!registry) return remark;
    const TypeTable& types = s.program->types;
    bool isItself = datum.place == Datum::Place::Memory && datum.address == *reference;
    objects::Located at = (*registry)->locate(*reference);
    if (!at.block) return remark;
    if (isItself) { // a value in the heap is an object where it is the whole block
        if (at.block->isLive() && at.offset == 0 && sizeOf(types, datum.type) == at.block->size)
            remark.id = at.block->serial;
        return remark;
    }
    bool isMany = types.kind(datum.type) == TypeKind::ManyPointer;
    bool isEnd = at.offset >= 0 && static_cast<uint64_t>(at.offset) == at.block->size;
    if (!at.block->isLive()) {
        objects::Site site = siteOf(s, **registry, at.block->freedSite);
        std::string place = site.file.empty() ? "" : " at " + site.file + ":" + std::to_string(site.line);
        remark.instead = "<dangling: freed" + place + ">";
    } else if (at.isInside() || (at.block->size == 0 && at.offset == 0)) {
        remark.id = at.block->serial;
    } else if (!(isMany && isEnd)) {
        remark.instead = "<out of bounds: offset " + std::string(at.offset < 0 ? "" : "+") + std::to_string(at.offset) +
                         " of " + std::to_string(at.block->size) + ">";
    }
    return remark;
}

std::string withoutObjectId(std::string text) {
    size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return text;
    size_t at = end + 1;
    while (at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1]))) --at;
    bool isId = at <= end && at >= 2 && text[at - 1] == '#' && text[at - 2] == ' ';
    return isId ? text.substr(0, at - 2) : text;
}

} // namespace sx::debugger
