#include "debugger/terminal/screen/Editor.h"

#include "debugger/terminal/screen/Text.h"

namespace sx::terminal {

void Editor::insert(const std::string& text) {
    text_.insert(cursor_, text);
    cursor_ += text.size();
}

void Editor::replace(size_t from, const std::string& text) {
    text_.replace(from, cursor_ - from, text);
    cursor_ = from + text.size();
}

void Editor::clear() {
    text_.clear();
    cursor_ = 0;
    at_ = history_.size();
}

std::string Editor::give() {
    std::string line = text_;
    if (!line.empty() && (history_.empty() || history_.back() != line)) history_.push_back(line);
    clear();
    return line;
}

void Editor::recall(long step) {
    if ((step < 0 && at_ == 0) || (step > 0 && at_ >= history_.size())) return;
    if (at_ == history_.size()) draft_ = text_;
    at_ = static_cast<size_t>(static_cast<long>(at_) + step);
    text_ = at_ == history_.size() ? draft_ : history_[at_];
    cursor_ = text_.size();
}

bool Editor::takeControl(char letter) {
    switch (letter) {
    case 'a': cursor_ = 0; return true;
    case 'e': cursor_ = text_.size(); return true;
    case 'k': text_.resize(cursor_); return true;
    case 'u':
        text_.erase(0, cursor_);
        cursor_ = 0;
        return true;
    case 'w': {
        size_t from = cursor_;
        while (from > 0 && text_[from - 1] == ' ') --from;
        while (from > 0 && text_[from - 1] != ' ') --from;
        replace(from, "");
        return true;
    }
    default: return false;
    }
}

bool Editor::take(const Key& key) {
    switch (key.kind) {
    case Key::Kind::Text: insert(key.text); return true;
    case Key::Kind::Control: return takeControl(key.letter);
    case Key::Kind::Backspace: replace(before(text_, cursor_), ""); return true;
    case Key::Kind::Delete: text_.erase(cursor_, after(text_, cursor_) - cursor_); return true;
    case Key::Kind::Left: cursor_ = before(text_, cursor_); return true;
    case Key::Kind::Right: cursor_ = after(text_, cursor_); return true;
    case Key::Kind::Home: cursor_ = 0; return true;
    case Key::Kind::End: cursor_ = text_.size(); return true;
    case Key::Kind::Up: recall(-1); return true;
    case Key::Kind::Down: recall(1); return true;
    default: return false;
    }
}

} // namespace sx::terminal
