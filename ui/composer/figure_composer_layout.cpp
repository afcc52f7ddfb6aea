#include "composer/analysis_form.h"
#include "composer/figure_composer.h"
#include "composer/figure_export.h"
#include "composer/figure_forms.h"
#include "composer/figure_preview.h"
#include "composer/heads_editor.h"
#include "composer/preset_form.h"
#include "control/figures/figure_runs.h"
#include "panels/widgets/accent_button.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QButtonGroup>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

namespace hs::composer {
namespace {

constexpr int kFormWidth = 336;
constexpr int kMargin = 14;
constexpr int kGroupGap = 18;
constexpr int kProgressHeight = 3;

QToolButton* newToolButton(const QString& text, const QString& help)
{
    auto* const button = new QToolButton;
    button->setText(text);
    button->setToolTip(help);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

/// A line between parts, in the colour of frames.
QFrame* newLine(QFrame::Shape shape)
{
    auto* const line = new QFrame;
    line->setFrameShape(shape);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    return line;
}

}  // namespace

void FigureComposer::compose()
{
    auto* const middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(newForms());
    middle->addWidget(newLine(QFrame::VLine));
    middle->addWidget(newPreviewColumn(), 1);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(middle, 1);
    column->addWidget(newLine(QFrame::HLine));
    column->addWidget(newFoot());
}

QWidget* FigureComposer::newForms()
{
    auto* const forms = new QWidget;
    auto* const column = new QVBoxLayout(forms);
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->setSpacing(kGroupGap);
    m_preset = new PresetForm(m_explorer);
    column->addWidget(m_preset);
    column->addWidget(new AnalysisForm(m_explorer));
    column->addWidget(new HeadsEditor(m_explorer));
    column->addWidget(newColourForm(m_explorer, forms));
    column->addWidget(newPageForm(m_explorer, forms));
    column->addWidget(newTextForm(m_explorer, forms));
    column->addStretch(1);
    auto* const area = new QScrollArea;
    area->setObjectName(QStringLiteral("forms"));
    area->setAccessibleName(tr("Settings of the figure"));
    area->setWidget(forms);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->viewport()->setBackgroundRole(QPalette::Window);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    area->setFocusPolicy(Qt::NoFocus);
    area->setFixedWidth(kFormWidth + area->verticalScrollBar()->sizeHint().width());
    return area;
}

QWidget* FigureComposer::newPreviewBar()
{
    auto* const bar = new QWidget;
    auto* const row = new QHBoxLayout(bar);
    row->setContentsMargins(kMargin, 6, kMargin, 6);
    row->setSpacing(2);
    m_zooms = new QButtonGroup(this);
    const auto addZoom = [&](const QString& text, const QString& help, int percent) {
        QToolButton* const button = newToolButton(text, help);
        button->setCheckable(true);
        m_zooms->addButton(button, percent);
        row->addWidget(button);
    };
    addZoom(tr("Fit"), tr("As large as fits (0)"), 0);
    addZoom(tr("100 %"), tr("True size: a millimetre on the screen for a millimetre on paper (1)"), 100);
    addZoom(tr("200 %"), tr("Twice the size on paper (2)"), 200);
    addZoom(tr("400 %"), tr("Four times the size on paper (4)"), 400);
    connect(m_zooms, &QButtonGroup::idClicked, this, [this](int percent) {
        m_preview->setZoom(percent == 0 ? std::nullopt : std::optional(percent / 100.0));
    });
    m_size = panels::newQuietLabel(bar, QStringLiteral("pageSize"));
    m_size->setWordWrap(false);
    m_stop = newToolButton(tr("Stop"), tr("Stop making the figure"));
    m_stop->setObjectName(QStringLiteral("stop"));
    connect(m_stop, &QToolButton::clicked, &m_explorer.figures(), &control::FigureRuns::cancel);
    m_undo = newToolButton(tr("Undo"), QString());
    m_redo = newToolButton(tr("Redo"), QString());
    row->addSpacing(8);
    row->addWidget(m_size);
    row->addStretch(1);
    row->addWidget(m_stop);
    row->addWidget(m_undo);
    row->addWidget(m_redo);
    return bar;
}

QWidget* FigureComposer::newPreviewColumn()
{
    auto* const side = new QWidget;
    m_preview = new FigurePreview;
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setAccessibleName(tr("Making the figure"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(kProgressHeight);
    QSizePolicy policy = m_progress->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(policy);
    m_problem = panels::newQuietLabel(side, QStringLiteral("figureProblem"));
    m_problem->setForegroundRole(QPalette::WindowText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notes = panels::newQuietLabel(side, QStringLiteral("figureNotes"));
    for (QLabel* const label : {m_problem, m_notes}) {
        label->setContentsMargins(kMargin, 6, kMargin, 8);
        label->hide();
    }
    auto* const column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(newPreviewBar());
    column->addWidget(m_progress);
    column->addWidget(m_preview, 1);
    column->addWidget(m_problem);
    column->addWidget(m_notes);
    return side;
}

QWidget* FigureComposer::newFoot()
{
    auto* const foot = new QWidget;
    m_said = panels::newQuietLabel(foot, QStringLiteral("said"));
    auto* const copy = new QPushButton(tr("&Copy as image"));
    copy->setObjectName(QStringLiteral("copyImage"));
    copy->setShortcut(tr("Ctrl+Shift+C"));
    copy->setToolTip(tr("As an image at the page's resolution (Ctrl+Shift+C)"));
    auto* const command = new QPushButton(tr("Copy as co&mmand"));
    command->setObjectName(QStringLiteral("copyCommand"));
    command->setToolTip(tr("The line that makes this figure in a terminal"));
    auto* const numbers = new QPushButton(tr("Export &data…"));
    numbers->setObjectName(QStringLiteral("exportData"));
    numbers->setToolTip(tr("The numbers behind the figure as CSV or NumPy arrays"));
    auto* const write = new panels::AccentButton(tr("&Export…"));
    write->setObjectName(QStringLiteral("export"));
    write->setShortcut(tr("Ctrl+E"));
    write->setToolTip(
        tr("As PDF, SVG, PNG or a page for a browser; the file remembers how it was made (Ctrl+E)"));
    m_needFigure = {copy, command, numbers, write};
    connect(copy, &QPushButton::clicked, m_export, &FigureExport::copyImage);
    connect(command, &QPushButton::clicked, m_export, &FigureExport::copyCommand);
    connect(numbers, &QPushButton::clicked, m_export, &FigureExport::askForDataFile);
    connect(write, &QPushButton::clicked, m_export, &FigureExport::askForFile);
    auto* const row = new QHBoxLayout(foot);
    row->setContentsMargins(kMargin, 8, kMargin, 8);
    row->setSpacing(8);
    row->addWidget(m_said, 1);
    for (QWidget* const button : std::as_const(m_needFigure))
        row->addWidget(button);
    return foot;
}

}  // namespace hs::composer
