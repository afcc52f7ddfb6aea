#include "e2e/guide/guide_page.h"
#include "e2e/guide/source_messages.h"
#include "e2e/program.h"
#include "support/catch.h"

#include <algorithm>
#include <regex>
#include <set>

using namespace hs::test;
namespace fs = std::filesystem;

namespace {

std::string pageText(const std::string& name)
{
    for (const GuideSource& page : guideSources())
        if (page.name == name)
            return page.text;
    FAIL("the guide has no page " << name);
    return "";
}

/// Headings as links name them.
std::set<std::string> anchorsOf(const GuideSource& page)
{
    std::set<std::string> anchors;
    static const std::regex heading("(^|\n)#+ ([^\n]*)");
    const std::string prose = page.prose();
    for (std::sregex_iterator at(prose.begin(), prose.end(), heading), end; at != end; ++at) {
        std::string anchor;
        for (const char letter : (*at)[2].str()) {
            if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '-' || letter == '_')
                anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
            else if (letter == ' ')
                anchor += '-';
        }
        anchors.insert(anchor);
    }
    return anchors;
}

std::vector<std::string> linksOf(const GuideSource& page)
{
    std::vector<std::string> links;
    static const std::regex link(R"(\]\(([^)\s]+)\))");
    const std::string prose = page.prose();
    for (std::sregex_iterator at(prose.begin(), prose.end(), link), end; at != end; ++at)
        links.push_back((*at)[1]);
    return links;
}

}  // namespace

TEST_CASE("the command line reference is what the program prints")
{
    const Outcome printed = headscope({"reference"});
    REQUIRE(printed.exitCode == 0);
    INFO("write it again: headscope reference --out resources/guide/command-line.md");
    CHECK(printed.out == pageText("command-line.md"));
}

TEST_CASE("links of the guide lead to pages, headings and pictures of the guide")
{
    const std::vector<GuideSource> pages = guideSources();
    for (const GuideSource& page : pages)
        for (const std::string& link : linksOf(page)) {
            CAPTURE(page.name, link);
            if (link.starts_with("https://"))
                continue;
            const std::size_t hash = link.find('#');
            const std::string target = hash == 0 ? page.name : link.substr(0, hash);
            CHECK(fs::exists(guideFolder() / target));
            CHECK(target.find("..") == std::string::npos);  // the window shows nothing outside the guide
            const auto at = std::ranges::find(pages, target, &GuideSource::name);
            if (hash != std::string::npos) {
                REQUIRE(at != pages.end());
                CHECK(anchorsOf(*at).contains(link.substr(hash + 1)));
            }
        }
}

TEST_CASE("the index leads to every page, and every page leads on")
{
    const std::string index = pageText("index.md");
    for (const GuideSource& page : guideSources()) {
        CAPTURE(page.name);
        CHECK(page.text.starts_with("# "));
        const std::vector<std::string> links = linksOf(page);
        CHECK(std::ranges::any_of(links,
                                  [](const std::string& link) { return link.find(".md") != link.npos; }));
        if (page.name != "index.md")
            CHECK(index.find("](" + page.name + ")") != std::string::npos);
    }
}

TEST_CASE("no picture of the guide is there for nothing")
{
    std::set<std::string> shown;
    for (const GuideSource& page : guideSources())
        for (const std::string& link : linksOf(page))
            shown.insert(link);
    for (const auto& entry : fs::recursive_directory_iterator(guideFolder()))
        if (entry.path().extension() == ".png") {
            CAPTURE(entry.path());
            CHECK(shown.contains(entry.path().lexically_relative(guideFolder()).generic_string()));
        }
}

TEST_CASE("messages that the guide explains are messages of the program")
{
    const std::vector<std::string> words = sourceWords(HS_SOURCE_DIR);
    GuideSource page;
    page.text = pageText("troubleshooting.md");
    const std::vector<std::string> messages = explainedMessages(page.prose());
    CHECK(messages.size() >= 30);
    for (const std::string& message : messages) {
        CAPTURE(message);
        CHECK(isSaid(message, words));
    }
}

TEST_CASE("a message that nobody says is noticed")
{
    const std::vector<std::string> words = {
        wordsIn("fail(X, name + \" is not \\\"here\\\"; \"\n \"fetch it.\"); // \"a remark\"\n")};
    CHECK(isSaid("… is not \"here\"; fetch it.", words));
    CHECK_FALSE(isSaid("… is not \"here\"; find it.", words));
    CHECK_FALSE(isSaid("a remark", words));
    CHECK(explainedMessages("# A\n\n> Cannot read …;\n> check the path.\n\ntext\n\n> B.\n") ==
          std::vector<std::string>{"Cannot read …; check the path.", "B."});
}
