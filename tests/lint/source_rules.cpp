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

bool isQt(const std::string& include)
{
    return matches(include, "(Qt?[A-Z].*|.*/Q[A-Z][A-Za-z]*|q[a-z]+\\.h|qcustomplot.*)");
}

/// Torch itself, and the engine's private headers that bring it along.
bool isTorch(const std::string& include)
{
    return matches(include, "(torch|ATen|c10|caffe2)/.*|(.*/)?torch[a-z0-9_]*\\.h|.*_tensors\\.h");
}

bool isWidgets(const std::string& include)
{
    return matches(include,
                   "QtWidgets(/.*)?|Q(Abstract)?(Application|Button|CheckBox|ComboBox|Dialog|DialogButtonBox|"
                   "DockWidget|FileDialog|Frame|GraphicsItem|GraphicsScene|GraphicsView|HeaderView|Label|"
                   "LineEdit|ListView|MainWindow|Menu|MenuBar|MessageBox|PlainTextEdit|ProgressBar|"
                   "PushButton|RubberBand|ScrollArea|Slider|SpinBox|Splitter|StackedWidget|StatusBar|Style|"
                   "StyleFactory|StyledItemDelegate|SystemTrayIcon|TabWidget|TableView|TableWidget|TextEdit|"
                   "ToolBar|ToolButton|ToolTip|TreeView|Widget|(VBox|HBox|Box|Grid|Form|Stacked)?Layout)");
}

bool mayIncludeTorch(const std::string& path)
{
    if (isBelow(path, "tests") || isBelow(path, "core/cuda"))
        return true;
    return matches(path, "core/(engine|train)/([^/]*\\.cpp|torch[a-z0-9_]*\\.h|[a-z0-9_]*_tensors\\.h)");
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

Findings checkIncludes(const SourceFile& file)
{
    if (!isCode(file.path))
        return {};
    Findings findings;
    static const std::regex includeLine(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
    forEachLine(file.text, [&](int number, const std::string& line) {
        std::smatch match;
        if (!std::regex_match(line, match, includeLine))
            return;
        const std::string include = match[1];
        if (isBelow(file.path, "core") && isQt(include))
            findings.push_back(at(file, number) + "includes " + include + "; core knows no Qt.");
        if (isTorch(include) && !mayIncludeTorch(file.path))
            findings.push_back(at(file, number) + "includes " + include +
                               "; torch stays in the .cpp files of core/engine and core/train and their "
                               "torch*.h and *_tensors.h headers.");
        if ((isBelow(file.path, "ui/render") || isBelow(file.path, "ui/figures")) && isWidgets(include))
            findings.push_back(at(file, number) + "includes " + include +
                               "; ui/render and ui/figures need Qt Gui alone.");
    });
    return findings;
}

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
