#include "lower/Assembly.h"

#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/Registers.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

/// The register of `"={rax}"`; "" if the constraint names none.
llvm::StringRef pinnedRegister(llvm::StringRef constraint) {
    constraint = constraint.ltrim("=+&");
    return constraint.consume_front("{") && constraint.consume_back("}") ? constraint : llvm::StringRef();
}

/// The constraint as the code generator spells it: letters for single registers become names.
std::string spelledConstraint(llvm::StringRef constraint) {
    constraint = constraint.ltrim("=+");
    if (!pinnedRegister(constraint).empty()) return constraint.str();
    std::string out;
    for (char c : constraint) switch (c) {
        case 'a': out += "{ax}"; break;
        case 'b': out += "{bx}"; break;
        case 'c': out += "{cx}"; break;
        case 'd': out += "{dx}"; break;
        case 'S': out += "{si}"; break;
        case 'D': out += "{di}"; break;
        default: out += c;
        }
    return out;
}

class AsmLowering {
public:
    AsmLowering(Body& f, const AsmExpr& e) : f_(f), types_(f.types), e_(e) {}

    Value run(ValueId dest) {
        if (!checkOperands() || !checkClobbers()) return Value::error();
        bool hasOutput = llvm::any_of(e_.operands, [](const AsmOperand& o) { return o.isOutput; });
        if (!hasOutput && !e_.isVolatile) {
            f_.diags.error(e_.span, "assembly without outputs is `volatile`: else nothing would be left of it")
                .help("write `asm volatile { … }`");
            return Value::error();
        }
        size_t errors = f_.diags.errorCount();
        // In the order of the text: the place of each among the outputs or inputs is known already.
        for (size_t i = 0; i < e_.operands.size(); ++i) lowerOperand(i);
        if (f_.diags.errorCount() != errors) return Value::error();
        if (!f_.reachable()) return Value::diverged();
        emit();
        return result(dest);
    }

private:
    struct Operand {
        Name name = Name::None; ///< also that of an unnamed operand's register
        ir::AsmOperand made;
        ValueId value = ValueId::None;
        Value output; ///< of a value output: where it lies
    };

    // ---- checks

    bool checkOperands() {
        operands_.resize(e_.operands.size());
        bool ok = true;
        for (size_t i = 0; i < e_.operands.size(); ++i) ok &= checkOperand(e_.operands[i], operands_[i]);
        return ok;
    }

    bool checkOperand(const AsmOperand& o, Operand& out) {
        llvm::StringRef constraint = o.constraint, reg = pinnedRegister(constraint);
        bool isOutput = constraint.starts_with("=") || constraint.starts_with("+");
        auto fail = [&](Span at, const std::string& message) {
            f_.diags.error(at, message);
            return false;
        };
        if (o.isOutput && !isOutput)
            return fail(o.constraintSpan,
                        "the constraint of an output begins with `=`, or with `+` if it is read as well");
        if (!o.isOutput && isOutput)
            return fail(o.constraintSpan, "the constraint of an input has no " + code(constraint.substr(0, 1).str()));
        if (constraint.ltrim("=+&").empty())
            return fail(o.constraintSpan,
                        "a constraint says where the operand goes: `r` for a register, `m` for memory");
        bool isBare = constraint.ltrim("=+&").find_first_of("{}") == llvm::StringRef::npos;
        if (reg.empty() && (!isBare || constraint.contains(',')))
            return fail(o.constraintSpan, code(constraint) + " is no constraint");
        if (!reg.empty() && !isRegister(reg)) return fail(o.constraintSpan, "there is no register " + code(reg));
        if (!o.name && reg.empty())
            return fail(o.constraintSpan, "an operand has a name, `[name]`, or a register of its own, `{rax}`");
        if (o.name && llvm::StringRef(f_.sema.names.text(o.name.name)) == reg)
            return fail(e_.span, "the operand " + code(reg) + " has the name of its register: leave the name away");
        out.name = o.name ? o.name.name : f_.sema.name(reg);
        for (const AsmOperand& other : e_.operands) {
            if (&other == &o) break;
            if (o.name && other.name && other.name.name == out.name)
                return fail(o.span, "there are two operands called " + code(f_.sema, out.name));
        }
        using Kind = ir::AsmOperand::Kind;
        out.made.kind = !isOutput ? Kind::In : constraint.starts_with("+") ? Kind::InOut : Kind::Out;
        out.made.constraint = spelledConstraint(constraint);
        return true;
    }

