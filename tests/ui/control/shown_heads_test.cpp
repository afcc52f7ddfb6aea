#include "control/shown_heads.h"

#include "support/catch.h"

#include <limits>

using namespace hs;

namespace {

std::vector<HeadStats> statsWithPeaks(std::initializer_list<double> peaks)
{
    std::vector<HeadStats> stats;
    for (const double peak : peaks)
        stats.emplace_back().peak = peak;
    return stats;
}

}  // namespace

TEST_CASE("a matrix shows every n-th layer and a range of heads")
{
    GridChoice choice;
    CHECK(headsShown(choice, {3, 2, 2}, {}).size() == 6);
    choice.layerStep = 2;
    choice.firstHead = 1;
    choice.lastHead = 2;
    CHECK(headsShown(choice, {4, 4, 4}, {}) == std::vector<HeadId>{{0, 1}, {0, 2}, {2, 1}, {2, 2}});
    choice.hidden = {{2, 1}};
    CHECK(headsShown(choice, {4, 4, 4}, {}) == std::vector<HeadId>{{0, 1}, {0, 2}, {2, 2}});
    CHECK(columnsShown(choice, 3) == 0);
}

TEST_CASE("even layers by heads 0 to 15 of 32 by 32 make 16 by 16")
{
    GridChoice choice;
    choice.layerStep = 2;
    choice.lastHead = 15;
    CHECK(headsShown(choice, {32, 32, 32}, {}).size() == 256);
}

TEST_CASE("choices that make no sense show what there is")
{
    GridChoice choice;
    choice.layerStep = GENERATE(-3, 0, std::numeric_limits<int>::max());
    choice.firstHead = -5;
    choice.lastHead = 1000;
    const std::vector<HeadId> heads = headsShown(choice, {3, 2, 2}, {});
    CHECK(heads.size() == (choice.layerStep > 1 ? 2 : 6));
    CHECK(headsShown(choice, {}, {}).empty());
}

TEST_CASE("a list keeps its order, without repeats and heads the model lacks")
{
    GridChoice choice;
    choice.form = GridChoice::Form::List;
    choice.list = {{1, 0}, {0, 1}, {1, 0}, {7, 0}};
    CHECK(headsShown(choice, {2, 2, 2}, {}) == std::vector<HeadId>{{1, 0}, {0, 1}});
    choice.list.clear();
    CHECK(headsShown(choice, {2, 2, 2}, {}).size() == 4);
}

TEST_CASE("a ranked list goes by its metric, equal heads by name, unknown values last")
{
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const std::vector<HeadStats> stats = statsWithPeaks({0.2, unknown, 0.7, 0.2});
    GridChoice choice;
    choice.form = GridChoice::Form::List;
    choice.list = {{1, 1}, {0, 1}, {1, 0}, {0, 0}};
    choice.order = QStringLiteral("peak");
    CHECK(headsShown(choice, {2, 2, 2}, stats) == std::vector<HeadId>{{1, 0}, {0, 0}, {1, 1}, {0, 1}});
    choice.isAscending = true;
    CHECK(headsShown(choice, {2, 2, 2}, stats) == std::vector<HeadId>{{0, 0}, {1, 1}, {1, 0}, {0, 1}});
    choice.order = QStringLiteral("no such metric");
    CHECK(headsShown(choice, {2, 2, 2}, stats) == choice.list);
    choice.order = QStringLiteral("peak");
    CHECK(headsShown(choice, {2, 2, 2}, {}) == choice.list);
}

TEST_CASE("a list without columns is wrapped as papers do it")
{
    GridChoice choice;
    choice.form = GridChoice::Form::List;
    CHECK(columnsShown(choice, 9) == 9);
    CHECK(columnsShown(choice, 61) == 9);
    CHECK(columnsShown(choice, 155) == 16);
    CHECK(columnsShown(choice, 0) == 1);
    CHECK(columnsShown(choice, 1024) == 37);
    choice.columns = 5;
    CHECK(columnsShown(choice, 61) == 5);
}
