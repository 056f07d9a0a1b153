// What a program writes for its user to see, by calls of C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace sx::vm {

/// Which numbers of files lead to the standard output and error streams that the program began with, and what has
/// written there.
class OutputStreams {
public:
    /// 1 or 2; 0: neither.
    int streamOf(int descriptor) const;
    /// The same, where the call writes to one by its number.
    int streamOfWrite(const std::string& function, const uint64_t* args) const;
    /// A call that gave this result has written there.
    bool isWritten(const std::string& function, const uint64_t* args, int64_t result) const;
    /// A call that succeeded may have changed it.
    void note(const std::string& function, const uint64_t* args, size_t count, int64_t result);

    // ---- for going back: the places of what was written, as Tape::position counts them
    void noteWritten(size_t at);
    bool hasWritten(size_t from, size_t to) const;
    void forgetBefore(size_t position);
    void forgetFrom(size_t position);

private:
    std::map<int, int> streams_{{1, 1}, {2, 2}};
    std::deque<size_t> written_; ///< in order
};

} // namespace sx::vm
