#include "panels/analyses/analysis_frame.h"

#include "panels/prompt/example_menu.h"
#include "panels/widgets/accent_button.h"
#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_widgets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>

namespace hs::panels {
namespace {

constexpr int kFrameMargin = 8;
constexpr int kFieldGap = 10;
constexpr int kProgressWidth = 120;
constexpr int kProgressHeight = 6;

}  // namespace

AnalysisFrame::AnalysisFrame(control::Explorer& explorer, service::AnalysisKind kind, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_kind(kind),
      m_actions(new AnalysisActions(explorer, kind,
                                    {[this] { return rankedHeads(); }, [this] { return theseHeads(); },
                                     [this] { return table(); }, [this] { return json(); },
                                     [this] { return drawnResults(); }},
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
    m_run->setVisible(!control::AnalysisRuns::isLive(m_kind));
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
    top->setSpacing(kFrameMargin);
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
    column->setContentsMargins(kFrameMargin, 4, kFrameMargin, 4);
    column->setSpacing(4);
    column->addLayout(top);
    column->addLayout(words);
    column->addWidget(m_empty, 1);
    m_column = column;
}

void AnalysisFrame::connectParts()
{
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (analyses().isRunning(m_kind))
            analyses().stop(m_kind);
        else
            analyses().start(m_kind);
    });
    connect(m_actions, &AnalysisActions::figureRequested, this, &AnalysisFrame::figureRequested);
    connect(&analyses(), &control::AnalysisRuns::changed, this, [this](service::AnalysisKind kind) {
        if (kind == m_kind)
            refresh();
    });
    connect(&m_explorer, &control::Explorer::documentChanged, this, &AnalysisFrame::refresh);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &AnalysisFrame::refresh);
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
    m_whileEmpty = whileEmpty;
}

void AnalysisFrame::setSummary(const QString& text)
{
    showText(*m_summary, text);
}

void AnalysisFrame::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    analyses().setWatched(m_kind, true);
    refresh();
}

void AnalysisFrame::hideEvent(QHideEvent* event)
{
    analyses().setWatched(m_kind, false);
    QWidget::hideEvent(event);
}

}  // namespace hs::panels
