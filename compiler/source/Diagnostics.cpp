#include "source/Diagnostics.h"

namespace sx {

Diagnostic& Diagnostic::note(Span at, std::string text) {
    notes.push_back({DiagnosticNote::Kind::Note, at, std::move(text), {}});
    return *this;
}

Diagnostic& Diagnostic::help(std::string text) {
    notes.push_back({DiagnosticNote::Kind::Help, {}, std::move(text), {}});
    return *this;
}

Diagnostic& Diagnostic::help(Span at, std::string text, std::string replacement) {
    notes.push_back({DiagnosticNote::Kind::Help, at, std::move(text), std::move(replacement)});
    return *this;
}

Diagnostic& Diagnostics::error(Span at, std::string message) { return report(Severity::Error, at, std::move(message)); }

Diagnostic& Diagnostics::warning(Span at, std::string message) {
    return report(Severity::Warning, at, std::move(message));
}

void Diagnostics::add(const Diagnostic& known) { report(known.severity, known.span, known.message) = known; }

void Diagnostics::unplacedError(std::string message, std::string details, Span about) {
    unplaced_.push_back({std::move(message), std::move(details), about});
}

bool Diagnostics::isFirstAdvice(FileId file, std::string change) {
    return advised_.emplace(file, std::move(change)).second;
}

Diagnostic& Diagnostics::report(Severity severity, Span at, std::string message) {
    size_t hash = std::hash<std::string>()(message) ^ (size_t{at.begin.raw} << 32 | at.end.raw);
    auto [first, last] = index_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
        const Diagnostic& known = list_[it->second];
        if (known.span == at && known.severity == severity && known.message == message) {
            scratch_ = {};
            return scratch_;
        }
    }
    index_.emplace(hash, list_.size());
    if (severity == Severity::Error) ++errorCount_;
    Diagnostic& made = list_.emplace_back();
    made.severity = severity;
    made.span = at;
    made.message = std::move(message);
    return made;
}

} // namespace sx
