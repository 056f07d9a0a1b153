#include "driver/TestCommand.h"

#include "driver/Report.h"
#include "driver/TestReport.h"
#include "driver/TestWorker.h"
#include "source/Files.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <poll.h>
#include <thread>

namespace sx::driver {

namespace {

class TestRun {
public:
    TestRun(const Invocation& in, std::vector<TestFile> files)
        : in_(in), files_(std::move(files)), workers_(files_.size()) {
        reports_.push_back(in.json ? jsonReport() : textReport());
        if (in.junitFile.empty()) return;
        auto report = std::make_unique<JunitReport>();
        junit_ = report.get();
        reports_.push_back(std::move(report));
    }

    int list() {
        for (const TestFile& file : files_)
            for (const TestPlace& test : file.tests) reports_[0]->listed(file, test);
        return finish(0);
    }

    int run() {
        const auto start = std::chrono::steady_clock::now();
        constexpr uint64_t Most = 1024;
        const uint64_t processors = std::max(1U, std::thread::hardware_concurrency());
        const uint64_t jobs = std::min(in_.jobs ? in_.jobs : processors, Most);
        Result<TestSlots> slots = TestSlots::make(jobs);
        if (!slots) return unusable(slots.error());
        while (shown_ < files_.size()) {
            // Those beyond the slots wait for one, so that none is free while there is work.
            while (next_ < files_.size() && next_ - shown_ < 2 * jobs) {
                Result<TestWorker> worker = TestWorker::start(in_, files_[next_], *slots);
                if (!worker) return unusable(worker.error());
                workers_[next_++] = std::move(*worker);
            }
            wait();
            while (shown_ < next_ && show(shown_)) ++shown_;
        }
        counts_.files = files_.size();
        counts_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        for (auto& report : reports_) report->ended(counts_);
        return finish(counts_.failed + counts_.rejected > 0 ? Rejected : 0);
    }

private:
    static int unusable(const std::string& message) {
        printError(message);
        return Unusable;
    }

    void wait() {
        std::vector<pollfd> ends;
        for (auto& worker : workers_)
            if (worker && worker->messageEnd() >= 0) ends.push_back({worker->messageEnd(), POLLIN, 0});
        poll(ends.data(), ends.size(), -1);
        for (auto& worker : workers_)
            if (worker && worker->messageEnd() >= 0) worker->read();
    }

    /// Tells what is known of a file beyond what was told. True: that is all.
    bool show(size_t file) {
        TestWorker& worker = *workers_[file];
        const std::vector<TestResult>& results = worker.results();
        for (; told_ < files_[file].tests.size(); ++told_) {
            auto is = [&](const TestResult& r) { return r.index == told_; };
            const auto found = std::find_if(results.begin(), results.end(), is);
            if (found == results.end()) break;
            count(found->status);
            for (auto& report : reports_) report->testEnded(files_[file], files_[file].tests[told_], *found);
        }
        if (worker.messageEnd() >= 0) return false;
        std::string problem = worker.problem();
        if (problem.empty() && !worker.isCompiled()) problem = "it does not compile";
        if (!problem.empty()) ++counts_.rejected;
        for (auto& report : reports_) report->fileEnded(files_[file], problem, worker.diagnostics());
        workers_[file].reset();
        told_ = 0;
        return true;
    }

    void count(TestStatus status) {
        if (status == TestStatus::Passed) ++counts_.passed;
        else if (status == TestStatus::Failed) ++counts_.failed;
        else ++counts_.skipped;
    }

    int finish(int status) {
        if (junit_ && !in_.testList)
            if (Result<void> written = writeFile(in_.junitFile, junit_->text()); !written)
                return unusable(written.error());
        if (std::fflush(stdout) != 0 || std::ferror(stdout)) return unusable("cannot write to standard output");
        return status;
    }

    const Invocation& in_;
    std::vector<TestFile> files_;
    std::vector<std::optional<TestWorker>> workers_; ///< of the files that are running
    std::vector<std::unique_ptr<TestReport>> reports_;
    JunitReport* junit_ = nullptr;
    TestCounts counts_;
    size_t next_ = 0;  ///< the first file without a worker
    size_t shown_ = 0; ///< files that were told of
    size_t told_ = 0;  ///< tests of the file after them
};

} // namespace

int runTests(const Invocation& in) {
    Result<std::vector<TestFile>> files = findTests(in);
    if (!files) {
        printError(files.error());
        return Unusable;
    }
    TestRun run(in, std::move(*files));
    return in.testList ? run.list() : run.run();
}

} // namespace sx::driver
