// first-use SX ORDER ARGUMENT… [-- ARGUMENT…]…: runs the executable SX with each list of arguments, and writes the
// functions that it calls to ORDER, in the order of their first calls, a symbol a line: what the linker takes as
// `--symbol-ordering-file`. So the code of a start stands together, in a tenth of the pages.
//
// Every function begins with a breakpoint, which is taken away when it is met (ptrace): 60,000 bytes written, and as
// many stops as there are functions in use. Where processes cannot be traced ORDER becomes empty, and the code stays
// in the linker's order. Linux on x86-64, executables with fixed addresses.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr uint8_t Breakpoint = 0xCC; ///< the instruction int3

struct Function {
    std::string name;
    uint8_t firstByte;
    bool isListed = false;
};

using Functions = std::map<uint64_t, Function>; ///< by their addresses

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "first-use: %s\n", what.c_str());
    std::exit(1);
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The functions of an executable that has its symbols, with the byte that each begins with.
Functions functionsOf(const std::string& image) {
    Functions functions;
    auto at = [&]<typename T>(uint64_t offset, T) {
        if (offset + sizeof(T) > image.size()) fail("the executable is cut off");
        T record;
        std::memcpy(&record, image.data() + offset, sizeof(T));
        return record;
    };
    auto header = at(0, Elf64_Ehdr{});
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_EXEC) fail("no fixed executable");
    auto section = [&](uint64_t index) { return at(header.e_shoff + index * header.e_shentsize, Elf64_Shdr{}); };
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr table = section(i);
        if (table.sh_type != SHT_SYMTAB) continue;
        Elf64_Shdr names = section(table.sh_link);
        for (uint64_t offset = 0; offset < table.sh_size; offset += sizeof(Elf64_Sym)) {
            auto symbol = at(table.sh_offset + offset, Elf64_Sym{});
            if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || !symbol.st_size || symbol.st_shndx >= header.e_shnum)
                continue;
            Elf64_Shdr code = section(symbol.st_shndx);
            uint8_t first = at(code.sh_offset + symbol.st_value - code.sh_addr, uint8_t{});
            functions.try_emplace(symbol.st_value, Function{image.data() + names.sh_offset + symbol.st_name, first});
        }
    }
    return functions;
}

/// Runs commands of one executable, and tells which functions they call.
class Trainer {
public:
    Trainer(const std::string& executable, Functions& functions) : executable_(executable), functions_(functions) {}

    /// Adds the functions that are new to `order`. False where the process cannot be traced, or fails.
    bool run(const std::vector<char*>& arguments, std::vector<std::string>& order) {
        pid_t child = fork();
        if (child == 0) start(arguments);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) return false;
        ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL);
        for (const auto& [address, function] : functions_)
            if (!write(child, address, Breakpoint)) return false;
        ptrace(PTRACE_CONT, child, nullptr, nullptr);
        for (pid_t stopped; (stopped = waitpid(-1, &status, __WALL)) > 0;) {
            if (stopped == child && (WIFEXITED(status) || WIFSIGNALED(status)))
                return WIFEXITED(status) && WEXITSTATUS(status) == 0;
            if (WIFSTOPPED(status)) goOn(stopped, status, order);
        }
        return false;
    }

private:
    /// In the child: becomes the executable, whose output nobody reads.
    [[noreturn]] void start(std::vector<char*> arguments) {
        arguments.insert(arguments.begin(), executable_.data());
        arguments.push_back(nullptr);
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
        if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) execv(executable_.c_str(), arguments.data());
        _exit(127);
    }

    /// Writes one byte into a process that stands. False where the system does not allow it.
    bool write(pid_t process, uint64_t address, uint8_t byte) {
        if (process != memoryOf_) {
            if (memory_ >= 0) close(memory_);
            memory_ = open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDWR | O_CLOEXEC);
            memoryOf_ = process;
        }
        return pwrite(memory_, &byte, 1, static_cast<off_t>(address)) == 1;
    }

    /// A thread has stopped: at a breakpoint, which it then passes, or for a signal, which it gets.
    void goOn(pid_t thread, int status, std::vector<std::string>& order) {
        int signal = WSTOPSIG(status);
        user_regs_struct registers{};
        if (signal == SIGTRAP && ptrace(PTRACE_GETREGS, thread, nullptr, &registers) == 0) {
            auto met = functions_.find(registers.rip - 1);
            if (status >> 16 == 0 && met != functions_.end()) {
                if (!met->second.isListed) order.push_back(met->second.name);
                met->second.isListed = true;
                write(thread, met->first, met->second.firstByte);
                --registers.rip;
                ptrace(PTRACE_SETREGS, thread, nullptr, &registers);
            }
        }
        bool isOfTracing = signal == SIGTRAP || signal == SIGSTOP; // a stop is how a new thread begins
        ptrace(PTRACE_CONT, thread, nullptr, isOfTracing ? 0 : signal);
    }

    std::string executable_;
    Functions& functions_;
    int memory_ = -1;
    pid_t memoryOf_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) fail("usage: first-use SX ORDER ARGUMENT… [-- ARGUMENT…]…");
    Functions functions = functionsOf(contentOf(argv[1]));
    Trainer trainer(argv[1], functions);
    std::vector<std::string> order;
    std::vector<char*> arguments;
    for (int i = 3; i <= argc; ++i) {
        if (i < argc && std::string_view(argv[i]) != "--") {
            arguments.push_back(argv[i]);
            continue;
        }
        if (!trainer.run(arguments, order)) {
            std::fprintf(stderr, "first-use: a process cannot be traced here: the code keeps the linker's order\n");
            order.clear();
            break;
        }
        arguments.clear();
    }
    std::ofstream file(argv[2]);
    for (const std::string& name : order) file << name << '\n';
    file.close();
    if (!file) fail(std::string("cannot write ") + argv[2]);
}
