#include "debugger/terminal/screen/CodePanes.h"

#include "debugger/terminal/screen/Text.h"
#include "debugger/terminal/target/Breakpoints.h"

namespace sx::terminal {

namespace {

constexpr int64_t Bytes = 512;
constexpr int64_t Instructions = 64;

const BreakpointRow* breakpointAt(const Debuggee& d, const SourceFile& file, int64_t line) {
    for (const BreakpointRow& row : d.breakpoints)
        if (placeLine(row) == line && placeFile(row) == file) return &row;
    return nullptr;
}

} // namespace

std::string SourcePane::title(Debuggee& d) {
    return file_.path.empty() ? "Source" : "Source " + printable(shownPath(d, file_.path));
}

void SourcePane::refresh(Debuggee& d) {
    const StackRow* row = d.state == State::Stopped ? currentRow(d) : nullptr;
    SourceFile file = file_;
    int64_t here = 0;
    if (row && row->line > 0) {
        file = row->file;
        here = row->line;
    } else if (file.path.empty()) {
        file.path = meantPath(d, d.start.program);
        if (!llvm::StringRef(file.path).ends_with(".sx")) file.path.clear();
    }
    hasMoved |= here > 0 && (here != here_ || !(file == file_));
    file_ = file;
    here_ = here;
    isInnermost_ = d.frame == 0;
    lines_ = d.sources.lines(file_).size();
}

Line SourcePane::line(Debuggee& d, size_t row) {
    auto number = static_cast<int64_t>(row + 1);
    const BreakpointRow* b = breakpointAt(d, file_, number);
    bool isHere = number == here_;
    std::string digits = std::to_string(number);
    Line line;
    line.push_back({b ? (b->isVerified ? "●" : "○") : " ", Style::Mark});
    line.push_back({std::string(digits.size() < 4 ? 4 - digits.size() : 0, ' ') + digits, Style::Dim});
    line.push_back({isHere ? (isInnermost_ ? "▶ " : "▷ ") : "  ", Style::Bold});
    line.push_back({printable(d.sources.lines(file_)[row]), isHere ? Style::Current : Style::Plain});
    return line;
}

std::string SourcePane::act(Debuggee& d, size_t row, int column) {
    cursor = row;
    return column < 0 || column < Gutter ? toggle(d) : "";
}

std::string SourcePane::toggle(Debuggee& d) {
    if (Result<void> loaded = load(d); !loaded) return loaded.error();
    if (file_.path.empty()) return "there is no source";
    Result<int64_t> done = toggleBreakpoint(d, file_, static_cast<int64_t>(cursor) + 1);
    return done ? "" : done.error();
}

void CodePane::refresh(Debuggee& d) {
    const StackRow* row = d.state == State::Stopped ? currentRow(d) : nullptr;
    if (!row || row->address.empty()) return rows_.clear();
    here_ = row->address;
    Result<std::vector<CodeRow>> rows = codeAround(d, here_, -Instructions / 4, Instructions);
    if (!rows) return rows_.clear();
    rows_ = std::move(*rows);
    for (size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].address == here_) cursor = i;
}

Line CodePane::line(Debuggee&, size_t row) {
    const CodeRow& r = rows_[row];
    bool isHere = r.address == here_;
    return {{isHere ? "▶ " : "  ", Style::Bold}, {printable(lineOf(r)), isHere ? Style::Current : Style::Plain}};
}

void MemoryPane::refresh(Debuggee& d) {
    if (d.state != State::Stopped || expression.empty()) return;
    before_ = std::move(rows_);
    rows_.clear();
    problem_.clear();
    Result<std::string> address = addressIn(d, expression);
    Result<std::vector<MemoryRow>> rows =
        address ? memoryAt(d, *address, 0, Bytes) : Result<std::vector<MemoryRow>>(address.failure());
    if (rows) rows_ = std::move(*rows);
    else problem_ = rows.error();
}

Line MemoryPane::line(Debuggee&, size_t row) {
    if (!problem_.empty()) return {{printable(problem_), Style::Error}};
    const MemoryRow& whole = rows_[isNarrow ? row / 2 : row];
    bool isSame = true;
    for (const MemoryRow& old : before_)
        if (old.address == whole.address) isSame = old.bytes == whole.bytes;
    std::string text = isNarrow ? halfOf(whole, row % 2 == 1) : lineOf(whole);
    return {{std::move(text), isSame ? Style::Plain : Style::Changed}};
}

} // namespace sx::terminal
