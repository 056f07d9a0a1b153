/* The section in which gdb looks for scripts, with those of editors/, so that they go with a program. It is not loaded
 * when the program runs, and `strip` takes it away with the debug information. An entry is a byte 4, a name, a newline,
 * and Python text up to a NUL. The modules must not contain three apostrophes in a row.
 *
 * The other section is empty. GNU ld drops what is there for debuggers where nothing else of a file is kept. */
#define MODULE(name, path) \
    ".ascii \"load('" name "', r'''\"\n" \
    ".incbin \"" path "\"\n" \
    ".ascii \"''')\\n\"\n"

__asm__(".pushsection .rodata.sx_gdb_script,\"aR\",@progbits\n"
        ".popsection\n"
        ".pushsection .debug_gdb_scripts,\"MS\",@progbits,1\n"
        ".byte 4\n"
        ".ascii \"sx.py\\nimport sys, types\\n\"\n"
        ".ascii \"def load(name, text):\\n  module = sys.modules[name] = types.ModuleType(name)\\n\"\n"
        ".ascii \"  exec(compile(text, name + '.py', 'exec'), module.__dict__)\\n\"\n" MODULE("sx_values", SX_EDITORS
                                                                                              "/debug/sx_values.py")
            MODULE("sx_trace", SX_EDITORS "/debug/sx_trace.py")
                MODULE("sx_gdb", SX_EDITORS "/gdb/sx.py") ".byte 0\n"
                                                          ".popsection\n");
