// Checks a module against the rules of ir/Ir.h. What a later check relies on is checked first: when numbers
// of a function are out of range or its blocks have no proper shape, the checks that would follow them stop.
#include "ir/Dominators.h"
#include "ir/InstrRules.h"
#include "ir/Ops.h"
#include "ir/Passes.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

#include "llvm/Support/MathExtras.h"

namespace sx::ir {

namespace {

std::string valueName(ValueId v) { return v == ValueId::None ? "v?" : ("v" + llvm::Twine(raw(v))).str(); }

class FunctionVerifier {
public:
    FunctionVerifier(const Module& m, const Function& fn, std::vector<std::string>& violations)
        : m_(m), fn_(fn), violations_(violations), start_(violations.size()) {}

    void run();

private:
    bool clean() const { return violations_.size() == start_; }
    void report(const llvm::Twine& place, const llvm::Twine& what) {
        violations_.push_back(
            (llvm::Twine(fn_.name.empty() ? fn_.symbol : fn_.name) + ": " + place + ": " + what).str());
    }
    void report(uint32_t block, ValueId v, const llvm::Twine& what) {
        report("b" + llvm::Twine(block), llvm::Twine(valueName(v)) + " = " + opName(fn_.instr(v).op) + ": " + what);
    }
    bool exists(ValueId v) const { return raw(v) < fn_.instrs.size(); }

    void checkSlots();
    void checkScopes();
    void checkRanges(uint32_t block, ValueId);
    void checkPlacement();
    void checkMarks();
    void checkShape(uint32_t block);
    void checkParams(uint32_t block);
    void checkTargets(uint32_t block, ValueId);
    void checkUses(const Dominators&, uint32_t block, uint32_t position, ValueId);
    void checkUse(const Dominators&, uint32_t block, uint32_t position, ValueId user, ValueId used);

    struct Place {
        uint32_t block = UINT32_MAX, position = 0;
    };

