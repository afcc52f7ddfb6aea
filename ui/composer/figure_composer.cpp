#include "composer/figure_composer.h"

#include "base/failure.h"
#include "composer/figure_export.h"
#include "composer/figure_preview.h"
#include "composer/preset_form.h"
#include "control/figures/figure_runs.h"
#include "control/work/late_work.h"

#include <QAbstractSpinBox>
#include <QButtonGroup>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QToolButton>
#include <QUndoStack>

namespace hs::composer {
namespace {

constexpr QSize kComfortableSize(1100, 760);
constexpr double kMillimetresPerPoint = 25.4 / 72;

}  // namespace

FigureComposer::FigureComposer(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent, Qt::Window), m_explorer(explorer), m_export(new FigureExport(explorer, this)),
      m_drawer(new control::LateWork(this))
{
    setObjectName(QStringLiteral("figureComposer"));
    setWindowTitle(tr("Figure — HeadScope"));
    setAttribute(Qt::WA_QuitOnClose, false);
    compose();
    addActions();
    for (QWidget* const child : findChildren<QWidget*>())
        if (qobject_cast<QLineEdit*>(child) || qobject_cast<QAbstractSpinBox*>(child))
            child->installEventFilter(this);
    connectParts();
    resize(kComfortableSize);
    showState();
    showZoom();
}

FigureComposer::~FigureComposer()
{
    hide();  // while all parts exist: a field that loses the focus hands over what was typed
}

void FigureComposer::takeShown()
{
    m_preset->takeShown();
}

void FigureComposer::takeSelected()
{
    m_preset->takeSelected();
}

void FigureComposer::connectParts()
{
    connect(&m_explorer, &control::Explorer::documentChanged, this, &FigureComposer::redraw);
    connect(&m_explorer.figures(), &control::FigureRuns::changed, this, [this] {
        redraw();
        showState();
    });
    connect(&m_explorer, &control::Explorer::activityChanged, this, &FigureComposer::showActivity);
    connect(m_preview, &FigurePreview::zoomChanged, this, &FigureComposer::showZoom);
    connect(m_export, &FigureExport::done, this, [this](const QString& sentence) { say(sentence, false); });
    connect(m_export, &FigureExport::failed, this, [this](const QString& sentence) { say(sentence, true); });
}

void FigureComposer::addActions()
{
    QUndoStack& history = m_explorer.history();
    QAction* const undo = history.createUndoAction(this, tr("Undo"));
    QAction* const redo = history.createRedoAction(this, tr("Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    undo->setIconText(tr("Undo"));
    redo->setIconText(tr("Redo"));
    m_undo->setDefaultAction(undo);
    m_redo->setDefaultAction(redo);
    QAction* const close = new QAction(tr("Close"), this);
    close->setShortcuts(QKeySequence::Close);
    connect(close, &QAction::triggered, this, &QWidget::close);
    QWidget::addActions({undo, redo, close});
}

void FigureComposer::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_explorer.figures().setWatched(true);
    redraw();
}

void FigureComposer::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_explorer.figures().setWatched(false);
}

bool FigureComposer::eventFilter(QObject* field, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
            event->ignore();  // leaves it to the window
            return true;
        }
    }
    return QWidget::eventFilter(field, event);
}

void FigureComposer::redraw()
{
    const auto& figure = m_explorer.figures().figure();
    const figures::Form& form = m_explorer.document().figure.form;
    if (!isVisible() || (figure == m_figure && (!figure || form == m_form)))
        return;
    m_figure = figure;
    m_form = form;
    if (!figure) {
        m_drawer->cancel();
        return showPage(nullptr, false);
    }
    m_drawer->ask([this, figure, form]() -> control::LateWork::Take {
        const Result<std::shared_ptr<const figures::Drawing>> page =
            guarded([&] { return std::make_shared<const figures::Drawing>(figure->draw(form)); });
        return [this, page, isTransparent = form.isTransparent] {
            showPage(page ? *page : nullptr, isTransparent);
            if (!page)
                say(QString::fromStdString(page.error().message), true);
        };
    });
}

void FigureComposer::showPage(std::shared_ptr<const figures::Drawing> page, bool isTransparent)
{
    m_preview->setDrawing(std::move(page), isTransparent);
    showState();
    showZoom();
}

void FigureComposer::showState()
{
    const control::FigureRuns& figures = m_explorer.figures();
    m_preview->setDimmed(figures.isStale());
    m_preview->setMessage(figures.isStale() ? tr("Making the figure …") : figures.problem());
    // Without a figure the message is shown in the middle of the page.
    const bool isAside = figures.figure() != nullptr && !figures.problem().isEmpty();
    m_problem->setText(isAside ? figures.problem() : QString());
    m_problem->setVisible(isAside);
    const auto& drawing = m_preview->drawing();
    const QString notes = drawing ? drawing->notes().join(QLatin1Char('\n')) : QString();
    m_notes->setText(notes);
    m_notes->setVisible(!notes.isEmpty());
    for (QWidget* const button : std::as_const(m_needFigure))
        button->setEnabled(m_export->isReady());
    showActivity();
}

void FigureComposer::showActivity()
{
    const bool isBusy = m_explorer.figures().isStale();
    const control::Activity& activity = m_explorer.activity();
    m_stop->setVisible(isBusy);
    m_progress->setVisible(isBusy);
    m_progress->setRange(0, activity.isBusy ? activity.total : 0);
    m_progress->setValue(activity.done);
}

void FigureComposer::showZoom()
{
    const auto zoom = m_preview->zoom();
    // A zoom that no button stands for checks none of them.
    m_zooms->setExclusive(false);
    for (QAbstractButton* const button : m_zooms->buttons())
        button->setChecked(m_zooms->id(button) == (zoom ? qRound(100 * *zoom) : 0));
    m_zooms->setExclusive(true);
    const auto& drawing = m_preview->drawing();
    if (!drawing)
        return m_size->clear();
    const QSizeF size = drawing->size() * kMillimetresPerPoint;
    m_size->setText(tr("%1 × %2 mm · %3 %")
                        .arg(size.width(), 0, 'f', 0)
                        .arg(size.height(), 0, 'f', 0)
                        .arg(qRound(100 * m_preview->actualZoom())));
}

void FigureComposer::say(const QString& sentence, bool isProblem)
{
    m_said->setForegroundRole(isProblem ? QPalette::WindowText : QPalette::PlaceholderText);
    m_said->setText(sentence);
    m_said->setToolTip(sentence);
}

}  // namespace hs::composer
