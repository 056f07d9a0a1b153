// What a debugger is told of the code: where statements begin, the scope of each instruction, what happens to errors.
#include "vm/translate/Emit.h"

#include "ir/Dominators.h"

namespace sx::vm {

/// Where a block begins, the statement goes on that was under way at the end of the block that every way here leads
/// through.
void Translator::findStatements() {
    statements.assign(fn.statements.size(), FunctionCode::None);
    for (uint32_t s = 0; s < fn.statements.size(); ++s) statementsAt[raw(fn.statements[s].first)].push_back(s);
    for (uint32_t e = 0; e < fn.errorEvents.size(); ++e) eventsAt[raw(fn.errorEvents[e].at)].push_back(e);

    std::vector<uint32_t> own(fn.blocks.size(), FunctionCode::None); // begun last in each block
    for (size_t b = 0; b < fn.blocks.size(); ++b)
        for (ValueId v : fn.blocks[b].instrs)
            if (auto it = statementsAt.find(raw(v)); it != statementsAt.end()) own[b] = it->second.back();
    statementBefore.assign(fn.blocks.size(), FunctionCode::None);
    ir::Dominators dominators(fn);
    for (uint32_t b : dominators.reversePostorder()) {
        uint32_t above = dominators.immediateDominator(b);
        if (above != b) statementBefore[b] = own[above] != FunctionCode::None ? own[above] : statementBefore[above];
    }
}

void Translator::beginBlock(BlockId b) { code.setStatement(statementBefore[raw(b)]); }

/// A block that ends in a branch may be there twice if no more than one statement begins in it: that has code then.
bool Translator::isRepeatable(const ir::Block& b) const {
    size_t begun = 0;
    for (ValueId v : b.instrs) {
        if (eventsAt.contains(raw(v))) return false;
        if (auto it = statementsAt.find(raw(v)); it != statementsAt.end()) begun += it->second.size();
    }
    return begun <= 1;
}

void Translator::placeMarks(ValueId v) {
    const Instr& i = instr(v);
    code.setScope(i.scope);
    auto begun = statementsAt.find(raw(v));
    if (auto it = eventsAt.find(raw(v)); it != eventsAt.end())
        for (uint32_t e : it->second) {
            const ir::ErrorEvent& event = fn.errorEvents[e];
            // An error is taken as its handler is entered: it is shown where that begins.
            bool isEntry = event.kind == ir::ErrorEventKind::Absorb && begun != statementsAt.end();
            SourcePos entry = isEntry ? fn.statements[begun->second.front()].begin : SourcePos{};
            code.setSpan(isEntry ? Span{entry, entry + 1} : i.span);
            code.emit(Opcode::ErrorEvent, use(event.tag), static_cast<uint16_t>(event.kind));
        }
    if (begun == statementsAt.end()) return;
    for (uint32_t s : begun->second) {
        endStatement();
        SourcePos begin = fn.statements[s].begin;
        code.setSpan(i.span.isValid() ? i.span : Span{begin, begin + 1});
        code.setStatement(s);
        code.separate();
        auto at = static_cast<uint32_t>(code.size());
        if (copyingHeader) {
            loopTests.push_back(at);
            continue;
        }
        statements[s] = at;
        openStatement = s;
    }
}

void Translator::endStatement() {
    constexpr int32_t ToNext = 1;
    if (openStatement != FunctionCode::None && statements[openStatement] == code.size())
        code.emitWide(Opcode::Jmp, 0, ToNext);
    openStatement = FunctionCode::None;
}

} // namespace sx::vm
