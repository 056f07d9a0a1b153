// Passes that also look at code nothing reaches (modules-and-comptime 12.1): what declarations mention, and the
// pure failable functions that might never fail.
#include "sema/passes/Passes.h"

#include "sema/Declare.h"
#include "sema/ExternDecls.h"
#include "sema/Functions.h"
#include "sema/Nominal.h"
#include "sema/TypeExprs.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"

namespace sx::sema {

using namespace ast;

namespace {

/// Resolves the types in the signatures and members of the entry file, so that unknown names are reported
/// whether or not anything is used.
class SignatureChecks {
public:
    explicit SignatureChecks(Sema& sema) : sema_(sema) { context_.file = sema.program.entry; }

    void run() {
        for (Symbol* s : sema_.program.entry->order) {
            if (!s->decl) continue;
            switch (s->decl->kind) {
            case DeclKind::Function: function(*s); break;
            case DeclKind::Const: // those that run code wait for their turn
                if (static_cast<const ConstDecl*>(s->decl)->value->kind == ExprKind::Run) break;
                [[fallthrough]];
            case DeclKind::Var:
            case DeclKind::UfcsAlias: resolve(sema_, s); break;
            case DeclKind::Struct:
            case DeclKind::Enum:
            case DeclKind::Union:
            case DeclKind::ErrorSet:
            case DeclKind::Protocol:
            case DeclKind::RuntimeClass: nominal(*s); break;
            case DeclKind::Import:
            case DeclKind::ImportC:
            case DeclKind::Library:
            case DeclKind::Framework:
            case DeclKind::RunStmt:
            case DeclKind::ErrorDirective:
            case DeclKind::ContextExtend:
            case DeclKind::Impl:
            case DeclKind::InlineIf:
            case DeclKind::Asm: break;
            }
        }
    }

private:
    void function(Symbol& s) {
        if (s.kind != SymbolKind::Function || s.function->isGeneric) return;
        FunctionInstance* i = instance(sema_, *s.function);
        if (!i || i->signatureFailed) return;
        const FunctionDecl& decl = *s.function->decl;
        if (i->result == TypeId::InferredErrors && decl.result && sema_.text(s.name) != "main" && decl.hasBody() &&
            i->errors)
            sema_.errorSets.neverFails.push_back(i);
    }

    /// Said here because nothing may ever make an instance.
    void genericFields(const StructDecl& decl) {
        for (const MemberDecl& m : decl.members) {
            if (m.kind != MemberKind::Field) continue;
            anyInType(m.field.type, [&](const Expr* e) {
                const auto* p = llvm::dyn_cast<TypeParam>(e);
                bool known = !p || llvm::any_of(decl.typeParams,
                                                [&](const TypeParamDecl& own) { return own.name.name == p->id.name; });
                if (!known) sema_.diags.error(p->span, strayParamMessage(sema_.text(p->id.name)));
                return false;
            });
        }
    }

    void nominal(Symbol& s) {
        if (const auto* decl = llvm::dyn_cast<StructDecl>(s.decl); decl && !decl->typeParams.empty())
            genericFields(*decl);
        Symbol* real = resolve(sema_, &s);
        if (real->kind != SymbolKind::Type) return;
        complete(sema_, real->type, s.nameSpan);
        if (NominalInfo* info = sema::nominal(sema_, real->type)) {
            declareMembers(sema_, *info);
            for (auto& [name, method] : members(sema_, real->type).methods)
                if (!method->isGeneric && method->decl->file == sema_.program.entry->id) instance(sema_, *method);
        }
    }

    Sema& sema_;
    TypeContext context_;
};

/// The library's own modules, also where they are found without a library root.
bool declaresIntrinsics(const SourceFile& file) {
    llvm::StringRef path(file.path);
    return file.isLibrary || path.contains("modules/std/") || path.contains("modules/math/") ||
           path.ends_with("modules/build.sx");
}

/// Programs call intrinsics without declaring them (generics.md 9).
void checkIntrinsicDeclarations(Sema& sema) {
    for (const auto& file : sema.program.files) {
        if (declaresIntrinsics(*file)) continue;
        for (Symbol* s : file->order) {
            const auto* f = llvm::dyn_cast_or_null<FunctionDecl>(s->decl);
            if (!f || f->bodyKind != BodyKind::Intrinsic) continue;
            sema.diags
                .error(f->name.span,
                       code(sema, s->name) + " is declared as an intrinsic, which only the standard library does")
                .help("drop the declaration: intrinsics are visible everywhere");
        }
    }
}

/// A type argument and a method of one name: inside the protocol the name means either.
void warnOfSharedNames(Sema& sema) {
    for (const auto& file : sema.program.files) {
        if (file->isLibrary) continue;
        for (const Decl* d : file->items) {
            const auto* protocol = llvm::dyn_cast<ProtocolDecl>(d);
            if (!protocol) continue;
            for (const TypeParamDecl& p : protocol->typeParams)
                for (const ProtocolMethod& m : protocol->methods)
                    if (m.fn->name.name == p.name.name)
                        warn(sema, WarningKind::SharedName, {},
                             "the protocol " + code(sema, d->name.name) +
                                 " has a type argument and a method that are both called " + code(sema, p.name.name));
        }
    }
}

} // namespace

void checkDeclarations(Sema& sema) {
    checkIntrinsicDeclarations(sema);
    checkExternSymbols(sema);
    warnOfSharedNames(sema);
    SignatureChecks(sema).run();
}

} // namespace sx::sema
