typedef struct {
    int first;
} pair;
enum { LIMIT = 3 };
int tiny_first(pair p);
int tiny_len(const char* text);
extern int tiny_state;
