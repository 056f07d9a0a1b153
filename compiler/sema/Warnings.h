// What is collected about the program while it is checked and said at the end, as warnings (docs/warnings.md).
#pragma once

#include "source/Source.h"

#include "llvm/ADT/ArrayRef.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sx::sema {

struct Sema;
struct ErrorNode;

enum class WarningKind : uint8_t {
    MissingArm,
    NoEffect,
    UnreadError,
    FrameArray,
    LostWrite,
    FormatText,
    UnreachableCatch,
    NeverFails,
    UnusedImport,
    SharedName,
};

/// The warnings of one program.
struct Warnings {
    struct Found {
        WarningKind kind{};
        Span at;
        std::string message, help;
    };
    std::vector<Found> found;
    std::set<std::pair<WarningKind, SourcePos>> known, refuted;

    /// A `catch` that nothing reaches if the errors of its operand turn out to be none.
    struct Catch {
        const ErrorNode* errors = nullptr;
        Span at;
    };
    std::vector<Catch> catches;
    /// A match that yields a value, over errors that are inferred: which have no arm?
    struct ErrorMatch {
        const ErrorNode* errors = nullptr;
        std::vector<uint64_t> arms;
        Span at;
    };
    std::vector<ErrorMatch> errorMatches;
};

/// A match without `else` yields a value, and what `missing` names has no arm.
void warnOfMissingArms(Sema&, Span subject, llvm::ArrayRef<std::string> missing);

/// A warning, if `at` lies in a file of the program (an invalid span: in any case). The first of a kind at a place
/// counts, so the instances of a generic function give one.
void warn(Sema&, WarningKind, Span at, std::string message, std::string help = {});
/// Hands the warnings to the diagnostics, in order of position. Those about bodies only if all bodies are right.
void reportWarnings(Sema&);
/// What the solution of the error sets tells.
void warnOfSolvedErrors(Sema&);

/// Some instance shows that there is nothing to warn of at this place.
void refuteWarning(Sema&, WarningKind, Span at);

/// A `catch` deserves a warning if the errors of its operand turn out to be none.
void noteCatch(Sema&, const ErrorNode* errors, Span keyword);
/// A match over inferred errors yields a value: which errors have none of these arms?
void noteErrorMatch(Sema&, const ErrorNode* errors, std::vector<uint64_t> arms, Span subject);

} // namespace sx::sema
