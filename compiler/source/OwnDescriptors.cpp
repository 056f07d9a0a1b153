#include "source/OwnDescriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace sx {

int keepAway(int descriptor) {
    // The highest that there is room above under the usual limit of 1024 comes first; the last is for a low limit.
    for (int from : {1000, 200, 100}) {
        if (descriptor < 0 || descriptor >= from) return descriptor;
        int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, from);
        if (moved < 0) continue;
        close(descriptor);
        return moved;
    }
    return descriptor;
}

} // namespace sx
