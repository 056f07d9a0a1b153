// The rules of traces, with no thought for time or space: a model that keeps every frame it was ever given.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sx/trace.h"

struct ModelFrame {
    uint64_t value;
    bool alive; // not overwritten yet
};

struct ModelChain {
    std::vector<ModelFrame> frames; // the origin first, if there is one
    bool hasOrigin = true;
    bool unknownOrigin = false;
    uint64_t error = 0;
    uint64_t birth = 0;        // chains that begin later have more
    uint64_t mergedFrames = 0; // of chains that it has taken in
    uint32_t errors = 1;
    uint32_t link = SX_TRACE_UNLINKED;

    uint64_t pushed() const { return frames.size() + mergedFrames; }
    std::size_t survivors() const {
        return std::count_if(frames.begin(), frames.end(), [](const ModelFrame& f) { return f.alive; });
    }
    uint64_t omitted() const {
        uint64_t lost = pushed() - survivors();
        bool originIsKept = hasOrigin && !frames.empty() && !frames[0].alive;
        return originIsKept ? lost - 1 : lost;
    }
};

class Model {
public:
    std::vector<ModelChain> chains;
    uint64_t births = 0;

    std::size_t frames() const {
        std::size_t sum = 0;
        for (const ModelChain& chain : chains) sum += chain.frames.size();
        return sum;
    }

    void raise(uint64_t frame, uint64_t error) { begin(frame, error, false); }

    void push(uint64_t frame) {
        if (chains.empty()) return begin(frame, 0, true);
        append({frame, true});
    }

    void pushError(uint64_t frame, uint64_t error) {
        if (error == 0) return push(frame);
        if (!chains.empty() && (chains.back().error == 0 || chains.back().error == error)) {
            chains.back().error = error;
            return append({frame, true});
        }
        for (std::size_t i = chains.size(); i-- > 0;) {
            if (chains[i].error != error || chains[i].errors > 1) continue;
            bringToTop(group(i), i);
            return append({frame, true});
        }
        begin(frame, error, true);
    }

    void rename(uint64_t error) {
        if (!chains.empty()) chains.back().error = error;
    }

    void link(uint32_t kind) {
        if (chains.empty() || (kind != SX_TRACE_CAUSE && kind != SX_TRACE_ATTEMPT)) return;
        std::size_t lowest = group(chains.size() - 1);
        if (chains[lowest].errors > 1) --chains[lowest].errors;
        else if (lowest > 0) chains[lowest].link = kind;
    }

    void absorb() {
        while (!chains.empty()) {
            if (chains.back().errors > 1) {
                --chains.back().errors;
                return;
            }
            bool tied = chains.back().link != SX_TRACE_UNLINKED;
            chains.pop_back();
            if (!tied) return;
        }
    }

    void clear() { chains.clear(); }

    // What began later than that.
    void rewind(uint64_t birth) {
        for (std::size_t i = chains.size(); i-- > 0;) {
            if (chains[i].birth <= birth) continue;
            if (i + 1 < chains.size()) chains[i + 1].link = SX_TRACE_UNLINKED;
            chains.erase(chains.begin() + i);
        }
    }

    // The group that stands so many below the newest; one that was merged is what the merged ones became.
    Model groupAt(uint32_t below) const {
        Model copy;
        for (std::size_t end = chains.size(); end > 0;) {
            std::size_t first = group(end - 1);
            uint32_t errors = chains[first].errors;
            if (below < errors) {
                copy.chains.assign(chains.begin() + first, chains.begin() + (below == 0 ? end : first + 1));
                copy.chains[0].errors = 1;
                copy.chains[0].link = SX_TRACE_UNLINKED;
                break;
            }
            below -= errors;
            end = first;
        }
        return copy;
    }

