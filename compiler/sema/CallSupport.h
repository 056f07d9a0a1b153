// What the parts that lower calls, literals and protocol values share. Private to them.
#pragma once

#include "sema/Operands.h"

#include <string>

namespace sx::sema {

/// `text` in backticks, as messages show code.
inline std::string tick(std::string_view text) { return "`" + std::string(text) + "`"; }
inline std::string tick(const TypeTable& types, TypeId t) { return tick(types.writtenName(t)); }
inline std::string tick(const Sema& sema, Name n) { return tick(sema.names.text(n)); }

/// "1 argument", "2 arguments".
std::string countOf(size_t n, std::string_view what);

/// Equal up to the alias of a generic instance (generics.md 2.1).
inline bool sameType(Sema& sema, TypeId a, TypeId b) { return a == b || sema.canonical(a) == sema.canonical(b); }

/// The function as declared whose body the code belongs to, also inside its lambdas; null if there is none.
const FunctionTemplate* enclosingTemplate(const FunctionLowering&);

/// The left part of a `.` or a callee: a value, or a type, namespace or pack that a member is asked of.
Value lowerBase(FunctionLowering&, const ast::Expr*);

/// Restores what is "the current operation" for errors (types.md, head).
class OperationGuard {
public:
    OperationGuard(FunctionLowering& f, Span operation) : f_(f), saved_(f.currentOperation), span_(f.b.span()) {
        f.currentOperation = operation;
        f.b.setSpan(operation);
    }
    ~OperationGuard() {
        f_.currentOperation = saved_;
        f_.b.setSpan(span_);
    }
    OperationGuard(const OperationGuard&) = delete;

private:
    FunctionLowering& f_;
    Span saved_, span_;
};

// ---- arguments (Arguments.cpp)

/// The parts of a tuple, anonymous struct or fixed array; false if the value is none of these. (Packs.cpp)
bool spreadParts(FunctionLowering&, const Value&, llvm::SmallVectorImpl<Value>& out);

/// What arguments are bound to. `params` leaves the receiver of a dot-call out.
struct CallTarget {
    std::string name; ///< for messages, in backticks: "`f`"
    llvm::ArrayRef<ParamInfo> params;
    FunctionInstance* instance = nullptr; ///< knows names and defaults; null: a closure, pointer or protocol method
    bool cVariadic = false;               ///< extra values are passed one by one instead of in a slice
};
/// Checks names and counts, lowers the arguments in written order, then the defaults; appends one value per
/// parameter. False after a report.
bool bindArguments(FunctionLowering&, const ast::Call&, const CallTarget&, llvm::SmallVectorImpl<Value>& out);
/// The same for the arguments that `inferInstance` lowered. `lowered` includes the receiver.
bool bindInferred(FunctionLowering&, const ast::Call&, FunctionInstance&, bool hasReceiver,
                  llvm::ArrayRef<Value> lowered, llvm::ArrayRef<const ast::Arg*> written, bool spread,
                  llvm::SmallVectorImpl<Value>& out);
/// One parameter per type, without names.
llvm::SmallVector<ParamInfo, 4> unnamedParams(llvm::ArrayRef<TypeId>);
/// A slice over `elements`, which have its element type, in storage of this frame.
Value sliceOfValues(FunctionLowering&, TypeId slice, llvm::ArrayRef<Value> elements);

// ---- methods (Methods.cpp)

Value bindMethodFor(FunctionLowering&, const Value& receiver, const ast::Member&, const ast::Call*, bool& found);
/// What a bound method's call yields.
Value callBound(FunctionLowering&, const BoundMethod&, const ast::Call&, TypeId target, ValueId dest);

// ---- protocol values (Protocols.cpp)

/// A method of a protocol value, fetched before the arguments are evaluated. Stops the program if the value is absent.
struct ProtocolSlot {
    ValueId ctx = ValueId::None, code = ValueId::None;
};
ProtocolSlot loadSlot(FunctionLowering&, TypeId protocol, uint32_t method, ValueId protocolValue, Span access);
Value callSlot(FunctionLowering&, const ProtocolSlot&, TypeId protocol, uint32_t method, llvm::ArrayRef<Value> args,
               ValueId dest);
/// A type is erased to a protocol: what its methods can end with, calls through the protocol can.
void noteErasure(Sema&, TypeId protocol, TypeId concrete);
/// Address of the words of a protocol value behind `P`, `*P`, `?P` or `?*P`; `protocol` becomes P. None: no such value.
ValueId protocolWords(FunctionLowering&, const Value&, TypeId& protocol);
/// The protocol behind `P`, `*P`, `?P`, `?*P`; None: no protocol value.
TypeId protocolBehind(const TypeTable&, TypeId);

// ---- memory (Helpers.cpp)

/// `byteCount` bytes (i64) from `allocator`, or from the context's, or from malloc where there is no context.
ValueId allocate(FunctionLowering&, ValueId byteCount, const Value* allocator, Span at);
ValueId mallocBytes(FunctionLowering&, ValueId byteCount, Span at);
/// Calls a C function by its symbol; scalars only.
Value callC(FunctionLowering&, const char* symbol, TypeId result, llvm::ArrayRef<Value> args, Span at);

// ---- compiler-made helper functions (Helpers.cpp)

/// The function called `name`, built once per module: `build` gets a builder at its empty entry block.
ir::FuncId helperFunction(Sema&, const char* name, llvm::ArrayRef<TypeId> params, TypeId result,
                          void (*build)(ir::Builder&));

} // namespace sx::sema
