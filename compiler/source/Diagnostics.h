// Diagnostics are data until the driver renders them. No stage prints.
#pragma once

#include "source/Source.h"
#include "source/Wording.h"

#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sx {

enum class Severity : uint8_t { Error, Warning };

/// A secondary message. A note points at another place; a help may have no span (message only), a span
/// (its source is repeated), or a span and a replacement text that is shown in place of the source line.
struct DiagnosticNote {
    enum class Kind : uint8_t { Note, Help } kind = Kind::Note;
    Span span;
    std::string message;
    std::string replacement;
    const void* instanceOf = nullptr; ///< the generic function of which the note names an instance
};

struct Diagnostic {
    Severity severity = Severity::Error;
    Span span;           ///< invalid: the diagnostic is its first line only
    std::string subject; ///< shown in front of the message: "argument 2 of `f`"; empty: none
    std::string message;
    std::vector<DiagnosticNote> notes; ///< notes and helps, rendered notes first

    /// Chainable additions: diags.error(span, "…").note(other, "…").help("…").
    Diagnostic& note(Span at, std::string message);
    Diagnostic& help(std::string message);
    Diagnostic& help(Span at, std::string message, std::string replacement = {});
};

/// An error that has no place in a source text: the program as a whole lacks something, or code failed that ran while
/// compiling.
struct UnplacedError {
    std::string message;
    std::string details; ///< further lines as they are to be shown, each with its line end
    Span about{};        ///< for editors, which show every error at a place: what failed; not valid: the program
};

/// Collects the diagnostics of one compilation, in the order of reporting.
class Diagnostics {
public:
    /// The reference is valid until the next report. An identical (severity, message, span) is kept once:
    /// the second report returns a scratch object that is dropped.
    Diagnostic& error(Span at, std::string message);
    Diagnostic& warning(Span at, std::string message);
    /// Reports again what was reported elsewhere.
    void add(const Diagnostic&);

    /// Shown after all others, in the order of reporting.
    void unplacedError(std::string message, std::string details = {}, Span about = {});

    /// Errors with a place.
    bool hasErrors() const { return errorCount_ != 0; }
    bool hasUnplacedErrors() const { return !unplaced_.empty(); }
    size_t errorCount() const { return errorCount_; }
    const std::vector<Diagnostic>& all() const { return list_; }
    const std::vector<UnplacedError>& unplaced() const { return unplaced_; }
    /// A change of a file that would put several errors right is advised: false if it has been already. Who reports an
    /// error for each would repeat one mistake.
    bool isFirstAdvice(FileId, std::string change);
    /// Those after the first `count`: whoever asked for what they reject adds what only it knows.
    std::span<Diagnostic> since(size_t count) { return std::span(list_).subspan(count); }

private:
    friend class DiagnosticScope;
    Diagnostic& report(Severity, Span, std::string);
    std::vector<Diagnostic> list_;
    std::unordered_multimap<size_t, size_t> index_; ///< of `list_`, by a hash of what makes two identical
    std::vector<UnplacedError> unplaced_;
    std::set<std::pair<FileId, std::string>> advised_;
    Diagnostic scratch_;
    size_t errorCount_ = 0;
};

/// While it lives, what is reported is kept apart from what was reported before, which is back when it ends.
class DiagnosticScope {
public:
    explicit DiagnosticScope(Diagnostics& diags) : diags_(diags), outer_(std::exchange(diags, Diagnostics())) {}
    ~DiagnosticScope() { diags_ = std::move(outer_); }
    DiagnosticScope(const DiagnosticScope&) = delete;

private:
    Diagnostics& diags_;
    Diagnostics outer_;
};

struct RenderOptions {
    bool color = false;
    size_t maxErrors = 0; ///< errors shown per file; 0 = all
};

/// Renders in the layout of the language reference (modules-and-comptime 11): one block a diagnostic,
/// separated by an empty line; errors in order of reporting, warnings in order of position.
std::string renderDiagnostics(const SourceManager&, const Diagnostics&, const RenderOptions&);

/// The candidate nearest to `name` by edit distance, if near enough to be a plausible slip: at most a third of the
/// letters away, for names of up to three letters only with two of them swapped or in another case, and at most
/// `maxEdits` away; else "".
std::string_view nearestName(std::string_view name, const std::vector<std::string_view>& candidates,
                             size_t maxEdits = 3);

} // namespace sx
