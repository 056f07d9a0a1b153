// The program of one file, as an editor asks about it: places in texts, what stands there, and where else.
//
// Of a program that cannot be checked as it is, a repaired one is asked (Repair.h). It has its texts at the same
// offsets, so places are the same in both.
#pragma once

#include "server/program/Analysis.h"
#include "server/program/Names.h"
#include "server/text/Encoding.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sx::server {

/// A name in a text, and what it stands for.
struct Named {
    /// `.{ x }` for `.{ x = x }`: one text names a field and its value.
    enum class Short : uint8_t { No, Value, Field };

    Span at;
    SourcePos target;      ///< where it is declared; not valid: `tag` says what it is
    Name tag = Name::None; ///< of an error
    bool isDeclaration = false;
    bool writes = false;
    Short isShort = Short::No;
    TypeId owner{}; ///< of a field or variant: the type that has it here, an instance where it is generic
};

class View {
public:
    View(std::string path, const std::string& root, Encoding);
    ~View();

    const std::string& path() const { return path_; }
    Encoding encoding() const { return encoding_; }
    /// The check of the texts as they are.
    Analysis& original() { return *original_; }
    /// The check that is asked: the same, or of repaired texts.
    Analysis& program() { return repaired_ ? *repaired_ : *original_; }
    bool isRepaired() const { return repaired_ != nullptr; }

    // ---- places
    /// A position in the file that this is about, or another one of the program; not valid where it has none.
    SourcePos at(Position p) { return at(path_, p); }
    SourcePos at(const std::string& path, Position);
    SourcePos posOf(uint32_t offset);
    uint32_t offsetOf(SourcePos);
    Range range(Span);
    const LineTable& lines(FileId);
    std::string pathOf(SourcePos);
    FileId file();                 ///< that this is about, in `program()`
    std::string_view text(FileId); ///< as the editor has it
    std::string_view text() { return text(file()); }
    std::string_view textOf(Span);

    // ---- names
    const FileNames& names(FileId);
    /// Every name in a file that stands for something, in order.
    const std::vector<Named>& named(FileId);
    /// The one at a position, or that ends there. Null: there is none.
    const Named* nameAt(SourcePos);
    /// The expression that the name at a place is. Null: it is none.
    const ast::Expr* expressionAt(SourcePos nameBegin);
    /// What is declared by the name at this place. Null: nothing.
    const Declaration* declarationAt(SourcePos nameBegin);
    /// The declaration around another one; null: it stands in a file.
    const Declaration* parentOf(const Declaration&);
    /// What the check knows of it. Null: nothing.
    const sema::Symbol* symbolAt(SourcePos nameBegin);
    const sema::Symbol* symbolOf(const Declaration& d) { return symbolAt(d.nameSpan.begin); }
    /// What a struct, enum, union, error set or protocol is made of; null: it is another type.
    const sema::NominalInfo* nominal(TypeId);
    /// Where it declares a field, variant, tag or protocol method; not valid: nowhere.
    SourcePos memberAt(TypeId, Name);
    /// All names in the program that stand for the same, declarations included.
    std::vector<Named> sameAs(const Named&);
    /// Where error sets declare a tag.
    std::vector<const Declaration*> tagDeclarations(Name);
    /// The innermost function around a position. Null: there is none.
    const Declaration* functionAround(SourcePos);

    void addFiles(std::set<std::string>& paths) const;

private:
    void repair();
    bool repairOnce(const Analysis& broken, EditorTexts::Map& texts, int attempt);
    void collectSema();
    std::vector<Named> collectNamed(FileId);
    bool isByName(const Named&);
    bool mayMean(const Named&, SourcePos target);

    std::string path_, root_;
    Encoding encoding_;
    std::unique_ptr<Analysis> original_, repaired_;
    std::map<FileId, FileNames> names_;
    std::map<FileId, std::vector<Named>> named_;
    std::map<FileId, std::unique_ptr<LineTable>> lines_;
    std::map<SourcePos, const Declaration*> declarations_;
    std::map<SourcePos, const ast::Expr*> expressions_;
    std::map<SourcePos, const sema::Symbol*> symbols_;
    struct CheckedUse {
        Named named;
        bool isPlain; ///< a name by itself, not a member
    };
    std::map<FileId, std::vector<CheckedUse>> semaUses_;
    std::map<SourcePos, std::set<SourcePos>> memberTargets_; ///< of a member in all instances, by place
    std::set<SourcePos> matchedTags_;                        ///< patterns that the check has found to name errors
    std::map<FileId, std::vector<Named>> shortFields_;       ///< of literals, as `Named::Short::Field`
    bool collected_ = false;
};

} // namespace sx::server
