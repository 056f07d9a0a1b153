// Which files are in a program only because of one import. In the graph from files to their imports, and from these to
// the files that they name, an import dominates them: every way from the entry to them leads through it.
#pragma once

#include "sema/Sema.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace sx::sema {

class ImportGraph {
public:
    explicit ImportGraph(const Program&);

    /// The files that no import but this one brings into the program. Those that no import does are among them.
    llvm::SmallVector<const SourceFile*, 8> onlyBy(const ast::ImportDecl*) const;

private:
    static constexpr uint32_t None = UINT32_MAX;
    struct Node {
        const SourceFile* file = nullptr; ///< null: an import
        std::vector<uint32_t> to, from;
        uint32_t number = None;          ///< the higher, the sooner a walk from the entry has left the node
        uint32_t dominator = None;       ///< the nearest one
        std::vector<uint32_t> dominated; ///< of which it is the nearest
    };

    uint32_t nodeOf(const SourceFile&);
    void lead(uint32_t from, const ast::ImportDecl*, const ModuleUnit&);
    void addImportsOf(uint32_t file);
    std::vector<uint32_t> inPostOrder();
    uint32_t commonDominator(uint32_t, uint32_t) const;
    void findDominators(const std::vector<uint32_t>& postOrder);

    std::vector<Node> nodes_;
    llvm::DenseMap<const SourceFile*, uint32_t> files_;
    llvm::DenseMap<const ast::ImportDecl*, uint32_t> imports_;
    std::vector<const SourceFile*> unreached_;
};

} // namespace sx::sema
