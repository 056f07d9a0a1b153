#include "debugger/terminal/screen/Guard.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace sx::terminal {

namespace {

/// Ends what a full screen has switched on: the other screen, mouse reports,
/// keypad mode, a hidden cursor, colours. These are the sequences of xterm,
/// which terminals of today understand; others pass over them.
constexpr char Reset[] = "\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?"
                         "1049l\033[?1l\033>\033[?25h\033[0m\r\n";

} // namespace

int guarded(const std::function<int()>& work) {
    termios before{};
    bool isTerminal = tcgetattr(STDIN_FILENO, &before) == 0;
    std::fflush(nullptr);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) return work();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(1);
        signal(SIGTTOU, SIG_IGN); // the terminal is given back also where the shell has taken it already
        int status = work();
        std::fflush(nullptr);
        _exit(status);
    }
    for (int s : {SIGINT, SIGQUIT, SIGTTOU}) signal(s, SIG_IGN);
    static volatile pid_t receiver; // a handler has no other way to know
    receiver = child;
    for (int s : {SIGTERM, SIGHUP}) signal(s, [](int number) { kill(receiver, number); });
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) break;
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    if (isTerminal) {
        ssize_t written = write(STDOUT_FILENO, Reset, sizeof Reset - 1);
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    }
    std::fprintf(stderr, "error: the debugger was ended by signal %d\n", WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

} // namespace sx::terminal
