#include "vm/Evaluator.h"

#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "vm/Bake.h"
#include "vm/CrashReport.h"
#include "vm/FaultGuard.h"

#include <cstring>

namespace sx::vm {

using ir::ComptimeResult;
using ir::FuncId;
using ir::GlobalId;

Evaluator::Evaluator(Limits limits) : limits_(std::move(limits)) {}
Evaluator::~Evaluator() = default;

Program& Evaluator::programFor(ir::Module& module) {
    if (program_ && &program_->module == &module) return *program_;
    ProgramOptions options;
    options.comptime = true;
    options.steps = limits_.steps;
    options.stackBytes = limits_.stackBytes;
    options.heapBytes = limits_.heapBytes;
    options.report = limits_.report;
    options.foreign = limits_.foreign;
    program_ = std::make_unique<Program>(module, options);
    for (const auto& [symbol, address] : symbols_) program_->foreign.define(symbol, address);
    return *program_;
}

uint64_t Evaluator::contextFor(const ir::Function& f) {
    ir::Module& m = program_->module;
    TypeId context = m.types.elem(f.params[0]);
    for (uint32_t g = 0; defaultContext_ == GlobalId::None && g < m.globals.size(); ++g)
        if (m.globals[g].type == context && context != TypeId::None) defaultContext_ = GlobalId{g};
    return defaultContext_ == GlobalId::None ? 0 : program_->globals.address(defaultContext_);
}

void Evaluator::forget() { program_.reset(); }

std::string Evaluator::dump() const {
    std::string out;
    for (uint32_t f = 0; program_ && f < program_->module.functions.size(); ++f)
        if (const FunctionCode* code = program_->codeOf(FuncId{f})) out += disassemble(*code, program_->module);
    return out;
}

namespace {

/// One evaluation. What has to survive a jump out of a C function or a signal handler is a member.
class Evaluation {
public:
    Evaluation(Program& program, FuncId f) : program_(program), func_(f), thread_(program), traces_(program.traces) {}

    ComptimeResult run(uint64_t context) {
        const ir::Function& f = program_.module.fn(func_);
        if (f.hasContext) args_.push_back(context);
        inMemory_ = ir::returnsInMemory(program_.module.types, f.result);
        if (inMemory_) {
            memory_ = reinterpret_cast<uint64_t>(program_.arena.allocate(sizeOf(program_.module.types, f.result)));
            args_.push_back(memory_);
        }
        if (inMemory_ && memory_ == 0) thread_.fail("out of memory");
        else guarded();
        return finish(f.result);
    }

private:
    /// The frame of `sigsetjmp`: it holds nothing that a jump would leave half done.
    void guarded() {
        FaultGuard guard;
        thread_.escape = &guard.jump;
        switch (sigsetjmp(guard.jump, 1)) {
        case 0: thread_.call(program_.callees.at(func_), args_, scalar_); break;
        case 1: break; // the thread knows why
        default: thread_.fail(faultText(thread_, guard.signal, guard.address)); break;
        }
        thread_.escape = nullptr;
        Thread::current() = nullptr;
    }

    ComptimeResult finish(TypeId type) {
        ComptimeResult result;
        if (thread_.outcome() == Thread::Outcome::Exited) {
            result.exited = true;
            result.exitCode = thread_.exitCode;
            result.errorAt = thread_.errorAt;
        } else if (thread_.outcome() == Thread::Outcome::Failed) {
            result.error = thread_.error;
            result.needsRejected = std::exchange(program_.metRejected, false);
            result.errorAt = thread_.errorAt;
            for (const Thread::Position& p : thread_.errorStack) result.calls.push_back({p.func, p.span});
            result.callsOmitted = thread_.errorStackOmitted;
        } else {
            takeResult(type, result);
        }
        return result;
    }

    void takeResult(TypeId type, ComptimeResult& result) {
        const TypeTable& types = program_.module.types;
        uint64_t from = inMemory_ ? memory_ : reinterpret_cast<uint64_t>(&scalar_);
        if (isFailable(types, type) && !program_.module.fn(func_).errorIsValue) {
            uint64_t tagAt = isErrorSet(types, type)
                                 ? 0
                                 : fieldOffset(types, type, static_cast<unsigned>(types.tupleFields(type).size() - 1));
            std::memcpy(&result.errorTag, reinterpret_cast<const void*>(from + tagAt), sizeof result.errorTag);
            if (result.errorTag != 0) {
                result.trace = program_.traces.render();
                return;
            }
        }
        Result<ir::ConstData> baked = Baker(thread_, program_.callees.at(func_)).bake(type, from);
        result.ok = static_cast<bool>(baked);
        if (baked) {
            result.value = std::move(*baked);
        } else {
            result.error = baked.error();
            result.errorAt = program_.module.fn(func_).span;
        }
    }

    Program& program_;
    FuncId func_;
    Thread thread_;
    TraceScope traces_;
    std::vector<uint64_t> args_;
    bool inMemory_ = false;
    uint64_t memory_ = 0, scalar_ = 0;
};

} // namespace

ComptimeResult Evaluator::evaluate(ir::Module& module, FuncId f, const std::function<bool(FuncId)>& materialize,
                                   std::string* output) {
    Program& program = programFor(module);
    auto* outerMaterialize = std::exchange(program.materialize, &materialize);
    auto* outerOutput = std::exchange(program.output, output);
    program.services = services;
    if (depth_ == 0) program.globals.reset();
    else program.globals.updateErrorNames();
    program.descriptors.update();
    Thread* outerThread = Thread::current();
    ++depth_;
    ComptimeResult result;
    {
        Evaluation evaluation(program, f);
        result = evaluation.run(module.fn(f).hasContext ? contextFor(module.fn(f)) : 0);
    }
    Thread::current() = outerThread;
    if (--depth_ == 0) program.arena.resetHeap();
    program.materialize = outerMaterialize;
    program.output = outerOutput;
    return result;
}

} // namespace sx::vm
