#include "lower/calls/Formats.h"

#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Traces.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"

#include <cctype>

namespace sx::lower {

using namespace ast;

bool isFormat(const Sema& sema, const FunctionTemplate& f, size_t index) {
    llvm::ArrayRef<Param> params = f.decl->params;
    if (index + 2 != params.size()) return false;
    const Param& text = params[index];
    const Param& values = params[index + 1];
    const auto* type = llvm::dyn_cast_or_null<NameRef>(text.type);
    return text.comptime && type && sema.names.text(type->id.name) == "string" && values.variadic && values.comptime;
}

namespace {

/// A name in the expression that stands for something which only the running program knows.
const NameRef* runTimeName(Body& f, const Expr* e) {
    const NameRef* found = nullptr;
    Walker walker;
    auto onExpr = [&](const Expr* part) {
        if (found || llvm::isa<Lambda>(part) || llvm::isa<BlockExpr>(part)) return false;
        const auto* name = llvm::dyn_cast<NameRef>(part);
        if (!name) return true;
        LookupResult result = lookup(f.sema, name->id.name, f.scope, f.scopeLimit, &f.currentFile());
        if (!result.symbol || result.ambiguous) return true;
        const Symbol* s = resolve(f.sema, result.symbol);
        if (s->kind == SymbolKind::Local && s->type != TypeId::None) found = name;
        return true;
    };
    auto onStmt = [](const Stmt*) { return false; };
    walker.onExpr = onExpr;
    walker.onStmt = onStmt;
    walker.walk(e);
    return found;
}

/// A format for the same text: `"n is " + n` gives "n is {}" and the value `n`.
void formatOf(const SourceManager& sources, const Expr* e, std::string& format, std::string& values) {
    const Expr* inner = withoutParens(e);
    const auto* sum = llvm::dyn_cast<Binary>(inner);
    if (sum && sum->op == BinaryOp::Add) {
        formatOf(sources, sum->lhs, format, values);
        formatOf(sources, sum->rhs, format, values);
    } else if (llvm::isa<StringLit>(inner)) {
        std::string_view text = sources.textOf(inner->span);
        if (text.size() >= 2 && text.front() == '"') format += text.substr(1, text.size() - 2);
    } else {
        format += "{}";
        values += ", " + std::string(sources.textOf(inner->span));
    }
}

/// The call with its format taken apart; "" if that would be no good example.
std::string suggestedCall(Body& f, const Call& call, const Expr* format) {
    const Expr* inner = withoutParens(format);
    const auto* operation = llvm::dyn_cast<Binary>(inner);
    bool isOther = operation && operation->op != BinaryOp::Add && llvm::isa<StringLit>(withoutParens(operation->lhs));
    if (call.args.size() != 1 || isOther || llvm::isa<NullLit>(inner)) return {};
    std::string text, values;
    formatOf(f.sema.sources, format, text, values);
    std::string whole = std::string(f.sema.sources.textOf(call.callee->span)) + "(\"" + text + "\"" + values + ")";
    return whole.size() > 80 || whole.find('\n') != std::string::npos ? std::string() : whole;
}

void addSuggestion(Diagnostic& d, const std::string& call) {
    d.help(call.empty() ? "write the format as a literal, with a `{}` for each value" : "write " + code(call));
}

/// Calls `onPiece(from, to)` for each piece of a format that is printed as it stands, and `onValue()` for each
/// placeholder, in their order. Of two braces that stand for one the first is the end of a piece, and the second is
/// left out.
void eachPart(llvm::StringRef text, llvm::function_ref<void(size_t, size_t)> onPiece,
              llvm::function_ref<void()> onValue) {
    size_t from = 0;
    auto piece = [&](size_t to) {
        if (from < to) onPiece(from, to);
    };
    for (size_t i = 0; (i = text.find_first_of("{}", i)) < text.size();) {
        llvm::StringRef pair = text.substr(i, 2);
        bool isPlaceholder = pair == "{}";
        if (!isPlaceholder && pair != "{{" && pair != "}}") {
            ++i;
            continue;
        }
        piece(isPlaceholder ? i : i + 1);
        if (isPlaceholder) onValue();
        from = i += 2;
    }
    piece(text.size());
}

uint64_t placeholders(llvm::StringRef text) {
    uint64_t count = 0;
    eachPart(
        text, [](size_t, size_t) {}, [&] { ++count; });
    return count;
}

// ------------------------------------------------------------------------------------ what looks like a specifier

bool isWord(llvm::StringRef s) {
    return !s.empty() &&
           llvm::all_of(s, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; });
}

/// The text between two braces is what other languages write there: `:5`, `0`, `name`, `name:>8`.
bool looksLikeSpecifier(llvm::StringRef inner) {
    auto [name, spec] = inner.split(':');
    bool hasSpec = name.size() != inner.size();
    if (!name.empty() && !isWord(name)) return false;
    auto isPart = [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '{' && c != '\\'; };
    return !hasSpec ? !name.empty() : !spec.empty() && spec.size() <= 12 && llvm::all_of(spec, isPart);
}

/// Where the brace at `offset` of a decoded text stands in the literal: braces are never written as escapes.
Span braceSpan(const SourceManager& sources, const Expr* literal, llvm::StringRef text, size_t offset, size_t length) {
    llvm::StringRef written = sources.textOf(literal->span);
    size_t at = 0;
    for (size_t left = text.take_front(offset + 1).count('{'); left > 0; --left) at = written.find('{', at) + 1;
    if (at == 0 || !written.substr(at - 1).starts_with(text.substr(offset, length))) return literal->span;
    SourcePos begin = literal->span.begin + static_cast<uint32_t>(at - 1);
    return {begin, begin + static_cast<uint32_t>(length)};
}

/// A compile-time parameter of the function that the code belongs to.
bool isParameter(const Body& f, const Expr* format) {
    const auto* n = llvm::dyn_cast<NameRef>(format);
    if (!n || !f.instance) return false;
    return llvm::any_of(f.instance->bindings, [&](const Binding& b) { return b.name == n->id.name; });
}

/// The literal that a format comes from: itself, or the argument of the call that asked for this instance. Null: none.
const Expr* formatLiteral(const Body& f, const Expr* format, llvm::StringRef text) {
    if (llvm::isa<StringLit>(format)) return format;
    const auto* call = f.instance ? llvm::dyn_cast_or_null<Call>(f.instance->instantiatedAt) : nullptr;
    for (const Arg& arg : call ? call->args : llvm::ArrayRef<Arg>())
        if (const auto* s = llvm::dyn_cast<StringLit>(withoutParens(arg.value)); s && s->value == text) return s;
    return nullptr;
}

} // namespace

