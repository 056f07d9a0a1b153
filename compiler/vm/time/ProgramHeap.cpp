#include "vm/time/ProgramHeap.h"

#include <bit>
#include <sys/mman.h>

namespace sx::vm {

namespace {

/// Where no system puts anything by itself: the same in every process.
constexpr uint64_t Wanted = 0x510000000000;
constexpr uint64_t Most = uint64_t{256} << 30, Least = uint64_t{1} << 30; ///< of address space
constexpr uint64_t Granule = 16;
constexpr unsigned SmallClasses = 64; ///< of 16, 32, … bytes
constexpr unsigned Classes = SmallClasses + 4 * 40;

/// Above 1 KiB there are four sizes for each power of two.
unsigned classOf(uint64_t size) {
    if (size <= Granule * SmallClasses) return static_cast<unsigned>((size + Granule - 1) / Granule) - 1;
    unsigned log = 63 - static_cast<unsigned>(std::countl_zero(size - 1));
    return SmallClasses + (log - 10) * 4 + static_cast<unsigned>(((size - 1) >> (log - 2)) & 3);
}
uint64_t sizeOfClass(unsigned c) {
    if (c < SmallClasses) return (c + 1) * Granule;
    unsigned log = 10 + (c - SmallClasses) / 4;
    return (uint64_t{1} << log) + ((c - SmallClasses) % 4 + 1) * (uint64_t{1} << (log - 2));
}

} // namespace

struct ProgramHeap::State {
    uint64_t next;          ///< first address that was never handed out
    uint64_t free[Classes]; ///< first free block of each size; 0: none
};

/// In front of each block.
struct ProgramHeap::Header {
    static constexpr uint32_t Live = 0x6c697665, Free = 0x66726565;
    uint32_t state;
    uint16_t cls;
    uint16_t shift; ///< how many granules the block begins after its memory does
    uint64_t size;  ///< of a live block, as it was asked for; of a free one the address of the next
};

ProgramHeap::ProgramHeap() {
    for (bytes_ = Most; bytes_ >= Least; bytes_ /= 2) {
        void* p = mmap(reinterpret_cast<void*>(Wanted), bytes_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (p == MAP_FAILED) continue;
        base_ = reinterpret_cast<uint64_t>(p);
        state()->next = firstBlock();
        return;
    }
    bytes_ = 0;
}

ProgramHeap::~ProgramHeap() {
    if (base_ != 0) munmap(reinterpret_cast<void*>(base_), bytes_);
}

uint64_t ProgramHeap::allocate(WriteLog& log, uint64_t size, uint64_t align) {
    static_assert(sizeof(Header) == Granule);
    uint64_t extra = align > Granule ? align : 0;
    if (base_ == 0 || size > Most || extra > Granule * UINT16_MAX || (align & (align - 1)) != 0) return 0;
    unsigned cls = classOf(size + extra == 0 ? 1 : size + extra);
    State& s = *state();
    uint64_t block = s.free[cls];
    auto keep = [&](const void* what, uint64_t bytes) { log.keep(reinterpret_cast<uint64_t>(what), bytes); };
    if (block != 0) {
        auto* h = reinterpret_cast<Header*>(block - sizeof(Header));
        keep(&s.free[cls], sizeof(uint64_t));
        s.free[cls] = h->size;
    } else {
        uint64_t bytes = sizeOfClass(cls) + sizeof(Header);
        if (bytes > base_ + bytes_ - s.next) return 0;
        keep(&s.next, sizeof s.next);
        block = s.next + sizeof(Header);
        s.next += bytes;
    }
    uint64_t raw = block;
    if (extra != 0) block = (raw + align - 1) & ~(align - 1);
    auto* h = reinterpret_cast<Header*>(block - sizeof(Header));
    keep(h, sizeof *h);
    *h = {Header::Live, static_cast<uint16_t>(cls), static_cast<uint16_t>((block - raw) / Granule), size};
    return block;
}

uint64_t ProgramHeap::firstBlock() const { return base_ + (sizeof(State) + 4095) / 4096 * 4096; }

uint64_t ProgramHeap::extent() const { return base_ == 0 ? 0 : state()->next - firstBlock(); }

bool ProgramHeap::isLive(uint64_t block) const {
    return owns(block) && block % Granule == 0 && block - base_ > sizeof(State) + sizeof(Header) &&
           reinterpret_cast<const Header*>(block - sizeof(Header))->state == Header::Live;
}

bool ProgramHeap::release(WriteLog& log, uint64_t block) {
    if (!isLive(block)) return false;
    auto* h = reinterpret_cast<Header*>(block - sizeof(Header));
    uint64_t raw = block - h->shift * Granule;
    unsigned cls = h->cls;
    auto* first = reinterpret_cast<Header*>(raw - sizeof(Header));
    log.keep(reinterpret_cast<uint64_t>(h), sizeof *h);
    h->state = Header::Free;
    if (first != h) log.keep(reinterpret_cast<uint64_t>(first), sizeof *first);
    State& s = *state();
    *first = {Header::Free, static_cast<uint16_t>(cls), 0, s.free[cls]};
    log.keep(reinterpret_cast<uint64_t>(&s.free[cls]), sizeof(uint64_t));
    s.free[cls] = raw;
    return true;
}

uint64_t ProgramHeap::sizeOf(uint64_t block) const { return reinterpret_cast<Header*>(block - sizeof(Header))->size; }

} // namespace sx::vm
