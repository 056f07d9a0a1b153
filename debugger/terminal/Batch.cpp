#include "debugger/terminal/Batch.h"

#include "debugger/terminal/commands/Commands.h"
#include "source/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sx::terminal {

namespace {

/// Writes to a stream at once: what goes to the two of them keeps its order. Gives the error number; 0: it went well.
int put(FILE* stream, const std::string& text) {
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    return std::fflush(stream) == 0 && isWritten ? 0 : errno;
}

} // namespace

Result<Script> readScript(const std::string& path) {
    Result<std::string> text = path == "-" ? readStandardInput() : readTextFile(path);
    if (!text) return Failure{"cannot read " + code(path) + ": " + text.error()};
    Script script{path == "-" ? "standard input" : path, {}};
    for (size_t at = 0; at < text->size();) {
        size_t end = std::min(text->find('\n', at), text->size());
        script.lines.push_back(text->substr(at, end - at));
        at = end + 1;
    }
    return script;
}

bool runScript(Debuggee& d, const Script& script) {
    bool isWell = true;
    int problem = 0;
    auto print = [&](const std::string& text) {
        if (const int error = put(stdout, text); problem == 0) problem = error;
    };
    d.onOutput = [print](const std::string& category, const std::string& text) {
        if (category == "stderr") put(stderr, text);
        else print(text);
    };
    for (size_t i = 0; i < script.lines.size(); ++i) {
        std::string line = script.lines[i];
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        Outcome outcome = execute(d, line);
        takeEvents(d);
        if (outcome.goesOn && !awaitStop(d) && d.state != State::Ended) outcome.error = "the debug adapter has ended";
        if (outcome.goesOn && d.client.isClosed()) outcome.error = "the debug adapter has ended";
        if (!outcome.error.empty()) {
            isWell = false;
            put(stderr, script.name + ":" + std::to_string(i + 1) + ": " + code(line) + ": " + outcome.error + "\n");
        } else if (outcome.goesOn) {
            print(stopText(d) + "\n");
        } else if (!outcome.text.empty()) {
            print(outcome.text + "\n");
        }
        if (outcome.quits) break;
    }
    disconnect(d);
    d.onOutput = [](const std::string&, const std::string&) {};
    if (problem == 0) return isWell;
    put(stderr, std::string("error: cannot write to standard output: ") + std::strerror(problem) + "\n");
    return false;
}

} // namespace sx::terminal
