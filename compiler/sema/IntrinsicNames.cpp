// The intrinsics that may be called without any declaration in sight (generics.md 9, library.md 5).
#include "sema/Sema.h"

#include "llvm/ADT/StringSwitch.h"

namespace sx::sema {

using namespace ast;

bool isIntrinsicName(std::string_view name) {
    if (name.starts_with("atomic_")) return true;
    return llvm::StringSwitch<bool>(llvm::StringRef(name))
        .Cases("size_of", "align_of", "type_of", "type_name", "type_eq", "type_info", true)
        .Cases("is_unsigned", "is_flags", "is_struct", "is_identity", "has_impl", "is_comptime", true)
        .Cases("pointee_type", "vector_lanes", "error_name", true)
        .Cases("struct_field_count", "struct_field_name", "struct_field_type", "struct_field_offset",
               "struct_field_value", true)
        .Cases("variant_count", "variant_name", "variant_type", "variant_value", "variant_index", "variant_payload",
               true)
        .Cases("any_element", "raw_any_data", "raw_make_any", "__sx_variant_tag_width", true)
        .Cases("sqrt", "sin", "cos", "floor", true)
        .Cases("raw_intern", "raw_text_of", "raw_find_type", "raw_type_kind", "raw_type_name", true)
        .Cases("raw_field_count", "raw_field_name", "raw_field_type", "raw_variant_value", "raw_pointer_to", true)
        .Cases("raw_declare_type", "raw_register_type", true)
        .Default(false);
}

} // namespace sx::sema
