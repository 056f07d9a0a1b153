#include "sema/ArrayConstants.h"

#include "sema/Constants.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::sema {

using namespace ast;

namespace {

enum class ElementKind : uint8_t { Number, Bool, Text, Other };

ElementKind kindOf(const TypeTable& types, TypeId t) {
    if (isNumeric(types, t)) return ElementKind::Number;
    if (t == TypeId::Bool) return ElementKind::Bool;
    return t == TypeId::String ? ElementKind::Text : ElementKind::Other;
}

} // namespace

bool isConstantArray(Sema& sema, const ArrayLit& lit, const TypeContext& context, TypeId& type) {
    for (const Expr* e : lit.elems) {
        if (isConstantExpression(sema, e, context.scope, context.limit, context.file)) continue;
        sema.diags.error(lit.span, "an element of this array constant is not known while compiling")
            .note(e->span, "this one")
            .help("evaluate it with `#run`, or make the array a variable");
        return false;
    }
    if (type != TypeId::None || lit.type) return true; // the elements convert to the type that is written
    TypeId first = TypeId::None, floating = TypeId::None;
    for (const Expr* e : lit.elems) {
        std::optional<Value> v =
            sema.bodies->evaluateConstant(e, TypeId::None, context.scope, context.limit, context.file, false);
        if (!v) return false;
        TypeId t = v->isTypeName() ? TypeId::Type : v->type;
        if (first == TypeId::None) first = t;
        if (kindOf(sema.types, t) != kindOf(sema.types, first)) {
            sema.diags
                .error(e->span, "this is " + withArticle(sema.types, t) +
                                    " in an array constant whose first element is " + withArticle(sema.types, first))
                .help("the elements are all numbers, all bools or all strings, unless the type is written: `NAME : "
                      "[N]T : .[ … ];`");
            return false;
        }
        if (floating == TypeId::None && isFloat(sema.types, t)) floating = t;
    }
    if (floating != TypeId::None && isInteger(sema.types, first))
        type = arrayOf(sema.types, lit.elems.size(), floating);
    return true;
}

void makeBackingWritable(ir::Module& module, const ir::ConstData& init) {
    for (const ir::Reloc& reloc : init.relocs) {
        if (reloc.kind != ir::Reloc::Kind::Global) continue;
        ir::Global& backing = module.globals[reloc.id];
        // Only data that an evaluation has made: literal text and declared constants stay as they are.
        if (!backing.isConst || backing.mergeable || backing.name != "compile-time data") continue;
        backing.isConst = false;
        makeBackingWritable(module, backing.init);
    }
}

} // namespace sx::sema
