#include "vm/replay/OutputStreams.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <iterator>

namespace sx::vm {

namespace {

template <size_t N> bool isOneOf(const std::string& function, const char* const (&names)[N]) {
    return std::find(std::begin(names), std::end(names), function) != std::end(names);
}

bool isStandard(uint64_t file) {
    return file == reinterpret_cast<uint64_t>(stdout) || file == reinterpret_cast<uint64_t>(stderr);
}

} // namespace

int OutputStreams::streamOf(int descriptor) const {
    auto it = streams_.find(descriptor);
    return it == streams_.end() ? 0 : it->second;
}

void OutputStreams::note(const std::string& function, const uint64_t* args, size_t count, int64_t result) {
    if (result < 0 || count == 0) return;
    int from = streamOf(static_cast<int>(args[0]));
    auto now = [&](int descriptor, int stream) {
        if (stream != 0) streams_[descriptor] = stream;
        else streams_.erase(descriptor);
    };
    bool isCopy = function == "fcntl" && count > 1 && (args[1] == F_DUPFD || args[1] == F_DUPFD_CLOEXEC);
    if (function == "close") now(static_cast<int>(args[0]), 0);
    else if (function == "dup" || function == "dup2" || function == "dup3" || isCopy)
        now(static_cast<int>(result), from);
}

int OutputStreams::streamOfWrite(const std::string& function, const uint64_t* args) const {
    static constexpr const char* Writes[] = {"write", "writev", "pwrite", "send"};
    return isOneOf(function, Writes) ? streamOf(static_cast<int>(args[0])) : 0;
}

bool OutputStreams::isWritten(const std::string& function, const uint64_t* args, int64_t result) const {
    static constexpr const char* Prints[] = {"printf", "puts", "putchar", "sx_trace_print",
                                             "sx_trace_report_unhandled"};
    if (isOneOf(function, Prints)) return true;
    if (function == "fputs" || function == "fputc" || function == "putc") return isStandard(args[1]);
    if (function == "dprintf") return streamOf(static_cast<int>(args[0])) != 0;
    return result > 0 && streamOfWrite(function, args) != 0;
}

void OutputStreams::noteWritten(size_t at) {
    if (written_.empty() || written_.back() < at) written_.push_back(at);
}

bool OutputStreams::hasWritten(size_t from, size_t to) const {
    auto first = std::lower_bound(written_.begin(), written_.end(), from);
    return first != written_.end() && *first < to;
}

void OutputStreams::forgetBefore(size_t position) {
    while (!written_.empty() && written_.front() < position) written_.pop_front();
}

void OutputStreams::forgetFrom(size_t position) {
    while (!written_.empty() && written_.back() >= position) written_.pop_back();
}

} // namespace sx::vm
