#include "vm/debug/TimeTravel.h"

#include "vm/debug/World.h"
#include "vm/replay/Tape.h"

namespace sx::vm {

Result<void> TimeTravel::goBack(DebugThreadId id, const BackOptions& options) {
    Debugger::State& state = *debugger_.state_;
    Program* running = debugger_.program();
    DebuggedThread *shown = nullptr, *runner = nullptr;
    if (!running || !running->options.keepsHistory) return Failure{"launch with `record`: true to go back"};
    {
        std::scoped_lock lock(state.mutex);
        DebuggedThread* t = state.find(id);
        if (!t) return Failure{"there is no thread " + std::to_string(id)};
        shown = runner = t;
        // Who has the turn does it for all.
        const std::shared_ptr<History>& h = t->thread->history;
        if (h && h->isCommon()) runner = h->order.current()->debugged;
        if (!runner->isEnding)
            if (Result<DebuggedThread*> standing = state.standing(runner->id); !standing) return standing.failure();
        for (const auto& other : state.threads) state.steps.end(*other);
    }
    Stop stop;
    bool goesOn = false;
    bool ran =
        debugger_.runOn(runner->id, [&](Thread& t) { goesOn = state.back.begin(*t.debugged, options, stop, *shown); });
    if (!ran) return Failure{"the thread is inside a C function"};
    if (goesOn) debugger_.resume();
    else if (state.events.stopped) state.events.stopped(stop);
    return {};
}

bool TimeTravel::isGoingBack() const { return debugger_.state_->back.isOn(); }

void TimeTravel::forget(const std::string& why) {
    Debugger::State& state = *debugger_.state_;
    if (Program* running = debugger_.program(); running && running->options.tape) running->options.tape->noteChange();
    std::vector<DebugThreadId> ids;
    {
        std::scoped_lock lock(state.mutex);
        for (const auto& t : state.threads)
            if (const std::shared_ptr<History>& h = t->thread->history; h && h->order.current() == t->thread)
                ids.push_back(t->id);
    }
    for (DebugThreadId id : ids)
        debugger_.runOn(id, [&](Thread& t) {
            if (t.foreign) t.history->breakAt(why);
            else t.history->restart(t, why);
        });
}

} // namespace sx::vm
