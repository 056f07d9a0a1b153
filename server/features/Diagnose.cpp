// What is wrong with a file, as `sx check --all` says.
#include "server/features/Diagnostics.h"
#include "server/features/Features.h"
#include "server/features/HelpEdits.h"
#include "server/text/Uri.h"
#include "source/Paths.h"

#include "llvm/Support/xxhash.h"

#include <map>

namespace sx::server {

namespace {

/// What nothing needs is shown faded.
bool isUnused(llvm::StringRef message) {
    return message.starts_with("nothing of ") || message.starts_with("nothing looks at") ||
           message.starts_with("nothing can reach");
}

/// With the text that a terminal shows below it.
std::string helpText(const DiagnosticNote& n) {
    if (n.replacement.empty()) return n.message;
    std::string code = llvm::StringRef(n.replacement).trim().str();
    return n.message + (llvm::StringRef(n.message).ends_with("?") ? " " : ": ") + inBackticks(code);
}

class Collector {
public:
    Collector(View& view, json::Array& out) : view_(view), a_(view.original()), out_(out) {}

    void run() {
        std::optional<FileId> own = a_.fileOf(view_.path());
        if (!own) return;
        own_ = *own;
        lines_ = std::make_unique<LineTable>(a_.sources.text(own_), view_.encoding());
        for (const Diagnostic& d : a_.diags.all()) add(d);
        for (const UnplacedError& e : a_.diags.unplaced()) add(e);
    }

private:
    Range range(Span span) {
        FileId file = a_.sources.fileOf(span.begin);
        uint32_t start = a_.sources.start(file).raw;
        LineTable other("", view_.encoding());
        const LineTable* lines = lines_.get();
        if (file != own_) {
            other = LineTable(a_.sources.text(file), view_.encoding());
            lines = &other;
        }
        return lines->range(span.begin.raw - start, std::max(span.end.raw, span.begin.raw) - start);
    }

    static json::Object make(Range range, int severity, const std::string& message) {
        return json::Object{
            {"range", toJson(range)}, {"severity", severity}, {"source", "sx"}, {"message", json::fixUTF8(message)}};
    }

    /// The import through which another file came in.
    Range importOf(FileId file) {
        for (const auto& f : a_.sema->program.files) {
            if (f->id != own_) continue;
            for (const ast::Decl* d : f->tree.items) {
                const auto* import = llvm::dyn_cast_or_null<ast::ImportDecl>(d);
                llvm::StringRef path = a_.sources.path(file);
                if (import && path.ends_with(import->path)) return range(d->span);
            }
        }
        return {};
    }

    void addRelated(json::Array& related, Span span, const std::string& message) {
        std::string path = span.isValid() ? a_.pathOf(a_.sources.fileOf(span.begin)) : "";
        if (path.empty()) return;
        related.push_back(json::Object{{"location", location(path, range(span))}, {"message", json::fixUTF8(message)}});
    }

    /// A line of a trace, `function at path:line:column`, as a place. False: it is none.
    bool addFrame(json::Array& related, llvm::StringRef line) {
        line = line.trim();
        if (line.ends_with(")")) line = line.drop_back();
        auto [rest, column] = line.rsplit(':');
        auto [head, row] = rest.rsplit(':');
        unsigned atLine = 0, atColumn = 0;
        if (row.getAsInteger(10, atLine) || column.getAsInteger(10, atColumn) || !atLine || !atColumn) return false;
        size_t open = std::max(head.rfind(" at ") + 4, head.rfind('(') + 1); // npos + 1 is 0
        std::optional<FileId> file = a_.fileOf(joinPath(a_.workingDirectory, head.drop_front(open).str()));
        if (!file) return false;
        LineTable lines(a_.sources.text(*file), Encoding::Utf8);
        uint32_t offset = lines.offset({atLine - 1, atColumn - 1});
        SourcePos pos = a_.sources.start(*file) + offset;
        llvm::StringRef function = head.take_front(open).rtrim(" (");
        function.consume_back(" at");
        addRelated(related, {pos, pos + 1}, function.str());
        return true;
    }

