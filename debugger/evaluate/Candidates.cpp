#include "debugger/evaluate/Candidates.h"

#include "debugger/inspect/Bits.h"
#include "lower/ExpressionCompiler.h"
#include "lower/Question.h"
#include "lower/Rollback.h"
#include "sema/Declare.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "syntax/BuiltinTypes.h"
#include "syntax/Lexer.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Parts.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/StringSet.h"

namespace sx::debugger {

using namespace sema;
using K = TokenKind;

namespace {

constexpr const char* Keywords[] = {"true", "false", "null", "and",   "or",    "xx",  "if",    "then",
                                    "else", "case",  "try",  "catch", "error", "for", "while", "context"};

/// The text as tokens, without the end and without the name at the end that is being typed.
class Typed {
public:
    explicit Typed(std::string_view text) : text_(text) {
        FileId file = sources_.addFile("(typed)", "(typed)", std::string(text));
        begin_ = sources_.start(file);
        tokens_ = lexFile(sources_, file, names_);
        tokens_.pop_back();
        nameAt_ = text.size();
        if (tokens_.empty()) return;
        const Token& last = tokens_.back();
        bool isName = last.kind == K::Ident || isKeyword(last.kind);
        if (!isName || offset(last.end) != text.size()) return;
        nameAt_ = offset(last.begin);
        tokens_.pop_back();
    }

    size_t nameAt() const { return nameAt_; }
    size_t size() const { return tokens_.size(); }
    /// Counted from the end; `Eof` beyond the beginning.
    K fromEnd(size_t n) const { return n < size() ? tokens_[size() - 1 - n].kind : K::Eof; }
    bool isInText() const { return fromEnd(0) == K::Invalid || fromEnd(0) == K::Char; }
    /// The expression with members and elements that ends before the last `n` tokens; "" where there is none.
    std::string operand(size_t n) const {
        if (n >= size() || !endsOperand(size() - 1 - n)) return "";
        size_t last = size() - 1 - n, first = start(last);
        return std::string(
            text_.substr(offset(tokens_[first].begin), offset(tokens_[last].end) - offset(tokens_[first].begin)));
    }

private:
    size_t offset(SourcePos p) const { return p.raw - begin_.raw; }
    bool endsOperand(size_t i) const {
        switch (tokens_[i].kind) {
        case K::Ident:
        case K::Int:
        case K::String:
        case K::RParen:
        case K::RBracket:
        case K::RBrace:
        case K::Bang:
        case K::KwSelf: return true;
        case K::Star: return i > 0 && tokens_[i - 1].kind == K::Dot; // `p.*`
        default: return isIdentLike(tokens_[i].kind) || isKeyword(tokens_[i].kind);
        }
    }
    /// The first token of the operand that `i` is the last one of.
    size_t start(size_t i) const {
        while (true) {
            K kind = tokens_[i].kind;
            if (kind == K::RParen || kind == K::RBracket || kind == K::RBrace) {
                if (tokens_[i].value == noMatch) return i;
                i = tokens_[i].value;
                bool isCall = i > 0 && tokens_[i - 1].end == tokens_[i].begin && endsOperand(i - 1);
                if (isCall) --i;
                else if (i == 0 || tokens_[i - 1].kind != K::Dot) return i;
                else if (i < 2 || !endsOperand(i - 2)) return i - 1;
                else i -= 2;
                continue;
            }
            if (kind == K::Bang) {
                if (i == 0 || !endsOperand(i - 1)) return i;
                --i;
                continue;
            }
            bool isMember = i > 0 && (tokens_[i - 1].kind == K::Dot || tokens_[i - 1].kind == K::QuestionDot);
            if (!isMember) return i > 0 && tokens_[i - 1].kind == K::Dollar ? i - 1 : i;
            if (i < 2 || !endsOperand(i - 2)) return i - 1;
            i -= 2;
        }
    }

    std::string_view text_;
    SourceManager sources_;
    NameTable names_{knownNames()};
    SourcePos begin_;
    std::vector<Token> tokens_;
    size_t nameAt_ = 0;
};

class Finder {
public:
    Finder(Sema& sema, SourcePos at, const CodePlace* code, Candidates& out)
        : sema_(sema), types_(sema.types), at_(at),
          place_(code ? lower::Place(sema, *code)
                      : lower::Place(sema, at, static_cast<const FunctionInstance*>(nullptr))),
          code_(code), out_(out) {}

