#include "vm/debug/TimeTravel.h"

#include "vm/debug/World.h"
#include "vm/replay/Tape.h"

namespace sx::vm {

/// Threads that wait for each other stand in no call of C, though it looks so: one of them takes the turn, and stands.
static bool recallTurn(Debugger::State& state, std::unique_lock<std::mutex>& lock, History& h) {
    constexpr std::chrono::seconds Patience{1};
    auto isStanding = [&] {
        const DebuggedThread* t = h.order.current()->debugged;
        return t && t->run == DebuggedThread::Run::Standing;
    };
    return state.isStopped && h.recallTurn() && state.changed.wait_for(lock, Patience, isStanding);
}

Result<bool> TimeTravel::goBack(DebugThreadId id, const BackOptions& options) {
    Debugger::State& state = *debugger_.state_;
    Program* running = debugger_.program();
    DebuggedThread *shown = nullptr, *runner = nullptr;
    if (!running || !running->options.keepsHistory) return Failure{"launch with `record`: true to go back"};
    {
        std::unique_lock lock(state.mutex);
        DebuggedThread* t = state.find(id);
        if (!t) return Failure{"there is no thread " + std::to_string(id)};
        shown = runner = t;
        // Who has the turn does it for all.
        const std::shared_ptr<History>& h = t->thread->history;
        const bool isCommon = h && h->isCommon();
        if (isCommon) runner = h->order.current()->debugged;
        if (!runner->isEnding && !runner->isInSignal && !runner->isRecalled)
            if (Result<DebuggedThread*> standing = state.standing(runner->id); !standing) {
                if (!isCommon || !recallTurn(state, lock, *h)) return standing.failure();
                runner = h->order.current()->debugged;
                runner->isRecalled = true;
            }
        for (const auto& other : state.threads) state.steps.end(*other);
    }
    Stop stop;
    bool goesOn = false;
    bool ran =
        debugger_.runOn(runner->id, [&](Thread& t) { goesOn = state.back.begin(*t.debugged, options, stop, *shown); });
    if (!ran) return Failure{"the thread is inside a C function"};
    if (goesOn) debugger_.resume();
    else if (state.events.stopped) state.events.stopped(stop);
    return goesOn;
}

bool TimeTravel::isGoingBack() const { return debugger_.state_->back.isOn(); }

void TimeTravel::forget(const std::string& why) {
    Debugger::State& state = *debugger_.state_;
    if (Program* running = debugger_.program(); running && running->options.tape) running->options.tape->noteChange();
    std::vector<std::pair<DebugThreadId, std::shared_ptr<History>>> current;
    {
        std::scoped_lock lock(state.mutex);
        for (const auto& t : state.threads)
            if (const std::shared_ptr<History>& h = t->thread->history; h && h->order.current() == t->thread)
                current.emplace_back(t->id, h);
    }
    for (const auto& [id, history] : current) {
        bool ran = debugger_.runOn(id, [&](Thread& t) {
            if (t.foreign) t.history->breakAt(why);
            else t.history->restart(t, why);
        });
        if (!ran) history->breakAt(why); // it is in a call, or waits for others
    }
}

} // namespace sx::vm