    const Module& m_;
    const Function& fn_;
    std::vector<std::string>& violations_;
    size_t start_;
    std::vector<Place> places_; ///< by value
};

// ---- declarations

void FunctionVerifier::checkSlots() {
    for (size_t s = 0; s < fn_.slots.size(); ++s) {
        const Slot& slot = fn_.slots[s];
        std::string place = ("slot s" + llvm::Twine(s)).str();
        if (!llvm::isPowerOf2_32(slot.align)) report(place, "the alignment is not a power of two");
        if (slot.scope >= fn_.scopes.size()) report(place, "there is no scope " + llvm::Twine(slot.scope));
        if (slot.paramIndex >= 0 && static_cast<size_t>(slot.paramIndex) >= fn_.params.size())
            report(place, "there is no parameter " + llvm::Twine(slot.paramIndex));
        if (slot.type == TypeId::None) continue;
        if (static_cast<uint32_t>(slot.type) >= m_.types.size() || !m_.types.isComplete(slot.type))
            report(place, "the type has no size");
        else if (slot.size < sizeOf(m_.types, slot.type)) report(place, "smaller than its type");
    }
}

void FunctionVerifier::checkScopes() {
    if (fn_.scopes.empty()) report("scopes", "the body has none");
    for (size_t s = 1; s < fn_.scopes.size(); ++s)
        if (fn_.scopes[s].parent >= s) report("scope " + llvm::Twine(s), "does not come after its parent");
}

// ---- numbers that everything else follows

void FunctionVerifier::checkRanges(uint32_t block, ValueId v) {
    const Instr& i = fn_.instr(v);
    auto outside = [](uint64_t start, uint64_t count, size_t size) { return start + count > size; };
    if (i.scope >= fn_.scopes.size()) report(block, v, "there is no scope " + llvm::Twine(i.scope));
    if (outside(i.operandStart, i.operandCount, fn_.operands.size())) return report(block, v, "operands out of range");
    for (ValueId operand : fn_.operandsOf(i))
        if (!exists(operand)) report(block, v, "operand " + llvm::Twine(valueName(operand)) + " does not exist");
    if (outside(i.targetStart, i.targetCount, fn_.targets.size())) return report(block, v, "targets out of range");
    for (const Target& t : fn_.targetsOf(i)) {
        if (raw(t.block) >= fn_.blocks.size())
            report(block, v, "target b" + llvm::Twine(raw(t.block)) + " does not exist");
        if (outside(t.argStart, t.argCount, fn_.operands.size())) {
            report(block, v, "arguments out of range");
            continue;
        }
        for (ValueId arg : fn_.argsOf(t))
            if (!exists(arg)) report(block, v, "argument " + llvm::Twine(valueName(arg)) + " does not exist");
    }
}

/// What debuggers are told of instructions is about instructions that are there.
void FunctionVerifier::checkMarks() {
    auto isPlaced = [&](ValueId v) { return exists(v) && places_[raw(v)].block != UINT32_MAX; };
    for (size_t s = 0; s < fn_.statements.size(); ++s)
        if (!isPlaced(fn_.statements[s].first)) report("statement " + llvm::Twine(s), "begins nowhere");
    for (size_t e = 0; e < fn_.errorEvents.size(); ++e) {
        if (!isPlaced(fn_.errorEvents[e].at)) report("error event " + llvm::Twine(e), "happens nowhere");
        if (!isPlaced(fn_.errorEvents[e].tag)) report("error event " + llvm::Twine(e), "has no error");
    }
}

void FunctionVerifier::checkPlacement() {
    places_.assign(fn_.instrs.size(), {});
    for (uint32_t v = 0; v < fn_.instrs.size(); ++v)
        if (static_cast<uint32_t>(fn_.instrs[v].type) >= m_.types.size())
            report("v" + llvm::Twine(v), "the type does not exist");
    for (uint32_t b = 0; b < fn_.blocks.size(); ++b) {
        llvm::ArrayRef<ValueId> instrs = fn_.blocks[b].instrs;
        for (uint32_t p = 0; p < instrs.size(); ++p) {
            if (!exists(instrs[p])) {
                report("b" + llvm::Twine(b), "instruction " + llvm::Twine(valueName(instrs[p])) + " does not exist");
                continue;
            }
            checkRanges(b, instrs[p]);
            Place& place = places_[raw(instrs[p])];
            if (place.block != UINT32_MAX) report(b, instrs[p], "stands in a block already");
            place = {b, p};
        }
    }
}

// ---- blocks

void FunctionVerifier::checkParams(uint32_t block) {
    const Block& b = fn_.blocks[block];
    std::string place = ("b" + llvm::Twine(block)).str();
    if (block == 0 && !b.params.empty()) report(place, "the entry has parameters");
    for (uint32_t k = 0; k < b.params.size(); ++k) {
        ValueId v = b.params[k];
        if (!exists(v) || fn_.instr(v).op != Op::BlockParam) {
            report(place, "parameter " + llvm::Twine(k) + " is no block_param");
            continue;
        }
        if (fn_.instr(v).imm != k)
            report(block, v, "numbered " + llvm::Twine(fn_.instr(v).imm) + ", is parameter " + llvm::Twine(k));
        if (k >= b.instrs.size() || b.instrs[k] != v) report(block, v, "does not stand at the head of its block");
    }
}

void FunctionVerifier::checkShape(uint32_t block) {
    checkParams(block);
    const Block& b = fn_.blocks[block];
    if (b.instrs.empty()) return report("b" + llvm::Twine(block), "no terminator");
    for (uint32_t p = 0; p < b.instrs.size(); ++p) {
        ValueId v = b.instrs[p];
        const Instr& i = fn_.instr(v);
        bool isLast = p + 1 == b.instrs.size();
        if (isTerminator(i.op) && !isLast) report(block, v, "a terminator before the end of its block");
        if (!isTerminator(i.op) && isLast) report(block, v, "the block does not end in a terminator");
        if (!isTerminator(i.op) && i.targetCount != 0) report(block, v, "has targets");
        if (i.op == Op::BlockParam && p >= b.params.size()) report(block, v, "not a parameter of its block");
        if (i.op == Op::Param && block != 0) report(block, v, "outside the entry block");
    }
}

void FunctionVerifier::checkTargets(uint32_t block, ValueId v) {
    const Instr& i = fn_.instr(v);
    if (i.op != Op::Switch) { // whose count goes with its cases
        unsigned count = i.op == Op::Br ? 1 : i.op == Op::CondBr ? 2 : 0;
        if (i.targetCount != count) report(block, v, "has " + llvm::Twine(unsigned{i.targetCount}) + " targets");
    }
    for (const Target& t : fn_.targetsOf(i)) {
        llvm::ArrayRef<ValueId> args = fn_.argsOf(t), params = fn_.blocks[raw(t.block)].params;
        std::string target = ("b" + llvm::Twine(raw(t.block))).str();
        if (raw(t.block) == 0) report(block, v, "branches to the entry");
        if (args.size() != params.size()) {
            report(block, v,
                   "passes " + llvm::Twine(args.size()) + " arguments to " + target + ", which takes " +
                       llvm::Twine(params.size()));
            continue;
        }
        for (size_t k = 0; k < args.size(); ++k) {
            TypeId given = fn_.instr(args[k]).type, wanted = fn_.instr(params[k]).type;
            if (!interchangeable(m_.types, given, wanted))
                report(block, v,
                       "argument " + llvm::Twine(k) + " of " + target + " is " + runtimeName(m_.types, given) +
                           ", not " + runtimeName(m_.types, wanted));
        }
    }
}

// ---- definitions before uses

void FunctionVerifier::checkUse(const Dominators& dominators, uint32_t block, uint32_t position, ValueId user,
                                ValueId used) {
    if (fn_.instr(used).type == TypeId::Void) return report(block, user, valueName(used) + " has no value");
    Place def = places_[raw(used)];
    if (def.block == UINT32_MAX) return report(block, user, valueName(used) + " stands in no block");
    if (!dominators.isReachable(block)) return; // no path leads here
    bool before = def.block == block ? def.position < position
                                     : dominators.isReachable(def.block) && dominators.dominates(def.block, block);
    if (!before) report(block, user, valueName(used) + " does not dominate its use");
}

void FunctionVerifier::checkUses(const Dominators& dominators, uint32_t block, uint32_t position, ValueId v) {
    const Instr& i = fn_.instr(v);
    for (ValueId operand : fn_.operandsOf(i)) checkUse(dominators, block, position, v, operand);
    for (const Target& t : fn_.targetsOf(i))
        for (ValueId arg : fn_.argsOf(t)) checkUse(dominators, block, position, v, arg);
}

void FunctionVerifier::run() {
    if (fn_.isExtern) {
        if (!fn_.blocks.empty()) report("body", "an extern function has one");
        return;
    }
    if (fn_.cVariadic) report("signature", "C variadic arguments of a function with a body");
    if (fn_.blocks.empty()) {
        if (!fn_.dead) report("body", "there is none");
        return;
    }
    checkScopes();
    checkSlots();
    checkPlacement();
    checkMarks();
    if (!clean()) return;
    for (uint32_t b = 0; b < fn_.blocks.size(); ++b) checkShape(b);
    if (!clean()) return;
    Dominators dominators(fn_);
    for (uint32_t b = 0; b < fn_.blocks.size(); ++b) {
        llvm::ArrayRef<ValueId> instrs = fn_.blocks[b].instrs;
        for (uint32_t p = 0; p < instrs.size(); ++p) {
            checkInstr(m_, fn_, instrs[p], [&](const llvm::Twine& what) { report(b, instrs[p], what); });
            checkUses(dominators, b, p, instrs[p]);
        }
        checkTargets(b, instrs.back());
    }
}

// ---- the module

class ModuleVerifier {
public:
    explicit ModuleVerifier(const Module& m) : m_(m) {}

