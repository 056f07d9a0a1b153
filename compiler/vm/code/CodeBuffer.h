// Collects the instructions of one function: labels, the pool, and the operands that are known only at the end.
#pragma once

#include "vm/code/Bytecode.h"

#include "llvm/ADT/DenseMap.h"

namespace sx::vm {

enum class Label : uint32_t {};

class CodeBuffer {
public:
    /// `wideBranches`: fused branches are not used, so every distance has 32 bits. `debugged`: what a debugger asks of
    /// the code is kept.
    CodeBuffer(bool wideBranches, bool debugged) : wide_(wideBranches), debugged_(debugged) {}

    void setSpan(Span span) { span_ = span; }
    void setScope(ir::ScopeId scope) { scope_ = scope; }
    void setStatement(uint32_t statement) { statement_ = statement; }
    /// The next instruction stays apart from the one before it, as at a label.
    void separate() { lastLabelAt_ = static_cast<uint32_t>(words_.size()); }

    void emit(Opcode, Reg a = 0, uint16_t b = 0, uint16_t c = 0);
    void emitWide(Opcode, Reg a, int32_t bc);
    void extra(uint16_t a, uint16_t b = 0, uint16_t c = 0);
    void extraWide(int32_t bc);
    /// `op` reads the words given; equal constants share a word.
    void emitPool(Opcode, Reg a, llvm::ArrayRef<uint64_t> words);

    Label newLabel();
    void bind(Label);
    bool isBound(Label l) const { return labels_[static_cast<uint32_t>(l)] != Unbound; }
    /// The instruction at a bound label; null if there is none yet.
    const Insn* at(Label) const;
    /// A branch whose distance is in c (formats "..j") or in b and c ("J"), to as many instructions after the label.
    void branch(Opcode, Reg a, uint16_t b, Label, uint32_t behind = 0);
    void jump(Opcode op, Reg a, Label l) { branch(op, a, 0, l); }
    /// A pool table whose words from `firstDistance` on, every `stride`th, are labels to be replaced by distances.
    void emitTable(Opcode, Reg a, std::vector<uint64_t> words, uint32_t firstDistance, uint32_t stride);

    /// The instruction before the next one, if no label stands between them: a candidate for fusion.
    Insn* last();
    void dropLast();

    bool wideBranches() const { return wide_; }
    bool overflowed() const { return overflow_; } ///< a 16-bit distance was too long
    size_t size() const { return words_.size(); }

    /// Resolves labels and pool, places the outgoing area after `frameWords`, and moves the result out.
    void finish(FunctionCode&, uint32_t frameWords);

private:
    static constexpr uint32_t Unbound = UINT32_MAX;
    struct Fixup {
        uint32_t at;
        Label label;
        uint32_t behind;
    };
    struct PoolUse {
        uint32_t at, word;
    };
    struct Table {
        uint32_t at, word, first, stride, end;
    };

    void add(Insn);
    int32_t distance(uint32_t from, Label) const;
    void resolveBranches();
    void resolvePool();
    uint32_t placeOutgoing(uint32_t frameWords); ///< how many words the area has

    bool wide_, debugged_, overflow_ = false;
    Span span_;
    ir::ScopeId scope_ = 0;
    uint32_t statement_ = FunctionCode::None;
    std::vector<Insn> words_;
    std::vector<Span> spans_;
    std::vector<ir::ScopeId> scopes_;   ///< where a debugger asks
    std::vector<uint32_t> statementOf_; ///< likewise
    std::vector<uint32_t> labels_;
    uint32_t lastLabelAt_ = 0; ///< instructions before this one may be the target of a branch
    std::vector<Fixup> fixups_;
    std::vector<uint64_t> pool_;
    std::vector<PoolUse> poolUses_;
    std::vector<Table> tables_;
    llvm::DenseMap<uint64_t, uint32_t> constants_;
};

} // namespace sx::vm
