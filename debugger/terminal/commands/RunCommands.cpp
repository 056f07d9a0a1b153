// Beginning, going on, back, and ending.
#include "debugger/terminal/commands/Table.h"

namespace sx::terminal {

namespace {

Outcome resumed(Debuggee& d, const char* request, Object more = {}) {
    Result<void> gone = resume(d, request, std::move(more));
    return gone ? Outcome::running() : Outcome::failure(gone.error());
}

/// As often as the words say, or once.
Outcome resumedOften(Debuggee& d, const char* request, Words words) {
    int64_t count = 1;
    if (!words.empty() && (words.getAsInteger(10, count) || count < 1))
        return Outcome::failure("COUNT has to be a number from 1 on, but found " + code(words));
    Result<void> gone = resume(d, request, {}, count);
    return gone ? Outcome::running() : Outcome::failure(gone.error());
}

} // namespace

Outcome run(Debuggee& d, Words) {
    Result<void> begun = begin(d);
    return begun ? Outcome::running() : Outcome::failure(begun.error());
}

Outcome goOn(Debuggee& d, Words words) { return resumedOften(d, "continue", words); }
Outcome stepOver(Debuggee& d, Words words) { return resumedOften(d, "next", words); }
Outcome stepInto(Debuggee& d, Words words) { return resumedOften(d, "stepIn", words); }
Outcome stepOut(Debuggee& d, Words) { return resumed(d, "stepOut"); }
Outcome backOver(Debuggee& d, Words) { return resumed(d, "stepBack"); }
Outcome backInto(Debuggee& d, Words) { return resumed(d, "stepBack", Object{{"intoCalls", true}}); }
Outcome backOn(Debuggee& d, Words) { return resumed(d, "reverseContinue"); }

Outcome pauseProgram(Debuggee& d, Words) {
    if (d.state != State::Running)
        return Outcome::failure(d.state == State::Stopped ? "the program is stopped already" : notStopped(d));
    Result<Object> answer = d.client.ask("pause", Object{{"threadId", d.thread}});
    return answer ? Outcome::running() : Outcome::failure(answer.error());
}

Outcome input(Debuggee& d, Words words) {
    if (!d.start.feedInput) return Outcome::failure("the program's standard input is empty here");
    Object arguments{{"text", words.empty() ? std::string() : words.str() + "\n"}, {"eof", words.empty()}};
    Result<Object> answer = d.client.ask("sxStdin", std::move(arguments));
    return answer ? Outcome{} : Outcome::failure(answer.error());
}

Outcome quit(Debuggee&, Words) {
    Outcome o;
    o.quits = true;
    return o;
}

} // namespace sx::terminal
