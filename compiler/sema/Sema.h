// Semantic analysis: from syntax trees to a checked, typed IR module.
//
// One Sema is the state of the analysis of one program, in named parts; logic is free functions over it, in headers
// beside their sources. Work is demand-driven: module-scope symbols are resolved when first asked for, function bodies
// are checked and lowered when first reached (language 1.1), generics once per instance. A body is checked and emitted
// in one walk by a later stage (Bodies.h).
#pragma once

#include "ir/Builder.h"
#include "ir/Comptime.h"
#include "sema/Bodies.h"
#include "sema/Warnings.h"
#include "sema/model/BodyScopes.h"
#include "sema/model/Comptime.h"
#include "sema/model/ErrorGraph.h"
#include "sema/model/ImplTables.h"
#include "sema/model/Instances.h"
#include "sema/model/Journal.h"
#include "sema/model/Nominals.h"
#include "sema/model/Options.h"
#include "sema/model/Program.h"
#include "sema/model/Uses.h"
#include "source/Diagnostics.h"
#include "source/StackDepth.h"
#include "syntax/Parser.h"

#include <deque>
#include <memory>

namespace sx::sema {

struct Sema {
    Sema(SourceManager&, AstContext&, TypeTable&, Diagnostics&, ir::Module&, ir::ComptimeEvaluator&, Options);
    ~Sema();
    Sema(const Sema&) = delete;

    /// Milliseconds spent reading and parsing, of the last `analyze`.
    double parseMillis = 0, readMillis = 0;

    SourceManager& sources;
    AstContext& ast;
    NameTable& names;
    TypeTable& types;
    Diagnostics& diags;
    ir::Module& module;
    ir::ComptimeEvaluator& evaluator;
    Options options;
    Bodies* bodies = nullptr; ///< set before `analyze`; the caller's

    Program program;
    Nominals nominals;
    ImplTables impls;
    Instances instances;
    ErrorGraph errorSets;
    Comptime comptime;
    Warnings warnings;
    BodyScopes bodyScopes;
    std::unique_ptr<Uses> uses;           ///< null: nobody asked for them (Options::keepUses)
    llvm::StringMap<AskedText> questions; ///< texts that were asked about
    Journal* journal = nullptr;           ///< while a question is answered

    TypeId contextType{}; ///< struct Context with all #context_extend fields; None: no context
    ir::GlobalId defaultContext = ir::GlobalId::None;
    TypeId operatingSystem{}, architecture{}; ///< types of OS and ARCH, once asked for
    llvm::StringMap<ir::GlobalId> stringPool;
    std::vector<Symbol*> resolving; ///< stack of symbols being resolved, to name a cycle
    uint32_t scopeCounter = 1;      ///< numbers scope entries
    bool tooDeep = false;           ///< a chain that is longer than the stack allows was reported

    bool hasContext() const { return contextType != TypeId::None; }
    bool isAnnounced(TypeId t) const { return comptime.announced.count(t) != 0; }
    bool isProgramFile(const SourceFile& f) const { return !f.isLibrary || f.isEntry; }

    llvm::BumpPtrAllocator arena; ///< what lives as long as the analysis
    /// An object that lives as long as the analysis.
    template <typename T, typename... A> T* make(A&&... from) {
        T* object = new (arena.Allocate<T>()) T(std::forward<A>(from)...);
        if constexpr (!std::is_trivially_destructible_v<T>)
            destructors_.push_back({object, [](void* p) { static_cast<T*>(p)->~T(); }});
        return object;
    }
    Name name(std::string_view s) { return names.intern(s); }
    std::string text(Name n) const { return std::string(names.text(n)); }
    llvm::StringRef internString(llvm::StringRef); ///< copy in the arena

private:
    struct Destructor {
        void* object;
        void (*run)(void*);
    };
    std::deque<Destructor> destructors_; ///< of the objects in the arena
};

} // namespace sx::sema