    /// A failure of code that runs while compiling: at what needed it, with its trace as places.
    void add(const UnplacedError& e) {
        bool isPlaced = e.about.isValid() && !a_.pathOf(a_.sources.fileOf(e.about.begin)).empty();
        bool isOwn = isPlaced && a_.sources.fileOf(e.about.begin) == own_;
        Range at = isOwn ? range(e.about) : isPlaced ? importOf(a_.sources.fileOf(e.about.begin)) : Range{};
        json::Array related;
        std::string message = e.message, rest;
        llvm::SmallVector<llvm::StringRef> lines;
        llvm::StringRef(e.details).split(lines, '\n', -1, false);
        bool isShown = false; // the code of the frame before
        for (llvm::StringRef line : lines) {
            if (isPlaced && line.starts_with("help: ")) addRelated(related, e.about, line.str());
            else if (addFrame(related, line)) isShown = true;
            else if (isShown && line.starts_with("    ")) continue;
            else rest += "\n" + line.str();
        }
        if (!isPlaced) message += rest;
        json::Object made = make(at, 1, message);
        if (!related.empty()) made["relatedInformation"] = std::move(related);
        out_.push_back(std::move(made));
    }

    void add(const Diagnostic& d) {
        std::string message = d.subject.empty() ? d.message : d.subject + ": " + d.message;
        bool isOwn = d.span.isValid() && a_.sources.fileOf(d.span.begin) == own_;
        bool isError = d.severity == Severity::Error;
        if (!isOwn && !isError) return; // of another file, which shows it itself
        Range at = isOwn ? range(d.span) : d.span.isValid() ? importOf(a_.sources.fileOf(d.span.begin)) : Range{};
        json::Array related;
        if (!isOwn && d.span.isValid()) {
            addRelated(related, d.span, message);
            message = "in " + std::string(a_.sources.path(a_.sources.fileOf(d.span.begin))) + ": " + message;
        }
        json::Object made = make(at, isError ? 1 : 2, message);
        for (const DiagnosticNote& n : d.notes)
            if (n.kind == DiagnosticNote::Kind::Note) addRelated(related, n.span, n.message);
        for (const DiagnosticNote& n : d.notes)
            if (n.kind == DiagnosticNote::Kind::Help)
                addRelated(related, n.span.isValid() ? n.span : d.span, "help: " + helpText(n));
        if (!related.empty()) made["relatedInformation"] = std::move(related);
        if (!isError && isUnused(d.message)) made["tags"] = json::Array{1};
        out_.push_back(std::move(made));
    }

    View& view_;
    Analysis& a_;
    json::Array& out_;
    FileId own_{};
    std::unique_ptr<LineTable> lines_;
};

} // namespace

json::Array diagnosticsOf(View& view) {
    json::Array all;
    Collector(view, all).run();
    return all;
}

Reply diagnose(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    return {view ? json::Value(diagnosticsOf(*view)) : json::Value(json::Array{})};
}

/// What tells two lists apart, for clients that have one already.
static std::string resultId(const json::Array& items) {
    return std::to_string(llvm::xxh3_64bits(textOf(json::Value(json::Array(items)))));
}

Reply pullDiagnostics(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    json::Array items = view ? diagnosticsOf(*view) : json::Array{};
    std::string id = resultId(items);
    if (params.getString("previousResultId") == std::optional<llvm::StringRef>(id))
        return {json::Object{{"kind", "unchanged"}, {"resultId", id}}};
    return {json::Object{{"kind", "full"}, {"resultId", id}, {"items", std::move(items)}}};
}

/// Of all open documents: those of other files are nobody's work yet.
Reply pullWorkspaceDiagnostics(Workspace& workspace, const json::Object& params) {
    std::map<std::string, std::string> previous;
    if (const json::Array* known = params.getArray("previousResultIds"))
        for (const json::Value& v : *known)
            if (const json::Object* o = v.getAsObject())
                if (auto uri = o->getString("uri"), id = o->getString("value"); uri && id)
                    previous[pathOfUri(*uri)] = id->str();
    json::Array all;
    for (const std::string& path : workspace.files()) {
        View* view = workspace.isOpen(path) ? workspace.view(path) : nullptr;
        if (!view) continue;
        json::Array items = diagnosticsOf(*view);
        std::string id = resultId(items);
        json::Object report{{"uri", json::fixUTF8(uriOfPath(path))}, {"version", nullptr}, {"resultId", id}};
        bool isKnown = previous.count(path) && previous[path] == id;
        report["kind"] = isKnown ? "unchanged" : "full";
        if (!isKnown) report["items"] = std::move(items);
        all.push_back(std::move(report));
    }
    return {json::Object{{"items", std::move(all)}}};
}

} // namespace sx::server
