#include "codegen/passes/StatementPlaces.h"

#include "ir/CodeMarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

#include <tuple>

namespace sx::codegen {

namespace {

using llvm::DILocation, llvm::MachineBasicBlock, llvm::MachineFunction, llvm::MachineInstr, llvm::MachineMemOperand;

constexpr llvm::StringLiteral Counts = "sx.statements";

/// How surely a piece of code with the mark of a statement is run when the statement is, and is its beginning.
enum class Rank : uint8_t {
    Nowhere, ///< it has no code, and what follows is run by others, too
    Fails,   ///< ends the program where a check of it has failed
    Jump,    ///< may be left of a branch that was decided in another place
    Value,   ///< computes something, and may have been moved
    Trace,   ///< is where something acted that needs no code
    Acts,
    Calls, ///< what acts beside a call passes arguments
};

/// A run of instructions with one mark in a block.
struct Piece {
    llvm::SmallVector<MachineInstr*, 4> code;
    Rank rank = Rank::Nowhere;
};

/// A statement of a function, or of an inlined copy of it.
using Copy = std::tuple<llvm::DISubprogram*, DILocation*, uint32_t>;

bool hasNoCode(const MachineInstr& i) {
    using llvm::InlineAsm;
    return i.isMetaInstruction() ||
           (i.isInlineAsm() && i.getOperand(InlineAsm::MIOp_AsmString).getSymbolName()[0] == '\0');
}

Rank rankOf(const MachineInstr& i) {
    const MachineBasicBlock& block = *i.getParent();
    if (block.succ_empty() && !block.isReturnBlock()) return Rank::Fails;
    if (hasNoCode(i)) return Rank::Trace;
    if (i.isCall()) return Rank::Calls;
    if (i.isUnconditionalBranch()) return Rank::Jump;
    return i.isInlineAsm() || i.isTerminator() || i.mayStore() || i.hasUnmodeledSideEffects() ? Rank::Acts
                                                                                              : Rank::Value;
}

bool isOfSameCopy(const DILocation& a, const DILocation& b) {
    return a.getInlinedAt() == b.getInlinedAt() && a.getScope()->getSubprogram() == b.getScope()->getSubprogram();
}

/// The code behind an instruction without code is come to by way of it alone, and is of the same copy of the function.
bool isPassedAlone(const MachineInstr& from) {
    const MachineBasicBlock* block = from.getParent();
    MachineBasicBlock::const_iterator next = std::next(MachineBasicBlock::const_iterator(from));
    while (true) {
        for (; next != block->end(); ++next) {
            if (hasNoCode(*next)) continue;
            const llvm::DebugLoc& there = next->getDebugLoc();
            if (there) return isOfSameCopy(*there, *from.getDebugLoc());
            return block == from.getParent();
        }
        auto following = std::next(block->getIterator());
        if (following == block->getParent()->end() || !block->isSuccessor(&*following)) return false;
        if (following->pred_size() != 1 || following->hasAddressTaken() || following->isEHPad()) return false;
        block = &*following;
        next = block->begin();
    }
}

/// What the optimizer has made of one instruction has one place in the source, and reads or writes one place.
bool hasSameOrigin(const MachineInstr& a, const MachineInstr& b) {
    if (a.getDebugLoc().get() != b.getDebugLoc().get() || a.getOpcode() != b.getOpcode()) return false;
    if (a.memoperands_empty() || b.memoperands_empty()) return a.memoperands_empty() == b.memoperands_empty();
    const MachineMemOperand &first = **a.memoperands_begin(), &second = **b.memoperands_begin();
    return first.getValue() == second.getValue() && first.getOffset() == second.getOffset();
}

/// A later part of what was written at once, as of a struct that is copied.
bool isLaterPart(const Piece& piece, const Piece& of) {
    const MachineInstr &a = *of.code.front(), &b = *piece.code.front();
    if (a.getParent() != b.getParent()) return false;
    auto written = [](const Piece& p) -> const MachineMemOperand* {
        for (const MachineInstr* i : p.code)
            if (i->mayStore() && !i->memoperands_empty()) return *i->memoperands_begin();
        return nullptr;
    };
    const MachineMemOperand *first = written(of), *second = written(piece);
    return first && second && first->getValue() == second->getValue() && first->getOffset() != second->getOffset();
}

class StatementPlaces : public llvm::MachineFunctionPass {
public:
    StatementPlaces() : MachineFunctionPass(id_) {}

    llvm::StringRef getPassName() const override { return "Places of statements"; }

    void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool doInitialization(llvm::Module& module) override {
        if (const llvm::NamedMDNode* counts = module.getNamedMetadata(Counts))
            for (const llvm::MDNode* node : counts->operands())
                if (auto* subprogram = llvm::dyn_cast_or_null<llvm::DISubprogram>(node->getOperand(0)))
                    counts_[subprogram] =
                        llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(1))->getZExtValue();
        return false;
    }

