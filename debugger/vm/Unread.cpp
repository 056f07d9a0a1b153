#include "debugger/vm/Unread.h"

#include <chrono>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sx::debugger {

namespace {

bool isRead(int descriptor) {
    struct stat file {};
    int bytes = 0;
    if (fstat(descriptor, &file) != 0) return true;
    if (S_ISFIFO(file.st_mode)) return ioctl(descriptor, FIONREAD, &bytes) != 0 || bytes == 0;
    if (S_ISSOCK(file.st_mode)) return ioctl(descriptor, SIOCOUTQ, &bytes) != 0 || bytes == 0;
    return true;
}

} // namespace

void awaitRead(std::initializer_list<int> descriptors) {
    constexpr std::chrono::milliseconds Patience{100};
    constexpr useconds_t Pause = 20;
    auto end = std::chrono::steady_clock::now() + Patience;
    for (int descriptor : descriptors)
        while (!isRead(descriptor) && std::chrono::steady_clock::now() < end) usleep(Pause);
}

} // namespace sx::debugger
