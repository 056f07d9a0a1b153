#include "server/features/Fixes.h"

#include "server/features/HelpEdits.h"
#include "server/features/Nodes.h"
#include "source/Paths.h"
#include "syntax/Lexer.h"
#include "syntax/Parser.h"

#include <algorithm>

namespace sx::server {

namespace {

bool isInName(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); }

class FixFinder {
public:
    FixFinder(Workspace& workspace, View& view)
        : workspace_(workspace), view_(view), a_(view.original()), path_(view.path()), file_(*a_.fileOf(path_)),
          text_(a_.sources.text(file_)), lines_(text_, view.encoding()), start_(a_.sources.start(file_).raw) {}

    std::vector<Fix> run() {
        for (const Diagnostic& d : a_.diags.all()) {
            if (!d.span.isValid() || a_.sources.fileOf(d.span.begin) != file_) continue;
            begin_ = d.span.begin.raw - start_;
            end_ = std::max(d.span.end.raw - start_, begin_);
            diagnosed_ = lines_.range(begin_, end_);
            bool isWarning = d.severity == Severity::Warning;
            for (const DiagnosticNote& n : d.notes)
                if (n.kind == DiagnosticNote::Kind::Help) help(d, n);
            ofMessage(d, isWarning);
        }
        return std::move(found_);
    }

private:
    void add(std::string title, std::string kind, uint32_t from, uint32_t to, std::string text,
             std::string allTitle = {}) {
        Fix fix{std::move(title), std::move(kind), allTitle, !allTitle.empty(), diagnosed_};
        fix.edits.push_back({path_, lines_.range(from, to), std::move(text)});
        found_.push_back(std::move(fix));
    }

    void help(const Diagnostic& d, const DiagnosticNote& n) {
        llvm::StringRef message(n.message);
        std::vector<std::string> codes = codeIn(message);
        if (n.span.isValid() && a_.sources.fileOf(n.span.begin) == file_) return placed(n, codes);
        if (message.starts_with("did you mean") && !codes.empty()) return nearest(codes.front());
        for (const std::string& code : codes)
            if (llvm::StringRef(code).contains("#import \"") && !llvm::StringRef(code).contains("…"))
                return addImport(code);
        if (message.starts_with("add the tag")) return addTags(d);
        if (message.starts_with("a tag is written") && !codes.empty()) return replaceAll(codes.front());
        if (message.starts_with("a variant is written") && !codes.empty()) return replaceAll(codes.front());
        if (message.starts_with("add `!` to its result")) return makeFailable();
        if (message.starts_with("capture it by reference")) return captureReference();
        if (message.starts_with("declare it `main ::")) return makeFailable();
        if (message.starts_with("import the headers under a name"))
            return add("Import them under a name", "name headers", begin_, begin_, "c :: ");
        uint32_t from = begin_, to = end_;
        if (isOfValue(message)) {
            Span value = valueOf(d);
            if (!value.isValid()) return;
            from = value.begin.raw - start_;
            to = value.end.raw - start_;
        }
        if (std::optional<HelpEdit> e = editOf(message, d.message, text_, from, to))
            add(e->title, "help " + e->title, e->from, e->to, e->text);
    }

    /// What the diagnostic is about in what it marks. Not valid: it is not clear.
    Span valueOf(const Diagnostic& d) {
        for (const DiagnosticNote& n : d.notes)
            if (llvm::StringRef(n.message).starts_with("this is a") && n.span.isValid() && n.span.end > n.span.begin &&
                a_.sources.fileOf(n.span.begin) == file_)
                return n.span;
        const sema::SourceFile* source = a_.sourceFile(file_);
        return source && d.subject.empty() ? valueAt(source->tree, d.span) : Span{};
    }

    /// The loop element that is written to becomes a reference, and what uses it goes through that.
    void captureReference() {
        for (uint32_t at = begin_; at < end_; ++at) {
            const Named* named = view_.nameAt(view_.posOf(at));
            const Declaration* d = named && named->target.isValid() ? view_.declarationAt(named->target) : nullptr;
            if (!d || d->kind != DeclaredKind::Local || view_.program().sources.fileOf(named->target) != view_.file())
                continue;
            Fix fix{"Capture `" + std::string(view_.textOf(d->nameSpan)) + "` by reference", "capture reference", "",
                    false, diagnosed_};
            for (const Named& use : view_.sameAs(*named)) {
                uint32_t from = view_.offsetOf(use.at.begin), to = from + (use.at.end.raw - use.at.begin.raw);
                if (use.isShort != Named::Short::No) return;
                if (use.isDeclaration) fix.edits.push_back({path_, lines_.range(from, from), "*"});
                else if (to >= text_.size() || text_[to] != '.')
                    fix.edits.push_back({path_, lines_.range(to, to), ".*"});
            }
            found_.push_back(std::move(fix));
            return;
        }
    }

