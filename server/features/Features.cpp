#include "server/features/Features.h"

namespace sx::server {

namespace {

constexpr Feature Table[] = {
    {"sx/diagnose", diagnose},
    {"textDocument/diagnostic", pullDiagnostics},
    {"workspace/diagnostic", pullWorkspaceDiagnostics},
    {"textDocument/documentSymbol", documentSymbols},
    {"workspace/symbol", workspaceSymbols},
    {"textDocument/formatting", formatDocument},
    {"textDocument/rangeFormatting", formatLines},
    {"textDocument/onTypeFormatting", formatTyped},
    {"textDocument/foldingRange", foldingRanges},
    {"textDocument/selectionRange", selectionRanges},
    {"textDocument/hover", hover},
    {"textDocument/definition", definition},
    {"textDocument/declaration", definition},
    {"textDocument/typeDefinition", typeDefinition},
    {"textDocument/implementation", implementation},
    {"textDocument/references", references},
    {"textDocument/documentHighlight", highlights},
    {"textDocument/prepareRename", prepareRename},
    {"textDocument/rename", rename},
    {"textDocument/completion", completion},
    {"textDocument/signatureHelp", signatureHelp},
    {"textDocument/semanticTokens/full", semanticTokens},
    {"textDocument/semanticTokens/range", semanticTokensRange},
    {"textDocument/inlayHint", inlayHints},
    {"textDocument/codeAction", codeActions},
    {"textDocument/prepareCallHierarchy", prepareCalls},
    {"callHierarchy/incomingCalls", incomingCalls},
    {"callHierarchy/outgoingCalls", outgoingCalls},
    {"textDocument/prepareTypeHierarchy", prepareTypes},
    {"typeHierarchy/supertypes", supertypes},
    {"typeHierarchy/subtypes", subtypes},
    {"sx/errorPaths", errorPaths},
    {"textDocument/codeLens", codeLenses},
    {"textDocument/documentLink", documentLinks},
};

json::Object textCapabilities() {
    return json::Object{{"openClose", true}, {"change", 2}, {"save", json::Object{{"includeText", false}}}};
}

} // namespace

const Feature* findFeature(llvm::StringRef method) {
    for (const Feature& f : Table)
        if (method == f.method) return &f;
    return nullptr;
}

json::Object capabilities(const Settings& settings) {
    const char* encodings[] = {"utf-8", "utf-16", "utf-32"};
    json::Object folders{{"supported", true}, {"changeNotifications", true}};
    json::Object all{
        {"positionEncoding", encodings[static_cast<size_t>(settings.encoding)]},
        {"textDocumentSync", textCapabilities()},
        {"diagnosticProvider",
         json::Object{{"identifier", "sx"}, {"interFileDependencies", true}, {"workspaceDiagnostics", false}}},
        {"documentSymbolProvider", true},
        {"workspaceSymbolProvider", true},
        {"documentFormattingProvider", true},
        {"documentRangeFormattingProvider", true},
        {"documentOnTypeFormattingProvider",
         json::Object{{"firstTriggerCharacter", "}"}, {"moreTriggerCharacter", json::Array{";", "\n"}}}},
        {"foldingRangeProvider", true},
        {"selectionRangeProvider", true},
        {"workspace", json::Object{{"workspaceFolders", std::move(folders)}}},
        {"hoverProvider", true},
        {"definitionProvider", true},
        {"declarationProvider", true},
        {"typeDefinitionProvider", true},
        {"implementationProvider", true},
        {"referencesProvider", true},
        {"documentHighlightProvider", true},
        {"renameProvider", json::Object{{"prepareProvider", true}}},
        {"completionProvider", json::Object{{"triggerCharacters", json::Array{".", "\"", "/"}}}},
        {"signatureHelpProvider",
         json::Object{{"triggerCharacters", json::Array{"(", ","}}, {"retriggerCharacters", json::Array{")"}}}},
        {"semanticTokensProvider",
         json::Object{{"legend", tokenLegend()}, {"range", true}, {"full", json::Object{{"delta", true}}}}},
        {"inlayHintProvider", true},
        {"codeActionProvider", json::Object{{"codeActionKinds", json::Array{"quickfix", "source.fixAll"}}}},
        {"callHierarchyProvider", true},
        {"typeHierarchyProvider", true},
        {"codeLensProvider", json::Object{{"resolveProvider", false}}},
        {"documentLinkProvider", json::Object{{"resolveProvider", false}}},
        {"experimental", json::Object{{"errorPathsProvider", true}}},
    };
    return all;
}

} // namespace sx::server