    bool checkClobbers() {
        for (const Ident& c : e_.clobbers) {
            std::string name = f_.sema.text(c.name);
            if (name == "memory" || name == "cc" || isRegister(name)) continue;
            f_.diags.error(c.span, "there is no register " + code(name))
                .help("`memory` says that memory is written, `cc` that flags are");
            return false;
        }
        return true;
    }

    // ---- operands

    void lowerOperand(size_t i) {
        const AsmOperand& o = e_.operands[i];
        Operand& out = operands_[i];
        if (!o.isOutput) return lowerInput(o, out);
        bool isAddress = o.value->kind == ExprKind::Unary && !namesType(f_.sema, o.value, typeContext(f_, true));
        if (isAddress) return lowerPlace(o, out);
        TypeId type = resolveType(f_.sema, o.value, typeContext(f_));
        if (type == TypeId::None || !isOperandType(type, o.value->span)) return;
        if (out.made.kind == ir::AsmOperand::Kind::InOut) {
            f_.diags.error(o.span, "an operand that is read and written needs a place: `-> *variable`");
            return;
        }
        out.output = temp(f_, type);
        out.value = out.output.id;
        out.made.type = type;
    }

    void lowerInput(const AsmOperand& o, Operand& out) {
        Value v = lower(f_, o.value);
        if (v.isError() || v.type == TypeId::NoReturn) return;
        v = operandOf(f_, v, o.value->span);
        if (v.isError() || !requireValue(f_, v, o.value->span)) return;
        if (!isOperandType(v.type, o.value->span)) return;
        out.made.type = v.type;
        out.value = scalar(f_, v);
    }

    void lowerPlace(const AsmOperand& o, Operand& out) {
        Value v = lower(f_, o.value);
        if (v.isError() || v.type == TypeId::NoReturn) return;
        if (types_.kind(v.type) != TypeKind::Pointer) {
            f_.diags.error(o.value->span, "an output goes to a type or to a place: `-> i64`, `-> *variable`");
            return;
        }
        if (!isOperandType(types_.elem(v.type), o.value->span)) return;
        out.made.type = types_.elem(v.type);
        out.value = scalar(f_, v);
    }

    bool isOperandType(TypeId type, Span at) {
        bool ok = isScalar(types_, type) && types_.kind(type) != TypeKind::Null;
        if (!ok)
            f_.diags.error(at, "an operand of assembly is a number, a bool, an enum or a pointer, and this is " +
                                   withArticle(types_, type));
        return ok;
    }

    // ---- the instruction

    void emit() {
        ir::AsmBlock block;
        llvm::SmallVector<ValueId, 4> values;
        for (bool outputs : {true, false})
            for (size_t i = 0; i < operands_.size(); ++i) {
                if ((operands_[i].made.kind != ir::AsmOperand::Kind::In) != outputs) continue;
                number_.push_back(i);
                block.operands.push_back(operands_[i].made);
                values.push_back(operands_[i].value);
            }
        for (ir::AsmOperand& o : block.operands) renumberTied(o);
        block.text = templateText();
        for (const Ident& c : e_.clobbers) block.clobbers.push_back(f_.sema.text(c.name));
        block.isVolatile = e_.isVolatile;
        f_.b.setSpan(e_.span);
        f_.fn.assembly.push_back(std::move(block));
        f_.b.emit(ir::Op::InlineAsm, TypeId::Void, values, f_.fn.assembly.size() - 1);
    }

    size_t numberOf(size_t written) const {
        return static_cast<size_t>(llvm::find(number_, written) - number_.begin());
    }

