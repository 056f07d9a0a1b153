#include "debugger/objects/GraphFile.h"
#include "source/JsonReader.h"

#include <algorithm>
#include <array>

namespace sx::debugger::objects {

namespace {

/// The lists of a file, each of which refers to those before it only.
enum class List : uint8_t { Sites, Nodes, Edges, Roots };
constexpr std::array<std::string_view, 4> ListNames = {"sites", "nodes", "edges", "roots"};

/// Reads the lists as they come. One that comes before what it refers to is passed over, and read at the end.
class GraphReader {
public:
    explicit GraphReader(std::string_view text) : text_(text), json_(text) {}

    Result<std::unique_ptr<HeapGraph>> read() {
        bool isObject = json_.object([&](std::string_view name) { readMember(name); });
        json_.end();
        if (json_.isTooDeep()) return Failure{"it is nested too deeply"};
        if (!json_.problem().empty()) return Failure{"this is no JSON: " + json_.problem()};
        if (!isObject) return Failure{"this is no heap of sx: it is no object"};
        if (format_ != "sx-heap") return Failure{"this is no heap of sx: no `format`"};
        if (version_ != GraphFileVersion)
            return Failure{"the heap is of version " + (version_ ? std::to_string(*version_) : "?") +
                           " of the format; this sx reads " + std::to_string(GraphFileVersion)};
        readWhatWaits();
        if (!problem_.empty()) return Failure{problem_};
        heap_->graph = Graph(static_cast<uint32_t>(heap_->nodes.size()), std::move(edges_));
        return std::move(heap_);
    }

private:
    void fail(std::string why) {
        if (problem_.empty()) problem_ = std::move(why);
    }

    void readMember(std::string_view name) {
        if (name == "format") format_ = json_.string().value_or("");
        else if (name == "version") version_ = json_.integer();
        else if (name == "name") heap_->name = json_.string().value_or("");
        else if (name == "timestamp") heap_->takenAt = static_cast<uint64_t>(json_.integer().value_or(0));
        else if (name == "approximate") heap_->approximation = json_.string().value_or("");
        auto list = static_cast<size_t>(std::find(ListNames.begin(), ListNames.end(), name) - ListNames.begin());
        if (list == ListNames.size()) return;
        if (positions_[list]) return fail("the heap has `" + std::string(name) + "` twice");
        positions_[list] = json_.position();
        if (list == done_) readList(json_);
    }

    void readWhatWaits() {
        while (done_ < ListNames.size() && problem_.empty()) {
            if (!positions_[done_]) return fail("the heap has no `" + std::string(ListNames[done_]) + "`");
            JsonReader again(text_, *positions_[done_]);
            readList(again);
        }
    }

    /// The list whose turn it is.
    void readList(JsonReader& json) {
        auto list = static_cast<List>(done_++);
        std::string name(ListNames[static_cast<size_t>(list)]);
        bool isArray = json.array([&] {
            bool isObject = problem_.empty() && readRow(json, list);
            if (!isObject) fail("`" + name + "` has something that is no object");
        });
        if (!isArray) fail("the heap has no `" + name + "`");
        if (list == List::Nodes) finishNodes();
    }
    bool readRow(JsonReader& json, List list) {
        switch (list) {
        case List::Sites: return readSite(json);
        case List::Nodes: return readNode(json);
        case List::Edges: return readEdge(json);
        case List::Roots: return readRoot(json);
        }
        return false;
    }

    uint32_t text(JsonReader& json) {
        std::string_view text = json.string().value_or("");
        return heap_->texts.number({text.data(), text.size()});
    }
    uint32_t small(JsonReader& json, const char* what) {
        int64_t number = json.integer().value_or(0);
        if (number < 0 || number > UINT32_MAX) fail(std::string(what) + " that is out of range");
        return static_cast<uint32_t>(number);
    }

    bool readSite(JsonReader& json) {
        Site& site = heap_->sites.emplace_back();
        return json.object([&](std::string_view name) {
            if (name == "func") site.func = json.string().value_or("");
            else if (name == "file") site.file = json.string().value_or("");
            else if (name == "line") site.line = small(json, "a site has a `line`");
            else if (name == "col") site.column = small(json, "a site has a `col`");
        });
    }

