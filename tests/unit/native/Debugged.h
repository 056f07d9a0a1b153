// A program under the native engine, with what the front end knows of it.
#pragma once

#include "../CheckedProgram.h"
#include "Built.h"

#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/target/Loader.h"

#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <set>

namespace sx::debugger::native {

/// Without lldb there is nothing to test.
inline bool hasEngine() {
    std::string problem = pluginProblem();
    if (!problem.empty()) printf("%s\n", problem.c_str());
    return problem.empty();
}

class Debugged {
public:
    /// `process`: of the program, to attach to.
    explicit Debugged(const std::string& name, const std::string& source, int level = 0, int process = 0)
        : executable(built(name, source, level)), program(executable + ".sx"),
          engine(
              {program.module, [this](FileId f) { return path(f); }, [this](ir::FuncId f) { return isLibrary(f); }}) {
        REQUIRE(program.ok);
        StartRequest request;
        request.program = executable;
        for (int& end : out) end = -1;
        REQUIRE(pipe2(out, O_CLOEXEC | O_NONBLOCK) == 0);
        request.stdio = {0, out[1], out[1]};
        request.process = process;
        Result<void> started = engine.start(request);
        INFO((started ? "" : started.error()));
        REQUIRE(started);
    }
    ~Debugged() {
        close(out[0]);
        close(out[1]);
    }

    /// The next stop, or the end.
    Event next() {
        for (;;) {
            while (!events.empty()) {
                Event event = std::move(events.front());
                events.erase(events.begin());
                if (event.kind == Event::Kind::Stopped || event.kind == Event::Kind::Exited) return event;
                others.push_back(std::move(event));
            }
            pollfd wait{engine.eventDescriptor(), POLLIN, 0};
            REQUIRE(::poll(&wait, 1, 20000) == 1);
            events = engine.poll();
        }
    }
    /// Where the innermost frame of the main thread stands: `main 12:5`.
    std::string where(uint32_t frame = 0, ThreadId thread = 1) {
        Frames frames = engine.frames(thread, frame, 1);
        if (frames.frames.empty()) return "nowhere";
        const Frame& f = frames.frames[0];
        if (!f.at.isValid()) return f.name;
        Location at = program.sources.resolve(f.at);
        return f.name + " " + std::to_string(at.line) + ":" + std::to_string(at.col);
    }
    std::string stack() {
        std::string all;
        uint32_t count = static_cast<uint32_t>(engine.frames(1, 0, 50).frames.size());
        for (uint32_t i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + where(i);
        return all;
    }
    void breakAt(uint32_t id, uint32_t line) {
        BreakpointRequest request;
        request.id = id;
        for (size_t f = 0; f < program.module.functions.size(); ++f) {
            const ir::Function& fn = *program.module.functions[f];
            for (uint32_t i = 0; i < fn.statements.size(); ++i) {
                Location at = program.sources.resolve(fn.statements[i].begin);
                if (!fn.statements[i].breakable || at.line != line || isLibrary(ir::FuncId(f))) continue;
                request.points.push_back({ir::FuncId(f), i});
                break;
            }
        }
        REQUIRE(!request.points.empty());
        engine.setBreakpoint(request);
        engine.applyChanges();
    }
    std::string step(StepRequest::Kind kind) {
        StepRequest request;
        request.kind = kind;
        Result<void> done = engine.step(request);
        if (!done) return done.error();
        Event event = next();
        return event.kind == Event::Kind::Exited ? "exited " + std::to_string(event.code) : where();
    }
    std::string over() { return step(StepRequest::Kind::Over); }
    std::string into() { return step(StepRequest::Kind::Into); }
    std::string leave() { return step(StepRequest::Kind::Out); }
    /// Runs to the next stop.
    Event go() {
        REQUIRE(engine.resume());
        return next();
    }
    Event begin() {
        REQUIRE(engine.run(/*stopOnEntry=*/false));
        return next();
    }
    /// A 64-bit variable of a frame.
    std::optional<int64_t> number(const std::string& name, uint32_t frame = 0) {
        Frames frames = engine.frames(1, frame, 1);
        const ir::Function& fn = program.module.fn(frames.frames.at(0).func);
        for (uint32_t i = 0; i < fn.slots.size(); ++i) {
            if (!fn.slots[i].isVariable || program.types.names().text(fn.slots[i].name) != name) continue;
            SlotPlace place = engine.slot(1, frame, ir::SlotId(i));
            int64_t value = 0;
            auto* into = reinterpret_cast<uint8_t*>(&value);
            if (place.kind == SlotPlace::Kind::Memory && engine.memory().read(place.address, {into, 8}) == 8)
                return value;
        }
        return std::nullopt;
    }
    std::string output() {
        std::string text(4096, '\0');
        ssize_t length = read(out[0], text.data(), text.size());
        text.resize(length < 0 ? 0 : length);
        return text;
    }

    std::string executable;
    test::CheckedProgram program;
    NativeEngine engine;
    std::vector<Event> events, others;
    int out[2];

private:
    std::string path(FileId file) const {
        std::string written(program.sources.path(file));
        for (const char* folder : {"/", "/library/"})
            if (std::filesystem::exists(SX_SOURCE_DIR + (folder + written))) return SX_SOURCE_DIR + (folder + written);
        return written;
    }
    bool isLibrary(ir::FuncId f) const {
        Span span = program.module.fn(f).span;
        return span.isValid() && path(program.sources.fileOf(span.begin)).find("/library/") != std::string::npos;
    }
};

} // namespace sx::debugger::native
