// The current operation: what errors that belong to a whole call or statement point at (types.md, head).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Makes `operation` the current one, until the end of its own scope.
class OperationGuard {
public:
    OperationGuard(Body& f, Span operation) : f_(f), saved_(f.modes.operation), span_(f.b.span()) {
        f.modes.operation = operation;
        f.b.setSpan(operation);
    }
    ~OperationGuard() {
        f_.modes.operation = saved_;
        f_.b.setSpan(span_);
    }
    OperationGuard(const OperationGuard&) = delete;

private:
    Body& f_;
    Span saved_, span_;
};

} // namespace sx::lower
