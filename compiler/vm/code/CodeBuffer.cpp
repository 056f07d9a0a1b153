#include "vm/code/CodeBuffer.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sx::vm {

void CodeBuffer::add(Insn insn) {
    words_.push_back(insn);
    spans_.push_back(span_);
    if (!debugged_) return;
    scopes_.push_back(scope_);
    statementOf_.push_back(statement_);
}

void CodeBuffer::emit(Opcode op, Reg a, uint16_t b, uint16_t c) { add({static_cast<uint16_t>(op), a, b, c}); }

void CodeBuffer::emitWide(Opcode op, Reg a, int32_t bc) {
    Insn insn{static_cast<uint16_t>(op), a, 0, 0};
    insn.setWide(bc);
    add(insn);
}

void CodeBuffer::extra(uint16_t a, uint16_t b, uint16_t c) { emit(Opcode::Extra, a, b, c); }
void CodeBuffer::extraWide(int32_t bc) { emitWide(Opcode::Extra, 0, bc); }

void CodeBuffer::emitPool(Opcode op, Reg a, llvm::ArrayRef<uint64_t> words) {
    uint32_t word = static_cast<uint32_t>(pool_.size());
    // The two largest keys are DenseMap's own markers.
    bool shared = words.size() == 1 && words[0] < UINT64_MAX - 1;
    if (shared) {
        auto [it, isNew] = constants_.try_emplace(words[0], word);
        word = it->second;
        if (isNew) pool_.push_back(words[0]);
    } else {
        pool_.insert(pool_.end(), words.begin(), words.end());
    }
    poolUses_.push_back({static_cast<uint32_t>(words_.size()), word});
    emit(op, a);
}

void CodeBuffer::emitTable(Opcode op, Reg a, std::vector<uint64_t> words, uint32_t firstDistance, uint32_t stride) {
    uint32_t at = static_cast<uint32_t>(words_.size()), word = static_cast<uint32_t>(pool_.size());
    tables_.push_back({at, word, firstDistance, stride, static_cast<uint32_t>(words.size())});
    poolUses_.push_back({at, word});
    pool_.insert(pool_.end(), words.begin(), words.end());
    emit(op, a);
}

Label CodeBuffer::newLabel() {
    labels_.push_back(Unbound);
    return static_cast<Label>(labels_.size() - 1);
}

void CodeBuffer::bind(Label l) {
    assert(!isBound(l));
    labels_[static_cast<uint32_t>(l)] = static_cast<uint32_t>(words_.size());
    lastLabelAt_ = static_cast<uint32_t>(words_.size());
}

const Insn* CodeBuffer::at(Label l) const {
    uint32_t at = labels_[static_cast<uint32_t>(l)];
    return at < words_.size() ? &words_[at] : nullptr;
}

void CodeBuffer::branch(Opcode op, Reg a, uint16_t b, Label l, uint32_t behind) {
    fixups_.push_back({static_cast<uint32_t>(words_.size()), l, behind});
    emit(op, a, b);
}

Insn* CodeBuffer::last() { return words_.size() > lastLabelAt_ ? &words_.back() : nullptr; }

void CodeBuffer::dropLast() {
    assert(words_.size() > lastLabelAt_);
    words_.pop_back();
    spans_.pop_back();
    if (!debugged_) return;
    scopes_.pop_back();
    statement_ = statementOf_.back(); // what takes its place belongs to the same
    statementOf_.pop_back();
}

int32_t CodeBuffer::distance(uint32_t from, Label l) const {
    assert(isBound(l));
    return static_cast<int32_t>(labels_[static_cast<uint32_t>(l)]) - static_cast<int32_t>(from);
}

void CodeBuffer::resolveBranches() {
    for (const Fixup& f : fixups_) {
        Insn& insn = words_[f.at];
        int32_t d = distance(f.at, f.label) + static_cast<int32_t>(f.behind);
        if (std::strchr(infoOf(insn.opcode()).format, 'J')) {
            insn.setWide(d);
            continue;
        }
        if (d != static_cast<int16_t>(d)) overflow_ = true;
        insn.c = static_cast<uint16_t>(d);
    }
}

void CodeBuffer::resolvePool() {
    for (const Table& t : tables_)
        for (uint32_t i = t.first; i < t.end; i += t.stride) {
            uint64_t& word = pool_[t.word + i];
            word = static_cast<uint64_t>(static_cast<int64_t>(distance(t.at, static_cast<Label>(word))));
        }
    uint32_t poolStart = static_cast<uint32_t>(words_.size());
    for (const PoolUse& use : poolUses_) words_[use.at].setWide(static_cast<int32_t>(poolStart + use.word - use.at));
    for (uint64_t word : pool_) words_.push_back(std::bit_cast<Insn>(word));
}

namespace {
/// Where the outgoing area begins, and how much of it the code has named.
struct Outgoing {
    uint32_t begin = 0, words = 0;
};

void placeOperand(char kind, uint16_t& operand, Outgoing& outgoing) {
    bool isRegister = kind == 'w' || kind == 'x' || kind == 'r' || kind == 'o';
    if (!isRegister || operand < OutgoingBase) return;
    uint32_t word = operand - OutgoingBase;
    outgoing.words = std::max(outgoing.words, word + 1);
    operand = static_cast<uint16_t>(outgoing.begin + word);
}

void placeOperands(const char* format, Insn& insn, Outgoing& outgoing) {
    size_t n = std::strlen(format);
    if (n > 0) placeOperand(format[0], insn.a, outgoing);
    if (n > 1) placeOperand(format[1], insn.b, outgoing);
    if (n > 2) placeOperand(format[2], insn.c, outgoing);
}
} // namespace

uint32_t CodeBuffer::placeOutgoing(uint32_t frameWords) {
    Outgoing outgoing{frameWords + HeaderWords};
    for (size_t i = 0; i < words_.size(); ++i) {
        const OpcodeInfo& info = infoOf(words_[i].opcode());
        placeOperands(info.format, words_[i], outgoing);
        if (info.extraFormat) placeOperands(info.extraFormat, words_[++i], outgoing);
    }
    return outgoing.words;
}

void CodeBuffer::finish(FunctionCode& out, uint32_t frameWords) {
    resolveBranches();
    out.outgoingWords = placeOutgoing(frameWords);
    out.instructionCount = static_cast<uint32_t>(words_.size());
    if (debugged_) {
        for (const Insn& insn : words_) out.opcodes.push_back(insn.op);
        out.breakpoints.assign(words_.size(), 0);
    }
    out.frameWords = frameWords;
    resolvePool();
    out.words = std::move(words_);
    out.spans = std::move(spans_);
    out.scopes = std::move(scopes_);
    out.statementOf = std::move(statementOf_);
}

} // namespace sx::vm
