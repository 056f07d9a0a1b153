#include "debugger/native/plugin/CallRegisters.h"

#include "debugger/native/plugin/SignalInfo.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sx::debugger::native {

using namespace lldb;

namespace {

constexpr const char *Pc = "rip", *Sp = "rsp";
constexpr const char* General[] = {
    "rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp", Sp, "r8",
    "r9",  "r10", "r11", "r12", "r13", "r14", "r15", Pc, "rflags"}; ///< in the order of lldb's server
constexpr const char* ForArguments[] = {"rdi", "rsi", "rdx", "rcx", "r8", "r9"};
constexpr unsigned VectorsForArguments = 8;
constexpr const char *ForResults[] = {"rax", "rdx"}, *VectorsForResults[] = {"xmm0", "xmm1"};
constexpr unsigned VectorsKept = 2; ///< those that have results; the others are not asked for before the thread goes on
constexpr uint64_t RedZone = 128;   ///< below the stack pointer, which functions use as well
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

/// The number whose bytes are written so, two digits for each, the lowest first.
static uint64_t wordIn(std::string_view digits) {
    uint64_t word = 0;
    for (size_t i = digits.size() - digits.size() % 2; i >= 2; i -= 2)
        word = word << 8 | std::strtoul(std::string(digits.substr(i - 2, 2)).c_str(), nullptr, 16);
    return word;
}

/// lldb asks its server for each, which has them all in one answer. False: they are not those that lldb knows.
bool CallRegisters::readAtOnce(const std::string& ofThread) {
    constexpr size_t Digits = 2 * sizeof(uint64_t);
    std::string answer = askServer(process_, "g" + ofThread);
    std::vector<std::pair<const char*, uint64_t>> all;
    for (size_t i = 0; i < std::size(General) && answer.size() >= (i + 1) * Digits; ++i)
        all.emplace_back(General[i], wordIn(std::string_view(answer).substr(i * Digits, Digits)));
    auto has = [&](const char* name, uint64_t value) {
        return std::find(all.begin(), all.end(), std::pair(name, value)) != all.end();
    };
    if (all.size() != std::size(General) || !has(Pc, top().GetPC()) || !has(Sp, top().GetSP())) return false;
    saved_ = std::move(all);
    return true;
}

CallRegisters::CallRegisters(SBProcess& process, SBThread thread) : process_(process), thread_(thread) {
    char id[64];
    std::snprintf(id, sizeof id, ";thread:%llx;", static_cast<unsigned long long>(thread.GetThreadID()));
    if (!readAtOnce(id))
        for (const char* name : General) {
            SBValue value = top().FindRegister(name);
            if (!value.IsValid()) problem_ = "its registers are not known";
            saved_.emplace_back(name, value.GetValueAsUnsigned());
        }
    for (unsigned number = 0; number < VectorsKept; ++number) vectors_.push_back(readVector(number));
    all_ = askServer(process_, "QSaveRegisterState" + std::string(id));
    if (all_.empty() || all_[0] < '0' || all_[0] > '9') all_.clear();
    if (!all_.empty()) all_ += id;
}

void CallRegisters::write(const char* name, uint64_t value) {
    SBError error;
    SBValue at = top().FindRegister(name);
    if (!at.IsValid() || !at.SetValueFromCString(std::to_string(value).c_str(), error))
        problem_ = "its registers cannot be written";
}

static std::string vectorName(unsigned number) { return "xmm" + std::to_string(number); }

CallRegisters::Vector CallRegisters::readVector(unsigned number) {
    Vector bytes{};
    SBError error;
    SBData data = top().FindRegister(vectorName(number).c_str()).GetData();
    data.ReadRawData(error, 0, bytes.data(), bytes.size());
    return bytes;
}

/// As text: lldb 19 takes data for a vector register and does not write it.
void CallRegisters::writeVector(unsigned number, const Vector& bytes) {
    std::string text = "{";
    for (uint8_t byte : bytes) text += (text.size() > 1 ? " " : "") + std::to_string(byte);
    SBError error;
    SBValue at = top().FindRegister(vectorName(number).c_str());
    if (!at.IsValid() || !at.SetValueFromCString((text + "}").c_str(), error))
        problem_ = "its registers cannot be written";
}

/// The lowest eight bytes; the others are zero.
static std::array<uint8_t, 16> vectorOf(uint64_t low) {
    std::array<uint8_t, 16> bytes{};
    std::memcpy(bytes.data(), &low, sizeof low);
    return bytes;
}

std::string CallRegisters::enter(const ProgramCall& call, uint64_t stack, uint64_t back) {
    StackArguments onStack;
    const bool isInMemory = call.resultSize != 0 && call.pieces.empty();
    unsigned general = isInMemory ? 1 : 0, vectors = 0;
    for (size_t i = 0; i < call.args.size(); ++i) {
        const CallValue& arg = call.args[i];
        uint64_t bits = bitsOf(arg, i < call.named);
        if (arg.kind == CallValue::Kind::Bytes) onStack.add(arg.bytes.data(), arg.bytes.size(), arg.align);
        else if (arg.kind == CallValue::Kind::Float && vectors < VectorsForArguments)
            writeVector(vectors++, vectorOf(bits));
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

/// lldb does not know what the server does to registers: it is told of those that it may have read. Where the function
/// has returned these are those of its result and of where the thread stands.
void CallRegisters::putBack(bool hasReturned) {
    if (!all_.empty()) askServer(process_, "QRestoreRegisterState:" + all_);
    constexpr std::string_view Read[] = {"rax", "rdx", "rbp", Sp};
    for (auto [name, value] : saved_) {
        bool isRead =
            all_.empty() || !hasReturned || std::find(std::begin(Read), std::end(Read), name) != std::end(Read);
        if (name != std::string_view(Pc) && isRead) write(name, value);
    }
    for (unsigned number = 0; number < VectorsKept; ++number) writeVector(number, vectors_[number]);
    for (auto [name, value] : saved_)
        if (name == std::string_view(Pc)) top().SetPC(value);
}

} // namespace sx::debugger::native
