#include "panels/analyses/sweep/sweep_values.h"

#include "base/side.h"
#include "panels/widgets/panel_style.h"
#include "render/translate.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

QString unitName(const analyses::SweepUnit& unit, analyses::SweepUnits kind)
{
    switch (kind) {
    case analyses::SweepUnits::Heads:
    case analyses::SweepUnits::HeadsAndMlps:
        return QString::fromStdString(toString(HeadId{unit.layer, unit.index}));
    case analyses::SweepUnits::Groups: return QStringLiteral("L%1KV%2").arg(unit.layer).arg(unit.index);
    case analyses::SweepUnits::Layers: return QStringLiteral("L%1").arg(unit.layer);
    }
    return {};
}

QString detailOf(const engine::VariantReading& change, const SweepReading& shown)
{
    QStringList lines;
    for (const SweepReading& reading : sweepReadings())
        if (reading.value != shown.value && std::isfinite(change.*reading.value))
            lines << QStringLiteral("%1 %2").arg(titleOf(reading), formatNumber(change.*reading.value));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

std::array<SweepReading, 5> sweepReadings()
{
    return {{{"logit", &engine::VariantReading::logit, QT_TRANSLATE_NOOP("HeadScope", "logit")},
             {"logit_diff", &engine::VariantReading::logitDifference,
              QT_TRANSLATE_NOOP("HeadScope", "logit difference")},
             {"prob", &engine::VariantReading::probability, QT_TRANSLATE_NOOP("HeadScope", "probability")},
             {"loss", &engine::VariantReading::loss, QT_TRANSLATE_NOOP("HeadScope", "loss")},
             {"kl", &engine::VariantReading::divergence, QT_TRANSLATE_NOOP("HeadScope", "KL divergence")}}};
}

QString titleOf(const SweepReading& reading)
{
    return tr(reading.title);
}

std::vector<HeadBar> sweepBars(const analyses::Sweep& sweep, const SweepReading& reading)
{
    std::vector<HeadBar> bars;
    for (std::size_t index = 0; index < sweep.units.size(); ++index) {
        const engine::VariantReading& change = sweep.changes[index];
        if (std::isnan(change.*reading.value))
            continue;
        HeadBar bar;
        bar.name = unitName(sweep.units[index], sweep.kind);
        bar.heads = analyses::headsOf(sweep.units[index], sweep.kind, sweep.shape);
        bar.value = change.*reading.value;
        bar.detail = detailOf(change, reading);
        bars.push_back(std::move(bar));
    }
    std::stable_sort(bars.begin(), bars.end(), [](const HeadBar& one, const HeadBar& other) {
        return std::abs(one.value) > std::abs(other.value);
    });
    return bars;
}

figures::DataTable sweepTable(const std::array<const analyses::Sweep*, 2>& sweeps)
{
    const analyses::Sweep* const first = sweeps[0] ? sweeps[0] : sweeps[1];
    const bool isOfLayers = !first || first->kind == analyses::SweepUnits::Layers;
    figures::DataTable table{{{"side", {}}, {"layer", {}}}};
    if (!isOfLayers)
        table.columns.push_back({first->kind == analyses::SweepUnits::Groups ? "kv_group" : "head", {}});
    for (const SweepReading& reading : sweepReadings())
        table.columns.push_back({reading.name, {}});
    for (std::size_t side = 0; side < sweeps.size(); ++side) {
        if (!sweeps[side] || sweeps[side]->kind != first->kind)
            continue;
        for (std::size_t unit = 0; unit < sweeps[side]->units.size(); ++unit) {
            auto column = table.columns.begin();
            const auto put = [&column](double value) { (column++)->values.push_back(value); };
            put(static_cast<double>(side));
            put(sweeps[side]->units[unit].layer);
            if (!isOfLayers)
                put(sweeps[side]->units[unit].index == HeadId::kMlp ? -1 : sweeps[side]->units[unit].index);
            for (const SweepReading& reading : sweepReadings())
                put(sweeps[side]->changes[unit].*reading.value);
        }
    }
    return table;
}

int knownUnits(const analyses::Sweep& sweep)
{
    return static_cast<int>(std::ranges::count_if(
        sweep.changes, [](const engine::VariantReading& change) { return !std::isnan(change.logit); }));
}

}  // namespace hs::panels
