#include "e2e/guide/guide_page.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hs::test {
namespace {

constexpr const char* kMark = "```";

std::vector<std::string> wordsOf(const std::string& text)
{
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<Fence> fencesOf(const std::string& page)
{
    std::vector<Fence> fences;
    std::istringstream lines(page);
    bool isInside = false;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.starts_with(kMark)) {
            if (!isInside)
                fences.push_back({number, wordsOf(line.substr(3)), ""});
            isInside = !isInside;
        } else if (isInside) {
            fences.back().text += line + "\n";
        }
    }
    return fences;
}

/// Without white space at the ends of lines and of the text.
std::string trimmed(const std::string& text)
{
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(" \t\r") + 1);
        result += line + "\n";
    }
    result.erase(result.find_last_not_of('\n') + 1);
    return result;
}

}  // namespace

std::string Fence::value(const std::string& key) const
{
    for (const std::string& word : info)
        if (word.starts_with(key + "="))
            return word.substr(key.size() + 1);
    return "";
}

std::string GuideSource::prose() const
{
    std::string prose;
    std::istringstream lines(text);
    bool isInside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(kMark))
            isInside = !isInside;
        else if (!isInside)
            prose += line + "\n";
    }
    return prose;
}

std::filesystem::path guideFolder()
{
    return std::filesystem::path(HS_SOURCE_DIR) / "resources" / "guide";
}

std::vector<GuideSource> guideSources()
{
    std::vector<GuideSource> pages;
    for (const auto& entry : std::filesystem::directory_iterator(guideFolder())) {
        if (entry.path().extension() != ".md")
            continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        GuideSource page{entry.path().filename().string(), {std::istreambuf_iterator<char>(stream), {}}, {}};
        page.fences = fencesOf(page.text);
        pages.push_back(std::move(page));
    }
    std::ranges::sort(pages, {}, &GuideSource::name);
    return pages;
}

CommandLines commandLinesOf(const Fence& fence)
{
    CommandLines found;
    std::istringstream lines(fence.text);
    std::string whole;
    for (std::string line; std::getline(lines, line);) {
        whole += line;
        if (whole.ends_with('\\')) {
            whole.pop_back();
            continue;
        }
        const bool isComment = whole.find_first_not_of(" \t") == std::string::npos || whole.starts_with('#');
        if ((whole + " ").starts_with("headscope "))
            found.headscope.push_back(whole);
        else if (!isComment)
            found.others.push_back(whole);
        whole.clear();
    }
    return found;
}

bool isAsShown(const std::string& text, const std::string& shown)
{
    static const std::string kAnything = "…";
    const std::string whole = trimmed(text);
    const std::string pattern = trimmed(shown);
    std::size_t at = 0;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = pattern.find(kAnything, begin);
        const std::string piece = pattern.substr(begin, end - begin);
        if (end == std::string::npos) {
            // The last piece ends the text; without any … it is the whole text.
            return begin == 0 ? whole == piece : whole.size() - at >= piece.size() && whole.ends_with(piece);
        }
        const std::size_t found = whole.find(piece, at);
        if (found == std::string::npos || (begin == 0 && found != 0))
            return false;
        at = found + piece.size();
        begin = end + kAnything.size();
    }
}

}  // namespace hs::test
