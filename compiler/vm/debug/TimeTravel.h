// What a debugger does with the history of a program that has one: it goes back in it, or has it begin anew.
#pragma once

#include "vm/debug/Debugger.h"

namespace sx::vm {

/// Where going back ends: at what stops the program in any case, and before that?
struct BackOptions {
    bool isStep = false;        ///< at the statement before, in the same function or the one that called it
    bool byLine = false;        ///< where the line begins that was before
    bool byInstruction = false; ///< at the instruction before
    bool intoLibrary = false;   ///< library code counts as the user's
    bool intoCalls = false;     ///< a step: at the statement before in whatever function it was
};

class TimeTravel {
public:
    explicit TimeTravel(Debugger& debugger) : debugger_(debugger) {}

    /// Resumes backwards, and stops at the last moment before that the options ask for, or where history begins. Fails
    /// where none is kept. False: the program is at the beginning, and stays.
    Result<bool> goBack(DebugThreadId, const BackOptions&);
    /// The program is on its way back: what a breakpoint asks then is not told.
    bool isGoingBack() const;
    /// What was done to the program from outside cannot be done again: its history begins here. `why` completes
    /// `history begins at …`.
    void forget(const std::string& why);

private:
    Debugger& debugger_;
};

} // namespace sx::vm
