#include "control/document/shown_heads.h"

#include "support/catch.h"

#include <limits>

using namespace hs;

namespace {

std::vector<stats::HeadStats> statsWithPeaks(std::initializer_list<double> peaks)
{
    std::vector<stats::HeadStats> stats;
    for (const double peak : peaks)
        stats.emplace_back().peak = peak;
    return stats;
}

}  // namespace

TEST_CASE("a matrix shows every n-th layer and a range of heads")
{
    control::GridChoice choice;
    CHECK(control::headsShown(choice, {3, 2, 2}, {}).size() == 6);
    choice.layerStep = 2;
    choice.firstHead = 1;
    choice.lastHead = 2;
    CHECK(control::headsShown(choice, {4, 4, 4}, {}) == std::vector<HeadId>{{0, 1}, {0, 2}, {2, 1}, {2, 2}});
    choice.hidden = {{2, 1}};
    CHECK(control::headsShown(choice, {4, 4, 4}, {}) == std::vector<HeadId>{{0, 1}, {0, 2}, {2, 2}});
    CHECK(control::flowShown(choice, 3) == render::TileFlow{});
}

TEST_CASE("even layers by heads 0 to 15 of 32 by 32 make 16 by 16")
{
    control::GridChoice choice;
    choice.layerStep = 2;
    choice.lastHead = 15;
    CHECK(control::headsShown(choice, {32, 32, 32}, {}).size() == 256);
}

TEST_CASE("choices that make no sense show what there is")
{
    control::GridChoice choice;
    choice.layerStep = GENERATE(-3, 0, std::numeric_limits<int>::max());
    choice.firstHead = -5;
    choice.lastHead = 1000;
    const std::vector<HeadId> heads = control::headsShown(choice, {3, 2, 2}, {});
    CHECK(heads.size() == (choice.layerStep > 1 ? 2 : 6));
    CHECK(control::headsShown(choice, {}, {}).empty());
}

TEST_CASE("a list keeps its order, without repeats and heads the model lacks")
{
    control::GridChoice choice;
    choice.form = control::GridChoice::Form::List;
    choice.list = {{1, 0}, {0, 1}, {1, 0}, {7, 0}};
    CHECK(control::headsShown(choice, {2, 2, 2}, {}) == std::vector<HeadId>{{1, 0}, {0, 1}});
    choice.list.clear();
    CHECK(control::headsShown(choice, {2, 2, 2}, {}).size() == 4);
}

TEST_CASE("a ranked list goes by its metric, equal heads by name, unknown values last")
{
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const std::vector<stats::HeadStats> stats = statsWithPeaks({0.2, unknown, 0.7, 0.2});
    control::GridChoice choice;
    choice.form = control::GridChoice::Form::List;
    choice.list = {{1, 1}, {0, 1}, {1, 0}, {0, 0}};
    choice.order = QStringLiteral("peak");
    CHECK(control::headsShown(choice, {2, 2, 2}, {stats, {}, {}}) ==
          std::vector<HeadId>{{1, 0}, {0, 0}, {1, 1}, {0, 1}});
    choice.isAscending = true;
    CHECK(control::headsShown(choice, {2, 2, 2}, {stats, {}, {}}) ==
          std::vector<HeadId>{{0, 0}, {1, 1}, {1, 0}, {0, 1}});
    choice.order = QStringLiteral("no such metric");
    CHECK(control::headsShown(choice, {2, 2, 2}, {stats, {}, {}}) == choice.list);
    choice.order = QStringLiteral("peak");
    CHECK(control::headsShown(choice, {2, 2, 2}, {}) == choice.list);
}

TEST_CASE("an order by kind puts heads of a kind together, by name within it, heads without one last")
{
    using Kind = stats::HeadKind;
    const std::vector<stats::HeadStats> stats(6);
    const std::vector<std::optional<Kind>> kinds = {Kind::Sink, std::nullopt,        Kind::PreviousToken,
                                                    Kind::Sink, Kind::PreviousToken, Kind::Broad};
    control::GridChoice choice;
    choice.form = control::GridChoice::Form::List;
    choice.order = control::kByKind;
    CHECK(control::headsShown(choice, {2, 3, 3}, {stats, kinds, {}}) ==
          std::vector<HeadId>{{0, 2}, {1, 1}, {1, 2}, {0, 0}, {1, 0}, {0, 1}});
    CHECK(control::headsShown(choice, {2, 3, 3}, {}) ==
          std::vector<HeadId>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}});
}

TEST_CASE("an order by likeness is followed by the heads that are shown, and the given one until it is known")
{
    const std::vector<stats::HeadStats> stats(4);
    const std::vector<HeadId> byLikeness = {{1, 0}, {0, 0}, {1, 1}, {0, 1}};
    control::GridChoice choice;
    choice.form = control::GridChoice::Form::List;
    choice.order = control::kByLikeness;
    choice.hidden = {{0, 0}};
    CHECK(control::headsShown(choice, {2, 2, 2}, {stats, {}, byLikeness}) ==
          std::vector<HeadId>{{1, 0}, {1, 1}, {0, 1}});
    CHECK(control::headsShown(choice, {2, 2, 2}, {stats, {}, {}}) ==
          std::vector<HeadId>{{0, 1}, {1, 0}, {1, 1}});
}

TEST_CASE("a list without columns is wrapped as papers do it")
{
    control::GridChoice choice;
    choice.form = control::GridChoice::Form::List;
    CHECK(control::flowShown(choice, 9).count == 9);
    CHECK(control::flowShown(choice, 61).count == 9);
    CHECK(control::flowShown(choice, 155).count == 16);
    CHECK(control::flowShown(choice, 0).count == 1);
    CHECK(control::flowShown(choice, 1024).count == 37);
    choice.columns = 5;
    CHECK(control::flowShown(choice, 61).count == 5);
}
