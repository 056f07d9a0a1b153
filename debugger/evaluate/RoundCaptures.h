// What `inline for` calls an element of a pack, or a number, in the round that a frame stands in: such a name has no
// storage of its own.
#pragma once

#include "sema/Sema.h"

#include <map>
#include <string>
#include <vector>

namespace sx::debugger {

struct RoundCapture {
    Name name = Name::None;
    Span declared;
    TypeId type{};
    ir::SlotId slot = ir::SlotId::None; ///< of the element; None: a number
    int64_t number = 0;
    ir::ScopeId scope = 0; ///< of the round
    std::string fixed{};   ///< why the program could not assign it
};

class RoundCaptures {
public:
    explicit RoundCaptures(sema::Sema& sema) : sema_(sema) {}

    /// Those that code at a place sees, without those of functions around a lambda.
    std::vector<RoundCapture> at(const sema::CodePlace&);

private:
    bool hasAny(const ir::Function& code);

    sema::Sema& sema_;
    std::map<const ir::Function*, bool> known_;
};

} // namespace sx::debugger
