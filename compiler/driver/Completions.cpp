#include "driver/Completions.h"

#include "driver/CommandTable.h"

namespace sx::driver {

namespace {

bool takesFiles(Operands operands) {
    return operands == Operands::Program || operands == Operands::File || operands == Operands::Files ||
           operands == Operands::AnyFiles;
}

bool isPath(const OptionRow& option) {
    const std::string_view value = option.value;
    return value == "PATH" || value == "FILE" || value == "DIR";
}

/// What is offered of a command's options.
template <class Visit> void eachOption(const CommandRow& command, Visit visit) {
    for (const OptionRow& option : optionRows())
        if ((option.help || std::string_view(option.name) == "-g0") && (option.commands & of(command.command)))
            visit(option);
}

bool hasOption(const CommandRow& command, std::string_view name) {
    bool found = false;
    eachOption(command, [&](const OptionRow& option) { found |= option.name == name; });
    return found;
}

/// The words that may follow a command.
std::string wordsOf(const CommandRow& command) {
    if (command.command != Command::Help) return command.words;
    std::string words = "man"; // and `debug`, which is a command as well
    for (const CommandRow& row : commandRows()) words += " " + std::string(row.name);
    return words;
}

/// The first line of a text, for a shell that takes it in single quotes; characters of `escaped` get a backslash.
std::string quoted(std::string_view text, std::string_view escaped, std::string_view quote) {
    std::string out;
    for (char c : text.substr(0, text.find('\n'))) {
        if (c == '\'') out += quote;
        else if (escaped.find(c) != std::string_view::npos) out += std::string("\\") + c;
        else out += c;
    }
    return out;
}

// ---- bash

constexpr const char* BashStart = R"(# Completions of sx for bash, made by `sx completions bash`.
_sx() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    local options= words= files=
    if [[ $cur == = ]]; then cur=
    elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$commands" -- "$cur"))
        return
    fi
)";

constexpr const char* BashEnd = R"(    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options --help" -- "$cur"))
    elif [[ $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    elif [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$cur"
            compgen -f -X "$files" -- "$cur" | while IFS= read -r f; do [[ -d $f ]] || printf '%s\n' "$f"; done)
    fi
}
complete -F _sx sx
)";

std::string bash() {
    std::string names, cases, values;
    for (const CommandRow& command : commandRows()) {
        names += (names.empty() ? "" : " ") + std::string(command.name);
        std::string options;
        eachOption(command, [&](const OptionRow& option) {
            options += " " + std::string(option.name);
            const std::string key = "        '" + std::string(command.name) + " " + option.name + "') ";
            if (*option.words) values += key + "words='" + option.words + "' cur=${cur#-};;\n";
            else if (isPath(option)) values += key + "files='!*' cur=${cur#-};;\n";
        });
        if (hasOption(command, "--opt")) options += " -O0 -O1 -O2 -O3";
        cases += "        " + std::string(command.name) + ") options='" + options + "'";
        if (std::string words = wordsOf(command); !words.empty()) cases += " words='" + words + "'";
        if (takesFiles(command.operands)) cases += " files='!*.sx'";
        cases += ";;\n";
    }
    std::string start = BashStart;
    const std::string mark = "$commands";
    start.replace(start.find(mark), mark.size(), names);
    return start + "    case $command in\n" + cases + "    esac\n    case \"$command $prev\" in\n" + values +
           "    esac\n" + BashEnd;
}

// ---- zsh

std::string zshOption(const OptionRow& option) {
    std::string text = "            '" + std::string(option.name);
    const bool isLong = text.find("--") != std::string::npos;
    if (*option.value) text += isLong ? "=" : "+";
    if (option.help) text += "[" + quoted(option.help, "[]:\\", "'\\''") + "]";
    if (!*option.value) return text + "' \\\n";
    text += ":" + quoted(option.value, ":", "") + ":";
    if (*option.words) text += "(" + std::string(option.words) + ")";
    else if (isPath(option)) text += "_files";
    return text + "' \\\n";
}

std::string zsh() {
    std::string commands, cases;
    for (const CommandRow& command : commandRows()) {
        commands += "        '" + std::string(command.name) + ":" + quoted(command.summary, ":\\", "'\\''") + "'\n";
        cases += "        " + std::string(command.name) + ")\n        _arguments \\\n";
        eachOption(command, [&](const OptionRow& option) { cases += zshOption(option); });
        if (hasOption(command, "--opt"))
            for (char level : {'0', '1', '2', '3'}) cases += std::string("            '-O") + level + "' \\\n";
        cases += "            '(- *)'{-h,--help}'[tell more about the command]' \\\n";
        const std::string words = wordsOf(command);
        if (command.operands == Operands::Program)
            cases += "            '1:file:_files -g \"*.sx\"' '*:argument:_files'";
        else if (takesFiles(command.operands)) cases += "            '*:file:_files -g \"*.sx\"'";
        else if (!words.empty()) cases += "            '1:word:(" + words + ")'";
        else cases += "            '*:word:'";
        cases += " ;;\n";
    }
    return "#compdef sx\n# Completions of sx for zsh, made by `sx completions zsh`.\n_sx() {\n    local -a commands\n"
           "    commands=(\n" +
           commands +
           "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n" +
           cases + "    esac\n}\nif [[ ${funcstack[1]} == _sx ]]; then _sx \"$@\"; else compdef _sx sx; fi\n";
}

// ---- fish

std::string fishOption(const OptionRow& option) {
    const std::string name = option.name;
    std::string text;
    if (name.compare(0, 2, "--") == 0) text = " -l " + name.substr(2);
    else text = (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
    if (*option.words) text += " -x -a '" + std::string(option.words) + "'";
    else if (*option.value) text += isPath(option) ? " -r -F" : " -x";
    if (option.help) text += " -d '" + quoted(option.help, "\\", "\\'") + "'";
    return text;
}

std::string fish() {
    std::string text = "# Completions of sx for fish, made by `sx completions fish`.\ncomplete -c sx -f\n";
    for (const CommandRow& command : commandRows())
        text += "complete -c sx -n __fish_use_subcommand -a " + std::string(command.name) + " -d '" +
                quoted(command.summary, "\\", "\\'") + "'\n";
    for (const CommandRow& command : commandRows()) {
        const std::string start = "complete -c sx -n '__fish_seen_subcommand_from " + std::string(command.name) + "'";
        eachOption(command, [&](const OptionRow& option) { text += start + fishOption(option) + "\n"; });
        if (hasOption(command, "--opt"))
            for (char level : {'0', '1', '2', '3'}) text += start + " -o O" + level + "\n";
        text += start + " -s h -l help -d 'tell more about the command'\n";
        if (std::string words = wordsOf(command); !words.empty()) text += start + " -a '" + words + "'\n";
        if (takesFiles(command.operands)) text += start + " -k -a '(__fish_complete_suffix .sx)'\n";
    }
    return text;
}

} // namespace

std::string completionScript(const std::string& shell) {
    if (shell == "bash") return bash();
    if (shell == "zsh") return zsh();
    if (shell == "fish") return fish();
    return "";
}

} // namespace sx::driver
