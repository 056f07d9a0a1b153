#include "vm/Traces.h"

#include "ir/FrameRecord.h"
#include "vm/Program.h"

#include <cstring>

namespace sx::vm {

Traces::Traces(Program& program) : program_(program) {
    resolver_.ctx = this;
    resolver_.resolve = [](uint64_t frame, sx_frame* out, void* ctx) {
        return static_cast<Traces*>(ctx)->resolve(frame, *out);
    };
    resolver_.name = [](uint64_t error, sx_string* out, void* ctx) {
        return static_cast<Traces*>(ctx)->name(error, *out);
    };
}

bool Traces::name(uint64_t error, sx_string& out) const {
    const TypeTable& types = program_.module.types;
    if (error == 0 || error > types.tags().size()) return false;
    std::string_view text = types.names().text(types.tags()[error - 1]);
    out = {text.data(), static_cast<int64_t>(text.size())};
    return true;
}

/// In the program's read-only memory, so that interpreted code may read it.
sx_string Traces::keep(std::string_view text) {
    auto [it, isNew] = texts_.try_emplace(std::string(text));
    if (isNew && !text.empty()) {
        auto* memory = static_cast<char*>(program_.arena.allocateStatic(text.size() + 1, 1, false));
        std::memcpy(memory, text.data(), text.size());
        it->second = {memory, static_cast<int64_t>(text.size())};
    }
    return it->second;
}

bool Traces::resolve(uint64_t frame, sx_frame& out) {
    std::scoped_lock guard(program_.lock);
    auto known = frames_.find(frame);
    if (known != frames_.end()) {
        out = known->second;
        return true;
    }
    uint64_t func = frame >> 32;
    SourcePos pos{static_cast<uint32_t>(frame)};
    if (func >= program_.module.functions.size() || !pos.isValid()) return false;
    ir::FrameRecord shown = ir::frameRecord(program_.module.sources, pos);
    out = {keep(shown.path), shown.line, shown.column, keep(program_.module.fn(static_cast<ir::FuncId>(func)).name),
           keep(shown.lineText)};
    frames_[frame] = out;
    return true;
}

void Traces::write(sx_frame* out, uint64_t frame) {
    sx_frame found{};
    resolve(frame, found);
    std::memcpy(out, &found, sizeof found);
}

std::string Traces::render() {
    sx_trace_options options{};
    options.resolver = &resolver_;
    std::string text(sx_trace_format(nullptr, 0, nullptr, &options), '\0');
    sx_trace_format(text.data(), text.size() + 1, nullptr, &options);
    return text;
}

TraceScope::TraceScope(const Traces& traces) {
    sx_trace_swap(&state_);
    resolver_ = sx_trace_set_resolver(traces.resolver());
}

TraceScope::~TraceScope() {
    sx_trace_set_resolver(resolver_);
    sx_trace_swap(&state_);
}

} // namespace sx::vm
