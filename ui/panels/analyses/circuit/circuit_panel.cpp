#include "panels/analyses/circuit/circuit_panel.h"

#include "analyses/analysis_json.h"
#include "control/document/circuit_words.h"
#include "panels/analyses/bar_links.h"
#include "panels/analyses/circuit/circuit_values.h"
#include "panels/analyses/circuit/path_graph.h"
#include "panels/analyses/effect_curves.h"
#include "panels/analyses/head_bars.h"
#include "panels/prompt/example_menu.h"
#include "panels/prompt/prompt_pair.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/target_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSplitter>

namespace hs::panels {
namespace {

constexpr int kPairTokenLetters = 32;  // of the target and distractor fields

}  // namespace

CircuitPanel::CircuitPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Circuit, parent), m_bars(new HeadBars(this)),
      m_curves(new EffectCurves(this)), m_graph(new PathGraph(this))
{
    setObjectName(QStringLiteral("circuitPanel"));
    composeForm();
    composePlots();
    refresh();
}

void CircuitPanel::setUp(const std::function<void(service::CircuitSetup&)>& change, const QString& mergeKey)
{
    explorer().edit(
        tr("Set up the circuit"),
        [&change](control::Document& document) { change(document.analyses.circuit); }, mergeKey);
}

void CircuitPanel::composeForm()
{
    m_units = addChoice("circuitUnits", tr("Units"),
                        {tr("heads"), tr("edges"), tr("paths"), tr("heads and MLPs")}, [this](int index) {
                            setUp([index](service::CircuitSetup& setup) {
                                setup.units = static_cast<analyses::CircuitUnits>(index);
                            });
                        });
    m_units->setItemData(2, tr("From a head to the query, key or value of a later one, or to the logits"),
                         Qt::ToolTipRole);
    m_ranking = addChoice("circuitRanking", tr("ranked by"),
                          {tr("restoring"), tr("removing"), tr("gradient")}, [this](int index) {
                              setUp([index](service::CircuitSetup& setup) {
                                  setup.ranking = static_cast<analyses::CircuitRanking>(index);
                              });
                          });
    m_ranking->setItemData(0, tr("What each does alone when it is clean in the corrupted run"),
                           Qt::ToolTipRole);
    m_ranking->setItemData(1, tr("What is lost when each alone is corrupted in the clean run"),
                           Qt::ToolTipRole);
    m_ranking->setItemData(2, tr("Estimated for all at once; fast, and less exact"), Qt::ToolTipRole);
    m_level = new QDoubleSpinBox(this);
    m_level->setObjectName(QStringLiteral("circuitLevel"));
    m_level->setAccessibleName(tr("Explained effect to reach"));
    m_level->setRange(0.05, 1);
    m_level->setSingleStep(0.05);
    m_level->setKeyboardTracking(false);
    connect(m_level, &QDoubleSpinBox::valueChanged, this, [this](double level) {
        setUp([level](service::CircuitSetup& setup) { setup.level = level; },
              QStringLiteral("circuit-level"));
    });
    addField(tr("level"), m_level);
    m_isRefined = new QCheckBox(tr("refine"), this);
    m_isRefined->setObjectName(QStringLiteral("circuitRefine"));
    connect(m_isRefined, &QCheckBox::clicked, this, [this](bool isRefined) {
        setUp([isRefined](service::CircuitSetup& setup) { setup.isRefined = isRefined; });
    });
    addControl(m_isRefined);
    auto* const tokens = new TargetFields(explorer(), this);
    tokens->setFixedWidth(kPairTokenLetters * fontMetrics().averageCharWidth());
    addControl(tokens);
    addExamples().setForPairs(true);
    addRow(new PromptPair(explorer(), this));
}

void CircuitPanel::composePlots()
{
    m_plots = new QSplitter(Qt::Horizontal, this);
    m_plots->setChildrenCollapsible(false);
    m_plots->addWidget(m_bars);
    m_plots->addWidget(m_curves);
    m_plots->addWidget(m_graph);
    m_plots->setStretchFactor(0, 3);
    m_plots->setStretchFactor(1, 2);
    m_plots->setStretchFactor(2, 3);
    m_graph->setObjectName(QStringLiteral("circuitPaths"));
    m_graph->hide();
    connect(m_graph, &PathGraph::picked, m_bars, &HeadBars::picked);
    m_bars->setObjectName(QStringLiteral("circuitBars"));
    m_curves->setObjectName(QStringLiteral("circuitCurves"));
    linkBars(*m_bars, explorer());
    connect(m_curves, &EffectCurves::countPicked, this, &CircuitPanel::pick);
    setContent(m_plots, tr("Run it to find the heads that carry the difference between the two prompts: what "
                           "each does alone, and how few explain the answer together."));
    addPlot(*m_bars, tr("&bars"));
    addPlot(*m_curves, tr("&curves"));
    actions().addPicture(*m_graph, tr("&paths"),
                         [this](QPainter& painter, const QPalette& inks) { m_graph->draw(painter, inks); });
}

void CircuitPanel::showDocument()
{
    const service::CircuitSetup& setup = explorer().document().analyses.circuit;
    const QString reason = setup.units == analyses::CircuitUnits::Paths
                               ? tr("Paths are ranked one by one and make no smallest circuit.")
                               : QString();
    greyOut(*m_level, reason);
    greyOut(*m_isRefined, reason, tr("Leave out of the smallest circuit what it reaches the level without."));
    m_units->setCurrentIndex(static_cast<int>(setup.units));
    m_ranking->setCurrentIndex(static_cast<int>(setup.ranking));
    m_isRefined->setChecked(setup.isRefined);
    const QSignalBlocker blocker(m_level);  // it may round the level
    m_level->setValue(setup.level);
}

