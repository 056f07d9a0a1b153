// Semantic tokens as what has changed since the last ones. The server keeps them: the processes come and go.
#include "server/session/Server.h"

namespace sx::server {

namespace {

std::vector<int64_t> dataOf(const Reply& full) {
    std::vector<int64_t> data;
    const json::Object* result = full.result.getAsObject();
    if (const json::Array* list = result ? result->getArray("data") : nullptr)
        for (const json::Value& v : *list) data.push_back(v.getAsInteger().value_or(0));
    return data;
}

} // namespace

Reply Server::keepTokens(const std::string& path, Reply full) {
    json::Object* result = full.result.getAsObject();
    if (!result) return full;
    Tokens& kept = tokens_[path];
    kept = {++tokenIds_, dataOf(full)};
    (*result)["resultId"] = std::to_string(kept.id);
    return full;
}

Reply Server::tokenDelta(const std::string& path, int64_t previous, Reply full) {
    auto known = tokens_.find(path);
    if (known == tokens_.end() || known->second.id != previous || !full.result.getAsObject())
        return keepTokens(path, std::move(full));
    std::vector<int64_t> now = dataOf(full), before = std::move(known->second.data);
    size_t front = 0, most = std::min(now.size(), before.size());
    while (front < most && now[front] == before[front]) ++front;
    front -= front % 5;
    size_t back = 0;
    while (back < most - front && now[now.size() - 1 - back] == before[before.size() - 1 - back]) ++back;
    back -= back % 5;
    json::Array edits;
    if (front + back < now.size() || front + back < before.size()) {
        json::Array data;
        for (size_t i = front; i < now.size() - back; ++i) data.push_back(now[i]);
        edits.push_back(json::Object{{"start", static_cast<int64_t>(front)},
                                     {"deleteCount", static_cast<int64_t>(before.size() - front - back)},
                                     {"data", std::move(data)}});
    }
    known->second = {++tokenIds_, std::move(now)};
    return {json::Object{{"resultId", std::to_string(known->second.id)}, {"edits", std::move(edits)}}};
}

} // namespace sx::server
