#include "debugger/native/engine/Positions.h"

#include <algorithm>

namespace sx::debugger::native {

SourcePos positionAt(const SourceManager& sources, FileId file, uint32_t line, uint32_t column) {
    std::string_view text = sources.text(file), wanted = sources.lineText(file, line);
    if (line == 0 || wanted.data() < text.data() || wanted.data() > text.data() + text.size()) return {};
    size_t first = column > 0 ? column - 1 : wanted.find_first_not_of(" \t");
    first = std::min(first, wanted.size());
    return sources.start(file) + static_cast<uint32_t>(wanted.data() - text.data() + first);
}

} // namespace sx::debugger::native
