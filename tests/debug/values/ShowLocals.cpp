// Usage: show_locals FILE.sx < DESCRIPTION
//
// Shows variables of `main`, a line each, with debugger/inspect: their types are those of the program as it is compiled
// here, their bytes those of a process that a debugger describes, in lines
//     MEMORY ADDRESS BYTES     in hexadecimal
//     SYMBOL ADDRESS NAME
//     LOCAL ADDRESS LINE NAME  a variable to show, with the line of its declaration
#include "../../unit/CheckedProgram.h"
#include "debugger/inspect/Values.h"
#include "ir/TypeDescriptor.h"
#include "types/TypeNames.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>

using namespace sx;

namespace {

class Image : public debugger::Memory {
public:
    void add(uint64_t address, const std::string& hex) {
        std::string bytes = llvm::fromHex(hex);
        blocks_[address] = std::vector<uint8_t>(bytes.begin(), bytes.end());
    }
    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override {
        size_t done = 0;
        while (done < into.size()) { // a value may lie in two mappings
            auto it = blocks_.upper_bound(address + done);
            if (it == blocks_.begin()) break;
            --it;
            uint64_t offset = address + done - it->first;
            if (offset >= it->second.size()) break;
            size_t count = std::min<uint64_t>(into.size() - done, it->second.size() - offset);
            std::memcpy(into.data() + done, it->second.data() + offset, count);
            done += count;
        }
        return done;
    }
    bool write(uint64_t, llvm::ArrayRef<uint8_t>) override { return false; }

private:
    std::map<uint64_t, std::vector<uint8_t>> blocks_;
};

class Symbols : public debugger::Addresses {
public:
    Symbols(const ir::Module& module, Image& image) : module_(module), image_(image) {
        for (const auto& fn : module.functions) functions_[fn->symbol] = fn.get();
    }
    void add(uint64_t address, std::string name) { names_[address] = std::move(name); }

    std::optional<debugger::CodeName> codeAt(uint64_t address) override {
        auto name = names_.find(address);
        if (name == names_.end()) return std::nullopt;
        auto known = functions_.find(name->second);
        if (known == functions_.end()) return debugger::CodeName{name->second, {}};
        // The number that tells symbols of one name apart belongs to the text.
        size_t dot = name->second.rfind('.');
        bool hasNumber = name->second.find_first_not_of("0123456789", dot + 1) == std::string::npos;
        return debugger::CodeName{known->second->name + (hasNumber ? name->second.substr(dot) : ""),
                                  known->second->captures};
    }
    /// By the name that the descriptor has: it is a symbol `sx.type.NUMBER`, if it is one.
    TypeId typeAt(uint64_t descriptor) override {
        auto name = names_.find(descriptor);
        if (name == names_.end() || name->second.rfind("sx.type.", 0) != 0) return TypeId::None;
        std::string written = text(descriptor + ir::desc::WrittenPtr);
        if (written.empty()) written = text(descriptor + ir::desc::NamePtr);
        for (uint32_t t = 1; t < module_.types.size(); ++t) {
            TypeId type{t};
            if (module_.types.kind(type) != TypeKind::None && writtenName(module_.types, type) == written) return type;
        }
        return TypeId::None;
    }
    std::optional<uint64_t> descriptorOf(TypeId) override { return std::nullopt; }
    std::optional<uint64_t> addressOf(ir::GlobalId) override { return std::nullopt; }
    std::optional<uint64_t> addressOf(ir::FuncId) override { return std::nullopt; }

private:
    std::string text(uint64_t at) {
        uint64_t words[2] = {};
        image_.read(at, {reinterpret_cast<uint8_t*>(words), sizeof words});
        std::string out(std::min<uint64_t>(words[1], 1000), '\0');
        image_.read(words[0], {reinterpret_cast<uint8_t*>(out.data()), out.size()});
        return out;
    }

    const ir::Module& module_;
    Image& image_;
    std::map<uint64_t, std::string> names_;
    std::map<std::string, const ir::Function*> functions_;
};

TypeId typeOfLocal(const ir::Module& module, const std::string& name, unsigned line) {
    for (const auto& fn : module.functions) {
        if (fn->name != "main") continue;
        for (const ir::Slot& slot : fn->slots)
            if (slot.isVariable && module.types.names().text(slot.name) == name &&
                module.sources.resolve(slot.span.begin).line == line)
                return slot.type;
    }
    return TypeId::None;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    test::CheckedProgram program(argv[1]);
    if (!program.ok) return 1;
    Image image;
    Symbols symbols(program.module, image);
    debugger::Values values(program.types, image, symbols);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        std::string what, name;
        uint64_t address = 0;
        unsigned at = 0;
        in >> what >> std::hex >> address >> std::dec;
        if (what == "LOCAL") in >> at;
        in >> std::ws;
        std::getline(in, name);
        if (what == "MEMORY") image.add(address, name);
        if (what == "SYMBOL") symbols.add(address, name);
        if (what != "LOCAL") continue;
        TypeId type = typeOfLocal(program.module, name, at);
        std::puts(type == TypeId::None ? "<no such variable>"
                                       : values.text(debugger::Datum::at(type, address)).c_str());
    }
    return 0;
}
