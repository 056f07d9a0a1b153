#include "debugger/terminal/screen/OutputPane.h"

#include "debugger/terminal/screen/Text.h"

namespace sx::terminal {

namespace {

constexpr size_t MostLines = 10'000;
constexpr size_t MostBytes = 4096; ///< of a line

} // namespace

void OutputPane::begin(Style style) {
    bool isAtEnd = cursor + 1 >= lines_.size();
    lines_.push_back({"", style});
    if (lines_.size() > MostLines) {
        lines_.pop_front();
        if (cursor > 0) --cursor;
        if (top > 0) --top;
    }
    if (isAtEnd) cursor = lines_.size() - 1;
    open_.clear();
    isOpen_ = true;
}

void OutputPane::append(const std::string& text, Style style) {
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        if (!isOpen_ || lines_.back().style != style || open_.size() > MostBytes) begin(style);
        std::string piece = text.substr(at, end - at);
        if (end < text.size() && !piece.empty() && piece.back() == '\r') piece.pop_back();
        open_ += piece;
        lines_.back().text = printable(open_);
        at = end + 1;
        if (end < text.size()) isOpen_ = false;
    }
}

void OutputPane::say(const std::string& text, Style style) {
    isOpen_ = false;
    append(text + "\n", style);
}

} // namespace sx::terminal
