// Reads a JSON text from front to back without a tree of it in memory: what the caller does not keep is gone. For files
// of many rows; the whole text is checked on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sx {

/// Stands before one value at a time, which is read as what it has to be, or passed over. After an error (`problem`)
/// all readers give nothing, and all loops end. It does not own the text.
class JsonReader {
public:
    explicit JsonReader(std::string_view text, size_t from = 0) : text_(text), at_(from) {}

    /// Calls `member` with the name of each member of an object, which may read the value; else it is passed over. The
    /// name is valid until then. False, without a call, where the value is no object; it is passed over.
    template <typename Member> bool object(Member&& member) {
        if (!open('{')) return false;
        for (bool isFirst = true; next('}', isFirst); isFirst = false) {
            std::string_view name = memberName();
            size_t value = at_;
            if (isBroken()) break;
            member(name);
            if (at_ == value) skip();
        }
        return true;
    }
    /// The same for the elements of an array.
    template <typename Element> bool array(Element&& element) {
        if (!open('[')) return false;
        for (bool isFirst = true; next(']', isFirst); isFirst = false) {
            size_t value = at_;
            element();
            if (at_ == value) skip();
        }
        return true;
    }
    /// Nothing where the value is another one, which is passed over. The text is valid until the next one is read.
    std::optional<std::string_view> string();
    /// A number without a fraction that fits; nothing where the value is another one, which is passed over.
    std::optional<int64_t> integer();
    std::optional<bool> boolean();
    /// Passes over a value, whatever it is.
    void skip();
    /// To be called after the value of the whole text: nothing but white space may follow.
    void end();

    /// Where the value begins that is next: an offset, from which another reader can read it.
    size_t position() const { return at_; }
    /// What is wrong with the text, and where: `line 3, column 5: …`, 1-based, bytes. Empty: nothing so far.
    const std::string& problem() const { return problem_; }
    /// True where the problem is that more than MaxJsonDepth arrays and objects are around a value.
    bool isTooDeep() const { return isTooDeep_; }

private:
    bool isBroken() const { return !problem_.empty(); }
    void fail(const char* what);
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skipSpace();
    bool open(char bracket);
    bool next(char bracket, bool isFirst);
    std::string_view memberName();
    std::string_view stringToken();
    void decode(size_t begin, size_t end);
    bool decodeEscape(size_t& at, size_t end);
    std::string_view numberToken();
    bool word(std::string_view word);

    std::string_view text_;
    size_t at_;
    unsigned depth_ = 0;
    std::string decoded_; ///< the last string that has escapes
    std::string problem_;
    bool isTooDeep_ = false;
};

} // namespace sx
