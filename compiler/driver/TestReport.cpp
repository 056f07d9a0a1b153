#include "driver/TestReport.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>

namespace sx::driver {

namespace {

const char* nameOf(TestStatus status) {
    return status == TestStatus::Passed ? "passed" : status == TestStatus::Failed ? "failed" : "skipped";
}

/// A time as people read it.
std::string duration(double seconds) {
    char text[32];
    if (seconds < 1) std::snprintf(text, sizeof text, "%.1f ms", seconds * 1000);
    else std::snprintf(text, sizeof text, "%.2f s", seconds);
    return text;
}

std::string place(const TestFile& file, const TestPlace& test) {
    return file.path + ":" + std::to_string(test.line) + ":" + std::to_string(test.col);
}

std::string counted(size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

std::string indented(const std::string& text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        out += (end > at ? "      " : "") + text.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return out;
}

// ---- text

class TextReport : public TestReport {
public:
    void listed(const TestFile& file, const TestPlace& test) override {
        print(place(file, test) + ": " + test.name + "\n");
    }
    void testEnded(const TestFile& file, const TestPlace& test, const TestResult& result) override {
        begin(file);
        const bool isFailed = result.status == TestStatus::Failed;
        std::string line = isFailed ? "  FAILED  " : result.status == TestStatus::Passed ? "  passed  " : "  skipped ";
        line += test.name + " (" + duration(result.seconds) + ")";
        if (!result.reason.empty())
            line += ": " + (isFailed ? result.reason : result.reason.substr(result.reason.find(' ') + 1));
        print(line + "\n" + (isFailed ? indented(result.output) : ""));
    }
    void fileEnded(const TestFile& file, const std::string& problem, const std::string& printed) override {
        if (!problem.empty()) {
            begin(file);
            print("  FAILED  " + problem + "\n");
        }
        std::fwrite(printed.data(), 1, printed.size(), stderr);
        begun_ = nullptr;
    }
    void ended(const TestCounts& n) override {
        const size_t tests = n.passed + n.failed + n.skipped;
        std::string line = counted(tests, "test") + " in " + counted(n.files, "file") + ": " +
                           std::to_string(n.passed) + " passed, " + std::to_string(n.failed) + " failed";
        if (n.skipped) line += ", " + std::to_string(n.skipped) + " skipped";
        if (n.rejected)
            line += ", " + counted(n.rejected, "file") + (n.rejected == 1 ? " does" : " do") + " not compile";
        print(line + " (" + duration(n.seconds) + ")\n");
    }

private:
    void begin(const TestFile& file) {
        if (begun_ != &file) print(file.path + "\n");
        begun_ = &file;
    }
    const TestFile* begun_ = nullptr;
};

// ---- JSON

class JsonReport : public TestReport {
public:
    void listed(const TestFile& file, const TestPlace& test) override { write("listed", placed(file, test)); }
    void testEnded(const TestFile& file, const TestPlace& test, const TestResult& result) override {
        llvm::json::Object o = placed(file, test);
        o["status"] = nameOf(result.status);
        o["seconds"] = result.seconds;
        if (!result.reason.empty()) o["reason"] = llvm::json::fixUTF8(result.reason);
        o["output"] = llvm::json::fixUTF8(result.output);
        write("test", std::move(o));
    }
    void fileEnded(const TestFile& file, const std::string& problem, const std::string& printed) override {
        llvm::json::Object o{{"file", llvm::json::fixUTF8(file.path)}, {"diagnostics", llvm::json::fixUTF8(printed)}};
        if (!problem.empty()) o["problem"] = llvm::json::fixUTF8(problem);
        write("file", std::move(o));
    }
    void ended(const TestCounts& n) override {
        write("summary", llvm::json::Object{{"files", static_cast<int64_t>(n.files)},
                                            {"rejected", static_cast<int64_t>(n.rejected)},
                                            {"tests", static_cast<int64_t>(n.passed + n.failed + n.skipped)},
                                            {"passed", static_cast<int64_t>(n.passed)},
                                            {"failed", static_cast<int64_t>(n.failed)},
                                            {"skipped", static_cast<int64_t>(n.skipped)},
                                            {"seconds", n.seconds}});
    }

private:
    static llvm::json::Object placed(const TestFile& file, const TestPlace& test) {
        return llvm::json::Object{{"file", llvm::json::fixUTF8(file.path)},
                                  {"name", llvm::json::fixUTF8(test.name)},
                                  {"line", test.line},
                                  {"column", test.col}};
    }
    static void write(const char* event, llvm::json::Object o) {
        o["event"] = event;
        std::string text;
        llvm::raw_string_ostream(text) << llvm::json::Value(std::move(o)) << "\n";
        print(text);
    }
};

// ---- XML

/// What XML cannot hold becomes a question mark.
std::string escaped(const std::string& text) {
    std::string out;
    for (char c : llvm::json::fixUTF8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else if (c == '\n' || c == '\t') out += c == '\n' ? "&#10;" : "&#9;";
        else out += byte < 0x20 ? '?' : c;
    }
    return out;
}

std::string xmlSeconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6f", seconds);
    return text;
}

std::string xmlCounts(size_t tests, size_t failures, size_t errors, size_t skipped, double seconds) {
    return " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"" +
           std::to_string(errors) + "\" skipped=\"" + std::to_string(skipped) + "\" time=\"" + xmlSeconds(seconds) +
           "\"";
}

} // namespace

void JunitReport::testEnded(const TestFile& file, const TestPlace& test, const TestResult& result) {
    ++tests_;
    seconds_ += result.seconds;
    cases_ += "    <testcase classname=\"" + escaped(file.path) + "\" name=\"" + escaped(test.name) + "\" file=\"" +
              escaped(file.path) + "\" line=\"" + std::to_string(test.line) + "\" time=\"" +
              xmlSeconds(result.seconds) + "\">\n";
    if (result.status == TestStatus::Failed) {
        ++failed_;
        cases_ += "      <failure message=\"" + escaped(result.reason) + "\"></failure>\n";
    } else if (result.status == TestStatus::Skipped) {
        ++skipped_;
        cases_ += "      <skipped message=\"" + escaped(result.reason) + "\"/>\n";
    }
    if (!result.output.empty()) cases_ += "      <system-out>" + escaped(result.output) + "</system-out>\n";
    cases_ += "    </testcase>\n";
}

void JunitReport::fileEnded(const TestFile& file, const std::string& problem, const std::string& printed) {
    const bool isProblem = !problem.empty();
    if (isProblem)
        cases_ += "    <testcase classname=\"" + escaped(file.path) + "\" name=\"" + escaped(file.path) +
                  "\">\n      <error message=\"" + escaped(problem) + "\">" + escaped(printed) +
                  "</error>\n    </testcase>\n";
    suites_ += "  <testsuite name=\"" + escaped(file.path) + "\"" +
               xmlCounts(tests_ + isProblem, failed_, isProblem, skipped_, seconds_) + ">\n" + cases_ +
               "  </testsuite>\n";
    cases_.clear();
    tests_ = failed_ = skipped_ = 0;
    seconds_ = 0;
}

void JunitReport::ended(const TestCounts& n) {
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
            xmlCounts(n.passed + n.failed + n.skipped + n.rejected, n.failed, n.rejected, n.skipped, n.seconds) +
            ">\n" + suites_ + "</testsuites>\n";
}

std::unique_ptr<TestReport> textReport() { return std::make_unique<TextReport>(); }
std::unique_ptr<TestReport> jsonReport() { return std::make_unique<JsonReport>(); }

} // namespace sx::driver
