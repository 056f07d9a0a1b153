// Values of type `void` where a generic parameter stands for one.
#pragma once

namespace sx::lower {

struct Body;

/// Whether the body may declare, assign, pass and return what has no value: it belongs to an instance in which a
/// parameter is bound to `void`. Nothing is stored and nothing is read then. Lambdas belong to the instance they are
/// written in.
bool takesVoid(const Body&);

} // namespace sx::lower
