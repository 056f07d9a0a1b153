// Diagnostics as text, in the layout of the language reference (modules-and-comptime 11).
//
// A block is a headline, a location, and "snippets": source lines, each with a line of carets under it.
// Columns count bytes, so carets are placed by byte, one each.
#include "source/Diagnostics.h"

#include <algorithm>
#include <map>

namespace sx {
namespace {

enum class Style : uint8_t { Plain, Error, Warning, Note, Help, Location, Gutter, Strong };

const char* escapeCode(Style style) {
    switch (style) {
    case Style::Plain: return "";
    case Style::Error: return "\x1b[1;31m";
    case Style::Warning: return "\x1b[1;33m";
    case Style::Note: return "\x1b[1;36m";
    case Style::Help: return "\x1b[1;32m";
    case Style::Location: return "\x1b[2m";
    case Style::Gutter: return "\x1b[34m";
    case Style::Strong: return "\x1b[1m";
    }
    return "";
}

/// One source line with the marked columns: `first` is 1-based, `count` bytes are marked.
struct MarkedLine {
    uint32_t number = 0;
    std::string_view text;
    uint32_t first = 1;
    uint32_t count = 1;
};

bool isContinuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/// Length of the well-formed UTF-8 sequence at `at`, or 0. Overlong and surrogate forms need no care here.
size_t sequenceLength(std::string_view text, size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (size_t i = 1; i < length; ++i)
        if (!isContinuation(static_cast<unsigned char>(text[at + i]))) return 0;
    return length;
}

/// Text from a program must not drive the terminal: control bytes other than tab become their visible
/// pictures, C1 controls and stray bytes the replacement character. `keepNewlines` is for messages.
void appendVisible(std::string& out, std::string_view text, bool keepNewlines) {
    constexpr const char* replacement = "\xEF\xBF\xBD";
    for (size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const size_t length = sequenceLength(text, at);
        if (length == 0 || (length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0)) {
            out += replacement;
            at += std::max<size_t>(length, 1);
        } else if (byte == '\t' || (keepNewlines && byte == '\n')) {
            out += static_cast<char>(byte);
            ++at;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\xE2\x90"; // U+2400 + control code; U+2421 for DEL
            out += static_cast<char>(byte == 0x7F ? 0xA1 : 0x80 + byte);
            ++at;
        } else {
            out.append(text, at, length);
            at += length;
        }
    }
}

/// Of a longer line only the part around its marks is shown.
constexpr size_t LongestShown = 400, ShownBefore = 120;

/// What is shown of a line.
struct ShownPart {
    std::string_view text;
    bool isCutBefore = false, isCutAfter = false;
    size_t indent = 0, marked = 1; ///< columns before the marks, and of these
};

/// Cut between characters.
ShownPart shownPart(const MarkedLine& line) {
    const std::string_view all = line.text;
    const size_t first = line.first - 1;
    if (all.size() <= LongestShown) return {all, false, false, first, line.count};
    auto toCharacter = [&](size_t at) {
        for (size_t moved = 0; moved < 4 && at > 0 && at < all.size(); ++moved, --at)
            if (!isContinuation(static_cast<unsigned char>(all[at]))) break;
        return at;
    };
    const size_t start = toCharacter(std::min(first > ShownBefore ? first - ShownBefore : 0, all.size()));
    const size_t end = toCharacter(std::min(start + LongestShown, all.size()));
    ShownPart part;
    part.text = all.substr(start, end - start);
    part.isCutBefore = start > 0;
    part.isCutAfter = end < all.size();
    part.indent = first - start + (part.isCutBefore ? 1 : 0); // `…` takes one column
    part.marked = std::max<size_t>(1, std::min<size_t>(line.count, end - std::min(first, end)));
    return part;
}

size_t digitCount(uint32_t number) { return std::to_string(number).size(); }

class Renderer {
public:
    Renderer(const SourceManager& sources, bool color) : sources_(sources), color_(color) {}

    void diagnostic(const Diagnostic& d) {
        if (!out_.empty()) out_ += '\n';
        const bool isError = d.severity == Severity::Error;
        const Style style = isError ? Style::Error : Style::Warning;
        headline(isError ? "error" : "warning", style, d.subject.empty() ? d.message : d.subject + ": " + d.message);
        if (d.span.isValid()) {
            location(d.span);
            snippet(markedLines(d.span), style);
        }
        for (const DiagnosticNote& n : d.notes)
            if (n.kind == DiagnosticNote::Kind::Note) note(n);
        for (const DiagnosticNote& n : d.notes)
            if (n.kind == DiagnosticNote::Kind::Help) help(n);
    }

    void unplaced(const UnplacedError& e) {
        if (!out_.empty()) out_ += '\n';
        headline("error", Style::Error, e.message);
        out_ += e.details;
    }

    /// A line without the shape of a diagnostic.
    void line(const std::string& text) {
        out_ += '\n';
        appendVisible(out_, text, false);
        out_ += '\n';
    }

    std::string take() { return std::move(out_); }

private:
    void note(const DiagnosticNote& n) {
        out_ += '\n';
        headline("note", Style::Note, n.message);
        if (!n.span.isValid()) return;
        location(n.span);
        snippet(markedLines(n.span), Style::Note);
    }

