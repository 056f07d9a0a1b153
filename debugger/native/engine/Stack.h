// The frames of a thread that stands still, as the program's functions and statements.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/foreign/Types.h"
#include "debugger/native/image/BlockSlots.h"
#include "debugger/native/target/Target.h"

#include <deque>
#include <functional>
#include <string_view>

namespace sx::debugger::native {

/// What the engine knows of the program beside its IR.
struct NativeProgram {
    const ir::Module& module;
    std::function<std::string(FileId)> pathOf; ///< absolute
    std::function<bool(ir::FuncId)> isLibrary; ///< steps go through it
    std::string pluginFolder = "";             ///< where the library that knows lldb is; empty: beside the executable
    /// What was read of a program that the front end does not know, or nothing as yet.
    std::shared_ptr<ProgramImage> image = nullptr;
    const ForeignTypes* types = nullptr; ///< of what debug information alone tells of
    /// Adds what a file has of code that the front end does not know to the image: ProgramImage::readC.
    std::function<void(const CodeFile&, uint64_t offset, CCode)> readC = nullptr;
    /// Code that was read is not loaded any more: the copies of functions from one on and before another.
    std::function<void(uint32_t first, uint32_t end)> forgetC = nullptr;
    bool hasCCode = false;      ///< it may have code of C, or load it
    std::string entry = "main"; ///< the function that it begins in: of a test the test's
};

/// A function of the runtime, or of what starts programs and threads: it is not shown.
bool isRuntime(std::string_view symbol);
/// One of the runtime that works by itself: what it calls is its own business, unless that is code of the program.
bool isRuntimeWork(std::string_view symbol);

/// Of a stack that waits for a call to return: lldb is told of a place in the call, so that it knows the inlined calls
/// that this one is in. What has not begun stands at the beginning of a function, in no call.
uint64_t insideCall(const ProgramImage&, uint64_t pc, uint64_t slide);
/// The other way round.
uint64_t behindCall(const ProgramImage&, uint64_t pc, uint64_t slide);

/// A frame of lldb and what it means.
struct StackFrame {
    Frame frame;
    uint32_t number = 0; ///< of lldb
    uint64_t cfa = 0;
    uint32_t copy = UINT32_MAX; ///< index into ProgramImage::copies
    bool isHidden = false;
    bool isNameless = false;    ///< code of a library that says no names of its inner functions
    bool isInlinedIn = false;   ///< the frame before it is an inlined call in this one
    bool isInnermost = false;   ///< execution stands in its code, or in that of calls inlined in it
    bool goesBack = false;      ///< code by which a signal's handler goes back to what the signal has interrupted
    bool isInterrupted = false; ///< a signal has, in its code or in that of calls inlined in it: it is in no call
};

class Stack {
public:
    Stack(const NativeProgram& program, const ProgramImage& image, const BlockSlots& slots)
        : program_(program), image_(image), slots_(slots) {}

    /// `slide`: what is to be added to addresses of the file.
    void attach(Target* target, uint64_t slide) {
        target_ = target;
        slide_ = slide;
    }
    /// The program has run.
    void forget() {
        threads_.clear();
        regions_.clear();
    }
    /// The user has: what lldb knew of the stacks may not be so any more.
    void memoryWritten() { wasWritten_ = isStale_ = true; }
    /// What is known of where threads stand beside their registers.
    struct Place {
        SystemThread afterCall = 0, statementThread = 0;
        uint32_t statement = 0;
        SystemThread overflowed = 0; ///< its stack had no room for a call that it was making
        SystemThread parked = 0;     ///< it shows a stack that waits for a call to return
    };
    const Place& place() const { return place_; }
    void setPlace(const Place& place) { place_ = place; }
    /// Threads stand still where this says.
    void showAt(const Place& place) {
        place_ = place;
        threads_.clear();
    }
    /// The thread stands right after a call in its innermost frame.
    void setAfterCall(SystemThread thread) { place_.afterCall = thread; }
    /// The thread has used up its stack: a function that has not begun is not shown, but its call.
    void setOverflowed(SystemThread thread) {
        place_.overflowed = thread;
        threads_.clear();
    }
    /// Of several statements that begin where the thread stands, it is at this one.
    void setStatement(SystemThread thread, uint32_t statement) {
        place_.statementThread = thread;
        place_.statement = statement;
        threads_.clear();
    }
    void forgetPlace() { place_ = {}; }

    /// The frame of a number among those that are shown; null: there are not so many.
    const StackFrame* shown(SystemThread, uint32_t index);
    /// The frame that lldb gives a number.
    const StackFrame* frame(SystemThread, uint32_t number);
    /// The number of shown frames, if the whole stack was walked.
    std::optional<uint32_t> total(SystemThread) const;

private:
    struct Walk {
        std::deque<StackFrame> frames; ///< pointers to them stay valid when there are more
        std::vector<uint32_t> shown;   ///< indices into `frames`
        bool isWhole = false;
        bool isPastMain = false;
        bool isStartUp = false; ///< the outermost frame so far is of what comes before `main`
        bool hasCode = false;   ///< one of the frames is of code that the program brings
        TargetFrame last;       ///< of `frames`
    };
    Walk& walkOf(SystemThread);
    bool extend(SystemThread, Walk&);
    bool extend(SystemThread, Walk&, uint32_t count);
    void showCalled(Walk&, const StackFrame& caller) const;
    ir::ScopeId scopeWithin(const StackFrame&, uint64_t lookup) const;
    static void hideCalled(Walk&);
    static void hideCallers(Walk&);
    StackFrame make(SystemThread, const Walk&, const TargetFrame&);
    void describe(StackFrame&, uint64_t lookup, bool isExact, SystemThread);
    ir::ScopeId scopeAt(uint64_t address, uint32_t copy) const;
    bool isHidden(const StackFrame&, const TargetFrame&) const;
    bool isSignalReturn(const TargetFrame&) const;
    bool hasNotBegun(const StackFrame&) const;
    bool isCode(uint64_t address);
    bool isTorn(const TargetFrame& inner, const TargetFrame& outer);

    const NativeProgram& program_;
    const ProgramImage& image_;
    const BlockSlots& slots_;
    Target* target_ = nullptr;
    uint64_t slide_ = 0;
    Place place_;
    std::map<SystemThread, Walk> threads_;
    bool wasWritten_ = false;           ///< by the user, at some time
    bool isStale_ = false;              ///< since `threads_` was made
    std::vector<MemoryRegion> regions_; ///< read when they are needed
};

} // namespace sx::debugger::native
