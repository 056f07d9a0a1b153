// Places: what may be assigned, properties with setters, addresses (language 3.4, 5.1; types.md 7.5, 10.5).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerAddressOf(Body&, const ast::Unary&, TypeId target);
/// The place that an assignment goes to. Error after a report of the rules of language 3.4 and 5.1.
Value lowerPlace(Body&, const ast::Expr*, Span statement);
/// Why a local may not be assigned by its name: `the loop index …`; empty: it may.
std::string assignmentProblem(const Sema&, const Symbol& local);
bool checkAssignable(Body&, const Value& place, const ast::Expr* target, Span statement);
/// Assigns through a setter if the target is a property, which a dry run of its base tells. `handled`: it is one; then
/// the result is false after a report.
bool assignProperty(Body&, const ast::Expr* target, const ast::Expr* value, const std::optional<ast::BinaryOp>& op,
                    bool& handled, Span statement);
/// The type of the value that a property's setter takes; None: the target is no such property.
TypeId setterType(Body&, const ast::Expr* target);
/// Calls the setter of a property.
void storeProperty(Body&, const ast::Expr* target, const Value&);

} // namespace sx::lower