    bool isKnown() const { return place_.isKnown(); }

    void addNames() {
        uint32_t limit = place_.limit();
        for (const Scope* s = place_.scope(); s; s = s->parent) {
            for (auto e = s->entries.rbegin(); e != s->entries.rend(); ++e)
                if (e->number < limit && isReached(*e->symbol)) addSymbol(e->symbol);
            limit = std::min(limit, s->outerLimit);
        }
        for (Symbol* s : place_.file().order) addSymbol(s);
        for (const ImportEdge& edge : place_.file().flatImports) addMembers(*edge.module);
        for (const char* word : Keywords) add(word, "keyword");
        for (std::string_view name : builtinTypeNames()) add(std::string(name), "class");
    }

    /// What an expression that the front end can read has. False: it cannot read it.
    bool addMembersOf(const std::string& owner) {
        lower::Answer answer = ask(owner);
        if (!answer.errors.empty()) return false;
        const Value& v = answer.value;
        if (v.kind == Value::Kind::Namespace) addMembers(*v.module);
        else if (v.isTypeName()) addOfType(v.namedType);
        else if (answer.type != TypeId::None) addOfValue(answer.type);
        return answer.type != TypeId::None || v.isTypeName() || v.kind == Value::Kind::Namespace;
    }

    void addOfValue(TypeId t) {
        if (isFailable(types_, t)) return; // only `try` leads to what it holds
        TypeId value = t;
        while (types_.kind(value) == TypeKind::Pointer || types_.kind(value) == TypeKind::Optional)
            value = types_.elem(value);
        out_.owner = value;
        addParts(value);
        MemberNames names = membersOf(value);
        addFunctions(names.methods, "method");
        addFunctions(names.getters, "property");
        addUfcs(value);
        TypeKind outer = types_.kind(t);
        if (outer == TypeKind::Pointer || outer == TypeKind::ManyPointer) add("*", "field");
    }

    void addTagsOf(TypeId t) {
        while (types_.kind(t) == TypeKind::Optional || types_.kind(t) == TypeKind::Pointer) t = types_.elem(t);
        if (types_.kind(t) == TypeKind::Enum)
            for (const Variant& v : types_.enumInfo(t).variants) addPart(t, v.name, v.payload, "enum");
    }
    /// Tags of an operand that a `.tag` is compared with or assigned to, or else of all enums of the program.
    void addTags(const std::string& other) {
        if (!other.empty()) {
            lower::Answer answer = ask(other);
            if (answer.errors.empty()) addTagsOf(answer.type);
            if (!out_.all.empty()) return;
        }
        for (uint32_t i = 1; i < types_.size(); ++i) {
            auto t = static_cast<TypeId>(i);
            if (types_.kind(t) != TypeKind::Enum) continue;
            const NominalInfo* info = nominal(sema_, t);
            if (info && info->file && sema_.isProgramFile(*info->file)) addTagsOf(t);
        }
    }

    void addErrorTags() {
        for (Name n : types_.tags()) add(text(n), "enum");
    }

private:
    struct MemberNames {
        std::vector<FunctionTemplate*> methods, getters;
        std::vector<Symbol*> statics;
    };

    lower::Answer ask(const std::string& expression) const {
        return code_ ? lower::typeOf(sema_, expression, *code_) : lower::typeOf(sema_, expression, at_);
    }
    std::string text(Name n) const { return std::string(types_.names().text(n)); }
    void add(std::string name, const char* kind, SourcePos declared = {}, TypeId type = {}) {
        if (!name.empty() && seen_.insert(name).second) out_.all.push_back({std::move(name), kind, declared, type});
    }
    void addPart(TypeId owner, Name name, TypeId type, const char* kind) {
        if (isNamelessUnion(types_, type)) {
            for (const UnionMember& m : types_.unionInfo(type).members)
                if (!isFilling(types_, owner, m.name, m.type, /*isInUnion=*/true)) add(text(m.name), kind, {}, m.type);
        } else if (!isFilling(types_, owner, name, type, types_.kind(owner) == TypeKind::Union)) {
            add(text(name), kind, memberSpan(sema_, owner, name).begin, type);
        }
    }
    void addFunctions(llvm::ArrayRef<FunctionTemplate*> functions, const char* kind) {
        for (const FunctionTemplate* f : functions) add(text(f->decl->name.name), kind, f->decl->name.span.begin);
    }

