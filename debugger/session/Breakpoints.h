// The breakpoints that a client has set, of all kinds, with their ids and how often they were hit.
#pragma once

#include "debugger/engine/BreakpointTexts.h"
#include "debugger/program/Places.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sx::debugger {

struct Breakpoint {
    enum class Kind : uint8_t { Line, Function, Instruction, Data } kind{};
    uint32_t id = 0;
    std::string place; ///< what it was set at, within its kind and file: one that is sent again keeps its id
    std::string key;   ///< the same, with its texts: one that is the same keeps its hits as well

    std::string path;                                   ///< Line: of the file, as the client spells it
    uint32_t line = 0, column = 0;                      ///< Line: 1-based, bytes; column 0: none was given
    std::string function;                               ///< Function
    uint64_t address = 0, size = 0;                     ///< Instruction; Data
    std::string name;                                   ///< Data: what is watched
    std::optional<TypeId> type;                         ///< Data: of what is watched, where it is a whole value
    std::optional<std::pair<uint32_t, uint32_t>> frame; ///< Data: thread and frame of the variable that is watched
    /// Data: the function whose names a condition has; None: it has no condition.
    ir::FuncId scope = ir::FuncId::None;
    SourcePos scopeAt;     ///< Data: where that function stood when it was set
    std::string scopeName; ///< Data: of that function; empty: there is none
    /// Data: the global variable that is watched, or that it is a part of: as a program that begins again knows it.
    struct Global {
        std::string name, file;
        bool isWhole = false;
    };
    std::optional<Global> global;

    std::string condition, logMessage;
    std::optional<HitCondition> hitCondition;
    std::string hitText;
    uint64_t hits = 0;

    bool verified = false;
    std::string message;    ///< why it is not
    bool isPending = false; ///< it may be later
    SourcePos at;           ///< where it is, once resolved
    std::vector<CodePoint> points;
    std::optional<CodePoint> within; ///< Instruction: the statement that it is of, whose names a condition has
    std::string refused;             ///< Instruction: why it is no address in any program; empty: it is one
};

struct Breakpoints {
    std::map<uint32_t, Breakpoint> all; ///< by id
    uint32_t nextId = 1;
    /// The exception filters in force, with their conditions.
    struct Filter {
        std::string name, condition;
        std::string expression{};     ///< the condition, where it is no list of errors and sets
        std::vector<uint64_t> tags{}; ///< of the errors that it stops at, where it names some; empty: all
        bool isRefused = false;       ///< it stops nowhere
        bool isTold = false;          ///< that it cannot be evaluated where the program stopped
    };
    std::vector<Filter> filters{{"unhandled", ""}, {"panic", ""}};
};

struct Session;
/// Whether the texts of a data breakpoint can be used, and in which function; `message` says why they cannot.
void settleData(Session&, Breakpoint&);
/// Finds out in which global variable the memory lies that a data breakpoint watches.
void noteGlobal(Session&, Breakpoint&);
/// The program has begun again: gives the engine the data breakpoints of global variables; the client is told of all,
/// also of those that have ended.
void setWatchesAgain(Session&);
/// Finds the places of a breakpoint in the program that is loaded, and gives it to the engine.
void settle(Session&, Breakpoint&);
/// The same for all, when a program has been loaded: tells the client by events.
void settleAll(Session&);
/// The program has loaded code: tells the client of those that have found places there.
void settleLoaded(Session&);
/// A breakpoint as the protocol has it.
llvm::json::Object describe(Session&, const Breakpoint&);
/// The program stopped at breakpoints. False: none of them wants a stop (conditions, counts, log messages), so it goes
/// on.
bool wantStop(Session&, Stop&);
/// A thread is at breakpoints with conditions: each of them can be evaluated, and is false.
bool passesBy(Session&, const Stop&);
/// The program stopped at watched places. False: none of them wants a stop.
bool wantWatchStop(Session&, Stop&);
/// The program stopped at an error. False: a condition of its filter says no.
bool wantErrorStop(Session&, const Stop&);
/// Gives the engine the exception filters. One answer a filter.
llvm::json::Array applyFilters(Session&);

} // namespace sx::debugger
