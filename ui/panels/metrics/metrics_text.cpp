#include "panels/metrics/metrics_text.h"

#include "panels/metrics/metrics_model.h"
#include "panels/metrics/metrics_order.h"
#include "panels/widgets/metric_names.h"

#include <QStringList>

#include <cmath>

namespace hs::panels {
namespace {

QString quotedFor(QChar separator, QString text)
{
    if (!text.contains(separator) && !text.contains(QLatin1Char('"')))
        return text;
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString field(const MetricsModel& model, int row, int column)
{
    using Kind = MetricsModel::Column::Kind;
    const Kind kind = model.column(column).kind;
    if (kind == Kind::Head || kind == Kind::Ablated)
        return model.index(row, column).data().toString();
    const double value = model.value(row, column);
    return std::isfinite(value) ? QString::number(value, 'g', 9) : QString();
}

QString name(const MetricsModel& model, int column)
{
    using Kind = MetricsModel::Column::Kind;
    const MetricsModel::Column& what = model.column(column);
    if (what.kind == Kind::Head || what.kind == Kind::Ablated)
        return what.kind == Kind::Head ? QStringLiteral("head") : QStringLiteral("ablated");
    const QString metric = nameOf(*what.metric);
    if (what.kind == Kind::Change)
        return metric + QStringLiteral("_change");
    return metric + (what.side == Side::Left ? QStringLiteral("_left") : QStringLiteral("_right"));
}

}  // namespace

QString metricsText(const MetricsModel& model, const MetricsOrder& order, const std::vector<int>& rows,
                    const std::vector<int>& columns, QChar separator)
{
    QString text;
    QStringList fields;
    for (const int column : columns)
        fields << quotedFor(separator, name(model, column));
    text += fields.join(separator) + QLatin1Char('\n');
    for (const int row : rows) {
        fields.clear();
        const int source = order.mapToSource(order.index(row, 0)).row();
        for (const int column : columns)
            fields << quotedFor(separator, field(model, source, column));
        text += fields.join(separator) + QLatin1Char('\n');
    }
    return text;
}

}  // namespace hs::panels