/// What such text begins with, also that of `add_pieces`.
static constexpr llvm::StringLiteral TextBegin = "__sx_text : __SxText = ---; __sx_text.start();";

std::string textOfFormat(llvm::StringRef format) {
    std::string code = TextBegin.str();
    uint64_t values = 0;
    eachPart(
        format,
        [&](size_t from, size_t to) {
            code += "__sx_text.add(fmt[" + std::to_string(from) + ".." + std::to_string(to) + "]);";
        },
        [&] { code += "__sx_text.put(args[" + std::to_string(values++) + "]);"; });
    return code;
}

bool rejectFormatText(Body& f, const InsertStmt& insert, llvm::StringRef text) {
    if (!text.starts_with(TextBegin)) return false;
    std::string missing;
    for (llvm::StringRef name : {"fmt", "args"}) {
        if (!text.contains(name.str() + "[")) continue;
        LookupResult found = lookup(f.sema, f.sema.name(name), f.scope, f.scopeLimit, &f.currentFile());
        bool isValue = found.symbol && resolve(f.sema, found.symbol)->kind != SymbolKind::Namespace;
        if (!isValue) missing += (missing.empty() ? "" : " and ") + code(name);
    }
    if (missing.empty()) return false;
    const auto* call = llvm::dyn_cast<Call>(withoutParens(insert.value));
    f.diags
        .error(insert.value->span, "the text of " +
                                       code(call ? f.sema.sources.textOf(call->callee->span) : "build_format") +
                                       " needs " + missing + " here")
        .help("it takes the pieces of `fmt`, the format, and the values of `args`: name the parameters so, `$fmt: "
              "string, ..$args`");
    return true;
}

