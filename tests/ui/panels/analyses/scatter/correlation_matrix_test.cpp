#include "panels/analyses/scatter/correlation_matrix.h"

#include "support/catch.h"
#include "ui/panels/panel_stage.h"
#include "ui/panels/pointing.h"

#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace hs;
using namespace hs::test;

namespace {

std::shared_ptr<const stats::HeadScatter> scatterOfFive()
{
    auto scatter = std::make_shared<stats::HeadScatter>();
    scatter->pattern = 1;
    scatter->heads = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}};
    scatter->clusters = {1, 0, 2, 0, 1};
    scatter->weights.assign(5, {1.0f});
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 5; ++column)
            scatter->correlations.push_back(row == column ? 1 : 0.1 * row + 0.01 * column);
    scatter->correlations[1] = std::numeric_limits<double>::quiet_NaN();
    return scatter;
}

}  // namespace

TEST_CASE("heads of a cluster stand beside one another, and clusters of several are framed")
{
    const auto scatter = scatterOfFive();
    const std::vector<std::size_t> order = panels::clusteredOrder(*scatter);
    CHECK(order == std::vector<std::size_t>{1, 3, 0, 4, 2});
    CHECK(panels::clusterPlaces(*scatter, order) == std::vector<panels::MatrixCluster>{{0, 1}, {2, 3}});
}

TEST_CASE("every pixel of a matrix's cell or name belongs to that cell or head")
{
    for (const int count : {1, 2, 7, 33, 200})
        for (const QSizeF size : {QSizeF(90, 80), QSizeF(220, 190), QSizeF(700, 400), QSizeF(260, 600)}) {
            const panels::CorrelationGeometry geometry(size, count, 34, 13);
            if (geometry.cell() <= 0)
                continue;
            CHECK(geometry.matrix().right() <= size.width() + 1e-9);
            CHECK(geometry.matrix().bottom() <= size.height() + 1e-9);
            for (int row = 0; row < count; row += 1 + count / 11)
                for (int column = 0; column < count; column += 1 + count / 7) {
                    const QRectF cell = geometry.rectOf({row, column});
                    CHECK(geometry.placeAt(cell.center()) == panels::MatrixPlace{row, column});
                    CHECK(geometry.placeAt(cell.topLeft() + QPointF(0.01, 0.01)) ==
                          panels::MatrixPlace{row, column});
                    CHECK(geometry.placeAt(cell.bottomRight() - QPointF(0.01, 0.01)) ==
                          panels::MatrixPlace{row, column});
                    CHECK_FALSE(geometry.nameAt(cell.center()));
                    CHECK(geometry.nameAt({2, cell.center().y()}) == row);
                    CHECK(geometry.nameAt({cell.center().x(), 2}) == column);
                }
            CHECK_FALSE(geometry.placeAt(geometry.matrix().bottomRight() + QPointF(1, 1)));
            CHECK_FALSE(geometry.placeAt(geometry.matrix().topLeft() - QPointF(1, 1)));
        }
}

TEST_CASE("a click on a cell picks its pair, one on a name picks the head")
{
    panels::CorrelationMatrix matrix;
    matrix.setScatter(scatterOfFive());
    present(matrix, {260, 220});
    QSignalSpy pairs(&matrix, &panels::CorrelationMatrix::pairPicked);
    QSignalSpy heads(&matrix, &panels::CorrelationMatrix::headPicked);
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.geometry().rectOf({0, 3}).center().toPoint());
    REQUIRE(pairs.size() == 1);
    CHECK(pairs.front()[0].value<HeadId>() == HeadId{0, 1});
    CHECK(pairs.front()[1].value<HeadId>() == HeadId{2, 0});
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.geometry().rowName(4).center().toPoint());
    REQUIRE(heads.size() == 1);
    CHECK(heads.front()[0].value<HeadId>() == HeadId{1, 0});
    pointAt(matrix, matrix.geometry().rectOf({1, 2}).center().toPoint());
    CHECK(matrix.pointed() == panels::MatrixPlace{1, 2});
    CHECK(matrix.correlationAt({1, 2}) == Approx(0.3));
    matrix.setScatter(nullptr);
    matrix.grab();
}
