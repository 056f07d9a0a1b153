#include "sema/passes/ImportGraph.h"

#include "syntax/Ast.h"

namespace sx::sema {

ImportGraph::ImportGraph(const Program& program) {
    nodeOf(*program.entry);
    for (uint32_t i = 0; i < nodes_.size(); ++i) // which grows
        if (nodes_[i].file) addImportsOf(i);
    findDominators(inPostOrder());
    for (const auto& file : program.files)
        if (!files_.count(file.get())) unreached_.push_back(file.get());
}

uint32_t ImportGraph::nodeOf(const SourceFile& file) {
    auto [it, isNew] = files_.try_emplace(&file, static_cast<uint32_t>(nodes_.size()));
    if (isNew) nodes_.emplace_back().file = &file;
    return it->second;
}

/// An import that is not written, as that of the prelude, cannot be left out.
void ImportGraph::lead(uint32_t from, const ast::ImportDecl* import, const ModuleUnit& module) {
    auto connect = [&](uint32_t a, uint32_t b) {
        nodes_[a].to.push_back(b);
        nodes_[b].from.push_back(a);
    };
    if (import) {
        auto [it, isNew] = imports_.try_emplace(import, static_cast<uint32_t>(nodes_.size()));
        if (isNew) {
            nodes_.emplace_back();
            connect(from, it->second);
        }
        from = it->second;
    }
    for (const SourceFile* file : module.files) connect(from, nodeOf(*file));
}

void ImportGraph::addImportsOf(uint32_t file) {
    const SourceFile& source = *nodes_[file].file;
    for (const ImportEdge& edge : source.flatImports) lead(file, edge.decl, *edge.module);
    for (const Symbol* s : source.order)
        if (const auto* import = llvm::dyn_cast_or_null<ast::ImportDecl>(s->decl); import && s->module)
            lead(file, import, *s->module);
}

/// Of a walk from the entry; files may import each other in long chains.
std::vector<uint32_t> ImportGraph::inPostOrder() {
    struct Step {
        uint32_t node;
        size_t next = 0; ///< of the nodes that it leads to
    };
    std::vector<uint32_t> order;
    std::vector<bool> isMet(nodes_.size());
    std::vector<Step> path{{0}};
    isMet[0] = true;
    while (!path.empty()) {
        Step& step = path.back();
        Node& node = nodes_[step.node];
        if (step.next == node.to.size()) {
            node.number = static_cast<uint32_t>(order.size());
            order.push_back(step.node);
            path.pop_back();
            continue;
        }
        uint32_t to = node.to[step.next++];
        if (isMet[to]) continue;
        isMet[to] = true;
        path.push_back({to});
    }
    return order;
}

uint32_t ImportGraph::commonDominator(uint32_t a, uint32_t b) const {
    while (a != b) {
        uint32_t& inner = nodes_[a].number < nodes_[b].number ? a : b;
        inner = nodes_[inner].dominator;
    }
    return a;
}

/// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
void ImportGraph::findDominators(const std::vector<uint32_t>& postOrder) {
    nodes_[0].dominator = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (auto it = postOrder.rbegin() + 1; it != postOrder.rend(); ++it) {
            Node& node = nodes_[*it];
            uint32_t dominator = None;
            for (uint32_t from : node.from)
                if (nodes_[from].dominator != None)
                    dominator = dominator == None ? from : commonDominator(dominator, from);
            changes |= node.dominator != dominator;
            node.dominator = dominator;
        }
    }
    for (uint32_t i = 1; i < nodes_.size(); ++i) nodes_[nodes_[i].dominator].dominated.push_back(i);
}

llvm::SmallVector<const SourceFile*, 8> ImportGraph::onlyBy(const ast::ImportDecl* import) const {
    llvm::SmallVector<const SourceFile*, 8> files(unreached_.begin(), unreached_.end());
    auto known = imports_.find(import);
    if (known == imports_.end()) return files;
    llvm::SmallVector<uint32_t, 8> left{known->second};
    while (!left.empty()) {
        const Node& node = nodes_[left.pop_back_val()];
        if (node.file) files.push_back(node.file);
        left.append(node.dominated.begin(), node.dominated.end());
    }
    return files;
}

} // namespace sx::sema
