#include "debugger/terminal/target/Lists.h"

#include "debugger/terminal/target/Values.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace sx::terminal {

Result<std::vector<ThreadRow>> threadsOf(Debuggee& d) {
    Result<Object> answer = d.client.ask("threads", Object{});
    if (!answer) return answer.failure();
    std::vector<ThreadRow> rows;
    for (const Object* t : objectsOf(*answer, "threads")) {
        ThreadRow row{numberOf(*t, "id"), textOf(*t, "name"), false};
        row.isFiber = llvm::StringRef(row.name).starts_with("fiber ") || llvm::StringRef(row.name).starts_with("task ");
        rows.push_back(std::move(row));
    }
    return rows;
}

namespace {

/// An address of an answer: a number, or a text.
std::string hexOf(const Object& o, llvm::StringRef name) {
    const llvm::json::Value* v = o.get(name);
    if (!v) return "";
    if (std::optional<uint64_t> n = v->getAsUINT64()) return "0x" + llvm::utohexstr(*n, true, 12);
    return v->getAsString().value_or("").str();
}

std::string nodeText(const Object& node) {
    if (textOf(node, "kind") == "root") return textOf(node, "summary"); // its id is good for nothing else
    std::string text = "#" + std::to_string(numberOf(node, "id")) + " " + textOf(node, "type");
    if (std::string summary = textOf(node, "summary"); !summary.empty()) text += " " + summary;
    text += ", " + std::to_string(numberOf(node, "shallow")) + " bytes";
    if (std::string validity = textOf(node, "validity"); !validity.empty() && validity != "live")
        text += ", " + validity;
    if (const Object* site = node.getObject("site"))
        text += ", made in " + textOf(*site, "func") + " at " + textOf(*site, "file") + ":" +
                std::to_string(numberOf(*site, "line"));
    return text;
}

/// The end of an edge: an object's number, or the name of a root.
int64_t endOf(const Object& edge, llvm::StringRef name) { return numberOf(edge, name, -1); }

} // namespace

Result<std::vector<std::string>> regionsOf(Debuggee& d) {
    Result<Object> answer = d.client.ask("memory.regions", Object{});
    if (!answer) return answer.failure();
    std::vector<std::string> lines;
    for (const Object* r : objectsOf(*answer, "regions")) {
        std::string type = textOf(*r, "type");
        type.resize(std::max<size_t>(type.size(), 6), ' ');
        lines.push_back(hexOf(*r, "start") + "-" + hexOf(*r, "end") + "  " + textOf(*r, "permissions") + "  " + type +
                        "  " + textOf(*r, "name"));
    }
    return lines;
}

Result<std::vector<std::string>> graphAround(Debuggee& d, const std::string& expression) {
    Result<ValueRow> value = evaluate(d, expression, "watch");
    if (!value) return value.failure();
    if (value->object == 0) {
        if (!d.start.trackHeap) return Failure{"objects are not tracked: start with " + code("--heap=track")};
        return Failure{code(expression) + " is no object of the heap"};
    }
    Result<Object> answer =
        d.client.ask("sxNeighbourhood",
                     Object{{"id", value->object}, {"direction", "both"}, {"depth", 1}, {"start", 0}, {"count", 100}});
    if (!answer) return answer.failure();
    std::map<int64_t, std::string> names;
    std::vector<std::string> lines;
    for (const Object* n : objectsOf(*answer, "nodes")) names[numberOf(*n, "id")] = nodeText(*n);
    lines.push_back(names[value->object]);
    for (const Object* e : objectsOf(*answer, "edges")) {
        int64_t from = endOf(*e, "from"), to = endOf(*e, "to");
        bool isOut = from == value->object;
        int64_t other = isOut ? to : from;
        std::string name = names.count(other) ? names[other] : "#" + std::to_string(other);
        std::string label = textOf(*e, "label");
        lines.push_back((isOut ? "  -> " : "  <- ") + (label.empty() ? "" : label + "  ") + name);
    }
    if (int64_t hidden = numberOf(*answer, "hidden"); hidden > 0)
        lines.push_back("  … " + std::to_string(hidden) + " more");
    return lines;
}

} // namespace sx::terminal
