// The texts of values in traces (runtime/program/values.h), of types as the compiler describes them.
#include <catch2/catch.hpp>

#include "support.hpp"
#include "values.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace {

enum Category : int64_t {
    Other = 0,
    Int,
    Float,
    Bool,
    String,
    Void,
    Struct,
    Enum,
    TaggedEnum,
    Union,
    Vector,
    Array,
    Slice,
    Pointer,
    ManyPointer,
    Optional,
    ErrorSet,
    Closure,
    TypeCategory,
    Tuple,
};

sx_type type(Category category, int64_t size, int64_t bits = 0, int64_t flags = 0) {
    sx_type t{};
    t.category = category;
    t.size = size;
    t.bits = bits;
    t.flags = flags;
    return t;
}

sx_type of(Category category, int64_t size, const sx_type* elem, int64_t count = 0, int64_t extra = 0) {
    sx_type t = type(category, size);
    t.elem = elem;
    t.member_count = count;
    t.extra = extra;
    return t;
}

sx_type with(Category category, int64_t size, const std::vector<sx_type_member>& members, int64_t bits = 0,
             int64_t flags = 0) {
    sx_type t = type(category, size, bits, flags);
    t.member_count = static_cast<int64_t>(members.size());
    t.members = members.data();
    return t;
}

std::string text(const sx_type& t, const void* data, const sx_error_names* errors = nullptr) {
    char bytes[SX_VALUE_TEXT + 3];
    return {bytes, sx_value_text(&t, data, errors, bytes)};
}

template <class T> std::string textOf(const sx_type& t, T value) { return text(t, &value); }

const sx_type i64 = type(Int, 8, 64), u8 = type(Int, 1, 8, 1), string = type(String, 16);

/// Of a literal, which stays.
sx_string named(const char* text) { return {text, static_cast<int64_t>(std::strlen(text))}; }

struct Span {
    const void* ptr;
    int64_t len;
};

Span span(const std::string& s) { return {s.data(), static_cast<int64_t>(s.size())}; }

} // namespace

