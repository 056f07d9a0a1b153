# A man page from headers. Usage: awk -f man.awk -v page=NAME -v section=3 -v summary=TEXT -v see=NAMES HEADER…
#
# The first header's first comment is the description; those of the others begin sections. So does a comment
# `---- Title. ----`. Every other comment that a declaration of the library follows (SX_TRACE_API …, SXI_INLINE …, typedef,
# enum, struct sx_…, #define SX_…, in C++ what stands in namespace sx) explains it. Text that is indented by four blanks more
# is code.
#
# With -v links=1 it prints the names of the functions instead.

function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}

function put(line) { if (!links) print line }

# Prints a comment's lines as text. `first` is what a paragraph begins with.
function put_text(lines, count, first,    i, code, gap) {
    for (i = 1; i <= count; ++i) {
        if (lines[i] == "") { gap = 1; continue }
        if (lines[i] ~ /^    / && !code) { put(".PP\n.RS 4\n.nf"); code = 1; gap = 0 }
        if (lines[i] !~ /^    / && code) { put(".fi\n.RE\n" first); code = 0; gap = 0 }
        if (gap) put(code ? "" : first)
        gap = 0
        put(escape(lines[i]))
    }
    if (code) put(".fi\n.RE")
}

function put_declaration(text,    name) {
    gsub(/SX_TRACE_API |SX_TRACE_COLD |SXI_INLINE |\[\[[a-z_]*\]\] /, "", text)
    gsub(/[ \n]+/, " ", text)
    name = text
    if (match(name, /sx_trace_[a-z_]+\(/)) {
        name = substr(name, RSTART, RLENGTH - 1)
        if (links) print name
    }
    put(".TP\n.B " escape(text))
    put_text(comment, lines, ".IP")
    lines = 0
}

function put_code(text) {
    put(".PP\n.nf")
    put(text)
    put(".fi")
    if (lines > 0) put(".PP")
    put_text(comment, lines, ".PP")
    lines = 0
}

BEGIN {
    put(".TH " page " " section)
    put(".SH NAME\n" page " \\- " summary)
}

FNR == 1 { described = 0; in_comment = in_slashes = declaring = lines = 0; depth = 0; public = "" }

# ---- Comments ----

/^[ ]*\/\*/ && !declaring {
    text = $0
    sub(/^[ ]*\/\*[ ]?/, "", text)
    lines = 0
    in_comment = 1
    ends = text ~ /\*\//
    sub(/[ ]*\*\/.*/, "", text)
    if (text != "") comment[++lines] = text
    if (ends) { in_comment = 0; end_comment() }
    next
}
in_comment {
    text = $0
    ends = text ~ /\*\//
    sub(/[ ]*\*\/.*/, "", text)
    sub(/^[ ]*\*?[ ]?/, "", text)
    if (!ends || text != "") comment[++lines] = text
    if (ends) { in_comment = 0; end_comment() }
    next
}
/^\/\// {
    if (!in_slashes) lines = 0
    in_slashes = 1
    text = $0
    sub(/^\/\/[ ]?/, "", text)
    comment[++lines] = text
    next
}
in_slashes { in_slashes = 0; end_comment() }

function end_comment(    title) {
    if (comment[1] ~ /^----/) {
        title = comment[1]
        gsub(/^---- | ----$/, "", title)
        sub(/\..*$/, "", title)
        put(".SH " toupper(title))
        put_rest()
        lines = 0
    } else if (!described && first != "") {
        described = 1
        put(".SH " toupper(header()))
        put_text(comment, lines, ".PP")
        lines = 0
    } else if (!described) {
        described = 1
        first = header()
        put(".SH SYNOPSIS\n.nf\n.B #include <" header() ">\n.fi\n.PP\nLink with \\fI\\-lsxtrace\\fP.")
        put(".SH DESCRIPTION")
        put_text(comment, lines, ".PP")
        lines = 0
    }
}

# What follows the title in its own comment.
function put_rest(    i, rest) {
    sub(/^---- [^.]*\.[ ]?/, "", comment[1])
    sub(/[ ]*----$/, "", comment[1])
    if (comment[1] != "") { rest[1] = comment[1]; put_text(rest, 1, ".PP") }
}

function header(    name) {
    name = FILENAME
    sub(/^.*include\//, "", name)
    return name
}

# ---- What they explain ----

/^SX_TRACE_API/ { declaring = "function"; declaration = "" }
/^SXI_INLINE / { put_declaration(substr($0, 1, index($0, ")"))); next }
/^(typedef|enum|struct sx_)/ && !declaring { declaring = "type"; declaration = "" }
/^#define SX_[A-Z_]+\(/ {
    match($0, /SX_[A-Z_]+\([^)]*\)/)
    put_declaration(substr($0, RSTART, RLENGTH))
    next
}
declaring == "function" {
    line = $0
    sub(/^[ ]+/, "", line)
    declaration = declaration (declaration == "" ? "" : " ") line
    if (/;/) { sub(/;.*/, ";", declaration); declaring = ""; put_declaration(declaration) }
    next
}
declaring == "type" {
    declaration = declaration (declaration == "" ? "" : "\n") escape($0)
    if (/^}.*;/ || /^typedef.*;$/) { declaring = ""; put_code(declaration) }
    next
}

# In C++, what namespace sx itself holds. A specialisation of a template is no name of its own.
/^namespace / { public = $2 == "sx" && public == "" ? "sx" : public "/" $2; next }
/^} *\/\/ namespace/ { public = public ~ /\// ? substr(public, 1, match(public, /\/[^\/]*$/) - 1) : ""; next }
public == "sx" && /^(template|class|struct|concept|inline|constexpr|requires)/ {
    declaration = declaration (declaration == "" ? "" : " ") $0
    if (!/[{;=]/) next
    sub(/ *([{;]| = requires).*/, "", declaration)
    if (declaration !~ /(class|struct) [a-z_]+</) put_declaration(declaration)
    declaration = ""
    lines = 0
    next
}
/^[^ ]/ { lines = 0 }

END {
    if (see != "") put(".SH SEE ALSO\n" see)
}
