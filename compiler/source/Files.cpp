#include "source/Files.h"

#include "source/TemporaryFiles.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sx {
namespace {

/// Positions are 32-bit; one file may use a quarter of them.
constexpr off_t maxFileSize = off_t{1} << 30;

struct FileDescriptor {
    int fd;
    ~FileDescriptor() {
        if (fd >= 0) ::close(fd);
    }
};

std::string reasonOf(int code) {
    switch (code) {
    case ENOENT: return "no such file";
    case EISDIR: return "is a directory";
    case EACCES: return "permission denied";
    case ENOTDIR: return "a part of the path is not a directory";
    case ENAMETOOLONG: return "the path is too long";
    default: {
        std::string text = std::strerror(code);
        if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
        return text;
    }
    }
}

/// Reads to the end, whatever size the file claims to have (pipes say 0). Returns 0 or an errno.
int readAll(int fd, size_t sizeHint, std::string& text) {
    size_t used = 0;
    text.resize(sizeHint + 1); // one more: the read that finds the end needs no second allocation
    for (;;) {
        if (used == text.size()) text.resize(text.size() * 2);
        const ssize_t got = ::read(fd, text.data() + used, text.size() - used);
        if (got < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        if (got == 0) break;
        used += static_cast<size_t>(got);
        if (used > static_cast<size_t>(maxFileSize)) return EFBIG;
    }
    text.resize(used);
    return 0;
}

Result<std::string> readText(int fd) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) return Failure{reasonOf(errno)};
    if (S_ISDIR(info.st_mode)) return Failure{reasonOf(EISDIR)};
    if (info.st_size > maxFileSize) return Failure{reasonOf(EFBIG)};
    std::string text;
    if (int code = readAll(fd, static_cast<size_t>(info.st_size), text)) return Failure{reasonOf(code)};
    if (text.find('\0') != std::string::npos) return Failure{"is not a text file"};
    return text;
}

} // namespace

static thread_local const EditorTexts::Map* editorTexts = nullptr;

EditorTexts::EditorTexts(const Map& texts) : outer_(std::exchange(editorTexts, &texts)) {}

EditorTexts::~EditorTexts() { editorTexts = outer_; }

const std::string* EditorTexts::find(const std::string& path) {
    if (!editorTexts) return nullptr;
    auto found = editorTexts->find(path);
    return found == editorTexts->end() ? nullptr : &found->second;
}

void EditorTexts::addOuter(Map& texts) {
    if (editorTexts) texts.insert(editorTexts->begin(), editorTexts->end());
}

bool isFile(const std::string& path) {
    std::error_code ec;
    return EditorTexts::find(path) || std::filesystem::is_regular_file(path, ec);
}

Result<std::string> readTextFile(const std::string& path) {
    if (const std::string* text = EditorTexts::find(path)) {
        if (text->find('\0') != std::string::npos) return Failure{"is not a text file"};
        return *text;
    }
    const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.fd < 0) return Failure{reasonOf(errno)};
    return readText(file.fd);
}

Result<std::string> readStandardInput() { return readText(STDIN_FILENO); }

static Failure cannotWrite(const std::string& path, int reason) {
    return {"cannot write " + code(path) + ": " + std::strerror(reason)};
}

Result<void> replaceFile(const std::string& path,
                         const std::function<Result<void>(const std::string& temporary)>& write) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return write(path);
    const TemporaryFile temporary(path + ".tmp" + std::to_string(::getpid()));
    Result<void> written = write(temporary.path());
    if (written && std::rename(temporary.path().c_str(), path.c_str()) != 0) return cannotWrite(path, errno);
    return written;
}

Result<void> writeFile(const std::string& path, std::string_view content) {
    return replaceFile(path, [&](const std::string& temporary) -> Result<void> {
        FILE* file = std::fopen(temporary.c_str(), "wb");
        bool ok = file && std::fwrite(content.data(), 1, content.size(), file) == content.size();
        if (file && std::fclose(file) != 0) ok = false;
        return ok ? Result<void>() : cannotWrite(path, errno);
    });
}

} // namespace sx
