// What the frame of an error return trace shows of a position.
#pragma once

#include "source/Source.h"

namespace sx::ir {

struct FrameRecord {
    std::string_view path; ///< the stable relative one
    int32_t line = 0, column = 0;
    std::string lineText; ///< long lines are cut around the position
};

enum class ShownLine : uint8_t { None, Window };

/// Of a valid position.
FrameRecord frameRecord(const SourceManager&, SourcePos, ShownLine = ShownLine::Window);

} // namespace sx::ir
