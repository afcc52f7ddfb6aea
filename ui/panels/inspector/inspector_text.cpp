#include "panels/inspector/inspector_text.h"

#include "control/document/token_label.h"
#include "panels/widgets/panel_style.h"
#include "render/translate.h"

#include <cmath>

namespace hs::panels {
namespace {

constexpr int kLongestToken = 18;
constexpr QLatin1String kBetweenFacts("   ");

QString quoted(const QString& label)
{
    const QString text = label.size() > kLongestToken ? label.left(kLongestToken - 1) + QChar(0x2026) : label;
    return QStringLiteral("“%1”").arg(text);
}

QString signedNumber(double value)
{
    return value > 0 ? QLatin1Char('+') + formatNumber(value) : formatNumber(value);
}

/// Lines break between parts, never inside one.
QString joined(QStringList parts)
{
    for (QString& part : parts)
        part.replace(QLatin1Char(' '), QChar::Nbsp);
    return parts.join(kBetweenFacts);
}

}  // namespace

QStringList axisLabels(const control::SideRun& run)
{
    QStringList labels;
    for (const text::Token& token : run.tokens) {
        const QString label = control::tokenLabel(token.text);
        const bool hasSpace = label.size() > 1 && label.startsWith(QChar(0x00b7));
        labels << (hasSpace ? label.mid(1) : label);
    }
    return labels;
}

QString describeCell(const QStringList& labels, std::optional<int> query, std::optional<int> key)
{
    const auto part = [&labels](const char* word, std::optional<int> position) {
        if (!position || *position < 0 || *position >= labels.size())
            return QString();
        return QStringLiteral("%1 %2 %3").arg(render::tr(word)).arg(*position).arg(quoted(labels[*position]));
    };
    const QString queryPart = part(QT_TRANSLATE_NOOP("HeadScope", "query"), query);
    const QString keyPart = part(QT_TRANSLATE_NOOP("HeadScope", "key"), key);
    const QString arrow = queryPart.isEmpty() || keyPart.isEmpty() ? QString() : QStringLiteral(" → ");
    return queryPart + arrow + keyPart;
}

QString describeValues(const CellValues& values, MapView view, bool hasGate)
{
    QStringList parts;
    if (isDifference(view))
        parts << render::tr("difference %1").arg(signedNumber(values.shown));
    if (view == MapView::ValueWeighted)
        parts << render::tr("value-weighted %1").arg(formatNumber(values.shown));
    parts << render::tr("weight %1").arg(formatNumber(values.weight));
    parts << render::tr("score %1").arg(formatNumber(values.score, 2));
    if (hasGate && !std::isnan(values.gate))
        parts << (values.gate > 0.5 ? render::tr("gate open") : render::tr("gate closed"));
    return joined(parts);
}

QString describeComparison(double left, double right)
{
    return joined({render::tr("difference %1").arg(signedNumber(right - left)),
                   render::tr("left %1").arg(formatNumber(left)),
                   render::tr("right %1").arg(formatNumber(right))});
}

QString describeStats(const stats::HeadStats& stats)
{
    return QStringList{
        render::tr("density %1").arg(formatPercent(stats.density)),
        render::tr("entropy %1").arg(formatNumber(stats.entropy, 2)),
        render::tr("peak %1").arg(formatNumber(stats.peak, 2)),
        render::tr("previous %1").arg(formatNumber(stats.previousToken, 2)),
        render::tr("first %1").arg(formatNumber(stats.firstToken, 2)),
        render::tr("induction %1").arg(formatNumber(stats.induction, 2)),
    }
        .join(QStringLiteral(" · "));
}

QString nameOf(MapView view)
{
    switch (view) {
    case MapView::Weights: return render::tr("Weights");
    case MapView::Scores: return render::tr("Scores");
    case MapView::Gate: return render::tr("Gate");
    case MapView::ValueWeighted: return render::tr("Value-weighted");
    case MapView::BetweenSides: return render::tr("Right − left");
    case MapView::AfterAblation: return render::tr("After − before ablation");
    }
    return {};
}

}  // namespace hs::panels
