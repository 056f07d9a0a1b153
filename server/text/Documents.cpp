#include "server/text/Documents.h"

#include <utility>

namespace sx::server {

void applyChange(std::string& text, const Change& change, Encoding encoding) {
    if (!change.range) {
        text = change.text;
        return;
    }
    LineTable lines(text, encoding);
    uint32_t begin = lines.offset(change.range->start), end = lines.offset(change.range->end);
    if (end < begin) std::swap(begin, end);
    text.replace(begin, end - begin, change.text);
}

} // namespace sx::server
