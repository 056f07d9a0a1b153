#include "debugger/protocol/Message.h"

#include "debugger/protocol/Body.h"
#include "source/JsonDepth.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace sx::debugger {

Result<ParsedRequest> parseRequest(std::string_view body) {
    Result<llvm::json::Object> object = parseBody(body);
    ParsedRequest parsed;
    if (!object && jsonDepth(body) > MaxJsonDepth) { // who has sent it is answered
        parsed.problem = object.error();
        object = parseBody(outlineOf(body));
    }
    if (!object) return object.failure();

    if (object->getString("type") == std::optional<llvm::StringRef>("response")) {
        parsed.answers = object->getInteger("request_seq").value_or(-1);
        parsed.succeeded = object->getBoolean("success").value_or(false);
        parsed.message = object->getString("message").value_or("").str();
        return parsed;
    }
    if (std::optional<int64_t> seq = object->getInteger("seq")) parsed.request.seq = *seq;
    else parsed.problem = "a request needs the number `seq`";
    if (std::optional<llvm::StringRef> command = object->getString("command")) parsed.request.command = command->str();
    else parsed.problem = "a request needs the text `command`";
    std::optional<llvm::StringRef> type = object->getString("type");
    if (!type || *type != "request") parsed.problem = "the message's `type` is not `request`";
    if (llvm::json::Value* arguments = object->get("arguments")) {
        if (llvm::json::Object* o = arguments->getAsObject()) parsed.request.arguments = std::move(*o);
        else if (arguments->kind() != llvm::json::Value::Null) parsed.problem = "`arguments` has to be an object";
    }
    return parsed;
}

std::string toText(llvm::json::Object message) {
    constexpr size_t Piece = 1 << 14; // without a buffer each mark of punctuation would be an addition to the text
    std::string text;
    llvm::raw_string_ostream out(text);
    out.SetBufferSize(Piece);
    out << llvm::json::Value(std::move(message));
    out.flush();
    return text;
}

std::string asUtf8(std::string_view bytes) {
    if (std::none_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) != 0; })) return std::string(bytes);
    std::string text;
    const auto* at = reinterpret_cast<const llvm::UTF8*>(bytes.data());
    const llvm::UTF8* end = at + bytes.size();
    while (at < end) {
        unsigned length = llvm::getNumBytesForUTF8(*at);
        if (length <= static_cast<size_t>(end - at) && llvm::isLegalUTF8Sequence(at, at + length)) {
            text.append(reinterpret_cast<const char*>(at), length);
            at += length;
        } else {
            static const char digits[] = "0123456789abcdef";
            text += {'\\', 'x', digits[*at >> 4], digits[*at & 15]};
            ++at;
        }
    }
    return text;
}

} // namespace sx::debugger
