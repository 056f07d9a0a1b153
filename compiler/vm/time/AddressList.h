// The list that getaddrinfo gives: memory of C that points into itself. It is kept in one piece, with distances in
// place of addresses, so that it can be put anywhere.
#pragma once

#include <cstdint>
#include <string>

namespace sx::vm {

/// The list at this address of C, and all that it points to.
std::string flattenAddressList(uint64_t list);
/// Turns the distances in a copy of such a piece into addresses. False: it is no such piece.
bool placeAddressList(uint64_t copy, uint64_t size);

} // namespace sx::vm
