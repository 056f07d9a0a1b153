// What a user says of functions of C that the interpreter does not know, so that they can be recorded: a file of JSON.
#pragma once

#include "source/Result.h"
#include "vm/time/KnownCalls.h"

namespace sx::vm {

/// Adds the functions of the file to those that are known, and gives its text. Fails with a sentence that names the
/// file and what is wrong with it; docs/recording.md has the form.
Result<std::string> readRecordSpec(const std::string& path, KnownCalls& into);
/// The same for a text; the sentence does not name the file.
Result<void> parseRecordSpec(std::string_view text, KnownCalls& into);

} // namespace sx::vm
