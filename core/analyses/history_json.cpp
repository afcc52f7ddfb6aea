#include "analyses/history_json.h"

#include "analyses/head_json.h"

namespace hs::analyses {
namespace {

constexpr double kLastStep = 1e15;

std::int64_t stepFrom(const JsonReader& row)
{
    return static_cast<std::int64_t>(row["step"].number(0, kLastStep));
}

std::vector<stats::HeadStats> statsFrom(const JsonReader& rows, const HeadShape& heads)
{
    // Counted before there is room for them: a shape may claim more heads than memory holds.
    const auto all = rows.items(static_cast<std::size_t>(heads.total()));
    std::vector<stats::HeadStats> stats(static_cast<std::size_t>(heads.total()));
    for (const JsonReader& row : all)
        for (const stats::Metric& metric : stats::allMetrics())
            metric.put(stats[heads.indexOf(headFrom(row, heads))],
                       row[std::string(metric.name).c_str()].numberOrNaN());
    return stats;
}

}  // namespace

Json metricRows(const HeadShape& heads, const std::vector<stats::HeadStats>& stats)
{
    Json rows = Json::array();
    for (const HeadId head : heads.all()) {
        Json row = headRow(head);
        for (const stats::Metric& metric : stats::allMetrics())
            row[std::string(metric.name)] = numberOrNull(metric.of(stats[heads.indexOf(head)]));
        rows.push_back(std::move(row));
    }
    return rows;
}

Json toJson(const History& history)
{
    Json steps = Json::array();
    for (const HistoryPoint& point : history.points)
        steps.push_back({{"step", point.step},
                         {"loss", point.loss ? numberOrNull(*point.loss) : Json()},
                         {"density", numberOrNull(point.density)},
                         {"heads", metricRows(history.heads, point.stats)}});
    Json leftOut = Json::array();
    for (const LeftOutRevision& revision : history.leftOut)
        leftOut.push_back({{"step", revision.step}, {"problem", revision.problem}});
    return {{"shape", toJson(history.heads)},
            {"asked", history.asked},
            {"steps", std::move(steps)},
            {"left_out", std::move(leftOut)}};
}

History historyFrom(const JsonReader& reader)
{
    History history;
    history.heads = shapeFrom(reader["shape"]);
    history.asked = reader["asked"].integer(0, kMostTokens);
    for (const JsonReader& row : reader["steps"].items()) {
        HistoryPoint point;
        point.step = stepFrom(row);
        if (!history.points.empty() && point.step < history.points.back().step)
            row.bad("comes before the step above it");
        if (row["loss"])
            point.loss = row["loss"].number();
        point.density = row["density"].numberOrNaN();
        point.stats = statsFrom(row["heads"], history.heads);
        history.points.push_back(std::move(point));
    }
    for (const JsonReader& row : reader["left_out"].items())
        history.leftOut.push_back({stepFrom(row), row["problem"].text()});
    return history;
}

}  // namespace hs::analyses