    // Which group a copy was made of, from 1 for the newest.
    uint32_t find(const Model& copy) const {
        if (copy.chains.empty()) return 0;
        uint64_t birth = copy.chains.back().birth;
        uint32_t position = 1;
        for (std::size_t end = chains.size(); end > 0;) {
            std::size_t first = group(end - 1);
            uint32_t errors = chains[first].errors;
            if (chains[end - 1].birth == birth && chains[end - 1].errors == 1) return position;
            if (chains[first].birth == birth && errors > 1) return position + errors - 1;
            position += errors;
            end = first;
        }
        return 0;
    }

    // Takes up a snapshot on top; frames that it has lost take no room.
    void resume(const Model& snapshot) {
        for (const ModelChain& chain : snapshot.chains) {
            chains.push_back(chain);
            chains.back().frames.clear();
            chains.back().birth = ++births;
            mergeOldest();
            for (const ModelFrame& frame : chain.frames) {
                if (frame.alive) append(frame);
                else chains.back().frames.push_back(frame);
            }
        }
    }

private:
    std::size_t group(std::size_t chain) const {
        while (chains[chain].link != SX_TRACE_UNLINKED && chains[chain].errors == 1) --chain;
        return chain;
    }

    void begin(uint64_t frame, uint64_t error, bool unknownOrigin) {
        chains.emplace_back();
        chains.back().error = error;
        chains.back().hasOrigin = frame != 0;
        chains.back().unknownOrigin = unknownOrigin;
        chains.back().birth = ++births;
        mergeOldest();
        if (frame != 0) append({frame, true});
    }

    // The ring: a frame overwrites the oldest of 32.
    void append(ModelFrame frame) {
        std::size_t alive = 0;
        for (const ModelChain& chain : chains) alive += chain.survivors();
        if (alive == SX_TRACE_FRAMES) oldestAlive()->alive = false;
        chains.back().frames.push_back(frame);
    }

    ModelFrame* oldestAlive() {
        for (ModelChain& chain : chains) {
            for (ModelFrame& frame : chain.frames) {
                if (frame.alive) return &frame;
            }
        }
        return nullptr;
    }

    void bringToTop(std::size_t first, std::size_t last) {
        if (last + 1 < chains.size()) chains[last + 1].link = SX_TRACE_UNLINKED;
        std::rotate(chains.begin() + first, chains.begin() + last + 1, chains.end());
    }

    // The second chain becomes a number.
    void mergeOldest() {
        while (chains.size() > SX_TRACE_CHAINS) {
            ModelChain& oldest = chains[0];
            oldest.errors += chains[1].errors - (chains[1].link != SX_TRACE_UNLINKED);
            oldest.mergedFrames += chains[1].pushed();
            chains.erase(chains.begin() + 1);
        }
    }
};

inline bool sameChain(uint32_t i, const ModelChain& expected, uint32_t first) {
    sx_trace_chain chain;
    if (!sx_trace_chain_at(i, &chain)) return false;
    uint64_t origin = expected.hasOrigin && !expected.frames.empty() ? expected.frames[0].value : 0;
    return chain.origin == origin && chain.link == expected.link && chain.pushed == expected.pushed() &&
           chain.surviving == expected.survivors() && chain.omitted == expected.omitted() && chain.first == first &&
           chain.errors == expected.errors && chain.error == expected.error &&
           chain.unknown_origin == expected.unknownOrigin;
}

// One boolean rather than an assertion a value: there are some hundred million of them.
inline bool same(const Model& model) {
    uint32_t len = 0;
    uint64_t omitted = 0;
    bool truncated = false;
    if (sx_trace_chains() != model.chains.size()) return false;
    for (uint32_t i = 0; i < model.chains.size(); ++i) {
        const ModelChain& chain = model.chains[i];
        if (!sameChain(i, chain, len)) return false;
        for (const ModelFrame& frame : chain.frames) {
            if (frame.alive && sx_trace_frame_at(len++) != frame.value) return false;
        }
        truncated |= chain.survivors() < chain.pushed();
        omitted += chain.omitted();
    }
    return sx_trace_len() == len && sx_trace_truncated() == truncated && sx_trace_omitted() == omitted &&
           sx_trace_frame_at(len) == 0 && !sx_trace_chain_at(sx_trace_chains(), nullptr);
}
