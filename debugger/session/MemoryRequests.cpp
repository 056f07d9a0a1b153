#include "debugger/session/Evaluation.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Requests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

#include <map>
#include <utility>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

constexpr uint32_t MostBytes = 16u << 20;
constexpr uint32_t MostInstructions = 100'000;

/// `memoryReference` and `offset`.
std::optional<uint64_t> addressOf(Arguments& a) {
    std::optional<uint64_t> base = a.optionalAddress("memoryReference");
    if (!base) a.reject("`memoryReference` has to be given: an address");
    int64_t offset = a.optionalOffset("offset").value_or(0);
    if (!a.ok()) return std::nullopt;
    return *base + static_cast<uint64_t>(offset);
}

} // namespace

Reply readMemory(Session& s, Arguments& a) {
    std::optional<uint64_t> address = addressOf(a);
    uint32_t count = a.size("count");
    if (!a.ok()) return {};
    if (count > MostBytes) return Reply::failure("at most 16 MiB are read at once");
    std::vector<uint8_t> bytes(count);
    size_t n = count == 0 ? 0 : memoryOf(s).read(*address, bytes);
    bytes.resize(n);
    Object body{{"address", hexText(*address)}, {"unreadableBytes", static_cast<int64_t>(count - n)}};
    if (n > 0) body["data"] = llvm::encodeBase64(bytes);
    return body;
}

Reply writeMemory(Session& s, Arguments& a) {
    std::optional<uint64_t> address = addressOf(a);
    std::string text = a.text("data");
    bool partial = a.flag("allowPartial", false);
    if (!a.ok()) return {};
    std::vector<char> bytes;
    if (llvm::Error e = llvm::decodeBase64(text, bytes)) {
        llvm::consumeError(std::move(e));
        return Reply::failure("`data` has to be base64");
    }
    llvm::ArrayRef<uint8_t> all(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    Memory& memory = memoryOf(s);
    size_t written = 0;
    if (memory.write(*address, all)) {
        written = all.size();
    } else if (partial) {
        while (written < all.size() && memory.write(*address + written, all.slice(written, 1))) ++written;
    } else {
        return Reply::failure("the memory at " + hexText(*address) + " cannot be written");
    }
    if (s.client.memoryEvents)
        s.event(
            "memory",
            Object{{"memoryReference", hexText(*address)}, {"offset", 0}, {"count", static_cast<int64_t>(written)}});
    if (s.client.invalidated) s.event("invalidated", Object{{"areas", Array{"variables"}}});
    return Object{{"bytesWritten", static_cast<int64_t>(written)}};
}

Reply disassemble(Session& s, Arguments& a) {
    std::optional<uint64_t> address = addressOf(a);
    int64_t skip = a.optionalInteger("instructionOffset").value_or(0);
    uint32_t count = a.index("instructionCount");
    bool symbols = a.flag("resolveSymbols", true);
    if (!a.ok()) return {};
    if (count > MostInstructions || skip > INT32_MAX || skip < -int64_t{MostInstructions})
        return Reply::failure("at most 100000 instructions are shown at once");
    const std::vector<Instruction> instructions =
        s.engine->machine().disassemble(*address, static_cast<int32_t>(skip), count);
    Array rows;
    rows.reserve(instructions.size()); // as it grows it would copy
    std::map<FileId, Object> sources;
    for (const Instruction& i : instructions) {
        Object o{{"address", hexText(i.address)},
                 {"instruction", i.mnemonic + (i.operands.empty() ? "" : " " + i.operands)}};
        if (i.mnemonic.empty()) {
            o["instruction"] = "(no code)";
            o["presentationHint"] = "invalid";
        }
        if (!i.bytes.empty()) {
            std::string text;
            for (uint8_t b : i.bytes) {
                if (!text.empty()) text += ' ';
                text += llvm::hexdigit(b >> 4, /*LowerCase=*/true);
                text += llvm::hexdigit(b & 15, /*LowerCase=*/true);
            }
            o["instructionBytes"] = std::move(text);
        }
        if (symbols && !i.symbol.empty()) o["symbol"] = asUtf8(i.symbol);
        if (i.at.isValid() && s.program) {
            Location at = s.program->sources.resolve(i.at);
            auto [source, isNew] = sources.try_emplace(at.file);
            if (isNew) source->second = sourceOf(s, at.file);
            o["location"] = Object(source->second);
            o["line"] = lineToClient(s, at.line);
            o["column"] = columnToClient(s, at);
        } else if (!i.file.empty()) {
            o["location"] = sourceOf(i.file);
            o["line"] = lineToClient(s, i.line);
        }
        rows.push_back(std::move(o));
    }
    return Object{{"instructions", std::move(rows)}};
}

} // namespace sx::debugger
