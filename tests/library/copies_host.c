/*
 * A program that opens plugins and shows their errors. Usage: copies_host [close] PLUGIN…
 *
 * Each plugin is called in this thread and in one that was there before it, and its error goes on here. With `close` it
 * is closed before the trace is shown.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#include <sx/trace_c.h>

typedef int plugin_fn(int);

static plugin_fn* plugin;
static sem_t opened;

static int call(int n) {
    SX_TRY(plugin(n));
    return 0;
}

static int show(const char* where) {
    int failed = call(3);
    printf("%s: %d, %u in flight\n", where, failed, sx_trace_chains());
    fflush(stdout);
    sx_trace_print(1);
    sx_trace_absorb();
    return sx_trace_chains() == 0 ? 0 : 1;
}

static void* other_thread(void* unused) {
    sem_wait(&opened);
    show("thread");
    return unused;
}

static int show_closed(void* library) {
    call(3);
    sx_trace_note("a note of the program", 21);
    sx_trace_snapshot kept;
    sx_trace_capture(&kept);
    dlclose(library);
    sx_trace_print(1);
    sx_trace_clear();
    sx_trace_resume(&kept);
    sx_trace_options json = {.style = SX_TRACE_STYLE_JSON};
    sx_trace_report(1, NULL, &json);
    return 0;
}

int main(int argc, char** argv) {
    int closes = argc > 1 && strcmp(argv[1], "close") == 0;
    for (int i = 1 + closes; i < argc; ++i) {
        pthread_t thread;
        sem_init(&opened, 0, 0);
        if (pthread_create(&thread, NULL, other_thread, NULL) != 0) return 2;
        void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            printf("%s\n", dlerror());
            return 1;
        }
        *(void**)&plugin = dlsym(library, "plugin");
        if (closes) return show_closed(library);
        show("main");
        sem_post(&opened);
        pthread_join(thread, NULL);
    }
    return 0;
}
