// What library.sx does, with std::unordered_map, std::stable_sort, std::sort, nlohmann::json, boost::fibers, and
// SHA-256 in plain C.
#include <algorithm>
#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

template <typename Body> void fastestOfFive(const char* name, Body body) {
    int64_t best = 0, result = 0;
    for (int round = 0; round < 5; ++round) {
        int64_t took = 0;
        result = body(took);
        if (round == 0 || took < best) best = took;
    }
    std::printf("%s %lld %lld\n", name, static_cast<long long>(best / 1000), static_cast<long long>(result));
}

uint64_t next(uint64_t& state) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 33;
}

void maps() {
    fastestOfFive("map_integers", [](int64_t& took) {
        int64_t start = now();
        uint64_t found = 0;
        {
            std::unordered_map<uint64_t, uint64_t> m;
            uint64_t state = 1;
            for (int i = 0; i < 500000; ++i) m[next(state) % 300000] += 1;
            for (int i = 0; i < 500000; ++i) {
                auto at = m.find(next(state) % 600000);
                if (at != m.end()) found += at->second;
            }
        }
        took = now() - start;
        return static_cast<int64_t>(found);
    });
    std::vector<std::string> words;
    for (int i = 0; i < 5000; ++i) words.push_back("key-" + std::to_string(i * 7919));
    fastestOfFive("map_strings", [&](int64_t& took) {
        int64_t start = now();
        uint64_t result = 0;
        {
            std::unordered_map<std::string, uint64_t> m;
            uint64_t state = 2;
            for (int i = 0; i < 500000; ++i) m[words[next(state) % 5000]] += 1;
            for (const auto& w : words) result += m[w] * m[w];
        }
        took = now() - start;
        return static_cast<int64_t>(result);
    });
}

template <typename Sort> void sorting(const char* name, Sort sort) {
    fastestOfFive(name, [&](int64_t& took) {
        std::vector<uint64_t> items(500000);
        uint64_t state = 3;
        for (auto& item : items) item = next(state);
        int64_t start = now();
        sort(items);
        took = now() - start;
        return static_cast<int64_t>(items[250000] & 0xFFFFFF);
    });
}

void json() {
    std::string text = "[";
    for (int i = 0; i < 20000; ++i) {
        std::string n = std::to_string(i);
        if (i > 0) text += ",";
        text += "{\"id\":" + n + ",\"name\":\"entry number " + n +
                "\",\"tags\":[\"a\",\"b\\n\",true,null],\"at\":{\"x\":" + std::to_string(i * 3) + ",\"y\":-5}}";
    }
    text += "]";
    using Json = nlohmann::ordered_json;
    fastestOfFive("json_read", [&](int64_t& took) {
        int64_t start = now();
        { Json v = Json::parse(text); }
        took = now() - start;
        return static_cast<int64_t>(text.size());
    });
    Json v = Json::parse(text);
    fastestOfFive("json_write", [&](int64_t& took) {
        int64_t start = now();
        std::string out = v.dump();
        took = now() - start;
        return static_cast<int64_t>(out.size());
    });
}

/// The round constants: fractions of cube roots of primes, worked out here so that they are written down once.
struct Constants {
    uint32_t k[64];
    Constants() {
        int found = 0;
        for (uint64_t n = 2; found < 64; ++n) {
            bool prime = true;
            for (uint64_t d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
            if (!prime) continue;
            // The largest x with x^3 <= n * 2^96; its low 32 bits are the fraction.
            uint64_t low = 0, high = uint64_t{1} << 36;
            while (low + 1 < high) {
                uint64_t x = (low + high) / 2;
                long double cube = static_cast<long double>(x) * x * x;
                if (cube <= static_cast<long double>(n) * 79228162514264337593543950336.0L) low = x;
                else high = x;
            }
            k[found++] = static_cast<uint32_t>(low);
        }
    }
};

uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

void compress(const uint32_t* constants, uint32_t* state, const unsigned char* block) {
    uint32_t w[64];
    for (int i = 0; i < 16; ++i)
        w[i] = static_cast<uint32_t>(block[4 * i]) << 24 | static_cast<uint32_t>(block[4 * i + 1]) << 16 |
               static_cast<uint32_t>(block[4 * i + 2]) << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; ++i)
        w[i] = w[i - 16] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; ++i) {
        uint32_t t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    const uint32_t added[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i) state[i] += added[i];
}

void sha256() {
    static const Constants constants;
    std::vector<unsigned char> data(8000000);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 31);
    fastestOfFive("sha256", [&](int64_t& took) {
        int64_t start = now();
        uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
        for (size_t at = 0; at < data.size(); at += 64) compress(constants.k, state, &data[at]);
        unsigned char last[64] = {0x80};
        uint64_t bits = data.size() * 8;
        for (int i = 0; i < 8; ++i) last[63 - i] = static_cast<unsigned char>(bits >> (8 * i));
        compress(constants.k, state, last);
        took = now() - start;
        const char* digits = "0123456789abcdef";
        return int64_t{digits[state[0] >> 28]} * 256 + digits[state[7] & 15];
    });
}

void fibers() {
    fastestOfFive("fibers_10000", [&](int64_t& took) {
        int64_t start = now(), turns = 0;
        std::vector<boost::fibers::fiber> all;
        for (int i = 0; i < 10000; ++i)
            all.emplace_back([&turns] {
                for (int k = 0; k < 10; ++k) {
                    ++turns;
                    boost::this_fiber::yield();
                }
            });
        for (auto& fiber : all) fiber.join();
        took = now() - start;
        return turns;
    });
    fastestOfFive("messages", [&](int64_t& took) {
        int64_t start = now(), sum = 0;
        boost::fibers::buffered_channel<int64_t> channel(64);
        boost::fibers::fiber sender([&] {
            for (int64_t i = 0; i < 1000000; ++i) channel.push(i);
            channel.close();
        });
        boost::fibers::fiber receiver([&] {
            for (int64_t value = 0; channel.pop(value) == boost::fibers::channel_op_status::success;) sum += value;
        });
        sender.join();
        receiver.join();
        took = now() - start;
        return sum;
    });
}

} // namespace

int main() {
    fibers();
    maps();
    sorting("sort_integers", [](auto& items) { std::stable_sort(items.begin(), items.end()); });
    sorting("sort_by_order", [](auto& items) { std::sort(items.begin(), items.end(), std::greater<>()); });
    json();
    sha256();
}
