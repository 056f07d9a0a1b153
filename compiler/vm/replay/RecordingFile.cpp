#include "vm/replay/RecordingFile.h"

#include "source/OwnDescriptors.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sx::vm {

namespace {

/// The only one that there is.
constexpr const char* Target = "linux-x86";

constexpr char Magic[] = {'S', 'X', 'R', 'E', 'C', '\r', '\n', '\x1a'};
constexpr uint32_t Version = 1;
constexpr uint32_t Incomplete = 1;

struct Header {
    char magic[8];
    uint32_t version, flags;
    uint64_t length;   ///< of the body
    uint64_t checksum; ///< of the body, then of the version, the flags and the length
};

// FNV-1a, by Fowler, Noll and Vo.
constexpr uint64_t HashStart = 0xcbf29ce484222325, HashFactor = 0x100000001b3;
uint64_t hashed(uint64_t hash, std::string_view bytes) {
    for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * HashFactor;
    return hash;
}
uint64_t hashedHeader(uint64_t hash, const Header& h) {
    return hashed(hash, {reinterpret_cast<const char*>(&h.version), offsetof(Header, checksum) - sizeof h.magic});
}

// ---- numbers and texts

/// Seven bits a byte, the low ones first; the high bit says that more follow.
void put(std::string& out, uint64_t n) {
    for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
    out += static_cast<char>(n);
}
void put(std::string& out, std::string_view text) {
    put(out, text.size());
    out += text;
}
void put(std::string& out, const std::vector<std::string>& texts) {
    put(out, texts.size());
    for (const std::string& text : texts) put(out, text);
}

/// Reads what `put` wrote. After the first thing that is not there all is empty.
class Input {
public:
    explicit Input(std::string_view bytes) : rest_(bytes) {}
    bool ok() const { return ok_; }
    bool isEmpty() const { return rest_.empty(); }

    uint64_t number() {
        uint64_t n = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (rest_.empty()) break;
            auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            n |= uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return n;
        }
        return fail();
    }
    std::string text() {
        uint64_t size = number();
        if (size > rest_.size()) size = fail();
        std::string out(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return out;
    }
    std::vector<std::string> texts() {
        std::vector<std::string> out;
        for (uint64_t n = number(); n > 0 && ok_; --n) out.push_back(text());
        return out;
    }

private:
    uint64_t fail() {
        ok_ = false;
        rest_ = {};
        return 0;
    }
    std::string_view rest_;
    bool ok_ = true;
};

std::string headBytes(const RecordingHead& h) {
    std::string out;
    for (const std::string* text : {&h.version, &h.target, &h.hash, &h.file, &h.folder, &h.options}) put(out, *text);
    put(out, h.arguments);
    put(out, h.environment);
    put(out, h.spec);
    return out;
}

} // namespace

RecordingHead headOf(const std::string& version, const SourceManager& sources) {
    RecordingHead head;
    head.version = version;
    head.target = Target;
    std::vector<uint64_t> files;
    for (size_t i = 0; i < sources.fileCount(); ++i)
        files.push_back(hashed(HashStart, sources.text(static_cast<FileId>(i))));
    std::sort(files.begin(), files.end());
    std::string all;
    put(all, head.version);
    put(all, head.target);
    for (uint64_t file : files) put(all, file);
    head.hash = llvm::utohexstr(hashed(HashStart, all), /*LowerCase=*/true, /*Width=*/16);
    return head;
}

Result<void> expectIdentity(const std::string& path, const RecordingHead& then, const RecordingHead& now) {
    if (then.hash == now.hash) return {};
    auto sides = [&](const std::string& was, const std::string& is) {
        return Failure{"the recording " + code(path) + " is of " + was + " (hash " + then.hash + "), this is " + is +
                       " (hash " + now.hash + ")"};
    };
    const std::string was = code(then.file), is = code(now.file);
    if (then.version != now.version) return sides(was + " with sx " + then.version, is + " with sx " + now.version);
    if (then.target != now.target)
        return sides(was + " for the target " + then.target, is + " for the target " + now.target);
    if (was == is) return sides(was + " as it was then", is + " as it is now");
    return sides("another program, " + was, is);
}

