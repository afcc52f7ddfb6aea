#include "train/model_card.h"

#include "support/catch.h"
#include "support/temp_dir.h"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace hs;

namespace {

train::Job job()
{
    train::Job job;
    job.names = {"org/base-model", "prose", "each with a first token"};
    job.rows = 31;
    job.length = 257;
    job.options.rate = 0.00015;
    job.options.seed = 977;
    job.options.sparsity.emplace();
    job.options.sparsity->tolerance = 0.0512;
    job.options.sparsity->headPenalty = 11;
    job.options.sparsity->silentHeads = 19;
    return job;
}

train::Outcome outcome()
{
    train::Outcome outcome;
    outcome.step = 4321;
    outcome.planned = 5678;
    outcome.measure.groups = {{"prose", 2.5, 0.0471, NAN, 0}, {"answers", 1.5, 0.0333, 0.875, 16}};
    outcome.measure.crossEntropy = 2.125;
    outcome.measure.divergence = 0.0402;
    outcome.measure.density = 0.0173;
    outcome.measure.heads = 270;
    outcome.measure.headsEverActive = 251;
    outcome.measure.mostHeadsActive = 171;
    outcome.measure.meanHeadsActive = 133.5;
    outcome.dense.emplace();
    outcome.dense->crossEntropy = 2.0625;
    outcome.lengths = {{16, 0.361, 0.021, 122}, {1024, 0.0091, 0.049, 144}};
    return outcome;
}

std::string card(const train::Job& of = job())
{
    return train::modelCard(of, of.options, outcome());
}

std::set<std::string> numbersIn(const std::string& text)
{
    std::set<std::string> numbers;
    const std::regex number("[0-9][0-9.,e-]*[0-9]|[0-9]");
    for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at)
        numbers.insert(at->str());
    return numbers;
}

}  // namespace

TEST_CASE("a model card has every number of the outcome and the recipe, and no other")
{
    const std::set<std::string> wanted = {"0.0471",  "0.0333", "87.5",   "2.125", "0.0402", "1.73",  "270",
                                          "251",     "171",    "133.5",  "2.062", "16",     "36.1",  "0.021",
                                          "122",     "1,024",  "0.91",   "144",   "31",     "0.049", "257",
                                          "0.00015", "977",    "0.0512", "11",    "19",     "4,321", "5,678"};
    std::string text = card();
    const std::string version = HS_VERSION;
    const std::size_t at = text.find(version);
    REQUIRE(at != std::string::npos);
    text.erase(at, version.size());
    CHECK(numbersIn(text) == wanted);
}

TEST_CASE("a model card says how rows began, whether the tolerance was kept, and what transformers needs")
{
    CHECK(card().starts_with("---\nbase_model: \"org/base-model\"\nlibrary_name: headscope\ntags:\n"));
    CHECK(card().find("each with a first token") != std::string::npos);
    CHECK(card().find("score gate") != std::string::npos);
    CHECK(card().find("not kept") == std::string::npos);
    train::Outcome missed = outcome();
    missed.meetsConstraint = false;
    CHECK(train::modelCard(job(), job().options, missed).find("not kept") != std::string::npos);
}

TEST_CASE("hostile names stay text in a model card")
{
    train::Job hostile = job();
    hostile.names.base = "a\"\n---\nlicense: mit\n# [x](http://y) <script>\x01\xff";
    hostile.names.data = "| a | `b` **c**\n\n## Heading\n<img src=x>";
    const std::string text = card(hostile);
    std::istringstream lines(text);
    std::vector<std::string> rules;
    for (std::string line; std::getline(lines, line);) {
        CHECK_FALSE(line.starts_with("license"));
        CHECK_FALSE(line.starts_with("## Heading"));
        if (line == "---")
            rules.push_back(line);
    }
    CHECK(rules.size() == 2);
    CHECK(text.find("base_model: \"a\\\" --- license: mit # [x](http://y) <script> ") != std::string::npos);
    CHECK(text.find("\\<img src\\=x\\>") != std::string::npos);
    CHECK(text.find("\\| a \\| \\`b\\` \\*\\*c\\*\\*") != std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
    CHECK(text.find('\x01') == std::string::npos);
    CHECK(text.substr(text.find("---\n\n")).find(" <script>") == std::string::npos);
}

TEST_CASE("somebody else's README is left alone, the program's own is replaced")
{
    const test::TempDir folder;
    train::Job written = job();
    written.out = folder.path();
    const auto content = [&] {
        std::ifstream file(folder / "README.md");
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    train::writeModelCard(written, written.options, outcome());
    CHECK(content() == card());
    written.rows = 7;
    train::writeModelCard(written, written.options, outcome());
    CHECK(content() == card(written));
    folder.write("README.md", "mine");
    train::writeModelCard(written, written.options, outcome());
    CHECK(content() == "mine");
}
