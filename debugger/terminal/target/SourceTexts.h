// Source files by their lines, read once.
#pragma once

#include "debugger/terminal/client/Client.h"

#include <map>
#include <string>
#include <vector>

namespace sx::terminal {

/// A file as the protocol names it.
struct SourceFile {
    std::string path;
    int64_t reference = 0; ///< not 0: the adapter has the text
    bool operator<(const SourceFile& o) const { return path < o.path; }
    bool operator==(const SourceFile& o) const { return path == o.path; }
};

class SourceTexts {
public:
    explicit SourceTexts(Client& client) : client_(client) {}
    /// The lines without their ends; empty where the file cannot be had. Valid
    /// until `forget`.
    const std::vector<std::string>& lines(const SourceFile& file);
    /// A column as the protocol counts it, in UTF-16 units from 1, as one in
    /// bytes from 1; as it is where the line is not known.
    int64_t columnInBytes(const SourceFile& file, int64_t line, int64_t column);
    void forget() { files_.clear(); }

private:
    Client& client_;
    std::map<SourceFile, std::vector<std::string>> files_;
};

/// The file of a `source` object; a path "" where there is none.
SourceFile sourceFileOf(const Object* source);

} // namespace sx::terminal
