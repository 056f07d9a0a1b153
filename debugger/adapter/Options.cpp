#include "debugger/adapter/Options.h"

#include "debugger/adapter/Succession.h"

#include "llvm/ADT/StringRef.h"

namespace sx::debugger {

std::string adapterHelp() {
    return "usage: sx dap [options]\n"
           "\n"
           "Serves the Debug Adapter Protocol, on standard input and output unless told otherwise.\n"
           "\n"
           "  --listen [HOST:]PORT  accept connections, each a session of its own; port 0 picks one\n"
           "  --allow-remote        let HOST be an address of a network: the protocol knows no passwords\n"
           "  --websocket           with --listen: let web pages of this machine connect that give the printed token\n"
           "  --formatters FILE     how types of programs in other languages are shown; may be given several times\n"
           "  --log FILE            write the adapter's own log there instead of to standard error\n"
           "  -h, --help            print this\n";
}

namespace {

/// `[HOST:]PORT`
Result<void> parseAddress(llvm::StringRef text, AdapterOptions& options) {
    auto [host, port] = text.contains(':') ? text.rsplit(':') : std::pair<llvm::StringRef, llvm::StringRef>("", text);
    host.consume_front("[");
    host.consume_back("]");
    if (!host.empty()) options.host = host.str();
    if (port.getAsInteger(10, options.port)) return Failure{code("--listen") + " needs [HOST:]PORT, not " + code(text)};
    options.listen = true;
    return {};
}

} // namespace

Result<AdapterOptions> parseOptions(const std::vector<std::string>& args) {
    AdapterOptions options;
    for (size_t i = 0; i < args.size(); ++i) {
        llvm::StringRef name = args[i];
        std::optional<std::string> value;
        if (name.starts_with("--") && name.contains('=')) {
            auto [before, after] = name.split('=');
            name = before;
            value = after.str();
        }
        auto needValue = [&] {
            if (!value && i + 1 < args.size()) value = args[++i];
            return value.has_value();
        };
        if (name == "-h" || name == "--help") {
            options.help = true;
        } else if (name == "--listen") {
            if (!needValue()) return Failure{code("--listen") + " needs [HOST:]PORT"};
            if (Result<void> r = parseAddress(*value, options); !r) return r.failure();
        } else if (name == "--allow-remote") {
            options.allowRemote = true;
        } else if (name == "--websocket") {
            options.webSocket = true;
        } else if (name == "--formatters") {
            if (!needValue()) return Failure{code("--formatters") + " needs a file"};
            options.formatters.push_back(*value);
        } else if (name == "--in-terminal") {
            if (!needValue()) return Failure{code("--in-terminal") + " needs PORT:TOKEN"};
            options.terminal = *value;
        } else if (name == SuccessionOption) {
            if (!needValue() || llvm::StringRef(*value).getAsInteger(10, options.handover))
                return Failure{code(SuccessionOption) + " needs a descriptor"};
        } else if (name == "--log") {
            if (!needValue()) return Failure{code("--log") + " needs a file"};
            options.log = *value;
        } else {
            return Failure{"unknown option " + code(args[i]) + "; try " + code("sx dap --help")};
        }
    }
    if (options.webSocket && !options.listen) return Failure{code("--websocket") + " needs " + code("--listen")};
    return options;
}

} // namespace sx::debugger
