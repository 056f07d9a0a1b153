// Undoes what is made in the module while it lives: functions, globals, and what the tables of the analysis know of
// them.
#pragma once

#include "sema/Sema.h"

namespace sx::lower {

/// The last one that was made ends first. Types that were made stay, and so do names and positions: they are no part of
/// the module.
class Rollback {
public:
    explicit Rollback(sema::Sema&);
    ~Rollback();
    Rollback(const Rollback&) = delete;
    /// Takes note of nothing from now on. What was made until then goes with this all the same.
    void suspend() { sema_.journal = outer_; }

private:
    void undoDeclarations();
    void undoModule();

    sema::Sema& sema_;
    sema::Journal* const outer_;
    sema::Journal journal_;
    size_t functions_, globals_, libraries_, constants_, assembly_, byFunc_, worklist_;
    size_t errorNodes_, setChecks_, matchedTags_, heldOutput_;
    sema::Warnings warnings_;
    bool infosInDescriptors_;
    TypeId typeInfo_;
    ir::GlobalId errorNames_;
    std::optional<int> exit_;
};

} // namespace sx::lower
