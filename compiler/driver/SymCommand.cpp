#include "driver/SymCommand.h"

#include "codegen/CodeOrigins.h"
#include "codegen/ExecutableSymbols.h"
#include "driver/Report.h"
#include "source/Files.h"
#include "source/Paths.h"
#include "symbols/Annotate.h"
#include "symbols/Json.h"
#include "symbols/SourceMap.h"
#include "types/TypeNames.h"
#include "vm/Image.h"
#include "vm/code/Disassemble.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <map>
#include <set>

namespace sx::driver {

namespace {

using symbols::SymbolFile;

int fail(const std::string& message) {
    printError(message);
    return 1;
}

// ---- the symbols of bytecode

/// Names of files as debug information has them.
class FileNames {
public:
    explicit FileNames(const SourceManager& sources) : sources_(sources), roots_(libraryRoots()) {}

    const std::string& of(FileId id) {
        auto [known, isNew] = names_.try_emplace(id);
        if (!isNew) return known->second;
        std::string path(sources_.path(id));
        for (const std::string& root : roots_)
            if (!llvm::sys::fs::exists(path)) path = joinPath(root, sources_.path(id));
        return known->second = joinPath(workingDirectory(), path);
    }

private:
    const SourceManager& sources_;
    std::vector<std::string> roots_;
    std::map<FileId, std::string> names_;
};

class ImageSymbols {
public:
    explicit ImageSymbols(Compilation& c) : module_(c.module), files_(c.sources) {}

    SymbolFile of(const vm::CodeImage& image, const std::string& path) {
        out_.path = path;
        out_.crc = image.crc();
        for (const vm::ImageFunction& f : image.functions) addFunction(f);
        for (const vm::ImageGlobal& g : image.globals) addGlobal(g);
        out_.regions.push_back({"code", vm::ImageStart, image.codeEnd, "text", "r-x"});
        if (image.dataEnd > image.dataStart)
            out_.regions.push_back({"data", image.dataStart, image.dataEnd, "data", "rw-"});
        symbols::sortByAddress(out_);
        return std::move(out_);
    }

private:
    void addFunction(const vm::ImageFunction& f) {
        const ir::Function& fn = module_.fn(f.code->func);
        symbols::FunctionSymbol symbol{fn.name, f.address, f.size(), "", 0};
        if (fn.span.isValid()) {
            Location at = module_.sources.resolve(fn.span.begin);
            symbol.file = files_.of(at.file);
            symbol.line = at.line;
        }
        out_.functions.push_back(symbol);
        bool hasLines = std::any_of(f.code->spans.begin(), f.code->spans.end(), [](Span s) { return s.isValid(); });
        if (hasLines) addInstructions(f, fn.name);
    }

    void addInstructions(const vm::ImageFunction& f, const std::string& name) {
        std::set<uint64_t> goals;
        symbols::LineRow last;
        for (uint32_t i = 0; i < f.code->instructionCount;) {
            vm::InstructionText text = vm::instructionText(*f.code, i);
            symbols::InstructionRow row;
            row.pc = f.addressOf(i);
            row.word = std::bit_cast<uint64_t>(f.code->words[i]);
            if (text.words > 1)
                row.bytes = llvm::toHex(
                    llvm::ArrayRef(reinterpret_cast<const uint8_t*>(&f.code->words[i]), text.words * sizeof(vm::Insn)),
                    /*LowerCase=*/true);
            row.mnemonic = text.name;
            row.operands = withAddresses(text.operands, f, goals);
            if (Span span = f.code->spans[i]; span.isValid()) {
                Location at = module_.sources.resolve(span.begin);
                symbols::LineRow line{row.pc, files_.of(at.file), at.line, at.col};
                row.file = line.file;
                row.line = line.line;
                bool isSame = line.file == last.file && line.line == last.line && line.column == last.column;
                if (!isSame) out_.lines.push_back(last = line);
            }
            out_.instructions.push_back(std::move(row));
            i += text.words;
        }
        symbols::addLabels(out_, name, goals);
    }

