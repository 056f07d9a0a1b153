#include "debugger/vm/ConsoleTypes.h"

#include "source/StackDepth.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

namespace sx::debugger {

// ---- the session

bool ToldTypes::isKnown(const Engine::GivenPlace& g) {
    if (memory_.knows(g.type)) return true;
    if (auto known = told_.find(g.type); known != told_.end()) return known->second;
    if (!g.reading) return false;
    WireWriter question = AgentConnection::message(Command::LearnType).put(g.type);
    question.put(writtenName(program_.types, g.type)).put(static_cast<uint64_t>(sizeOf(program_.types, g.type)));
    question.put(g.reading->text).put(g.reading->func).put(g.reading->at).put(g.reading->scope);
    put(question, g.reading->given);
    return told_[g.type] = static_cast<bool>(agent_.askResult(question));
}

void ToldTypes::put(WireWriter& question, const std::vector<Engine::GivenPlace>& given) {
    std::vector<const Engine::GivenPlace*> known;
    for (const Engine::GivenPlace& g : given)
        if (isKnown(g)) known.push_back(&g);
    question.put(static_cast<uint32_t>(known.size()));
    for (const Engine::GivenPlace* g : known) {
        question.put(g->name).put(g->type).put(g->address);
        question.put(g->isInnermost).put(g->isConstant);
    }
}

void ToldTypes::putResult(WireWriter& question, TypeId type) const {
    const bool isThere = type != TypeId::None;
    question.put(memory_.typeCount()).put(type).put(isThere ? writtenName(program_.types, type) : "");
    question.put(static_cast<uint64_t>(isThere ? sizeOf(program_.types, type) : 0));
}

// ---- the agent

bool LearnedTypes::isSame(TypeId here, const std::string& name, uint64_t size) const {
    return here != TypeId::None && writtenName(program_.types, here) == name && sizeOf(program_.types, here) == size;
}

std::vector<Engine::GivenPlace> LearnedTypes::given(WireReader& r) const {
    std::vector<Engine::GivenPlace> given(r.get<uint32_t>());
    for (Engine::GivenPlace& g : given) {
        g.name = r.text();
        g.type = r.get<TypeId>();
        g.address = r.get<uint64_t>();
        g.isInnermost = r.get<bool>();
        g.isConstant = r.get<bool>();
        if (auto known = learned_.find(g.type); known != learned_.end()) g.type = known->second;
    }
    return given;
}

Result<void> LearnedTypes::learn(WireReader& r) {
    auto type = r.get<TypeId>();
    std::string name = r.text();
    auto size = r.get<uint64_t>();
    std::string text = r.text();
    auto func = r.get<ir::FuncId>();
    auto at = r.get<SourcePos>();
    auto scope = r.get<ir::ScopeId>();
    std::vector<lower::GivenVariable> variables;
    for (const Engine::GivenPlace& g : given(r))
        variables.push_back({program_.sema->names.intern(g.name), g.type, g.isInnermost, g.isConstant});
    TypeId found{};
    withLargeStack([&] {
        const ir::Function& fn = program_.module.fn(func);
        const lower::CompiledExpression& code =
            compiler_.compile(text, {at, fn, scope}, {TypeId::None, false, variables});
        if (code.function != ir::FuncId::None) found = code.type;
    });
    if (!isSame(found, name, size)) return Failure{"it has another type here"};
    learned_[type] = found;
    return {};
}

Result<TypeId> LearnedTypes::result(WireReader& r, TypeId type) {
    auto common = r.get<uint64_t>(); // types that both ends have had since the process began
    auto there = r.get<TypeId>();
    std::string name = r.text();
    auto size = r.get<uint64_t>();
    if (static_cast<uint64_t>(type) < common) return type;
    for (const auto& [known, here] : learned_)
        if (here == type) return known;
    if (!isSame(type, name, size)) return Failure{"its value would be of a type that the program does not have"};
    learned_[there] = type;
    return there;
}

} // namespace sx::debugger
