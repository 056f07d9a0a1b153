#include "debugger/vm/InstructionTrace.h"

#include "vm/Program.h"
#include "vm/Thread.h"
#include "vm/code/Disassemble.h"
#include "vm/debug/ThreadState.h"
#include "vm/debug/Watches.h"

#include <algorithm>

namespace sx::debugger {

InstructionTrace::Place InstructionTrace::placeOf(const vm::FunctionCode& code, uint32_t index, const uint64_t* regs) {
    constexpr uint32_t MostRegisters = 256; // whose changes are told
    return {&code, index, regs, std::vector<uint64_t>(regs, regs + std::min(code.frameWords, MostRegisters))};
}

void InstructionTrace::begin(const std::vector<vm::DebugFrame>& innermost) {
    std::lock_guard lock(mutex_);
    places_.clear();
    begun_.clear();
    for (const vm::DebugFrame& f : innermost)
        if (f.code) begun_[f.thread] = placeOf(*f.code, f.index, f.regs);
}

void InstructionTrace::watch(WireReader& r) {
    std::lock_guard lock(mutex_);
    watched_.clear();
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        Watched w;
        w.id = r.get<uint32_t>();
        w.address = r.get<uint64_t>();
        w.bytes = r.data();
        w.thread = r.get<uint32_t>();
        w.frame = r.get<uint64_t>();
        watched_.push_back(std::move(w));
    }
}

/// What has changed before the thread goes on. Frames beyond the one that runs have returned, and their variables
/// ended.
void InstructionTrace::noteWrites(Step& step, vm::Thread& t) {
    auto regs = reinterpret_cast<uint64_t>(t.regs);
    std::erase_if(watched_, [&](const Watched& w) { return w.frame > regs && w.thread == t.debugged->id; });
    for (Watched& w : watched_) {
        std::vector<uint8_t> now = vm::bytesAt(w.address, w.bytes.size());
        if (now.empty() || now == w.bytes) continue;
        w.bytes = now;
        step.written.push_back({w.id, std::move(now)});
    }
}

void InstructionTrace::before(vm::Thread& t) {
    const vm::Callee* callee = t.program.callees.find(t.regs[vm::HeaderCallee]);
    const vm::FunctionCode* code = callee ? callee->code : nullptr;
    if (!code || !code->contains(t.pc)) return;
    std::lock_guard lock(mutex_);
    Place& place = places_[&t];
    if (auto begun = begun_.find(t.debugged->id); begun != begun_.end()) {
        place = std::move(begun->second);
        begun_.erase(begun);
    }
    if (place.code) {
        Step step{place.code, place.index, {}, {}};
        noteWrites(step, t);
        if (place.regs == t.regs && place.code == code)
            for (uint32_t i = 0; i < place.held.size(); ++i)
                if (t.regs[i] != place.held[i]) step.changed.push_back({i, t.regs[i]});
        steps_.push_back(std::move(step));
        if (steps_.size() > Most) steps_.pop_front();
        ++total_;
    }
    place = placeOf(*code, code->indexOf(t.pc), t.regs);
}

void InstructionTrace::put(WireWriter& w, uint64_t seen) const {
    std::lock_guard lock(mutex_);
    uint64_t count = std::min<uint64_t>(steps_.size(), total_ - std::min(seen, total_));
    w.put(total_).put(static_cast<uint32_t>(count));
    for (size_t i = steps_.size() - count; i < steps_.size(); ++i) {
        const Step& s = steps_[i];
        w.put(reinterpret_cast<uint64_t>(s.code->words.data() + s.index));
        w.put(static_cast<uint32_t>(vm::opcodeAt(*s.code, s.index)));
        w.put(vm::instructionText(*s.code, s.index).name).put(s.code->func).put(s.code->spans[s.index].begin.raw);
        w.put(static_cast<uint32_t>(s.changed.size()));
        for (auto [reg, value] : s.changed) w.put(reg).put(value);
        w.put(static_cast<uint32_t>(s.written.size()));
        for (const auto& [id, bytes] : s.written) w.put(id).put(llvm::ArrayRef<uint8_t>(bytes));
    }
}

} // namespace sx::debugger