    bool runOnMachineFunction(MachineFunction& function) override {
        llvm::MapVector<Copy, llvm::SmallVector<Piece, 2>> all;
        for (MachineBasicBlock& block : function) collect(block, all);
        Loops loops{function};
        for (auto& [copy, pieces] : all)
            for (Piece& piece : choose(pieces, loops))
                for (MachineInstr* i : piece.code) unmark(*i);
        return false;
    }

private:
    /// Made where there is something to choose.
    struct Loops {
        MachineFunction& function;
        std::optional<llvm::MachineDominatorTree> dominators{};
        std::optional<llvm::MachineLoopInfo> loops{};

        unsigned depth(const Piece& piece) {
            if (!loops) {
                dominators.emplace(function);
                loops.emplace(*dominators);
            }
            return loops->getLoopDepth(piece.code.front()->getParent());
        }
    };

    std::pair<uint32_t, uint32_t> marksOf(const DILocation& at) const {
        auto count = counts_.find(at.getScope()->getSubprogram());
        unsigned code = at.getDiscriminator();
        if (code == 0 || count == counts_.end()) return {0, 0};
        return {(code - 1) % (count->second + 1), (code - 1) / (count->second + 1)};
    }

    void collect(MachineBasicBlock& block, llvm::MapVector<Copy, llvm::SmallVector<Piece, 2>>& all) const {
        Copy current{}; // of no function: none
        for (MachineInstr& i : block) {
            const DILocation* at = i.getDebugLoc().get();
            if (!at || i.isMetaInstruction()) continue;
            uint32_t statement = marksOf(*at).first;
            Copy copy{at->getScope()->getSubprogram(), at->getInlinedAt(), statement};
            if (statement == 0) {
                current = {};
                continue;
            }
            llvm::SmallVector<Piece, 2>& pieces = all[copy];
            if (current != copy) pieces.emplace_back();
            current = copy;
            pieces.back().code.push_back(&i);
            pieces.back().rank = std::max(pieces.back().rank, rankOf(i));
        }
    }

    /// Takes those that are places of the statement out of `pieces`, and returns the others.
    static llvm::SmallVector<Piece, 2> choose(llvm::SmallVector<Piece, 2>& pieces, Loops& loops) {
        Rank best = Rank::Nowhere;
        for (Piece& piece : pieces) {
            bool isNothing = llvm::all_of(piece.code, [](const MachineInstr* i) { return hasNoCode(*i); });
            if (isNothing && !isPassedAlone(*piece.code.back())) piece.rank = Rank::Nowhere;
            best = std::max(best, piece.rank);
        }
        llvm::SmallVector<Piece, 2> others;
        unsigned depth = 0;
        auto drop = [&](auto isOther) {
            auto end = std::stable_partition(pieces.begin(), pieces.end(), [&](const Piece& p) { return !isOther(p); });
            std::move(end, pieces.end(), std::back_inserter(others));
            pieces.erase(end, pieces.end());
        };
        drop([&](const Piece& p) { return p.rank < best || p.rank == Rank::Nowhere; });
        if (best == Rank::Value && pieces.size() > 1) {
            for (const Piece& p : pieces) depth = std::max(depth, loops.depth(p)); // what a loop prepares is no round
            drop([&](const Piece& p) { return loops.depth(p) < depth; });
            drop([&, first = pieces.front().code.front()](const Piece& p) {
                return !hasSameOrigin(*first, *p.code.front());
            });
        }
        if (best == Rank::Acts)
            for (size_t i = 0; i < pieces.size(); ++i)
                drop([&, of = pieces[i]](const Piece& p) { return isLaterPart(p, of); });
        return others;
    }

    /// What has happened to an error there stays.
    void unmark(MachineInstr& i) const {
        const DILocation* at = i.getDebugLoc().get();
        auto* block = llvm::dyn_cast<llvm::DILexicalBlockFile>(at->getScope());
        if (!block) return;
        uint32_t row = counts_.lookup(at->getScope()->getSubprogram()) + 1;
        uint32_t marks = marksOf(*at).second * row + 1;
        auto* scope = llvm::DILexicalBlockFile::get(at->getContext(), block->getScope(), block->getFile(), marks);
        i.setDebugLoc(DILocation::get(at->getContext(), at->getLine(), at->getColumn(), scope, at->getInlinedAt()));
    }

    static char id_;
    llvm::DenseMap<const llvm::DISubprogram*, uint32_t> counts_;
};

char StatementPlaces::id_ = 0;

} // namespace

void noteStatements(llvm::Module& module, llvm::DISubprogram* subprogram, uint32_t count) {
    llvm::LLVMContext& context = module.getContext();
    auto* number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count));
    module.getOrInsertNamedMetadata(Counts)->addOperand(llvm::MDNode::get(context, {subprogram, number}));
}

llvm::Pass* createStatementPlaces() { return new StatementPlaces(); }

} // namespace sx::codegen
