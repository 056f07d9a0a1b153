// The standard streams of the program, and the two more that it may have.
#pragma once

#include "source/Result.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sx::debugger {

class Streams {
public:
    Streams() = default;
    ~Streams() { closeAll(); }
    Streams(const Streams&) = delete;

    static constexpr size_t MostHeld = size_t{16} << 20; ///< bytes that wait for the client; then the program waits

    /// Called with a piece of output: an `output` event's category and text.
    std::function<void(const char* category, const std::string& text)> onOutput;

    /// Opens what `stdio` asks for (up to six entries: null is a pipe to the adapter, a text a file; missing is the
    /// default: no input, output to the adapter, the rest closed). `directory`: where relative names begin.
    Result<void> open(const llvm::json::Array* stdio, const std::string& directory);
    /// The program's ends, one a descriptor; -1: closed. They stay open here until `started`.
    const std::vector<int>& programEnds() const { return theirs_; }
    /// The program has its ends: ours are closed, so that the end of its output is seen.
    void started();

    /// Descriptors to wait for.
    std::vector<int> descriptors() const;
    /// Passes on what has arrived.
    void pump();
    /// Passes on what is left. Processes that the program has left behind may hold a stream open: it ends when nothing
    /// more comes.
    void drain();
    /// Writes to the program's input, as far as it is a pipe. `eof` closes it after that.
    Result<void> write(const std::string& text, bool eof);
    void closeAll();

private:
    struct Output {
        int descriptor = -1; ///< our end
        int stream = 0;      ///< 1, 2, 3 or 5
        std::string pending; ///< the beginning of a character, or of a line of stream 3
    };
    bool read(Output&);
    void pass(Output&, std::string bytes);
    void tell(const Output&, std::string_view text);
    void tellBinary(const std::string& lines);
    void finish(Output&);
    Result<void> openOutput(int stream);

    std::vector<int> theirs_;
    std::vector<Output> outputs_;
    int input_ = -1;            ///< our end of the program's standard input
    bool isInputEnded_ = false; ///< it was one, and the client has closed it
    uint64_t binaryBytes_ = 0, binarySkipped_ = 0;
    int64_t binarySecond_ = 0;
    bool isLineOpen_ = false; ///< standard output has not ended its line
};

} // namespace sx::debugger
