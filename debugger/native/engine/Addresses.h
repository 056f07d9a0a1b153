// What addresses of the program mean.
#pragma once

#include "debugger/inspect/Memory.h"

#include <map>
#include <string>

namespace sx::debugger::native {

struct Native;

class NativeAddresses final : public Addresses {
public:
    explicit NativeAddresses(Native& n) : n_(n) {}

    std::optional<CodeName> codeAt(uint64_t address) override;
    std::optional<ir::FuncId> functionAt(uint64_t address) override;
    TypeId typeAt(uint64_t descriptor) override;
    std::optional<uint64_t> descriptorOf(TypeId) override;
    std::optional<uint64_t> addressOf(ir::GlobalId) override;
    std::optional<uint64_t> addressOf(ir::FuncId) override;
    uint64_t heapTables() override;
    uint64_t fiberRecords() override;
    uint32_t threadOfFiber(uint32_t number) override;

private:
    Native& n_;
    std::map<std::string, TypeId> descriptors_; ///< by symbol
};

} // namespace sx::debugger::native