    /// The function around gets an error channel.
    void makeFailable() {
        const Declaration* d = view_.functionAround(view_.posOf(begin_));
        const ast::FunctionDecl* f = d ? d->function : nullptr;
        if (!f || !f->hasBody() || !f->bodySpan().isValid() || f->bodySpan().begin <= d->nameSpan.end) return;
        if (!f->result) {
            uint32_t at = view_.offsetOf(f->bodySpan().begin);
            return add("Add `-> !`", "add channel", at, at, "-> ! ");
        }
        uint32_t from = view_.offsetOf(f->result->span.begin), to = view_.offsetOf(f->result->span.end);
        std::string type(text_.substr(from, to - from));
        bool isList = llvm::isa<ast::ResultList>(f->result) && llvm::StringRef(type).ends_with(")");
        std::string with = isList ? type.substr(0, type.size() - 1) + ", !)" : "(" + type + ", !)";
        add("Write `-> " + with + "`", "add channel", from, to, with);
    }

    /// A help with a place: something is missing there, or a whole line is shown as it should be.
    void placed(const DiagnosticNote& n, const std::vector<std::string>& codes) {
        uint32_t from = n.span.begin.raw - start_;
        llvm::StringRef message(n.message);
        if (!n.replacement.empty()) return replaceShown(n, from, n.span.end.raw - start_);
        bool isMissing = message.contains("add a `") || message.contains("is missing here");
        if (isMissing && !codes.empty())
            add("Add `" + codes.front() + "`", "missing " + codes.front(), from, from, codes.front());
    }

    /// A replacement is that of the place, or the line around it as it should be.
    void replaceShown(const DiagnosticNote& n, uint32_t from, uint32_t to) {
        uint32_t line = lines_.position(from).line, lineStart = lines_.lineStart(line);
        llvm::StringRef whole(lines_.line(line)), with(n.replacement);
        if (to < from || to - lineStart > whole.size()) return;
        llvm::StringRef before = whole.take_front(from - lineStart), after = whole.drop_front(to - lineStart);
        bool isLine = with.size() >= before.size() + after.size() && with.starts_with(before) && with.ends_with(after);
        if (isLine) with = with.drop_front(before.size()).drop_back(after.size());
        add("Write " + inBackticks(with.trim()), "shown: " + n.message, from, to, with.str());
    }

    /// Replaces the name that is wrong: the last one in what is marked.
    void nearest(const std::string& name) {
        llvm::StringRef marked = llvm::StringRef(text_).slice(begin_, end_);
        llvm::StringRef word = name;
        uint32_t from = begin_, to = end_;
        if (marked.starts_with("#import") || llvm::StringRef(name).ends_with(".sx")) {
            size_t open = marked.find('"'), close = marked.rfind('"');
            if (open == llvm::StringRef::npos || close == open) return;
            from = begin_ + static_cast<uint32_t>(open) + 1;
            to = begin_ + static_cast<uint32_t>(close);
        } else {
            bool isPlain = !marked.contains('(') && !marked.contains(' ');
            if (!isPlain) marked = marked.take_until([](char c) { return c == '(' || c == ' '; });
            to = begin_ + static_cast<uint32_t>(marked.size());
            word = word.rsplit('.').second.empty() ? word : word.rsplit('.').second;
            from = to;
            while (from > begin_ && isInName(text_[from - 1])) --from;
        }
        add("Change to `" + name + "`", "nearest name", from, to, word.str());
    }

    void replaceAll(const std::string& code) { add("Write `" + code + "`", "written so", begin_, end_, code); }

    void addImport(const std::string& code) {
        std::string line = code;
        if (line.back() != ';') line += ';';
        uint32_t at = 0;
        llvm::StringRef all(text_);
        for (size_t n = 0; n < lines_.lineCount(); ++n) {
            llvm::StringRef here(lines_.line(static_cast<uint32_t>(n)));
            bool isImport = here.starts_with("#import");
            bool isComment = here.starts_with("//");
            if (isImport || (isComment && at == lines_.lineStart(static_cast<uint32_t>(n))))
                at = n + 1 < lines_.lineCount() ? lines_.lineStart(static_cast<uint32_t>(n + 1))
                                                : static_cast<uint32_t>(text_.size());
        }
        bool needsLine = at > 0 && all[at - 1] != '\n';
        add("Add `" + line + "`", "import " + line, at, at, (needsLine ? "\n" : "") + line + "\n");
    }

