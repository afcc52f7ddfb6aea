#include "start/tour.h"

#include "control/analyses/analysis_runs.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "start/tour_card.h"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>

namespace hs::start {
namespace {

constexpr int kPauseMilliseconds = 1800;
constexpr std::size_t kEnoughCells = 6;  // read, so that crossing the grid by chance is not enough

QString stepTitle(int step)
{
    switch (step) {
    case Tour::Read: return Tour::tr("Every tile is a head");
    case Tour::Zoom: return Tour::tr("Look closer");
    case Tour::Ablate: return Tour::tr("Switch a head off");
    case Tour::Search: return Tour::tr("Find the heads that matter");
    default: return Tour::tr("Make it yours");
    }
}

QString stepText(int step, HeadId head)
{
    switch (step) {
    case Tour::Read:
        return Tour::tr(
                   "%1 is head %2 of layer %3. Its rows are the tokens that look, its columns the tokens "
                   "looked at; dark means a large weight. Point at a few cells: the same key and query are "
                   "marked in every tile, and their weight is read out below the grids.")
            .arg(QString::fromStdString(toString(head)))
            .arg(head.head)
            .arg(head.layer);
    case Tour::Zoom:
        return Tour::tr("Turn the wheel over a tile; both grids move together. Or go from head to head with "
                        "the arrow keys, "
                        "press L for the layer, B for the block of layers or S for the selection, and 0 to "
                        "see all again.");
    case Tour::Ablate:
        return Tour::tr(
            "Click this tile. Its head writes nothing any more, the layers after it are computed "
            "again, and the next token, beside the prompt, changes. A second click brings it back.");
    case Tour::Search:
        return Tour::tr("Press F6: the sweep switches off each head in turn and ranks them by what that does "
                        "to the answer. Each panel waits behind its tab here.");
    default:
        return Tour::tr(
            "Ctrl+E makes a figure for a paper of what you see. File ▸ Start page lists the models "
            "on this computer; a folder dropped in the window opens, too.");
    }
}

/// The head with the largest weight from the last token to one after the first, which the answer may rest on.
HeadId answeringHead(const engine::RunResult& run)
{
    HeadId best = run.heads.at(0);
    int most = -1;
    for (int index = 0; index < run.heads.total(); ++index) {
        const std::uint8_t* const lastRow =
            run.tileOf(run.heads.at(index)) + std::ptrdiff_t{run.tileRows - 1} * run.tileColumns;
        const int weight =
            run.tileColumns > 1 ? *std::max_element(lastRow + 1, lastRow + run.tileColumns) : 0;
        if (weight > most) {
            most = weight;
            best = run.heads.at(index);
        }
    }
    return best;
}

}  // namespace

Tour::Tour(control::Explorer& explorer, grid::HeadGrids& grids, QWidget& window, Places places)
    : QObject(&window), m_explorer(explorer), m_grids(grids), m_window(window), m_places(std::move(places)),
      m_card(new TourCard(window))
{
    setPause(kPauseMilliseconds);
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &Tour::next);
    connect(m_card, &TourCard::nextRequested, this, &Tour::next);
    connect(m_card, &TourCard::backRequested, this, &Tour::back);
    connect(m_card, &TourCard::closeRequested, this, &Tour::end);
    connect(&explorer, &control::Explorer::hoverChanged, this, &Tour::noteHover);
    connect(&grids, &grid::HeadGrids::zoomChanged, this, &Tour::noteZoom);
    connect(&explorer, &control::Explorer::documentChanged, this, &Tour::noteDocument);
    connect(&explorer, &control::Explorer::stateChanged, this, &Tour::noteRuns);
    connect(&explorer.analyses(), &control::AnalysisRuns::changed, this, &Tour::noteAnalyses);
}

void Tour::start()
{
    if (!isRunning())
        qApp->installEventFilter(this);
    show(0);
}

void Tour::end()
{
    if (!isRunning())
        return;
    qApp->removeEventFilter(this);
    m_pause.stop();
    m_step.reset();
    m_card->hide();
    control::Preferences preferences = m_explorer.preferences();
    preferences.offersTour = false;
    m_explorer.setPreferences(preferences);
}

void Tour::next()
{
    if (isRunning())
        *m_step + 1 < kSteps ? show(*m_step + 1) : end();
}

