/*
 * Checks the settings of a web site in an INI file, and tells for each setting what was read.
 *
 *     cc -O2 check_ini.c $(pkg-config --cflags --libs sxtrace) -o check_ini
 *     ./check_ini site.ini
 *
 * Functions return 0 or an error code, as C programs do. What is unusual: when something is wrong, the program says by
 * which way the error came, with the texts of the statements, in a stripped binary too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sx/trace_c.h>

enum { OK, CANNOT_READ, BAD_LINE, NO_SUCH_SETTING, NOT_A_NUMBER, OUT_OF_RANGE };

static const char* const names[] = {"Ok", "CannotRead", "BadLine", "NoSuchSetting", "NotANumber", "OutOfRange"};

struct entry {
    char section[32], key[32], value[96];
};

struct ini {
    struct entry entries[64];
    int count, line;
};

/* ---- Reading ---- */

static char* trim(char* text) {
    text += strspn(text, " \t");
    text[strcspn(text, "\r\n")] = '\0';
    for (size_t n = strlen(text); n > 0 && strchr(" \t", text[n - 1]); --n) text[n - 1] = '\0';
    return text;
}

static int copy(char* target, size_t size, const char* source) {
    size_t length = strlen(source);
    if (SX_FAILED(length == 0 || length >= size)) return SX_FAIL(BAD_LINE);
    memcpy(target, source, length + 1);
    return OK;
}

static int read_section(char* section, size_t size, char* line) {
    char* end = strchr(line, ']');
    if (SX_FAILED(end == NULL || end[1] != '\0')) return SX_FAIL(BAD_LINE);
    *end = '\0';
    SX_TRY(copy(section, size, line + 1));
    return OK;
}

static int read_entry(struct ini* ini, const char* section, char* line) {
    char* equals = strchr(line, '=');
    if (SX_FAILED(equals == NULL || ini->count == 64)) return SX_FAIL(BAD_LINE);
    struct entry* entry = &ini->entries[ini->count];
    *equals = '\0';
    SX_TRY(copy(entry->section, sizeof entry->section, section));
    SX_TRY(copy(entry->key, sizeof entry->key, trim(line)));
    SX_TRY(copy(entry->value, sizeof entry->value, trim(equals + 1)));
    ++ini->count;
    return OK;
}

static int read_lines(struct ini* ini, FILE* file) {
    char buffer[256], section[32] = "";
    while (fgets(buffer, sizeof buffer, file) != NULL) {
        char* line = trim(buffer);
        ++ini->line;
        if (*line == '\0' || *line == ';') continue;
        if (*line == '[') {
            SX_TRY(read_section(section, sizeof section, line));
        } else {
            SX_TRY(read_entry(ini, section, line));
        }
    }
    return OK;
}

static int read_ini(struct ini* ini, const char* path) {
    FILE* file = fopen(path, "r");
    if (SX_FAILED(file == NULL)) return SX_FAIL(CANNOT_READ);
    int rc = read_lines(ini, file);
    fclose(file);
    if (SX_FAILED(rc != OK)) {
        fprintf(stderr, "%s:%d: cannot read this line\n", path, ini->line);
        return SX_HOP(rc);
    }
    return OK;
}

/* ---- Checking ---- */

static int find(const struct ini* ini, const char* section, const char* key, const char** value) {
    for (int i = 0; i < ini->count; ++i) {
        const struct entry* entry = &ini->entries[i];
        if (strcmp(entry->section, section) == 0 && strcmp(entry->key, key) == 0) {
            *value = entry->value;
            return OK;
        }
    }
    return SX_FAIL(NO_SUCH_SETTING);
}

static int to_number(const char* text, long* number) {
    char* end;
    errno = 0;
    *number = strtol(text, &end, 10);
    if (SX_FAILED(end == text || *end != '\0' || errno != 0)) return SX_FAIL(NOT_A_NUMBER);
    return OK;
}

static int number_between(const struct ini* ini, const char* section, const char* key, long least, long most) {
    const char* text;
    long number;
    SX_TRY(find(ini, section, key, &text));
    SX_TRY(to_number(text, &number));
    if (SX_FAILED(number < least || number > most)) return SX_FAIL(OUT_OF_RANGE);
    printf("%-8s %-10s %ld\n", section, key, number);
    return OK;
}

/* A setting that may be missing: that error ends here, and its trace with it. Others go on. */
static int optional_number(const struct ini* ini, const char* section, const char* key, long least, long most) {
    int rc = number_between(ini, section, key, least, most);
    if (SX_FAILED(rc != OK)) {
        SX_CATCH(missing);
        if (rc != NO_SUCH_SETTING) return SX_PASS(missing, rc);
        printf("%-8s %-10s (not set)\n", section, key);
    }
    return OK;
}

static int check(const char* path) {
    static struct ini ini;
    SX_TRY(read_ini(&ini, path));
    SX_TRY(number_between(&ini, "server", "port", 1, 65535));
    SX_TRY(optional_number(&ini, "server", "workers", 1, 256));
    SX_TRY(optional_number(&ini, "limits", "body_kb", 1, 1 << 20));
    SX_TRY(optional_number(&ini, "limits", "timeout_s", 1, 3600));
    return OK;
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: check_ini FILE\n");
        return 2;
    }
    int rc = check(argv[1]);
    fflush(stdout);
    if (SX_FAILED(rc != OK)) {
        SX_TRACE_HOP();
        sx_trace_report_unhandled((uint32_t)rc, names[rc], strlen(names[rc]));
        return 1;
    }
    return 0;
}
