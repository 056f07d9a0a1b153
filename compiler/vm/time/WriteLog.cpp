#include "vm/time/WriteLog.h"

#include "source/OwnDescriptors.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sx::vm {

namespace {
constexpr uint64_t LargePage = uint64_t{2} << 20; ///< a fault for each small page would cost more than the entries
constexpr uint64_t LeastWords = 1024, ScratchWords = 512;
} // namespace

WriteLog::WriteLog(uint64_t limit, bool overflows) : limit_(limit / sizeof(uint64_t)), overflows_(overflows) {
    constexpr uint64_t MostWords = LargePage / sizeof(uint64_t) * 2;
    chunkWords_ = std::clamp<uint64_t>(limit_ / 16, LeastWords, MostWords);
    scratch_.resize(ScratchWords);
}

WriteLog::~WriteLog() {
    for (const Chunk& c : chunks_) release(c);
    for (const Chunk& c : spare_) release(c);
    if (file_ >= 0) close(file_);
}

/// The next part of the file, whose pages the system may take from memory; null: there is no room any more.
uint64_t* WriteLog::mapFile(uint64_t bytes) {
    if (!overflows_) return nullptr;
    if (file_ < 0) {
        const char* folder = getenv("TMPDIR");
        file_ = keepAway(open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    }
    // Room is taken before it is written to: a fault for want of it would be the program's end.
    bool hasRoom = file_ >= 0 && posix_fallocate(file_, static_cast<off_t>(fileBytes_), static_cast<off_t>(bytes)) == 0;
    void* p = hasRoom ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(fileBytes_))
                      : MAP_FAILED;
    overflows_ = p != MAP_FAILED;
    if (!overflows_) {
        limit_ = std::max(limit_, words_); // it stays as long as it has become
        return nullptr;
    }
    fileBytes_ += bytes;
    return static_cast<uint64_t*>(p);
}

WriteLog::Chunk WriteLog::newChunk(uint64_t words) {
    if (words == chunkWords_ && !spare_.empty()) {
        Chunk c = spare_.back();
        spare_.pop_back();
        return c;
    }
    uint64_t bytes = (words * sizeof(uint64_t) + LargePage - 1) / LargePage * LargePage;
    if (words_ + words > limit_)
        if (uint64_t* memory = mapFile(bytes)) return {memory, memory + words, memory};
    void* p =
        mmap(nullptr, bytes + LargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) std::abort();
    // Aligned, so that all of it can be large pages.
    auto start = reinterpret_cast<uint64_t>(p), base = (start + LargePage - 1) / LargePage * LargePage;
    if (base != start) munmap(p, base - start);
    if (uint64_t over = start + LargePage - base; over != 0) munmap(reinterpret_cast<void*>(base + bytes), over);
    madvise(reinterpret_cast<void*>(base), bytes, MADV_HUGEPAGE);
    auto* memory = reinterpret_cast<uint64_t*>(base);
    return {memory, memory + words, memory};
}

void WriteLog::release(const Chunk& c) {
    uint64_t bytes = static_cast<uint64_t>(c.end - c.base) * sizeof(uint64_t);
    munmap(c.base, (bytes + LargePage - 1) / LargePage * LargePage);
}

/// Room for an entry, in a new chunk if need be.
void WriteLog::extend(uint64_t words) {
    if (suspended_ != 0) {
        if (scratch_.size() < words) scratch_.resize(words);
        at_ = scratch_.data();
        end_ = at_ + scratch_.size();
        return;
    }
    if (!chunks_.empty()) chunks_.back().used = at_;
    Chunk c = newChunk(std::max(words, chunkWords_));
    words_ += static_cast<uint64_t>(c.end - c.base);
    chunks_.push_back(c);
    while (!overflows_ && words_ > limit_ && chunks_.size() > 1) {
        Chunk oldest = chunks_.front();
        chunks_.pop_front();
        ++first_;
        auto size = static_cast<uint64_t>(oldest.end - oldest.base);
        words_ -= size;
        oldest.used = oldest.base;
        if (size == chunkWords_) spare_.push_back(oldest);
        else release(oldest);
    }
    at_ = c.base;
    end_ = c.end;
}

void WriteLog::keep(uint64_t address, uint64_t size) {
    if (size == 0) return;
    uint64_t words = (size + 7) / 8, head = size >= Long ? 2 : 1;
    if (suspended_ != 0) return;
    if (words + head > limit_ && !overflows_) {
        clear();
        lost_ = size;
        return;
    }
    if (static_cast<uint64_t>(end_ - at_) < words + head) extend(words + head);
    at_[words - 1] = 0;
    std::memcpy(at_, reinterpret_cast<const void*>(address), size);
    at_ += words;
    if (head == 2) *at_++ = size;
    *at_++ = address | std::min(size, Long) << SizeShift;
}

/// What is as it was is not written: memory that takes no writes has refused the one that was kept.
static void putBack(uint8_t* to, const uint8_t* from, uint64_t size) {
    while (size != 0 && to[size - 1] == from[size - 1]) --size;
    uint64_t same = 0;
    while (same < size && to[same] == from[same]) ++same;
    std::memcpy(to + same, from + same, size - same);
}

void WriteLog::undo(const Mark& m) {
    while (true) {
        Chunk& c = chunks_.back();
        bool isLast = first_ + chunks_.size() - 1 == m.chunk;
        uint64_t* stop = isLast ? m.at : c.base;
        while (at_ > stop) {
            uint64_t head = *--at_;
            uint64_t size = head >> SizeShift;
            if (size == Long) size = *--at_;
            at_ -= (size + 7) / 8;
            putBack(reinterpret_cast<uint8_t*>(head & AddressMask), reinterpret_cast<const uint8_t*>(at_), size);
        }
        if (isLast) return;
        words_ -= static_cast<uint64_t>(c.end - c.base);
        c.used = c.base;
        if (static_cast<uint64_t>(c.end - c.base) == chunkWords_) spare_.push_back(c);
        else release(c);
        chunks_.pop_back();
        at_ = chunks_.back().used;
        end_ = chunks_.back().end;
    }
}

void WriteLog::clear() {
    for (Chunk& c : chunks_) {
        c.used = c.base;
        if (static_cast<uint64_t>(c.end - c.base) == chunkWords_) spare_.push_back(c);
        else release(c);
    }
    first_ += chunks_.size();
    chunks_.clear();
    words_ = 0;
    at_ = end_ = nullptr;
    if (suspended_ == 0) extend(LeastWords);
}

void WriteLog::suspend() {
    if (suspended_++ != 0) return;
    keptAt_ = at_;
    keptEnd_ = end_;
    at_ = scratch_.data();
    end_ = at_ + scratch_.size();
}

void WriteLog::resume() {
    if (--suspended_ != 0) return;
    at_ = keptAt_;
    end_ = keptEnd_;
}

} // namespace sx::vm
