// What can be asked while the program stands still.
#include "debugger/engine/ProcessMemory.h"
#include "debugger/native/plugin/CoreNotes.h"
#include "debugger/native/plugin/LldbTarget.h"
#include "debugger/native/plugin/SignalInfo.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger::native {

using namespace lldb;

namespace {

std::string textOf(const char* text) { return text ? text : ""; }

std::string pathOf(SBFileSpec file) {
    char path[4096] = "";
    file.GetPath(path, sizeof path);
    return path;
}

uint64_t known(uint64_t address) { return address == LLDB_INVALID_ADDRESS ? 0 : address; }

} // namespace

std::vector<TargetThread> LldbTarget::threads() {
    std::vector<TargetThread> out;
    for (uint32_t i = 0, count = process_.GetNumThreads(); i < count; ++i) {
        SBThread thread = process_.GetThreadAtIndex(i);
        if (added_.count(thread.GetThreadID()) != 0) continue;
        out.push_back({thread.GetThreadID(), textOf(thread.GetName())});
    }
    // A core file begins with the thread that has ended the program.
    std::stable_partition(out.begin(), out.end(),
                          [main = process_.GetProcessID()](const TargetThread& t) { return t.thread == main; });
    return out;
}

// ---- frames and variables

static TargetFrame frameOf(SBFrame frame) {
    TargetFrame out;
    out.pc = frame.GetPC();
    out.cfa = known(frame.GetCFA());
    out.sp = known(frame.GetSP());
    out.fp = known(frame.GetFP());
    out.inlined = frame.IsInlined();
    out.name = textOf(frame.GetFunctionName());
    out.symbol = textOf(frame.GetSymbol().GetName());
    if (SBModule module = frame.GetModule(); module.IsValid()) out.module = pathOf(module.GetFileSpec());
    if (SBLineEntry line = frame.GetLineEntry(); line.IsValid()) {
        out.file = pathOf(line.GetFileSpec());
        out.line = line.GetLine();
        out.column = line.GetColumn();
    }
    return out;
}

std::vector<TargetFrame> LldbTarget::frames(SystemThread id, uint32_t start, uint32_t count) {
    std::vector<TargetFrame> out;
    SBThread thread = process_.GetThreadByID(id);
    for (uint32_t i = 0; i < count; ++i) {
        SBFrame frame = thread.GetFrameAtIndex(start + i);
        if (!frame.IsValid()) break;
        out.push_back(frameOf(frame));
    }
    return out;
}

static SBValueList variablesOf(SBProcess& process, SystemThread id, uint32_t frame) {
    return process.GetThreadByID(id).GetFrameAtIndex(frame).GetVariables(/*arguments=*/true, /*locals=*/true,
                                                                         /*statics=*/false, /*in_scope_only=*/false);
}

static TargetVariable variableOf(SBValue value) {
    TargetVariable out;
    out.name = textOf(value.GetName());
    out.line = value.GetDeclaration().GetLine();
    out.inScope = value.IsInScope();
    value.SetPreferSyntheticValue(false);
    // Of a value that is nowhere in memory lldb gives the value itself for the address.
    bool isInMemory = textOf(value.GetLocation()).starts_with("0x");
    out.address = isInMemory ? known(value.GetLoadAddress()) : 0;
    if (out.address != 0) return out;
    SBData data = value.GetData();
    if (value.GetError().Fail() || !data.IsValid() || data.GetByteSize() == 0) {
        out.error = value.GetError().Fail() ? messageOf(value.GetError()) : "optimized out";
        return out;
    }
    out.bytes.resize(data.GetByteSize());
    SBError error;
    out.bytes.resize(data.ReadRawData(error, 0, out.bytes.data(), out.bytes.size()));
    if (error.Fail()) out.error = "its value cannot be read";
    return out;
}

std::vector<TargetVariable> LldbTarget::variables(SystemThread id, uint32_t frame, const std::string& global) {
    std::vector<TargetVariable> out;
    if (!global.empty()) {
        SBFrame in = process_.GetThreadByID(id).GetFrameAtIndex(frame);
        SBValue value = in.GetValueForVariablePath(global.c_str(), eNoDynamicValues);
        if (value.IsValid()) out.push_back(variableOf(value));
        return out;
    }
    SBValueList values = variablesOf(process_, id, frame);
    for (uint32_t i = 0; i < values.GetSize(); ++i) out.push_back(variableOf(values.GetValueAtIndex(i)));
    return out;
}

std::string LldbTarget::writeVariable(SystemThread id, uint32_t frame, const std::string& name, uint32_t line,
                                      const std::vector<uint8_t>& bytes) {
    SBValueList values = variablesOf(process_, id, frame);
    for (uint32_t i = 0; i < values.GetSize(); ++i) {
        SBValue value = values.GetValueAtIndex(i);
        if (textOf(value.GetName()) != name || value.GetDeclaration().GetLine() != line) continue;
        SBData data;
        SBError error;
        data.SetData(error, bytes.data(), bytes.size(), eByteOrderLittle, 8);
        if (error.Success()) value.SetData(data, error);
        return error.Success() ? "" : "the optimizer has its value in a way that cannot be written";
    }
    return "there is no such variable";
}

