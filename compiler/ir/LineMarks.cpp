// The marks of statements in line tables (DWARF 5, section 6.2): a walk over the operations of each.
//
// A discriminator of n bytes, `00 1+n 04 b0 …`, stands before the operations that end a row. Hidden it is
//   00 1+n (80|b0) b1 … 00    where the row says something else, too;
//   02 D 00 n (80|b0) b1 …    where it does not, behind the address: D is how far the row's last operation has moved
//   it.
// Both have as many bytes as what they stand for.
#include "ir/CodeMarks.h"

#include <algorithm>
#include <vector>

namespace sx::ir {

namespace {

constexpr uint8_t Extended = 0, Copy = 1, AdvancePc = 2, NegateStmt = 6, ConstAddPc = 8, FixedAdvance = 9;
constexpr uint8_t SetDiscriminator = 4, OwnOperation = 0x80;

/// The line table of one unit.
class LineTable {
public:
    /// `unit`: what follows its length. `wordSize`: bytes of an offset in it.
    LineTable(llvm::MutableArrayRef<uint8_t> unit, unsigned wordSize) : bytes_(unit) {
        uint64_t version = number(2);
        if (version >= 5) skip(2); // sizes of addresses and of segment selectors
        uint64_t headerSize = number(wordSize), begin = at_;
        skip(version >= 4 ? 3 : 2); // minimum_instruction_length, maximum_operations_per_instruction, default_is_stmt
        lineBase_ = static_cast<int8_t>(byte());
        lineRange_ = byte();
        opcodeBase_ = byte();
        for (int i = 1; i < opcodeBase_; ++i) operands_[i] = byte();
        at_ = begin;
        skip(headerSize);
        damaged_ |= lineRange_ == 0 || opcodeBase_ <= FixedAdvance;
    }

    bool hide() { return walk(&LineTable::hideAt); }
    bool show() { return walk(&LineTable::showAt); }

private:
    using Change = void (LineTable::*)(uint64_t begin, uint64_t end);

    /// Calls `change` with where each extended operation begins and ends; it may change operations from there on.
    bool walk(Change change) {
        while (!damaged_ && at_ < bytes_.size()) {
            before_ = last_;
            last_ = at_;
            uint8_t opcode = byte();
            if (opcode == Extended) {
                skip(leb());
                if (!damaged_ && at_ > last_ + 2) (this->*change)(last_, at_);
            } else if (opcode == FixedAdvance) {
                skip(2);
            } else if (opcode < opcodeBase_) {
                for (unsigned i = 0; i < operands_[opcode]; ++i) leb();
            }
            if (opcode == Copy || opcode >= opcodeBase_) isPlain_ = true;
            else if (!leavesRow(opcode) && opcode != Extended) isPlain_ = false;
        }
        return !damaged_;
    }

    /// What ends a row without a new line: how far it moves the address; -1: something else.
    int moveOf(uint8_t opcode) const {
        if (opcode == Copy) return 0;
        if (opcode < opcodeBase_) return -1;
        int adjusted = opcode - opcodeBase_;
        return adjusted % lineRange_ + lineBase_ == 0 ? adjusted / lineRange_ : -1;
    }

    void hideAt(uint64_t begin, uint64_t end) {
        if (bytes_[begin + 1] >= 0x80 || bytes_[begin + 2] != SetDiscriminator) return isPlain_ = false, void();
        std::vector<uint8_t> mark(bytes_.begin() + begin + 3, bytes_.begin() + end);
        if (mark.empty()) return;
        mark.front() |= OwnOperation;
        uint64_t row = end;
        while (row < bytes_.size() && leavesRow(bytes_[row])) row = past(row);
        int move = row < bytes_.size() && isPlain_ ? moveOf(bytes_[row]) : -1;
        if (move < 0) {
            std::copy(mark.begin(), mark.end(), bytes_.begin() + begin + 2);
            bytes_[end - 1] = 0;
            return;
        }
        auto out = std::copy(bytes_.begin() + end, bytes_.begin() + row, bytes_.begin() + begin);
        for (int value : {int{AdvancePc}, move, int{Extended}, static_cast<int>(mark.size())})
            *out++ = static_cast<uint8_t>(value);
        std::copy(mark.begin(), mark.end(), out);
        at_ = row + 1;
    }