    /// Of the variables around a lambda its code has those that it captures.
    bool isReached(const Symbol& s) const {
        if (!code_ || s.kind != SymbolKind::Local || !place_.isAround(s.name, s.nameSpan)) return true;
        return lower::capturedSlot(code_->code, s.name, s.nameSpan) != ir::SlotId::None;
    }

    void addSymbol(Symbol* s) {
        if (s->name == Name::None) return;
        add(text(s->name), kindOf(*resolved(s)), s->nameSpan.begin);
    }
    /// Follows aliases; without a message where a declaration is wrong.
    Symbol* resolved(Symbol* s) {
        if (s->kind != SymbolKind::Unresolved) return s;
        lower::Rollback rollback(sema_);
        DiagnosticScope apart(sema_.diags);
        return resolve(sema_, s);
    }
    static const char* kindOf(const Symbol& s) {
        switch (s.kind) {
        case SymbolKind::Function:
        case SymbolKind::Intrinsic: return "function";
        case SymbolKind::Type:
        case SymbolKind::GenericStruct: return "class";
        case SymbolKind::GenericProtocol: return "interface";
        case SymbolKind::Namespace:
        case SymbolKind::Library: return "module";
        case SymbolKind::Constant:
        case SymbolKind::RuntimeConst: return "value";
        default: return "variable";
        }
    }

    void addMembers(const ModuleUnit& unit) {
        for (SourceFile* file : unit.files)
            for (Symbol* s : file->order)
                if (!s->isPrivate || file == &place_.file()) addSymbol(s);
    }

    void addParts(TypeId t) {
        switch (types_.kind(t)) {
        case TypeKind::Struct:
            for (const StructField& f : types_.structInfo(t).fields) addPart(t, f.name, f.type, "field");
            break;
        case TypeKind::Union:
            for (const UnionMember& m : types_.unionInfo(t).members) addPart(t, m.name, m.type, "field");
            break;
        case TypeKind::Tuple:
            for (unsigned i = 0; i < types_.tupleFields(t).size(); ++i) {
                const TupleField& f = types_.tupleFields(t)[i];
                add(f.name == Name::None ? std::to_string(i) : text(f.name), "field", {}, f.type);
            }
            break;
        case TypeKind::Enum:
            for (const Variant& v : types_.enumInfo(t).variants)
                if (v.payload != TypeId::None) addPart(t, v.name, v.payload, "field");
            break;
        case TypeKind::Protocol:
            for (const ProtocolMethodInfo& m : types_.protocolInfo(t).methods)
                addPart(t, m.name, TypeId::None, "method");
            break;
        case TypeKind::Array: add("len", "property", {}, TypeId::I64); break;
        case TypeKind::Slice:
        case TypeKind::String:
            add("len", "property", {}, TypeId::I64);
            add("ptr", "property", {},
                manyPointerTo(types_, types_.kind(t) == TypeKind::String ? TypeId::U8 : types_.elem(t)));
            break;
        default: break;
        }
    }

    /// The members of a type by its name: tags, constants, nested types, and functions.
    void addOfType(TypeId t) {
        addTagsOf(t);
        if (types_.kind(t) == TypeKind::ErrorSet)
            for (Name n : types_.errorSetInfo(t).tags) addPart(t, n, TypeId::None, "enum");
        MemberNames names = membersOf(t);
        out_.owner = t;
        for (Symbol* s : names.statics) addSymbol(s);
        addFunctions(names.methods, "method");
    }

