#include "types/TypeNames.h"
#include "types/Failable.h"
#include "types/NameLimit.h"
#include "types/Predicates.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace sx {

namespace {

/// Writes one name. `written`: as in the program's text, otherwise as the running program says it.
class NameWriter {
public:
    NameWriter(const TypeTable& types, bool written) : types_(types), written_(written) {}

    void write(TypeId t);
    std::string take() { return std::move(out_); }

private:
    void writeWhole(TypeId t);
    void writePrefixed(llvm::StringRef prefix, TypeId elem) {
        out_ += prefix;
        write(elem);
    }
    void writeOptional(TypeId payload);
    void writeNominal(TypeId, const std::string& name);
    void writeInt(TypeId);
    void writeLabel(Name);
    void writeTuple(TypeId, bool isResult = false);
    void writeStruct(TypeId);
    void writeSignature(const FunctionInfo&);
    void writeErrors(TypeId);
    void writeResult(TypeId);

    const TypeTable& types_;
    bool written_;
    std::string out_;
    llvm::DenseMap<TypeId, std::string> cut_; ///< the parts that are named at their limit: written once
};

/// In a program's text `??` is an operator.
void NameWriter::writeOptional(TypeId payload) {
    bool isNested = written_ && types_.kind(payload) == TypeKind::Optional;
    writePrefixed(isNested ? "?(" : "?", payload);
    if (isNested) out_ += ')';
}

void NameWriter::writeNominal(TypeId t, const std::string& name) {
    if (const std::string* given = written_ ? types_.givenName(t) : nullptr) out_ += *given;
    else out_ += name.empty() ? "__anon" : name;
}

void NameWriter::writeInt(TypeId t) {
    if (t == TypeId::USize || t == TypeId::ISize) {
        out_ += t == TypeId::USize ? "usize" : "isize";
        return;
    }
    out_ += types_.isSigned(t) ? 'i' : 'u';
    out_ += std::to_string(bitsOf(types_, t));
}

void NameWriter::writeLabel(Name name) {
    if (name == Name::None) return;
    out_ += types_.names().text(name);
    out_ += ": ";
}

/// In a program's text results stand in parentheses alone, and with a slot for an error nothing else does.
void NameWriter::writeTuple(TypeId t, bool isResult) {
    llvm::ArrayRef<TupleField> fields = types_.tupleFields(t);
    bool isType = written_ && (fields.size() < 2 || !(isResult || isFailable(types_, t)));
    out_ += isType ? "Tuple(" : "(";
    for (size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) out_ += ", ";
        if (written_) writeLabel(fields[i].name);
        bool isErrorSlot = written_ && i > 0 && i + 1 == fields.size() && isErrorSet(types_, fields[i].type);
        isErrorSlot ? writeErrors(fields[i].type) : write(fields[i].type);
    }
    out_ += fields.size() == 1 && !isType ? ",)" : ")";
}

void NameWriter::writeStruct(TypeId t) {
    const StructInfo& info = types_.structInfo(t);
    if (!info.name.empty() || !written_) return writeNominal(t, info.name);
    out_ += "struct {";
    for (size_t i = 0; i < info.fields.size(); ++i) {
        if (i > 0) out_ += ", ";
        if (!info.positional) writeLabel(info.fields[i].name);
        write(info.fields[i].type);
    }
    out_ += '}';
}

/// An error slot: `!Set`, or `!` alone.
void NameWriter::writeErrors(TypeId t) {
    if (t != TypeId::InferredErrors) out_ += '!';
    write(t);
}

void NameWriter::writeResult(TypeId t) {
    if (written_ && isErrorSet(types_, t)) writeErrors(t);
    else if (types_.kind(t) == TypeKind::Tuple) writeTuple(t, /*isResult=*/true);
    else write(t);
}

void NameWriter::writeSignature(const FunctionInfo& f) {
    out_ += '(';
    for (size_t i = 0; i < f.params.size(); ++i) {
        if (i > 0) out_ += ", ";
        write(f.params[i]);
    }
    if (f.cVariadic) out_ += f.params.empty() ? ".." : ", ..";
    out_ += ')';
    if (f.result != TypeId::Void) {
        out_ += " -> ";
        writeResult(f.result);
    }
    if (written_ && f.conv == CallConv::C) out_ += " abi(.c)";
}

/// A part that is shorter than the limit has fewer parts itself than that.
void NameWriter::write(TypeId t) {
    if (auto known = cut_.find(t); known != cut_.end()) {
        out_ += known->second;
        return;
    }
    const size_t start = out_.size();
    writeWhole(t);
    if (out_.size() - start <= LongestTypeName) return;
    limitName(out_, start);
    cut_[t] = out_.substr(start);
}

void NameWriter::writeWhole(TypeId t) {
    switch (types_.kind(t)) {
    case TypeKind::None: out_ += "<unknown>"; return;
    case TypeKind::Void: out_ += "void"; return;
    case TypeKind::NoReturn: out_ += "noreturn"; return;
    case TypeKind::Bool: out_ += "bool"; return;
    case TypeKind::Int: writeInt(t); return;
    case TypeKind::Float: out_ += t == TypeId::F32 ? "f32" : "f64"; return;
    case TypeKind::String: out_ += "string"; return;
    case TypeKind::CString: out_ += "cstring"; return;
    case TypeKind::Any: out_ += "any"; return;
    case TypeKind::Type: out_ += "Type"; return;
    case TypeKind::Null: out_ += "null"; return;
    case TypeKind::Pointer: writePrefixed("*", types_.elem(t)); return;
    case TypeKind::ManyPointer: writePrefixed("[*]", types_.elem(t)); return;
    case TypeKind::Slice: writePrefixed("[]", types_.elem(t)); return;
    case TypeKind::Optional: writeOptional(types_.elem(t)); return;
    case TypeKind::Array: writePrefixed(("[" + llvm::Twine(types_.count(t)) + "]").str(), types_.elem(t)); return;
    case TypeKind::Vector:
        writePrefixed(("Vector(" + llvm::Twine(types_.count(t)) + (written_ ? ", " : ",")).str(), types_.elem(t));
        out_ += ')';
        return;
    case TypeKind::Tuple: writeTuple(t); return;
    case TypeKind::Function: writeSignature(types_.functionInfo(t)); return;
    case TypeKind::Closure:
        out_ += "Closure";
        writeSignature(types_.functionInfo(t));
        return;
    case TypeKind::Struct: writeStruct(t); return;
    case TypeKind::Enum: writeNominal(t, types_.enumInfo(t).name); return;
    case TypeKind::Union: writeNominal(t, types_.unionInfo(t).name); return;
    case TypeKind::ErrorSet: writeNominal(t, types_.errorSetInfo(t).name); return;
    case TypeKind::Protocol: writeNominal(t, types_.protocolInfo(t).name); return;
    }
}

} // namespace

std::string runtimeName(const TypeTable& types, TypeId t) {
    NameWriter writer(types, /*written=*/false);
    writer.write(t);
    return writer.take();
}

std::string writtenName(const TypeTable& types, TypeId t) {
    NameWriter writer(types, /*written=*/true);
    writer.write(t);
    return writer.take();
}

} // namespace sx
