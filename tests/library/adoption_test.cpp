// The ways in which programs that were written without traces keep, ignore, replace and translate errors: what is shown
// is the path of the error that is meant, whatever else is in flight.
#include "sx/trace.hpp"

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "expected.hpp"

namespace {

enum class Err { exists, disk, notFound, busy };
template <typename T> using Result = Expected<T, Err>;

Result<int> fail(Err error) { return SX_RAISE(error); }
Result<int> passes(Err error) { return SX_TRY(fail(error)); }
// A function of somebody who does not use traces.
Result<int> foreign(Err error) { return Unexpected<Err>(error); }
Result<int> fine() { return 7; }

// The functions of the newest error, "?" first where its origin is not known.
std::string newest() {
    sx_trace_chain chain = {};
    if (!sx_trace_chain_at(sx_trace_chains() - 1, &chain)) return "";
    std::string out = chain.unknown_origin ? "?" : "";
    for (uint32_t i = 0; i < chain.surviving; ++i)
        out += (out.empty() ? "" : " ") + text(frameAt(chain.first + i).func);
    return out;
}

std::string newestThenClear() {
    std::string out = newest();
    sx_trace_clear();
    return out;
}

// ---- One of several errors is kept ----

Result<int> keepsFirst() {
    auto a = fail(Err::exists);
    auto b = passes(Err::disk);
    if (!a) return SX_HOP(a);
    return b;
}
Result<int> triesFirst() {
    auto a = fail(Err::exists);
    auto b = passes(Err::disk);
    SX_TRY(a);
    return SX_TRY(b);
}
Result<int> keepsWorst() {
    Result<int> worst = 0;
    for (Err error : {Err::disk, Err::busy, Err::exists}) {
        Result<int> r = passes(error);
        if (worst && !r) {
            worst = r;
        } else if (r.error() > worst.error()) {
            SX_IGNORE(worst);
            worst = r;
        } else {
            SX_IGNORE(r);
        }
    }
    SX_RETURN(worst);
}
Result<void> all(int steps) {
    Result<void> first;
    int sum = SX_KEEP_FIRST(first, fine());
    for (int i = 0; i < steps; ++i) sum += SX_KEEP_FIRST(first, passes(i == 0 ? Err::busy : Err::disk));
    CHECK(sum == 7);
    SX_RETURN(first);
}

void testKeeping() {
    CHECK(keepsFirst().error() == Err::exists);
    CHECK_EQUAL(flight(), "fail passes | fail keepsFirst");
    sx_trace_clear();
    CHECK(triesFirst().error() == Err::exists);
    CHECK_EQUAL(newestThenClear(), "fail triesFirst");
    CHECK(keepsWorst().error() == Err::busy);
    CHECK_EQUAL(landed(), "fail passes keepsWorst");
    CHECK(all(0).has_value());
    CHECK(all(3).error() == Err::busy);
    CHECK_EQUAL(landed(), "fail passes all all");
}

// ---- An error is ignored, or a normal result ----

Result<int> save() { return SX_TRY(foreign(Err::disk)); }

void testIgnored() {
    (void)fail(Err::exists);
    CHECK(save().error() == Err::disk);
    CHECK_EQUAL(newest(), "? save");
    std::string shown = sx::trace_text(nullptr, SX_TRACE_STYLE_SHORT);
    CHECK(shown.find("(came from code that records no trace)") < shown.find("  save at"));
    CHECK(shown.find("also in flight") < shown.find("  fail at"));
    sx_trace_clear();

    for (int i = 0; i < 100; ++i) (void)fail(Err::notFound);
    auto r = passes(Err::disk);
    CHECK_EQUAL(newest(), "fail passes");
    {
        SX_CATCH(handling, r);
        CHECK_EQUAL(newest(), "fail passes testIgnored");
    }
    sx_trace_clear();
    for (int i = 0; i < 100; ++i) SX_IGNORE(fail(Err::notFound));
    CHECK_EQUAL(landed(), "");
}

void testNormalResult() {
    int found = 0;
    for (int i = 0; i < 20; ++i) {
        if (SX_OK(i % 2 == 0 ? fine() : passes(Err::notFound))) ++found;
    }
    CHECK(found == 10);
    CHECK(SX_OR(passes(Err::notFound), 3) == 3);
    CHECK_EQUAL(landed(), "");
    // The code of an error that is a result goes on as a value; whoever makes an error of it raises it.
    auto r = foreign(Err::notFound);
    CHECK(!SX_OK(r));
    CHECK_EQUAL(landed(), "");
}

// ---- Another attempt ----

Result<int> retries(int attempts) {
    for (int i = 1;; ++i) {
        auto r = passes(i == attempts ? Err::disk : Err::busy);
        if (r || i == attempts) SX_RETURN(r);
        SX_IGNORE(r);
    }
}

// What or_else of std::expected does.
template <typename T, typename Handle> Result<T> orElse(Result<T> r, Handle handle) {
    return r ? r : handle(r.error());
}
Result<int> recovers() {
    return orElse(passes(Err::busy), [](Err error) -> Result<int> {
        SX_CATCH(handling, error);
        return 4;
    });
}
Result<int> recoversNot() {
    return orElse(passes(Err::busy), [](Err error) -> Result<int> {
        SX_CATCH(handling, error);
        return SX_PASS(handling, error);
    });
}

void testAttempts() {
    CHECK(retries(5).error() == Err::disk);
    CHECK_EQUAL(landed(), "fail passes retries");
    CHECK(*recovers() == 4);
    CHECK_EQUAL(landed(), "");
    CHECK(!recoversNot());
    CHECK_EQUAL(landed(), "fail passes recoversNot::lambda recoversNot::lambda");
    // An error that is handled is told by its result, and not by being the newest.
    auto first = fail(Err::busy);
    auto second = fail(Err::disk);
    {
        SX_CATCH(handling, first);
        CHECK_EQUAL(newest(), "fail testAttempts");
    }
    CHECK(second.error() == Err::disk);
    CHECK_EQUAL(landed(), "fail");
}

// ---- An error waits in a member ----

class Store {
public:
    void compact() {
        auto r = passes(Err::disk);
        if (!r && !background) background = std::make_unique<sx::captured<Err>>(SX_CAPTURE(r.error()));
    }
    Result<int> put() {
        if (background) return SX_RESUME(*background);
        return 1;
    }

private:
    std::unique_ptr<sx::captured<Err>> background;
};

void testBackground() {
    Store store;
    CHECK(store.put().has_value());
    (void)fail(Err::busy);
    store.compact();
    CHECK_EQUAL(landed(), "fail");
    for (int i = 0; i < 2; ++i) {
        CHECK(store.put().error() == Err::disk);
        CHECK_EQUAL(landed(), "fail passes Store::compact Store::put");
    }
}

// ---- Errors that become others ----

enum class ConfigError { unreadable = 40 };
Expected<int, ConfigError> config(Err) { return SX_TRY_AS(ConfigError, passes(Err::disk)); }
ConfigError toConfigError(Err error) { return error == Err::busy ? ConfigError::unreadable : ConfigError(50); }
Expected<std::string, ConfigError> configText() {
    int n = SX_TRY_AS(toConfigError, passes(Err::busy));
    return std::to_string(n);
}
Expected<int, int> numbered() { return SX_RAISE(70); }
Expected<int, long> widened() { return SX_TRY(numbered()); }
struct Reason {
    std::string text;
    Reason(long code) : text(std::to_string(code)) {}
};
Expected<int, Reason> reasoned() { return SX_TRY(widened()); }
Expected<int, ConfigError> passesConfig() {
    (void)fail(Err::exists);
    auto r = config(Err::disk);
    (void)fail(Err::notFound);
    return SX_TRY(r);
}
int oldStyle() { return SX_TRY_ELSE(passes(Err::disk), -1); }
int oldCaller() {
    int rc = oldStyle();
    (void)fail(Err::exists);
    if (SX_FAILED(rc < 0)) return SX_HOP(rc);
    return 0;
}
int oldMain() {
    if (SX_FAILED(oldStyle() < 0)) return SX_HOP(-9);
    return 0;
}

void testTranslation() {
    CHECK(static_cast<int>(config(Err::disk).error()) == static_cast<int>(Err::disk));
    CHECK_EQUAL(landed(), "fail passes config");
    CHECK(configText().error() == ConfigError::unreadable);
    CHECK_EQUAL(landed(), "fail passes configText");
    CHECK(reasoned().error().text == "70");
    CHECK_EQUAL(landed(), "numbered widened reasoned");
    CHECK(!passesConfig());
    CHECK_EQUAL(newestThenClear(), "fail passes config passesConfig");
    CHECK(oldCaller() == -1);
    CHECK_EQUAL(newestThenClear(), "fail passes oldStyle oldCaller");
    CHECK(oldMain() == -9);
    CHECK_EQUAL(landed(), "fail passes oldStyle oldMain");
}

// ---- Constructors, references, large values ----

class Server {
public:
    static Result<Server> make(int port) {
        Server server(port);
        if (!server.status) return SX_HOP(Unexpected<Err>(server.status.error()));
        return server;
    }
    int sum() const { return first + second; }

private:
    explicit Server(int port)
        : first(SX_KEEP_FIRST(status, port > 0 ? fine() : passes(Err::busy))),
          second(SX_KEEP_FIRST(status, port > 1 ? fine() : passes(Err::disk))) {}
    Result<void> status;
    int first, second;
};

struct NoCopy {
    int value = 0;
    explicit NoCopy(int from) : value(from) {}
    NoCopy(NoCopy&&) = default;
};

Result<int> setsVariable(Result<int>& kept) {
    int& v = SX_TRY(kept);
    v = 11;
    return v;
}
Result<int> readsVariable(const Result<NoCopy>& kept) {
    const NoCopy& v = SX_TRY(kept);
    return v.value;
}
Result<NoCopy> noCopy() { return NoCopy(5); }
Result<int> movesOut() {
    NoCopy v = SX_TRY(noCopy());
    const NoCopy& bound = SX_TRY(noCopy());
    return v.value + bound.value;
}

void testForms() {
    CHECK(Server::make(2)->sum() == 14);
    CHECK(Server::make(0).error() == Err::busy);
    CHECK_EQUAL(landed(), "fail passes Server::Server Server::make");
    CHECK(Server::make(1).error() == Err::disk);
    CHECK_EQUAL(landed(), "fail passes Server::Server Server::make");
    Result<int> kept = 3;
    CHECK(*setsVariable(kept) == 11 && *kept == 11);
    CHECK(*readsVariable(noCopy()) == 5);
    CHECK(*movesOut() == 10);
}

// ---- What an error is told by ----

struct Code {
    int group, number;
};
struct Padded {
    char group;
    int number;
};
struct Named {
    const char* name;
};

template <typename E> std::string firstOfTwo(E a, E b) {
    Expected<int, E> first = SX_RAISE(a);
    Expected<int, E> second = SX_RAISE(b);
    SX_TRACE_HOP();
    CHECK(!first && !second);
    SX_CATCH(handling, first);
    sx_trace_chain chain = {};
    sx_trace_chain_at(sx_trace_chains() - 1, &chain);
    return chain.surviving == 2 ? "own" : chain.surviving == 3 ? "newest" : "none";
}

void testIdentities() {
    CHECK_EQUAL(firstOfTwo(1, 2), "own");
    CHECK_EQUAL(firstOfTwo(-1L, 1L), "own");
    CHECK_EQUAL(firstOfTwo(uint64_t(1) << 40, uint64_t(1) << 41), "own");
    CHECK_EQUAL(firstOfTwo(true, false), "own");
    CHECK_EQUAL(firstOfTwo(std::make_error_code(std::errc::io_error), std::error_code(5, std::system_category())),
                "own");
    CHECK_EQUAL(firstOfTwo(Code{1, 2}, Code{2, 1}), "own");
    CHECK_EQUAL(firstOfTwo(Padded{1, 2}, Padded{2, 1}), "newest");
    CHECK_EQUAL(firstOfTwo(std::string("a"), std::string("b")), "newest");
    CHECK_EQUAL(firstOfTwo(std::string_view("a"), std::string_view("b")), "newest");
    CHECK_EQUAL(firstOfTwo(7, 7), "newest");
    sx_trace_clear();
    CHECK(sx::detail::identityOfError(-1) == sx::detail::identityOfError(-1L));
    CHECK(sx::detail::identityOfError(short(7)) == sx::detail::identityOfError(7ull));
    CHECK(sx::detail::identityOfError(0) >> 63 == 1 && sx::detail::identityOfError(0x80000000u) >> 63 == 1);
    CHECK(sx::detail::identityOfError(0x80000000u) != sx::detail::identityOfError(int(0x80000000)));
}

// ---- Notes ----

int evaluated = 0;
int counted() { return ++evaluated; }

Result<int> notes(const char* path) {
    return SX_TRY_NOTE(passes(Err::disk), "loading %s, attempt %d", path, counted());
}

void testNotes() {
    SX_NOTE("nothing is in flight: %d", counted());
    CHECK(evaluated == 0);
    CHECK(!notes("a.toml"));
    CHECK(evaluated == 1);
    SX_NOTE("%.*s|%c|%i|%u|%x|%hd|%ld|%lld|%zu|%%|%llx", 2, "abc", 'd', -1, 2u, 255u, static_cast<short>(-3), -4L, -5LL,
            sizeof(int), ~0ull);
    std::string shown = sx::trace_text(nullptr, SX_TRACE_STYLE_SHORT);
    CHECK(shown.find("note: loading a.toml, attempt 1\n") != std::string::npos);
    CHECK(shown.find("note: ab|d|-1|2|ff|-3|-4|-5|4|%|ffffffffffffffff\n") != std::string::npos);
    sx_trace_clear();
    (void)fail(Err::disk);
    SX_NOTE("%s", std::string(300, 'x').c_str());
    shown = sx::trace_text(nullptr, SX_TRACE_STYLE_SHORT);
    CHECK(shown.find("note: " + std::string(200, 'x') + "\xE2\x80\xA6\n") != std::string::npos);
    sx_trace_clear();
}

void testHopsWithoutText() {
    SX_TRACE_RAISE();
    SX_TRACE_HOP();
    CHECK(sx::trace_text(nullptr, SX_TRACE_STYLE_JSON).find("\"text\":\"\"") != std::string::npos);
    sx_trace_clear();
}

template <typename T> Result<T> templated(T) { return SX_RAISE(Err::busy); }

void testShortNames() {
    CHECK(!templated(std::string("a")));
    CHECK(landed().find("basic_string") == std::string::npos);
    CHECK(!templated(std::vector<std::string>()));
    CHECK(landed().find("__cxx11") == std::string::npos);
}

} // namespace

int main() {
    testKeeping();
    testIgnored();
    testNormalResult();
    testAttempts();
    testBackground();
    testTranslation();
    testForms();
    testIdentities();
    testNotes();
    testHopsWithoutText();
    testShortNames();
    return failures == 0 ? 0 : 1;
}