    MemberNames membersOf(TypeId t) {
        MemberNames found;
        lower::Rollback rollback(sema_);
        DiagnosticScope apart(sema_.diags);
        MemberTable& table = members(sema_, t);
        for (auto& [name, method] : table.methods) found.methods.push_back(method);
        for (auto& [name, getter] : table.getters) found.getters.push_back(getter);
        for (auto& [name, symbol] : table.statics) found.statics.push_back(symbol);
        auto byText = [this](Name a, Name b) { return types_.names().text(a) < types_.names().text(b); };
        auto byName = [&](auto* a, auto* b) { return byText(a->decl->name.name, b->decl->name.name); };
        llvm::sort(found.methods, byName);
        llvm::sort(found.getters, byName);
        llvm::sort(found.statics, [&](Symbol* a, Symbol* b) { return byText(a->name, b->name); });
        return found;
    }

    /// Functions that may be called as methods: those whose first parameter is written as the value's type is. What the
    /// file sees comes first, then the rest of the program, as a call finds it.
    void addUfcs(TypeId value) {
        std::string type = writtenName(types_, value);
        auto addOf = [&](const SourceFile& file, bool isOwn, bool isSeen) {
            for (Symbol* s : file.order) {
                if (!s->decl || (s->isPrivate && !isOwn)) continue;
                const auto* fn = llvm::dyn_cast<ast::FunctionDecl>(s->decl);
                bool isAlias = s->decl->kind == ast::DeclKind::UfcsAlias;
                if (const Symbol* aliased = isAlias ? resolved(s) : nullptr; aliased && aliased->function)
                    fn = aliased->function->decl;
                if (fn && (fn->isUfcs || isAlias) && !fn->params.empty() && takes(*fn, value, type, isSeen))
                    add(text(s->name), "method", isAlias ? s->nameSpan.begin : fn->name.span.begin);
            }
        };
        addOf(place_.file(), true, true);
        for (const ImportEdge& edge : place_.file().flatImports)
            for (const SourceFile* file : edge.module->files) addOf(*file, false, true);
        for (const auto& file : sema_.program.files) addOf(*file, false, false);
    }

    /// `isSeen`: also one that takes any type is offered.
    bool takes(const ast::FunctionDecl& fn, TypeId value, llvm::StringRef type, bool isSeen) const {
        const ast::Expr* written = fn.params.front().type;
        if (!written) return false;
        llvm::StringRef text = sema_.sources.textOf(written->span);
        text.consume_front("*");
        if (text.starts_with("$")) return isSeen;
        TypeKind kind = types_.kind(value);
        while (text.contains('.') && !text.starts_with("[")) text = text.split('.').second; // of another module
        if (text.starts_with("[]")) {
            if (kind != TypeKind::Slice && kind != TypeKind::Array) return false;
            return text.contains('$') || text.drop_front(2) == writtenName(types_, types_.elem(value));
        }
        if (!text.contains('$')) return text == type || text == type.rsplit('.').second;
        llvm::StringRef head = text.take_until([](char c) { return c == '('; });
        return head == type.take_until([](char c) { return c == '('; });
    }

    Sema& sema_;
    TypeTable& types_;
    SourcePos at_;
    lower::Place place_;
    const CodePlace* code_; ///< may be null
    Candidates& out_;
    llvm::StringSet<> seen_;
};

} // namespace

Candidates candidatesAfter(Sema& sema, std::string_view before, SourcePos at, const CodePlace* code,
                           llvm::function_ref<TypeId(const std::string&)> typeOfValue) {
    Candidates out;
    Typed typed(before);
    out.from = typed.nameAt();
    Finder finder(sema, at, code, out);
    if (!finder.isKnown() || typed.isInText()) return out;
    K last = typed.fromEnd(0), beforeLast = typed.fromEnd(1);
    if (last == K::Dot || last == K::QuestionDot) {
        if (beforeLast == K::KwError) finder.addErrorTags();
        else if (std::string owner = typed.operand(1); owner.empty()) finder.addTags(typed.operand(2));
        else if (!finder.addMembersOf(owner))
            if (TypeId type = typeOfValue(owner); type != TypeId::None) finder.addOfValue(type);
        return out;
    }
    if (last == K::LBracket) out.indexed = typed.operand(1);
    finder.addNames();
    return out;
}

} // namespace sx::debugger
