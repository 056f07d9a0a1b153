#include "debugger/native/engine/ResultAddress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace sx::debugger::native {

namespace {

/// A register that calls keep, and how far from its value.
struct KeptAddress {
    std::string base;
    int64_t offset = 0;
};

/// What registers hold after some instructions in a row, as far as it is made from those that calls keep.
class KeptAddresses {
public:
    void run(llvm::StringRef mnemonic, llvm::StringRef operands) {
        if (mnemonic.starts_with("call") || mnemonic.starts_with("j")) return made_.clear();
        if (mnemonic.starts_with("cmp") || mnemonic.starts_with("test")) return;
        auto [from, to] = operands.rsplit(", ");
        if (to.empty()) to = from;
        if (!to.consume_front("%")) return;          // into memory
        if (isKept(whole(to))) return made_.clear(); // the frame is made or given up
        std::optional<KeptAddress> value;
        if (mnemonic.starts_with("lea")) value = indirect(from);
        else if (mnemonic.starts_with("mov")) value = direct(from);
        else if (mnemonic.starts_with("add")) value = moved(to, from, 1);
        else if (mnemonic.starts_with("sub")) value = moved(to, from, -1);
        made_.erase(whole(to));
        if (value) made_[whole(to)] = *value;
    }

    std::optional<KeptAddress> of(llvm::StringRef name) const {
        auto known = made_.find(name);
        if (known != made_.end()) return known->second;
        return isKept(name) ? std::optional(KeptAddress{name.str(), 0}) : std::nullopt;
    }

private:
    static bool isKept(llvm::StringRef name) {
        constexpr const char* Kept[] = {"rbp", "rsp", "rbx", "r12", "r13", "r14", "r15"};
        return llvm::is_contained(Kept, name);
    }

    /// `%edi` is a part of `%rdi`.
    static std::string whole(llvm::StringRef name) {
        return name.starts_with("e") ? ("r" + name.drop_front()).str() : name.str();
    }

    std::optional<KeptAddress> direct(llvm::StringRef from) const {
        return from.consume_front("%") ? of(from) : std::nullopt;
    }

    /// `8(%rdi)`
    std::optional<KeptAddress> indirect(llvm::StringRef from) const {
        int64_t offset = 0;
        auto [number, base] = from.split('(');
        bool isSum = base.consume_front("%") && base.consume_back(")");
        if (!isSum || (!number.empty() && number.getAsInteger(0, offset))) return std::nullopt;
        std::optional<KeptAddress> value = of(base);
        if (value) value->offset += offset;
        return value;
    }

    std::optional<KeptAddress> moved(llvm::StringRef name, llvm::StringRef by, int64_t sign) const {
        int64_t offset = 0;
        std::optional<KeptAddress> value = of(name);
        if (!value || !by.consume_front("$") || by.getAsInteger(0, offset)) return std::nullopt;
        value->offset += sign * offset;
        return value;
    }

    llvm::StringMap<KeptAddress> made_;
};

} // namespace

uint64_t resultAddress(Native& n, SystemThread thread) {
    constexpr uint64_t MostBytes = 4096;
    const StackFrame* top = n.stack.frame(thread, 0);
    if (!top || top->copy == UINT32_MAX) return 0;
    // The address may be made while the statement before is still under way.
    uint64_t end = top->frame.pc, begin = end;
    for (int back = 0; back < 2 && begin != 0; ++back) {
        const StatementStart* start = n.image.startBefore(n.toFile(begin - 1), top->copy);
        begin = start ? n.toRun(start->address) : 0;
    }
    if (begin == 0) begin = n.toRun(n.image.copies()[top->copy].entry);
    if (begin >= end || end - begin > MostBytes) return 0;
    std::vector<TargetInstruction> code = n.target->disassemble(begin, static_cast<uint32_t>(end - begin));
    std::erase_if(code, [end](const TargetInstruction& i) { return i.address >= end; });
    if (code.empty()) return 0;
    code.pop_back(); // the call itself
    KeptAddresses addresses;
    for (const TargetInstruction& i : code) addresses.run(i.mnemonic, i.operands);
    std::optional<KeptAddress> given = addresses.of("rdi");
    if (!given) return 0;
    std::optional<uint64_t> word = n.target->readRegister(thread, 0, given->base);
    return word ? *word + static_cast<uint64_t>(given->offset) : 0;
}

} // namespace sx::debugger::native