void Tour::back()
{
    if (isRunning() && *m_step > 0)
        show(*m_step - 1);
}

void Tour::show(int step)
{
    m_pause.stop();
    m_step = step;
    m_cells.clear();
    m_zoom = m_grids.zoom();
    m_document = m_explorer.document();
    m_hasAblated = false;
    m_hasSearched = false;
    const auto [side, head] = example(step == Ablate);
    if (step == Ablate && m_explorer.state(side).run)
        m_grids.grid(side).canvas().reveal(head);
    m_card->showStep(stepTitle(step), stepText(step, head), step, kSteps);
    place();
}

void Tour::place()
{
    if (isRunning())
        m_card->pointAt(anchor());
}

std::pair<Side, HeadId> Tour::example(bool isAnswer) const
{
    // Of the demo pair the sparse model, on the right, shows best what one head does.
    for (const Side side : {isAnswer ? Side::Right : Side::Left, isAnswer ? Side::Left : Side::Right}) {
        const auto& run = m_explorer.state(side).run;
        const std::vector<HeadId> shown = m_explorer.shownHeads(side);
        if (!run || shown.empty() || m_grids.grid(side).isHidden())
            continue;
        const HeadId answer = answeringHead(run->after);
        const bool isShown = std::find(shown.begin(), shown.end(), answer) != shown.end();
        return {side, isAnswer && isShown ? answer : shown[shown.size() / 2]};
    }
    return {};
}

QRect Tour::tileOf(Side side, HeadId head) const
{
    const grid::Canvas& canvas = m_grids.grid(side).canvas();
    const QRect tile = canvas.tileRect(head).toAlignedRect().intersected(canvas.rect());
    return tile.translated(canvas.mapTo(&m_window, QPoint()));
}

QRect Tour::anchor() const
{
    if (m_step == Search)
        return m_places.search();
    if (m_step == Keep)
        return m_places.file();
    const auto [side, head] = example(m_step == Ablate);
    return m_explorer.state(side).run ? tileOf(side, head) : QRect();
}

void Tour::note(Step step)
{
    if (m_step != step || m_pause.isActive())
        return;
    m_card->setDone(true);
    m_pause.start();
}

void Tour::noteHover()
{
    const control::Hover& hover = m_explorer.hover();
    if (m_step == Read && hover.head && hover.query && hover.key)
        m_cells.insert({*hover.head, *hover.query, *hover.key});
    if (m_cells.size() >= kEnoughCells)
        note(Read);
}

void Tour::noteZoom()
{
    place();
    if (m_grids.zoom() != m_zoom)
        note(Zoom);
}

void Tour::noteDocument()
{
    if (!isRunning())
        return;
    const control::Document& document = m_explorer.document();
    for (const Side side : kSides) {
        m_hasAblated =
            m_hasAblated || document.side(side).ablations.size() > m_document.side(side).ablations.size();
        if (document.side(side).model != m_document.side(side).model)
            note(Keep);
    }
    place();
}

/// What an ablation changed is on show.
void Tour::noteRuns()
{
    if (!isRunning())
        return;
    const bool isSettled = std::none_of(kSides.begin(), kSides.end(),
                                        [this](Side side) { return m_explorer.state(side).isStale; });
    if (m_hasAblated && isSettled)
        note(Ablate);
    place();
}

/// A sweep or another search that was started has ended.
void Tour::noteAnalyses()
{
    const control::AnalysisRuns& analyses = m_explorer.analyses();
    const bool isSearching =
        std::any_of(service::kAnalyses.begin(), service::kAnalyses.end(), [&](service::AnalysisKind kind) {
            return !control::AnalysisRuns::isLive(kind) && analyses.isRunning(kind);
        });
    if (m_hasSearched && !isSearching)
        note(Search);
    m_hasSearched = m_step == Search && isSearching;
}

/// Escape ends the tour before anything else hears of it; what it points at may have moved.
bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    const auto* const widget = qobject_cast<const QWidget*>(watched);
    if (!widget || widget->window() != &m_window)
        return false;
    if (event->type() == QEvent::KeyPress && static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        end();
        return true;
    }
    const bool isMoved = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (isMoved && (widget == &m_window || widget == &m_grids))
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return false;
}

}  // namespace hs::start
