// The memory of a program that tests lay out by hand, and what its addresses mean.
#pragma once

#include "../types/Fixture.h"
#include "debugger/inspect/Values.h"
#include "ir/TypeDescriptor.h"
#include "types/Derived.h"
#include "types/TypeNames.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <map>

namespace sx::test {

/// One block of bytes from `Base` on. Nothing else can be read.
struct BlockMemory : debugger::Memory {
    static constexpr uint64_t Base = 0x10000;
    std::vector<uint8_t> bytes;
    uint64_t reads = 0, bytesRead = 0;

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override {
        ++reads;
        if (address < Base || address - Base >= bytes.size()) return 0;
        size_t count = std::min<uint64_t>(into.size(), bytes.size() - (address - Base));
        std::memcpy(into.data(), bytes.data() + (address - Base), count);
        bytesRead += count;
        return count;
    }
    bool write(uint64_t address, llvm::ArrayRef<uint8_t> from) override {
        if (address < Base || address - Base > bytes.size() || from.size() > bytes.size() - (address - Base))
            return false;
        std::memcpy(bytes.data() + (address - Base), from.data(), from.size());
        return true;
    }
};

struct KnownAddresses : debugger::Addresses {
    std::map<uint64_t, std::string> code;
    std::map<uint64_t, std::vector<ir::Capture>> captures;
    std::map<uint64_t, TypeId> descriptors;

    std::optional<debugger::CodeName> codeAt(uint64_t address) override {
        auto it = code.find(address);
        if (it == code.end()) return std::nullopt;
        return debugger::CodeName{it->second, captures[address]};
    }
    TypeId typeAt(uint64_t descriptor) override {
        auto it = descriptors.find(descriptor);
        return it == descriptors.end() ? TypeId::None : it->second;
    }
    std::optional<uint64_t> descriptorOf(TypeId) override { return std::nullopt; }
    std::optional<uint64_t> addressOf(ir::GlobalId) override { return std::nullopt; }
    std::optional<uint64_t> addressOf(ir::FuncId) override { return std::nullopt; }
};

struct StoppedProgram : Types {
    BlockMemory memory;
    KnownAddresses addresses;
    debugger::Values values{table, memory, addresses};

    /// The address of new bytes, zero.
    uint64_t room(uint64_t size) {
        memory.bytes.resize((memory.bytes.size() + 15) / 16 * 16);
        uint64_t at = BlockMemory::Base + memory.bytes.size();
        memory.bytes.resize(memory.bytes.size() + size);
        return at;
    }
    void put(uint64_t address, const void* from, size_t size) {
        memory.write(address, {static_cast<const uint8_t*>(from), size});
    }
    void putWord(uint64_t address, uint64_t word) { put(address, &word, sizeof word); }
    uint64_t text(std::string_view s) {
        uint64_t at = room(s.size() + 1);
        put(at, s.data(), s.size());
        return at;
    }
    /// A value of words.
    debugger::Datum words(TypeId type, std::initializer_list<uint64_t> all) {
        uint64_t at = room(all.size() * 8), next = at;
        for (uint64_t word : all) putWord(next, word), next += 8;
        return debugger::Datum::at(type, at);
    }
    debugger::Datum string(std::string_view s) { return words(TypeId::String, {text(s), s.size()}); }
    debugger::Datum held(TypeId type, uint64_t word) { return debugger::fromRegister(table, type, word); }

    std::string shown(const debugger::Datum& d, debugger::ShowOptions options = {}) { return values.text(d, options); }
    std::string shown(TypeId type, uint64_t word) { return shown(held(type, word)); }
    std::string shown(TypeId type, std::initializer_list<uint64_t> all) { return shown(words(type, all)); }
    /// `name=text` of each child.
    std::vector<std::string> parts(const debugger::Datum& d, debugger::Page page = {}) {
        std::vector<std::string> out;
        for (const debugger::Child& c : values.children(d, "v", page)) out.push_back(c.name + "=" + shown(c.datum));
        return out;
    }
    std::vector<std::string> expressions(const debugger::Datum& d, std::string_view name = "v") {
        std::vector<std::string> out;
        for (const debugger::Child& c : values.children(d, llvm::StringRef(name))) out.push_back(c.evaluateName);
        return out;
    }
    TypeId point() {
        if (point_ == TypeId::None) {
            point_ = table.newStruct("Pt");
            table.completeStruct(point_,
                                 {{.name = name("x"), .type = TypeId::I64}, {.name = name("y"), .type = TypeId::I64}});
        }
        return point_;
    }
    TypeId listOf(TypeId elem) {
        TypeId t = table.newStruct("List__x");
        table.completeStruct(
            t, {{.name = name("items"), .type = sliceOf(table, elem)}, {.name = name("cap"), .type = TypeId::I64}});
        table.setWrittenName(t, "List(" + writtenName(table, elem) + ")");
        return t;
    }
    TypeId enumWith(std::initializer_list<std::pair<std::string_view, TypeId>> variants, bool isFlags = false) {
        EnumInfo info;
        info.isFlags = isFlags;
        for (auto [text, payload] : variants) {
            auto position = static_cast<int64_t>(info.variants.size());
            info.variants.push_back({name(text), isFlags ? int64_t{1} << position : position, payload});
        }
        return enumOf(std::move(info));
    }

private:
    TypeId point_{};
};

using Texts = std::vector<std::string>;

} // namespace sx::test