// ---- registers

/// Of a vector lldb has no text of its own. Empty: the register is not known in this frame.
static std::string registerText(SBValue value) {
    std::string text = textOf(value.GetValue());
    SBData data = value.GetData();
    SBError error;
    std::vector<uint8_t> bytes(text.empty() && value.GetError().Success() ? data.GetByteSize() : 0);
    if (bytes.empty()) return text;
    data.ReadRawData(error, 0, bytes.data(), bytes.size());
    if (error.Fail()) return text;
    static constexpr const char* Digits = "0123456789abcdef";
    text = "0x";
    for (auto at = bytes.rbegin(); at != bytes.rend(); ++at) text += {Digits[*at >> 4], Digits[*at & 15]};
    return text;
}

std::vector<TargetRegister> LldbTarget::registers(SystemThread id, uint32_t frame) {
    std::vector<TargetRegister> out;
    SBValueList groups = process_.GetThreadByID(id).GetFrameAtIndex(frame).GetRegisters();
    for (uint32_t i = 0; i < groups.GetSize(); ++i) {
        SBValue group = groups.GetValueAtIndex(i);
        for (uint32_t k = 0; k < group.GetNumChildren(); ++k) {
            SBValue value = group.GetChildAtIndex(k);
            out.push_back({textOf(value.GetName()), registerText(value)});
        }
    }
    return out;
}

std::optional<uint64_t> LldbTarget::readRegister(SystemThread id, uint32_t frame, const std::string& name) {
    SBValue value = process_.GetThreadByID(id).GetFrameAtIndex(frame).FindRegister(name.c_str());
    SBError error;
    if (!value.IsValid()) return std::nullopt;
    SBData data = value.GetData();
    uint64_t word = 0;
    data.ReadRawData(error, 0, &word, std::min<size_t>(sizeof word, data.GetByteSize()));
    return error.Success() ? std::optional(word) : std::nullopt;
}

std::string LldbTarget::writeRegister(SystemThread id, uint32_t frame, const std::string& name, uint64_t word) {
    SBFrame in = process_.GetThreadByID(id).GetFrameAtIndex(frame);
    // This way lldb forgets what it knew of the stack.
    if (name == "rip") return in.SetPC(word) ? "" : "the pc cannot be written";
    SBValue value = in.FindRegister(name.c_str());
    if (!value.IsValid()) return "there is no such register";
    SBError error;
    value.SetValueFromCString(std::to_string(word).c_str(), error);
    return error.Success() ? "" : "the register cannot be written";
}

// ---- memory

/// What sections of files have; what lies between two of them is zero.
static size_t readFile(SBTarget& target, uint64_t address, uint8_t* out, size_t size) {
    size_t done = 0, whole = 0;
    while (done < size) {
        SBAddress at = target.ResolveLoadAddress(address + done);
        SBSection section = at.GetSection();
        uint64_t left = section.IsValid() ? section.GetByteSize() - at.GetOffset() : 0;
        SBError error;
        size_t read = left == 0 ? 0 : target.ReadMemory(at, out + done, std::min<uint64_t>(size - done, left), error);
        if (read != 0) {
            done += read;
            whole = done;
            continue;
        }
        size_t gap = std::min(size - done, size_t{8} - (address + done) % 8);
        std::memset(out + done, 0, gap);
        done += gap;
    }
    return whole;
}

/// A core file of the kernel has no pages that are in the program's file: each page is looked for in both.
static size_t readPages(SBProcess& process, SBTarget& target, uint64_t address, uint8_t* out, size_t size) {
    constexpr size_t Page = 4096;
    size_t done = 0;
    while (done < size) {
        uint64_t at = address + done;
        size_t wanted = std::min<size_t>(size - done, Page - at % Page);
        SBError error;
        size_t read = process.ReadMemory(at, out + done, wanted, error);
        if (read != wanted) read = readFile(target, at, out + done, wanted);
        done += read;
        if (read != wanted) break;
    }
    return done;
}

size_t LldbTarget::readMemory(uint64_t address, void* out, size_t size) {
    if (line_.isHolding()) return readProcessMemory(processId(), address, out, size); // lldb takes it for running
    SBError error;
    size_t read = process_.ReadMemory(address, out, size, error);
    if (read == size || !isCore_) return read;
    return readPages(process_, target_, address, static_cast<uint8_t*>(out), size);
}

bool LldbTarget::writeMemory(uint64_t address, const void* bytes, size_t size) {
    SBError error;
    return process_.WriteMemory(address, bytes, size, error) == size;
}

