// sx(1), made from the table of commands.
#include "driver/CommandTable.h"
#include "driver/Help.h"

namespace sx::driver {

namespace {

/// Text of which nothing is an instruction.
std::string plain(std::string_view text) {
    std::string out;
    bool isStart = true;
    for (char c : text) {
        if (isStart && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else if (c == '`') out += "\\(ga";
        else out += c;
        isStart = c == '\n';
    }
    return out;
}

/// Lines that are indented stay as they are.
std::string paragraphs(std::string_view text) {
    std::string out;
    bool isCode = false;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool indented = line.substr(0, 2) == "  ";
        if (indented != isCode) out += indented ? ".nf\n" : ".fi\n";
        isCode = indented;
        out += line.empty() ? ".PP\n" : plain(line) + "\n";
    }
    return isCode ? out + ".fi\n" : out;
}

std::string command(const CommandRow& row) {
    std::string text =
        ".SS " + plain(usageLine(row)) + "\n" + paragraphs(*row.description ? row.description : row.summary);
    for (const OptionRow& option : optionRows())
        if (option.help && (option.commands & of(row.command)))
            text += ".TP\n.B " + plain(shownOption(option)) + "\n" + plain(helpOf(option, row.command)) + "\n";
    return text;
}

constexpr const char* LastSections = R"(.SH EXIT STATUS
.TP
.B 0
all is well.
.TP
.B 1
something is wrong with a file, or an error reached the program's main.
.TP
.B 2
wrong usage, or a file is missing.
.PP
.B sx run
exits with the status of the program: 128 and the number of the signal if it ended by one.
.SH ENVIRONMENT
.TP
.B SX_STDLIB_PATH
where the library is, if it does not lie beside the compiler.
.TP
.B SX_TRACE
how traces look: off, short or json.
.TP
.B SX_TRACE_COLOR
always or never.
.TP
.B SX_TRACE_VALUES
0: traces show no values.
.TP
.B NO_COLOR
no colours.
.SH SEE ALSO
.BR sxtrace (3)
)";

} // namespace

std::string manualPage() {
    std::string text = ".TH SX 1\n.SH NAME\nsx \\- a compiled language whose errors tell you where they have been\n"
                       ".SH SYNOPSIS\n.B sx\n.I command\n[options] [file]\n.SH COMMANDS\n";
    for (const CommandRow& row : commandRows()) text += command(row);
    return text + LastSections;
}

} // namespace sx::driver
