// Places: what may be assigned, properties with setters, addresses (language 3.4, 5.1; types.md 7.5, 10.5).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerAddressOf(Body&, const ast::Unary&, TypeId target);
/// An assignable place; reports the rules of language 3.4, 5.1 (`at`: the target; `statement`: whole statement).
Value lowerPlace(Body&, const ast::Expr*, Span statement);
bool checkAssignable(Body&, const Value& place, const ast::Expr* target, Span statement);
/// Assigns through a property setter if the target is one.
/// (Its base is looked at by a dry run.) `handled`: it is a property; then the result is false after a report.
bool assignProperty(Body&, const ast::Expr* target, const ast::Expr* value, const std::optional<ast::BinaryOp>& op,
                    bool& handled, Span statement);
/// Value type of a property with a setter; None: no property (Places.cpp).
TypeId setterType(Body&, const ast::Expr* target);
/// Calls the setter (Places.cpp).
void storeProperty(Body&, const ast::Expr* target, const Value&);

} // namespace sx::lower
