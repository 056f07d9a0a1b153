#include "debugger/session/LongWork.h"

#include "llvm/Support/JSON.h"

namespace sx::debugger {

using llvm::json::Object;

static constexpr std::chrono::milliseconds Unnoticed{500}, BetweenUpdates{250};

LongWork::LongWork(Session& s, std::string title)
    : session_(s), title_(std::move(title)), next_(Clock::now() + Unnoticed) {}

LongWork::~LongWork() {
    if (!isTold_) return;
    session_.cancellableProgress.clear();
    session_.eventNow("progressEnd", Object{{"progressId", title_}});
}

bool LongWork::goesOn(uint64_t done, uint64_t total) {
    if (session_.client.progress && Clock::now() >= next_) {
        Object body{{"progressId", title_}};
        if (total != 0) body["percentage"] = static_cast<int64_t>(done * 100 / total);
        if (!isTold_) {
            body["title"] = title_;
            body["cancellable"] = true;
            session_.cancellableProgress = title_;
        }
        if (!isTold_ || total != 0) session_.eventNow(isTold_ ? "progressUpdate" : "progressStart", std::move(body));
        session_.connection.flush();
        isTold_ = true;
        next_ = Clock::now() + BetweenUpdates;
    }
    return !session_.cancelled();
}

} // namespace sx::debugger
