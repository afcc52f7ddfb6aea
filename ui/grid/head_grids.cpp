#include "grid/head_grids.h"

#include "control/analyses/analysis_runs.h"
#include "control/document/shown_heads.h"
#include "grid/badge_legend.h"
#include "grid/cell_readout.h"
#include "grid/colour_bar_view.h"
#include "grid/elided_label.h"
#include "grid/full_maps.h"
#include "grid/head_grid.h"
#include "grid/late_tiles.h"
#include "grid/mlp_tiles.h"
#include "grid/side_badges.h"
#include "grid/side_content.h"

#include <QBoxLayout>
#include <QEvent>

namespace hs::grid {
namespace {

constexpr int kFullMapDelay = 80;  // milliseconds after the last motion
constexpr int kMlpDelay = 300;     // milliseconds
constexpr int kBetweenGrids = 12;

}  // namespace

HeadGrids::HeadGrids(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_grids{new HeadGrid(this), new HeadGrid(this)},
      m_row(new QBoxLayout(QBoxLayout::LeftToRight)), m_legend(new BadgeLegend(this)),
      m_readout(new ElidedLabel(this)), m_colours(new ColourBarView(this)), m_lateTiles(new LateTiles(this)),
      m_isLinked(explorer.preferences().isLinked)
{
    setObjectName(QStringLiteral("headGrids"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    grid(Side::Left).setObjectName(QStringLiteral("leftGrid"));
    grid(Side::Right).setObjectName(QStringLiteral("rightGrid"));
    m_readout->setObjectName(QStringLiteral("cellReadout"));

    m_row->setSpacing(kBetweenGrids);
    for (HeadGrid* each : m_grids)
        m_row->addWidget(each, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(4, 0, 4, 0);
    foot->setSpacing(kBetweenGrids);
    auto* const words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_readout);
    words->addWidget(m_legend);
    foot->addLayout(words, 1);
    foot->addWidget(m_colours, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    column->addLayout(m_row, 1);
    column->addLayout(foot);

    m_fullMapTimer.setSingleShot(true);
    m_fullMapTimer.setInterval(kFullMapDelay);
    connect(&m_fullMapTimer, &QTimer::timeout, this, &HeadGrids::showFullMaps);
    m_mlpTimer.setSingleShot(true);
    m_mlpTimer.setInterval(kMlpDelay);
    connect(&m_mlpTimer, &QTimer::timeout, this, &HeadGrids::watchMlps);
    for (const Side side : kSides)
        connectGrid(side);
    connectExplorer();
    showDocument();
}

HeadGrids::~HeadGrids()
{
    stopListening();
}

void HeadGrids::stopListening()
{
    m_fullMapTimer.stop();
    m_mlpTimer.stop();
    // A closing window takes the focus away from its parts one by one, and they would signal it.
    for (HeadGrid* each : m_grids)
        each->canvas().disconnect(this);
}

void HeadGrids::connectExplorer()
{
    connect(&m_explorer, &control::Explorer::documentChanged, this, &HeadGrids::showDocument);
    connect(&m_explorer, &control::Explorer::documentChanged, this, [this] {
        // A click must not wait for what the one before asked.
        m_explorer.analyses().setWatched(service::AnalysisKind::Attribution, false, m_row);
        m_mlpTimer.start();
    });
    connect(&m_explorer, &control::Explorer::stateChanged, &m_mlpTimer, qOverload<>(&QTimer::start));
    connect(&m_explorer, &control::Explorer::stateChanged, this, [this](Side side) {
        showPinned(side);
        showSides();
        showMarks();
        showReadout();
    });
    connect(&m_explorer, &control::Explorer::partChanged, this, &HeadGrids::showSides);
    connect(&m_explorer, &control::Explorer::selectionChanged, this, &HeadGrids::showMarks);
    connect(&m_explorer, &control::Explorer::currentChanged, this, &HeadGrids::showMarks);
    connect(&m_explorer, &control::Explorer::hoverChanged, this, [this] {
        showMarks();
        showReadout();
    });
    connect(&m_explorer, &control::Explorer::mapReady, this, [this] {
        showReadout();
        m_fullMapTimer.start();
    });
    connect(&m_explorer, &control::Explorer::cellWeightsReady, this, [this](Side side) {
        showPinned(side);
        showMarks();
    });
    connect(&m_explorer, &QObject::destroyed, this, &HeadGrids::stopListening);
    connect(&m_explorer.analyses(), &control::AnalysisRuns::changed, this,
            [this](service::AnalysisKind kind) {
                const control::TileBadges& badges = m_explorer.document().badges;
                if ((badges.kind == control::TileBadges::Kind::Rank && badges.analysis == kind) ||
                    (kind == service::AnalysisKind::Attribution && m_explorer.document().look.hasMlps))
                    showSides();
            });
    connect(m_lateTiles, &LateTiles::made, this, [this] {
        showSides();
        m_fullMapTimer.start();
    });
}

void HeadGrids::connectGrid(Side side)
{
    Canvas* canvas = &grid(side).canvas();
    connect(&grid(side), &HeadGrid::blockChosen, this,
            [this, side](const QString& source) { m_explorer.openModel(shownIn(side), source); });
    connect(canvas, &Canvas::zoomChanged, this, [this, side] { followZoom(side); });
    connect(canvas, &Canvas::resized, this, [this] {
        shareFit();
        m_fullMapTimer.start();
    });
    connect(canvas, &Canvas::cellHovered, this, [this, side](const std::optional<TileCell>& cell) {
        m_explorer.setHover(cell ? control::Hover{shownIn(side), cell->head, cell->query, cell->key}
                                 : control::Hover{});
    });
    connect(canvas, &Canvas::currentMoved, this,
            [this, side](HeadId head) { m_explorer.setCurrent(shownIn(side), head); });
    connect(canvas, &Canvas::headClicked, this, [this, side](HeadId head) { clicked(shownIn(side), head); });
    connect(canvas, &Canvas::ablationRequested, this,
            [this, side](HeadId head) { m_explorer.toggleAblation(shownIn(side), {head}); });
    connect(canvas, &Canvas::headDoubleClicked, this,
            [this, side](HeadId head) { doubleClicked(shownIn(side), head); });
    connect(canvas, &Canvas::openRequested, this, [this, side](HeadId head) { open(shownIn(side), head); });
    connect(canvas, &Canvas::selectionToggled, this, &HeadGrids::toggleSelected);
    connect(canvas, &Canvas::cellCut, this, [this, side](const TileCell& cell) {
        m_explorer.toggleCells(shownIn(side), cell.head, blockOf({cell.query, cell.key}));
    });
    connect(canvas, &Canvas::bandSelected, this, &HeadGrids::select);
    connect(canvas, &Canvas::pinRequested, this, &HeadGrids::pin);
    connect(canvas, &Canvas::releaseRequested, this, &HeadGrids::release);
    connect(canvas, &Canvas::flipChanged, this, [this, side](bool isFlipped) { flip(side, isFlipped); });
    connect(canvas, &Canvas::contextMenuWanted, this,
            [this, side](QPoint global, const std::optional<HeadId>& head) {
                askForMenu(shownIn(side), global, head);
            });
    connect(canvas, &Canvas::focusChanged, this, [this, side, canvas] {
        if (canvas->hasFocus()) {
            const auto head = m_explorer.currentHead();
            m_explorer.setCurrent(side,
                                  head ? m_explorer.counterpart(m_explorer.activeSide(), *head, side) : head);
        }
        showMarks();
    });
}

Side HeadGrids::shownIn(Side side) const
{
    return m_isFlipped[indexOf(side)] ? otherSide(side) : side;
}

void HeadGrids::showDocument()
{
    arrange();
    watchRanks();
    for (const Side side : kSides)
        showPinned(side);
    showSides();
    showMarks();
    showReadout();
}

void HeadGrids::arrange()
{
    for (const Side side : kSides)
        grid(side).setVisible(control::isShown(m_explorer.document().arrangement, side));
}

PlanNeeds HeadGrids::planNeeds() const
{
    const control::Document& document = m_explorer.document();
    PlanNeeds needs;
    for (const Side side : kSides)
        if (control::isShown(document.arrangement, side))
            needs.grids[indexOf(side)] =
                GridNeed{m_explorer.shownHeads(side), document.side(side).grid, showsMlps(m_explorer, side)};
    needs.arrangement = document.arrangement;
    needs.isAlike = m_isLinked;
    needs.room = m_row->geometry().size();
    needs.titleHeight = m_grids.front()->titleHeight();
    needs.spacing = kBetweenGrids;
    needs.headingSize = m_grids.front()->canvas().headingSize();
    needs.pixelRatio = devicePixelRatioF();
    return needs;
}

/// Lays the grids out anew if what they show, or their room, has changed.
void HeadGrids::followPlan()
{
    if (m_row->geometry().isEmpty())
        layout()->activate();  // a layout that has changed forgets its place
    PlanNeeds needs = planNeeds();
    if (needs == m_needs)
        return;
    m_needs = std::move(needs);
    m_plan = planGrids(m_needs);
    m_row->setDirection(m_plan.isStacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    for (const Side side : kSides)
        m_row->setStretch(static_cast<int>(indexOf(side)), m_plan.shares[indexOf(side)]);
    m_explorer.setLayout(m_plan.flows, m_plan.isStacked);
}

bool HeadGrids::event(QEvent* event)
{
    const bool isDone = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        const Plan before = m_plan;
        followPlan();
        if (m_plan != before)
            showSides();
    }
    return isDone;
}

void HeadGrids::showSides()
{
    followPlan();
    m_isFollowing = true;  // each grid keeps its own place in a new layout
    for (const Side side : kSides)
        showSide(side);
    m_isFollowing = false;
    m_legend->setKey(badgeKeyOf(m_explorer));
    shareFit();
    showColours();
    m_fullMapTimer.start();
}

/// Keeps the ranks of analyses that run by themselves up to date while they are on the tiles.
void HeadGrids::watchRanks()
{
    const control::TileBadges& badges = m_explorer.document().badges;
    for (const service::AnalysisKind kind : service::kAnalyses)
        m_explorer.analyses().setWatched(
            kind, badges.kind == control::TileBadges::Kind::Rank && badges.analysis == kind, this);
}

/// Slim tiles say what the MLPs do for the answer, once the window has been at rest.
void HeadGrids::watchMlps()
{
    const bool hasMlps =
        std::ranges::any_of(kSides, [this](Side side) { return showsMlps(m_explorer, side); });
    m_explorer.analyses().setWatched(service::AnalysisKind::Attribution, hasMlps, m_row);
}

void HeadGrids::showSide(Side side)
{
    const Side shown = shownIn(side);
    const Content& previous = grid(side).canvas().content();
    grid(side).setBlocks(blockChoices(m_explorer.state(shown).model.get()));
    Content content = contentOf(m_explorer, side, shown, *m_lateTiles, previous);
    content.flow = m_plan.flows[indexOf(side)];
    if (content.tiles == previous.tiles)
        content.fullMaps = previous.fullMaps;
    grid(side).setContent(std::move(content));
}

void HeadGrids::showPinned(Side side)
{
    m_pinned[indexOf(side)] = pinnedHeads(m_explorer, side);
}

void HeadGrids::showMarks()
{
    for (const Side side : kSides) {
        const Side shown = shownIn(side);
        Marks marks = marksOf(m_explorer, shown);
        marks.pinnedHeads = m_pinned[indexOf(shown)];
        marks.hasFocus = grid(side).canvas().hasFocus();
        if (side != m_explorer.activeSide())
            marks.current.reset();
        else if (marks.current && side != shown)
            marks.current = m_explorer.counterpart(side, *marks.current, shown);
        grid(side).canvas().setMarks(std::move(marks));
    }
}

void HeadGrids::showReadout()
{
    m_readout->setText(describeHover(m_explorer));
}

QString HeadGrids::readout() const
{
    return m_readout->text();
}

void HeadGrids::showColours()
{
    const control::Document& document = m_explorer.document();
    const render::ColourMap map = control::isSigned(document.tiles)
                                      ? render::ColourMap::diverging()
                                      : render::ColourMap::named(document.look.colourMap);
    std::vector<double> fulls;
    bool isClipped = false, hasBlocks = false;
    for (const Side side : kSides)
        if (const Content& content = grid(side).canvas().content();
            !grid(side).isHidden() && !content.isEmpty()) {
            fulls.push_back(content.tiles->full());
            isClipped |= content.tiles->isClipped();
            const auto& run = m_explorer.state(shownIn(side)).run;
            hasBlocks |= run && run->hasBlocks();
        }
    m_colours->setColours(Inks::of(palette()).isDark ? map.onDark() : map, document.look.scale,
                          document.look.isPerHead, document.tiles, fulls, isClipped, hasBlocks);
}

void HeadGrids::showFullMaps()
{
    for (const Side side : kSides) {
        if (m_isFlipped[indexOf(side)] || grid(side).isHidden())
            continue;
        Content content = grid(side).canvas().content();
        content.fullMaps = fullMapsFor(m_explorer, side, grid(side).canvas(), *m_lateTiles);
        grid(side).setContent(std::move(content));
    }
}

void HeadGrids::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showColours();
    QWidget::changeEvent(event);
}

}  // namespace hs::grid