    void help(const DiagnosticNote& n) {
        out_ += '\n';
        headline("help", Style::Help, n.message);
        if (!n.span.isValid()) return;
        std::vector<MarkedLine> lines = markedLines(n.span);
        if (!n.replacement.empty()) {
            // The replacement stands in for the marked text; the carets stay where that text was.
            lines.resize(1);
            lines.front().text = n.replacement;
        }
        snippet(lines, Style::Help);
    }

    void headline(const char* word, Style style, std::string_view message) {
        styled(style, word);
        begin(Style::Strong);
        out_ += ": ";
        appendVisible(out_, message, true);
        end(Style::Strong);
        out_ += '\n';
    }

    void location(Span span) {
        const Location at = sources_.resolve(span.begin);
        out_ += "  ";
        begin(Style::Location);
        out_ += "--> ";
        appendVisible(out_, sources_.path(at.file), false);
        out_ += ':' + std::to_string(at.line) + ':' + std::to_string(at.col);
        end(Style::Location);
        out_ += '\n';
    }

    void snippet(const std::vector<MarkedLine>& lines, Style style) {
        const size_t width = std::max<size_t>(2, digitCount(lines.back().number));
        bar(width);
        out_ += '\n';
        for (const MarkedLine& line : lines) {
            const std::string number = std::to_string(line.number);
            begin(Style::Gutter);
            out_.append(width - number.size(), ' ');
            out_ += number + " |";
            end(Style::Gutter);
            const ShownPart part = shownPart(line);
            out_ += part.isCutBefore ? " …" : " ";
            appendVisible(out_, part.text, false);
            out_ += part.isCutAfter ? "…\n" : "\n";
            bar(width);
            out_.append(1 + part.indent, ' '); // the space after the bar, then what is before the marks
            styled(style, std::string(part.marked, '^'));
            out_ += '\n';
        }
    }

    void bar(size_t width) {
        begin(Style::Gutter);
        out_.append(width + 1, ' ');
        out_ += '|';
        end(Style::Gutter);
    }

    /// The lines of a range with their marked parts. At least one caret each, also for empty ranges and lines.
    std::vector<MarkedLine> markedLines(Span span) const {
        const Location begin = sources_.resolve(span.begin);
        Location end = sources_.resolve(span.end > span.begin ? span.end : span.begin);
        if (end.file != begin.file) end = begin;
        uint32_t lastLine = end.line;
        uint32_t lastEndCol = end.col; // exclusive
        if (lastLine > begin.line && lastEndCol == 1) {
            // A range that ends with a line end does not reach into the next line.
            --lastLine;
            lastEndCol = static_cast<uint32_t>(sources_.lineText(begin.file, lastLine).size()) + 1;
        }
        std::vector<MarkedLine> lines;
        for (uint32_t number = begin.line; number <= lastLine; ++number) {
            MarkedLine line;
            line.number = number;
            line.text = sources_.lineText(begin.file, number);
            line.first = number == begin.line ? begin.col : 1;
            const uint32_t endCol = number == lastLine ? lastEndCol : static_cast<uint32_t>(line.text.size()) + 1;
            line.count = endCol > line.first ? endCol - line.first : 1;
            lines.push_back(line);
        }
        return lines;
    }

    void styled(Style style, std::string_view text) {
        begin(style);
        out_ += text;
        end(style);
    }
    void begin(Style style) {
        if (color_) out_ += escapeCode(style);
    }
    void end(Style) {
        if (color_) out_ += "\x1b[0m";
    }

    const SourceManager& sources_;
    const bool color_;
    std::string out_;
};

/// How many diagnostics of a severity are not shown, by file.
using Left = std::map<uint32_t, size_t>;

/// Those of a severity that are shown, at most `most` a file: errors in order of reporting, warnings in order of
/// position.
std::vector<const Diagnostic*> selectShown(const SourceManager& sources, const Diagnostics& diags, Severity severity,
                                           size_t most, Left& left) {
    std::vector<const Diagnostic*> all, shown;
    for (const Diagnostic& d : diags.all())
        if (d.severity == severity) all.push_back(&d);
    if (severity == Severity::Warning)
        std::stable_sort(all.begin(), all.end(),
                         [](const Diagnostic* a, const Diagnostic* b) { return a->span.begin < b->span.begin; });
    std::map<uint32_t, size_t> perFile;
    for (const Diagnostic* d : all) {
        const uint32_t file = d->span.isValid() ? static_cast<uint32_t>(sources.fileOf(d->span.begin)) : UINT32_MAX;
        if (most != 0 && ++perFile[file] > most) ++left[file];
        else shown.push_back(d);
    }
    return shown;
}

} // namespace

std::string renderDiagnostics(const SourceManager& sources, const Diagnostics& diags, const RenderOptions& options) {
    Renderer renderer(sources, options.color);
    for (Severity severity : {Severity::Error, Severity::Warning}) {
        const std::string word = severity == Severity::Error ? "error" : "warning";
        Left left;
        for (const Diagnostic* d : selectShown(sources, diags, severity, options.maxErrors, left))
            renderer.diagnostic(*d);
        for (const auto& [file, count] : left) {
            std::string where =
                file == UINT32_MAX ? std::string() : " in " + code(sources.path(static_cast<FileId>(file)));
            renderer.line(word + ": " + std::to_string(count) + " more " + word + (count == 1 ? "" : "s") + where +
                          "; `--max-errors 0` shows all");
        }
    }
    for (const UnplacedError& e : diags.unplaced()) renderer.unplaced(e);
    return renderer.take();
}

} // namespace sx