    /// Into the error set that the message is about.
    void addTags(const Diagnostic& d) {
        std::vector<std::string> tags, codes = codeIn(d.message);
        for (const std::string& code : codes) {
            llvm::StringRef name(code);
            if (name.consume_front("error.")) tags.push_back(name.str());
        }
        for (const DiagnosticNote& n : d.notes) {
            if (n.kind != DiagnosticNote::Kind::Note || !n.span.isValid()) continue;
            FileId file = a_.sources.fileOf(n.span.begin);
            const sema::SourceFile* source = a_.sourceFile(file);
            if (!source || (source->isLibrary && !source->isEntry) || tags.empty()) continue;
            for (const ast::Decl* decl : source->tree.items) {
                const auto* set = llvm::dyn_cast_or_null<ast::ErrorSetDecl>(decl);
                if (!set || set->name.span.begin != n.span.begin || set->tags.empty()) continue;
                std::string list;
                for (const std::string& tag : tags) list += ", " + tag;
                LineTable lines(a_.sources.text(file), Encoding::Utf8);
                uint32_t at = set->tags.back().span.end.raw - a_.sources.start(file).raw;
                Fix fix{"Add `" + list.substr(2) + "` to `" + std::string(a_.ast.names.text(set->name.name)) + "`",
                        "add tag", "", false, diagnosed_};
                Range range = file == file_ ? lines_.range(at, at) : lines.range(at, at);
                fix.edits.push_back({a_.pathOf(file), range, list});
                found_.push_back(std::move(fix));
                return;
            }
        }
    }

    // ---- what a message says without a help

    void ofMessage(const Diagnostic& d, bool isWarning) {
        llvm::StringRef message(d.message);
        if (!isWarning && message.contains("nothing handles its error")) {
            bool mayPass = llvm::any_of(d.notes, [](const DiagnosticNote& n) {
                return n.message.find("`try`") != std::string::npos || n.message.find("`or try ") != std::string::npos;
            });
            std::string operand(text_.substr(begin_, end_ - begin_));
            if (mayPass && standsAlone()) add("Add `try`", "add try", begin_, begin_, "try ", "Add `try` to all");
            else if (mayPass) add("Add `try`", "add try", begin_, end_, "(try " + operand + ")", "Add `try` to all");
            std::string handler = yieldsValue() ? " catch { unreachable }" : " catch { }";
            bool isAlone = standsAlone() && nextByte() != '{';
            if (isAlone) add("Add `catch`", "add catch", end_, end_, handler);
            else add("Add `catch`", "add catch", begin_, end_, "(" + operand + handler + ")");
        }
        if (isWarning && message.starts_with("nothing of ")) removeLine("Remove the import", "unused import");
        if (isWarning && message.contains("no arm")) addArms(d);
        std::vector<std::string> codes = codeIn(message);
        bool isUnknown = message.starts_with("unknown name `") || message.starts_with("unknown type `") ||
                         message.starts_with("this impl is for an unknown protocol `");
        bool isUnknownSet = message.contains("names no error set: `") && message.ends_with("` is unknown");
        if ((isUnknown || isUnknownSet) && !codes.empty()) importFrom(isUnknown ? codes.front() : codes.back());
        size_t semicolon = text_.find(';', end_);
        if (isWarning && message.starts_with("nothing looks at") && !codes.empty() && semicolon != text_.npos) {
            auto after = static_cast<uint32_t>(semicolon + 1);
            add("Drop the error: `_ = " + codes.front() + "`", "drop error", after, after,
                " _ = " + codes.front() + ";");
        }
    }

    /// Byte behind what is marked that is no space; 0: there is none.
    char nextByte() const {
        llvm::StringRef after = llvm::StringRef(text_).drop_front(end_).ltrim();
        return after.empty() ? 0 : after.front();
    }

    /// No operator takes what is marked as an operand: a word in front of it, or a handler behind it, takes no more.
    bool standsAlone() const {
        llvm::StringRef before = llvm::StringRef(text_).take_front(begin_).rtrim();
        char last = before.empty() ? ';' : before.back(), next = nextByte();
        bool begins = llvm::StringRef(";{}(,[:").contains(last) || before.ends_with("=>") ||
                      before.ends_with("return") || before.ends_with("if") || before.ends_with("while") ||
                      before.ends_with("then") || before.ends_with("else");
        bool isAssigned = last == '=' && !before.ends_with("==") && !before.ends_with("!=") &&
                          !before.ends_with("<=") && !before.ends_with(">=");
        bool ends = next == 0 || llvm::StringRef(";,)}]{").contains(next);
        return (begins || isAssigned) && ends;
    }

