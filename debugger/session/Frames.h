// Frames and what is in them, for more than one request.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// The answer where a frame id is of no use any more.
Reply staleFrame(uint32_t id);
Reply staleVariables(uint32_t id);
/// The answer where a thread does not exist; nullopt where it does.
std::optional<Reply> missingThread(Session&, ThreadId);
/// The program has threads that can be told of: one that was launched has none before it begins.
bool hasThreads(const Session&);

/// What the engine says, as a person sees it: an error that has left `main` is shown where `main` let go of it.
Frames framesOf(Session&, ThreadId, uint32_t start, uint32_t count);

/// A variable of a frame, as a list shows it.
struct Variable {
    std::string name;         ///< with `(line N)` where it is shadowed
    std::string evaluateName; ///< empty where no expression reaches it
    ir::SlotId slot = ir::SlotId::None;
    Datum datum;
    std::string fixed = ""; ///< why it cannot be changed; empty where its datum says
};
/// The value of a variable of a frame.
Datum slotDatum(Session&, const FrameHandle&, ir::SlotId, TypeId);
/// Parameters and variables that are declared where the frame stands; the innermost scope comes last. Of their values
/// only the types are known.
std::vector<Variable> declaredLocals(Session&, const FrameHandle&);
/// Finds the value of one of them.
void readLocal(Session&, const FrameHandle&, Variable&);
/// All of them with their values.
std::vector<Variable> localsOf(Session&, const FrameHandle&);
/// The program may have given it a value by now, or the user has. What has none is shown as `NotSet`.
bool hasValue(Session&, const FrameHandle&, const Variable&);
constexpr const char* NotSet = "<not set>";
/// The slot is of a variable of the body that has no value.
bool isUnset(Session&, const FrameHandle&, ir::SlotId);
/// What the function's closure has captured.
std::vector<Variable> capturesOf(Session&, const FrameHandle&);
/// Globals of the module in which the frame's function is declared.
std::vector<Variable> globalsOf(Session&, const FrameHandle&);
/// A global variable of which each thread has its own, in the thread of a frame; nothing: it is none such.
std::optional<Datum> threadLocal(Session&, const FrameHandle&, ir::GlobalId);

/// A place that a data breakpoint watches.
struct Watched {
    std::string id;   ///< for the client: `dataId`
    std::string name; ///< for the user
};
Result<Watched> findWatched(Session&, const std::string& name, std::optional<uint32_t> variablesReference,
                            std::optional<uint32_t> frameId);
/// The number of a frame that has not ended; nothing: it has. `address`: Frame::address.
std::optional<uint32_t> liveFrame(Session&, ThreadId, ir::FuncId, uint64_t address);
/// The type of what a stop at a watched place is about, if it is one value.
std::optional<TypeId> watchedType(Session&, const Stop&);
/// The name of the one error set that has a tag; "" where none or several have it.
std::string setOf(const Session&, const std::string& tag);
/// Lets the engine watch what a `dataId` (Breakpoint::key) says.
Result<void> setWatch(Session&, Breakpoint&);

} // namespace sx::debugger
