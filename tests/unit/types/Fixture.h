// A type table with short ways to make the types that tests need.
#pragma once

#include "types/TypeTable.h"

#include <initializer_list>

struct Types {
    sx::NameTable names;
    sx::TypeTable table{names};

    sx::Name name(std::string_view text) { return names.intern(text); }
    sx::Name numbered(std::string prefix, size_t n) { return name(prefix += std::to_string(n)); }

    sx::TypeId tuple(std::initializer_list<sx::TypeId> types) {
        std::vector<sx::TupleField> fields;
        for (sx::TypeId t : types) fields.push_back({sx::Name::None, t});
        return table.tupleOf(fields);
    }
    std::vector<sx::StructField> fields(std::initializer_list<sx::TypeId> types) {
        std::vector<sx::StructField> out;
        for (sx::TypeId t : types) out.push_back({.name = numbered("f", out.size()), .type = t});
        return out;
    }
    sx::TypeId structOf(std::initializer_list<sx::TypeId> types, std::string called = "S") {
        sx::TypeId t = table.newStruct(std::move(called));
        table.completeStruct(t, fields(types));
        return t;
    }
    /// One variant a payload; None for a variant without.
    sx::EnumInfo variants(std::initializer_list<sx::TypeId> payloads) {
        sx::EnumInfo info;
        for (sx::TypeId p : payloads) {
            int64_t position = static_cast<int64_t>(info.variants.size());
            info.variants.push_back({numbered("v", info.variants.size()), position, p});
        }
        return info;
    }
    sx::TypeId enumOf(sx::EnumInfo info, std::string called = "E") {
        sx::TypeId t = table.newEnum(std::move(called));
        table.completeEnum(t, std::move(info));
        return t;
    }
    sx::TypeId unionOf(std::vector<sx::UnionMember> members) {
        sx::TypeId t = table.newUnion("U");
        table.completeUnion(t, std::move(members));
        return t;
    }
    sx::TypeId protocolOf(std::vector<bool> dispatchable, bool isInline, std::string called = "P") {
        sx::TypeId t = table.newProtocol(std::move(called));
        sx::ProtocolInfo info;
        info.isInline = isInline;
        for (bool d : dispatchable) {
            sx::ProtocolMethodInfo m;
            m.dispatchable = d;
            info.methods.push_back(m);
        }
        table.completeProtocol(t, std::move(info));
        return t;
    }
    sx::TypeId errorSet(std::string called, std::initializer_list<std::string_view> tags = {}) {
        std::vector<sx::Name> out;
        for (std::string_view t : tags) out.push_back(name(t));
        return table.newErrorSet(std::move(called), std::move(out));
    }
};
