// Where statements begin in optimized machine code.
//
// The mark of a statement (ir/CodeMarks.h) is on all that computes for it up to what acts. The optimizer moves what
// computes, and doubles it, and makes one piece of code of several; so in the end there may be many pieces with the
// mark, of which some run where the statement does not, and several in one execution of it. Here, once nothing moves
// any more, those that are the statement's beginning keep the mark.
#pragma once

#include "llvm/Pass.h"

namespace llvm {
class DISubprogram;
class Module;
} // namespace llvm

namespace sx::codegen {

/// Notes how many statements a function has, which its marks cannot be read without.
void noteStatements(llvm::Module&, llvm::DISubprogram*, uint32_t count);

/// The last pass over machine code. Positions stay as they are.
llvm::Pass* createStatementPlaces();

} // namespace sx::codegen