    /// The call that is marked has a value besides its error: a handler without one has to leave.
    bool yieldsValue() {
        llvm::StringRef callee = llvm::StringRef(text_).slice(begin_, end_).take_until([](char c) { return c == '('; });
        if (callee.empty()) return true;
        const Named* named = view_.nameAt(view_.posOf(begin_ + static_cast<uint32_t>(callee.size()) - 1));
        const Declaration* d = named && named->tag == Name::None ? view_.declarationAt(named->target) : nullptr;
        return !d || !d->function || llvm::isa_and_nonnull<ast::ResultList>(d->function->result);
    }

    /// A name that another file of the open folders declares.
    void importFrom(const std::string& name) {
        std::string own = directoryOf(path_);
        for (const std::string& path : workspace_.files()) {
            const std::string* text = path == path_ || a_.fileOf(path) ? nullptr : workspace_.text(path);
            if (!text) continue;
            bool isDeclared = llvm::StringRef(*text).starts_with(name + " :");
            if (!isDeclared && text->find("\n" + name + " :") == std::string::npos) continue;
            std::string shown = path;
            llvm::StringRef below(path);
            if (below.consume_front(own + "/")) shown = below.str();
            else if (llvm::StringRef root(path); root.consume_front(workspace_.rootOf(path_) + "/")) shown = root.str();
            else continue;
            addImport("#import \"" + shown + "\"");
        }
    }

    void removeLine(const std::string& title, const std::string& kind) {
        uint32_t line = lines_.position(begin_).line;
        uint32_t to = line + 1 < lines_.lineCount() ? lines_.lineStart(line + 1) : static_cast<uint32_t>(text_.size());
        add(title, kind, lines_.lineStart(line), to, "", "Remove all unused imports");
    }

    /// In front of the brace that closes the match.
    void addArms(const Diagnostic& d) {
        std::string arms;
        std::vector<std::string> missing;
        for (const std::string& code : codeIn(d.message))
            if (code.size() > 1 && code[0] == '.') missing.push_back(code);
        size_t open = text_.find('{', begin_);
        if (open == std::string_view::npos) return;
        size_t close = open;
        int depth = 0;
        for (; close < text_.size(); ++close) {
            depth += text_[close] == '{' ? 1 : text_[close] == '}' ? -1 : 0;
            if (depth == 0) break;
        }
        if (close >= text_.size()) return;
        uint32_t line = lines_.position(static_cast<uint32_t>(close)).line;
        llvm::StringRef before = llvm::StringRef(text_).slice(lines_.lineStart(line), close);
        bool ownLine = before.trim().empty();
        std::string indent = ownLine ? before.str() + "    " : "";
        auto insert = [&](const std::string& title, const std::vector<std::string>& list, const std::string& kind) {
            std::string text;
            for (const std::string& arm : list)
                text += (ownLine ? indent : " ") + (arm == "else" ? "else:" : "case " + arm + ":") + " unreachable;" +
                        (ownLine ? "\n" : "");
            uint32_t at = ownLine ? lines_.lineStart(line) : static_cast<uint32_t>(close);
            add(title, kind, at, at, text + (ownLine ? "" : " "));
        };
        if (missing.size() > 1) insert("Add all missing arms", missing, "all arms");
        for (const std::string& arm : missing) insert("Add the arm `" + arm + "`", {arm}, "arm " + arm);
        insert("Add `else:`", {"else"}, "arm else");
    }

    Workspace& workspace_;
    View& view_;
    Analysis& a_;
    std::string path_;
    FileId file_;
    std::string_view text_;
    LineTable lines_;
    uint32_t start_, begin_ = 0, end_ = 0;
    Range diagnosed_;
    std::vector<Fix> found_;
};

} // namespace

std::vector<Fix> fixesOf(Workspace& workspace, View& view) { return FixFinder(workspace, view).run(); }

size_t syntaxErrors(const std::string& text) {
    SourceManager sources;
    AstContext ast;
    Diagnostics diags;
    FileId file = sources.addFile("text", "text", text);
    parseFile(sources, file, ast, diags);
    return diags.errorCount();
}

} // namespace sx::server
