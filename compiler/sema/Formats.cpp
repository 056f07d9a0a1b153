#include "sema/Formats.h"

#include "sema/CallSupport.h"
#include "syntax/Walk.h"

namespace sx::sema {

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
const NameRef* runTimeName(FunctionLowering& f, const Expr* e) {
    const NameRef* found = nullptr;
    Walker walker;
    auto onExpr = [&](const Expr* part) {
        if (found || llvm::isa<Lambda>(part) || llvm::isa<BlockExpr>(part)) return false;
        const auto* name = llvm::dyn_cast<NameRef>(part);
        if (!name) return true;
        Sema::LookupResult result = f.sema.lookup(name->id.name, f.scope, f.scopeLimit, &f.currentFile());
        if (!result.symbol || result.ambiguous) return true;
        const Symbol* s = f.sema.resolve(result.symbol);
        bool isKnown = !s->value.isError() && (s->value.isConst() || s->value.isTypeName());
        if (s->kind == SymbolKind::Local && !isKnown && s->type != TypeId::None) found = name;
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
std::string suggestedCall(FunctionLowering& f, const Call& call, const Expr* format) {
    if (call.args.size() != 1) return {};
    std::string text, values;
    formatOf(f.sema.sources, format, text, values);
    std::string whole = std::string(f.sema.sources.textOf(call.callee->span)) + "(\"" + text + "\"" + values + ")";
    return whole.size() > 80 || whole.find('\n') != std::string::npos ? std::string() : whole;
}

void addSuggestion(Diagnostic& d, const std::string& call) {
    d.help(call.empty() ? "write the format as a literal, with a `{}` for each value" : "write " + tick(call));
}

/// The placeholders of a format, as `build_format` of the library counts them.
uint64_t placeholders(llvm::StringRef text) {
    uint64_t count = 0;
    for (size_t i = 0; i + 1 < text.size(); ++i) {
        bool isPlaceholder = text[i] == '{' && text[i + 1] == '}';
        bool isEscape = text[i] == text[i + 1] && (text[i] == '{' || text[i] == '}');
        count += isPlaceholder;
        if (isPlaceholder || isEscape) ++i;
    }
    return count;
}

} // namespace

bool rejectRunTimeFormat(FunctionLowering& f, const FunctionTemplate& callee, const Call& call, const Expr* format) {
    const NameRef* name = runTimeName(f, format);
    if (!name) return false;
    Diagnostic& d = f.diags.error(format->span, "the format of " + tick(callee.qualifiedName) + " must be known while compiling, and " +
                                  tick(f.sema, name->id.name) + " is not");
    addSuggestion(d, suggestedCall(f, call, format));
    return true;
}

void suggestFormat(FunctionLowering& f, size_t before, const Call& call, const Expr* value) {
    TypeId type = f.peekType(value);
    if (type == TypeId::None || type == TypeId::String) return;
    for (Diagnostic& d : f.diags.since(before))
        if (d.notes.empty()) addSuggestion(d, suggestedCall(f, call, value));
}

std::string missingValue(FunctionLowering& f, uint64_t index, uint64_t count) {
    if (!f.instance) return {};
    const FunctionTemplate& callee = *f.instance->tmpl;
    if (callee.decl->params.size() < 2 || !isFormat(f.sema, callee, callee.decl->params.size() - 2)) return {};
    Name format = callee.decl->params[callee.decl->params.size() - 2].name.name;
    for (const Binding& b : f.instance->bindings) {
        if (b.name != format || b.value.kind != ConstValue::Kind::String) continue;
        uint64_t wanted = placeholders(b.value.s);
        if (index >= wanted) return {};
        // One message for the call, whichever placeholder is looked at.
        return "the format of " + tick(callee.qualifiedName) + " has " + countOf(wanted, "placeholder") + " `{}`, but " +
            countOf(count, "argument") +
               (count == 1 ? " follows" : " follow") + " it: placeholder " + std::to_string(count + 1) + " has no value";
    }
    return {};
}

} // namespace sx::sema
