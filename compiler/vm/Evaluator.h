// Compile-time evaluation: the interpreter as sema sees it (ir/Comptime.h).
#pragma once

#include "ir/Comptime.h"
#include "ir/ForeignCode.h"

#include <memory>

namespace sx::vm {

class Program;

/// What an evaluation may use. Going over one of them ends it with an error.
struct Limits {
    uint64_t steps = 200'000'000;             ///< instructions, roughly: counted at backward branches and calls
    uint64_t stackBytes = uint64_t{64} << 20; ///< of frames, and as much again of large locals
    uint64_t heapBytes = uint64_t{1} << 30;
    /// Told why the process ends in a thread that evaluated C code has started: nobody is there to return it to.
    std::function<void(const std::string&)> report;
    ir::ForeignLoader foreign; ///< the C code of the program, wanted once code calls a C function; may be unset
};

/// Keeps translated code and globals between evaluations of one module. An evaluation may begin while another runs
/// (`materialize` may evaluate).
class Evaluator : public ir::ComptimeEvaluator {
public:
    explicit Evaluator(Limits limits = {});
    ~Evaluator() override;

    /// Of a failable function the result is whole, with no error in its last slot; the value slots come first, laid out
    /// as those of the success type. With `errorTag` set, `ok` is false and `error` empty.
    void forget() override;
    ir::ComptimeResult evaluate(ir::Module&, ir::FuncId f, const std::function<bool(ir::FuncId)>& materialize,
                                std::string* output = nullptr) override;

    /// The global that a context parameter is given the address of. Unless it is set, the first global of the context's
    /// type.
    void setDefaultContext(ir::GlobalId g) { defaultContext_ = g; }
    /// Makes a C function known that dlsym does not find. Before the first evaluation.
    void define(const std::string& symbol, void* address) { symbols_.emplace_back(symbol, address); }
    /// Something had to be run: until then there is no interpreter.
    bool hasStarted() const { return program_ != nullptr; }
    /// The bytecode of what has been translated so far.
    std::string dump() const;

private:
    Program& programFor(ir::Module&);
    uint64_t contextFor(const ir::Function&);

    Limits limits_;
    ir::GlobalId defaultContext_ = ir::GlobalId::None;
    std::vector<std::pair<std::string, void*>> symbols_;
    std::unique_ptr<Program> program_;
    unsigned depth_ = 0;
};

} // namespace sx::vm
