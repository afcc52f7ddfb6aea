#include "panels/watched_tokens.h"

#include "panels/panel_style.h"
#include "panels/panel_widgets.h"
#include "panels/prediction_rows.h"
#include "panels/shown_tokens.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace hs {
namespace {

constexpr int kPauseMilliseconds = 250;

QString change(double before, double after, bool hasBefore)
{
    const QString now = formatNumber(after, 2);
    return hasBefore ? QStringLiteral("%1 → %2").arg(formatNumber(before, 2), now) : now;
}

}  // namespace

WatchedTokens::WatchedTokens(Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_target(new QLineEdit(this)), m_distractor(new QLineEdit(this)),
      m_problem(newQuietLabel(this, QStringLiteral("watchedProblem")))
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMilliseconds);
    compose();
    connect(&m_pause, &QTimer::timeout, this, &WatchedTokens::commit);
    connect(&m_explorer, &Explorer::documentChanged, this, &WatchedTokens::showDocument);
    connect(&m_explorer, &Explorer::stateChanged, this, &WatchedTokens::showRuns);
    showDocument();
    showRuns();
}

WatchedTokens::~WatchedTokens()
{
    // A line that goes loses the focus first, and would hand over what is half typed.
    m_target->disconnect(this);
    m_distractor->disconnect(this);
}

void WatchedTokens::compose()
{
    m_target->setObjectName(QStringLiteral("targetEdit"));
    m_target->setAccessibleName(tr("Target token"));
    m_target->setPlaceholderText(tr("token"));
    m_distractor->setObjectName(QStringLiteral("distractorEdit"));
    m_distractor->setAccessibleName(tr("Distractor token"));
    m_distractor->setPlaceholderText(tr("token"));
    for (QLineEdit* const line : {m_target, m_distractor}) {
        connect(line, &QLineEdit::textEdited, this, [this] {
            if (m_explorer.preferences().runsAsYouType)
                m_pause.start();
        });
        connect(line, &QLineEdit::editingFinished, this, [this] {
            commit();
            ++m_typing;
        });
    }
    auto* const lines = new QHBoxLayout;
    lines->setSpacing(8);
    for (const auto& [name, line] :
         {std::pair(tr("&Target"), m_target), std::pair(tr("&against"), m_distractor)}) {
        auto* const label = new QLabel(name, this);
        label->setBuddy(line);
        lines->addWidget(label);
        lines->addWidget(line, 1);
    }

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
    column->addLayout(lines);
    column->addWidget(m_problem);
    column->addWidget(m_readings);
}

void WatchedTokens::commit()
{
    m_pause.stop();
    const QString target = m_target->text();
    const QString distractor = m_distractor->text();
    m_shownTarget = target;
    m_shownDistractor = distractor;
    m_explorer.edit(
        tr("Watch tokens"),
        [&](Document& document) {
            document.target = target;
            document.distractor = distractor;
        },
        QStringLiteral("watched-%1").arg(m_typing));
}

/// What is being typed stays, unless the document itself has changed elsewhere.
void WatchedTokens::showDocument()
{
    const auto show = [](QLineEdit& line, QString& shown, const QString& text) {
        if (text == shown)
            return;
        shown = text;
        if (line.text() != text)
            line.setText(text);
    };
    show(*m_target, m_shownTarget, m_explorer.document().target);
    show(*m_distractor, m_shownDistractor, m_explorer.document().distractor);
}

void WatchedTokens::showRuns()
{
    QStringList problems;
    bool hasAny = false;
    m_names[LogitDifference]->setText(tr("Difference"));
    m_names[Target]->setText(tr("Target"));
    m_names[Distractor]->setText(tr("Distractor"));
    for (const Side side : kSides) {
        const SideState& state = m_explorer.state(side);
        const std::size_t at = indexOf(side);
        for (auto& values : m_values)
            values[at]->clear();
        m_titles[at]->setText(sideTitle(m_explorer, side));
        m_titles[at]->setVisible(state.run != nullptr);
        if (!state.run)
            continue;
        const WatchedToken& target = state.run->target;
        const WatchedToken& distractor = state.run->distractor;
        const bool hasBefore = hasAblations(state);
        const auto show = [&](Row row, const WatchedToken& token) {
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

}  // namespace hs
