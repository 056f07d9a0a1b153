// A heap as a file: JSON, which docs/heap.md describes, and DOT.
#pragma once

#include "debugger/objects/HeapGraph.h"
#include "source/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace sx::debugger::objects {

/// The version of the format that is written, and the only one that is read.
constexpr int64_t GraphFileVersion = 1;

/// Asked now and then: so many rows of so many are written. False: no more is wanted.
using WritesOn = llvm::function_ref<bool(uint64_t done, uint64_t total)>;
/// False: given up in the middle.
bool writeJson(const HeapGraph&, llvm::raw_ostream&, WritesOn);
bool writeDot(const HeapGraph&, llvm::raw_ostream&, WritesOn);
/// What the page of `sx graph --html` has, in few bytes: texts by number, nodes and edges as lists of numbers. No `<`
/// is in it.
void writePageData(const HeapGraph&, llvm::raw_ostream&);
/// Reads a file once, and keeps nothing of its text. Fails with what is wrong: the text is no JSON, of another format
/// or version, or refers to what is not there.
Result<std::unique_ptr<HeapGraph>> readJson(llvm::StringRef text);

} // namespace sx::debugger::objects
