#include "ir/FrameRecord.h"

#include "sx/trace.h"

namespace sx::ir {

FrameRecord frameRecord(const SourceManager& sources, SourcePos pos, ShownLine want) {
    Location at = sources.resolve(pos);
    FrameRecord record{sources.tracePath(at.file), static_cast<int32_t>(at.line), static_cast<int32_t>(at.col), ""};
    if (want == ShownLine::None) return record;
    std::string_view line = sources.lineText(at.file, at.line);
    sx_string whole{line.data(), static_cast<int64_t>(line.size())};
    std::string& shown = record.lineText;
    shown.resize(line.size() + 16); // room for the line and two ellipses
    size_t length = sx_trace_line_window(whole, record.column, shown.data(), shown.size());
    if (length > shown.size()) {
        shown.resize(length);
        length = sx_trace_line_window(whole, record.column, shown.data(), shown.size());
    }
    shown.resize(length);
    return record;
}

} // namespace sx::ir
