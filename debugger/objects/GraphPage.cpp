#include "debugger/objects/GraphFile.h"

#include "llvm/Support/JSON.h"

namespace sx::debugger::objects {

namespace {

using llvm::json::Object;

/// JSON that stands in a page: nothing in it can end the element around it. (`<` is in texts only.)
class InPage : public llvm::raw_ostream {
public:
    explicit InPage(llvm::raw_ostream& out) : out_(out) { SetBufferSize(1 << 16); }
    ~InPage() override { flush(); }

private:
    void write_impl(const char* bytes, size_t count) override {
        llvm::StringRef rest(bytes, count);
        position_ += count;
        for (size_t at = rest.find('<'); at != llvm::StringRef::npos; at = rest.find('<')) {
            out_ << rest.take_front(at) << "\\u003c";
            rest = rest.drop_front(at + 1);
        }
        out_ << rest;
    }
    uint64_t current_pos() const override { return position_; }

    llvm::raw_ostream& out_;
    uint64_t position_ = 0;
};

} // namespace

void writePageData(const HeapGraph& h, llvm::raw_ostream& to) {
    InPage stream(to);
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
            for (const Site& s : h.sites)
                out.value(Object{{"func", s.func}, {"file", s.file}, {"line", s.line}, {"col", s.column}});
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
                list({e.from, e.to, labels.number(nameOf(e.kind)), e.label, orNone(e.index)});
        });
        out.attributeArray("roots", [&] {
            for (const Root& r : h.roots) list({r.node, r.name, r.label, r.kind, r.isApproximate});
        });
        out.attributeArray("texts", [&] {
            for (uint32_t i = 0; i < labels.size(); ++i) out.value(labels.text(i));
        });
    });
}

} // namespace sx::debugger::objects
