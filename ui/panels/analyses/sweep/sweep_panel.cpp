#include "panels/analyses/sweep/sweep_panel.h"

#include "panels/analyses/bar_links.h"
#include "panels/analyses/head_bars.h"
#include "panels/analyses/sweep/sweep_values.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/target_fields.h"

#include <QComboBox>

namespace hs::panels {
namespace {

constexpr int kSweepTokenLetters = 32;  // of the target and distractor fields

QString unitsOf(analyses::SweepUnits units, int count)
{
    switch (units) {
    case analyses::SweepUnits::Heads:
        return count == 1 ? SweepPanel::tr("1 head") : SweepPanel::tr("%1 heads").arg(count);
    case analyses::SweepUnits::Groups:
        return count == 1 ? SweepPanel::tr("1 group") : SweepPanel::tr("%1 groups").arg(count);
    case analyses::SweepUnits::HeadsAndMlps: return SweepPanel::tr("%1 heads and MLPs").arg(count);
    case analyses::SweepUnits::Layers: break;
    }
    return count == 1 ? SweepPanel::tr("1 layer") : SweepPanel::tr("%1 layers").arg(count);
}

}  // namespace

SweepPanel::SweepPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Sweep, parent), m_bars(new HeadBars(this))
{
    setObjectName(QStringLiteral("sweepPanel"));
    compose();
    refresh();
}

void SweepPanel::compose()
{
    m_units = addChoice("sweepUnits", tr("Ablate"),
                        {tr("heads"), tr("groups"), tr("layers"), tr("heads and MLPs")}, [this](int index) {
                            explorer().edit(tr("Set up the sweep"), [index](control::Document& document) {
                                document.analyses.sweep.units = static_cast<analyses::SweepUnits>(index);
                            });
                        });
    m_method =
        addChoice("sweepMethod", tr("with"), {tr("zero"), tr("mean"), tr("resample")}, [this](int index) {
            explorer().edit(tr("Set up the sweep"), [index](control::Document& document) {
                document.analyses.sweep.method = static_cast<analyses::SweepMethod>(index);
            });
        });
    m_units->setItemData(1, tr("All heads that share a key/value head"), Qt::ToolTipRole);
    m_method->setItemData(0, tr("The head's output is nothing"), Qt::ToolTipRole);
    m_method->setItemData(1, tr("The head's output is its mean over the prompt"), Qt::ToolTipRole);
    m_method->setItemData(2, tr("The head's output is that on the corrupted prompt"), Qt::ToolTipRole);
    auto* const tokens = new TargetFields(explorer(), this);
    tokens->setFixedWidth(kSweepTokenLetters * fontMetrics().averageCharWidth());
    addControl(tokens);
    QStringList readings;
    for (const SweepReading& reading : sweepReadings())
        readings << titleOf(reading);
    m_reading = addChoice("sweepReading", tr("Show"), readings, [this](int) { refresh(); });
    m_reading->setCurrentIndex(1);
    addExamples();
    m_bars->setObjectName(QStringLiteral("sweepBars"));
    linkBars(*m_bars, explorer());
    setContent(m_bars, tr("Run the sweep to see what each head does for the target: it is ablated alone, and "
                          "the change is shown."));
    addPlot(*m_bars, tr("&plot"));
}

void SweepPanel::showDocument()
{
    const service::SweepSetup& setup = explorer().document().analyses.sweep;
    m_units->setCurrentIndex(static_cast<int>(setup.units));
    m_method->setCurrentIndex(static_cast<int>(setup.method));
}

void SweepPanel::showResult()
{
    const SweepReading reading = sweepReadings()[static_cast<std::size_t>(m_reading->currentIndex())];
    std::array<RankedBars, 2> bars;
    bool isOutdated = false;
    for (const Side side : kSides)
        if (const auto* const sweep = found<analyses::Sweep>(side)) {
            bars[indexOf(side)] = {sideTitle(explorer(), side), sweepBars(*sweep, reading)};
            isOutdated = isOutdated || state(side).isOutdated;
        }
    m_bars->setBars(std::move(bars), tr("change of %1").arg(titleOf(reading)));
    m_bars->setDimmed(isOutdated);
    setSummary(summary());
}

/// The reading before anything was ablated.
QString SweepPanel::summary() const
{
    const SweepReading reading = sweepReadings()[static_cast<std::size_t>(m_reading->currentIndex())];
    QStringList sides;
    for (const Side side : kSides)
        if (const auto* const sweep = found<analyses::Sweep>(side))
            sides << QStringLiteral("%1 %2").arg(sideTitle(explorer(), side),
                                                 formatNumber(sweep->baseline.*reading.value, 2));
    if (sides.isEmpty() || reading.value == &engine::VariantReading::divergence)
        return {};
    return tr("%1 with nothing ablated: %2")
        .arg(titleOf(reading).left(1).toUpper() + titleOf(reading).mid(1), sides.join(QStringLiteral(", ")));
}

SideHeads SweepPanel::rankedHeads() const
{
    SideHeads heads;
    for (const Side side : kSides)
        for (const HeadBar& bar : m_bars->bars(side))
            heads[indexOf(side)].insert(heads[indexOf(side)].end(), bar.heads.begin(), bar.heads.end());
    return heads;
}

/// The heads whose bars are marked; if none are, as many of the first as would have badges.
SideHeads SweepPanel::theseHeads() const
{
    SideHeads heads = rankedHeads();
    const std::set<HeadId>& marked = explorer().selection();
    const auto first = static_cast<std::size_t>(std::max(0, explorer().document().badges.count));
    for (std::vector<HeadId>& side : heads) {
        if (!marked.empty())
            std::erase_if(side, [&marked](HeadId head) { return !marked.contains(head); });
        else if (side.size() > first)
            side.resize(first);
    }
    return heads;
}

figures::DataTable SweepPanel::table() const
{
    return sweepTable({found<analyses::Sweep>(Side::Left), found<analyses::Sweep>(Side::Right)});
}

QString SweepPanel::partOf(const service::AnalysisResult& result) const
{
    const auto* const sweep = std::get_if<analyses::Sweep>(&result);
    if (!sweep)
        return {};
    return tr("%1 of %2")
        .arg(knownUnits(*sweep))
        .arg(unitsOf(sweep->kind, static_cast<int>(sweep->units.size())));
}

}  // namespace hs::panels
