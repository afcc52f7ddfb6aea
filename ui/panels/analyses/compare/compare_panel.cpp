#include "panels/analyses/compare/compare_panel.h"

#include "panels/analyses/bar_links.h"
#include "panels/analyses/compare/comparison_table.h"
#include "panels/analyses/compare/depth_curve.h"
#include "panels/analyses/head_bars.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/turning_box.h"
#include "render/pattern_words.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kLeastTable = 340;  // so that names stay readable beside the numbers

QTableView* newTable(QAbstractItemModel* model)
{
    auto* const table = new QTableView;
    table->setObjectName(QStringLiteral("compareTable"));
    table->setModel(model);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setFocusPolicy(Qt::NoFocus);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(48);
    for (int column = 0; column < model->columnCount(); ++column)
        table->horizontalHeader()->setSectionResizeMode(column, column == 0 ? QHeaderView::Stretch
                                                                            : QHeaderView::ResizeToContents);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setMinimumWidth(kLeastTable);
    return table;
}

}  // namespace

ComparePanel::ComparePanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Compare, parent), m_model(new ComparisonTable(this)),
      m_table(newTable(m_model)), m_bars(new HeadBars), m_depth(new DepthCurve),
      m_words(newQuietLabel(this, QStringLiteral("compareWords")))
{
    setObjectName(QStringLiteral("comparePanel"));
    addFields();
    setContent(newContent(), tr("Open two models and type a prompt to compare them."));
    addPlot(*m_bars, tr("distances"));
    addPlot(*m_depth, tr("distances by layer"));
    connectParts();
    refresh();
}

void ComparePanel::addFields()
{
    m_distance = new QComboBox(this);
    m_distance->setObjectName(QStringLiteral("compareDistance"));
    m_distance->setAccessibleName(tr("Distance of patterns"));
    m_distance->addItems({tr("Total variation"), tr("Jensen–Shannon divergence")});
    addField(tr("&Distance"), m_distance);
    m_order = new QPushButton(tr("&Order both grids by what changed most"), this);
    m_order->setObjectName(QStringLiteral("compareOrder"));
    m_order->setAutoDefault(false);
    addControl(m_order);
}

QWidget* ComparePanel::newContent()
{
    m_bars->setObjectName(QStringLiteral("compareBars"));
    m_depth->setObjectName(QStringLiteral("compareDepth"));
    m_bars->setNeutral(true);
    auto* const distances = new QWidget;
    auto* const column = new QVBoxLayout(distances);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(m_bars, 1);
    column->addWidget(m_words);
    auto* const content = new TurningBox(16, this);
    content->addPart(m_table, 5);
    content->addPart(distances, 5);
    content->addPart(m_depth, 3);
    return content;
}

void ComparePanel::connectParts()
{
    linkBars(*m_bars, explorer());
    connect(m_distance, &QComboBox::currentIndexChanged, this, [this] {
        m_shown.reset();
        showResult();
    });
    connect(m_order, &QPushButton::clicked, this, &ComparePanel::orderByChange);
}

void ComparePanel::showResult()
{
    const analyses::Comparison* const found = comparison();
    m_order->setEnabled(found && !found->pairs.empty());
    m_bars->setDimmed(state(Side::Left).isOutdated);
    m_depth->setDimmed(state(Side::Left).isOutdated);
    m_table->setEnabled(!state(Side::Left).isOutdated);
    if (!found || m_shown == state(Side::Left).finding->result)
        return;
    m_shown = state(Side::Left).finding->result;
    m_model->show(comparisonRows(*found, explorer().whyNoRun().isEmpty()),
                  {sideTitle(explorer(), Side::Left), sideTitle(explorer(), Side::Right)});
    showDistances(*found);
    showText(*m_words, words(*found));
}

void ComparePanel::showDistances(const analyses::Comparison& comparison)
{
    const auto kind = static_cast<DistanceKind>(m_distance->currentIndex());
    const std::array<QString, 2> titles = {sideTitle(explorer(), Side::Left),
                                           sideTitle(explorer(), Side::Right)};
    const std::vector<HeadBar> bars = distanceBars(rankedPairs(comparison, kind), kind, titles);
    m_bars->setBars({RankedBars{{}, bars}, RankedBars{}}, m_distance->currentText());
    m_bars->setVisible(!bars.empty());
    m_depth->setLayers(
        analyses::changesByLayer(comparison.pairs, kind == DistanceKind::TotalVariation
                                                       ? &stats::PatternDistance::totalVariation
                                                       : &stats::PatternDistance::jensenShannon),
        m_distance->currentText());
    m_depth->setVisible(!bars.empty());
}

QString ComparePanel::words(const analyses::Comparison& comparison) const
{
    const auto& left = explorer().state(Side::Left).run;
    const auto& right = explorer().state(Side::Right).run;
    const auto shape = [](const control::SideRun& run) {
        return tr("%1 × %2").arg(run.after.heads.layers).arg(run.after.heads.heads);
    };
    if (comparison.pairs.empty() && left && right && !explorer().hasSameHeads())
        return tr("The models have different layers and heads (%1 and %2), so no head of one is that of the "
                  "other; choose models of the same shape to compare head by head.")
            .arg(shape(*left), shape(*right));
    if (comparison.pairs.empty() && left && right && !explorer().hasSameTokens() &&
        !explorer().whyNoRun(explorer().tokenSide()).isEmpty())
        return tr("The sides have different tokens (%1 and %2), so single heads cannot be held against each "
                  "other; choose maps of the same text.")
            .arg(render::patternWords(left->after.pattern()), render::patternWords(right->after.pattern()));
    if (comparison.pairs.empty() && left && right && !explorer().hasSameTokens())
        return tr(
            "The two texts have no token in common, so single heads cannot be held against each other; let "
            "both sides read similar prompts.");
    QStringList notes;
    if (left && comparison.rows > 0 && comparison.rows < static_cast<int>(left->tokens.size()))
        notes << (left->hasBlocks()
                      ? tr("Compared over the %1 of %2 blocks that stand for each other in both texts.")
                      : tr("Compared over the %1 of %2 tokens that stand for each other in both texts."))
                     .arg(comparison.rows)
                     .arg(left->tokens.size());
    const auto pale =
        std::count_if(comparison.pairs.begin(), comparison.pairs.end(), [](const analyses::HeadPair& pair) {
            return looksNowhere(pair.first) != looksNowhere(pair.second);
        });
    if (pale > 0)
        notes << tr("Pale: %1 of %2 heads look at nothing in one of the models, which is as far apart as "
                    "heads can be.")
                     .arg(pale)
                     .arg(comparison.pairs.size());
    return notes.join(QLatin1Char(' '));
}

void ComparePanel::orderByChange()
{
    const analyses::Comparison* const found = comparison();
    if (!found)
        return;
    SideHeads ranked;
    const SideShapes shapes = shapesOf(explorer());
    for (const analyses::HeadPair& pair :
         rankedPairs(*found, static_cast<DistanceKind>(m_distance->currentIndex())))
        for (const Side side : kSides)
            if (shapes[indexOf(side)].contains(pair.head))
                ranked[indexOf(side)].push_back(pair.head);
    explorer().edit(tr("Order grids by what changed"),
                    [&](control::Document& document) { orderGrids(document, ranked, shapes); });
}

figures::DataTable ComparePanel::table() const
{
    const analyses::Comparison* const found = comparison();
    return found ? comparisonData(*found) : figures::DataTable();
}

}  // namespace hs::panels
