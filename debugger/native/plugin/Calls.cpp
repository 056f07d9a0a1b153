// Calls in the program: an expression of C++ for lldb, which has nothing but numbers in it.
#include "debugger/native/plugin/LldbTarget.h"

#include <algorithm>
#include <future>

namespace sx::debugger::native {

using namespace lldb;

namespace {

std::string typeOf(const CallValue& v) {
    if (v.kind == CallValue::Kind::Float) return v.size == 4 ? "float" : "double";
    const char* base = v.size == 1 ? "char" : v.size == 2 ? "short" : v.size <= 4 ? "int" : "long";
    return std::string(v.kind == CallValue::Kind::Signed ? "signed " : "unsigned ") + base;
}

std::string textOf(const CallValue& v) {
    std::string number = std::to_string(v.bits) + "ull";
    if (v.kind != CallValue::Kind::Float) return "(" + typeOf(v) + ")" + number;
    std::string bits = v.size == 4 ? "(unsigned int)" + number : "(unsigned long)" + number;
    return "__builtin_bit_cast(" + typeOf(v) + ", " + bits + ")";
}

std::string expressionFor(const ProgramCall& call) {
    std::string parameters, arguments;
    for (size_t i = 0; i < call.args.size(); ++i) {
        if (i > 0) arguments += ", ";
        arguments += textOf(call.args[i]);
        if (i >= call.named) continue;
        if (i > 0) parameters += ", ";
        parameters += typeOf(call.args[i]);
    }
    if (call.isVariadic) parameters += parameters.empty() ? "..." : ", ...";
    std::string result = call.hasResult ? typeOf(call.result) : "void";
    return "((" + result + " (*)(" + parameters + "))" + std::to_string(call.address) + "ull)(" + arguments + ")";
}

SBExpressionOptions optionsForCalls(std::chrono::milliseconds limit) {
    // Half of the time for the thread alone, then the others run, too.
    auto most = static_cast<uint32_t>(std::max<int64_t>(limit.count(), 2) * 1000); // microseconds
    SBExpressionOptions options;
    options.SetLanguage(eLanguageTypeC_plus_plus_14);
    options.SetIgnoreBreakpoints(true);
    options.SetUnwindOnError(true);
    options.SetTrapExceptions(false);
    options.SetAutoApplyFixIts(false);
    options.SetSuppressPersistentResult(true);
    options.SetTimeoutInMicroSeconds(most);
    options.SetOneThreadTimeoutInMicroSeconds(most / 2);
    options.SetTryAllThreads(true);
    return options;
}

/// What a signal means to a call, as the interpreter says it (vm/CrashReport.h).
std::string crashOf(const std::string& text) {
    constexpr uint64_t NullPage = 4096;
    if (text.find("interrupted") == std::string::npos) return "";
    if (text.find("SIGFPE") != std::string::npos) return "division by zero";
    if (text.find("SIGABRT") != std::string::npos) return "it ended the process by `abort`";
    if (text.find("SIGILL") != std::string::npos) return "it executed an invalid instruction";
    bool isAccess = text.find("SIGSEGV") != std::string::npos || text.find("SIGBUS") != std::string::npos;
    if (isAccess)
        return faultAddressIn(text).value_or(NullPage) < NullPage ? "dereferenced a null pointer"
                                                                  : "accessed memory that is not mapped";
    size_t signal = text.find("SIG");
    return signal == std::string::npos ? "" : text.substr(signal, text.find_first_of(" :.", signal) - signal);
}

/// What happened to a call, which lldb says in its own words.
std::string reasonOf(std::string text) {
    if (std::string crash = crashOf(text); !crash.empty()) return "crashed: " + crash;
    for (const char* limit : {"timed out", "timeout", "halted"})
        if (text.find(limit) != std::string::npos) return "did not end in time";
    if (text.starts_with("error: ")) text.erase(0, 7);
    if (size_t line = text.find('\n'); line != std::string::npos) text.resize(line);
    constexpr std::string_view Interrupted = "Expression execution was interrupted: ";
    if (text.starts_with(Interrupted)) text.erase(0, Interrupted.size());
    while (!text.empty() && text.back() == '.') text.pop_back();
    return "was not carried out: " + (text.empty() ? "lldb gives no reason" : text);
}

/// While the call runs, in a thread of its own, it is looked whether somebody has cancelled it.
SBValue evaluate(SBProcess& process, SBThread& thread, const ProgramCall& call) {
    constexpr std::chrono::milliseconds BetweenLooks{20};
    std::string text = expressionFor(call);
    SBExpressionOptions options = optionsForCalls(call.limit);
    if (!call.isCancelled) return thread.GetFrameAtIndex(0).EvaluateExpression(text.c_str(), options);
    auto made = std::async(std::launch::async,
                           [&] { return thread.GetFrameAtIndex(0).EvaluateExpression(text.c_str(), options); });
    while (made.wait_for(BetweenLooks) != std::future_status::ready)
        if (call.isCancelled()) process.SendAsyncInterrupt();
    return made.get();
}

} // namespace

std::string LldbTarget::call(SystemThread id, const ProgramCall& call, uint64_t& result) {
    constexpr uint32_t NoResult = 0x1001; // lldb's number for an expression of type void
    SBThread thread = process_.GetThreadByID(id);
    if (!thread.IsValid()) return "was not carried out: the thread is gone";
    ownSignals_.willCall(process_);
    SBValue value = evaluate(process_, thread, call);
    SBError error = value.GetError();
    if (error.Fail() && (call.hasResult || error.GetError() != NoResult)) {
        if (process_.GetState() == eStateExited) return EndedByCall;
        if (int signal = ownSignals_.sendAgain(process_, thread, messageOf(error)))
            return "was interrupted by " + std::string(process_.GetUnixSignals().GetSignalAsCString(signal));
        return reasonOf(messageOf(error));
    }
    if (!call.hasResult) return {};
    SBData data = value.GetData();
    result = 0;
    data.ReadRawData(error, 0, &result, std::min<size_t>(data.GetByteSize(), sizeof result));
    return error.Fail() ? "was carried out, but what it gave cannot be read" : "";
}

/// What is found at an indirect function says where the function is.
uint64_t LldbTarget::functionAddress(const std::string& name) {
    auto first = [&](SymbolType type) {
        uint64_t weak = 0;
        SBSymbolContextList found = target_.FindSymbols(name.c_str(), type);
        for (uint32_t i = 0; i < found.GetSize(); ++i) {
            SBSymbol symbol = found.GetContextAtIndex(i).GetSymbol();
            uint64_t address = symbol.GetStartAddress().GetLoadAddress(target_);
            if (address == LLDB_INVALID_ADDRESS || address == 0) continue;
            if (symbol.IsExternal()) return address;
            if (weak == 0) weak = address;
        }
        return weak;
    };
    if (uint64_t code = first(eSymbolTypeCode)) return code;
    ProgramCall resolve;
    resolve.address = first(eSymbolTypeResolver);
    resolve.hasResult = true;
    uint64_t resolved = 0;
    SBThread thread = process_.GetThreadAtIndex(0);
    bool isThere = resolve.address != 0 && thread.IsValid();
    return isThere && call(thread.GetThreadID(), resolve, resolved).empty() ? resolved : 0;
}

} // namespace sx::debugger::native
