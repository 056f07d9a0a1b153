// A file by itself, without what it imports: for requests that need no more.
#pragma once

#include "server/program/Workspace.h"
#include "syntax/Lexer.h"
#include "syntax/Parser.h"

#include <memory>

namespace sx::server {

/// The text, tokens and tree of one file. The tree may lack parts where the text does not parse.
struct Syntax {
    SourceManager sources;
    AstContext ast;
    Diagnostics diags;
    FileId file{};
    ast::File tree;
    std::vector<Token> tokens;
    std::unique_ptr<LineTable> lines;

    uint32_t offset(SourcePos p) const { return p.raw - sources.start(file).raw; }
    SourcePos at(uint32_t offset) const { return sources.start(file) + offset; }
    Range range(Span s) const { return lines->range(offset(s.begin), std::max(offset(s.end), offset(s.begin))); }
    std::string_view text() const { return sources.text(file); }
    std::string_view textOf(Span s) const { return s.isValid() && s.end >= s.begin ? sources.textOf(s) : ""; }
};

/// Null: there is no such file.
std::unique_ptr<Syntax> readSyntax(Workspace&, const std::string& path);

} // namespace sx::server
