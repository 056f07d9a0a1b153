// Statements and error events of a function in the debug information of its machine code.
//
// They are told apart by the discriminators of the line table. A row where a statement begins has the number of the
// statement, counted from 1, and one where something has happened to an error the number of the event, counted from 1,
// times the number of statements and one.
//
// gdb takes the rows of one line for one where a discriminator stands, and stops where a row begins, so it steps and
// breaks otherwise with them. In objects they are hidden: operations of the line table that are our own (DWARF keeps a
// range of numbers for such, which debuggers pass over) have the marks, and rows that say nothing but marks are none.
#pragma once

#include "ir/Ir.h"

#include "llvm/ADT/ArrayRef.h"

namespace sx::ir {

struct CodeMarks {
    static constexpr uint32_t None = UINT32_MAX;
    uint32_t statement = None;  ///< index into Function::statements: the first that begins there
    uint32_t errorEvent = None; ///< index into Function::errorEvents: likewise

    /// 0: there is neither. The discriminator is one more, so that each row of a program with marks has one.
    uint32_t encode(const Function& fn) const {
        return (statement + 1) + (errorEvent + 1) * static_cast<uint32_t>(fn.statements.size() + 1);
    }
    static CodeMarks decode(uint32_t code, const Function& fn) {
        auto row = static_cast<uint32_t>(fn.statements.size() + 1);
        CodeMarks marks{code % row - 1, code / row - 1};
        if (marks.errorEvent != None && marks.errorEvent >= fn.errorEvents.size()) return {};
        return marks;
    }
};

/// Hides the discriminators in the line tables of a section `.debug_line` (little-endian), in place; `showMarks` makes
/// discriminators of what is hidden. False: the section is damaged; what stands before the damage is changed.
bool hideMarks(llvm::MutableArrayRef<uint8_t> section);
bool showMarks(llvm::MutableArrayRef<uint8_t> section);

/// The instruction whose code has the mark of an event. A branch may have no code, nor a return of an inlined function:
/// then the event is marked at what acted last before it in its block, if anything did.
ValueId codeOfErrorEvent(const Function&, const ErrorEvent&);

/// The event has happened only after the code that has its mark.
inline bool isMarkedBefore(const Function& fn, const ErrorEvent& event) {
    return codeOfErrorEvent(fn, event) != event.at;
}

} // namespace sx::ir
