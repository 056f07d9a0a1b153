// The rules of traces, with no thought for time or space: a model that keeps every frame it was ever given, and random
// walks of the runtime beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#define SX_TRACE_HOPS_IN_PLACE
#include "sx/trace.h"
#include "sx/trace_calls.h"

struct ModelFrame {
    uint64_t value;
    bool alive; // not overwritten yet
};

struct ModelChain {
    std::vector<ModelFrame> frames;
    uint32_t link = SX_TRACE_UNLINKED;
};

class Model {
public:
    std::vector<ModelChain> chains;

    std::size_t frames() const {
        std::size_t sum = 0;
        for (const ModelChain& chain : chains) sum += chain.frames.size();
        return sum;
    }

    void raise(uint64_t frame) {
        chains.emplace_back();
        append({frame, true});
        merge();
    }

    void push(uint64_t frame) {
        if (chains.empty()) return raise(frame);
        append({frame, true});
    }

    void link(uint32_t kind) {
        if (chains.empty() || (kind != SX_TRACE_CAUSE && kind != SX_TRACE_ATTEMPT)) return;
        std::size_t group = newestGroup();
        if (group > 0) chains[group].link = kind;
    }

    void absorb() {
        if (!chains.empty()) chains.resize(newestGroup());
    }

    Model newest() const {
        Model copy;
        if (!chains.empty()) copy.chains.assign(chains.begin() + newestGroup(), chains.end());
        return copy;
    }

    void resume(const Model& snapshot) {
        for (const ModelChain& chain : snapshot.chains) {
            chains.emplace_back();
            chains.back().link = chain.link;
            for (const ModelFrame& frame : chain.frames) append(frame);
        }
        merge();
    }

private:
    std::size_t newestGroup() const {
        std::size_t chain = chains.size() - 1;
        while (chains[chain].link != SX_TRACE_UNLINKED) --chain;
        return chain;
    }

    // The ring: a frame overwrites the oldest of 32; a lost one has overwritten all before it.
    void append(ModelFrame frame) {
        std::size_t allowed = frame.alive ? SX_TRACE_FRAMES - 1 : 0;
        for (auto chain = chains.rbegin(); chain != chains.rend(); ++chain) {
            for (auto older = chain->frames.rbegin(); older != chain->frames.rend(); ++older) {
                if (!older->alive) return add(frame); // and so is everything before it
                older->alive = allowed > 0;
                if (allowed > 0) --allowed;
            }
        }
        add(frame);
    }

    void add(ModelFrame frame) { chains.back().frames.push_back(frame); }

    void merge() {
        while (chains.size() > SX_TRACE_CHAINS) {
            auto& oldest = chains[0].frames;
            auto& second = chains[1].frames;
            oldest.insert(oldest.end(), second.begin(), second.end());
            chains.erase(chains.begin() + 1);
        }
    }
};

inline std::size_t survivors(const ModelChain& chain) {
    std::size_t count = 0;
    while (count < chain.frames.size() && chain.frames[chain.frames.size() - 1 - count].alive) {
        ++count;
    }
    return count;
}

inline bool sameChain(uint32_t i, const ModelChain& expected, uint32_t first, uint32_t alive) {
    sx_trace_chain chain;
    if (!sx_trace_chain_at(i, &chain)) return false;
    uint64_t size = expected.frames.size();
    uint64_t lost = size - alive;
    return chain.origin == expected.frames[0].value && chain.link == expected.link &&
           chain.pushed == size && chain.surviving == alive &&
           chain.omitted == (lost > 0 ? lost - 1 : 0) && chain.first == first;
}

// One boolean rather than an assertion a value: there are some hundred million of them.
inline bool same(const Model& model) {
    uint32_t len = 0;
    uint64_t omitted = 0;
    bool truncated = false;
    if (sx_trace_chains() != model.chains.size()) return false;
    for (uint32_t i = 0; i < model.chains.size(); ++i) {
        const ModelChain& chain = model.chains[i];
        uint32_t first = len;
        for (std::size_t f = chain.frames.size() - survivors(chain); f < chain.frames.size(); ++f) {
            if (sx_trace_frame_at(len++) != chain.frames[f].value) return false;
        }
        uint64_t lost = chain.frames.size() - (len - first);
        truncated |= lost > 0;
        omitted += lost > 0 ? lost - 1 : 0;
        if (!sameChain(i, chain, first, len - first)) return false;
    }
    return sx_trace_len() == len && sx_trace_truncated() == truncated &&
           sx_trace_omitted() == omitted && sx_trace_frame_at(len) == 0 &&
           !sx_trace_chain_at(sx_trace_chains(), nullptr);
}

// One operation after another, in both worlds, chosen by `numbers()`: any function that returns uint32_t. Three slots
// each for snapshots and fiber states.
template <typename Numbers>
class Walk {
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
        if (die < 200) raise(frame);
        else if (die < 570) push(frame);
        else if (die < 600) burst();
        else if (die < 690) link(1 + random_() % 3);
        else if (die < 900) absorb();
        else if (die < 905) clear();
        else if (die < 925) capture(slot);
        else if (die < 950) captureNewest(slot);
        else if (die < 965) restore(slot);
        else if (die < 988) resume(slot);
        else if (die < 990) spoil(slot);
        else swap(slot);
    }

    Model model;

private:
    void raise(uint64_t frame) { sx_trace_raise(frame), model.raise(frame); }
    void push(uint64_t frame) {
        if (frame % 2 == 0) sx_trace_push(frame);
        else sx_trace_cold_push(frame);
        model.push(frame);
    }
    void link(uint32_t kind) { sx_trace_link(kind), model.link(kind); }
    void absorb() { sx_trace_absorb(), model.absorb(); }
    void clear() { sx_trace_clear(), model = Model(); }
    void restore(uint32_t slot) { sx_trace_restore(&kept_[slot]), model = modelKept_[slot]; }

    void burst() {
        for (uint32_t n = random_() % 60; n > 0; --n) push(++frames_);
    }

    void capture(uint32_t slot) {
        std::size_t len = sx_trace_capture(&kept_[slot]);
        modelKept_[slot] = model;
        returnedRight_ &= len == sx_trace_len();
    }

    void captureNewest(uint32_t slot) {
        sx_trace_capture_newest(&kept_[slot]);
        modelKept_[slot] = model.newest();
    }

    void resume(uint32_t slot) {
        bool resumed = sx_trace_resume(&kept_[slot]);
        returnedRight_ &= resumed != modelKept_[slot].chains.empty();
        model.resume(modelKept_[slot]);
    }

    // What no capture makes counts as empty.
    void spoil(uint32_t slot) {
        sx_trace_snapshot& s = kept_[slot];
        switch (random_() % 4) {
            case 0: s.top = SX_TRACE_CHAINS + 1 + random_() % 100; break;
            case 1: s.bottom = ~uint64_t(random_()); break;
            case 2: s.lost = s.end + 1 + random_(); break;
            case 3: s.end = (uint64_t(1) << 63) + 1 + random_(); break;
        }
        modelKept_[slot] = Model();
    }

    void swap(uint32_t slot) {
        sx_trace_swap(&fibers_[slot]);
        std::swap(model, modelFibers_[slot]);
    }

    Numbers random_;
    bool returnedRight_ = true;
    uint64_t frames_ = 0;
    sx_trace_snapshot kept_[3] = {};
    sx_trace_state fibers_[3] = {};
    Model modelKept_[3], modelFibers_[3];
};
