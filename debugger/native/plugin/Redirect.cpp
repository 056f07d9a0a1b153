// What lldb cannot give a program: streams, which it is made to open itself before its first instruction, and SIGPIPE,
// which lldb's server ignores, as it is by default.
//
// Its code at the entry is replaced by a few system calls and a breakpoint instruction, runs once, and is put back with
// all registers.
#include "debugger/native/plugin/LldbTarget.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace sx::debugger::native {

using namespace lldb;

namespace {

/// Machine code for x86-64 that makes system calls.
class Code {
public:
    void openAs(uint64_t path, int flags, int descriptor) {
        move(Rdi, static_cast<uint64_t>(AT_FDCWD));
        move(Rsi, path);
        move(Rdx, static_cast<uint64_t>(flags));
        move(R10, 0);
        call(SYS_openat);
        append({0x89, 0xc7}); // mov %eax, %edi
        move(Rsi, static_cast<uint64_t>(descriptor));
        append({0x39, 0xf0, 0x74, 0}); // cmp %esi, %eax; je past the two calls
        size_t jump = bytes.size();
        call(SYS_dup2);
        call(SYS_close);
        bytes[jump - 1] = static_cast<uint8_t>(bytes.size() - jump);
    }
    void close(int descriptor) {
        move(Rdi, static_cast<uint64_t>(descriptor));
        call(SYS_close);
    }
    /// `action`: the address of as many bytes of zero as the system's record of an action has.
    void setDefault(int signal, uint64_t action) {
        move(Rdi, static_cast<uint64_t>(signal));
        move(Rsi, action);
        move(Rdx, 0);
        move(R10, sizeof(uint64_t)); // of the mask in it
        call(SYS_rt_sigaction);
    }
    void stop() { append({0xcc}); }
    std::vector<uint8_t> bytes;

private:
    enum Register { Rdx = 2, Rsi = 6, Rdi = 7, R10 = 10 };
    void append(std::initializer_list<uint8_t> code) { bytes.insert(bytes.end(), code); }
    void move(Register to, uint64_t value) {
        append({static_cast<uint8_t>(to < 8 ? 0x48 : 0x49), static_cast<uint8_t>(0xb8 + (to & 7))});
        for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
    }
    void call(int number) {
        append({0xb8}); // mov $number, %eax
        for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(number >> 8 * i));
        append({0x0f, 0x05}); // syscall
    }
};

int flagsOf(int descriptor) {
    int access = fcntl(descriptor, F_GETFL) & (O_ACCMODE | O_APPEND);
    struct stat about {};
    bool isFile = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    return isFile && (access & O_ACCMODE) != O_RDONLY ? access | O_APPEND : access | O_NOCTTY;
}

constexpr size_t SizeOfAction = 32; ///< handler, flags, restorer and mask

constexpr const char* Saved[] = {"rax", "rdi", "rsi", "rdx", "rcx", "r10", "r11", "rip"};

} // namespace

std::string prepare(SBProcess& process, const std::vector<int>& stdio) {
    SBThread thread = process.GetThreadAtIndex(0);
    SBFrame frame = thread.GetFrameAtIndex(0);
    uint64_t pc = frame.GetPC(), texts = frame.GetSP() - 4096;
    std::vector<uint64_t> saved;
    for (const char* name : Saved) saved.push_back(frame.FindRegister(name).GetValueAsUnsigned());
    Code code;
    std::string paths;
    for (int number = 0; number < static_cast<int>(stdio.size()); ++number) {
        if (stdio[number] < 0) {
            code.close(number);
            continue;
        }
        code.openAs(texts + paths.size(), flagsOf(stdio[number]), number);
        paths += pathOfDescriptor(stdio[number]) + '\0';
    }
    code.setDefault(SIGPIPE, texts + paths.size());
    paths.append(SizeOfAction, '\0');
    code.stop();
    if (paths.size() > 2048) return "too many streams";
    SBError error;
    std::vector<uint8_t> before(code.bytes.size());
    process.ReadMemory(pc, before.data(), before.size(), error);
    if (error.Success()) process.WriteMemory(texts, paths.data(), paths.size(), error);
    if (error.Success()) process.WriteMemory(pc, code.bytes.data(), code.bytes.size(), error);
    if (error.Success()) error = process.Continue();
    if (error.Fail() || process.GetState() != eStateStopped) return "cannot set up the program's streams and signals";
    process.WriteMemory(pc, before.data(), before.size(), error);
    frame = process.GetThreadAtIndex(0).GetFrameAtIndex(0);
    for (size_t i = 0; i < std::size(Saved); ++i) {
        SBError failed;
        frame.FindRegister(Saved[i]).SetValueFromCString(std::to_string(saved[i]).c_str(), failed);
    }
    return messageOf(error);
}

} // namespace sx::debugger::native
