// Hovers and definitions in programs of the corpus are what the compiler says: `typeOf` of the expression, and the
// symbol that its check has found.
#include "lower/Question.h"
#include "server/features/Features.h"
#include "server/text/Uri.h"
#include "source/StackDepth.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace sx;
using namespace sx::server;

namespace {

/// Every n-th program, in the order of their names.
std::vector<std::string> sample(size_t step) {
    std::vector<std::string> all, some;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SX_SOURCE_DIR "/tests/corpus"))
        if (entry.path().extension() == ".sx") all.push_back(entry.path().string());
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
    return some;
}

json::Object paramsAt(View& view, SourcePos pos) {
    return json::Object{{"textDocument", json::Object{{"uri", uriOfPath(view.path())}}},
                        {"position", toJson(view.range({pos, pos}).start)}};
}

/// The type in `name: type`, the first line of code of a hover.
std::string typeShown(const Reply& hover, const std::string& name) {
    const json::Object* result = hover.result.getAsObject();
    const json::Object* contents = result ? result->getObject("contents") : nullptr;
    std::string text = contents ? contents->getString("value").value_or("").str() : "";
    std::string begin = name + ": ";
    return text.compare(0, begin.size(), begin) == 0 ? text.substr(begin.size(), text.find('\n') - begin.size()) : "?";
}

struct Compared {
    size_t types = 0, targets = 0;
    std::vector<std::string> differences;
};

void compareTypes(Workspace& workspace, View& view, Compared& out) {
    for (const NameExpr& e : view.names(view.file()).expressions) {
        const Named* named = view.nameAt(e.begin);
        const Declaration* d = named && named->tag == Name::None ? view.declarationAt(named->target) : nullptr;
        bool isValue = d && (d->kind == DeclaredKind::Global || d->kind == DeclaredKind::Field ||
                             d->kind == DeclaredKind::Parameter || d->kind == DeclaredKind::Local);
        if (!isValue) continue;
        lower::Answer answer = lower::typeOf(*view.program().sema, *e.expr, e.expr->span.begin);
        if (!answer.errors.empty() || answer.type == TypeId::None) continue;
        std::string name(view.program().ast.names.text(d->name));
        std::string shown = typeShown(hover(workspace, paramsAt(view, e.begin)), name);
        ++out.types;
        if (shown != answer.typeText)
            out.differences.push_back(view.path() + ": `" + name + "` is " + answer.typeText + ", shown " + shown);
    }
}

void compareTargets(View& view, Compared& out) {
    for (const sema::Use& use : view.program().sema->uses->all) {
        if (!use.symbol || !use.at.isValid() || use.at.end <= use.at.begin) continue;
        const SourceManager& sources = view.program().sources;
        if (sources.fileOf(use.at.begin) != view.file() || !view.declarationAt(use.symbol->nameSpan.begin)) continue;
        // Inserted code and defaults stand elsewhere than what they name.
        if (sources.textOf(use.at) != sources.textOf(use.symbol->nameSpan)) continue;
        const Named* named = view.nameAt(use.at.begin);
        ++out.targets;
        if (!named || named->target != use.symbol->nameSpan.begin)
            out.differences.push_back(view.path() + ": another target of `" + std::string(sources.textOf(use.at)) +
                                      "` at " + std::to_string(view.range(use.at).start.line + 1));
    }
}

} // namespace

TEST_CASE("hovers and definitions in the corpus are what the compiler says") {
    Settings settings;
    settings.markdown = false;
    Compared compared;
    withLargeStack([&] {
        for (const std::string& path : sample(40)) {
            EditorTexts::Map texts;
            Workspace workspace(settings, texts);
            View* view = workspace.view(path);
            if (!view || !view->program().fileOf(path)) continue;
            compareTargets(*view, compared);
            compareTypes(workspace, *view, compared);
        }
    });
    CHECK(compared.types > 200);
    CHECK(compared.targets > 200);
    for (const std::string& difference : compared.differences) UNSCOPED_INFO(difference);
    CHECK(compared.differences.empty());
}
