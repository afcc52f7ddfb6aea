#include "panels/inspector/inspector_panel.h"

#include "control/document/changed_cells.h"
#include "panels/inspector/head_plot.h"
#include "panels/inspector/head_words_view.h"
#include "panels/inspector/inspector_header.h"
#include "panels/inspector/inspector_side.h"
#include "panels/inspector/inspector_text.h"
#include "panels/inspector/patch_picture.h"
#include "panels/inspector/row_profile.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"

#include <QEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

constexpr int kInspectorMargin = 8;
constexpr int kBesideMap = 110;    // labels and colour bar, roughly
constexpr int kBelowMap = 60;      // labels, roughly
constexpr int kLeastMap = 120;     // below this, two maps give way to one
constexpr int kProfileFrom = 420;  // height of the panel from which the profile is shown
constexpr int kHighestProfile = 180;
constexpr int kFiguresFrom = 560;  // and the figures

InspectorHeader::Sides sidesOf(control::Arrangement arrangement)
{
    switch (arrangement) {
    case control::Arrangement::LeftOnly: return InspectorHeader::LeftOnly;
    case control::Arrangement::RightOnly: return InspectorHeader::RightOnly;
    case control::Arrangement::Automatic:
    case control::Arrangement::SideBySide:
    case control::Arrangement::Stacked: break;
    }
    return InspectorHeader::Both;
}

bool isInside(text::TokenSpan span, int tokens)
{
    return span.first >= 0 && span.last < tokens;
}

}  // namespace

