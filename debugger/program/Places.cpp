#include "debugger/program/Places.h"

#include "ir/Entries.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace sx::debugger {

Places::Places(const Program& program) : program_(program) {
    for (size_t f = 0; f < program.module.functions.size(); ++f) {
        const ir::Function& fn = *program.module.functions[f];
        if (fn.dead || fn.isExtern || fn.compilerMade) continue;
        for (uint32_t i = 0; i < fn.statements.size(); ++i)
            if (fn.statements[i].breakable) all_.push_back({fn.statements[i].begin, {static_cast<ir::FuncId>(f), i}});
    }
    std::stable_sort(all_.begin(), all_.end(), [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
}

const std::vector<FunctionSpan>& Places::functionsOf(FileId file) const {
    auto [found, isNew] = functions_.try_emplace(file);
    const sema::SourceFile* known = isNew ? program_.sourceFile(file) : nullptr;
    if (isNew && !known) {
        for (const auto& fn : program_.module.functions)
            if (!fn->dead && fn->span.isValid() && program_.sources.fileOf(fn->span.begin) == file)
                found->second.push_back({fn->span, fn->span});
        std::stable_sort(found->second.begin(), found->second.end(),
                         [](const FunctionSpan& a, const FunctionSpan& b) { return a.whole.begin < b.whole.begin; });
    } else if (isNew) {
        found->second = functionSpans(known->tree);
    }
    return found->second;
}

const FunctionSpan* Places::innermost(FileId file, SourcePos at) const {
    const FunctionSpan* best = nullptr;
    for (const FunctionSpan& f : functionsOf(file))
        if (f.whole.begin <= at && at < f.whole.end) best = &f; // inner ones follow
    return best;
}

/// The function that has the first thing on a line, or else one that begins on it.
const FunctionSpan* Places::functionOfLine(FileId file, uint32_t line) const {
    const SourceManager& sources = program_.sources;
    std::string_view text = sources.lineText(file, line);
    if (!text.data()) return nullptr; // the file has no such line
    SourcePos begin = sources.start(file) + static_cast<uint32_t>(text.data() - sources.text(file).data());
    SourcePos end = begin + static_cast<uint32_t>(text.size());
    const FunctionSpan* best = nullptr;
    for (const FunctionSpan& f : functionsOf(file)) {
        if (end < f.whole.begin || lastByte(f.whole).begin < begin) continue;
        // A lambda that begins within the line of an outer function is not what the line is of.
        if (best && begin <= f.whole.begin) continue;
        best = &f;
    }
    return best;
}

llvm::ArrayRef<Places::Entry> Places::between(SourcePos begin, SourcePos end) const {
    auto less = [](const Entry& e, SourcePos p) { return e.begin < p; };
    auto from = std::lower_bound(all_.begin(), all_.end(), begin, less);
    auto to = std::lower_bound(from, all_.end(), end, less);
    return {all_.data() + (from - all_.begin()), static_cast<size_t>(to - from)};
}

std::vector<CodePoint> Places::at(SourcePos begin) const {
    std::vector<CodePoint> points;
    for (const Entry& e : between(begin, begin + 1)) points.push_back(e.point);
    return points;
}

/// A column within a function that begins and ends on the line of another is of the inner one.
Resolved Places::atLine(FileId file, uint32_t line, uint32_t column) const {
    const FunctionSpan* function = functionOfLine(file, line);
    if (!function) return {{}, {}, "no code at this line"};
    std::string_view text = program_.sources.lineText(file, line);
    if (column > 0 && column <= text.size()) {
        auto offset = static_cast<uint32_t>(text.data() - program_.sources.text(file).data());
        const FunctionSpan* inner = innermost(file, program_.sources.start(file) + offset + (column - 1));
        if (inner && inner != function)
            if (Resolved found = within(*inner, file, line, column);
                !found.points.empty() && program_.sources.resolve(found.at).line == line)
                return found;
    }
    return within(*function, file, line, column);
}

/// The scopes around one, the outermost first.
static llvm::SmallVector<ir::ScopeId, 8> chainOf(const ir::Function& fn, ir::ScopeId scope) {
    llvm::SmallVector<ir::ScopeId, 8> chain;
    for (; scope != 0 && scope < fn.scopes.size(); scope = fn.scopes[scope].parent) chain.push_back(scope);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

/// Two statements of a function are in two copies of a block: in two rounds of an `inline for`.
static bool areInCopies(const ir::Function& fn, uint32_t a, uint32_t b) {
    if (fn.instrs.empty()) return false; // nothing is known but lines
    llvm::SmallVector<ir::ScopeId, 8> first = chainOf(fn, fn.scopeOf(fn.statements[a])),
                                      second = chainOf(fn, fn.scopeOf(fn.statements[b]));
    auto [x, y] = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
    return x != first.end() && y != second.end() && fn.scopes[*x].span == fn.scopes[*y].span;
}

/// A block of the function stands there several times, or a line is where calls begin in some of its code only.
static bool hasCopies(const ir::Function& fn) {
    if (std::any_of(fn.statements.begin(), fn.statements.end(), ir::isEntry)) return true;
    std::set<SourcePos> begins;
    return std::any_of(fn.scopes.begin(), fn.scopes.end(),
                       [&](const ir::Scope& s) { return s.span.isValid() && !begins.insert(s.span.begin).second; });
}

/// What is compiled several times may have other code each time: each instance, and each round, has a first statement
/// at or after the place. Where the line has code in one of them, those without are passed over.
Resolved Places::within(const FunctionSpan& function, FileId file, uint32_t line, uint32_t column) const {
    bool reached = false, hasLine = false;
    Resolved found;
    struct Chosen {
        bool mayHaveMore;
        std::vector<uint32_t> statements{};
    };
    std::map<ir::FuncId, Chosen> chosen;
    for (const Entry& e : between(function.whole.begin, function.whole.end)) {
        auto known = chosen.find(e.point.func);
        if (known != chosen.end() && !known->second.mayHaveMore) continue;
        if (innermost(file, e.begin) != &function) continue;
        reached = true;
        Location at = program_.sources.resolve(e.begin);
        hasLine |= at.line == line;
        if (at.line < line || (at.line == line && at.col < column)) continue;
        if (!found.at.isValid()) found.at = e.begin;
        else if (at.line != line && program_.sources.resolve(found.at).line == line) break;
        const ir::Function& fn = program_.module.fn(e.point.func);
        if (known == chosen.end()) known = chosen.emplace(e.point.func, Chosen{hasCopies(fn)}).first;
        std::vector<uint32_t>& ofCode = known->second.statements;
        bool isFirst = std::all_of(ofCode.begin(), ofCode.end(), [&](uint32_t other) {
            return fn.statements[other].begin == e.begin || areInCopies(fn, other, e.point.statement);
        });
        if (!isFirst) continue;
        ofCode.push_back(e.point.statement);
        found.points.push_back(e.point);
    }
    if (!found.points.empty()) return found;
    if (!reached) return {{}, {}, "nothing in the program reaches this function"};
    return {{}, {}, hasLine ? "no code at this column" : "no code at this line"};
}

std::vector<SourcePos> Places::inLines(FileId file, uint32_t firstLine, uint32_t lastLine) const {
    std::vector<SourcePos> found;
    SourcePos start = program_.sources.start(file);
    SourcePos end = start + static_cast<uint32_t>(program_.sources.text(file).size() + 1);
    for (const Entry& e : between(start, end)) {
        uint32_t line = program_.sources.resolve(e.begin).line;
        if (line < firstLine || line > lastLine) continue;
        if (found.empty() || found.back() != e.begin) found.push_back(e.begin);
    }
    return found;
}

namespace {

/// `max` of `max(i64)`, `Cell.put` of `Cell(i64).put`: the name without what tells instances apart.
std::string withoutInstance(llvm::StringRef name) {
    std::string plain;
    unsigned depth = 0;
    for (char c : name) {
        if (c == '(') ++depth;
        if (depth == 0) plain += c;
        if (c == ')' && depth > 0) --depth;
    }
    return plain;
}

/// What remains of a method's name without its type: `next` of `Parser.next`.
std::string lastName(llvm::StringRef name) {
    std::string plain = withoutInstance(name);
    return plain.substr(plain.rfind('.') + 1); // npos + 1 is 0
}

/// The files that a file of the program's own imports under this name.
std::set<FileId> filesNamed(const Program& program, llvm::StringRef name) {
    std::set<FileId> found;
    if (!program.sema) return found;
    for (const auto& file : program.sema->program.files) {
        if (program.isLibrary(file->id)) continue;
        for (const sema::Symbol* s : file->order)
            if (s->kind == sema::SymbolKind::Namespace && s->module &&
                llvm::StringRef(program.types.names().text(s->name)) == name)
                for (const sema::SourceFile* f : s->module->files) found.insert(f->id);
    }
    return found;
}

} // namespace

Resolved Places::ofFunction(const std::string& name) const {
    Resolved found;
    if (llvm::StringRef(name).trim().empty()) {
        found.why = "there is no name of a function";
        return found;
    }
    auto collect = [&](auto matches) {
        for (size_t f = 0; f < program_.module.functions.size(); ++f) {
            const ir::Function& fn = *program_.module.functions[f];
            if (fn.dead || fn.isExtern || fn.compilerMade || !matches(fn)) continue;
            bool hasEntries = std::any_of(fn.statements.begin(), fn.statements.end(), ir::isEntry);
            for (uint32_t i = 0; i < fn.statements.size(); ++i) {
                if (hasEntries ? !ir::isEntry(fn.statements[i]) : !fn.statements[i].breakable) continue;
                found.points.push_back({static_cast<ir::FuncId>(f), i});
                if (!found.at.isValid()) found.at = fn.statements[i].begin;
                if (!hasEntries) break;
            }
        }
        return !found.points.empty();
    };
    if (collect([&](const ir::Function& fn) { return fn.name == name; })) return found;
    if (collect([&](const ir::Function& fn) { return withoutInstance(fn.name) == name; })) return found;
    if (collect([&](const ir::Function& fn) {
            return lastName(fn.name) == name && !program_.isLibrary(program_.sources.fileOf(fn.span.begin));
        }))
        return found;
    // `util.parse`, as the files that import `util` spell it.
    auto [space, rest] = llvm::StringRef(name).split('.');
    std::set<FileId> files = filesNamed(program_, space);
    auto isThere = [&](const ir::Function& fn) {
        return (fn.name == rest || withoutInstance(fn.name) == rest) && fn.span.isValid() &&
               files.count(program_.sources.fileOf(fn.span.begin)) != 0;
    };
    if (!files.empty() && collect(isThere)) return found;
    found.why = "no function " + code(name) + " is reached by the program";
    return found;
}

} // namespace sx::debugger
