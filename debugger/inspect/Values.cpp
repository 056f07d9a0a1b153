#include "debugger/inspect/Values.h"

#include "debugger/inspect/Reader.h"
#include "types/TypeNames.h"

#include <algorithm>

namespace sx::debugger {

uint64_t Values::sizeOf(TypeId type) const { return isOther(type) ? others_->sizeOf(type) : sx::sizeOf(types_, type); }

std::string Values::nameOf(TypeId type) const {
    if (type == TypeId::None) return "";
    return isOther(type) ? others_->nameOf(type) : writtenName(types_, type);
}

Row Values::row(const Datum& datum, ShowOptions options) const {
    if (isOther(datum.type)) return others_->row(datum, options);
    Reader reader(types_, memory_, addresses_, options);
    View view = reader.view(datum);
    Row row;
    row.text = reader.textOf(view);
    row.type = nameOf(datum.type);
    row.presentation = view.presentation;
    row.presentation.isVirtual |= datum.isRaw;
    row.presentation.isReadOnly |= datum.place == Datum::Place::Nowhere;
    row.indexed = reader.indexedCount(view);
    row.named = reader.namedCount(view);
    row.memoryReference = view.target;
    if (!view.target && datum.place == Datum::Place::Memory) row.memoryReference = datum.address;
    return row;
}

std::string Values::text(const Datum& datum, ShowOptions options) const {
    if (isOther(datum.type)) return others_->row(datum, options).text;
    Reader reader(types_, memory_, addresses_, options);
    return reader.textOf(reader.view(datum));
}

std::vector<Child> Values::children(const Datum& datum, llvm::StringRef evaluateName, Page page) const {
    if (isOther(datum.type)) return others_->children(datum, evaluateName, page);
    Reader reader(types_, memory_, addresses_, {});
    View view = reader.view(datum);
    uint64_t indexed = reader.indexedCount(view), named = reader.namedCount(view);
    uint64_t first = page.filter == ChildFilter::Named ? indexed : 0;
    uint64_t total = page.filter == ChildFilter::Indexed ? indexed
                     : page.filter == ChildFilter::Named ? named
                                                         : indexed + named;
    uint64_t begin = std::min(page.start, total), most = page.count == 0 ? Page::Unpaged : page.count;
    uint64_t end = begin + std::min(most, total - begin);
    std::vector<Child> out;
    for (uint64_t i = begin; i < end; ++i) out.push_back(reader.child(view, evaluateName, first + i));
    if (page.count == 0 && end < total) {
        Child more;
        more.name = "…";
        more.datum = Datum::nowhere(TypeId::None, std::to_string(total - end) + " more");
        out.push_back(std::move(more));
    }
    return out;
}

} // namespace sx::debugger
