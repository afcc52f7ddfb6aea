#include "lint/include_rules.h"

#include "lint/libraries.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace hs::lint {
namespace {

constexpr int kMostFiles = 60;

bool bringsTorch(const std::string& path)
{
    return std::regex_match(path, std::regex("(.*/)?(torch[a-z0-9_]*|[a-z0-9_]*_tensors)\\.h"));
}

bool mayFolderUse(const FolderRow& row, const std::string& folder)
{
    return std::ranges::any_of(row.mayUse, [&](const std::string& used) { return isWithin(folder, used); });
}

bool mayUseLibrary(const FolderRow& row, const std::string& library)
{
    return library == "the standard library" || std::ranges::any_of(row.libraries, [&](const auto& allowed) {
               return isPartOf(allowed, library);
           });
}

std::string at(const Include& include)
{
    return include.from + ":" + std::to_string(include.line) + ": includes " + include.text;
}

std::string fitting(const std::string& name, const std::set<std::string>& paths, const std::string& folder)
{
    for (const std::string& root :
         {folder, std::string("core"), std::string("ui"), std::string("app"), std::string("tests")})
        if (paths.contains(root + "/" + name))
            return root + "/" + name;
    return "";
}

}  // namespace

bool isCpp(const std::string& path)
{
    return std::regex_match(path, std::regex("(app|core|tests|ui)/.*\\.(h|cpp|cu|cuh)"));
}

std::string folderOf(const std::string& path)
{
    return path.substr(0, path.rfind('/'));
}

std::vector<Include> readIncludes(const std::vector<SourceFile>& files)
{
    static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
    std::set<std::string> paths;
    for (const SourceFile& file : files)
        paths.insert(file.path);
    std::vector<Include> includes;
    for (const SourceFile& file : files) {
        if (!isCpp(file.path))
            continue;
        std::istringstream lines(file.text);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number)
            if (std::smatch match; std::regex_match(line, match, pattern))
                includes.push_back(
                    {file.path, number, match[1], fitting(match[1], paths, folderOf(file.path))});
    }
    return includes;
}

Findings checkIncludes(const std::vector<Include>& includes, const Architecture& architecture)
{
    Findings findings;
    for (const Include& include : includes) {
        const FolderRow* row = architecture.rowOf(include.from);
        if (row == nullptr || row->mayUseAll)
            continue;
        const std::string name = "; ARCHITECTURE.md does not let " + folderOf(include.from) + " use ";
        const std::string target = folderOf(include.target);
        if (!include.target.empty() && architecture.rowOf(target) != row && !mayFolderUse(*row, target))
            findings.push_back(at(include) + name + target + ".");
        const bool isTorch = bringsTorch(include.text) || libraryOf(include.text) == "libtorch";
        const std::string library = isTorch ? "libtorch" : libraryOf(include.text);
        if ((isTorch || include.target.empty()) && !mayUseLibrary(*row, library))
            findings.push_back(at(include) + name + library + ".");
        else if (isTorch && !include.from.ends_with(".cpp") && !bringsTorch(include.from))
            findings.push_back(
                at(include) +
                "; torch's headers stay in .cpp files and in torch*.h and *_tensors.h headers.");
    }
    return findings;
}

Findings checkFolders(const std::vector<SourceFile>& files, const Architecture& architecture)
{
    Findings findings;
    std::map<std::string, int> counts;
    for (const SourceFile& file : files)
        if (isCpp(file.path))
            ++counts[folderOf(file.path)];
    for (const auto& [folder, count] : counts) {
        const FolderRow* row = architecture.rowOf(folder);
        if (row == nullptr)
            findings.push_back(folder + " has no row in ARCHITECTURE.md's table of folders.");
        else if (count > kMostFiles && !row->mayHaveManyFiles)
            findings.push_back(folder + " has " + std::to_string(count) +
                               " files beside each other, more than " + std::to_string(kMostFiles) +
                               "; split it, or say why in ARCHITECTURE.md's row: \"many files: …\".");
    }
    for (const FolderRow& row : architecture.rows)
        for (const std::string& folder : row.folders)
            if (std::ranges::none_of(files, [&](const auto& file) { return isWithin(file.path, folder); }))
                findings.push_back("ARCHITECTURE.md:" + std::to_string(row.line) + ": there is no folder `" +
                                   folder + "`.");
    return findings;
}

}  // namespace hs::lint
