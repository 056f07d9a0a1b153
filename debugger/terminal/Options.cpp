#include "debugger/terminal/Options.h"

#include <cstring>
#include <optional>

namespace sx::terminal {

std::string terminalHelp() {
    return "usage: sx debug [options] FILE [args]\n"
           "\n"
           "Debugs FILE, an .sx file or an executable, in the terminal. Options "
           "may stand before FILE or right after "
           "it;\n"
           "what follows is for the program (write `--` before what looks like "
           "an option).\n"
           "\n"
           "  --engine native|vm    machine code or the interpreter (default: "
           "native where it is there)\n"
           "  --batch               no screen: carry out commands, print plain "
           "text\n"
           "  -x FILE               the commands, one a line; `-` is standard "
           "input\n"
           "  --heap=track          keep track of objects, for `graph`\n"
           "  -L PATH               look for libraries of C there before the "
           "system's folders\n"
           "  --record              keep history, to go backwards (vm)\n"
           "  --formatters FILE     how types of other languages are shown "
           "(native)\n"
           "  --connect HOST:PORT   use the adapter there, which `sx dap "
           "--listen` has started\n"
           "  -h, --help            print this\n"
           "\n"
           "With --batch the exit status is 0 when every command was carried "
           "out, 1 when one failed, 2 when there was\n"
           "nothing to carry out. `sx help debug` is about gdb and lldb.\n";
}

namespace {

/// Takes options off the front of the arguments.
class Reader {
public:
    explicit Reader(const std::vector<std::string>& args) : args_(args) {}

    bool atEnd() const { return at_ >= args_.size(); }
    const std::string& here() const { return args_[at_]; }
    void advance() { ++at_; }
    std::vector<std::string> rest() const { return {args_.begin() + static_cast<std::ptrdiff_t>(at_), args_.end()}; }

    /// An option of ours that stands here, with its value.
    Result<bool> option(TerminalOptions& o) {
        std::string name = here();
        value_.reset();
        if (size_t eq = name.find('='); name.rfind("--", 0) == 0 && eq != std::string::npos) {
            value_ = name.substr(eq + 1);
            name.resize(eq);
        }
        if (name == "-h" || name == "--help") o.help = true;
        else if (name == "--batch") o.batch = true;
        else if (name == "--record") o.start.record = true;
        else if (name.rfind("-L", 0) == 0) return libraryPath(name, o);
        else if (name == "-x") return take(name, "a file", o.script);
        else if (name == "--formatters") {
            std::string file;
            Result<bool> taken = take(name, "a file", file);
            if (taken) o.formatters.push_back(file);
            return taken;
        } else if (name == "--connect") return take(name, "HOST:PORT", o.connect);
        else if (name == "--engine") return oneOf(name, {"native", "vm"}, o.start.engine);
        else if (name == "--heap") return heap(o);
        else return false;
        if (value_) return Failure{code(name) + " takes no value"};
        ++at_;
        return true;
    }

private:
    Result<bool> take(const std::string& name, const char* what, std::string& out) {
        ++at_;
        if (!value_ && !atEnd()) value_ = args_[at_++];
        if (!value_ || value_->empty()) return Failure{code(name) + " needs " + what};
        out = *value_;
        return true;
    }

    Result<bool> oneOf(const std::string& name, std::vector<const char*> known, std::string& out) {
        std::string what;
        for (const char* k : known) what += (what.empty() ? "" : " or ") + code(k);
        if (Result<bool> taken = take(name, what.c_str(), out); !taken) return taken;
        for (const char* k : known)
            if (out == k) return true;
        return Failure{code(name) + " needs " + what + ", not " + code(out)};
    }

    /// `-L PATH` or `-LPATH`.
    Result<bool> libraryPath(const std::string& name, TerminalOptions& o) {
        std::string path;
        if (name.size() > 2) value_ = name.substr(2);
        Result<bool> taken = take("-L", "a folder", path);
        if (taken) o.start.libraryPaths.push_back(path);
        return taken;
    }

    Result<bool> heap(TerminalOptions& o) {
        std::string mode;
        Result<bool> taken = oneOf("--heap", {"off", "track"}, mode);
        o.start.trackHeap = mode == "track";
        return taken;
    }

    const std::vector<std::string>& args_;
    size_t at_ = 0;
    std::optional<std::string> value_;
};

} // namespace

Result<TerminalOptions> parseOptions(const std::vector<std::string>& args) {
    TerminalOptions o;
    Reader reader(args);
    while (!reader.atEnd()) {
        if (reader.here() == "--") {
            reader.advance();
            if (o.start.program.empty() && !reader.atEnd()) {
                o.start.program = reader.here();
                reader.advance();
            }
            break;
        }
        Result<bool> isOurs = reader.option(o);
        if (!isOurs) return isOurs.failure();
        if (*isOurs) continue;
        if (!o.start.program.empty()) break;
        if (reader.here().size() > 1 && reader.here()[0] == '-')
            return Failure{"unknown option " + code(reader.here()) + "; try " + code("sx debug --help")};
        o.start.program = reader.here();
        reader.advance();
    }
    o.start.args = reader.rest();
    if (!o.connect.empty() && !o.formatters.empty())
        return Failure{code("--formatters") + " is for the adapter, which " + code("--connect") + " does not start"};
    if (o.start.program.empty() && !o.help) return Failure{"no file given; try " + code("sx debug --help")};
    return o;
}

} // namespace sx::terminal
