#include "debugger/session/Streams.h"

#include "debugger/protocol/Message.h"
#include "source/Paths.h"

#include "llvm/Support/ConvertUTF.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace sx::debugger {

namespace {

constexpr int DebugText = 3, BinaryIn = 4, BinaryOut = 5;
constexpr uint64_t BinaryPerSecond = 4096;

bool readable(int descriptor, int milliseconds) {
    pollfd p{descriptor, POLLIN, 0};
    int n;
    do n = ::poll(&p, 1, milliseconds);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

/// The longest part that does not end within a character.
size_t wholeCharacters(std::string_view bytes) {
    for (size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
        auto c = static_cast<llvm::UTF8>(bytes[bytes.size() - back]);
        if ((c & 0xC0) == 0x80) continue;
        return llvm::getNumBytesForUTF8(c) > back ? bytes.size() - back : bytes.size();
    }
    return bytes.size();
}

std::string hexDump(std::string_view bytes) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 16) {
        text += "[dato] ";
        for (size_t j = i; j < std::min(i + 16, bytes.size()); ++j) {
            auto b = static_cast<uint8_t>(bytes[j]);
            text += {digits[b >> 4], digits[b & 15], ' '};
        }
        text.back() = '\n';
    }
    return text;
}

} // namespace

Result<void> Streams::openOutput(int stream) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return Failure{std::string("no pipe: ") + std::strerror(errno)};
    theirs_[static_cast<size_t>(stream)] = ends[1];
    outputs_.push_back({ends[0], stream, ""});
    return {};
}

Result<void> Streams::open(const llvm::json::Array* stdio, const std::string& directory) {
    closeAll();
    if (stdio && stdio->size() > 6) return Failure{"`stdio` has at most six entries"};
    theirs_.assign(6, -1);
    for (int i = 0; i < 6; ++i) {
        bool given = stdio && static_cast<size_t>(i) < stdio->size();
        const llvm::json::Value* entry = given ? &(*stdio)[static_cast<size_t>(i)] : nullptr;
        int& end = theirs_[static_cast<size_t>(i)];
        bool isInput = i == STDIN_FILENO || i == BinaryIn;
        if (!entry) {
            if (i == STDIN_FILENO) end = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
            else if (i <= STDERR_FILENO)
                if (Result<void> r = openOutput(i); !r) return r;
        } else if (std::optional<llvm::StringRef> path = entry->getAsString()) {
            std::string file = joinPath(directory, std::string_view(path->data(), path->size()));
            end = ::open(file.c_str(), O_CLOEXEC | (isInput ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC), 0644);
            if (end < 0) return Failure{"cannot open " + code(file) + ": " + std::strerror(errno)};
        } else if (entry->kind() != llvm::json::Value::Null) {
            return Failure{"an entry of `stdio` is a text or null"};
        } else if (isInput) {
            int ends[2];
            if (pipe2(ends, O_CLOEXEC) != 0) return Failure{std::string("no pipe: ") + std::strerror(errno)};
            end = ends[0];
            if (i == STDIN_FILENO) input_ = ends[1];
            else close(ends[1]);
        } else if (Result<void> r = openOutput(i); !r) {
            return r;
        }
    }
    return {};
}

void Streams::started() {
    for (int& end : theirs_) {
        if (end >= 0) close(end);
        end = -1;
    }
}

std::vector<int> Streams::descriptors() const {
    std::vector<int> all;
    for (const Output& o : outputs_) all.push_back(o.descriptor);
    return all;
}

void Streams::tell(const Output& o, std::string_view text) {
    if (o.stream != STDERR_FILENO) isLineOpen_ = text.back() != '\n';
    onOutput(o.stream == STDERR_FILENO ? "stderr" : "stdout", asUtf8(text));
}

/// Lines that stand among those of standard output.
void Streams::tellBinary(const std::string& lines) {
    onOutput("stdout", (std::exchange(isLineOpen_, false) ? "\n" : "") + lines);
}

void Streams::pass(Output& o, std::string bytes) {
    if (o.stream == BinaryOut) {
        int64_t now = ::time(nullptr);
        if (now != binarySecond_) {
            if (binarySkipped_ > 0) tellBinary("[dato] … " + std::to_string(binarySkipped_) + " more bytes\n");
            binarySecond_ = now;
            binaryBytes_ = binarySkipped_ = 0;
        }
        size_t shown = std::min<uint64_t>(bytes.size(), BinaryPerSecond - binaryBytes_);
        binaryBytes_ += shown;
        binarySkipped_ += bytes.size() - shown;
        if (shown > 0) tellBinary(hexDump(std::string_view(bytes).substr(0, shown)));
        return;
    }
    o.pending += bytes;
    if (o.stream == DebugText) {
        size_t end;
        while ((end = o.pending.find('\n')) != std::string::npos) {
            onOutput("console", "[dbg] " + asUtf8(std::string_view(o.pending).substr(0, end + 1)));
            o.pending.erase(0, end + 1);
        }
        return;
    }
    size_t whole = wholeCharacters(o.pending);
    if (whole == 0) return;
    tell(o, std::string_view(o.pending).substr(0, whole));
    o.pending.erase(0, whole);
}

/// The stream has ended: what waited for more is all there is.
void Streams::finish(Output& o) {
    std::string rest = std::move(o.pending);
    o.pending.clear();
    if (!rest.empty()) {
        if (o.stream == DebugText) onOutput("console", "[dbg] " + asUtf8(rest) + "\n");
        else tell(o, rest);
    }
    if (o.stream == BinaryOut && binarySkipped_ > 0) {
        tellBinary("[dato] … " + std::to_string(binarySkipped_) + " more bytes\n");
        binarySkipped_ = 0;
    }
    close(o.descriptor);
    o.descriptor = -1;
}

/// Reads once. False: nothing was there.
bool Streams::read(Output& o) {
    char bytes[65536];
    ssize_t n = ::read(o.descriptor, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) finish(o);
    else pass(o, std::string(bytes, static_cast<size_t>(n)));
    return n > 0;
}

void Streams::pump() {
    for (Output& o : outputs_)
        if (readable(o.descriptor, 0)) read(o);
    std::erase_if(outputs_, [](const Output& o) { return o.descriptor < 0; });
}

void Streams::drain() {
    for (Output& o : outputs_) {
        while (o.descriptor >= 0 && readable(o.descriptor, 0)) read(o);
        if (o.descriptor >= 0) finish(o);
    }
    outputs_.clear();
}

Result<void> Streams::write(const std::string& text, bool eof) {
    if (input_ < 0 && isInputEnded_) return Failure{"the program's input has been closed by `eof`"};
    if (input_ < 0)
        return Failure{"the program's input is no pipe: launch it with `null` as the first entry of `stdio`"};
    size_t done = 0;
    while (done < text.size()) {
        pollfd p{input_, POLLOUT, 0};
        if (::poll(&p, 1, 200) <= 0) return Failure{"the program does not read its input"};
        ssize_t n = ::write(input_, text.data() + done, std::min<size_t>(text.size() - done, 4096));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return Failure{"the program has closed its input"};
        done += static_cast<size_t>(n);
    }
    if (eof) {
        close(input_);
        input_ = -1;
        isInputEnded_ = true;
    }
    return {};
}

void Streams::closeAll() {
    started();
    for (Output& o : outputs_)
        if (o.descriptor >= 0) close(o.descriptor);
    outputs_.clear();
    isLineOpen_ = false;
    if (input_ >= 0) close(input_);
    input_ = -1;
    isInputEnded_ = false;
}

} // namespace sx::debugger