    /// `"0"`: in the place of the first operand as written.
    void renumberTied(ir::AsmOperand& o) {
        unsigned written = 0;
        if (!llvm::StringRef(o.constraint).getAsInteger(10, written) && written < operands_.size())
            o.constraint = std::to_string(numberOf(written));
    }

    /// `%[name]` becomes the operand's number, `%%` a percent sign; a `%` before anything else stays.
    std::string templateText() {
        std::string out;
        llvm::StringRef rest = e_.text;
        while (!rest.empty()) {
            if (rest.consume_front("%%")) {
                out += '%';
            } else if (rest.starts_with("%[") && rest.contains(']')) {
                auto [name, modifier] = rest.slice(2, rest.find(']')).split(':');
                rest = rest.substr(rest.find(']') + 1);
                out += "${" + std::to_string(operandNamed(name)) + (modifier.empty() ? "" : ":" + modifier.str()) + "}";
            } else if (rest.consume_front("%=")) {
                out += "${:uid}";
            } else {
                out += rest.front() == '$' ? "$$" : rest.substr(0, 1).str();
                rest = rest.drop_front();
            }
        }
        return out;
    }

    size_t operandNamed(llvm::StringRef name) {
        for (size_t i = 0; i < operands_.size(); ++i)
            if (llvm::StringRef(f_.sema.names.text(operands_[i].name)) == name) return numberOf(i);
        f_.diags.error(e_.textSpan,
                       "the assembly names " + code("%[" + name.str() + "]") + ", and there is no such operand");
        return 0;
    }

    /// Nothing, the value of the one value output, or a tuple of them all.
    Value result(ValueId dest) {
        llvm::SmallVector<const Operand*, 4> outputs;
        for (const Operand& o : operands_)
            if (o.output.type != TypeId::None) outputs.push_back(&o);
        if (outputs.empty()) return Value::none();
        if (outputs.size() == 1) return load(f_, outputs[0]->output);
        llvm::SmallVector<TupleField, 4> fields;
        for (const Operand* o : outputs) fields.push_back({o->name, o->made.type});
        TypeId tuple = types_.tupleOf(fields);
        Value whole = temp(f_, tuple, dest);
        for (unsigned i = 0; i < outputs.size(); ++i) {
            TypeId type = outputs[i]->made.type;
            emitStore(f_.b, emitOffset(f_.b, whole.id, fieldOffset(types_, tuple, i), pointerTo(types_, type)),
                      scalar(f_, outputs[i]->output));
        }
        return whole;
    }

    Body& f_;
    TypeTable& types_;
    const AsmExpr& e_;
    std::vector<Operand> operands_;       ///< as written
    llvm::SmallVector<size_t, 4> number_; ///< the written index of each operand in the order of the instruction
};

} // namespace

Value lowerAsm(Body& f, const AsmExpr& e, ValueId dest) { return AsmLowering(f, e).run(dest); }

bool lowerNaked(Body& f, const FunctionDecl& decl) {
    const Expr* only = decl.body();
    if (const auto* block = llvm::dyn_cast<BlockExpr>(only)) {
        const auto* statement = block->stmts.size() == 1 ? llvm::dyn_cast<ExprStmt>(block->stmts[0]) : nullptr;
        only = statement ? statement->expr : nullptr;
    }
    const auto* assembly = llvm::dyn_cast_or_null<AsmExpr>(only);
    if (!assembly) {
        f.diags.error(decl.bodySpan(), "the body of an `abi(.naked)` function is one `asm` block")
            .help("`abi(.c)` functions hold any code");
        return false;
    }
    if (!assembly->operands.empty()) {
        f.diags.error(assembly->operands[0].span,
                      "the assembly of an `abi(.naked)` function has no operands: it finds its arguments in registers");
        return false;
    }
    AsmExpr whole = *assembly;
    whole.isVolatile = true;
    if (lowerAsm(f, whole, ValueId::None).isError()) return false;
    emitUnreachable(f.b);
    return true;
}

} // namespace sx::lower
