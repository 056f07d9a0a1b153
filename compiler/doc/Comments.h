// Doc comments: the `//` lines above a declaration, and those at the head of a file.
#pragma once

#include "source/Source.h"

#include <string>

namespace sx::doc {

/// The comment lines directly above the line in which a position is, without `// `; "" if there are none. A line of
/// dashes with a title (`// ---- searching`) belongs to nothing.
std::string commentAbove(const SourceManager&, SourcePos);
/// The comment that begins in the first line of a file, unless a declaration follows it at once; "" if there is none.
std::string commentAtHead(const SourceManager&, FileId, SourcePos firstDeclaration, bool isImport);
/// The first sentence of a comment, in one line.
std::string firstSentence(const std::string& comment);

} // namespace sx::doc
