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

QStringList axisNames(const std::vector<text::Token>& tokens)
{
    QStringList labels;
    for (const text::Token& token : tokens) {
        const QString label = control::tokenLabel(token.text);
        const bool hasSpace = label.size() > 1 && label.startsWith(QChar(0x00b7));
        labels << (hasSpace ? label.mid(1) : label);
    }
    return labels;
}

/// Lines break only between parts.
QString joined(QStringList parts)
{
    for (QString& part : parts)
        part.replace(QLatin1Char(' '), QChar::Nbsp);
    return parts.join(kBetweenFacts);
}

}  // namespace

AxisLabels axisLabels(const control::SideRun& run)
{
    return {axisNames(run.tokens), axisNames(run.tokensOfKeys())};
}

QString describeCell(const AxisLabels& axes, std::optional<text::TokenSpan> query,
                     std::optional<text::TokenSpan> key)
{
    const auto part = [](const QStringList& labels, const QString& one, const QString& several,
                         const std::optional<text::TokenSpan>& span) {
        if (!span || span->first < 0 || span->last >= labels.size())
            return QString();
        if (span->first == span->last)
            return one.arg(span->first).arg(quoted(labels[span->first]));
        const QStringList texts = labels.mid(span->first, span->last + 1 - span->first);
        return several.arg(span->first).arg(span->last).arg(quoted(texts.join(QLatin1Char('|'))));
    };
    const QString queryPart = part(axes.queries, tr("query %1 %2"), tr("queries %1–%2 %3"), query);
    const QString keyPart = part(axes.keys, tr("key %1 %2"), tr("keys %1–%2 %3"), key);
    const QString arrow = queryPart.isEmpty() || keyPart.isEmpty() ? QString() : QStringLiteral(" → ");
    return queryPart + arrow + keyPart;
}

QString describeValues(const CellValues& values, MapView view, bool hasScores, bool hasGate)
{
    QStringList parts;
    if (isDifference(view))
        parts << tr("difference %1").arg(signedNumber(values.shown));
    if (view == MapView::ValueWeighted)
        parts << tr("value-weighted %1").arg(formatNumber(values.shown));
    parts << tr("weight %1").arg(formatNumber(values.weight));
    if (hasScores)
        parts << tr("score %1").arg(formatNumber(values.score, 2));
    if (hasGate && !std::isnan(values.gate))
        parts << (values.gate > 0.5 ? tr("gate open") : tr("gate closed"));
    return joined(parts);
}

QString describeComparison(double left, double right)
{
    return joined({tr("difference %1").arg(signedNumber(right - left)), tr("left %1").arg(formatNumber(left)),
                   tr("right %1").arg(formatNumber(right))});
}

QString describeStats(const stats::HeadStats& stats)
{
    QStringList parts = {tr("density %1").arg(formatPercent(stats.density)),
                         tr("entropy %1").arg(formatNumber(stats.entropy, 2)),
                         tr("peak %1").arg(formatNumber(stats.peak, 2))};
    const auto add = [&](const QString& text, double value) {
        if (!std::isnan(value))
            parts << text.arg(formatNumber(value, 2));
    };
    add(tr("previous %1"), stats.previousToken);
    add(tr("first %1"), stats.firstToken);
    add(tr("induction %1"), stats.induction);
    return parts.join(QStringLiteral(" · "));
}

QString nameOf(MapView view)
{
    switch (view) {
    case MapView::Weights: return tr("Weights");
    case MapView::Scores: return tr("Scores");
    case MapView::Gate: return tr("Gate");
    case MapView::ValueWeighted: return tr("Value-weighted");
    case MapView::BetweenSides: return tr("Right − left");
    case MapView::AfterAblation: return tr("After − before ablation");
    }
    return {};
}

}  // namespace hs::panels
