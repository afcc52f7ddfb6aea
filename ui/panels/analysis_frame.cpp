#include "panels/analysis_frame.h"

#include "panels/accent_button.h"
#include "panels/analysis_note.h"
#include "panels/example_menu.h"
#include "panels/flow_layout.h"
#include "panels/panel_widgets.h"
#include "panels/shown_tokens.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>

namespace hs {
namespace {

constexpr int kMargin = 8;
constexpr int kFieldGap = 12;
constexpr int kProgressWidth = 120;
constexpr int kProgressHeight = 6;

bool hasModel(const Explorer& explorer)
{
    return explorer.state(Side::Left).model || explorer.state(Side::Right).model;
}

}  // namespace

AnalysisFrame::AnalysisFrame(Explorer& explorer, AnalysisKind kind, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_kind(kind),
      m_actions(new AnalysisActions(
          explorer, kind,
          {[this] { return rankedHeads(); }, [this] { return theseHeads(); }, [this] { return table(); }},
          this)),
      m_summary(newQuietLabel(this, QStringLiteral("analysisSummary"))),
      m_note(newQuietLabel(this, QStringLiteral("analysisNote"))),
      m_empty(newQuietLabel(this, QStringLiteral("analysisEmpty")))
{
    compose();
    connectParts();
}

void AnalysisFrame::compose()
{
    m_run = new AccentButton(tr("Run"), this);
    m_run->setObjectName(QStringLiteral("analysisRun"));
    m_run->setAutoDefault(false);
    m_run->setVisible(!AnalysisDesk::isLive(m_kind));
    m_run->setMinimumWidth(m_run->fontMetrics().horizontalAdvance(tr("Stop")) + 40);
    m_menu = new QPushButton(tr("Result"), this);
    m_menu->setObjectName(QStringLiteral("analysisMenu"));
    m_menu->setAccessibleName(tr("What to do with the result"));
    m_menu->setAutoDefault(false);
    m_menu->setMenu(m_actions);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("analysisProgress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(kProgressWidth, kProgressHeight);
    m_progress->hide();
    m_summary->setForegroundRole(QPalette::WindowText);
    m_summary->setWordWrap(false);
    m_summary->hide();
    m_note->hide();
    m_empty->setAlignment(Qt::AlignCenter);

    auto* const form = new QWidget(this);
    m_form = new FlowLayout(kFieldGap, form);
    auto* const top = new QHBoxLayout;
    top->setSpacing(kMargin);
    top->addWidget(form, 1);
    top->addWidget(m_menu, 0, Qt::AlignTop);
    top->addWidget(m_run, 0, Qt::AlignTop);
    auto* const words = new QHBoxLayout;
    words->setSpacing(kFieldGap);
    words->addWidget(m_summary);
    words->addWidget(m_progress);
    words->addWidget(m_note, 1);
    words->addStretch();

    auto* const column = new QVBoxLayout(this);
    column->setSizeConstraint(QLayout::SetNoConstraint);
    column->setContentsMargins(kMargin, 4, kMargin, 4);
    column->setSpacing(4);
    column->addLayout(top);
    column->addLayout(words);
    column->addWidget(m_empty, 1);
    m_column = column;
}

void AnalysisFrame::connectParts()
{
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (desk().isRunning(m_kind))
            desk().stop(m_kind);
        else
            desk().start(m_kind);
    });
    connect(m_actions, &AnalysisActions::figureRequested, this, &AnalysisFrame::figureRequested);
    connect(&desk(), &AnalysisDesk::changed, this, [this](AnalysisKind kind) {
        if (kind == m_kind)
            refresh();
    });
    connect(&m_explorer, &Explorer::documentChanged, this, &AnalysisFrame::refresh);
    connect(&m_explorer, &Explorer::stateChanged, this, &AnalysisFrame::refresh);
}

void AnalysisFrame::addField(const QString& name, QWidget* field)
{
    auto* const group = new QWidget(this);
    auto* const label = new QLabel(name, group);
    label->setBuddy(field);
    auto* const row = new QHBoxLayout(group);
    row->setContentsMargins({});
    row->setSpacing(6);
    row->addWidget(label);
    row->addWidget(field);
    m_form->addWidget(group);
}

void AnalysisFrame::addControl(QWidget* control)
{
    m_form->addWidget(control);
}

QComboBox* AnalysisFrame::addChoice(const char* name, const QString& label, const QStringList& texts,
                                    const std::function<void(int)>& chosen)
{
    auto* const choice = new QComboBox(this);
    choice->setObjectName(QLatin1String(name));
    choice->setAccessibleName(label);
    choice->addItems(texts);
    connect(choice, &QComboBox::activated, this, chosen);
    addField(label, choice);
    return choice;
}

ExampleMenu& AnalysisFrame::addExamples()
{
    auto* const button = new QPushButton(tr("Examples"), this);
    button->setObjectName(QStringLiteral("analysisExamples"));
    button->setAccessibleName(tr("Example prompts"));
    button->setAutoDefault(false);
    auto* const menu = new ExampleMenu(m_explorer, button);
    button->setMenu(menu);
    addControl(button);
    return *menu;
}

void AnalysisFrame::addRow(QWidget* row)
{
    m_column->insertWidget(1 + m_rows++, row);
}

void AnalysisFrame::setContent(QWidget* content, const QString& whileEmpty)
{
    m_content = content;
    m_column->addWidget(content, 1);
    m_empty->setText(whileEmpty);
}

void AnalysisFrame::setSummary(const QString& text)
{
    showText(*m_summary, text);
}

SideHeads AnalysisFrame::rankedHeads() const
{
    SideHeads heads;
    const SideShapes shapes = shapesOf(m_explorer);
    for (const Side side : kSides) {
        // A comparison is of both sides, and kept with the left one.
        const Side asked = m_kind == AnalysisKind::Compare ? Side::Left : side;
        const auto& finding = state(asked).finding;
        if (!finding)
            continue;
        for (const RankedHead& ranked : ranking(*finding->result))
            if (shapes[indexOf(side)].contains(ranked.head))
                heads[indexOf(side)].push_back(ranked.head);
    }
    return heads;
}

SideHeads AnalysisFrame::theseHeads() const
{
    SideHeads heads;
    for (const Side side : kSides)
        if (const auto& finding = state(side).finding)
            heads[indexOf(side)] = chosenHeads(*finding->result, m_explorer.document().analyses);
    return heads;
}

QString AnalysisFrame::partOf(const AnalysisResult&) const
{
    return {};
}

void AnalysisFrame::refresh()
{
    if (!m_content || !isVisible())
        return;
    showDocument();
    showResult();
    const bool hasResult = state(Side::Left).finding || state(Side::Right).finding;
    m_content->setVisible(hasResult);
    m_empty->setVisible(!hasResult);
    m_menu->setEnabled(hasResult);
    showProgress();
    showNote();
}

void AnalysisFrame::showProgress()
{
    const bool isRunning = desk().isRunning(m_kind);
    int done = 0, total = 0;
    for (const Side side : kSides)
        if (const AnalysisState& now = state(side); now.isRunning) {
            done += now.done;
            total += now.total;
        }
    m_progress->setVisible(isRunning && !AnalysisDesk::isLive(m_kind));
    m_progress->setRange(0, total);
    m_progress->setValue(done);
    m_run->setText(isRunning ? tr("Stop") : tr("Run"));
    const bool canRun = std::any_of(kSides.begin(), kSides.end(), [this](Side side) {
        return m_explorer.state(side).model && problem(side).isEmpty();
    });
    m_run->setEnabled(isRunning || canRun);
}

std::optional<AnalysisRequest> AnalysisFrame::wanted(Side side) const
{
    const OpenModels models = {m_explorer.state(Side::Left).model, m_explorer.state(Side::Right).model};
    return analysisRequest(m_explorer.document(), m_kind, side, models);
}

QString AnalysisFrame::problem(Side side) const
{
    const auto request = wanted(side);
    return request ? problemOf(*request) : QString();
}

QString AnalysisFrame::note(Side side) const
{
    if (!m_explorer.state(side).model)
        return {};
    const AnalysisState& now = state(side);
    if (now.isRunning)
        return now.total > 0 ? tr("%1 of %2").arg(now.done).arg(now.total) : tr("Under way…");
    if (const QString known = problem(side); !known.isEmpty())
        return known;
    if (!now.problem.isEmpty())
        return now.problem;
    if (now.finding && now.isOutdated && !AnalysisDesk::isLive(m_kind))
        if (const auto request = wanted(side))
            return outdatedNote(now.finding->request, *request);
    if (now.finding && now.finding->isPartial) {
        const QString part = partOf(*now.finding->result);
        return part.isEmpty() ? tr("Partial: it was stopped.") : tr("Partial: %1.").arg(part);
    }
    return {};
}

void AnalysisFrame::showNote()
{
    if (!hasModel(m_explorer)) {
        showText(*m_note, tr("Open a model first."));
        return;
    }
    const QString left = note(Side::Left), right = note(Side::Right);
    const bool areBoth = m_explorer.state(Side::Left).model && m_explorer.state(Side::Right).model;
    if (left == right || !areBoth) {
        showText(*m_note, left.isEmpty() ? right : left);
        return;
    }
    QStringList notes;
    for (const Side side : kSides)
        if (const QString& text = side == Side::Left ? left : right; !text.isEmpty())
            notes << QStringLiteral("%1: %2").arg(sideTitle(m_explorer, side), text);
    showText(*m_note, notes.join(QStringLiteral(" · ")));
}

void AnalysisFrame::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    desk().setWatched(m_kind, true);
    refresh();
}

void AnalysisFrame::hideEvent(QHideEvent* event)
{
    desk().setWatched(m_kind, false);
    QWidget::hideEvent(event);
}

}  // namespace hs
