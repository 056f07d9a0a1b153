// Programs that tests debug: built by the compiler of this build tree, with debug information.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace sx::debugger::native {

/// Builds `source` and returns the path of the executable; `NAME.sx` is beside it.
inline std::string built(const std::string& name, const std::string& source, int level = 0) {
    std::string path = std::string(SX_SCRATCH) + "/" + name;
    std::stringstream old;
    old << std::ifstream(path + ".sx").rdbuf();
    if (old.str() != source) std::ofstream(path + ".sx") << source;
    std::string command =
        std::string(SX_EXECUTABLE) + " build -g -O" + std::to_string(level) + " " + path + ".sx -o " + path + " 2>&1";
    INFO(command);
    REQUIRE(std::system(command.c_str()) == 0);
    return path;
}

} // namespace sx::debugger::native
