#include "format/UnifiedDiff.h"

#include <algorithm>
#include <vector>

namespace sx::format {
namespace {

using Lines = std::vector<std::string_view>;

constexpr size_t contextLines = 3;
/// Of inserted and deleted lines together; the search keeps the square of it in words.
constexpr int maxDistance = 2000;

/// With their line ends.
Lines linesOf(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

/// For each line of both texts whether it has no partner in the other.
struct Changes {
    std::vector<bool> deleted, inserted;
};

/// The middle of the texts, without the lines that begin and end both.
class Search {
public:
    Search(const Lines& a, const Lines& b, Changes& changes) : a_(a), b_(b), changes_(changes) {
        while (begin_ < std::min(a.size(), b.size()) && a[begin_] == b[begin_]) ++begin_;
        endA_ = a.size();
        endB_ = b.size();
        while (endA_ > begin_ && endB_ > begin_ && a[endA_ - 1] == b[endB_ - 1]) --endA_, --endB_;
    }

    void run() {
        const int n = static_cast<int>(endA_ - begin_), m = static_cast<int>(endB_ - begin_);
        const int limit = std::min(n + m, maxDistance);
        std::vector<int> furthest(static_cast<size_t>(2 * limit + 3), 0); // of diagonal k at limit + 1 + k
        std::vector<std::vector<int>> history;
        for (int d = 0; d <= limit; ++d) {
            history.emplace_back(furthest.begin() + (limit + 1 - d - 1), furthest.begin() + (limit + 1 + d + 2));
            for (int k = -d; k <= d; k += 2) {
                int* at = &furthest[static_cast<size_t>(limit + 1 + k)];
                int x = k == -d || (k != d && at[-1] < at[1]) ? at[1] : at[-1] + 1;
                while (x < n && x - k < m && lineA(x) == lineB(x - k)) ++x;
                *at = x;
                if (x >= n && x - k >= m) return traceBack(history, n, m);
            }
        }
        std::fill(changes_.deleted.begin() + offset(0), changes_.deleted.begin() + offset(n), true);
        std::fill(changes_.inserted.begin() + offset(0), changes_.inserted.begin() + offset(m), true);
    }

private:
    std::string_view lineA(int i) const { return a_[begin_ + static_cast<size_t>(i)]; }
    std::string_view lineB(int i) const { return b_[begin_ + static_cast<size_t>(i)]; }
    std::ptrdiff_t offset(int i) const { return static_cast<std::ptrdiff_t>(begin_) + i; }

    void traceBack(const std::vector<std::vector<int>>& history, int x, int y) {
        for (int d = static_cast<int>(history.size()) - 1; d > 0; --d) {
            const int k = x - y;
            const int* before = &history[static_cast<size_t>(d)][static_cast<size_t>(d + 1 + k)];
            const bool down = k == -d || (k != d && before[-1] < before[1]);
            x = down ? before[1] : before[-1];
            y = x - (down ? k + 1 : k - 1);
            if (down) changes_.inserted[static_cast<size_t>(offset(y))] = true;
            else changes_.deleted[static_cast<size_t>(offset(x))] = true;
        }
    }

    const Lines& a_;
    const Lines& b_;
    Changes& changes_;
    size_t begin_ = 0, endA_ = 0, endB_ = 0;
};

/// Writes hunks while it goes through both texts.
class Printer {
public:
    Printer(const Lines& a, const Lines& b, const Changes& changes) : a_(a), b_(b), changes_(changes) {}

    std::string run() {
        while (atA_ < a_.size() || atB_ < b_.size()) {
            if (!changed(atA_, atB_)) ++atA_, ++atB_;
            else hunk();
        }
        return std::move(out_);
    }

private:
    bool deleted(size_t i) const { return i < a_.size() && changes_.deleted[i]; }
    bool inserted(size_t i) const { return i < b_.size() && changes_.inserted[i]; }
    bool changed(size_t a, size_t b) const { return deleted(a) || inserted(b); }

    void hunk() {
        const size_t lead = std::min(contextLines, atA_ - lastEnd_);
        const size_t beginA = atA_ - lead, beginB = atB_ - lead;
        std::string body;
        for (size_t i = beginA; i < atA_; ++i) line(body, ' ', a_[i]);
        for (size_t same = 0; same <= 2 * contextLines && (atA_ < a_.size() || atB_ < b_.size());) {
            if (deleted(atA_)) line(body, '-', a_[atA_++]), same = 0;
            else if (inserted(atB_)) line(body, '+', b_[atB_++]), same = 0;
            else {
                if (same == contextLines && !changeWithin(contextLines + 1)) break;
                line(body, ' ', a_[atA_]);
                ++atA_, ++atB_, ++same;
            }
        }
        lastEnd_ = atA_;
        out_ += "@@ -" + range(beginA, atA_) + " +" + range(beginB, atB_) + " @@\n" + body;
    }

    /// Whether one of the next `count` lines is changed.
    bool changeWithin(size_t count) const {
        for (size_t i = 0; i < count; ++i)
            if (changed(atA_ + i, atB_ + i)) return true;
        return false;
    }

    static std::string range(size_t begin, size_t end) {
        const size_t first = end > begin ? begin + 1 : begin;
        return end - begin == 1 ? std::to_string(first) : std::to_string(first) + "," + std::to_string(end - begin);
    }

    static void line(std::string& body, char sign, std::string_view text) {
        body += sign;
        body += text;
        if (text.empty() || text.back() != '\n') body += "\n\\ No newline at end of file\n";
    }

    const Lines& a_;
    const Lines& b_;
    const Changes& changes_;
    std::string out_;
    size_t atA_ = 0, atB_ = 0, lastEnd_ = 0;
};

} // namespace

std::string unifiedDiff(std::string_view path, std::string_view before, std::string_view after) {
    if (before == after) return {};
    const Lines a = linesOf(before), b = linesOf(after);
    Changes changes{std::vector<bool>(a.size()), std::vector<bool>(b.size())};
    Search(a, b, changes).run();
    const std::string name(path);
    return "--- " + name + ".orig\n+++ " + name + "\n" + Printer(a, b, changes).run();
}

} // namespace sx::format
