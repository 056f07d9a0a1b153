#include "debugger/protocol/Framing.h"

#include "llvm/ADT/StringRef.h"

namespace sx::debugger {

std::string frame(std::string_view body) {
    std::string text = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    text.append(body);
    return text;
}

bool FrameDecoder::fail(std::string message) {
    error_ = std::move(message);
    return false;
}

/// Reads the header at the front of the buffer, as soon as it is whole. False: not yet, or it is wrong.
bool FrameDecoder::readHeader() {
    llvm::StringRef rest = llvm::StringRef(buffer_).drop_front(consumed_);
    size_t end = rest.find("\r\n\r\n");
    if (end == llvm::StringRef::npos) {
        if (rest.size() > MaxHeader) return fail("a header of more than 4096 bytes");
        return false;
    }
    if (end > MaxHeader) return fail("a header of more than 4096 bytes");
    std::optional<size_t> length;
    llvm::StringRef fields = rest.take_front(end);
    while (!fields.empty()) {
        auto [line, others] = fields.split("\r\n");
        fields = others;
        if (line.contains(" HTTP/")) return fail("a request of a web browser");
        auto [name, value] = line.split(':');
        if (!name.trim().equals_insensitive("content-length")) continue;
        size_t n = 0;
        if (value.trim().getAsInteger(10, n)) return fail("`Content-Length` is no number of bytes");
        length = n;
    }
    if (!length) return fail("a header without `Content-Length`");
    if (*length > MaxBody) return fail("a body of more than 64 MiB");
    consumed_ += end + 4;
    length_ = length;
    return true;
}

std::optional<std::string> FrameDecoder::next() {
    if (!error_.empty()) return std::nullopt;
    if (!length_ && !readHeader()) return std::nullopt;
    if (buffer_.size() - consumed_ < *length_) return std::nullopt;
    std::string body = buffer_.substr(consumed_, *length_);
    consumed_ += *length_;
    length_.reset();
    if (consumed_ == buffer_.size() || consumed_ > (size_t{1} << 20)) {
        buffer_.erase(0, consumed_);
        consumed_ = 0;
    }
    return body;
}

} // namespace sx::debugger