    void showAt(uint64_t begin, uint64_t end) {
        if (bytes_[begin + 1] >= 0x80 || bytes_[begin + 2] < OwnOperation) return;
        std::vector<uint8_t> mark(bytes_.begin() + begin + 2, bytes_.begin() + end);
        bool hasRow = mark.size() > 1 && mark.back() == 0; // no number ends in 0
        if (hasRow) mark.pop_back();
        if (mark.size() == 1) mark.front() &= 0x7f; // the last byte of a number
        uint64_t out = hasRow ? begin : before_;
        int row = hasRow ? 0 : opcodeBase_ - lineBase_ + lineRange_ * bytes_[before_ + 1];
        bool isOurs = hasRow || (begin == before_ + 2 && bytes_[before_] == AdvancePc && row <= UINT8_MAX);
        if (!isOurs) return damaged_ = true, void();
        for (size_t value : {size_t{Extended}, 1 + mark.size(), size_t{SetDiscriminator}})
            bytes_[out++] = static_cast<uint8_t>(value);
        std::copy(mark.begin(), mark.end(), bytes_.begin() + out);
        if (!hasRow) bytes_[end - 1] = static_cast<uint8_t>(row);
    }

    /// What may stand between two rows that say the same. That no statement begins holds for the rows that follow, too.
    static bool leavesRow(uint8_t opcode) {
        return opcode == AdvancePc || opcode == ConstAddPc || opcode == NegateStmt;
    }

    /// Where the operation behind one of these stands.
    uint64_t past(uint64_t at) const {
        if (bytes_[at++] != AdvancePc) return at;
        while (at < bytes_.size() && bytes_[at] >= 0x80) ++at;
        return std::min<uint64_t>(at + 1, bytes_.size());
    }

    uint8_t byte() {
        if (at_ < bytes_.size()) return bytes_[at_++];
        damaged_ = true;
        return 0;
    }
    uint64_t number(unsigned size) {
        uint64_t n = 0;
        for (unsigned i = 0; i < size; ++i) n |= uint64_t{byte()} << 8 * i;
        return n;
    }
    uint64_t leb() {
        uint64_t n = 0;
        for (unsigned shift = 0;; shift += 7) {
            uint8_t next = byte();
            if (shift < 64) n |= uint64_t{next & 0x7fu} << shift;
            if (next < 0x80) return n;
        }
    }
    void skip(uint64_t count) {
        damaged_ |= count > bytes_.size() - at_;
        at_ = damaged_ ? bytes_.size() : at_ + count;
    }

    llvm::MutableArrayRef<uint8_t> bytes_;
    uint64_t at_ = 0, last_ = 0, before_ = 0; ///< the last two operations
    bool damaged_ = false, isPlain_ = false;  ///< nothing but address and marks has changed since the last row
    int lineBase_ = 0, lineRange_ = 0, opcodeBase_ = 0;
    uint8_t operands_[256] = {};
};

/// Does `change` with each unit of a section.
template <class Change> bool forEachTable(llvm::MutableArrayRef<uint8_t> section, Change change) {
    auto number = [&](uint64_t at, unsigned size) {
        uint64_t n = 0;
        for (unsigned i = 0; i < size && at + i < section.size(); ++i) n |= uint64_t{section[at + i]} << 8 * i;
        return n;
    };
    for (uint64_t at = 0; at < section.size();) {
        uint64_t length = number(at, 4);
        bool isWide = length == UINT32_MAX;
        if (isWide) length = number(at + 4, 8);
        at += isWide ? 12 : 4;
        if (at > section.size() || length > section.size() - at) return false;
        if (!change(LineTable(section.slice(at, length), isWide ? 8 : 4))) return false;
        at += length;
    }
    return true;
}

} // namespace

bool hideMarks(llvm::MutableArrayRef<uint8_t> section) {
    return forEachTable(section, [](LineTable table) { return table.hide(); });
}

bool showMarks(llvm::MutableArrayRef<uint8_t> section) {
    return forEachTable(section, [](LineTable table) { return table.show(); });
}

} // namespace sx::ir