    std::vector<std::string> run() {
        for (const Global& g : m_.globals) checkGlobal(g);
        for (const auto& fn : m_.functions) {
            checkSymbol(fn->symbol, ("function " + llvm::Twine(fn->name)).str(), fn->isExtern);
            FunctionVerifier(m_, *fn, violations_).run();
        }
        if (m_.entry != FuncId::None && static_cast<uint32_t>(m_.entry) >= m_.functions.size())
            report("entry", "the function does not exist");
        return std::move(violations_);
    }

private:
    void report(const llvm::Twine& place, const llvm::Twine& what) {
        violations_.push_back(("module: " + place + ": " + what).str());
    }

    void checkSymbol(const std::string& symbol, const std::string& place, bool isExtern) {
        if (symbol.empty()) report(place, "no symbol");
        else if (!isExtern && !symbols_.try_emplace(symbol, true).second)
            report(place, "the symbol " + llvm::Twine(symbol) + " is taken");
    }

    void checkGlobal(const Global& g) {
        std::string place = ("global " + llvm::Twine(g.symbol.empty() ? g.name : g.symbol)).str();
        checkSymbol(g.symbol, place, g.isExtern);
        if (!llvm::isPowerOf2_32(g.align)) report(place, "the alignment is not a power of two");
        if (g.type != TypeId::None && m_.types.isComplete(g.type) && g.size < sizeOf(m_.types, g.type))
            report(place, "smaller than its type");
        if (g.init.bytes.size() > g.size) // fewer: the rest is zero
            report(place, "has " + llvm::Twine(g.init.bytes.size()) + " bytes of data");
        if (g.isExtern && (!g.init.bytes.empty() || !g.init.relocs.empty())) report(place, "an extern global has data");
        for (const Reloc& r : g.init.relocs) checkReloc(g, r, place);
    }

    void checkReloc(const Global& g, const Reloc& r, const std::string& place) {
        std::string where = ("address at " + llvm::Twine(r.offset)).str();
        if (r.offset > g.size || g.size - r.offset < 8) report(place, llvm::Twine(where) + " is outside the data");
        size_t count = 0;
        switch (r.kind) {
        case Reloc::Kind::Function: count = m_.functions.size(); break;
        case Reloc::Kind::Global: count = m_.globals.size(); break;
        case Reloc::Kind::TypeHandle: count = m_.types.size(); break;
        }
        if (r.id >= count) report(place, llvm::Twine(where) + " names nothing");
    }

    const Module& m_;
    std::vector<std::string> violations_;
    llvm::StringMap<bool> symbols_;
};

} // namespace

std::vector<std::string> verify(const Module& m) { return ModuleVerifier(m).run(); }

} // namespace sx::ir
