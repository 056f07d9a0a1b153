// Random walks of the runtime beside the model.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#define SX_TRACE_HOPS_IN_PLACE
#include "model.hpp"
#include "sx/trace_calls.h"

// One operation after another, in both worlds, chosen by `numbers()`: any function that returns uint32_t. Three slots
// each for snapshots and fiber states, and one for a mark.
template <typename Numbers> class Walk {
public:
    explicit Walk(Numbers numbers) : random_(std::move(numbers)) {}

    // False when an operation returned something else than the model says.
    bool returnedRight() const { return returnedRight_; }

    // Begins anew before the model becomes slow: resuming what was captured doubles it.
    void step() {
        if (model.frames() > 4096) clear();
        uint64_t frame = ++frames_;
        uint32_t slot = random_() % 3;
        uint32_t die = random_() % 1000;
        if (die < 60) raise(frame, 0);
        else if (die < 200) raise(random_() % 8 == 0 ? 0 : frame, error());
        else if (die < 360) push(frame);
        else if (die < 550) pushError(frame, error());
        else if (die < 560) rename(error());
        else if (die < 600) burst();
        else if (die < 690) link(1 + random_() % 3);
        else if (die < 870) absorb();
        else if (die < 890) note();
        else if (die < 895) clear();
        else if (die < 915) capture(slot);
        else if (die < 930) captureAt(slot, 0);
        else if (die < 940) captureAt(slot, random_() % 4);
        else if (die < 955) restore(slot);
        else if (die < 975) resume(slot);
        else if (die < 977) spoil(slot);
        else if (die < 982) mark();
        else if (die < 985) rewind();
        else swap(slot);
    }

    Model model;

private:
    uint64_t error() {
        uint32_t which = random_() % 8;
        return which < 4 ? which : which | uint64_t(1) << 63;
    }

    void raise(uint64_t frame, uint64_t error) {
        if (error != 0 || frame == 0) sx_trace_raise_error(frame, error);
        else sx_trace_raise(frame);
        model.raise(frame, error);
    }
    void push(uint64_t frame) {
        if (frame % 2 == 0) sx_trace_push(frame);
        else sx_trace_cold_push(frame);
        model.push(frame);
    }
    void pushError(uint64_t frame, uint64_t error) {
        if (frame % 2 == 0) sx_trace_push_error(frame, error);
        else sx_trace_cold_push_error(frame, error);
        model.pushError(frame, error);
    }
    void rename(uint64_t error) { sx_trace_rename(error), model.rename(error); }
    void link(uint32_t kind) { sx_trace_link(kind), model.link(kind); }
    void absorb() { sx_trace_absorb(), model.absorb(); }
    void clear() { sx_trace_clear(), model.clear(); }

    void restore(uint32_t slot) {
        sx_trace_restore(&kept_[slot]);
        model.clear();
        model.resume(modelKept_[slot]);
    }

    void burst() {
        for (uint32_t n = random_() % 60; n > 0; --n) push(++frames_);
    }

    // A note is the number of its frame, so every note that is shown tells whether it stands where it belongs. The one
    // that was just made is shown if its frame is.
    void note() {
        if (model.chains.empty() || model.chains.back().frames.empty()) return;
        const ModelChain& chain = model.chains.back();
        bool isShown = chain.frames.back().alive || (chain.hasOrigin && chain.pushed() == 1);
        std::string text = std::to_string(chain.frames.back().value);
        sx_trace_note(text.data(), text.size());
        static const sx_trace_resolver numbers = {describe, nullptr, nullptr};
        sx_trace_options options = {};
        options.style = SX_TRACE_STYLE_SHORT;
        options.resolver = &numbers;
        static char shown[16384];
        sx_trace_format(shown, sizeof shown, nullptr, &options);
        returnedRight_ &= !isShown || std::strstr(shown, ("      note: " + text + "\n").c_str()) != nullptr;
        const char* frame = "";
        for (const char* line = shown; line != nullptr && *line != '\0'; line = nextLine(line)) {
            const char note[] = "      note: ";
            bool isNote = std::strncmp(line, note, sizeof note - 1) == 0;
            if (isNote)
                returnedRight_ &=
                    std::strtoull(line + sizeof note - 1, nullptr, 10) == std::strtoull(frame, nullptr, 10);
            else frame = line;
        }
    }

    static const char* nextLine(const char* line) {
        const char* end = std::strchr(line, '\n');
        return end == nullptr ? nullptr : end + 1;
    }

    // The number as the function's name. Two frames are looked at together.
    static bool describe(uint64_t frame, sx_frame* out, void*) {
        static char names[4][24];
        static uint32_t next = 0;
        char* name = names[next++ % 4];
        out->func = {name, std::snprintf(name, sizeof names[0], "%llu", static_cast<unsigned long long>(frame))};
        return true;
    }

    void capture(uint32_t slot) {
        std::size_t len = sx_trace_capture(&kept_[slot]);
        modelKept_[slot] = model;
        returnedRight_ &= len == sx_trace_len();
    }

    void captureAt(uint32_t slot, uint32_t below) {
        if (below == 0) sx_trace_capture_newest(&kept_[slot]);
        else sx_trace_capture_at(below, &kept_[slot]);
        modelKept_[slot] = model.groupAt(below);
    }

    void resume(uint32_t slot) {
        returnedRight_ &= sx_trace_find(&kept_[slot], 0) == model.find(modelKept_[slot]);
        bool resumed = frames_ % 2 == 0 ? sx_trace_resume(&kept_[slot]) : sx_trace_resume_error(&kept_[slot], 0);
        returnedRight_ &= resumed != modelKept_[slot].chains.empty();
        model.resume(modelKept_[slot]);
    }

    // What no capture makes counts as empty.
    void spoil(uint32_t slot) {
        sx_trace_buffer& s = kept_[slot].trace;
        switch (random_() % 4) {
        case 0: s.stack |= uint64_t(9) << 24; break;
        case 1: s.stack |= 1 + random_() % 255; break;
        case 2: s.lost = 1 + random_(); break;
        case 3: s.end = SX_TRACE_FRAMES + 1 + random_(); break;
        }
        modelKept_[slot] = Model();
    }

    void swap(uint32_t slot) {
        sx_trace_swap(&fibers_[slot]);
        std::swap(model.chains, modelFibers_[slot].chains);
        marked_ = false;
    }

    void mark() {
        mark_ = sx_trace_mark();
        modelMark_ = model.births;
        marked_ = true;
    }

    void rewind() {
        if (!marked_) return;
        sx_trace_rewind(mark_);
        model.rewind(modelMark_);
    }

    Numbers random_;
    bool returnedRight_ = true, marked_ = false;
    uint64_t frames_ = 0, mark_ = 0, modelMark_ = 0;
    sx_trace_snapshot kept_[3] = {};
    sx_trace_state fibers_[3] = {};
    Model modelKept_[3], modelFibers_[3];
};