    bool readNode(JsonReader& json) {
        std::optional<int64_t> id, shallow, site;
        Node n;
        bool isObject = json.object([&](std::string_view name) {
            if (name == "id") id = json.integer();
            else if (name == "shallow") shallow = json.integer();
            else if (name == "site") site = json.integer();
            else if (name == "type") n.type = text(json);
            else if (name == "kind") n.kind = text(json);
            else if (name == "owner") n.owner = text(json);
            else if (name == "provenance") n.provenance = text(json);
            else if (name == "validity") n.validity = text(json);
        });
        if (!isObject) return false;
        if (!id || *id < 1) return fail("a node has no `id`: a number from 1 on"), true;
        if (!shallow || *shallow < 0) return fail("node " + std::to_string(*id) + " has no `shallow` size"), true;
        if (site && (*site < 0 || static_cast<size_t>(*site) >= heap_->sites.size()))
            fail("node " + std::to_string(*id) + " has a `site` that is not there");
        n.id = static_cast<uint64_t>(*id);
        n.shallow = static_cast<uint64_t>(*shallow);
        if (site) n.site = static_cast<uint32_t>(*site);
        total_ += n.shallow;
        if (total_ > INT64_MAX) fail("the `shallow` sizes are more than memory can have");
        heap_->nodes.push_back(n);
        return true;
    }
    void finishNodes() {
        heap_->nodes.shrink_to_fit();
        if (problem_.empty() && !heap_->finish()) fail("two nodes have the same id");
    }

    std::optional<uint32_t> node(JsonReader& json) {
        std::optional<int64_t> id = json.integer();
        return id ? heap_->find(static_cast<uint64_t>(*id)) : std::nullopt;
    }
    void failAstray() { fail("an edge or a root leads from or to a node that is not there"); }

    bool readEdge(JsonReader& json) {
        std::optional<uint32_t> from, to;
        Edge e;
        bool isObject = json.object([&](std::string_view name) {
            if (name == "from") from = node(json);
            else if (name == "to") to = node(json);
            else if (name == "kind") e.kind = kindOf(json.string().value_or(""));
            else if (name == "label") readLabel(json.string().value_or(""), e);
        });
        if (!isObject) return false;
        if (!from || !to) return failAstray(), true;
        e.from = *from, e.to = *to;
        edges_.push_back(e);
        return true;
    }
    static EdgeKind kindOf(std::string_view name) {
        for (auto k = EdgeKind::Field; k <= EdgeKind::Bookkeeping; k = static_cast<EdgeKind>(static_cast<int>(k) + 1))
            if (name == nameOf(k)) return k;
        return EdgeKind::Field;
    }
    /// The index that it begins with is a number again: the elements of a long array have one text.
    void readLabel(llvm::StringRef label, Edge& e) {
        llvm::StringRef rest = label;
        uint32_t index = 0;
        bool isIndex = rest.consume_front("[") && !rest.starts_with("0") && !rest.consumeInteger(10, index);
        if (label.starts_with("[0]")) isIndex = true, rest = label.drop_front(2);
        if (isIndex && rest.consume_front("]") && index != UINT32_MAX) e.index = index, label = rest;
        e.label = heap_->texts.number(label);
    }

    bool readRoot(JsonReader& json) {
        std::optional<uint32_t> to;
        Root r;
        bool isObject = json.object([&](std::string_view name) {
            if (name == "to") to = node(json);
            else if (name == "name") r.name = text(json);
            else if (name == "label") r.label = text(json);
            else if (name == "kind") r.kind = text(json);
            else if (name == "thread") r.thread = small(json, "a root has a `thread`");
            else if (name == "approximate") r.isApproximate = json.boolean().value_or(false);
        });
        if (!isObject) return false;
        if (!to) return failAstray(), true;
        r.node = *to;
        heap_->roots.push_back(r);
        return true;
    }

    std::string_view text_;
    JsonReader json_;
    std::unique_ptr<HeapGraph> heap_ = std::make_unique<HeapGraph>();
    std::string format_;
    std::optional<int64_t> version_;
    std::array<std::optional<size_t>, ListNames.size()> positions_; ///< of the lists that were seen
    size_t done_ = 0;                                               ///< how many of them were read
    std::vector<Edge> edges_;
    uint64_t total_ = 0;
    std::string problem_;
};

} // namespace

Result<std::unique_ptr<HeapGraph>> readJson(llvm::StringRef text) { return GraphReader(text).read(); }

} // namespace sx::debugger::objects
