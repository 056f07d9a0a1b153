#include "SyntaxFixture.h"

namespace sx::test {
namespace {

std::string withoutSpan(std::string line) {
    if (line.empty() || line.back() != '>') return line;
    const size_t open = line.rfind(" <");
    const bool isSpan =
        open != std::string::npos && line.find_first_not_of("0123456789:->", open + 2) == std::string::npos;
    return isSpan ? line.substr(0, open) : line;
}

/// The indented lines of a dump as nested parentheses.
std::string nest(const std::string& dump) {
    std::string out;
    size_t depth = 0;
    bool first = true;
    for (size_t at = 0; at < dump.size();) {
        const size_t end = dump.find('\n', at);
        const size_t text = dump.find_first_not_of(' ', at);
        const size_t level = (text - at) / 2;
        if (!first) {
            if (level > depth) out += "(";
            else out += std::string(depth - level, ')') + ", ";
        }
        out += withoutSpan(dump.substr(text, end - text));
        depth = level;
        first = false;
        at = end + 1;
    }
    return out + std::string(depth, ')');
}

/// What is left of the tree of `before + text + after` between the trees around it.
std::string treeOf(const std::string& text, const std::string& before, const std::string& after,
                   const std::string& prefix, const std::string& suffix) {
    const Parsed parsed(before + text + after);
    if (parsed.diags.hasErrors()) return "error: " + parsed.diags.all().front().message;
    const std::string tree = parsed.tree();
    if (tree.rfind(prefix, 0) != 0 || tree.size() < prefix.size() + suffix.size()) return "unexpected: " + tree;
    return tree.substr(prefix.size(), tree.size() - prefix.size() - suffix.size());
}

} // namespace

Parsed::Parsed(std::string text)
    : file(sources.addFile("t.sx", "t.sx", std::move(text))), ast(parseFile(sources, file, context, diags)) {}

std::string Parsed::dump() const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    dumpAst(sources, context, ast, stream);
    stream.flush();
    return out;
}

std::string Parsed::tree() const { return nest(dump()); }

std::string Parsed::positions() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) {
        const Location at = sources.resolve(d.span.begin);
        out += (out.empty() ? "" : " ") + std::to_string(at.line) + ":" + std::to_string(at.col);
    }
    return out;
}

bool Parsed::helpContains(std::string_view text) const {
    for (const Diagnostic& d : diags.all())
        for (const DiagnosticNote& note : d.notes)
            if (note.kind == DiagnosticNote::Kind::Help &&
                (note.message.find(text) != std::string::npos || note.replacement.find(text) != std::string::npos))
                return true;
    return false;
}

std::string exprTree(const std::string& expr) {
    return treeOf(expr, "f :: () { _ = ", "; }", "File t.sx(Function f(body: Block(Assign =(Name _, ", "))))");
}

std::string typeTree(const std::string& type) { return treeOf(type, "g : ", ";", "File t.sx(Global g(type: ", "))"); }

std::string resultTree(const std::string& type) {
    return treeOf(type, "f :: () -> ", " { }", "File t.sx(Function f(result: ", ", body: Block))");
}

std::string bodyTree(const std::string& stmts) {
    return treeOf(stmts, "f :: () { ", " }", "File t.sx(Function f(body: Block(", ")))");
}

std::string itemTree(const std::string& items) { return treeOf(items, "", "", "File t.sx(", ")"); }

const ast::Expr* firstValue(const Parsed& parsed) {
    for (const ast::Decl* item : parsed.ast.items) {
        const auto* fn = llvm::dyn_cast<ast::FunctionDecl>(item);
        if (!fn) continue;
        for (const ast::Stmt* stmt : llvm::cast<ast::BlockExpr>(fn->body())->stmts)
            if (const auto* assign = llvm::dyn_cast<ast::Assign>(stmt)) return assign->value;
    }
    return nullptr;
}

Marked::Marked(std::string marked) {
    uint32_t line = 1, col = 1;
    for (size_t i = 0; i < marked.size(); ++i) {
        if (marked.compare(i, 2, "@@") == 0) {
            positions += (positions.empty() ? "" : " ") + std::to_string(line) + ":" + std::to_string(col);
            ++i;
            continue;
        }
        text += marked[i];
        ++col;
        if (marked[i] == '\n') {
            ++line;
            col = 1;
        }
    }
}

std::string mismatch(const std::string& marked) {
    const Marked expected(marked);
    const Parsed parsed(expected.text);
    if (parsed.positions() == expected.positions) return {};
    return "expected errors at [" + expected.positions + "], got [" + parsed.positions() + "]\n" + parsed.rendered();
}

std::string bodyMismatch(const std::string& marked) { return mismatch("f :: () {\n" + marked + "\n}\n"); }

} // namespace sx::test
