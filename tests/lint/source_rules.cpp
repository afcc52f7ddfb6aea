#include "lint/source_rules.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace hs::lint {
namespace {

constexpr int kMostLines = 500;

bool isBelow(const std::string& path, const std::string& folder)
{
    return path.starts_with(folder + "/");
}

bool matches(const std::string& text, const char* pattern)
{
    return std::regex_match(text, std::regex(pattern));
}

void forEachLine(const std::string& text, const std::function<void(int, const std::string&)>& visit)
{
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number)
        visit(number, line);
}

std::string at(const SourceFile& file, int line)
{
    return file.path + ":" + std::to_string(line) + ": ";
}

bool isCode(const std::string& path)
{
    const bool isOurs =
        isBelow(path, "app") || isBelow(path, "core") || isBelow(path, "ui") || isBelow(path, "tests");
    return isOurs && matches(path, ".*\\.(h|cpp|cu|cuh|py|cmake|txt)");
}

bool isText(const std::filesystem::path& path)
{
    static const std::set<std::string> endings = {".h",  ".cpp", ".cu",  ".cuh", ".py",   ".cmake",   ".txt",
                                                  ".md", ".sh",  ".yml", ".xml", ".json", ".desktop", ""};
    return endings.contains(path.extension().string());
}

}  // namespace

Findings checkLength(const SourceFile& file)
{
    const auto lines = std::count(file.text.begin(), file.text.end(), '\n');
    if (!isCode(file.path) || lines < kMostLines)
        return {};
    return {file.path + " has " + std::to_string(lines) + " lines; split it by purpose."};
}

Findings checkMachinePaths(const SourceFile& file)
{
    Findings findings;
    static const std::regex machinePath("(^|[^A-Za-z0-9_.}])/(work|root|home/[a-z]+|Users/[A-Za-z]+)/");
    forEachLine(file.text, [&](int number, const std::string& line) {
        if (std::regex_search(line, machinePath))
            findings.push_back(at(file, number) + "names a path of one machine.");
    });
    return findings;
}

Findings checkTestNames(const SourceFile& file)
{
    Findings findings;
    static const std::regex cutName("TEST_CASE\\(\"[^\"]*;.*");
    forEachLine(file.text, [&](int number, const std::string& line) {
        if (isCode(file.path) && std::regex_match(line, cutName))
            findings.push_back(at(file, number) + "names a test with a semicolon; use another sign.");
    });
    return findings;
}

Findings checkPackageList(const SourceFile& file)
{
    Findings findings;
    std::string previous;
    forEachLine(file.text, [&](int number, const std::string& line) {
        std::string name;
        std::istringstream(line.substr(0, line.find('#'))) >> name;
        if (name.empty())
            return;
        if (name == previous)
            findings.push_back(at(file, number) + name + " is listed twice.");
        else if (name < previous)
            findings.push_back(at(file, number) + name + " belongs before " + previous + ".");
        previous = name;
    });
    return findings;
}

std::vector<SourceFile> readSources(const std::filesystem::path& root)
{
    namespace fs = std::filesystem;
    std::vector<SourceFile> files;
    const auto add = [&](const fs::path& path) {
        if (!fs::is_regular_file(path) || !isText(path))
            return;
        std::ifstream stream(path, std::ios::binary);
        files.push_back({path.lexically_relative(root).generic_string(),
                         std::string(std::istreambuf_iterator<char>(stream), {})});
    };
    for (const fs::directory_entry& entry : fs::directory_iterator(root))
        add(entry.path());
    for (const char* folder : {"app", "core", "packaging", "resources", "tests", "ui"})
        if (fs::is_directory(root / folder))
            for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder))
                add(entry.path());
    return files;
}

}  // namespace hs::lint
