#include "debugger/terminal/screen/Pane.h"

#include <algorithm>

namespace sx::terminal {

void Pane::moveCursor(long rows) {
    long last = count() == 0 ? 0 : static_cast<long>(count()) - 1;
    cursor = static_cast<size_t>(std::clamp(static_cast<long>(cursor) + rows, 0L, last));
}

void Pane::keepInView(size_t height) {
    moveCursor(0);
    if (height == 0) return;
    size_t last = count() > height ? count() - height : 0;
    if (cursor < top) top = cursor;
    if (cursor >= top + height) top = cursor - height + 1;
    top = std::min(top, last);
}

void Pane::bringIntoView(size_t row, size_t height) {
    cursor = row;
    if (row < top || row >= top + height) top = row > height / 2 ? row - height / 2 : 0;
}

} // namespace sx::terminal
