// Types that expressions of the console have made in the session and that the program's process lacks: the agent reads
// what made them again, and has types of its own with the same layout.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/vm/AgentMemory.h"
#include "debugger/vm/Wire.h"
#include "lower/ExpressionCompiler.h"

#include <map>

namespace sx::debugger {

/// The session's end.
class ToldTypes {
public:
    ToldTypes(const Program& program, const AgentConnection& agent, const AgentMemory& memory)
        : program_(program), agent_(agent), memory_(memory) {}

    /// Writes the variables whose types the agent knows. What it can learn is told before.
    void put(WireWriter&, const std::vector<Engine::GivenPlace>&);
    /// Writes the type of a value that the agent is to make.
    void putResult(WireWriter&, TypeId) const;
    /// Another process has begun.
    void clear() { told_.clear(); }

private:
    bool isKnown(const Engine::GivenPlace&);

    const Program& program_;
    const AgentConnection& agent_;
    const AgentMemory& memory_;
    std::map<TypeId, bool> told_; ///< whether the agent has one
};

/// The agent's end.
class LearnedTypes {
public:
    LearnedTypes(const Program& program, lower::ExpressionCompiler& compiler)
        : program_(program), compiler_(compiler) {}

    /// Reads the variables, with the types of here.
    std::vector<Engine::GivenPlace> given(WireReader&) const;
    /// Reads an expression that has made a type. The caller holds the lock of what is run. Fails where it makes
    /// another one here.
    Result<void> learn(WireReader&);
    /// Reads what the session has for the type of a value that is `type` here. Returns the session's number of it;
    /// fails where it has none.
    Result<TypeId> result(WireReader&, TypeId type);

private:
    bool isSame(TypeId here, const std::string& name, uint64_t size) const;

    const Program& program_;
    lower::ExpressionCompiler& compiler_;
    std::map<TypeId, TypeId> learned_; ///< by the session's numbers
};

} // namespace sx::debugger
