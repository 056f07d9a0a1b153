// What is said about a declaration: in hovers, completions and signature help.
#pragma once

#include "server/program/View.h"

#include <string>

namespace sx::server {

/// How it is declared, in code: `parse :: (s: string) -> (i64, !E)`, `count: i64`. `type` is what a variable or field
/// has at the place in question; "": what it is declared with.
std::string signatureOf(View&, const Declaration&, const std::string& type = {});
/// The comment directly above it, without its slashes. "": there is none.
std::string commentOf(View&, const Declaration&);
/// The type of a variable, parameter, field or constant, as a program writes it. "": nothing is known.
std::string typeOf(View&, const Declaration&);
/// The type that the check gives a variable, parameter or field where it is used: a field of a generic type has that of
/// the instance. "": nothing more is known than from the declaration.
std::string typeOfUse(View&, const Named&);
/// The same as an id; None: nothing more is known.
TypeId typeOfUseId(View&, const Named&);
/// The value of a constant. "": it is none, or unknown.
std::string valueOf(View&, const Declaration&);
/// The instance of a function that the check looked at first. Null: it was not looked at.
sema::FunctionInstance* instanceOf(View&, const ast::FunctionDecl&);
/// The nominal type that a declaration makes. None: it makes none.
TypeId typeDeclared(View&, const Declaration&);
/// The tags that a function may end with in any instance, in alphabetical order.
std::vector<Name> tagsOf(View&, const ast::FunctionDecl&);
/// The same; where the result names a set, the tags of the set.
std::vector<Name> errorsOf(View&, const ast::FunctionDecl&);
/// The same of one instance.
std::vector<Name> errorsOf(View&, const sema::FunctionInstance&);
/// A text about a member of a generic type, as it is in the instance `owner`: with its arguments for the parameters.
std::string inInstance(View&, const Declaration& member, TypeId owner, const std::string& text);
/// A text without line breaks and with single spaces.
std::string inOneLine(std::string_view);

} // namespace sx::server
