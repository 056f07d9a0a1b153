// Errors that are stored, that change the thread, and that travel in coroutines and fibers.
#include "sx/trace.hpp"

#include <coroutine>
#include <memory>
#include <string_view>
#include <thread>
#include <ucontext.h>
#include <vector>

#include "check.hpp"
#include "expected.hpp"

namespace {

enum class Err { bad, worse };
template <typename T> using Result = Expected<T, Err>;

Result<int> number(std::string_view s) {
    if (s != "7") return SX_RAISE(Err::bad);
    return 7;
}
Result<int> caller(std::string_view s) { return SX_TRY(number(s)); }

// ---- Stored, and handed to another thread ----

using Kept = Expected<int, sx::captured<Err>>;

Kept work(std::string_view s) {
    Result<int> r = caller(s);
    if (!r) return Unexpected<sx::captured<Err>>(SX_CAPTURE(r.error()));
    return *r;
}

Result<int> join(Kept& kept) {
    if (!kept) return SX_RESUME(kept.error());
    return *kept;
}

void testThreads() {
    std::vector<Kept> results(2, Kept(0));
    std::thread first([&] {
        results[0] = work("1");
        CHECK_EQUAL(landed(), ""); // its trace has left that thread
    });
    std::thread second([&] { results[1] = work("7"); });
    first.join();
    second.join();
    SX_TRACE_RAISE(); // an error of this thread
    CHECK(join(results[0]).error() == Err::bad);
    CHECK_EQUAL(flight(), "testThreads | number caller work join");
    sx_trace_absorb();
    CHECK(*join(results[1]) == 7);
    CHECK(sx::trace_text(&results[0].error().trace(), SX_TRACE_STYLE_SHORT).find("work at tasks_test.cpp:") !=
          std::string::npos);
    for (int i = 0; i < 2; ++i) { // resumed once more by each that waits for it
        (void)join(results[0]);
        sx_trace_absorb();
    }
    CHECK_EQUAL(landed(), "testThreads");
    CHECK(sx::trace_text().empty());
}

// What is handled around does not go along with an error that has no trace of its own.
void testCaptureInHandler() {
    (void)number("x");
    SX_CATCH(handling);
    sx::captured<Err> kept = SX_CAPTURE(Err::worse);
    CHECK_EQUAL(flight(), "number testCaptureInHandler");
    CHECK(sx::trace_text(&kept.trace(), SX_TRACE_STYLE_SHORT).find("number") == std::string::npos);
}

// ---- Coroutines: each has its trace, which is in the thread while it runs ----

class Task {
public:
    struct promise_type {
        Result<int> result = 0;
        sx::fiber_trace trace;

        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_value(Result<int> value) { result = std::move(value); }
        void unhandled_exception() {}
    };

    explicit Task(std::coroutine_handle<promise_type> own) : handle(own) {}
    Task(Task&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    ~Task() {
        if (handle) handle.destroy();
    }

    bool done() const { return handle.done(); }

    void step() {
        sx::on_fiber running(handle.promise().trace);
        handle.resume();
    }

    // The error that it ended with continues here.
    Result<int> take() {
        handle.promise().trace.join();
        return std::move(handle.promise().result);
    }

private:
    std::coroutine_handle<promise_type> handle;
};

Task steps(std::string_view s, int rounds) {
    Result<int> last = number(s);
    for (int i = 0; i < rounds; ++i) {
        if (!last) {
            SX_CATCH(handling);
            co_await std::suspend_always(); // with its error in flight
            CHECK_EQUAL(flight(), "number steps");
        }
        last = number(s);
    }
    if (last) co_await std::suspend_always();
    SX_CO_TRY_VOID(std::move(last));
    SX_CO_TRY_ASSIGN(int more, number("7"));
    more += SX_CO_TRY(number("7"));
    if (rounds == 3) co_return SX_RAISE(Err::worse);
    co_return more;
}

Result<int> runAll() {
    std::vector<Task> tasks;
    tasks.push_back(steps("1", 2));
    tasks.push_back(steps("7", 3));
    tasks.push_back(steps("2", 5));
    tasks.push_back(steps("7", 1));
    for (bool any = true; any;) {
        any = false;
        for (Task& task : tasks) {
            if (task.done()) continue;
            task.step();
            any = true;
            CHECK_EQUAL(flight(), "");
        }
    }
    for (int i = 2; i >= 0; --i) {
        Result<int> r = tasks[static_cast<size_t>(i)].take();
        CHECK(!r);
        SX_CATCH(handling);
        CHECK_EQUAL(flight(), i == 1 ? "steps runAll" : "number steps runAll");
    }
    CHECK(*tasks[3].take() == 14);
    tasks.push_back(steps("3", 0));
    tasks.back().step();
    return SX_TRY(tasks.back().take());
}

void testCoroutines() {
    CHECK(!runAll());
    CHECK_EQUAL(landed(), "number steps runAll");
}

// ---- Fibers: a stack of their own, switched by hand ----

class Fiber {
public:
    explicit Fiber(std::string_view argument) : input(argument), stack(new char[stackSize]) {
        getcontext(&own);
        own.uc_stack.ss_sp = stack.get();
        own.uc_stack.ss_size = stackSize;
        own.uc_link = &back;
        makecontext(
            &own, [] { current->run(); }, 0);
    }

    void resume() {
        sx::on_fiber running(trace);
        current = this;
        swapcontext(&back, &own);
    }

    Result<int> take() {
        trace.join();
        return result;
    }

private:
    static constexpr size_t stackSize = 64 * 1024;
    static inline Fiber* current = nullptr;

    std::string_view input;
    std::unique_ptr<char[]> stack;
    ucontext_t own = {}, back = {};
    sx::fiber_trace trace;
    Result<int> result = 0;

    void yield() { swapcontext(&own, &back); }

    void run() {
        for (int i = 0; i < 3; ++i) {
            Result<int> r = caller(input);
            yield();
            CHECK_EQUAL(flight(), input == "7" ? "" : "number caller");
            if (!r) {
                SX_CATCH(handling);
                yield();
                CHECK_EQUAL(flight(), "number caller Fiber::run");
            }
        }
        result = caller(input);
    }
};

void testFibers() {
    Fiber good("7"), bad("8"), worse("9");
    SX_TRACE_RAISE();
    for (int i = 0; i < 4; ++i) good.resume();
    for (int i = 0; i < 7; ++i) {
        bad.resume();
        CHECK_EQUAL(flight(), "testFibers");
        worse.resume();
    }
    CHECK(*good.take() == 7);
    CHECK_EQUAL(flight(), "testFibers");
    CHECK(!bad.take());
    SX_TRACE_HOP();
    CHECK_EQUAL(flight(), "testFibers | number caller testFibers");
    sx_trace_absorb();
    CHECK_EQUAL(landed(), "testFibers");
}

} // namespace

int main() {
    testThreads();
    testCaptureInHandler();
    CHECK_EQUAL(landed(), "");
    testCoroutines();
    testFibers();
    return failures == 0 ? 0 : 1;
}
