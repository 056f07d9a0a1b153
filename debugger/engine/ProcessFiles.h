// What the system tells of a process in files: proc(5).
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sx::debugger {

/// A line of `/proc/PID/maps`.
struct ProcessMapping {
    uint64_t start = 0, end = 0; ///< `end` is the first address behind it
    uint64_t offset = 0;         ///< in the file, in bytes
    std::string permissions;     ///< `r-xp`
    std::string path;            ///< or a name like `[heap]`, or ""
};

/// In order of address; none where there is no such process.
inline std::vector<ProcessMapping> mappingsOfProcess(int pid) {
    std::vector<ProcessMapping> all;
    std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
    for (std::string line; std::getline(file, line);) {
        unsigned long long start = 0, end = 0, offset = 0;
        char permissions[5] = "";
        int path = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx %4s %llx %*s %*s %n", &start, &end, permissions, &offset, &path) < 4)
            continue;
        all.push_back({start, end, offset, permissions, path > 0 ? line.substr(static_cast<size_t>(path)) : ""});
    }
    return all;
}

/// The fields of `/proc/PID/stat` behind the name, which may hold anything. None where there is no such process.
struct ProcessStatus {
    static constexpr size_t State = 0, Parent = 1, Begun = 19; ///< `Begun`: in ticks since the system began
    std::vector<std::string> fields;

    explicit ProcessStatus(int pid) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::string text;
        std::getline(file, text, '\0');
        size_t name = text.rfind(')');
        if (name == std::string::npos) return;
        std::istringstream rest(text.substr(name + 1));
        for (std::string field; rest >> field;) fields.push_back(std::move(field));
    }
    bool isThere() const { return fields.size() > Begun; }
    bool isHeld() const { return isThere() && fields[State] == "t"; } ///< by a debugger
    bool isZombie() const { return isThere() && fields[State] == "Z"; }
    unsigned long long number(size_t field) const { return isThere() ? std::stoull(fields[field]) : 0; }
};

/// The numbers of its threads; none where there is no such process.
inline std::vector<int> threadsOfProcess(int pid) {
    std::vector<int> all;
    DIR* folder = opendir(("/proc/" + std::to_string(pid) + "/task").c_str());
    while (dirent* entry = folder ? readdir(folder) : nullptr)
        if (int thread = std::atoi(entry->d_name); thread > 0) all.push_back(thread);
    if (folder) closedir(folder);
    return all;
}

} // namespace sx::debugger
