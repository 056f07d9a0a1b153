// Sums up a web server's log: requests, failures, the slowest request.
//
//     g++ -std=c++23 -O2 log_report.cpp $(pkg-config --cflags --libs sxtrace) -o log_report
//     ./log_report requests.log
//     ./log_report --skip 2 damaged.log      goes on after two lines that cannot be read
//
// Functions return std::expected. When something is wrong, the program says by which way the error came; where one
// error led to another, it shows both.
#include <charconv>
#include <cstdio>
#include <expected>
#include <string>
#include <string_view>

#include <sx/trace.hpp>

enum class Error { cannotRead, missingField, notANumber, badTime, badUnit, tooManyBadLines, usage };

template <typename T> using Result = std::expected<T, Error>;

static std::string_view nameOf(Error error) {
    switch (error) {
    case Error::cannotRead: return "CannotRead";
    case Error::missingField: return "MissingField";
    case Error::notANumber: return "NotANumber";
    case Error::badTime: return "BadTime";
    case Error::badUnit: return "BadUnit";
    case Error::tooManyBadLines: return "TooManyBadLines";
    case Error::usage: return "Usage";
    }
    return "";
}

// ---- Parsing ----

static Result<int> number(std::string_view text) {
    int value = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) return SX_RAISE(Error::notANumber);
    return value;
}

// Takes words off a line.
class Fields {
public:
    explicit Fields(std::string_view line) : rest(line) {}

    Result<std::string_view> next() {
        if (rest.empty()) return SX_RAISE(Error::missingField);
        size_t end = rest.find(' ');
        std::string_view field = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        return field;
    }

private:
    std::string_view rest;
};

static Result<int> secondOfDay(std::string_view time) {
    if (time.size() != 19 || time[10] != 'T') return SX_RAISE(Error::badTime);
    int hours = SX_TRY(number(time.substr(11, 2)));
    int minutes = SX_TRY(number(time.substr(14, 2)));
    int seconds = SX_TRY(number(time.substr(17, 2)));
    if (hours > 23 || minutes > 59 || seconds > 60) return SX_RAISE(Error::badTime);
    return (hours * 60 + minutes) * 60 + seconds;
}

static Result<int> milliseconds(std::string_view text) {
    if (!text.ends_with("ms")) return SX_RAISE(Error::badUnit);
    return SX_TRY(number(text.substr(0, text.size() - 2)));
}

struct Request {
    int time, status, took;
    std::string path;
};

static Result<Request> parseRequest(std::string_view line) {
    Fields fields(line);
    Request request;
    request.time = SX_TRY(secondOfDay(SX_TRY(fields.next())));
    SX_TRY(fields.next()); // the method
    request.path = SX_TRY(fields.next());
    request.status = SX_TRY(number(SX_TRY(fields.next())));
    request.took = SX_TRY(milliseconds(SX_TRY(fields.next())));
    return request;
}

// ---- The report ----

struct Report {
    int requests = 0, failed = 0, skipped = 0;
    Request slowest = {0, 0, -1, ""};

    void add(const Request& request) {
        ++requests;
        failed += request.status >= 500;
        if (request.took > slowest.took) slowest = request;
    }
};

static Result<Report> summarize(std::FILE* file, int mayBeSkipped) {
    Report report;
    char line[1024];
    for (int number = 1; std::fgets(line, sizeof line, file) != nullptr; ++number) {
        std::string_view text(line);
        if (text.ends_with('\n')) text.remove_suffix(1);
        Result<Request> request = parseRequest(text);
        if (!request) {
            SX_CATCH(badLine); // its trace is shown here and ends with this block, whether we go on or not
            std::fprintf(stderr, "line %d skipped: %.*s\n", number, static_cast<int>(text.size()), text.data());
            sx_trace_print(2);
            if (++report.skipped > mayBeSkipped) return SX_RAISE(Error::tooManyBadLines);
            continue;
        }
        report.add(*request);
    }
    return report;
}

struct Options {
    int mayBeSkipped = 0;
    const char* path = nullptr;
};

static Result<Options> parseOptions(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--skip" && i + 1 < argc) {
            options.mayBeSkipped = SX_TRY(number(argv[++i]));
        } else {
            options.path = argv[i];
        }
    }
    if (options.path == nullptr) return SX_RAISE(Error::usage);
    return options;
}

static Result<void> run(int argc, char** argv) {
    Options options = SX_TRY(parseOptions(argc, argv));
    std::FILE* file = std::fopen(options.path, "r");
    if (file == nullptr) return SX_RAISE(Error::cannotRead);
    Result<Report> result = summarize(file, options.mayBeSkipped);
    std::fclose(file);
    Report report = SX_TRY(std::move(result));
    std::printf("%d requests, %d failed, %d lines skipped\n", report.requests, report.failed, report.skipped);
    if (report.requests > 0) std::printf("slowest: %s, %d ms\n", report.slowest.path.c_str(), report.slowest.took);
    return {};
}

int main(int argc, char** argv) {
    Result<void> result = run(argc, argv);
    if (result) return 0;
    std::fflush(stdout);
    SX_TRACE_HOP();
    std::string_view name = nameOf(result.error());
    sx_trace_report_unhandled(static_cast<uint32_t>(result.error()), name.data(), name.size());
    return 1;
}