    /// Where something jumps is an index in its function: it becomes an address.
    static std::string withAddresses(const std::string& operands, const vm::ImageFunction& f,
                                     std::set<uint64_t>& goals) {
        constexpr llvm::StringLiteral Arrow = "-> ";
        std::string out;
        llvm::StringRef rest = operands;
        for (size_t at = rest.find(Arrow); at != llvm::StringRef::npos; at = rest.find(Arrow)) {
            out += rest.take_front(at + Arrow.size());
            rest = rest.drop_front(at + Arrow.size());
            int64_t index = 0;
            rest.consumeInteger(10, index);
            uint64_t goal = f.addressOf(static_cast<uint32_t>(index));
            goals.insert(goal);
            out += "0x" + llvm::utohexstr(goal, /*LowerCase=*/true);
        }
        return out + rest.str();
    }

    /// Variables of the program; what the compiler makes beside them has no name that one could use.
    void addGlobal(const vm::ImageGlobal& g) {
        const ir::Global& global = module_.global(g.global);
        if (global.type == TypeId::None || !global.span.isValid()) return;
        out_.variables.push_back(
            {global.name, g.address, global.size, writtenName(module_.types, global.type), "global"});
    }

    const ir::Module& module_;
    FileNames files_;
    SymbolFile out_;
};

// ---- what is done with symbols

/// The text of a line, where its file is there and is text.
class SourceLines {
public:
    std::string operator()(const std::string& file, uint32_t line) {
        auto [known, isNew] = files_.try_emplace(file);
        if (isNew)
            if (Result<std::string> text = readTextFile(file)) {
                llvm::SmallVector<llvm::StringRef> lines;
                llvm::StringRef(*text).split(lines, '\n');
                for (llvm::StringRef l : lines) known->second.push_back(l.trim().str());
            }
        return line > 0 && line <= known->second.size() ? known->second[line - 1] : "";
    }

private:
    std::map<std::string, std::vector<std::string>> files_;
};

int printSymbols(const std::string& text) {
    llvm::outs() << text;
    llvm::outs().flush();
    std::error_code problem = llvm::outs().error();
    llvm::outs().clear_error();
    return problem ? fail("cannot write to standard output: " + problem.message()) : 0;
}

int printCode(const SymbolFile& f) {
    SourceLines lines;
    return printSymbols(
        symbols::annotated(f, [&](const std::string& file, uint32_t line) { return lines(file, line); }));
}

/// Writes the file, or prints it where no name is given.
int writeSymbols(const SymbolFile& f, const Invocation& in) {
    Result<std::string> text = in.symbolFormat == SymbolFormat::Ngsm ? symbols::toNgsm(f.lines) : symbols::toJson(f);
    if (!text) return fail(text.error());
    if (in.output.empty()) return printSymbols(*text);
    Result<void> written = writeFile(in.output, *text);
    return written ? 0 : fail(written.error());
}

std::string several(size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

/// A symbol file in either form.
int check(const std::string& path, std::string_view bytes) {
    if (bytes.starts_with(symbols::NgsmMagic)) {
        Result<std::vector<symbols::LineRow>> rows = symbols::readNgsm(bytes);
        return rows ? printSymbols(path + ": ngsm, " + several(rows->size(), "position") + "\n")
                    : fail(path + ": " + rows.error());
    }
    if (llvm::StringRef(bytes).ltrim().starts_with("{")) {
        Result<SymbolFile> f = symbols::readJson(bytes);
        if (!f) return fail(path + ": " + f.error());
        return printSymbols(path + ": json, " + several(f->functions.size(), "function") + ", " +
                            several(f->instructions.size(), "instruction") + ", " +
                            several(f->lines.size(), "position") + "\n");
    }
    return fail(path + ": it is no symbol file: it begins neither with `NGSM` nor with `{`");
}

/// The symbol file beside a program, if there is one.
Result<std::optional<SymbolFile>> symbolsBeside(const std::string& program) {
    std::string path = program + ".sym";
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file) return std::optional<SymbolFile>();
    Result<SymbolFile> read = symbols::readJson((*file)->getBuffer());
    if (!read) return Failure{path + ": " + read.error()};
    return std::optional(std::move(*read));
}

/// An executable by itself, or by the symbol file beside it.
Result<SymbolFile> symbolsOf(const Invocation& in) {
    auto cannot = [&](const std::string& why) { return Failure{code(in.file) + ": " + why}; };
    Result<SymbolFile> own = codegen::executableSymbols(in.file);
    if (!own) return cannot(own.error());
    if (!in.disassemble || !own->lines.empty()) return own;
    Result<std::optional<SymbolFile>> beside = symbolsBeside(in.file);
    if (!beside) return beside.failure();
    if (!*beside) return own;
    if ((*beside)->crc != own->crc)
        return cannot("the symbols in " + code(in.file + ".sym") + " are those of another program: its crc is " +
                      std::to_string(own->crc) + ", theirs " + std::to_string((*beside)->crc));
    return codegen::executableSymbols(in.file, &**beside);
}

} // namespace

std::optional<int> describeFile(const Invocation& in) {
    if (in.checkSymbols && in.disassemble) return fail("`--check` and `--disassemble` exclude each other"), 2;
    bool isSource = llvm::StringRef(in.file).ends_with(".sx");
    if (isSource && !in.checkSymbols) return std::nullopt;
    llvm::sys::fs::file_status status;
    bool isDevice =
        !llvm::sys::fs::status(in.file, status) && status.type() == llvm::sys::fs::file_type::character_file;
    if (isDevice) return fail("cannot read " + code(in.file) + ": is a device");
    auto file = llvm::MemoryBuffer::getFile(in.file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!file) return fail("cannot read " + code(in.file) + ": " + file.getError().message());
    std::string_view bytes = (*file)->getBuffer();
    if (in.checkSymbols) return check(in.file, bytes);
    if (in.disassemble && llvm::StringRef(bytes).ltrim().starts_with("{")) {
        Result<SymbolFile> f = symbols::readJson(bytes);
        return f ? printCode(*f) : fail(in.file + ": " + f.error());
    }
    if (bytes.starts_with(symbols::NgsmMagic))
        return fail(in.file + ": it is a source map, which has no code: `sx sym --check` reads it");
    if (in.symbolFormat == SymbolFormat::Ngsm) return fail("`--format=ngsm` is for bytecode: give an `.sx` file");
    Result<SymbolFile> symbols = symbolsOf(in);
    if (!symbols) return fail(symbols.error());
    symbols->path = joinPath(workingDirectory(), in.file);
    return in.disassemble ? printCode(*symbols) : writeSymbols(*symbols, in);
}

int describeProgram(Compilation& c) {
    Result<vm::CodeImage> image = vm::makeImage(c.module);
    if (!image) return fail(image.error());
    SymbolFile symbols = ImageSymbols(c).of(*image, joinPath(workingDirectory(), c.invocation.file));
    return c.invocation.disassemble ? printCode(symbols) : writeSymbols(symbols, c.invocation);
}

Result<void> describeOrigins(const Compilation& compilation, const codegen::Options& options,
                             const std::string& executable, const std::string& name) {
    Result<std::vector<symbols::OriginRow>> rows = codegen::codeOrigins(compilation.module, options, executable);
    if (!rows) return Failure{"cannot describe " + code(name) + ": " + rows.error()};
    std::string source = joinPath(workingDirectory(), compilation.invocation.file);
    return writeFile(name + ".dbg", symbols::toJson({std::move(source), std::move(*rows)}));
}

} // namespace sx::driver
