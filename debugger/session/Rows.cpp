#include "debugger/session/Rows.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Heap.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

/// What an evaluation has made is gone when the program goes on.
static bool isOfProgram(uint64_t address) {
    return !EvaluationMemory::isOwn(address) && !EvaluationMemory::isOwnCode(address);
}

RowOptions showOptions(Arguments& a) {
    RowOptions options;
    if (const Object* format = a.object("format")) {
        Arguments f(*format, "format.");
        options.hex = f.flag("hex", false);
        if (!f.ok()) a.reject(f.problem());
    }
    return options;
}

ShownValue shownValue(Session& s, const Datum& datum, const RowOptions& options) {
    ShownValue shown{valuesOf(s).row(datum, options), std::nullopt};
    std::optional<uint64_t>& reference = shown.row.memoryReference;
    if (reference && !isOfProgram(*reference)) reference.reset();
    HeapRemark remark = heapRemark(s, datum, reference);
    if (!remark.instead.empty()) shown.row.text = remark.instead;
    if (remark.id) shown.row.text += " #" + std::to_string(*remark.id);
    shown.id = remark.id;
    return shown;
}

void describeValue(Session& s, Object& o, const char* valueKey, const Datum& datum, const std::string& expression,
                   RowOptions options) {
    auto [row, objectId] = shownValue(s, datum, options);
    if (objectId) o["sxObjectId"] = static_cast<int64_t>(*objectId);
    o[valueKey] = asUtf8(row.text);
    o["type"] = row.type;
    o["variablesReference"] = 0;
    if (row.indexed + row.named > 0) {
        VariablesHandle h;
        h.kind = VariablesHandle::Kind::Value;
        h.datum = datum;
        h.expression = expression;
        h.frameId = options.frameId;
        o["variablesReference"] = s.handles.addVariables(std::move(h));
        if (row.indexed > 0) o["indexedVariables"] = static_cast<int64_t>(std::min<uint64_t>(row.indexed, INT32_MAX));
        if (row.named > 0) o["namedVariables"] = static_cast<int64_t>(row.named);
    }
    Object hint;
    if (row.presentation.isData) hint["kind"] = "data";
    if (row.presentation.isVirtual) hint["kind"] = "virtual";
    Array attributes;
    if (row.presentation.hasFailed) attributes.push_back("failedEvaluation");
    if (row.presentation.isReadOnly) attributes.push_back("readOnly");
    if (!attributes.empty()) hint["attributes"] = std::move(attributes);
    if (!hint.empty()) o["presentationHint"] = std::move(hint);
    if (row.memoryReference) o["memoryReference"] = hexText(*row.memoryReference);
}

Object rowOf(Session& s, const std::string& name, const Datum& datum, const std::string& expression,
             RowOptions options) {
    Object o{{"name", asUtf8(name)}};
    describeValue(s, o, "value", datum, expression, options);
    if (!expression.empty()) o["evaluateName"] = expression;
    return o;
}

Object plainRow(const std::string& name, const std::string& value, const std::string& type) {
    Object o{{"name", asUtf8(name)}, {"value", asUtf8(value)}, {"variablesReference", 0}};
    if (!type.empty()) o["type"] = type;
    return o;
}

} // namespace sx::debugger
