// Text by the columns that it takes on a screen.
#pragma once

#include <string>
#include <string_view>

namespace sx::terminal {

/// Text that can be put on a screen: tabs become spaces up to the next multiple
/// of eight columns, other control characters `^X`, bytes that are no UTF-8
/// `\xNN`.
std::string printable(std::string_view text);

/// Columns that printable text takes: wide characters two, combining ones none.
size_t columnsOf(std::string_view text);

/// The part of printable text from a column on that fits into so many columns.
/// A wide character that is cut becomes a space.
std::string cut(std::string_view text, size_t from, size_t columns);

/// The same, padded with spaces to exactly so many columns; where something is
/// cut at the end it ends in `…`.
std::string fit(std::string_view text, size_t columns);

/// The index of the character before or after one, of UTF-8.
size_t before(std::string_view text, size_t at);
size_t after(std::string_view text, size_t at);

} // namespace sx::terminal
