// The wire format of the protocol: header fields, an empty line, a body of as many bytes as `Content-Length` says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sx::debugger {

/// Cuts a stream of bytes into bodies. Fed with what arrives, in pieces of any size.
class FrameDecoder {
public:
    static constexpr size_t MaxHeader = 4096;
    static constexpr size_t MaxBody = size_t{64} << 20;

    void feed(std::string_view bytes) { buffer_.append(bytes); }
    /// The next complete body; nullopt: more bytes are needed, or framing is beyond repair.
    std::optional<std::string> next();
    /// What has been fed and is in no body yet; the header of one that is not whole is left out, and `awaited`.
    std::string_view rest() const { return std::string_view(buffer_).substr(consumed_); }
    /// The length of the body that has begun; nothing: its header is still to come.
    std::optional<size_t> awaited() const { return length_; }
    /// Why no body can be found any more; empty while all is well.
    const std::string& error() const { return error_; }

private:
    bool readHeader();
    bool fail(std::string message);
    std::string buffer_;
    size_t consumed_ = 0;
    std::optional<size_t> length_; ///< of the body that is being read
    std::string error_;
};

/// A body as it goes over the wire.
std::string frame(std::string_view body);

} // namespace sx::debugger