TEST_CASE("values: numbers") {
    CHECK(textOf(i64, INT64_MIN) == "-9223372036854775808");
    CHECK(textOf(type(Int, 8, 64, 1), UINT64_MAX) == "18446744073709551615");
    CHECK(textOf(type(Int, 1, 3), uint8_t{0xFD}) == "-3"); // the bits above are not the number's
    CHECK(textOf(u8, uint8_t{200}) == "200");
    CHECK(textOf(type(Bool, 1), uint8_t{1}) == "true");
    CHECK(textOf(type(Bool, 1), uint8_t{7}) == "<bad value 7>");
    const sx_type f64 = type(Float, 8, 64), f32 = type(Float, 4, 32);
    CHECK(textOf(f64, 0.1) == "0.1");
    CHECK(textOf(f64, 3.0) == "3.0");
    CHECK(textOf(f64, -0.0) == "-0.0");
    CHECK(textOf(f64, 1e300) == "1e+300");
    CHECK(textOf(f64, 100000.0) == "100000.0");
    CHECK(textOf(f64, 1234567.5) == "1234567.5");
    CHECK(textOf(f64, 1e16) == "10000000000000000.0");
    CHECK(textOf(f64, 1e17) == "1e+17");
    CHECK(textOf(f64, 0.0001) == "0.0001");
    CHECK(textOf(f64, 1e-5) == "1e-05");
    CHECK(textOf(f64, -std::numeric_limits<double>::denorm_min()) == "-5e-324");
    CHECK(textOf(f64, std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
    CHECK(textOf(f64, -0.00012345678901234567) == "-0.00012345678901234567");
    CHECK(textOf(f64, 0.1 + 0.2) == "0.30000000000000004");
    CHECK(textOf(f32, 0.1f) == "0.1");
    CHECK(textOf(f64, -std::numeric_limits<double>::infinity()) == "-inf");
    CHECK(textOf(f64, -std::nan("")) == "nan");
}

TEST_CASE("values: texts") {
    CHECK(textOf(string, Span{nullptr, 0}) == "\"\"");
    CHECK(textOf(string, span("a\n\t\"\\")) == "\"a\\n\\t\\\"\\\\\"");
    CHECK(textOf(string, span(std::string("a\0b", 3))) == "\"a\\0b\"");
    CHECK(textOf(string, span(std::string(40, 'x'))) == "\"" + std::string(40, 'x') + "\"");
    CHECK(textOf(string, span(std::string(41, 'x'))) == "\"" + std::string(40, 'x') + "\"…");
    CHECK(textOf(string, span(std::string(39, 'x') + "é and more")) == "\"" + std::string(39, 'x') + "\"…");
    CHECK(textOf(string, span(std::string(38, 'x') + "é and more")) == "\"" + std::string(38, 'x') + "é\"…");
    CHECK(textOf(string, span(std::string(50, '\x80'))) == "\"" + std::string(40, '\x80') + "\"…");
    CHECK(textOf(string, span(std::string(40, '\n'))) == "\"" + [] {
        std::string lines;
        for (int i = 0; i < 39; ++i) lines += "\\n";
        return lines;
    }() + "…"); // as much as there is room for
}

TEST_CASE("values: what cannot be read gives way to an ellipsis") {
    CHECK(textOf(string, Span{reinterpret_cast<void*>(16), 5}) == "…");
    CHECK(textOf(string, Span{"text", -1}) == "…");
    CHECK(textOf(string, Span{reinterpret_cast<void*>(16), INT64_MAX}) == "…");
    const sx_type slice = of(Slice, 16, &i64);
    CHECK(textOf(slice, Span{reinterpret_cast<void*>(16), 2}) == "…");
    CHECK(textOf(slice, Span{"text", INT64_MIN}) == "…");
    CHECK(textOf(type(TypeCategory, 8), uint64_t{16}) == "…");
    for (Category c : {Other, Union, Closure}) CHECK(textOf(type(c, 8), uint64_t{1}) == "…");
    CHECK(textOf(type(Pointer, 8), uint64_t{16}) == "…");
    CHECK(textOf(type(Pointer, 8), uint64_t{0}) == "null");
}

TEST_CASE("values: sequences") {
    const int64_t numbers[] = {1, -2, 3, 4, 5, 6};
    const sx_type slice = of(Slice, 16, &i64);
    CHECK(textOf(slice, Span{numbers, 0}) == "[]");
    CHECK(textOf(slice, Span{numbers, 2}) == "[1, -2]");
    CHECK(textOf(slice, Span{numbers, 5}) == "[1, -2, 3, 4, 5]");
    CHECK(textOf(slice, Span{numbers, 6}) == "[1, -2, 3, 4, 5, …]");
    CHECK(text(of(Array, 24, &i64, 3), numbers) == "[1, -2, 3]");
    CHECK(text(of(Array, 48, &i64, 6), numbers) == "[1, -2, 3, 4, 5, …]");
    const sx_type large = of(Array, 48, &i64, 6);
    CHECK(textOf(of(Slice, 16, &large), Span{numbers, 1}) == "[…]");
    const std::string words[] = {"a", "b"};
    const Span spans[] = {span(words[0]), span(words[1])};
    CHECK(textOf(of(Slice, 16, &string), Span{spans, 2}) == "[\"a\", \"b\"]");
    const sx_type nothing = type(Struct, 0);
    CHECK(textOf(of(Slice, 16, &nothing), Span{nullptr, INT64_MAX}).size() <= SX_VALUE_TEXT + 3);
}

TEST_CASE("values: enums and errors") {
    std::vector<sx_type_member> colors{{named("red"), nullptr, 0, 0}, {named("green"), nullptr, 0, -1}};
    const sx_type color = with(Enum, 1, colors, 8);
    CHECK(textOf(color, uint8_t{0}) == ".red");
    CHECK(textOf(color, uint8_t{255}) == ".green");
    CHECK(textOf(color, uint8_t{7}) == "<bad value 7>");
    std::vector<sx_type_member> bits{{named("read"), nullptr, 0, 1}, {named("write"), nullptr, 0, 2}};
    const sx_type flags = with(Enum, 1, bits, 8, 1 | 2);
    CHECK(textOf(flags, uint8_t{3}) == ".read | .write");
    CHECK(textOf(flags, uint8_t{0}) == "0");
    CHECK(textOf(flags, uint8_t{9}) == "<bad value 9>");

    const sx_type none = type(Void, 0);
    std::vector<sx_type_member> shapes{{named("dot"), &none, 8, 0}, {named("line"), &i64, 8, 1}};
    const sx_type shape = with(TaggedEnum, 16, shapes, 64);
    const int64_t line[] = {1, 12}, dot[] = {0, 12}, bad[] = {9, 12};
    CHECK(text(shape, line) == ".line(12)");
    CHECK(text(shape, dot) == ".dot");
    CHECK(text(shape, bad) == "<bad value 9>");

    struct {
        int64_t count = 2;
        sx_string names[2] = {{nullptr, 0}, {"Bad", 3}};
    } table;
    const auto* names = reinterpret_cast<const sx_error_names*>(&table);
    const sx_type errors = type(ErrorSet, 4, 32);
    const uint32_t tags[] = {0, 1, 2};
    CHECK(text(errors, &tags[0], names) == "no error");
    CHECK(text(errors, &tags[1], names) == "error.Bad");
    CHECK(text(errors, &tags[2], names) == "<bad value 2>");
    CHECK(text(errors, &tags[1]) == "<bad value 1>");
}

TEST_CASE("values: optionals, structs and tuples") {
    struct {
        int64_t value = 5;
        uint8_t flag = 1;
    } present;
    sx_type optional = of(Optional, 16, &i64, 0, 8);
    CHECK(text(optional, &present) == "5");
    present.flag = 0;
    CHECK(text(optional, &present) == "null");
    present.flag = 9;
    CHECK(text(optional, &present) == "<bad value 9>");
    const sx_type word = of(Optional, 16, &string, 0, -1);
    CHECK(textOf(word, Span{nullptr, 3}) == "null");
    CHECK(textOf(word, span("x")) == "\"x\"");

    const int64_t pair[] = {1, 2};
    std::vector<sx_type_member> fields{{named("x"), &i64, 0, 0}, {named("y"), &i64, 8, 0}};
    CHECK(text(with(Struct, 16, fields), pair) == "{x: 1, y: 2}");
    CHECK(text(with(Struct, 65, fields), pair) == "…");
    std::vector<sx_type_member> elements{{{nullptr, 0}, &i64, 0, 0}, {named("rest"), &i64, 8, 0}};
    CHECK(text(with(Tuple, 16, elements), pair) == "(1, rest: 2)");
}

TEST_CASE("values: a type that contains itself ends") {
    std::vector<sx_type_member> fields{{named("self"), nullptr, 0, 0}};
    sx_type endless = with(Struct, 8, fields);
    fields[0].type = &endless;
    CHECK(textOf(endless, uint64_t{0}) == "{self: {self: {self: {self: {self: …}}}}}");
}

TEST_CASE("values: an ellipsis within a text takes no more room than there is") {
    const sx_type unknown = type(Other, 8);
    for (size_t length = 1; length < 100; ++length) {
        std::string name(length, 'n');
        std::vector<sx_type_member> fields{{str(name), &unknown, 0, 0}, {named("rest"), &unknown, 0, 0}};
        std::string shown = textOf(with(Struct, 8, fields), uint64_t{0});
        CHECK(shown.size() <= SX_VALUE_TEXT + 3);
        CHECK((shown.back() == '}' || shown.substr(shown.size() - 3) == "…"));
    }
}

namespace {

/// Types that refer to each other at random, as far as descriptors of the compiler could: no part is larger than its
/// whole.
class RandomTypes {
public:
    explicit RandomTypes(uint64_t seed) : state_(seed) {
        for (sx_type& t : types_) {
            static constexpr int64_t sizes[] = {0, 1, 2, 4, 8, 16, 24, 40, 64, 72};
            t = type(static_cast<Category>(below(26)), sizes[below(10)]);
            if (t.category == Int || t.category == Enum) t.size = int64_t{1} << below(4);
            if (t.category == Float) t.size = below(2) ? 4 : 8;
            if (t.category == String || t.category == Slice || t.category == TaggedEnum) t.size = 16;
            if (t.category == Optional) t.size = 24;
            if (t.category > Slice && t.category < Tuple && t.category != Optional) t.size = 8;
            t.bits = t.category == Float ? t.size * 8 : t.size > 0 ? 1 + below(t.size * 8) : 0;
            t.flags = below(4);
            t.extra = below(2) ? -1 : 16;
            if (t.category > Tuple) t.size = 16;
        }
        for (size_t i = 0; i < std::size(types_); ++i) connect(types_[i], members_[i]);
    }

    std::string show(size_t i) {
        const sx_type& t = types_[i % std::size(types_)];
        std::vector<char> data(static_cast<size_t>(t.size) + 1);
        for (char& byte : data) byte = static_cast<char>(below(256));
        const Span somewhere{below(2) ? static_cast<const void*>(types_) : reinterpret_cast<const void*>(16),
                             below(60)};
        if (t.size >= 16 && below(2)) std::memcpy(data.data(), &somewhere, sizeof somewhere);
        return text(t, data.data());
    }

private:
    int64_t below(int64_t n) {
        state_ = state_ * 6364136223846793005 + 1442695040888963407;
        return static_cast<int64_t>((state_ >> 33) % static_cast<uint64_t>(n));
    }

    void connect(sx_type& t, sx_type_member* members) {
        static const sx_type nothing = type(Void, 0);
        int64_t before = t.category == TaggedEnum ? 8 : 0;
        auto part = [&](int64_t room) {
            const sx_type& chosen = types_[below(std::size(types_))];
            return chosen.size <= room ? &chosen : &nothing;
        };
        t.elem = t.category == Slice ? part(100) : part(16);
        t.member_count = below(6);
        t.members = members;
        for (int k = 0; k < 6; ++k) members[k] = {named("m"), part(t.size - before), before, below(8)};
        bool isArray = t.category == Array || t.category == Vector;
        if (isArray) t.member_count = t.elem->size > 0 ? t.size / t.elem->size : 3;
    }

    uint64_t state_;
    sx_type types_[30];
    sx_type_member members_[30][6];
};

} // namespace

TEST_CASE("values: any bytes of any type have a text of bounded length") {
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        RandomTypes types(seed);
        for (size_t i = 0; i < 60; ++i) REQUIRE(types.show(i).size() <= SX_VALUE_TEXT + 3);
    }
}

TEST_CASE("values: those of a frame are cut at what a frame may have") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1);
    struct {
        int64_t count;
        const sx_error_names* errors;
        sx_parameter items[40];
    } list{2, nullptr, {}};
    uint64_t words[40];
    const std::string longText(40, 'x');
    const Span held = span(longText);
    list.items[0] = {named("n"), &i64, 0};
    list.items[1] = {named("s"), &string, 1};
    words[0] = 7;
    words[1] = reinterpret_cast<uint64_t>(&held);
    sx_trace_raise(a.value());
    sx_program_values(reinterpret_cast<const sx_parameters*>(&list), words);
    CHECK(render().find("      with n = 7, s = \"" + longText + "\"\n") != std::string::npos);
    sx_trace_clear();

    list.count = 40;
    for (int i = 0; i < 40; ++i) {
        list.items[i] = {named("n"), &i64, 0};
        words[i] = 1;
    }
    sx_trace_raise(a.value());
    sx_program_values(reinterpret_cast<const sx_parameters*>(&list), words);
    std::string shown = render();
    CHECK(shown.find("n = 1, …\n") != std::string::npos);
    CHECK(shown.find("with ") + 5 + SX_TRACE_VALUES_MAX + 5 >= shown.size() - 1);
}
