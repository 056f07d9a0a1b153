#include "debugger/objects/GraphFile.h"

#include "source/JsonDepth.h"

#include "llvm/Support/JSON.h"

namespace sx::debugger::objects {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

// ---- writing

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

std::string pageData(const HeapGraph& h) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::json::OStream out(stream);
    Texts labels = h.texts;
    const Dominators& d = h.dominators();
    auto list = [&](std::initializer_list<int64_t> numbers) {
        out.array([&] {
            for (int64_t n : numbers) out.value(n);
        });
    };
    auto orNone = [](uint32_t n) { return n == UINT32_MAX ? int64_t{-1} : int64_t{n}; };
    out.object([&] {
        out.attribute("name", h.name);
        out.attribute("approximate", h.approximation);
        out.attributeArray("sites", [&] {
            for (const Site& s : h.sites) out.value(Object{{"func", s.func}, {"file", s.file}, {"line", s.line}});
        });
        out.attributeArray("nodes", [&] {
            for (uint32_t i = 0; i < h.nodes.size(); ++i) {
                const Node& n = h.nodes[i];
                list({static_cast<int64_t>(n.id), n.type, n.kind, static_cast<int64_t>(n.shallow),
                      d.reachable[i] ? static_cast<int64_t>(d.retained[i]) : -1, orNone(n.site), n.owner, n.provenance,
                      n.validity, orNone(d.parent[i])});
            }
        });
        out.attributeArray("edges", [&] {
            for (const Edge& e : h.graph.edges())
                list({e.from, e.to, labels.number(nameOf(e.kind)), labels.number(h.labelOf(e))});
        });
        out.attributeArray("roots", [&] {
            for (const Root& r : h.roots) list({r.node, r.name, r.label, r.kind, r.isApproximate});
        });
        out.attributeArray("texts", [&] {
            for (uint32_t i = 0; i < labels.size(); ++i) out.value(labels.text(i));
        });
    });
    std::string safe;
    for (char c : text) c == '<' ? safe += "\\u003c" : safe += c;
    return safe;
}

// ---- reading

namespace {

class GraphReader {
public:
    explicit GraphReader(const Object& file) : file_(file) {}

    Result<std::unique_ptr<HeapGraph>> read() {
        if (file_.getString("format").value_or("") != "sx-heap") return Failure{"this is no heap of sx: no `format`"};
        std::optional<int64_t> version = file_.getInteger("version");
        if (version != GraphFileVersion)
            return Failure{"the heap is of version " + (version ? std::to_string(*version) : "?") +
                           " of the format; this sx reads " + std::to_string(GraphFileVersion)};
        heap_->name = file_.getString("name").value_or("").str();
        heap_->takenAt = static_cast<uint64_t>(file_.getInteger("timestamp").value_or(0));
        heap_->approximation = file_.getString("approximate").value_or("").str();
        each("sites", [&](const Object& o) { readSite(o); });
        each("nodes", [&](const Object& o) { readNode(o); });
        if (problem_.empty()) heap_->finish();
        if (problem_.empty() && hasSameIds_) fail("two nodes have the same id");
        std::vector<Edge> edges;
        each("edges", [&](const Object& o) { readEdge(o, edges); });
        each("roots", [&](const Object& o) { readRoot(o); });
        if (!problem_.empty()) return Failure{problem_};
        heap_->graph = Graph(static_cast<uint32_t>(heap_->nodes.size()), std::move(edges));
        return std::move(heap_);
    }

private:
    void fail(std::string why) {
        if (problem_.empty()) problem_ = std::move(why);
    }
    template <typename Each> void each(const char* list, Each each) {
        const Array* all = file_.getArray(list);
        if (!all) return fail(std::string("the heap has no `") + list + "`");
        for (const Value& value : *all) {
            if (!problem_.empty()) return;
            if (const Object* o = value.getAsObject()) each(*o);
            else fail(std::string("`") + list + "` has something that is no object");
        }
    }
    uint32_t text(const Object& o, const char* name) { return heap_->texts.number(o.getString(name).value_or("")); }
    void readSite(const Object& o) {
        auto number = [&](const char* name) { return static_cast<uint32_t>(o.getInteger(name).value_or(0)); };
        heap_->sites.push_back({o.getString("func").value_or("").str(), o.getString("file").value_or("").str(),
                                number("line"), number("col")});
    }
    void readNode(const Object& o) {
        std::optional<int64_t> id = o.getInteger("id"), shallow = o.getInteger("shallow"), site = o.getInteger("site");
        if (!id || !shallow || *shallow < 0) return fail("a node has no `id` or no `shallow` size");
        if (site && (*site < 0 || static_cast<size_t>(*site) >= heap_->sites.size()))
            return fail("node " + std::to_string(*id) + " has a `site` that is not there");
        hasSameIds_ |= !seen_.insert({*id, 0}).second;
        Node n;
        n.id = static_cast<uint64_t>(*id);
        n.shallow = static_cast<uint64_t>(*shallow);
        n.type = text(o, "type"), n.kind = text(o, "kind"), n.owner = text(o, "owner");
        n.provenance = text(o, "provenance"), n.validity = text(o, "validity");
        if (site) n.site = static_cast<uint32_t>(*site);
        heap_->nodes.push_back(n);
    }
    std::optional<uint32_t> node(const Object& o, const char* name) {
        std::optional<int64_t> id = o.getInteger(name);
        std::optional<uint32_t> found = id ? heap_->find(static_cast<uint64_t>(*id)) : std::nullopt;
        if (!found) fail("an edge or a root leads from or to a node that is not there");
        return found;
    }
    void readEdge(const Object& o, std::vector<Edge>& edges) {
        std::optional<uint32_t> from = node(o, "from"), to = node(o, "to");
        if (!from || !to) return;
        EdgeKind kind = EdgeKind::Field;
        std::string name = o.getString("kind").value_or("").str();
        for (auto k = EdgeKind::Field; k <= EdgeKind::Bookkeeping; k = static_cast<EdgeKind>(static_cast<int>(k) + 1))
            if (name == nameOf(k)) kind = k;
        edges.push_back({*from, *to, text(o, "label"), UINT32_MAX, kind});
    }
    void readRoot(const Object& o) {
        std::optional<uint32_t> to = node(o, "to");
        if (!to) return;
        heap_->roots.push_back({*to, text(o, "name"), text(o, "label"), text(o, "kind"),
                                static_cast<uint32_t>(o.getInteger("thread").value_or(0)),
                                o.getBoolean("approximate").value_or(false)});
    }

    const Object& file_;
    std::unique_ptr<HeapGraph> heap_ = std::make_unique<HeapGraph>();
    std::string problem_;
    std::unordered_map<int64_t, char> seen_;
    bool hasSameIds_ = false;
};

} // namespace

Result<std::unique_ptr<HeapGraph>> readJson(llvm::StringRef text) {
    if (jsonDepth(text) > MaxJsonDepth) return Failure{"it is nested too deeply"};
    llvm::Expected<Value> parsed = llvm::json::parse(text);
    if (!parsed) return Failure{"this is no JSON: " + llvm::toString(parsed.takeError())};
    const Object* file = parsed->getAsObject();
    if (!file) return Failure{"this is no heap of sx: it is no object"};
    return GraphReader(*file).read();
}

} // namespace sx::debugger::objects
