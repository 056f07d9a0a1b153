#include "debugger/protocol/ArgumentTypes.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::debugger {

namespace {

/// `names` are arguments of the commands, all of one type. `of` is the list, or the object, that they are parts of; "":
/// none.
struct TypeRow {
    const char* commands;
    const char* of;
    enum class Type : uint8_t { Flag, Text, Integer, Index, Object, Objects, Integers } type;
    const char* names;
};
using Type = TypeRow::Type;

constexpr const char* WithSource = "setBreakpoints breakpointLocations gotoTargets source evaluate";

constexpr TypeRow Rows[] = {
    {"initialize", "", Type::Text, "clientID clientName adapterID locale pathFormat"},
    {"initialize", "", Type::Flag,
     "linesStartAt1 columnsStartAt1 supportsVariableType supportsVariablePaging supportsRunInTerminalRequest "
     "supportsMemoryReferences supportsProgressReporting supportsInvalidatedEvent supportsMemoryEvent "
     "supportsArgsCanBeInterpretedByShell supportsStartDebuggingRequest supportsANSIStyling"},
    {"launch", "", Type::Flag, "noDebug"},
    {"cancel", "", Type::Integer, "requestId"},
    {"cancel", "", Type::Text, "progressId"},
    {"setBreakpoints", "", Type::Integers, "lines"},
    {"setBreakpoints", "", Type::Flag, "sourceModified"},
    {"setBreakpoints setFunctionBreakpoints setInstructionBreakpoints setDataBreakpoints", "", Type::Objects,
     "breakpoints"},
    {"setBreakpoints", "breakpoints", Type::Index, "line column"},
    {"setBreakpoints", "breakpoints", Type::Text, "mode"},
    {"setInstructionBreakpoints", "breakpoints", Type::Text, "mode"},
    {"setDataBreakpoints", "breakpoints", Type::Text, "accessType"},
    {"setExceptionBreakpoints", "", Type::Objects, "filterOptions exceptionOptions"},
    {"setExceptionBreakpoints", "filterOptions", Type::Text, "mode"},
    {"dataBreakpointInfo", "", Type::Index, "bytes"},
    {"dataBreakpointInfo", "", Type::Flag, "asAddress"},
    {"dataBreakpointInfo", "", Type::Text, "mode"},
    {WithSource, "", Type::Object, "source"},
    {WithSource, "source", Type::Text, "name path presentationHint origin"},
    {WithSource, "source", Type::Integer, "sourceReference"},
    {WithSource, "source", Type::Objects, "sources checksums"},
    {"breakpointLocations gotoTargets completions evaluate", "", Type::Index, "line column"},
    {"breakpointLocations", "", Type::Index, "endLine endColumn"},
    {"continue next stepIn stepOut stepBack reverseContinue", "", Type::Flag, "singleThread"},
    {"stackTrace variables evaluate setVariable setExpression", "", Type::Object, "format"},
    {"stackTrace", "format", Type::Flag,
     "hex parameters parameterTypes parameterNames parameterValues line module includeAll"},
    {"variables evaluate setVariable setExpression", "format", Type::Flag, "hex"},
    {"variables", "", Type::Text, "filter"},
    {"evaluate", "", Type::Text, "context"},
    {"disassemble", "", Type::Flag, "resolveSymbols"},
    {"writeMemory", "", Type::Flag, "allowPartial"},
    {"terminate disconnect", "", Type::Flag, "restart"},
    {"disconnect", "", Type::Flag, "terminateDebuggee suspendDebuggee"},
};

void checkIntegers(Arguments& a, llvm::StringRef name) {
    const llvm::json::Array* list = a.array(name);
    if (list && !llvm::all_of(*list, [](const llvm::json::Value& v) { return v.getAsInteger().has_value(); }))
        a.reject("`" + name.str() + "` has to be a list of whole numbers");
}

void checkType(Arguments& a, llvm::StringRef name, Type type) {
    switch (type) {
    case Type::Flag: a.optionalFlag(name); break;
    case Type::Text: a.optionalText(name); break;
    case Type::Integer: a.optionalInteger(name); break;
    case Type::Index: a.optionalIndex(name); break;
    case Type::Object: a.object(name); break;
    case Type::Objects: a.objects(name); break;
    case Type::Integers: checkIntegers(a, name); break;
    }
}

void checkRow(Arguments& a, const TypeRow& row) {
    llvm::SmallVector<llvm::StringRef, 16> names;
    llvm::StringRef(row.names).split(names, ' ');
    for (llvm::StringRef name : names) checkType(a, name, row.type);
}

} // namespace

void checkTypes(llvm::StringRef command, Arguments& a) {
    for (const TypeRow& row : Rows) {
        llvm::SmallVector<llvm::StringRef, 8> commands;
        llvm::StringRef(row.commands).split(commands, ' ');
        if (!llvm::is_contained(commands, command) || !a.ok()) continue;
        llvm::StringRef of = row.of;
        const llvm::json::Value* outer = of.empty() ? nullptr : a.any(of);
        std::vector<const llvm::json::Object*> parts;
        if (outer && outer->getAsArray()) parts = a.objects(of);
        else if (outer && outer->getAsObject()) parts.push_back(outer->getAsObject());
        if (of.empty()) checkRow(a, row);
        for (const llvm::json::Object* part : parts) {
            Arguments inner(*part, of.str() + ".");
            checkRow(inner, row);
            if (!inner.ok()) a.reject(inner.problem());
        }
    }
}

} // namespace sx::debugger
