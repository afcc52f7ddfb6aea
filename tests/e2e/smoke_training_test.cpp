#include "done.h"
#include "support/catch.h"
#include "training_setup.h"

#include <map>
#include <regex>
#include <sstream>

using namespace hs::test;
namespace fs = std::filesystem;

namespace {

using Row = std::map<std::string, double>;

/// The measurements of the held-out part, by column.
std::vector<Row> looksIn(const fs::path& curve)
{
    std::istringstream lines(bytesOf(curve));
    std::string line;
    std::getline(lines, line);
    std::vector<std::string> columns;
    std::istringstream header(line);
    for (std::string column; std::getline(header, column, ',');)
        columns.push_back(column);
    std::vector<Row> looks;
    while (std::getline(lines, line)) {
        Row row;
        std::istringstream fields(line);
        std::size_t column = 0;
        for (std::string field; std::getline(fields, field, ','); ++column)
            row[columns.at(column)] = field.empty() ? 0 : std::stod(field);
        if (row.contains("held_out_density"))
            looks.push_back(row);
    }
    return looks;
}

}  // namespace

TEST_CASE("a smoke training on the processor learns, and stays as good with few edges", "[slow]")
{
    const TempDir folder;
    const std::string config = folder.write("config.json", smallConfig(2, 4, 64)).string();
    const std::string dense = (folder / "dense").string();
    done({"train", "--tasks", "--config", config, "--out", dense, "--device", "cpu", "--rows", "96",
          "--steps", "700", "--rate", "3e-3", "--measure-every", "350"});
    const Row learnt = looksIn(folder / "dense/training_curve.csv").back();
    CHECK(learnt.at("score opposites") > 0.9);
    CHECK(learnt.at("score agreement") > 0.9);
    CHECK(learnt.at("score greater than") > 0.8);
    CHECK(learnt.at("score indirect objects") > 0.25);  // 0.03 by chance

    // Succeeds only if the constraint is met; a price that changes slowly stays well within it.
    const Outcome outcome = done({"sparsify",
                                  "--model",
                                  dense,
                                  "--tasks",
                                  "--out",
                                  (folder / "sparse").string(),
                                  "--device",
                                  "cpu",
                                  "--rows",
                                  "96",
                                  "--steps",
                                  "400",
                                  "--rate",
                                  "1e-3",
                                  "--measure-every",
                                  "100",
                                  "--tolerance",
                                  "0.3",
                                  "--score-tolerance",
                                  "0.15",
                                  "--speed",
                                  "0.003",
                                  "--price",
                                  "0.3",
                                  "--averaging",
                                  "0.97"});
    std::smatch found;
    REQUIRE(std::regex_search(outcome.err, found, std::regex("([0-9.]+) % of edges active")));
    INFO(outcome.err);
    CHECK(std::stod(found[1]) < 10);
}
