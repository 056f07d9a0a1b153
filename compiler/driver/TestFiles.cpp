#include "driver/TestFiles.h"

#include "driver/Report.h"
#include "driver/SourceFolder.h"
#include "source/Files.h"
#include "syntax/Parser.h"
#include "syntax/Tests.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <set>

namespace sx::driver {

namespace {

class Finder {
public:
    explicit Finder(const Invocation& in) : in_(in) {}

    Result<std::vector<TestFile>> run() {
        std::vector<std::string> given = in_.files;
        if (given.empty()) given.push_back(".");
        for (const std::string& path : given) {
            Result<void> added = llvm::sys::fs::is_directory(path) ? addFolder(path) : addFile(path, true);
            if (!added) return added.failure();
        }
        const bool hasFilter = !in_.testFilters.empty();
        bool isAny = false;
        for (const TestFile& file : files_) isAny |= !file.tests.empty() || !file.parses;
        if (!isAny && hasFilter && hasTests_) return Failure{"no test matches " + code(in_.testFilters[0])};
        if (!isAny) return Failure{"no tests found; a test is a function `test_…` without parameters"};
        return std::move(files_);
    }

private:
    Result<void> addFolder(const std::string& folder) {
        Result<std::vector<std::string>> found = sourcesBelow(folder);
        if (!found) return found.failure();
        for (const std::string& path : *found)
            if (Result<void> added = addFile(path, false); !added) return added;
        return {};
    }

    bool isWanted(std::string_view name) const {
        if (in_.testFilters.empty()) return true;
        return std::any_of(in_.testFilters.begin(), in_.testFilters.end(), [&](const std::string& filter) {
            return in_.testExact ? name == filter : name.find(filter) != std::string_view::npos;
        });
    }

    /// `isGiven`: by name, so it must have tests.
    Result<void> addFile(const std::string& path, bool isGiven) {
        if (!seen_.insert(path).second) return {};
        Result<std::string> text = readTextFile(path);
        if (!text && isGiven) return Failure{"cannot read " + code(path) + ": " + text.error()};
        if (!text || (!isGiven && text->find("test_") == std::string::npos)) return {};
        SourceManager sources;
        AstContext ast;
        Diagnostics diags;
        const FileId id = sources.addFile(path, path, std::move(*text));
        const ast::File tree = parseFile(sources, id, ast, diags);
        const TestFunctions found = testsOf(tree, ast.names);
        TestFile file{path, {}, !diags.hasErrors()};
        hasTests_ |= !found.tests.empty();
        if (found.tests.empty() && isGiven && file.parses) return Failure{code(path) + " has no tests"};
        if (found.tests.empty() && !(isGiven || llvm::StringRef(path).ends_with("_test.sx"))) return {};
        for (const ast::FunctionDecl* test : found.tests) {
            const std::string_view name = ast.names.text(test->name.name);
            const Location at = sources.resolve(test->name.span.begin);
            if (isWanted(name)) file.tests.push_back({std::string(name), at.line, at.col});
        }
        for (const ast::FunctionDecl* other : found.withValue) {
            const std::string message = code(ast.names.text(other->name.name)) + " at " +
                                        sources.placeOf(other->name.span.begin) + " yields a value, so it is no test";
            if (in_.warnings == WarningPolicy::Error) return Failure{message};
            printWarning(in_, message);
        }
        if (!file.tests.empty() || !file.parses) files_.push_back(std::move(file));
        return {};
    }

    const Invocation& in_;
    std::vector<TestFile> files_;
    std::set<std::string> seen_;
    bool hasTests_ = false; ///< before the filters
};

} // namespace

Result<std::vector<TestFile>> findTests(const Invocation& in) { return Finder(in).run(); }

} // namespace sx::driver
