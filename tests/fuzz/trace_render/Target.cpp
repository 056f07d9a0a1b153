// The renderer with frames and snapshots of any content: what comes out is harmless to a terminal, valid JSON where it
// is JSON, and the same through every door.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "../trace_input/Input.h"
#include "Json.h"
#include "sx/trace.h"

namespace {

constexpr int FRAMES = 40;

// Texts stand in memory of exactly their size, so that a sanitizer sees a byte read too many.
class Texts {
public:
    sx_string make(Input& input) {
        uint8_t kind = input.byte();
        std::size_t taken;
        const uint8_t* bytes = input.take(kind < 200 ? kind % 64 : input.number<uint16_t>() % 2000, &taken);
        if (kind >= 250) return {nullptr, input.number<int64_t>()};
        char* copy = static_cast<char*>(std::malloc(taken > 0 ? taken : 1));
        std::memcpy(copy, bytes, taken);
        kept_.emplace_back(copy);
        if (kind >= 240) return {copy, wrongLength(input)};
        return {copy, static_cast<int64_t>(taken)};
    }

private:
    // No text has it.
    static int64_t wrongLength(Input& input) {
        int64_t length = input.number<int64_t>();
        return length > 0 && length <= SX_TRACE_TEXT_MAX ? length + SX_TRACE_TEXT_MAX : length;
    }

    struct Free {
        void operator()(char* p) const { std::free(p); }
    };
    std::vector<std::unique_ptr<char, Free>> kept_;
};

struct World {
    Texts texts;
    sx_frame frames[FRAMES];
    int count = 0;

    explicit World(Input& input) {
        int wanted = 1 + input.byte() % FRAMES;
        for (; count < wanted; ++count) {
            sx_frame& frame = frames[count];
            frame.file = texts.make(input);
            frame.line = input.number<int32_t>();
            // Mostly a column that can be.
            frame.col = input.byte() % 4 == 0 ? input.number<int32_t>() : input.byte();
            frame.func = texts.make(input);
            frame.line_text = input.byte() % 4 == 0 ? window(input, frame.col) : texts.make(input);
        }
    }

    uint64_t address(uint8_t i) const { return reinterpret_cast<uint64_t>(&frames[i % count]); }

    // A frame by any number: for snapshots whose frames are no addresses.
    static bool resolve(uint64_t frame, sx_frame* out, void* ctx) {
        const World* world = static_cast<const World*>(ctx);
        if (frame % 7 == 0) return false;
        *out = world->frames[frame % static_cast<uint64_t>(world->count)];
        return true;
    }

    static bool name(uint64_t error, sx_string* out, void* ctx) {
        const World* world = static_cast<const World*>(ctx);
        *out = world->frames[error % static_cast<uint64_t>(world->count)].func;
        return error % 3 != 0;
    }

private:
    std::vector<std::string> windows_;

    // What a maker of frames would bake for a line of this text.
    sx_string window(Input& input, int32_t col) {
        sx_string line = texts.make(input);
        if (line.ptr != nullptr && (line.len < 0 || line.len > SX_TRACE_TEXT_MAX)) line.len = 0;
        if (line.ptr == nullptr && line.len > 0) HOLDS(sx_trace_line_window(line, col, nullptr, 0) == 0);
        std::size_t len = sx_trace_line_window(line, col, nullptr, 0);
        std::unique_ptr<char[]> exact(new char[len + 1]);
        HOLDS(sx_trace_line_window(line, col, exact.get(), len) == len);
        windows_.reserve(FRAMES);
        windows_.emplace_back(exact.get(), len);
        return {windows_.back().data(), static_cast<int64_t>(len)};
    }
};

std::string format(const sx_trace_snapshot* snapshot, const sx_trace_options& options) {
    std::size_t len = sx_trace_format(nullptr, 0, snapshot, &options);
    std::unique_ptr<char[]> exact(new char[len + 1]);
    HOLDS(sx_trace_format(exact.get(), len + 1, snapshot, &options) == len);
    HOLDS(exact[len] == '\0');
    return std::string(exact.get(), len);
}

// By callback, refused after some calls.
void checkRender(const sx_trace_snapshot* snapshot, const sx_trace_options& options, const std::string& whole,
                 uint8_t calls) {
    struct Sink {
        std::string text;
        int left;
    } sink = {{}, calls};
    auto write = [](const char* bytes, std::size_t len, void* ctx) {
        Sink* s = static_cast<Sink*>(ctx);
        HOLDS(len > 0 && s->left > 0);
        s->text.append(bytes, len);
        return --s->left > 0;
    };
    if (calls == 0) return;
    bool all = sx_trace_render(snapshot, &options, write, &sink);
    HOLDS(all == (sink.left > 0));
    HOLDS(whole.compare(0, sink.text.size(), sink.text) == 0);
    HOLDS(!all || sink.text == whole);
}

// The characters that reverse the direction of text, in UTF-8.
bool isDirection(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "\xE2\x80") == 0)
        return at + 2 < text.size() && text[at + 2] >= '\xAA' && text[at + 2] <= '\xAE';
    if (text.compare(at, 2, "\xE2\x81") == 0)
        return at + 2 < text.size() && text[at + 2] >= '\xA6' && text[at + 2] <= '\xA9';
    return false;
}