InspectorPanel::InspectorPanel(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_maps(explorer), m_arrangement(explorer.document().arrangement),
      m_pages(new QStackedWidget(this)), m_empty(newQuietLabel(this, QStringLiteral("inspectorEmpty"))),
      m_header(new InspectorHeader(this)), m_columns(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_profile(new RowProfile(this)), m_words(new HeadWordsView(explorer, this))
{
    setObjectName(QStringLiteral("inspectorPanel"));
    m_profile->setObjectName(QStringLiteral("inspectorProfile"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(2 * kInspectorMargin);

    auto* const content = new QWidget(this);
    auto* const layout = new QVBoxLayout(content);
    layout->setContentsMargins(kInspectorMargin, 4, kInspectorMargin, 4);
    layout->setSpacing(4);
    layout->addWidget(m_header);
    m_columns->setSpacing(2 * kInspectorMargin);
    layout->addLayout(m_columns, 3);
    layout->addWidget(m_profile, 1);
    m_profile->setMaximumHeight(kHighestProfile);
    layout->addWidget(m_words, 3);
    m_words->hide();
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(content);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->setSizeConstraint(QLayout::SetNoConstraint);
    all->addWidget(m_pages);

    for (const Side side : kSides) {
        m_sides[indexOf(side)] = new InspectorSide(side, content);
        m_columns->addWidget(m_sides[indexOf(side)], 1);
        connectSide(side);
    }
    connect(m_header, &InspectorHeader::stepRequested, this, &InspectorPanel::step);
    connect(m_header, &InspectorHeader::viewChosen, this, &InspectorPanel::setMapView);
    connect(m_header, &InspectorHeader::sidesChosen, this, &InspectorPanel::refresh);
    connect(m_header, &InspectorHeader::wordsChosen, this, &InspectorPanel::refresh);
    connect(m_header, &InspectorHeader::aloneChosen, this, [this](Side side) {
        m_alone = side;
        refresh();
    });
    connectExplorer();
    refresh();
}

HeadPlot& InspectorPanel::plotOf(Side side) const
{
    return m_sides[indexOf(side)]->plot();
}

void InspectorPanel::connectSide(Side side)
{
    InspectorSide& column = *m_sides[indexOf(side)];
    HeadPlot& plot = column.plot();
    connect(&column.patches(), &PatchPicture::keyHovered, this,
            [this, side](int key) { hoverCell(side, {rowOf(side), key}); });
    connect(&column.patches(), &PatchPicture::hoverLeft, this, [this] { m_explorer.setHover({}); });
    connect(&column, &InspectorSide::ablationToggled, this, [this, side](bool isAblated) {
        if (const auto head = m_maps.head(side))
            m_explorer.setAblated(side, {*head}, isAblated);
    });
    connect(&plot, &HeadPlot::cellHovered, this, [this, side](MapCell cell) { hoverCell(side, cell); });
    connect(&plot, &HeadPlot::hoverLeft, this, [this] { m_explorer.setHover({}); });
    connect(&plot, &HeadPlot::cellPicked, this, [this, side](MapCell cell) { pin(side, cell); });
    connect(&plot, &HeadPlot::blockCut, this, [this, side](const CellBlock& block) { cut(side, block); });
    connect(&plot, &HeadPlot::pickTakenBack, this, &InspectorPanel::takeBackPin);
    connect(&plot, &HeadPlot::releaseRequested, this, &InspectorPanel::release);
    connect(&plot, &HeadPlot::seenChanged, this, [this, side](const QRectF& seen) {
        HeadPlot& other = plotOf(otherSide(side));
        const MapViewport& own = plotOf(side).view();
        if (other.view().queries() == own.queries() && other.view().keys() == own.keys())
            other.setSeen(seen);
    });
}

void InspectorPanel::connectExplorer()
{
    connect(&m_explorer, &control::Explorer::documentChanged, this, [this] {
        const control::Arrangement arrangement = m_explorer.document().arrangement;
        if (arrangement != m_arrangement) {
            m_arrangement = arrangement;
            m_header->setSides(sidesOf(arrangement));
        }
        refresh();
    });
    connect(&m_explorer, &control::Explorer::stateChanged, this, &InspectorPanel::refresh);
    connect(&m_explorer, &control::Explorer::currentChanged, this, [this] {
        m_alone.reset();
        refresh();
    });
    connect(&m_explorer, &control::Explorer::mapReady, this, &InspectorPanel::refresh);
    connect(&m_explorer, &control::Explorer::hoverChanged, this, &InspectorPanel::updateMarks);
    connect(m_profile, &RowProfile::keyHovered, this, [this](int key) {
        m_explorer.setHover({m_profileSide, std::nullopt, rowOf(m_profileSide), key});
    });
    connect(m_profile, &RowProfile::hoverLeft, this, [this] { m_explorer.setHover({}); });
}

void InspectorPanel::setMapView(MapView view)
{
    if (view == m_view)
        return;
    m_view = view;
    m_header->setView(view);
    refresh();
}

std::vector<Side> InspectorPanel::sidesToShow() const
{
    std::vector<Side> sides;
    for (const Side side : kSides) {
        const bool isChosen = m_header->sides() !=
                              (side == Side::Left ? InspectorHeader::RightOnly : InspectorHeader::LeftOnly);
        if (isChosen && m_explorer.state(side).model)
            sides.push_back(side);
    }
    return sides;
}

void InspectorPanel::refresh()
{
    if (!isVisible())
        return;
    const std::optional<HeadId> head = m_explorer.currentHead();
    checkViews();
    m_maps.update();
    const bool hasModel = m_explorer.state(Side::Left).model || m_explorer.state(Side::Right).model;
    m_empty->setText(hasModel ? tr("Press Enter on a tile, or double-click it, to see one head in full.")
                              : tr("Open a model to see its heads."));
    m_pages->setCurrentIndex(head && hasModel ? 1 : 0);
    if (!head || !hasModel)
        return;
    const auto& model = m_explorer.state(m_explorer.activeSide()).model;
    const std::string own = model && model->maps ? model->maps->nameOf(*head) : std::string();
    m_header->setHead(QString::fromStdString(own.empty() ? toString(*head) : toString(*head) + " · " + own));
    updateMarks();
    if (m_view == MapView::BetweenSides)
        showDifference();
    else
        for (const Side side : kSides)
            showSide(side);
    colour();
    arrange();
    updateMarks();
}

void InspectorPanel::showSide(Side side)
{
    InspectorSide& column = *m_sides[indexOf(side)];
    Shown& shown = m_shown[indexOf(side)];
    const auto run = m_maps.run(side);
    const HeadMap map = m_maps.map(side, m_view);
    const bool isNew = map.cells || !run;
    if (isNew)
        shown = {map, run ? m_maps.labels(side) : AxisLabels()};
    column.setTitle(titleOf(side), true);
    column.setFigures(run ? describeStats(run->after.statsOf(*m_maps.head(side))) : QString());
    column.setAblatable(run && m_explorer.whyNoRun(side).isEmpty());
    const auto& ablations = m_explorer.document().side(side).ablations;
    const auto ablation = run ? ablations.find(*m_maps.head(side)) : ablations.end();
    column.setChange(ablation == ablations.end() ? nullptr : &ablation->second);
    column.plot().setEdited(ablation == ablations.end() || !run ? QList<QRectF>()
                                                                : control::placesOf(ablation->second, *run));
    column.plot().setDimmed(!map.cells || m_explorer.state(side).isStale);
}

void InspectorPanel::showDifference()
{
    InspectorSide& column = *m_sides[indexOf(Side::Left)];
    const HeadMap map = m_maps.map(Side::Left, m_view);
    const auto run = m_maps.run(Side::Left);
    const bool canCompare = run && m_maps.run(Side::Right) && m_explorer.canSubtractCells();
    if (map.cells || !canCompare)
        m_shown[indexOf(Side::Left)] = {map, canCompare ? m_maps.labels(Side::Left) : AxisLabels()};
    m_shown[indexOf(Side::Right)] = {};
    column.setTitle(tr("%1 − %2").arg(titleOf(Side::Right), titleOf(Side::Left)), false);
    column.setFigures({});
    column.setAblatable(false);
    column.plot().setDimmed(!map.cells || m_explorer.state(Side::Left).isStale ||
                            m_explorer.state(Side::Right).isStale);
}

void InspectorPanel::colour()
{
    const control::Look& look = m_explorer.document().look;
    const bool hasDarkGround = isDark(palette());
    const std::array maps = {m_shown[0].map, m_shown[1].map};
    for (const Side side : kSides) {
        const Shown& shown = m_shown[indexOf(side)];
        const std::span<const HeadMap> together =
            look.isPerHead ? std::span(&maps[indexOf(side)], 1) : std::span(maps);
        const ValueRange limits = MapColours::limits(m_view, look.isPerHead, together);
        m_sides[indexOf(side)]->setMap(shown.labels, shown.map,
                                       MapColours(m_view, limits, look, hasDarkGround));
    }
}

/// Side by side or stacked, whichever leaves the larger maps; only one side if both would be too small to
/// read.
void InspectorPanel::arrange()
{
    const bool hasWords = m_header->hasWords();
    const bool hasProfile = height() >= kProfileFrom && !hasWords;
    const bool hasFigures = height() >= kFiguresFrom && m_view != MapView::BetweenSides;
    m_profile->setVisible(hasProfile);
    m_words->setVisible(hasWords);
    std::vector<Side> sides = m_view == MapView::BetweenSides ? std::vector{Side::Left} : sidesToShow();
    const int besides = m_sides[0]->heightBesideMap() + kBelowMap + (hasFigures ? 32 : 0);
    const int room = height() - m_header->heightForWidth(width() - 2 * kInspectorMargin) -
                     2 * kInspectorMargin -
                     (hasProfile ? std::clamp(height() / 4, m_profile->sizeHint().height(), kHighestProfile)
                      : hasWords ? height() / 2
                                 : 0);
    const int across = std::min(width() / 2 - kBesideMap, room - besides);
    const int stacked = std::min(width() - kBesideMap, room / 2 - besides);
    std::optional<Side> alone;
    if (sides.size() > 1 && std::max(across, stacked) < kLeastMap) {
        alone = m_alone.value_or(m_explorer.activeSide());
        sides = {*alone};
    }
    m_header->setAlone(alone);
    m_columns->setDirection(across >= stacked ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    for (const Side side : kSides) {
        InspectorSide& column = *m_sides[indexOf(side)];
        column.setFiguresShown(hasFigures);
        column.setVisible(std::find(sides.begin(), sides.end(), side) != sides.end());
    }
}

/// The side's model; of models with different heads, also which head it shows and why.
QString InspectorPanel::titleOf(Side side) const
{
    const QString title = sideTitle(m_explorer, side);
    const std::optional<HeadId> head = m_maps.head(side);
    if (!head || m_explorer.hasSameHeads())
        return title;
    const QString name = QString::fromStdString(toString(*head));
    return side == m_explorer.activeSide() ? tr("%1 %2").arg(title, name)
                                           : tr("%1 %2, by relative depth").arg(title, name);
}

control::CellSpan InspectorPanel::marked(Side side) const
{
    const control::CellSpan hovered = m_explorer.hovered(side);
    const control::CellSpan pinned = m_explorer.pinned(side);
    return {m_explorer.hover().query ? hovered.query : pinned.query,
            m_explorer.hover().key ? hovered.key : pinned.key};
}

/// The last position of the marked row, which sees the most; the prompt's last if none is marked.
int InspectorPanel::rowOf(Side side) const
{
    const int last = m_shown[indexOf(side)].map.pattern.queries - 1;
    const auto row = marked(side).query;
    return std::clamp(row ? row->last : last, 0, std::max(last, 0));
}

void InspectorPanel::updateMarks()
{
    if (!isVisible() || !m_explorer.currentHead())
        return;
    for (const Side side : kSides) {
        InspectorSide& column = *m_sides[indexOf(side)];
        const control::CellSpan cell = marked(side);
        column.plot().setMarks(cell.query, cell.key);
        const QString problem = missing(side);
        const QString text = problem.isEmpty() ? readout(side, cell) : problem;
        const bool isQuiet = text.isEmpty() || !problem.isEmpty();
        column.setReadout(text.isEmpty() ? tr("Point at a cell to read it.") : text, isQuiet);
        updatePatches(side);
    }
    updateProfile();
}

QString InspectorPanel::missing(Side side) const
{
    if (m_view == MapView::BetweenSides && !(m_maps.run(Side::Left) && m_maps.run(Side::Right)))
        return tr("Both sides need this head to be compared. Choose a head that both models have.");
    if (m_view == MapView::BetweenSides && !m_explorer.canSubtractCells())
        return tr("The sides have different tokens, so their cells cannot be subtracted.");
    const control::SideState& state = m_explorer.state(side);
    if (state.run && !m_maps.run(side))
        return tr("This model has no such head.");
    if (const QString why = m_explorer.whyNoRun(side);
        m_view != MapView::Weights && m_view != MapView::BetweenSides && !why.isEmpty())
        return why;
    if (m_view == MapView::AfterAblation && m_explorer.document().side(side).ablations.empty())
        return tr("Nothing is ablated on this side, so nothing differs.");
    return state.run ? QString() : state.problem;
}

QString InspectorPanel::readout(Side side, const control::CellSpan& marks)
{
    const auto run = m_maps.run(side);
    if (!run)
        return {};
    const QString cells = describeCell(m_maps.labels(side), marks.query, marks.key);
    const stats::PatternShape pattern = run->after.pattern();
    if (!marks.query || !marks.key || !isInside(*marks.query, pattern.queries) ||
        !isInside(*marks.key, pattern.keys))
        return cells;
    const MapCell cell = m_maps.strongest(side, *marks.query, *marks.key);
    const bool isOne = marks.query == text::TokenSpan(cell.query) && marks.key == text::TokenSpan(cell.key);
    if (!isOne && control::hasSelection(m_explorer.document()))
        return tr("%1   together %2")
            .arg(cells, formatNumber(m_maps.together(side, *marks.query, *marks.key)));
    const QString start = isOne ? cells + QStringLiteral("   ") : tr("%1   at most ").arg(cells);
    const CellValues values = m_maps.values(side, m_view, cell);
    if (m_view != MapView::BetweenSides)
        return start + describeValues(values, m_view,
                                      m_explorer.whyNoRun(side).isEmpty() &&
                                          m_explorer.whyNotPossible(engine::MapKind::Scores).isEmpty(),
                                      run->request.gate.has_value());
    const CellValues right = m_maps.values(Side::Right, m_view, cell);
    return start + describeComparison(values.weight, right.weight);
}

void InspectorPanel::updateProfile()
{
    if (m_profile->isHidden())
        return;
    std::array<std::vector<double>, 2> rows;
    QString title;
    QStringList labels;  // of the keys
    for (const Side side : kSides) {
        const Shown& shown = m_shown[indexOf(side)];
        const bool isShown = !m_sides[indexOf(side)]->isHidden();
        if (!shown.map.cells || !isShown)
            continue;
        if (labels.isEmpty()) {
            m_profileSide = side;
            labels = shown.labels.keys;
            title = tr("Row of %1").arg(describeCell(shown.labels, rowOf(side), std::nullopt));
        }
        // One axis for both: the other side's weights stand at the tokens that cover the same characters.
        for (int key = 0; key < labels.size(); ++key) {
            const auto keys = m_explorer.matching(m_profileSide, control::Axis::Key, key, side);
            double largest = std::numeric_limits<double>::quiet_NaN();
            for (int place = keys ? keys->first : 0; keys && place <= keys->last; ++place)
                largest = std::fmax(largest, shown.map.at({rowOf(side), place}));
            rows[indexOf(side)].push_back(largest);
        }
    }
    m_profile->setNeutral(m_view == MapView::BetweenSides);
    const auto key = marked(m_profileSide).key;
    m_profile->setRow(title, labels, rows, key ? std::optional(key->last) : std::nullopt);
}

/// Lays the marked row over the picture that its keys were cut from.
void InspectorPanel::updatePatches(Side side)
{
    PatchPicture& patches = m_sides[indexOf(side)]->patches();
    const auto& model = m_explorer.state(side).model;
    const Shown& shown = m_shown[indexOf(side)];
    const bool hasPatches = model && model->maps && model->maps->facts().keyPatches && shown.map.cells &&
                            m_view == MapView::Weights;
    patches.setVisible(hasPatches);
    if (!hasPatches)
        return;
    std::vector<double> row;
    for (int key = 0; key < shown.map.pattern.keys; ++key)
        row.push_back(shown.map.at({rowOf(side), key}));
    const auto key = marked(side).key;
    patches.setRow(model->maps, rowOf(side), std::move(row), shown.labels,
                   key ? std::optional(key->last) : std::nullopt);
}

void InspectorPanel::checkViews()
{
    const auto check = [this](MapView view, const QString& problem) {
        m_header->setProblem(view, problem);
        if (view == m_view && !problem.isEmpty())
            m_header->setView(MapView::Weights);
    };
    check(MapView::Scores, m_explorer.whyNotPossible(engine::MapKind::Scores));
    check(MapView::Gate, m_explorer.whyNotPossible(engine::MapKind::Gate));
    check(MapView::ValueWeighted, m_explorer.whyNotPossible(engine::MapKind::ValueWeighted));
    check(MapView::AfterAblation, m_explorer.whyNoRun());
    m_header->setWordsProblem(m_explorer.whyNotPossible(service::AnalysisKind::HeadWords));
}

void InspectorPanel::step(int by)
{
    const std::optional<HeadId> head = m_explorer.currentHead();
    const Side side = m_explorer.activeSide();
    const std::vector<HeadId> heads = m_explorer.shownHeads(side);
    const auto found = head ? std::find(heads.begin(), heads.end(), *head) : heads.end();
    if (heads.empty())
        return;
    const auto count = static_cast<int>(heads.size());
    const int at = found == heads.end() ? 0 : static_cast<int>(found - heads.begin()) + by;
    m_explorer.setCurrent(side, heads[static_cast<std::size_t>((at + count) % count)]);
}

void InspectorPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void InspectorPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void InspectorPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && isVisible())
        colour();
    QWidget::changeEvent(event);
}

}  // namespace hs::panels
