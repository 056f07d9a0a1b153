// Where the code of an executable's functions and statements is, read from its debug information.
//
// The program as the front end knows it (functions and statements of the IR) is found again by the names and lines of
// functions, and by the discriminators of the line table, which number statements (codegen/DebugInfo.h). Addresses are
// those of the file.
#pragma once

#include "debugger/foreign/Types.h"
#include "debugger/inspect/Datum.h"
#include "ir/CodeMarks.h"
#include "source/Result.h"
#include "symbols/SymbolFile.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llvm::object {
class ObjectFile;
}

namespace sx::debugger::native {

struct AddressRange {
    uint64_t begin = 0, end = 0;
    bool contains(uint64_t address) const { return begin <= address && address < end; }
};

/// A block of a function, as debug information has it, with the variables that are visible in it.
struct ImageBlock {
    std::vector<AddressRange> ranges;
    uint32_t parent = UINT32_MAX; ///< index into CodeCopy::blocks
    std::string variable;         ///< the name of one that it declares; empty: it declares none
    uint32_t line = 0;            ///< where
    /// Where it is all the time, from the frame pointer on; nothing: elsewhere, or now here, now there.
    std::optional<int64_t> frameOffset = std::nullopt;
};

/// Bytes of a variable that its debug information does not tell of, at some addresses of code.
struct ImageGap {
    std::string variable;
    uint32_t line = 0;              ///< where it is declared
    AddressRange at{0, UINT64_MAX}; ///< those addresses
    std::vector<ByteRange> missing; ///< what is missing of the bytes up to `size`; what follows is, too
    uint64_t size = 0;
};

/// A parameter, where it is declared, and where it is all the time, as of an ImageBlock.
struct ImageParameter {
    std::string name;
    uint32_t line = 0;
    std::optional<int64_t> frameOffset;
};

/// The code of a function: by itself, or where it was inlined.
struct CodeCopy {
    ir::FuncId func = ir::FuncId::None; ///< None: a function that the program does not know, as one of C
    std::vector<AddressRange> ranges;
    uint32_t parent = UINT32_MAX; ///< the copy that it is inlined in, as an index; UINT32_MAX: none
    uint32_t depth = 0;           ///< of inlining
    uint64_t entry = 0;
    bool changesCalls = false; ///< it is marked as one that takes or returns something in a way of its own
    std::vector<ImageBlock> blocks;
    std::vector<ImageParameter> parameters;
    std::vector<ImageGap> gaps;
    std::map<uint32_t, int64_t> traces; ///< those that error variables carry, by slot, from the frame pointer on
    bool contains(uint64_t address) const;
};

/// The length of an array in one dimension.
struct ArrayLength {
    uint64_t count = 0;
    bool isInFrame = false; ///< a word at `offset` says it, instead of `count`
    bool fromCfa = false;   ///< `offset` is from the canonical frame address on; else from the frame pointer on
    bool isLast = false;    ///< the word has the last index
    int64_t offset = 0;
};

struct ImageRow {
    uint64_t address = 0;
    uint32_t line = 0, column = 0; ///< 0: not known
    uint32_t marks = 0;            ///< what begins here (ir/CodeMarks.h)
    FileId file{};
    bool hasFile = false;
    bool ends = false;        ///< no code follows
    bool isStatement = false; ///< a debugger may stop here
};

/// An address at which a statement begins.
struct StatementStart {
    uint64_t address = 0;
    uint32_t statement = 0; ///< the first of those that begin here
    uint32_t copy = 0;      ///< index of the innermost copy
};

/// An address at which something has happened to an error.
struct ErrorPlace {
    uint64_t address = 0;
    ir::FuncId func = ir::FuncId::None;
    uint32_t event = 0; ///< index into ir::Function::errorEvents
};

/// The source file that an executable was built from, as its debug information has it.
struct EntrySource {
    std::string file, folder;                 ///< the file as it was named, and where it was built
    std::string version;                      ///< of the compiler
    std::vector<std::string> options;         ///< that it was built with: what changes the code
    std::map<std::string, std::string> files; ///< the MD5 of each source, in lower-case digits, by its absolute path
};
/// Fails where the file is no executable of this compiler with debug information.
Result<EntrySource> entrySourceOf(const std::string& executable);

/// What is made of the debug information of a program that the front end does not know.
struct ForeignModule {
    ir::Module& module;
    SourceManager& sources;
    ForeignTypes& types;
    /// Where a file that was recorded at a path is now.
    std::function<std::string(const std::string&)> here;
    std::vector<FileId>& files;         ///< gets those that are added to `sources`
    std::set<FileId>& withoutText;      ///< files that are not here, or have changed: lines without text
    std::vector<std::string>& problems; ///< what the user should know of the sources: one a file
};

/// Which code of a file the front end does not know.
enum class CCode : uint8_t {
    OfProgram, ///< it is a part of the program, whose own code is known
    OfLibrary, ///< all of it
};

/// An executable, a library, or an object in memory whose sections have been given their addresses.
struct CodeFile {
    std::string path;
    /// The object, of which there is no path. Its sources are taken as they are now where it does not say what they
    /// were.
    std::vector<uint8_t> object;
};

class ProgramImage {
public:
    /// `pathOf` gives the absolute path of a file of the program.
    ProgramImage(const ir::Module&, std::function<std::string(FileId)> pathOf);
    ~ProgramImage();

