#include "figures/parts/data_table.h"
#include "support/bytes_of.h"

#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <cmath>
#include <limits>

using namespace hs;

namespace {

constexpr double kEmpty = std::numeric_limits<double>::quiet_NaN();

figures::DataTable sample()
{
    return {{{"layer", {0, 1, 2}}, {"weight, \"raw\"", {0.1, kEmpty, 1e-300}}}};
}

}  // namespace

TEST_CASE("a csv has a line a row, shortest digits, and nothing for a value that is not there")
{
    const test::TempDir folder;
    REQUIRE(figures::writeTable(sample(), folder / "data.CSV").ok());
    CHECK(test::bytesOf(folder / "data.CSV") == "layer,\"weight, \"\"raw\"\"\"\n0,0.1\n1,\n2,1e-300\n");
}

TEST_CASE("an npz has an array a column")
{
    const test::TempDir folder;
    REQUIRE(figures::writeTable(sample(), folder / "data.npz").value() == folder / "data.npz");
    const auto arrays = test::readNpz(folder / "data.npz");
    REQUIRE(arrays.size() == 2);
    CHECK(arrays.at("layer").type == "<f8");
    CHECK(arrays.at("layer").shape == std::vector<std::int64_t>{3});
    CHECK(arrays.at("layer").as<double>() == std::vector<double>{0, 1, 2});
    CHECK(std::isnan(arrays.at("weight, \"raw\"").as<double>()[1]));
}

TEST_CASE("a table of nothing is a file all the same")
{
    const test::TempDir folder;
    CHECK(figures::writeTable({}, folder / "data.csv").ok());
    CHECK(figures::writeTable({{{"layer", {}}}}, folder / "data.npz").ok());
}

TEST_CASE("a table that cannot be written says why and leaves nothing behind")
{
    const test::TempDir folder;
    CHECK(figures::writeTable(sample(), folder / "data.txt").error().message.find(".csv or .npz") !=
          std::string::npos);
    CHECK_FALSE(figures::writeTable(sample(), folder / "missing" / "data.csv").ok());
    figures::DataTable ragged = sample();
    ragged.columns[0].values.pop_back();
    CHECK(figures::writeTable(ragged, folder / "data.csv").error().code == ErrorCode::Internal);
    CHECK(figures::writeTable(ragged, folder / "data.npz").error().code == ErrorCode::Internal);
    CHECK(std::filesystem::is_empty(folder.path()));
}
