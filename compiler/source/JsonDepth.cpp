#include "source/JsonDepth.h"

#include <algorithm>

namespace sx {

unsigned jsonDepth(std::string_view text) {
    unsigned depth = 0, most = 0;
    bool inString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            else if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            most = std::max(most, ++depth);
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return most;
}

} // namespace sx
