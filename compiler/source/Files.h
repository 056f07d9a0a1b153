// Reading and writing whole files, with reasons that a user can act on.
#pragma once

#include "source/Result.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace sx {

/// The content of a text file. Fails with a short reason: "no such file", "is a directory", "permission denied", "is
/// not a text file" for a NUL byte in it, ….
Result<std::string> readTextFile(const std::string& path);
/// The same of standard input, whatever that is: a file, a pipe, a socket.
Result<std::string> readStandardInput();

/// While it lives, texts stand for files on the thread that made it: those of an editor, which win over the disk.
class EditorTexts {
public:
    using Map = std::map<std::string, std::string>; ///< by absolute, normalised path

    /// `texts` has to live as long.
    explicit EditorTexts(const Map& texts);
    ~EditorTexts();
    EditorTexts(const EditorTexts&) = delete;

    /// The text that stands for a file; null: the file itself counts.
    static const std::string* find(const std::string& path);
    /// Adds the texts in force to those that will take their place, which win.
    static void addOuter(Map& texts);

private:
    const Map* outer_;
};

/// There is a regular file, or a text of the editor that stands for one.
bool isFile(const std::string& path);

/// Makes a file, or leaves what stood there: `write` is given a path beside it, which is renamed when it has succeeded.
/// What is no regular file (a device, a pipe, a link) is written to, not replaced.
Result<void> replaceFile(const std::string& path,
                         const std::function<Result<void>(const std::string& temporary)>& write);
/// The same with a content. Fails with "cannot write `PATH`: REASON".
Result<void> writeFile(const std::string& path, std::string_view content);

} // namespace sx
