#include "debugger/terminal/target/Values.h"

namespace sx::terminal {

namespace {

ValueRow rowOf(const Object& o, const char* valueKey) {
    ValueRow row;
    row.name = textOf(o, "name");
    row.value = textOf(o, valueKey);
    row.type = textOf(o, "type");
    row.evaluateName = textOf(o, "evaluateName");
    row.memory = textOf(o, "memoryReference");
    row.children = numberOf(o, "variablesReference");
    row.childCount = numberOf(o, "indexedVariables") + numberOf(o, "namedVariables");
    row.object = numberOf(o, "sxObjectId");
    return row;
}

/// An expression's place: the frame that is looked at. A line of the error
/// return trace has no variables.
Result<Object> inFrame(Debuggee& d) {
    if (std::string why = notStopped(d); !why.empty()) return Failure{why};
    const StackRow* row = currentRow(d);
    if (!row) return Failure{"there is no frame"};
    return Object{{"frameId", row->id}};
}

} // namespace

std::vector<ValueRow> scopesOf(Debuggee& d) {
    std::vector<ValueRow> rows;
    Result<Object> arguments = inFrame(d);
    if (!arguments) return rows;
    Result<Object> answer = d.client.ask("scopes", std::move(*arguments));
    if (!answer) return rows;
    for (const Object* o : objectsOf(*answer, "scopes")) rows.push_back(rowOf(*o, "value"));
    return rows;
}

Result<std::vector<ValueRow>> childrenOf(Debuggee& d, int64_t reference, int64_t start, int64_t count) {
    Result<Object> answer =
        d.client.ask("variables", Object{{"variablesReference", reference}, {"start", start}, {"count", count}});
    if (!answer) return answer.failure();
    std::vector<ValueRow> rows;
    for (const Object* o : objectsOf(*answer, "variables")) rows.push_back(rowOf(*o, "value"));
    return rows;
}

Result<ValueRow> evaluate(Debuggee& d, const std::string& expression, const char* context) {
    Result<Object> arguments = inFrame(d);
    if (!arguments) return arguments.failure();
    (*arguments)["expression"] = expression;
    (*arguments)["context"] = context;
    Result<Object> answer = d.client.ask("evaluate", std::move(*arguments));
    if (!answer) return answer.failure();
    ValueRow row = rowOf(*answer, "result");
    row.name = row.evaluateName = expression;
    return row;
}

Result<std::string> assign(Debuggee& d, const std::string& place, const std::string& expression) {
    Result<Object> arguments = inFrame(d);
    if (!arguments) return arguments.failure();
    (*arguments)["expression"] = place;
    (*arguments)["value"] = expression;
    Result<Object> answer = d.client.ask("setExpression", std::move(*arguments));
    ++d.changes;
    if (!answer) return answer.failure();
    return textOf(*answer, "value");
}

} // namespace sx::terminal
