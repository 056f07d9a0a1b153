// The requests that are answered from texts and programs: their names, and the functions that answer.
#pragma once

#include "server/program/Workspace.h"
#include "server/protocol/Json.h"

namespace sx::server {

/// Answers a request about a workspace. Parameters that are missing give an empty result or an error, never more.
using Handler = Reply (*)(Workspace&, const json::Object& params);

struct Feature {
    const char* method;
    Handler answer;
};

/// Null: no feature has this method. `sx/diagnose` is one that the server itself asks.
const Feature* findFeature(llvm::StringRef method);

/// What a server says of itself in `initialize`.
json::Object capabilities(const Settings&);
/// The legend of semantic tokens.
json::Object tokenLegend();

// ---- one a file
Reply diagnose(Workspace&, const json::Object&);
Reply pullDiagnostics(Workspace&, const json::Object&);
Reply pullWorkspaceDiagnostics(Workspace&, const json::Object&);
Reply documentSymbols(Workspace&, const json::Object&);
Reply workspaceSymbols(Workspace&, const json::Object&);
Reply formatDocument(Workspace&, const json::Object&);
Reply formatLines(Workspace&, const json::Object&);
Reply formatTyped(Workspace&, const json::Object&);
Reply foldingRanges(Workspace&, const json::Object&);
Reply selectionRanges(Workspace&, const json::Object&);
Reply hover(Workspace&, const json::Object&);
Reply definition(Workspace&, const json::Object&);
Reply typeDefinition(Workspace&, const json::Object&);
Reply implementation(Workspace&, const json::Object&);
Reply references(Workspace&, const json::Object&);
Reply highlights(Workspace&, const json::Object&);
Reply prepareRename(Workspace&, const json::Object&);
Reply rename(Workspace&, const json::Object&);
Reply completion(Workspace&, const json::Object&);
Reply signatureHelp(Workspace&, const json::Object&);
Reply semanticTokens(Workspace&, const json::Object&);
Reply semanticTokensRange(Workspace&, const json::Object&);
Reply inlayHints(Workspace&, const json::Object&);
Reply codeActions(Workspace&, const json::Object&);
Reply prepareCalls(Workspace&, const json::Object&);
Reply incomingCalls(Workspace&, const json::Object&);
Reply outgoingCalls(Workspace&, const json::Object&);
Reply prepareTypes(Workspace&, const json::Object&);
Reply supertypes(Workspace&, const json::Object&);
Reply subtypes(Workspace&, const json::Object&);
Reply errorPaths(Workspace&, const json::Object&);
Reply codeLenses(Workspace&, const json::Object&);
Reply documentLinks(Workspace&, const json::Object&);

} // namespace sx::server
