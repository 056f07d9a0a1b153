// One state of all texts, and the programs in it.
#pragma once

#include "server/program/Settings.h"
#include "server/program/View.h"
#include "source/Files.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sx::server {

class Workspace {
public:
    /// `texts` stand for files, and have to be in force as `EditorTexts`. Both have to live as long.
    Workspace(const Settings&, const EditorTexts::Map& texts);
    ~Workspace();

    const Settings& settings() const { return settings_; }
    /// The program of a file, checked when it is first asked for. Null: there is no such file.
    View* view(const std::string& path);
    /// The text of a file, as the editor has it or else the disk. Null: there is none.
    const std::string* text(const std::string& path);
    /// All files of the open folders and of the editor. Not hidden ones, and not more than can be looked at.
    const std::vector<std::string>& files();
    /// Those of `files()` whose programs may have this one: by the imports that their texts show, through any number of
    /// them. The file itself is among them.
    std::set<std::string> importersOf(const std::string& path);
    /// Of these the ones that none of them imports: their programs have what the others' have.
    std::vector<std::string> entriesOf(const std::string& path);
    bool isOpen(const std::string& path) const { return texts_.count(path) != 0; }
    /// The open folder that a file is in; else the file's own folder.
    std::string rootOf(const std::string& path) const;
    /// The files whose texts were looked at.
    std::vector<std::string> filesUsed() const;

private:
    const std::map<std::string, std::set<std::string>>& importers();

    const Settings& settings_;
    const EditorTexts::Map& texts_;
    EditorTexts::Map read_;
    std::map<std::string, std::unique_ptr<View>> views_;
    std::vector<std::string> files_;
    std::map<std::string, std::set<std::string>> importers_; ///< of a file or folder, by what texts say
    bool listed_ = false, hasImporters_ = false;
};

} // namespace sx::server
