#include "panels/analyses/scatter/scatter_tables.h"

#include "panels/widgets/panel_style.h"
#include "render/translate.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

namespace hs::panels {
namespace {

std::optional<std::size_t> indexOfHead(const stats::HeadScatter& scatter, HeadId head)
{
    const auto found = std::find(scatter.heads.begin(), scatter.heads.end(), head);
    if (found == scatter.heads.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - scatter.heads.begin());
}

}  // namespace

Result<std::vector<HeadId>> headsIn(const QString& text, const std::array<HeadShape, 2>& shapes)
{
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    std::vector<HeadId> heads;
    std::set<HeadId> seen;
    for (const QString& item : text.split(separators, Qt::SkipEmptyParts)) {
        std::optional<Error> error;
        bool isRead = false;
        for (const HeadShape& shape : shapes) {
            if (shape.total() == 0)
                continue;
            const Result<std::vector<HeadId>> parsed = parseHeads(item.toStdString(), shape);
            if (!parsed) {
                error = error ? error : parsed.error();
                continue;
            }
            isRead = true;
            for (const HeadId head : *parsed)
                if (seen.insert(head).second)
                    heads.push_back(head);
        }
        if (!isRead)
            return error.value_or(Error{ErrorCode::NotFound, "There is no model yet; open one first.", {}});
    }
    return heads;
}

QString headsText(const std::vector<HeadId>& heads)
{
    QStringList names;
    for (const HeadId head : heads)
        names << QString::fromStdString(toString(head));
    return names.join(QStringLiteral(", "));
}

std::optional<std::pair<HeadId, HeadId>> mostAlike(const stats::HeadScatter& scatter)
{
    std::optional<std::pair<HeadId, HeadId>> alike;
    double largest = -2;
    for (std::size_t row = 0; row < scatter.heads.size(); ++row)
        for (std::size_t column = row + 1; column < scatter.heads.size(); ++column) {
            const double correlation = scatter.correlation(row, column);
            if (alike && !(correlation > largest))
                continue;
            alike = {scatter.heads[row], scatter.heads[column]};
            largest = std::isnan(correlation) ? largest : correlation;
        }
    return alike;
}

ScatterPoints pointsOf(const stats::HeadScatter& scatter, HeadId across, HeadId up, const QString& title)
{
    ScatterPoints points;
    const auto first = indexOfHead(scatter, across);
    const auto second = indexOfHead(scatter, up);
    if (!first || !second)
        return points;
    points.title = tr("%1, r = %2").arg(title, formatNumber(scatter.correlation(*first, *second), 2));
    std::size_t cell = 0;
    for (int query = 0; query < scatter.pattern.queries; ++query)
        for (int key = 0; key < scatter.pattern.keysOf(query); ++key, ++cell)
            points.points.push_back(
                {{query, key}, scatter.weights[*first][cell], scatter.weights[*second][cell]});
    return points;
}

figures::DataTable scatterTable(const std::array<const stats::HeadScatter*, 2>& sides)
{
    figures::DataTable table{{{"side", {}},
                              {"layer", {}},
                              {"head", {}},
                              {"cluster", {}},
                              {"other_layer", {}},
                              {"other_head", {}},
                              {"correlation", {}}}};
    for (const Side side : kSides) {
        const stats::HeadScatter* const scatter = sides[indexOf(side)];
        for (std::size_t row = 0; scatter && row < scatter->heads.size(); ++row)
            for (std::size_t column = 0; column < scatter->heads.size(); ++column) {
                std::size_t at = 0;
                for (const double value :
                     {static_cast<double>(indexOf(side)), static_cast<double>(scatter->heads[row].layer),
                      static_cast<double>(scatter->heads[row].head),
                      static_cast<double>(scatter->clusters[row]),
                      static_cast<double>(scatter->heads[column].layer),
                      static_cast<double>(scatter->heads[column].head), scatter->correlation(row, column)})
                    table.columns[at++].values.push_back(value);
            }
    }
    return table;
}

}  // namespace hs::panels
