#include "debugger/evaluate/Transfer.h"

#include "debugger/evaluate/Refusals.h"

#include <cstring>

namespace sx::debugger {

namespace {

constexpr size_t Word = sizeof(uint64_t);

uint64_t wordAt(llvm::ArrayRef<uint8_t> bytes, size_t offset) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + offset, Word);
    return word;
}

} // namespace

bool Transfer::refersToOwn(llvm::ArrayRef<uint8_t> bytes) {
    for (size_t at = 0; at + Word <= bytes.size(); at += Word)
        if (EvaluationMemory::isOwn(wordAt(bytes, at)) || EvaluationMemory::isOwnCode(wordAt(bytes, at))) return true;
    return false;
}

bool Transfer::refersToBlock(llvm::ArrayRef<uint8_t> bytes, const EvaluationMemory& memory) {
    for (size_t at = 0; at + Word <= bytes.size(); at += Word)
        if (memory.isInBlock(wordAt(bytes, at))) return true;
    return false;
}

Result<void> Transfer::settle(llvm::MutableArrayRef<uint8_t> bytes) {
    if (Result<void> done = settleWords(bytes); !done) return done;
    while (!waiting_.empty()) {
        uint64_t from = waiting_.back();
        waiting_.pop_back();
        const Moved moved = moved_[from];
        std::vector<uint8_t> block(moved.size);
        memory_.read(from, block);
        if (Result<void> done = settleWords(block); !done) return done;
        if (!memory_.program.write(moved.to, block)) return Failure{"the program's memory cannot be written"};
    }
    return {};
}

Result<void> Transfer::settleWords(llvm::MutableArrayRef<uint8_t> bytes) {
    for (size_t at = 0; at + Word <= bytes.size(); at += Word) {
        uint64_t word = wordAt(bytes, at);
        if (EvaluationMemory::isOwnCode(word)) {
            const ir::Function* unused = addresses_.unusedFunctionAt(word);
            return Failure{unused ? refusals::isUnused(unused->name)
                                  : "the program cannot keep code that an evaluation has made"};
        }
        if (!EvaluationMemory::isOwn(word)) continue;
        if (const ir::Global* unused = addresses_.unusedVariableAt(word))
            return Failure{refusals::isUnused(unused->name)};
        Result<uint64_t> copy = copyOf(word);
        if (!copy) return copy.failure();
        std::memcpy(bytes.data() + at, &*copy, Word);
    }
    return {};
}

/// Where the program has what lies at an address, or will have it when all that is waiting is copied.
Result<uint64_t> Transfer::copyOf(uint64_t address) {
    auto [begin, size] = memory_.blockAt(address);
    if (size == 0) return address; // of nothing: it may not be followed
    auto known = moved_.find(begin);
    if (known == moved_.end()) {
        std::optional<uint64_t> to = host_ ? host_->allocate(size) : std::nullopt;
        if (!to) return Failure{"the program has no room for what the evaluation has made"};
        known = moved_.insert({begin, {size, *to}}).first;
        waiting_.push_back(begin);
        addresses_.noteCopy(begin, size, *to);
    }
    return known->second.to + (address - begin);
}

void Transfer::copyBack() {
    for (const auto& [from, moved] : moved_) {
        std::vector<uint8_t> block(moved.size);
        if (memory_.program.read(moved.to, block) != block.size() || refersToOwn(block)) continue;
        // Words that were changed for the copy, and that the program has left so, are not those of the original.
        for (size_t at = 0; at + Word <= block.size(); at += Word)
            for (const auto& [other, there] : moved_)
                if (uint64_t word = wordAt(block, at); word - there.to < there.size) {
                    word = other + (word - there.to);
                    std::memcpy(block.data() + at, &word, Word);
                    break;
                }
        memory_.write(from, block);
    }
}

} // namespace sx::debugger
