/* A process that runs already can still open the shared library: its thread's state fits into what is kept free for
 * initial-exec thread-locals. Usage: runtime_dlopen_test LIBRARY */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "usage: runtime_dlopen_test LIBRARY");
        return 1;
    }
    void (*raise)(uint64_t) = (void (*)(uint64_t))(uintptr_t)dlsym(library, "sx_trace_raise");
    uint32_t (*len)(void) = (uint32_t(*)(void))(uintptr_t)dlsym(library, "sx_trace_len");
    if (raise == NULL || len == NULL) return 1;
    raise(1);
    return len() == 1 ? 0 : 1;
}
