// Tags that arms of matches on errors name (errors.md 2). They need not be in the set of the subject, but a tag that no
// error of the program can have is a slip of the pen.
#include "sema/passes/Passes.h"

#include "sema/ErrorSets.h"
#include "sema/Notes.h"
#include "sema/Wording.h"
#include "syntax/Lexer.h"

namespace sx::sema {

using namespace ast;

namespace {

/// The tags of the error sets that files declare, and those that lowered code raises: enough for most programs.
llvm::DenseSet<Name> tagsAtHand(Sema& sema) {
    llvm::DenseSet<Name> tags;
    for (const auto& file : sema.program.files)
        for (const Decl* d : file->items)
            if (const auto* set = llvm::dyn_cast<ErrorSetDecl>(d))
                for (const Ident& tag : set->tags) tags.insert(tag.name);
    for (const ErrorNode* node : sema.errorSets.nodes)
        for (uint32_t id : node->tags) tags.insert(sema.types.tags()[id - 1]);
    return tags;
}

/// Every `error.Tag` and `error { … }` that is written, in code that nothing reaches and in inserted text too. Only a
/// pattern makes no error.
void addWrittenTags(Sema& sema, llvm::DenseSet<Name>& tags) {
    for (size_t f = 0; f < sema.sources.fileCount(); ++f) {
        std::vector<Token> tokens = lexFile(sema.sources, static_cast<FileId>(f), sema.names);
        for (size_t i = 0; i + 2 < tokens.size(); ++i) {
            if (tokens[i].kind != TokenKind::KwError) continue;
            bool isPattern = i > 0 && tokens[i - 1].kind == TokenKind::KwCase;
            if (tokens[i + 1].kind == TokenKind::Dot && !isPattern) tags.insert(tokens[i + 2].name());
            if (tokens[i + 1].kind != TokenKind::LBrace) continue;
            for (size_t k = i + 2; k < tokens.size() && tokens[k].kind != TokenKind::RBrace; ++k)
                if (isIdentLike(tokens[k].kind)) tags.insert(tokens[k].name());
        }
    }
}

} // namespace

void checkMatchedTags(Sema& sema) {
    if (sema.errorSets.matched.empty()) return;
    llvm::DenseSet<Name> known = tagsAtHand(sema);
    auto isUnknown = [&](const MatchedTag& m) { return !known.contains(m.tag); };
    if (llvm::none_of(sema.errorSets.matched, isUnknown)) return;
    addWrittenTags(sema, known);
    std::vector<std::string_view> candidates;
    for (Name n : known) candidates.push_back(sema.names.text(n));
    llvm::sort(candidates);
    for (const MatchedTag& m : sema.errorSets.matched)
        if (isUnknown(m)) {
            Diagnostic& d =
                sema.diags.error(m.at, "no error set has the tag " + code(sema, m.tag) + ", and nothing raises it");
            suggest(sema.diags, d, sema.names.text(m.tag), candidates, ".");
        }
}

} // namespace sx::sema