void warnOfFormat(Body& f, const FunctionTemplate& callee, const Expr* format, llvm::StringRef text,
                  llvm::ArrayRef<Span> values) {
    if (!f.warns || !callee.file->isLibrary) return;
    const Expr* literal = formatLiteral(f, withoutParens(format), text);
    bool isPassedOn = isParameter(f, withoutParens(format)); // by a function that has the format from its caller
    if (isPassedOn && !literal) return;
    uint64_t wanted = 0, specifiers = 0;
    auto onPiece = [&](size_t from, size_t to) {
        for (size_t i = from; (i = text.find('{', i)) < to; ++i) {
            size_t end = text.find('}', i);
            if (end >= to || !looksLikeSpecifier(text.slice(i + 1, end))) continue;
            llvm::StringRef written = text.slice(i, end + 1), inner = text.slice(i + 1, end);
            bool isName = isWord(inner) && !std::isdigit(static_cast<unsigned char>(inner.front()));
            Span at = literal ? braceSpan(f.sema.sources, literal, text, i, written.size()) : format->span;
            warn(f.sema, WarningKind::FormatText, at,
                 code(written) + " is printed as it stands: there are no format specifiers, only `{}`",
                 isName ? "write `{}` and give " + code(inner) + " as an argument; `{{` prints one brace"
                        : "`{}` shows the next argument: give it as the text you want; `{{` prints one brace");
            ++specifiers;
            i = end;
        }
    };
    eachPart(text, onPiece, [&] { ++wanted; });
    if (values.size() <= wanted + specifiers) return; // what was meant for a specifier is told of there
    if (isPassedOn)
        return warn(f.sema, WarningKind::FormatText, literal->span,
                    "this format does not show all of the arguments that follow it: it has " +
                        countOf(wanted, "placeholder") + " `{}`");
    warn(f.sema, WarningKind::FormatText, values[wanted],
         "this argument is not printed: the format has " + countOf(wanted, "placeholder") + " `{}`, and " +
             countOf(values.size(), "argument") + (values.size() == 1 ? " follows" : " follow") + " it",
         "add a `{}` for it, or drop it");
}

bool rejectRunTimeFormat(Body& f, const FunctionTemplate& callee, const Call& call, const Expr* format) {
    const NameRef* name = runTimeName(f, format);
    if (!name) return false;
    Diagnostic& d = f.diags.error(format->span, "the format of " + code(callee.qualifiedName) +
                                                    " must be known while compiling, and " +
                                                    code(f.sema, name->id.name) + " is not");
    addSuggestion(d, suggestedCall(f, call, format));
    return true;
}

void suggestFormat(Body& f, size_t before, const Call& call, const Expr* value) {
    bool isNull = llvm::isa<NullLit>(withoutParens(value));
    TypeId type = peekType(f, value);
    if (!isNull && (type == TypeId::None || type == TypeId::String)) return;
    for (Diagnostic& d : f.diags.since(before)) {
        if (isNull) d.notes.clear(); // a format is never optional
        if (d.notes.empty()) addSuggestion(d, suggestedCall(f, call, value));
    }
}

std::string missingValue(Body& f, uint64_t index, uint64_t count) {
    if (!f.instance) return {};
    const FunctionTemplate& callee = *f.instance->tmpl;
    if (callee.decl->params.size() < 2 || !isFormat(f.sema, callee, callee.decl->params.size() - 2)) return {};
    Name format = callee.decl->params[callee.decl->params.size() - 2].name.name;
    for (const Binding& b : f.instance->bindings) {
        if (b.name != format || b.value.kind != ConstValue::Kind::String) continue;
        uint64_t wanted = placeholders(b.value.s);
        if (index >= wanted) return {};
        // One message for the call, whichever placeholder is looked at.
        return "the format of " + code(callee.qualifiedName) + " has " + countOf(wanted, "placeholder") +
               " `{}`, but " + countOf(count, "argument") + (count == 1 ? " follows" : " follow") +
               " it: placeholder " + std::to_string(count + 1) + " has no value";
    }
    return {};
}

} // namespace sx::lower