    Result<void> read(const std::string& executable);
    /// The same of an object in memory whose sections have been given their addresses: those of the image are run-time
    /// addresses then.
    Result<void> readObject(const std::vector<uint8_t>& bytes);
    /// The same of a program that the front end does not know: what it is made of is read as well. `into` has the
    /// module of this image.
    Result<void> readForeign(const std::string& executable, const ForeignModule& into);
    /// The same of a program without debug information, by a symbol file. After `readForeign`, whose `into` it is.
    void addSymbols(const symbols::SymbolFile&, const ForeignModule& into);
    /// Reads what an executable or a library of a program has of code that the front end does not know, whose addresses
    /// lie `offset` after those of the file. After `read`. The runtime is left out.
    Result<void> readC(const CodeFile&, uint64_t offset, CCode, const ForeignModule& into);
    /// Code that `readC` has read is not loaded any more: the copies from one index on and before
    /// another, whose numbers stay taken. Returns the functions that are gone with it.
    std::set<ir::FuncId> forget(uint32_t first, uint32_t end);
    /// The front end does not know the program.
    bool isForeign() const { return isForeign_; }
    /// The function is known by its debug information alone.
    bool isForeign(ir::FuncId func) const { return isForeign_ || foreign_.count(func) != 0; }
    /// Where a variable of a function is that has one place for ever; 0: it has none.
    uint64_t staticAddress(ir::FuncId, ir::SlotId) const;
    /// Of an array whose length is known only while it is there: its dimensions, the outermost first; else empty.
    llvm::ArrayRef<ArrayLength> lengthsOf(ir::FuncId, ir::SlotId) const;
    /// Each thread has one of its own.
    bool isThreadLocal(ir::GlobalId global) const { return threadLocals_.count(global) != 0; }

    /// Whether the program was built for this debugger.
    bool hasStatements() const { return !starts_.empty(); }
    bool isOptimized() const { return isOptimized_; }
    const std::vector<CodeCopy>& copies() const { return copies_; }
    /// The copies that an address lies in, the innermost first.
    std::vector<uint32_t> copiesAt(uint64_t address) const;
    /// The row that an address belongs to; null where there is none.
    const ImageRow* rowAt(uint64_t address) const;
    /// The first row with other marks after an address, in order of address.
    const ImageRow* rowAfter(uint64_t address) const;
    /// The rows with code where a debugger may stop on a line of a function, from a column on and before another, and
    /// no statement begins: in each copy the first `most` of one column with code of other lines between them.
    std::vector<const ImageRow*> rowsOf(ir::FuncId, const Location& from, uint32_t endColumn, uint32_t most) const;
    /// All copies of a function.
    std::vector<uint32_t> copiesOf(ir::FuncId) const;
    /// All beginnings of statements of a function, in order of address.
    const std::vector<StatementStart>& startsOf(ir::FuncId) const;
    /// The beginning of statements at exactly this address, or null.
    const StatementStart* startAt(uint64_t address) const;
    /// The statements that begin at exactly this address, in the order in which they run.
    llvm::ArrayRef<uint32_t> statementsAt(uint64_t address) const;
    /// The last beginning of a statement at or before an address in one copy of a function, or null.
    const StatementStart* startBefore(uint64_t address, uint32_t copy) const;
    /// Where, in order of address, what follows an address in one copy of a function is the code of another statement,
    /// by its place in the source, or something happens to an error.
    uint64_t endOfStatement(uint64_t address, uint32_t copy) const;
    /// Addresses of one statement of a function: several where there are several copies.
    std::vector<uint64_t> addressesOf(ir::FuncId, uint32_t statement) const;
    /// In order of address.
    const std::vector<ErrorPlace>& errorPlaces() const { return errorPlaces_; }
    /// The function that begins at an address.
    ir::FuncId functionAtEntry(uint64_t address) const;
    /// A symbol that lies elsewhere than in what was read.
    void addSymbol(const std::string& name, uint64_t address) { symbols_.emplace(name, address); }
    uint64_t symbol(const std::string& name) const; ///< of the executable; 0: there is none
    std::string symbolAt(uint64_t address) const;   ///< that begins there

private:
    struct Reader;
    struct ForeignReader;
    void readFrom(const llvm::object::ObjectFile&);
    /// `built`: when, in seconds since 1970.
    void readForeignFrom(const llvm::object::ObjectFile&, int64_t built, const ForeignModule& into, uint64_t offset,
                         CCode);
    void readSymbols(const llvm::object::ObjectFile&);
    void sortRows();
    void collectMarks();
    void addStart(uint64_t address, uint32_t statement, uint32_t copy);
    void collectChains();
    void addChains(ir::FuncId, std::vector<StatementStart>&);

    const ir::Module& module_;
    std::function<std::string(FileId)> pathOf_;
    std::vector<CodeCopy> copies_;
    std::vector<ImageRow> rows_; ///< in order of address
    std::map<ir::FuncId, std::vector<StatementStart>> starts_;
    std::map<uint64_t, StatementStart> startAt_;
    std::map<uint64_t, std::vector<uint32_t>> chains_; ///< several statements that begin at one address
    std::vector<ErrorPlace> errorPlaces_;
    std::map<uint64_t, uint32_t> functions_; ///< copies that are not inlined, by the begin of their ranges
    std::map<std::string, uint64_t> symbols_;
    std::map<uint64_t, std::string> symbolNames_;
    std::map<uint32_t, std::vector<uint32_t>> inlinedIn_; ///< copy: the copies inlined right in it
    std::map<std::pair<ir::FuncId, ir::SlotId>, uint64_t> staticAddresses_;
    std::map<std::pair<ir::FuncId, ir::SlotId>, std::vector<ArrayLength>> lengths_;
    std::set<ir::GlobalId> threadLocals_;
    bool isForeign_ = false;
    std::set<ir::FuncId> foreign_; ///< functions of other languages in a program that the front end knows
    bool isOptimized_ = false;
};

/// What happens to errors at exactly this address.
llvm::ArrayRef<ErrorPlace> errorPlacesAt(const ProgramImage&, uint64_t address);

} // namespace sx::debugger::native