// Nothing but tabs and line ends drives the terminal; lines are whole. A report without frames has no heading.
void checkText(const std::string& text) {
    if (text.empty()) return;
    HOLDS(text.rfind("error return trace (most recent call last):\n", 0) == 0 ||
          text.rfind("\nalso in flight: ", 0) == 0);
    HOLDS(text.back() == '\n');
    for (std::size_t i = 0; i < text.size(); ++i) {
        uint8_t c = static_cast<uint8_t>(text[i]);
        HOLDS((c >= 0x20 && c != 0x7F) || c == '\t' || c == '\n');
        HOLDS(!isDirection(text, i));
        HOLDS(c != 0xC2 || i + 1 == text.size() || static_cast<uint8_t>(text[i + 1]) < 0x80 ||
              static_cast<uint8_t>(text[i + 1]) > 0x9F);
    }
}

std::string withoutColor(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') i = text.find('m', i);
        else out += text[i];
    }
    return out;
}

void checkStyles(const sx_trace_snapshot* snapshot, sx_trace_options options, uint8_t calls) {
    options.color = false;
    options.style = SX_TRACE_STYLE_TEXT;
    std::string text = format(snapshot, options);
    checkText(text);
    checkRender(snapshot, options, text, calls);
    options.color = true;
    HOLDS(withoutColor(format(snapshot, options)) == text);
    options.style = SX_TRACE_STYLE_SHORT;
    options.color = false;
    std::string brief = format(snapshot, options);
    checkText(brief);
    HOLDS(brief.size() <= text.size());
    options.style = SX_TRACE_STYLE_JSON;
    std::string json = format(snapshot, options);
    HOLDS(json.empty() ? text.empty() : isJsonLine(json));
    checkRender(snapshot, options, json, calls);
    options.style = SX_TRACE_STYLE_OFF;
    HOLDS(format(snapshot, options).empty());
}

uint64_t error(uint8_t die) { return die % 2 == 0 ? die % 6 : die % 6 | uint64_t(1) << 63; }

bool isReadable(sx_string s) { return s.ptr != nullptr && s.len > 0 && s.len <= SX_TRACE_TEXT_MAX; }

void note(Input& input, World& world) {
    sx_string text = world.texts.make(input);
    if (isReadable(text)) sx_trace_note(text.ptr, static_cast<std::size_t>(text.len));
}

void values(Input& input, World& world) {
    std::vector<sx_trace_value> list;
    for (int n = input.byte() % 4; n > 0; --n) {
        sx_trace_value value = {world.texts.make(input), world.texts.make(input)};
        if (isReadable(value.name) && isReadable(value.text)) list.push_back(value);
    }
    sx_trace_values(list.data(), list.size());
}

void makeTrace(Input& input, World& world) {
    for (int steps = input.byte(); steps > 0; --steps) {
        uint8_t die = input.byte();
        if (die < 120) sx_trace_push(world.address(die));
        else if (die < 150) sx_trace_push_error(world.address(die), error(die));
        else if (die < 175) sx_trace_raise(world.address(die));
        else if (die < 195) sx_trace_raise_error(die % 5 == 0 ? 0 : world.address(die), error(die));
        else if (die < 215) sx_trace_link(die % 4);
        else if (die < 222) sx_trace_absorb();
        else if (die < 232) note(input, world);
        else if (die < 240) values(input, world);
        else sx_trace_push(die < 248 ? die : world.address(die) + 1 + die % 7); // no address of a frame
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t len) {
    sx_trace_clear();
    Input input(bytes, len);
    World world(input);
    sx_trace_options options = {};
    options.error = world.texts.make(input);
    uint8_t calls = input.byte() % 8;
    makeTrace(input, world);
    checkStyles(nullptr, options, calls);

    sx_trace_snapshot snapshot;
    sx_trace_capture(&snapshot);
    // Spoiled in some places, or altogether.
    if (input.byte() % 4 == 0) {
        input.fill(&snapshot, sizeof snapshot);
    } else {
        for (int n = input.byte() % 8; n > 0; --n)
            reinterpret_cast<uint8_t*>(&snapshot)[input.number<uint16_t>() % sizeof snapshot] = input.byte();
    }
    sx_trace_resolver resolver = {World::resolve, &world, World::name};
    options.resolver = &resolver;
    checkStyles(&snapshot, options, calls);
    sx_trace_clear();
    sx_trace_resume(&snapshot);
    sx_trace_resume(&snapshot);
    checkStyles(nullptr, options, calls);
    sx_trace_restore(&snapshot);
    checkStyles(nullptr, options, calls);
    sx_trace_clear();
    return 0;
}
