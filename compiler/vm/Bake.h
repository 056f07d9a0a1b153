// Turns the result of an evaluation into constant data.
//
// What the result refers to becomes data too: addresses of globals and type descriptors turn into relocations,
// strings, slices and pointers into memory of the evaluation bring new constant globals with them.
#pragma once

#include "vm/Thread.h"

#include <map>
#include <tuple>

namespace sx::vm {

class Baker {
public:
    /// Of the evaluation of a function that has returned.
    Baker(const Thread& thread, const Callee& evaluated)
        : thread_(thread), evaluated_(evaluated), program_(thread.program), types_(program_.module.types) {}

    /// The value of type `t` at `from`. Fails if it cannot be a constant.
    Result<ir::ConstData> bake(TypeId t, uint64_t from);

private:
    /// Where the bytes go.
    struct Place {
        ir::ConstData& data;
        uint64_t at;
    };
    bool value(TypeId, uint64_t from, Place);
    bool scalarValue(TypeId, uint64_t from, Place);
    bool part(TypeId, uint64_t from, Place, const std::string& step);
    bool fields(TypeId, uint64_t from, Place);
    bool elements(TypeId elem, uint64_t count, uint64_t from, Place);
    bool optional(TypeId, uint64_t from, Place);
    bool tagged(TypeId, uint64_t from, Place);
    bool unionValue(TypeId, uint64_t from, Place);
    bool text(uint64_t from, Place);
    bool cstring(uint64_t from, Place);
    bool slice(TypeId, uint64_t from, Place);
    bool pointer(TypeId, uint64_t from, Place);
    bool closure(uint64_t from, Place);
    bool anyValue(uint64_t from, Place);
    bool protocol(TypeId, uint64_t from, Place);
    bool typeHandle(uint64_t from, Place);
    bool functionPointer(uint64_t from, Place);

    /// `count` elements at an address of the evaluation as a new global, or a place in a known one.
    bool object(TypeId elem, uint64_t count, uint64_t address, Place);
    bool globalReference(uint64_t address, Place);
    void reference(ir::GlobalId, uint64_t offset, Place);
    ir::GlobalId newGlobal(TypeId, uint64_t size, uint32_t align);
    bool isReadable(uint64_t address, uint64_t size);
    bool isPlainData(TypeId); ///< without addresses in it
    bool reject(const std::string& why);
    bool rejectMemory(uint64_t address, const std::string& what);

    const Thread& thread_;
    const Callee& evaluated_;
    Program& program_;
    TypeTable& types_;
    std::string error_;
    std::vector<std::string> path_; ///< from the result to the value that is being looked at
    bool isField_ = false;          ///< the value is a field of a struct
    std::map<std::tuple<uint64_t, TypeId, uint64_t>, ir::GlobalId> made_; ///< objects seen, so that cycles end
};

} // namespace sx::vm
