#include "debugger/native/plugin/CallRegisters.h"

#include "debugger/native/plugin/SignalInfo.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace sx::debugger::native {

using namespace lldb;

namespace {

constexpr const char* General[] = {"rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp", "rsp",    "r8",
                                   "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rflags", "rip"};
constexpr const char* ForArguments[] = {"rdi", "rsi", "rdx", "rcx", "r8", "r9"};
constexpr unsigned VectorsForArguments = 8;
constexpr const char *ForResults[] = {"rax", "rdx"}, *VectorsForResults[] = {"xmm0", "xmm1"};
constexpr uint64_t RedZone = 128; ///< below the stack pointer, which functions use as well
constexpr uint64_t DirectionFlag = 0x400;

uint64_t lowBytes(uint64_t bits, uint8_t size) { return size >= 8 ? bits : bits & ((uint64_t{1} << size * 8) - 1); }

uint64_t extended(const CallValue& v) {
    if (v.kind != CallValue::Kind::Signed || v.size >= 8) return lowBytes(v.bits, v.size);
    unsigned unused = 64 - v.size * 8;
    return static_cast<uint64_t>(static_cast<int64_t>(v.bits << unused) >> unused);
}

/// An argument without a parameter is no `float`.
uint64_t bitsOf(const CallValue& v, bool isNamed) {
    if (v.kind != CallValue::Kind::Float) return extended(v);
    if (v.size != 4 || isNamed) return v.bits;
    return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(v.bits))));
}

/// Those that no register is left for, as they lie from the stack pointer of the caller on.
struct StackArguments {
    std::vector<uint8_t> bytes;
    uint64_t align = 16; ///< of the first

    void add(const void* from, size_t size, uint64_t alignment) {
        align = std::max(align, alignment);
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
        const uint8_t* first = static_cast<const uint8_t*>(from);
        bytes.insert(bytes.end(), first, first + size);
        bytes.resize((bytes.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t));
    }
};

} // namespace

CallRegisters::CallRegisters(SBProcess& process, SBThread thread) : process_(process), thread_(thread) {
    for (const char* name : General) {
        SBValue value = top().FindRegister(name);
        if (!value.IsValid()) problem_ = "its registers are not known";
        saved_.emplace_back(name, value.GetValueAsUnsigned());
    }
    char id[32];
    std::snprintf(id, sizeof id, "%llx", static_cast<unsigned long long>(thread.GetThreadID()));
    all_ = askServer(process_, "QSaveRegisterState;thread:" + std::string(id) + ";");
    if (all_.empty() || all_[0] < '0' || all_[0] > '9') all_.clear();
    if (!all_.empty()) all_ += ";thread:" + std::string(id) + ";";
}

void CallRegisters::write(const char* name, uint64_t value) {
    SBError error;
    SBValue at = top().FindRegister(name);
    if (!at.IsValid() || !at.SetValueFromCString(std::to_string(value).c_str(), error))
        problem_ = "its registers cannot be written";
}

/// As text: lldb 19 takes data for a vector register and does not write it.
void CallRegisters::writeVector(unsigned number, uint64_t low) {
    std::string text = "{";
    for (unsigned byte = 0; byte < 16; ++byte)
        text += (byte > 0 ? " " : "") + std::to_string(byte < sizeof low ? low >> byte * 8 & 0xff : 0);
    SBError error;
    SBValue at = top().FindRegister(("xmm" + std::to_string(number)).c_str());
    if (!at.IsValid() || !at.SetValueFromCString((text + "}").c_str(), error))
        problem_ = "its registers cannot be written";
}

std::string CallRegisters::enter(const ProgramCall& call, uint64_t stack, uint64_t back) {
    StackArguments onStack;
    const bool isInMemory = call.resultSize != 0 && call.pieces.empty();
    unsigned general = isInMemory ? 1 : 0, vectors = 0;
    for (size_t i = 0; i < call.args.size(); ++i) {
        const CallValue& arg = call.args[i];
        uint64_t bits = bitsOf(arg, i < call.named);
        if (arg.kind == CallValue::Kind::Bytes) onStack.add(arg.bytes.data(), arg.bytes.size(), arg.align);
        else if (arg.kind == CallValue::Kind::Float && vectors < VectorsForArguments) writeVector(vectors++, bits);
        else if (arg.kind != CallValue::Kind::Float && general < std::size(ForArguments))
            write(ForArguments[general++], bits);
        else onStack.add(&bits, sizeof bits, sizeof bits);
    }
    uint64_t flags = 0;
    for (auto [name, value] : saved_)
        if (name == std::string_view("rflags")) flags = value;
    resultAt_ = (stack - RedZone - call.resultSize) & ~(onStack.align - 1);
    stackAfter_ = (resultAt_ - onStack.bytes.size()) & ~(onStack.align - 1);
    if (isInMemory) write(ForArguments[0], resultAt_);
    uint64_t to = stackAfter_ - sizeof back;
    if (!writeMemory(to, &back, sizeof back) || !writeMemory(stackAfter_, onStack.bytes.data(), onStack.bytes.size()))
        return "there is no room on its stack";
    if (flags & DirectionFlag) write("rflags", flags & ~DirectionFlag);
    write("rax", vectors); // for a function that takes any number of arguments
    write("rsp", to);
    if (!top().SetPC(call.address)) problem_ = "its registers cannot be written";
    return problem_;
}

/// The low eight bytes of a register.
uint64_t CallRegisters::readWord(const char* name) {
    SBData data = top().FindRegister(name).GetData();
    SBError error;
    uint64_t word = 0;
    data.ReadRawData(error, 0, &word, sizeof word);
    return word;
}

bool CallRegisters::writeMemory(uint64_t to, const void* bytes, size_t size) {
    SBError error;
    return size == 0 || process_.WriteMemory(to, bytes, size, error) == size;
}

uint64_t CallRegisters::result(const ProgramCall& call) {
    if (call.resultSize == 0)
        return lowBytes(readWord(call.result.kind == CallValue::Kind::Float ? "xmm0" : "rax"), call.result.size);
    unsigned general = 0, vectors = 0;
    for (const CallPiece& piece : call.pieces) {
        uint64_t word = readWord(piece.isVector ? VectorsForResults[vectors++] : ForResults[general++]);
        writeMemory(resultAt_ + piece.offset, &word, piece.size);
    }
    return resultAt_;
}

/// lldb does not know what the server does to registers: it is told of those that it may have read.
void CallRegisters::putBack() {
    if (!all_.empty()) askServer(process_, "QRestoreRegisterState:" + all_);
    for (auto [name, value] : saved_)
        if (name == std::string_view("rip")) top().SetPC(value);
        else write(name, value);
}

} // namespace sx::debugger::native
