// The stack, values, the error return trace, the source.
#include "debugger/terminal/commands/Table.h"
#include "debugger/terminal/target/Values.h"

namespace sx::terminal {

namespace {

constexpr size_t MostFrames = 100'000; ///< of a stack that is printed
constexpr int64_t MostRows = 10'000;

/// A number of at least `least`, or the other one where there is none.
Result<int64_t> numberIn(Words words, int64_t otherwise, int64_t least) {
    int64_t n = otherwise;
    if (!words.empty() && (words.getAsInteger(10, n) || n < least))
        return Failure{code(words) + " is no number from " + std::to_string(least) + " on"};
    return n;
}

Outcome shown(Debuggee& d, int64_t frame) {
    const std::vector<StackRow>& stack = stackOf(d, static_cast<size_t>(frame) + 1);
    if (static_cast<size_t>(frame) >= stack.size())
        return Outcome::failure("the stack has only " + std::to_string(stack.size()) + " frames");
    d.frame = static_cast<size_t>(frame);
    ++d.changes;
    return Outcome::lines("#" + std::to_string(frame) + " " + placeOf(d, stack[d.frame]));
}

} // namespace

Outcome backtrace(Debuggee& d, Words words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    Result<int64_t> count = numberIn(words, MostFrames, 1);
    if (!count) return Outcome::failure(count.error());
    std::string text;
    size_t most = static_cast<size_t>(*count), n = 0;
    for (const StackRow& row : stackOf(d, most)) {
        if (n++ == most) break;
        std::string mark = row.isLabel ? "" : row.isTrace ? "  " : "#" + std::to_string(n - 1) + " ";
        text += (text.empty() ? "" : "\n") + mark + placeOf(d, row);
    }
    return Outcome::lines(text.empty() ? "no frames" : text);
}

Outcome printValue(Debuggee& d, Words words) {
    if (words.empty()) return Outcome::failure("it needs an expression");
    Result<ValueRow> value = evaluate(d, words.str(), "repl");
    ++d.changes; // it may have written
    return value ? Outcome::lines(value->value) : Outcome::failure(value.error());
}

namespace {

/// Where the `=` of an assignment is; npos: there is none.
size_t findAssignment(Words words) {
    bool inText = false;
    for (size_t i = 0; i < words.size(); ++i) {
        char c = words[i];
        if (inText && c == '\\') ++i;
        else if (c == '"') inText = !inText;
        else if (!inText && c == '=') {
            bool isCompared = i + 1 < words.size() && words[i + 1] == '=';
            if (!isCompared && i > 0 && !Words("=!<>+-*/%&|^~").contains(words[i - 1])) return i;
            if (isCompared) ++i;
        }
    }
    return Words::npos;
}

} // namespace

Outcome setValue(Debuggee& d, Words words) {
    size_t at = findAssignment(words);
    if (at == Words::npos) return Outcome::failure("it needs NAME = EXPR");
    Words place = words.take_front(at).rtrim(), expression = words.substr(at + 1).trim();
    if (place.empty() || expression.empty()) return Outcome::failure("it needs NAME = EXPR");
    Result<std::string> value = assign(d, place.str(), expression.str());
    return value ? Outcome::lines((place + " = " + *value).str()) : Outcome::failure(value.error());
}

Outcome locals(Debuggee& d, Words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    std::string text;
    for (const ValueRow& scope : scopesOf(d)) {
        if (scope.name != "Parameters and locals" && scope.name != "Captures") continue;
        Result<std::vector<ValueRow>> rows = childrenOf(d, scope.children, 0, MostRows);
        if (!rows) return Outcome::failure(rows.error());
        for (const ValueRow& row : *rows) text += (text.empty() ? "" : "\n") + row.name + " = " + row.value;
    }
    return Outcome::lines(text.empty() ? "no variables" : text);
}

Outcome trace(Debuggee& d, Words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    Result<Object> answer = d.client.ask("sxErrorTrace", Object{{"threadId", d.thread}});
    if (!answer) return Outcome::failure(answer.error());
    std::string text = textOf(*answer, "rendered");
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return Outcome::lines(text.empty() ? "no error is on its way" : text);
}

Outcome selectFrame(Debuggee& d, Words words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    Result<int64_t> n = numberIn(words, static_cast<int64_t>(d.frame), 0);
    if (!n) return Outcome::failure(n.error());
    if (*n >= static_cast<int64_t>(MostFrames)) return Outcome::failure("there is no frame " + words.str());
    return shown(d, *n);
}

Outcome up(Debuggee& d, Words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    return shown(d, static_cast<int64_t>(d.frame) + 1);
}

Outcome down(Debuggee& d, Words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    if (d.frame == 0) return Outcome::failure("this is the innermost frame");
    return shown(d, static_cast<int64_t>(d.frame) - 1);
}

Outcome selectThread(Debuggee& d, Words words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    Result<int64_t> n = numberIn(words, d.thread, 1);
    if (!n) return Outcome::failure(n.error());
    Result<Object> answer = d.client.ask("threads", Object{});
    if (!answer) return Outcome::failure(answer.error());
    for (const Object* t : objectsOf(*answer, "threads")) {
        if (numberOf(*t, "id") != *n) continue;
        d.thread = *n;
        d.stack.clear();
        d.isStackWhole = false;
        if (!stackOf(d, 1).empty()) return shown(d, 0);
        d.frame = 0;
        ++d.changes;
        return Outcome::lines(textOf(*t, "name") + ": no frames"); // a fiber that has not begun
    }
    return Outcome::failure("there is no thread " + std::to_string(*n));
}

Outcome list(Debuggee& d, Words words) {
    const StackRow* row = d.state == State::Stopped ? currentRow(d) : nullptr;
    bool isHere = row && !row->file.path.empty();
    SourceFile file = isHere ? row->file : SourceFile{meantPath(d, d.start.program)};
    int64_t here = isHere ? row->line : 0;
    Result<int64_t> middle = numberIn(words, std::max<int64_t>(here, 1), 1);
    if (!middle) return Outcome::failure(middle.error());
    const std::vector<std::string>& lines = d.sources.lines(file);
    if (lines.empty()) return Outcome::failure("there is no text of " + shownPath(d, file.path));
    if (*middle > static_cast<int64_t>(lines.size()))
        return Outcome::failure("the file has only " + std::to_string(lines.size()) + " lines");
    std::string text;
    int64_t first = std::max<int64_t>(*middle - 5, 1);
    for (int64_t n = first; n < first + 11 && n <= static_cast<int64_t>(lines.size()); ++n) {
        std::string number = std::to_string(n);
        text += (text.empty() ? "" : "\n") + std::string(n == here ? "> " : "  ") +
                std::string(number.size() < 4 ? 4 - number.size() : 0, ' ') + number + "  " +
                lines[static_cast<size_t>(n - 1)];
    }
    return Outcome::lines(text);
}

} // namespace sx::terminal