/// lldb has the program make a system call for it, and loses a signal that waits.
uint64_t LldbTarget::allocate(size_t size) {
    if (hasWaitingSignals(processId())) return 0;
    SBError error;
    return known(process_.AllocateMemory(size, ePermissionsReadable | ePermissionsWritable, error));
}

std::vector<MemoryRegion> LldbTarget::regions() {
    std::vector<MemoryRegion> out;
    SBMemoryRegionInfoList all = process_.GetMemoryRegions();
    for (uint32_t i = 0; i < all.GetSize(); ++i) {
        SBMemoryRegionInfo region;
        if (!all.GetMemoryRegionAtIndex(i, region) || !region.IsMapped()) continue;
        out.push_back({textOf(region.GetName()), region.GetRegionBase(), region.GetRegionEnd(), region.IsReadable(),
                       region.IsWritable(), region.IsExecutable()});
    }
    if (isCore_) nameRegions(core_, out);
    return out;
}

// ---- symbols and code

static std::optional<uint64_t> slideOf(SBModule module, SBTarget& target) {
    for (size_t i = 0; i < module.GetNumSections(); ++i) {
        SBSection section = module.GetSectionAtIndex(i);
        uint64_t loaded = section.GetLoadAddress(target);
        if (loaded != LLDB_INVALID_ADDRESS) return loaded - section.GetFileAddress();
    }
    return std::nullopt;
}

std::vector<TargetModule> LldbTarget::modules() {
    std::vector<TargetModule> out;
    for (uint32_t i = 0; i < target_.GetNumModules(); ++i) {
        SBModule module = target_.GetModuleAtIndex(i);
        std::optional<uint64_t> slide = slideOf(module, target_);
        if (slide || i == 0) out.push_back({pathOf(module.GetFileSpec()), slide.value_or(0)});
    }
    return out;
}

std::optional<TargetSymbol> LldbTarget::symbolAt(uint64_t address) {
    SBSymbol symbol = target_.ResolveLoadAddress(address).GetSymbol();
    if (!symbol.IsValid()) return std::nullopt;
    uint64_t start = symbol.GetStartAddress().GetLoadAddress(target_);
    uint64_t end = symbol.GetEndAddress().GetLoadAddress(target_);
    return TargetSymbol{textOf(symbol.GetName()), known(start), known(end) > start ? end - start : 0};
}

uint64_t LldbTarget::symbolAddress(const std::string& name) {
    SBSymbolContextList found = target_.FindSymbols(name.c_str());
    for (uint32_t i = 0; i < found.GetSize(); ++i) {
        uint64_t address = found.GetContextAtIndex(i).GetSymbol().GetStartAddress().GetLoadAddress(target_);
        if (known(address) != 0) return address;
    }
    return 0;
}

std::vector<TargetInstruction> LldbTarget::disassemble(uint64_t address, uint32_t count) {
    std::vector<TargetInstruction> out;
    SBInstructionList list = target_.ReadInstructions(target_.ResolveLoadAddress(address), count);
    for (uint32_t i = 0; i < list.GetSize(); ++i) {
        SBInstruction instruction = list.GetInstructionAtIndex(i);
        TargetInstruction row;
        SBAddress at = instruction.GetAddress();
        row.address = at.GetLoadAddress(target_);
        SBData data = instruction.GetData(target_);
        row.bytes.resize(instruction.GetByteSize());
        SBError error;
        data.ReadRawData(error, 0, row.bytes.data(), row.bytes.size());
        row.mnemonic = textOf(instruction.GetMnemonic(target_));
        row.operands = textOf(instruction.GetOperands(target_));
        row.symbol = textOf(at.GetSymbol().GetName());
        if (SBLineEntry line = at.GetLineEntry(); line.IsValid()) {
            row.file = pathOf(line.GetFileSpec());
            row.line = line.GetLine();
            row.column = line.GetColumn();
        }
        out.push_back(std::move(row));
    }
    return out;
}

/// A command that lets the program go on returns at once. The program may stand again by now; memory cannot be read
/// while it does not.
TargetCommand LldbTarget::command(const std::string& line) {
    ownSignals_.sendKept(process_);
    SBCommandReturnObject result;
    uint32_t stopsBefore = process_.GetStopID();
    uint64_t somewhere = process_.GetSelectedThread().GetFrameAtIndex(0).GetPC();
    debugger_.GetCommandInterpreter().HandleCommand(line.c_str(), result, /*add_to_history=*/false);
    TargetCommand done;
    done.text = textOf(result.GetOutput()) + textOf(result.GetError());
    done.ok = result.Succeeded() || done.text.empty();
    done.gone = !target_.IsValid() || !process_.IsValid();
    if (done.gone) return done;
    uint8_t byte = 0;
    SBError error;
    process_.ReadMemory(somewhere, &byte, 1, error);
    done.runs =
        process_.GetStopID() != stopsBefore || textOf(error.GetCString()).find("is running") != std::string::npos;
    return done;
}

} // namespace sx::debugger::native
