// What memory held before it was written: the way back. Entries are appended as the program runs and put back newest
// first.
//
// An entry is the bytes, padded to words, and behind them a word with the address and the size, so that the log can be
// read backwards. It lies in chunks of which the oldest are given up when all of them are in use.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

namespace sx::vm {

class WriteLog {
public:
    /// Keeps at most about `limit` bytes; the memory is taken as it is used. `overflows`: what there is no room for
    /// goes to a file without a name, as long as the disk has room.
    explicit WriteLog(uint64_t limit, bool overflows = false);
    ~WriteLog();
    WriteLog(const WriteLog&) = delete;

    /// Keeps a value that is about to be written. Faults where the address does.
    template <typename T> void keep(uint64_t address) {
        if (__builtin_expect(end_ - at_ < 2, 0)) extend(2);
        T old;
        std::memcpy(&old, reinterpret_cast<const void*>(address), sizeof old);
        at_[0] = 0;
        std::memcpy(at_, &old, sizeof old);
        at_[1] = address | uint64_t{sizeof old} << SizeShift;
        at_ += 2;
    }
    /// The same for any number of bytes.
    void keep(uint64_t address, uint64_t size);

    /// A moment between two entries.
    struct Mark {
        uint64_t chunk = 0; ///< counted from the first there ever was
        uint64_t* at = nullptr;
    };
    Mark mark() const { return {first_ + chunks_.size() - 1, at_}; }
    /// The way back to it is still there.
    bool reaches(const Mark& m) const { return m.chunk >= first_; }
    /// Puts back what was written since, and forgets the entries.
    void undo(const Mark&);
    /// Forgets all entries: no earlier mark is reached any more.
    void clear();
    /// The size of a write that was too large to be kept, after which the log was cleared; 0: none was.
    uint64_t lostBytes() const { return lost_; }
    void forgetLoss() { lost_ = 0; }

    /// While suspended nothing is kept.
    void suspend();
    void resume();
    bool isSuspended() const { return suspended_ != 0; }

private:
    static constexpr unsigned SizeShift = 48;
    static constexpr uint64_t AddressMask = (uint64_t{1} << SizeShift) - 1;
    static constexpr uint64_t Long = 0xffff; ///< the size has a word of its own in front

    struct Chunk {
        uint64_t *base, *end; ///< its memory
        uint64_t* used;       ///< where its entries end; of the newest one `at_`
    };
    void extend(uint64_t words);
    Chunk newChunk(uint64_t words);
    uint64_t* mapFile(uint64_t bytes);
    void release(const Chunk&);

    uint64_t *at_ = nullptr, *end_ = nullptr;
    std::deque<Chunk> chunks_;
    std::vector<Chunk> spare_;
    uint64_t first_ = 0; ///< number of the oldest chunk
    uint64_t limit_, chunkWords_, words_ = 0;
    uint64_t lost_ = 0;
    unsigned suspended_ = 0;
    bool overflows_ = false; ///< and there was room so far
    int file_ = -1;
    uint64_t fileBytes_ = 0;
    uint64_t *keptAt_ = nullptr, *keptEnd_ = nullptr; ///< while suspended
    std::vector<uint64_t> scratch_;                   ///< takes what is not to be kept
};

} // namespace sx::vm
