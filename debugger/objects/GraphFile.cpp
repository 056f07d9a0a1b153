#include "debugger/objects/GraphFile.h"

#include "llvm/Support/JSON.h"

namespace sx::debugger::objects {

using llvm::json::Object;

namespace {

void writeNode(const HeapGraph& h, uint32_t i, llvm::json::OStream& out) {
    const Node& n = h.nodes[i];
    const Dominators& d = h.dominators();
    out.object([&] {
        out.attribute("id", static_cast<int64_t>(n.id));
        out.attribute("type", h.texts.text(n.type));
        out.attribute("kind", h.texts.text(n.kind));
        out.attribute("shallow", static_cast<int64_t>(n.shallow));
        if (d.reachable[i]) out.attribute("retained", static_cast<int64_t>(d.retained[i]));
        else out.attribute("retained", "unavailable");
        if (n.site == UINT32_MAX) out.attribute("site", nullptr);
        else out.attribute("site", n.site);
        out.attribute("owner", h.texts.text(n.owner));
        out.attribute("serial", static_cast<int64_t>(n.id));
        out.attribute("provenance", h.texts.text(n.provenance));
        out.attribute("backend", "alloc");
        out.attribute("validity", h.texts.text(n.validity));
    });
}

/// Rows as they are written, of all of a heap.
class Rows {
public:
    Rows(const HeapGraph& h, WritesOn goesOn)
        : total_(h.nodes.size() + h.graph.edges().size() + h.roots.size()), goesOn_(goesOn) {}
    /// Before each. False: it is not to be written, nor what follows.
    bool next() {
        constexpr uint64_t BetweenQuestions = 4096;
        if (isOver_ || ++done_ % BetweenQuestions != 0) return !isOver_;
        isOver_ = !goesOn_(done_, total_);
        return !isOver_;
    }
    bool isOver() const { return isOver_; }

private:
    uint64_t done_ = 0, total_;
    WritesOn goesOn_;
    bool isOver_ = false;
};

} // namespace

bool writeJson(const HeapGraph& h, llvm::raw_ostream& stream, WritesOn goesOn) {
    llvm::json::OStream out(stream);
    Rows rows(h, goesOn);
    out.object([&] {
        out.attribute("format", "sx-heap");
        out.attribute("version", GraphFileVersion);
        out.attribute("name", h.name);
        out.attribute("timestamp", static_cast<int64_t>(h.takenAt));
        if (!h.approximation.empty()) out.attribute("approximate", h.approximation);
        out.attributeArray("sites", [&] {
            for (const Site& s : h.sites)
                out.value(Object{{"func", s.func}, {"file", s.file}, {"line", s.line}, {"col", s.column}});
        });
        out.attributeArray("nodes", [&] {
            for (uint32_t i = 0; i < h.nodes.size() && rows.next(); ++i) writeNode(h, i, out);
        });
        out.attributeArray("edges", [&] {
            for (const Edge& e : h.graph.edges()) {
                if (!rows.next()) break;
                out.value(Object{{"from", static_cast<int64_t>(h.nodes[e.from].id)},
                                 {"to", static_cast<int64_t>(h.nodes[e.to].id)},
                                 {"kind", nameOf(e.kind)},
                                 {"label", h.labelOf(e)}});
            }
        });
        out.attributeArray("roots", [&] {
            for (const Root& r : h.roots) {
                if (!rows.next()) break;
                out.value(Object{{"to", static_cast<int64_t>(h.nodes[r.node].id)},
                                 {"name", h.texts.text(r.name)},
                                 {"label", h.texts.text(r.label)},
                                 {"kind", h.texts.text(r.kind)},
                                 {"thread", r.thread},
                                 {"approximate", r.isApproximate}});
            }
        });
    });
    stream << '\n';
    return !rows.isOver();
}

namespace {

std::string dotText(llvm::StringRef text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else out += c;
    }
    return out + "\"";
}

} // namespace

bool writeDot(const HeapGraph& h, llvm::raw_ostream& out, WritesOn goesOn) {
    Rows rows(h, goesOn);
    out << "digraph heap {\n  node [shape=box];\n";
    for (uint32_t i = 0; i < h.nodes.size() && rows.next(); ++i)
        out << "  n" << h.nodes[i].id
            << " [label=" << dotText(h.nameOf(i) + "\n" + std::to_string(h.nodes[i].shallow) + " bytes") << "];\n";
    for (size_t i = 0; i < h.roots.size() && rows.next(); ++i) {
        const Root& r = h.roots[i];
        out << "  r" << i << " [shape=ellipse, label=" << dotText(h.texts.text(r.name)) << "];\n  r" << i << " -> n"
            << h.nodes[r.node].id << " [label=" << dotText(h.texts.text(r.label))
            << (r.isApproximate ? ", style=dashed" : "") << "];\n";
    }
    for (const Edge& e : h.graph.edges()) {
        if (!rows.next()) break;
        out << "  n" << h.nodes[e.from].id << " -> n" << h.nodes[e.to].id << " [label=" << dotText(h.labelOf(e))
            << "];\n";
    }
    out << "}\n";
    return !rows.isOver();
}

} // namespace sx::debugger::objects
