#include "server/program/View.h"

#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "server/program/Repair.h"
#include "source/Paths.h"

#include <algorithm>

namespace sx::server {

namespace {

constexpr int MostRepairs = 9;

} // namespace

View::View(std::string path, const std::string& root, Encoding encoding)
    : path_(std::move(path)), root_(root), encoding_(encoding), original_(std::make_unique<Analysis>(path_, root_)) {
    if (!original_->reachedBodies()) repair();
}

View::~View() = default;

// ------------------------------------------------------------------------------------ repairs

/// Takes out of the texts what the errors of a check point at. False: they point nowhere.
bool View::repairOnce(const Analysis& broken, EditorTexts::Map& texts, int attempt) {
    std::map<std::string, std::vector<uint32_t>> errors;
    for (const Diagnostic& d : broken.diags.all()) {
        if (d.severity != Severity::Error || !d.span.isValid()) continue;
        FileId file = broken.sources.fileOf(d.span.begin);
        std::string path = broken.pathOf(file);
        if (path.empty()) continue;
        errors[path].push_back(d.span.begin.raw - broken.sources.start(file).raw);
    }
    if (errors.empty()) {
        FileId file{};
        if (std::optional<FileId> entry = broken.fileOf(path_)) file = *entry;
        else return false;
        texts[path_] = repaired(broken.sources.text(file), {}, RepairLevel::Everything);
        return true;
    }
    auto repairAll = [&](RepairLevel level) {
        bool changed = false;
        for (auto& [path, offsets] : errors)
            if (std::optional<FileId> file = broken.fileOf(path)) {
                std::string_view before = broken.sources.text(*file);
                std::string& after = texts[path] = repaired(before, offsets, level);
                changed |= after != before;
            }
        return changed;
    };
    if (attempt == 0 && repairAll(RepairLevel::Dots)) return true;
    repairAll(attempt < 5   ? RepairLevel::Statements
              : attempt < 7 ? RepairLevel::Items
              : attempt < 8 ? RepairLevel::Unbalanced
                            : RepairLevel::Everything);
    return true;
}

void View::repair() {
    if (!original_->readError.empty()) return;
    EditorTexts::Map texts;
    const Analysis* broken = original_.get();
    for (int attempt = 0; attempt < MostRepairs; ++attempt) {
        if (!repairOnce(*broken, texts, attempt)) return;
        EditorTexts::Map all = texts;
        EditorTexts::addOuter(all);
        EditorTexts scope(all);
        repaired_ = std::make_unique<Analysis>(path_, root_);
        if (repaired_->reachedBodies()) return;
        broken = repaired_.get();
    }
}

// ------------------------------------------------------------------------------------ places

FileId View::file() {
    std::optional<FileId> file = program().fileOf(path_);
    return file.value_or(FileId{});
}

std::string_view View::text(FileId file) {
    std::string path = program().pathOf(file);
    if (isRepaired())
        if (std::optional<FileId> f = original_->fileOf(path)) return original_->sources.text(*f);
    return program().sources.text(file);
}

std::string_view View::textOf(Span span) {
    if (!span.isValid()) return {};
    FileId file = program().sources.fileOf(span.begin);
    uint32_t begin = offsetOf(span.begin), end = span.end.raw - program().sources.start(file).raw;
    std::string_view all = text(file);
    return begin <= all.size() && end >= begin ? all.substr(begin, end - begin) : std::string_view();
}

const LineTable& View::lines(FileId file) {
    std::unique_ptr<LineTable>& table = lines_[file];
    if (!table) table = std::make_unique<LineTable>(text(file), encoding_);
    return *table;
}

SourcePos View::at(const std::string& path, Position p) {
    std::optional<FileId> file = program().fileOf(path);
    if (!file) return {};
    return program().sources.start(*file) + lines(*file).offset(p);
}

SourcePos View::posOf(uint32_t offset) { return program().sources.start(file()) + offset; }

uint32_t View::offsetOf(SourcePos pos) { return pos.raw - program().sources.start(program().sources.fileOf(pos)).raw; }

Range View::range(Span span) {
    if (!span.isValid()) return {};
    const LineTable& table = lines(program().sources.fileOf(span.begin));
    uint32_t begin = offsetOf(span.begin);
    return table.range(begin, begin + (span.end.raw > span.begin.raw ? span.end.raw - span.begin.raw : 0));
}

std::string View::pathOf(SourcePos pos) {
    return pos.isValid() ? program().pathOf(program().sources.fileOf(pos)) : std::string();
}

void View::addFiles(std::set<std::string>& paths) const {
    for (const Analysis* a : {original_.get(), repaired_.get()}) {
        if (!a) continue;
        for (const auto& f : a->sema->program.files)
            if (!f->isForeign) paths.insert(joinPath(root_, f->path));
    }
}

// ------------------------------------------------------------------------------------ names

const FileNames& View::names(FileId file) {
    auto [known, isNew] = names_.try_emplace(file);
    if (!isNew) return known->second;
    for (auto& f : program().sema->program.files)
        if (f->id == file && program().reachedBodies()) known->second = namesOf(*program().sema, *f);
    for (const Declaration& d : known->second.declarations) declarations_.try_emplace(d.nameSpan.begin, &d);
    for (const NameExpr& e : known->second.expressions) expressions_[e.begin] = e.expr;
    return known->second;
}

/// What the check has noted, by file. What it said last of a place counts: it may look at code more than once.
void View::collectSema() {
    if (collected_) return;
    collected_ = true;
    sema::Sema& sema = *program().sema;
    for (const sema::MatchedTag& m : sema.errorSets.matched) matchedTags_.insert(m.at.begin);
    if (!sema.uses) return;
    for (const sema::Symbol* s : sema.uses->locals) {
        if (!s->nameSpan.isValid()) continue;
        const sema::Symbol*& known = symbols_[s->nameSpan.begin];
        if (!known || s->type != TypeId::None) known = s;
    }
    for (const auto& file : sema.program.files)
        for (const sema::Symbol* s : file->order)
            if (s->nameSpan.isValid()) symbols_.try_emplace(s->nameSpan.begin, s);
    for (const sema::Use& use : sema.uses->all) {
        if (!use.at.isValid() || use.at.end.raw <= use.at.begin.raw) continue;
        Span target = use.symbol ? use.symbol->nameSpan : use.function ? use.function->name.span : use.declared;
        if (!target.isValid()) continue;
        Named named{use.at, target.begin};
        named.owner = use.owner;
        semaUses_[sema.sources.fileOf(use.at.begin)].push_back({named, use.symbol != nullptr});
    }
}

std::vector<Named> View::collectNamed(FileId file) {
    collectSema();
    const FileNames& found = names(file);
    std::map<SourcePos, Named> all;
    for (const NameUse& u : found.uses) all.try_emplace(u.at.begin, Named{u.at, u.target, Name::None, false, u.writes});
    const SourceManager& sources = program().sources;
    for (const auto& [u, isPlain] : semaUses_[file]) {
        // A use has the text of what it names: default arguments and inserted code stand elsewhere.
        std::string_view text = sources.textOf(u.at);
        if (text.empty() || sources.textOf({u.target, u.target + static_cast<uint32_t>(text.size())}) != text) continue;
        auto [known, isNew] = all.try_emplace(u.at.begin, u);
        const Declaration* d = isNew ? nullptr : declarationAt(known->second.target);
        const Declaration* other = d && known->second.target != u.target ? declarationAt(u.target) : nullptr;
        if (other && other->kind == DeclaredKind::Field && d->kind != DeclaredKind::Field) {
            known->second.isShort = Named::Short::Value;
            shortFields_[file].push_back({u.at, u.target, Name::None, false, false, Named::Short::Field});
        }
        const Declaration* member = declarationAt(u.target);
        if (member && (member->kind == DeclaredKind::Field || member->kind == DeclaredKind::Method))
            memberTargets_[u.at.begin].insert(u.target);
        bool isMember = d && (d->kind == DeclaredKind::Field || d->kind == DeclaredKind::Method ||
                              d->kind == DeclaredKind::Variant);
        if (isMember || (isPlain && declarationAt(u.target))) known->second.target = u.target;
        if (known->second.target == u.target) known->second.owner = u.owner;
    }
    for (const TagUse& t : found.tags) all.try_emplace(t.at.begin, Named{t.at, {}, t.tag});
    for (const auto& [p, isTag] : found.patterns)
        if (isTag || matchedTags_.count(p->span.begin) || !tagDeclarations(p->name.name).empty())
            all.try_emplace(p->name.span.begin, Named{p->name.span, {}, p->name.name});
    for (const Declaration& d : found.declarations) {
        Named n{d.nameSpan, d.nameSpan.begin, Name::None, true};
        if (d.kind == DeclaredKind::Tag) n = {d.nameSpan, {}, d.name, true};
        all[d.nameSpan.begin] = n;
    }
    std::vector<Named> sorted;
    for (auto& [begin, n] : all) sorted.push_back(n);
    return sorted;
}

const std::vector<Named>& View::named(FileId file) {
    auto known = named_.find(file);
    if (known != named_.end()) return known->second;
    std::vector<Named> made = collectNamed(file);
    return named_[file] = std::move(made);
}

const Named* View::nameAt(SourcePos pos) {
    if (!pos.isValid()) return nullptr;
    const std::vector<Named>& all = named(program().sources.fileOf(pos));
    const Named* ending = nullptr;
    auto after =
        std::upper_bound(all.begin(), all.end(), pos, [](SourcePos p, const Named& n) { return p < n.at.begin; });
    for (auto n = after; n != all.begin() && after - n < 3;) {
        --n;
        if (n->at.begin <= pos && pos < n->at.end) return &*n;
        if (n->at.end == pos) ending = &*n;
    }
    return ending;
}

const ast::Expr* View::expressionAt(SourcePos nameBegin) {
    if (!nameBegin.isValid()) return nullptr;
    names(program().sources.fileOf(nameBegin));
    auto found = expressions_.find(nameBegin);
    return found == expressions_.end() ? nullptr : found->second;
}

const Declaration* View::declarationAt(SourcePos nameBegin) {
    if (!nameBegin.isValid()) return nullptr;
    names(program().sources.fileOf(nameBegin));
    auto found = declarations_.find(nameBegin);
    return found == declarations_.end() ? nullptr : found->second;
}

const Declaration* View::parentOf(const Declaration& d) {
    if (d.parent < 0) return nullptr;
    return &names(program().sources.fileOf(d.nameSpan.begin)).declarations[static_cast<size_t>(d.parent)];
}

const sema::Symbol* View::symbolAt(SourcePos nameBegin) {
    collectSema();
    auto found = symbols_.find(nameBegin);
    return found == symbols_.end() ? nullptr : found->second;
}

/// The place has the name of what it stands for: `Self` has another one.
bool View::isByName(const Named& n) {
    const SourceManager& sources = program().sources;
    return sources.textOf(n.at) == sources.textOf({n.target, n.target + (n.at.end.raw - n.at.begin.raw)});
}

const sema::NominalInfo* View::nominal(TypeId type) {
    return type == TypeId::None ? nullptr : sema::nominal(*program().sema, type);
}

SourcePos View::memberAt(TypeId type, Name name) { return sema::memberSpan(*program().sema, type, name).begin; }

/// In some instance of the code around it.
bool View::mayMean(const Named& n, SourcePos target) {
    if (n.target == target) return true;
    bool isPlain = !n.isDeclaration && n.isShort == Named::Short::No;
    auto members = isPlain ? memberTargets_.find(n.at.begin) : memberTargets_.end();
    return members != memberTargets_.end() && members->second.count(target);
}

std::vector<Named> View::sameAs(const Named& wanted) {
    std::vector<Named> found;
    for (const auto& file : program().sema->program.files) {
        if (file->isForeign) continue;
        for (const Named& n : named(file->id)) {
            bool isSame = wanted.tag != Name::None ? n.tag == wanted.tag
                                                   : n.tag == Name::None && mayMean(n, wanted.target) && isByName(n);
            if (isSame) found.push_back(n);
        }
        for (const Named& n : shortFields_[file->id])
            if (wanted.tag == Name::None && n.target == wanted.target) found.push_back(n);
    }
    return found;
}

std::vector<const Declaration*> View::tagDeclarations(Name tag) {
    std::vector<const Declaration*> found;
    for (const auto& file : program().sema->program.files)
        for (const Declaration& d : names(file->id).declarations)
            if (d.kind == DeclaredKind::Tag && d.name == tag) found.push_back(&d);
    return found;
}

const Declaration* View::functionAround(SourcePos pos) {
    const Declaration* best = nullptr;
    if (!pos.isValid()) return best;
    for (const Declaration& d : names(program().sources.fileOf(pos)).declarations) {
        bool isFunction = d.kind == DeclaredKind::Function || d.kind == DeclaredKind::Method;
        if (isFunction && d.whole.begin <= pos && pos < d.whole.end) best = &d; // inner ones follow
    }
    return best;
}

} // namespace sx::server