std::array<const analyses::Circuit*, 2> CircuitPanel::circuits() const
{
    return {found<analyses::Circuit>(Side::Left), found<analyses::Circuit>(Side::Right)};
}

void CircuitPanel::showResult()
{
    std::array<RankedBars, 2> bars;
    std::array<figures::EffectCurve, 2> curves;
    EffectCurves::Words words{control::unitWords(explorer().document().analyses.circuit.units),
                              tr("explained effect"), factorText(circuits())};
    double level = explorer().document().analyses.circuit.level;
    bool isOutdated = false;
    for (const Side side : kSides) {
        const std::size_t at = indexOf(side);
        if (m_pickedFor[at] != state(side).finding)
            m_picked[at].reset();
        const analyses::Circuit* const circuit = circuits()[at];
        if (!circuit)
            continue;
        const QString title = sideTitle(explorer(), side);
        bars[at] = {title, circuitBars(*circuit, keptRanks(*circuit, m_picked[at]))};
        curves[at] = effectCurve(*circuit, title);
        level = circuit->level;
        words.units = control::unitWords(circuit->kind);
        isOutdated = isOutdated || state(side).isOutdated;
    }
    m_bars->setBars(std::move(bars), tr("effect alone"));
    m_bars->setDimmed(isOutdated);
    m_curves->setCurves(curves, level, words);
    m_curves->setDimmed(isOutdated);
    m_graph->setDimmed(isOutdated);
    showPaths();
    setSummary(summary());
}

/// The graph takes the place of the curves, which paths do not have.
void CircuitPanel::showPaths()
{
    std::array<PathLines, 2> paths;
    bool hasPaths = false;
    for (const Side side : kSides)
        if (const analyses::Circuit* const circuit = circuits()[indexOf(side)];
            circuit && circuit->kind == analyses::CircuitUnits::Paths) {
            paths[indexOf(side)] = pathLines(*circuit, sideTitle(explorer(), side));
            hasPaths = true;
        }
    m_graph->setPaths(std::move(paths));
    m_graph->setVisible(hasPaths);
    m_curves->setVisible(!hasPaths);
}

/// The metric that the circuit explains, on both prompts.
QString CircuitPanel::summary() const
{
    QStringList sides;
    for (const Side side : kSides)
        if (const analyses::Circuit* const circuit = circuits()[indexOf(side)])
            sides << tr("%1 %2 → %3")
                         .arg(sideTitle(explorer(), side), formatNumber(circuit->corrupted, 2),
                              formatNumber(circuit->clean, 2));
    if (sides.isEmpty())
        return {};
    QString text = tr("Corrupted → clean: %1").arg(sides.join(QStringLiteral(", ")));
    for (const analyses::Circuit* const circuit : circuits())
        if (circuit && circuit->check)
            text += tr(" · estimates of %1 paths: largest error %2, rank correlation %3")
                        .arg(circuit->check->sampled)
                        .arg(formatNumber(circuit->check->largestError),
                             formatNumber(circuit->check->rankCorrelation, 2));
    return text;
}

void CircuitPanel::pick(Side side, int count)
{
    const analyses::Circuit* const circuit = circuits()[indexOf(side)];
    if (!circuit)
        return;
    m_picked[indexOf(side)] = count;
    m_pickedFor[indexOf(side)] = state(side).finding;
    const std::vector<HeadId> heads = headsAt(*circuit, keptRanks(*circuit, count));
    explorer().select({heads.begin(), heads.end()});
    showResult();
}

SideHeads CircuitPanel::theseHeads() const
{
    SideHeads heads;
    for (const Side side : kSides)
        if (const analyses::Circuit* const circuit = circuits()[indexOf(side)])
            heads[indexOf(side)] = headsAt(*circuit, keptRanks(*circuit, m_picked[indexOf(side)]));
    return heads;
}

figures::DataTable CircuitPanel::table() const
{
    return circuitTable(circuits());
}

/// The curves shown, unless they are outdated or partial.
std::array<std::string, 2> CircuitPanel::drawnResults() const
{
    std::array<std::string, 2> results;
    for (const Side side : kSides)
        if (const analyses::Circuit* const circuit = circuits()[indexOf(side)];
            circuit && !circuit->curve.empty() && !state(side).isOutdated && !state(side).finding->isPartial)
            results[indexOf(side)] = analyses::curveJson(*circuit).dump();
    return results;
}

QString CircuitPanel::partOf(const service::AnalysisResult& result) const
{
    const auto* const circuit = std::get_if<analyses::Circuit>(&result);
    if (!circuit)
        return {};
    if (circuit->kind == analyses::CircuitUnits::Paths)
        return tr("%1 paths ranked").arg(circuit->units.size());
    return circuit->curve.empty() ? tr("%1 %2 ranked, no curve yet")
                                        .arg(circuit->units.size())
                                        .arg(control::unitWords(circuit->kind))
                                  : tr("a curve of %1 points").arg(circuit->curve.size());
}

void CircuitPanel::resizeEvent(QResizeEvent* event)
{
    AnalysisFrame::resizeEvent(event);
    m_plots->setOrientation(4 * width() < 5 * height() ? Qt::Vertical : Qt::Horizontal);
}

}  // namespace hs::panels
