#include "panels/prompt/next_tokens.h"

#include "panels/prompt/prediction_rows.h"
#include "panels/widgets/shown_tokens.h"

#include <QEvent>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kTokenLetters = 14;
constexpr int kLineLetters = 44;
constexpr int kLinePadding = 12;

const PredictionRow* mostProbable(const std::vector<PredictionRow>& rows, Side side)
{
    const auto share = [side](const PredictionRow& row) {
        const auto& change = row.sides[indexOf(side)];
        return change && !change->after.isBound ? change->after.value : 0.0;
    };
    const auto best = std::max_element(rows.begin(), rows.end(), [&](const auto& one, const auto& other) {
        return share(one) < share(other);
    });
    return best == rows.end() || share(*best) <= 0 ? nullptr : &*best;
}

}  // namespace

NextTokens::NextTokens(control::Explorer& explorer, QWidget* parent)
    : QToolButton(parent), m_explorer(explorer)
{
    setObjectName(QStringLiteral("nextTokens"));
    setAutoRaise(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&explorer, &control::Explorer::stateChanged, this, &NextTokens::refresh);
    refresh();
}

void NextTokens::refresh()
{
    const std::vector<PredictionRow> rows = predictionRows(m_explorer);
    const int widest = kTokenLetters * fontMetrics().averageCharWidth();
    QStringList parts;
    QStringList words;
    bool isStale = false;
    for (const Side side : kSides)
        if (const PredictionRow* const row = mostProbable(rows, side)) {
            const control::SideState& state = m_explorer.state(side);
            const ProbabilityChange& change = *row->sides[indexOf(side)];
            parts << QStringLiteral("%1 %2").arg(fontMetrics().elidedText(row->label, Qt::ElideRight, widest),
                                                 describeChange(change, false));
            words << tr("%1: “%2” %3")
                         .arg(sideTitle(m_explorer, side), row->label,
                              describeChange(change, hasAblations(state)));
            isStale = isStale || state.isStale;
        }
    const QString line = tr("next token  %1").arg(parts.join(QStringLiteral(" | ")));
    setText(fontMetrics()
                .elidedText(line, Qt::ElideRight, sizeHint().width() - kLinePadding)
                .replace(QLatin1Char('&'), QStringLiteral("&&")));
    setAccessibleName(tr("Next token: %1").arg(words.join(QStringLiteral(", "))));
    setToolTip(words.join(QLatin1Char('\n')) + QLatin1Char('\n') + tr("Click: all predictions"));
    setForegroundRole(isStale ? QPalette::PlaceholderText : QPalette::ButtonText);
    setVisible(!parts.isEmpty());
}

QSize NextTokens::sizeHint() const
{
    return {kLineLetters * fontMetrics().averageCharWidth() + kLinePadding, QToolButton::sizeHint().height()};
}

void NextTokens::changeEvent(QEvent* event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        refresh();
}

}  // namespace hs::panels
