// "Did you mean …": the candidate with the smallest edit distance, if it is a plausible slip.
#include "source/Diagnostics.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace sx {
namespace {

/// Longer names are no slips of the keyboard, and the table of distances stays on the stack.
constexpr size_t maxLength = 64;

/// Of names as short as this, one edit makes another word: only swapped letters and another case are slips.
constexpr size_t shortLength = 3;

/// How many edits a name of this length may be away: a third of its letters.
size_t allowedEdits(size_t length) { return std::clamp<size_t>(length / 3, 1, 3); }

/// The same letters, two neighbours of which are swapped.
bool isTransposition(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    const size_t at = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
    if (at + 1 >= a.size() || a[at] != b[at + 1] || a[at + 1] != b[at]) return false;
    return a.substr(at + 2) == b.substr(at + 2);
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Damerau-Levenshtein distance (insert, delete, replace, swap of neighbours), or `limit + 1` as soon as
/// every continuation is above `limit`.
size_t editDistance(std::string_view a, std::string_view b, size_t limit) {
    if (a.size() > maxLength || b.size() > maxLength) return limit + 1;
    const size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit) return limit + 1;

    size_t rows[3][maxLength + 1];
    size_t *before = rows[0], *previous = rows[1], *current = rows[2];
    for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        size_t smallest = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            size_t best = std::min({replace, previous[j] + 1, current[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = std::min(best, before[j - 2] + 1);
            current[j] = best;
            smallest = std::min(smallest, best);
        }
        if (smallest > limit) return limit + 1;
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

} // namespace

std::string_view nearestName(std::string_view name, const std::vector<std::string_view>& candidates, size_t maxEdits) {
    std::string_view best;
    size_t bestDistance = std::min(allowedEdits(name.size()), maxEdits) + 1;
    for (std::string_view candidate : candidates) {
        if (candidate.empty() || candidate == name) continue;
        const bool isOtherCase = name.size() > 1 && equalIgnoringCase(name, candidate);
        if (name.size() <= shortLength && !isOtherCase && !isTransposition(name, candidate)) continue;
        const size_t distance = isOtherCase ? 1 : editDistance(name, candidate, bestDistance - 1);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace sx