// ---- writing

namespace {

bool isRegular(int file) {
    struct stat st {};
    return fstat(file, &st) == 0 && S_ISREG(st.st_mode);
}

/// Sources and other files that are named by mistake stay as they are: only recordings and empty files are replaced.
bool mayReplace(int file) {
    char magic[sizeof Magic];
    struct stat st {};
    if (fstat(file, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) return true;
    return pread(file, magic, sizeof magic, 0) == sizeof magic && std::memcmp(magic, Magic, sizeof magic) == 0;
}

} // namespace

Result<std::unique_ptr<RecordingWriter>> RecordingWriter::create(const std::string& path, const RecordingHead& head) {
    std::unique_ptr<RecordingWriter> w(new RecordingWriter(path));
    w->checksum_ = HashStart;
    w->file_ = keepAway(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (w->file_ < 0) return w->fail().failure();
    if (!mayReplace(w->file_)) {
        close(std::exchange(w->file_, -1));
        return Failure{"cannot write " + code(path) + ": the file is there and is no recording"};
    }
    if (isRegular(w->file_) && ftruncate(w->file_, 0) != 0) return w->fail().failure();
    if (Result<void> r = w->write(headBytes(head)); !r) return r.failure();
    return w;
}

RecordingWriter::~RecordingWriter() {
    if (file_ >= 0) close(file_);
}

Result<void> RecordingWriter::fail() {
    Failure why{"cannot write " + code(path_) + ": " + std::strerror(errno)};
    discard();
    return why;
}

void RecordingWriter::discard() {
    if (file_ >= 0 && isRegular(file_)) unlink(path_.c_str());
    if (file_ >= 0) close(file_);
    file_ = -1;
}

Result<void> RecordingWriter::write(const std::string& bytes) {
    if (file_ < 0) return {};
    for (size_t done = 0; done < bytes.size();) {
        ssize_t n = pwrite(file_, bytes.data() + done, bytes.size() - done,
                           static_cast<off_t>(sizeof(Header) + length_ + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail();
        done += static_cast<size_t>(n);
    }
    length_ += bytes.size();
    checksum_ = hashed(checksum_, bytes);
    return writeHeader();
}

Result<void> RecordingWriter::writeHeader() {
    Header h{};
    std::memcpy(h.magic, Magic, sizeof Magic);
    h.version = Version;
    h.flags = isIncomplete_ ? Incomplete : 0;
    h.length = length_;
    h.checksum = hashedHeader(checksum_, h);
    ssize_t n = 0;
    do n = pwrite(file_, &h, sizeof h, 0);
    while (n < 0 && errno == EINTR);
    return n == sizeof h ? Result<void>() : fail();
}

Result<void> RecordingWriter::append(const RecordingEvent& e) {
    if (canDrop_) marks_.push_back({length_, checksum_, numbers_.size()});
    std::string out;
    put(out, static_cast<uint64_t>(e.kind));
    switch (e.kind) {
    case RecordingEvent::Kind::Call: {
        // A function has its name where it is met first.
        auto [it, isNew] = numbers_.try_emplace(e.function, numbers_.size());
        put(out, it->second);
        if (isNew) put(out, e.function);
        put(out, e.result.value);
        put(out, static_cast<uint64_t>(static_cast<unsigned>(e.result.error)));
        put(out, e.result.memory);
        break;
    }
    case RecordingEvent::Kind::Callback:
        put(out, e.callee);
        put(out, e.words.size());
        for (uint64_t word : e.words) put(out, word);
        break;
    case RecordingEvent::Kind::Signal:
        put(out, static_cast<uint64_t>(e.signal));
        put(out, e.nanoseconds);
        break;
    case RecordingEvent::Kind::Turn:
        put(out, e.thread);
        put(out, e.slices);
        break;
    }
    return write(out);
}

Result<void> RecordingWriter::dropEvents(uint64_t count) {
    if (count == 0 || count > marks_.size() || file_ < 0) return {};
    Mark to = marks_[marks_.size() - count];
    marks_.resize(marks_.size() - count);
    std::erase_if(numbers_, [&](const auto& known) { return known.second >= to.names; });
    length_ = to.length;
    checksum_ = to.checksum;
    if (ftruncate(file_, static_cast<off_t>(sizeof(Header) + length_)) != 0) return fail();
    return writeHeader();
}

Result<void> RecordingWriter::markIncomplete() {
    isIncomplete_ = true;
    return file_ < 0 ? Result<void>() : writeHeader();
}

// ---- reading

namespace {

RecordingEvent readEvent(Input& in, std::vector<std::string>& names) {
    RecordingEvent e;
    e.kind = static_cast<RecordingEvent::Kind>(in.number());
    switch (e.kind) {
    case RecordingEvent::Kind::Call: {
        uint64_t number = in.number();
        if (number == names.size()) names.push_back(in.text());
        if (number < names.size()) e.function = names[number];
        else e.kind = {};
        e.result.value = in.number();
        e.result.error = static_cast<int>(in.number());
        e.result.memory = in.text();
        break;
    }
    case RecordingEvent::Kind::Callback:
        e.callee = static_cast<uint32_t>(in.number());
        for (uint64_t n = in.number(); n > 0 && in.ok(); --n) e.words.push_back(in.number());
        break;
    case RecordingEvent::Kind::Signal:
        e.signal = static_cast<int>(in.number());
        e.nanoseconds = in.number();
        break;
    case RecordingEvent::Kind::Turn:
        e.thread = static_cast<uint32_t>(in.number());
        e.slices = in.number();
        break;
    default: e.kind = {};
    }
    return e;
}

Result<std::string> readAll(const std::string& path) {
    struct stat st {};
    if (stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return Failure{"is a directory"};
    int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return Failure{std::strerror(errno)};
    std::string bytes;
    char piece[1 << 16];
    ssize_t n = 0;
    while ((n = read(file, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)) {
        if (n < 0) continue;
        bytes.append(piece, static_cast<size_t>(n));
        // What is no recording may have no end.
        if (bytes.size() >= sizeof Magic && std::memcmp(bytes.data(), Magic, sizeof Magic) != 0) break;
    }
    int problem = n < 0 ? errno : 0;
    close(file);
    if (problem != 0) return Failure{std::strerror(problem)};
    return bytes;
}

} // namespace

bool RecordingReader::parse(std::string_view body) {
    Input in(body);
    RecordingHead& h = head_;
    for (std::string* text : {&h.version, &h.target, &h.hash, &h.file, &h.folder, &h.options}) *text = in.text();
    h.arguments = in.texts();
    h.environment = in.texts();
    h.spec = in.texts();
    std::vector<std::string> names;
    while (in.ok() && !in.isEmpty()) {
        events_.push_back(readEvent(in, names));
        if (events_.back().kind == RecordingEvent::Kind{}) return false;
    }
    return in.ok();
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::open(const std::string& path) {
    Result<std::string> bytes = readAll(path);
    if (!bytes) return Failure{"cannot read the recording " + code(path) + ": " + bytes.error()};
    if (bytes->size() < sizeof Magic || std::memcmp(bytes->data(), Magic, sizeof Magic) != 0)
        return Failure{code(path) + " is no recording of a program"};
    const std::string what = "the recording " + code(path);
    const std::string cut = what + " is cut off: it has " + std::to_string(bytes->size()) + " bytes";
    if (bytes->size() < sizeof(Header)) return Failure{cut};
    Header h;
    std::memcpy(&h, bytes->data(), sizeof h);
    if (h.version != Version)
        return Failure{what + " has version " + std::to_string(h.version) + " of the format; this sx reads version " +
                       std::to_string(Version)};
    std::string_view body = std::string_view(*bytes).substr(sizeof h);
    if (body.size() < h.length) return Failure{cut + " of " + std::to_string(sizeof h + h.length)};
    if (body.size() > h.length || hashedHeader(hashed(HashStart, body), h) != h.checksum)
        return Failure{what + " was changed: its checksum is not that of its content"};
    std::unique_ptr<RecordingReader> reader(new RecordingReader());
    reader->isIncomplete_ = (h.flags & Incomplete) != 0;
    if (!reader->parse(body)) return Failure{what + " is damaged"};
    return reader;
}

} // namespace sx::vm
