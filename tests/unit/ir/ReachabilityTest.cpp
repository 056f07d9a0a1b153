#include "Fixture.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/TypeDescriptor.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

TEST_CASE_METHOD(Ir, "what neither the entry nor an export reaches is dead") {
    FuncId entry = declare("main"), called = declare("called"), byAddress = declare("by_address");
    FuncId byData = declare("by_data"), unused = declare("unused"), exported = declare("exported");
    GlobalId used = global("used"), linked = global("linked"), idle = global("idle");
    module.entry = entry;
    module.fn(exported).isExport = true;
    module.global(used).init.relocs = {{Reloc::Kind::Global, 0, static_cast<uint32_t>(linked), 0}};
    module.global(linked).init.relocs = {{Reloc::Kind::Function, 0, static_cast<uint32_t>(byData), 0}};
    for (FuncId f : {called, byAddress, byData, exported}) {
        Builder body(module, module.fn(f));
        emitRet(body);
    }
    Builder b(module, module.fn(entry));
    emitCall(b, called, {});
    funcAddr(b, byAddress, functionTypeOf(types, {}, TypeId::Void));
    globalAddr(b, used, pointer());
    typeHandle(b, TypeId::I64);
    emitRet(b);
    Builder other(module, module.fn(unused));
    globalAddr(other, idle, pointer());
    typeHandle(other, TypeId::String);
    emitRet(other);
    finish(module);
    markReachable(module);

    for (FuncId f : {entry, called, byAddress, byData, exported}) CHECK_FALSE(module.fn(f).dead);
    CHECK(module.fn(unused).dead);
    CHECK_FALSE(module.global(used).dead);
    CHECK_FALSE(module.global(linked).dead);
    CHECK(module.global(idle).dead);
    CHECK_FALSE(module.global(module.typeDescriptors.lookup(TypeId::I64)).dead);
    CHECK(module.global(module.typeDescriptors.lookup(TypeId::String)).dead);
    CHECK(verify(module).empty());
}
