// How the outcome of `sx test` is told: as text, as JSON, as an XML file that JUnit's readers understand.
#pragma once

#include "driver/TestFiles.h"
#include "driver/TestProcess.h"

#include <memory>

namespace sx::driver {

struct TestCounts {
    size_t files = 0, rejected = 0; ///< rejected: those that do not compile
    size_t passed = 0, failed = 0, skipped = 0;
    double seconds = 0;
};

/// What happens, file by file in order, and the tests of a file in their order.
class TestReport {
public:
    virtual ~TestReport() = default;
    virtual void listed(const TestFile&, const TestPlace&) = 0;
    virtual void testEnded(const TestFile&, const TestPlace&, const TestResult&) = 0;
    /// After its tests. `problem`: why it has none, or not all; `printed`: what was printed while it was compiled.
    virtual void fileEnded(const TestFile&, const std::string& problem, const std::string& printed) = 0;
    virtual void ended(const TestCounts&) = 0;
};

/// To standard output, for people.
std::unique_ptr<TestReport> textReport();
/// To standard output: an object a line.
std::unique_ptr<TestReport> jsonReport();

/// The same as an XML file that is written at the end.
class JunitReport : public TestReport {
public:
    void listed(const TestFile&, const TestPlace&) override {}
    void testEnded(const TestFile&, const TestPlace&, const TestResult&) override;
    void fileEnded(const TestFile&, const std::string& problem, const std::string& printed) override;
    void ended(const TestCounts&) override;
    const std::string& text() const { return text_; } ///< the file, at the end

private:
    std::string cases_, suites_, text_;
    size_t tests_ = 0, failed_ = 0, skipped_ = 0;
    double seconds_ = 0;
};

} // namespace sx::driver
