// What the checker needs of an interpreter, without knowing it: the driver supplies the implementation.
#pragma once

#include "ir/Ir.h"

#include <functional>
#include <string>
#include <vector>

namespace sx::ir {

/// The outcome of a compile-time evaluation.
struct ComptimeResult {
    bool ok = false;
    ConstData value;     ///< the bytes of the result, pointers as relocations (new globals are added to the module)
    std::string error;   ///< why it stopped: "division by zero", "index 4 out of range for length 3", …
    Span errorAt;        ///< position inside the evaluated code, if known
    struct Call { FuncId func; Span at; };
    std::vector<Call> calls;     ///< where it stopped, innermost first, down to the evaluated function: without what is omitted
    uint64_t callsOmitted = 0;   ///< in the middle of `calls`, after its first half
    uint32_t errorTag = 0;   ///< an error escaped (`#run` of a failable): its tag id
    std::string trace;       ///< its return trace, rendered as traces.md 6
    bool exited = false;     ///< the code called process.exit
    int exitCode = 0;
};

class ComptimeEvaluator {
public:
    virtual ~ComptimeEvaluator() = default;
    /// Runs `f`, which takes the context (if it has one) and nothing else, and bakes its result. Functions are
    /// requested through `materialize` at their first call; it returns false if the function has errors.
    /// What the code writes to standard output is appended to `output`; null: written at once.
    virtual ComptimeResult evaluate(Module&, FuncId f, const std::function<bool(FuncId)>& materialize, std::string* output) = 0;
};

} // namespace sx::ir
