#include "panels/prompt/watched_tokens.h"

#include "panels/prompt/prediction_rows.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/target_fields.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace hs::panels {
namespace {

QString change(double before, double after, bool hasBefore)
{
    const QString now = formatNumber(after, 2);
    return hasBefore ? QStringLiteral("%1 → %2").arg(formatNumber(before, 2), now) : now;
}

}  // namespace

WatchedTokens::WatchedTokens(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_fields(new TargetFields(explorer, this)),
      m_problem(newQuietLabel(this, QStringLiteral("watchedProblem")))
{
    compose();
    connect(&m_explorer, &control::Explorer::stateChanged, this, &WatchedTokens::showRuns);
    showRuns();
}

void WatchedTokens::compose()
{
    m_readings = new QWidget(this);
    auto* const grid = new QGridLayout(m_readings);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    QLabel* const logit = newQuietLabel(m_readings, QStringLiteral("logitHeading"));
    logit->setText(tr("Logit"));
    grid->addWidget(logit, 0, 0);
    for (const Side side : kSides) {
        QLabel*& title = m_titles[indexOf(side)];
        title = newQuietLabel(m_readings, {});
        title->setAlignment(Qt::AlignRight);
        grid->addWidget(title, 0, 1 + static_cast<int>(indexOf(side)));
    }
    for (int row = Target; row <= LogitDifference; ++row) {
        const auto at = static_cast<std::size_t>(row);
        m_names[at] = new QLabel(m_readings);
        m_names[at]->setTextFormat(Qt::PlainText);
        grid->addWidget(m_names[at], 1 + row, 0);
        for (const Side side : kSides) {
            QLabel*& value = m_values[at][indexOf(side)];
            value = new QLabel(m_readings);
            value->setObjectName(QStringLiteral("reading%1%2").arg(row).arg(indexOf(side)));
            value->setAlignment(Qt::AlignRight);
            value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            grid->addWidget(value, 1 + row, 1 + static_cast<int>(indexOf(side)));
        }
    }
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);

    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_fields);
    column->addWidget(m_problem);
    column->addWidget(m_readings);
}

void WatchedTokens::showRuns()
{
    QStringList problems;
    bool hasAny = false;
    m_names[LogitDifference]->setText(tr("Difference"));
    m_names[Target]->setText(tr("Target"));
    m_names[Distractor]->setText(tr("Distractor"));
    for (const Side side : kSides) {
        const control::SideState& state = m_explorer.state(side);
        const std::size_t at = indexOf(side);
        for (auto& values : m_values)
            values[at]->clear();
        m_titles[at]->setText(sideTitle(m_explorer, side));
        m_titles[at]->setVisible(state.run != nullptr);
        if (!state.run)
            continue;
        const service::WatchedToken& target = state.run->target;
        const service::WatchedToken& distractor = state.run->distractor;
        const bool hasBefore = hasAblations(state);
        const auto show = [&](Row row, const service::WatchedToken& token) {
            if (!token.problem.empty())
                problems << QString::fromStdString(token.problem);
            if (token.id < 0)
                return;
            hasAny = true;
            m_names[row]->setText(predictedLabel(state, token.id));
            m_values[row][at]->setText(change(token.before.logit, token.after.logit, hasBefore));
        };
        show(Target, target);
        show(Distractor, distractor);
        if (target.id >= 0 && distractor.id >= 0)
            m_values[LogitDifference][at]->setText(change(target.before.logit - distractor.before.logit,
                                                          target.after.logit - distractor.after.logit,
                                                          hasBefore));
    }
    for (std::size_t row = 0; row < m_values.size(); ++row) {
        const bool isRead = !m_values[row][0]->text().isEmpty() || !m_values[row][1]->text().isEmpty();
        for (QLabel* const label : {m_names[row], m_values[row][0], m_values[row][1]})
            label->setVisible(isRead);
    }
    problems.removeDuplicates();
    showText(*m_problem, problems.join(QLatin1Char('\n')));
    m_readings->setVisible(hasAny);
}

}  // namespace hs::panels
