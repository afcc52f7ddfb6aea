#include "panels/analyses/circuit/circuit_values.h"

#include "control/document/circuit_words.h"
#include "panels/widgets/panel_style.h"
#include "render/translate.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace hs::panels {
namespace {

constexpr std::size_t kMostBars = 1024;
constexpr double kLeastPath = 0.01;  // of the largest; paths with less are not drawn
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

QString inputName(engine::PathInput input)
{
    switch (input) {
    case engine::PathInput::Query: return tr("query");
    case engine::PathInput::Key: return tr("key");
    case engine::PathInput::Value: return tr("value");
    case engine::PathInput::Logits: break;
    }
    return tr("logits");
}

QString unitName(const analyses::CircuitUnit& unit)
{
    const QString head = QString::fromStdString(toString(unit.head));
    if (unit.to && unit.to->input == engine::PathInput::Logits)
        return QStringLiteral("%1 → %2").arg(head, inputName(unit.to->input));
    if (unit.to)
        return QStringLiteral("%1 → %2 %3")
            .arg(head, QString::fromStdString(toString(unit.to->head)), inputName(unit.to->input));
    return unit.cell ? QStringLiteral("%1 %2←%3").arg(head).arg(unit.cell->query).arg(unit.cell->key) : head;
}

/// A path has one at each end.
std::vector<HeadId> headsOf(const analyses::CircuitUnit& unit)
{
    if (unit.to && unit.to->input != engine::PathInput::Logits)
        return {unit.head, unit.to->head};
    return {unit.head};
}

QString detailOf(const analyses::CircuitUnit& unit)
{
    QStringList lines;
    if (std::isfinite(unit.effect))
        lines << tr("brings back %1 alone").arg(formatPercent(unit.effect));
    if (std::isfinite(unit.removal))
        lines << tr("takes away %1 alone").arg(formatPercent(unit.removal));
    return lines.join(QLatin1Char('\n'));
}

QString times(int one, int other)
{
    const auto [fewer, more] = std::minmax(one, other);
    const double factor = fewer > 0 ? static_cast<double>(more) / fewer : 1;
    return QLocale().toString(factor, 'f', factor < 10 && factor != std::floor(factor) ? 1 : 0);
}

}  // namespace

double rankedEffect(const analyses::CircuitUnit& unit, analyses::CircuitRanking ranking)
{
    return ranking == analyses::CircuitRanking::Remove ? unit.removal : unit.effect;
}

std::vector<int> keptRanks(const analyses::Circuit& circuit, std::optional<int> count)
{
    if (!count && !circuit.refined.empty())
        return circuit.refined;
    const int all = static_cast<int>(circuit.units.size());
    const int own = circuit.kind == analyses::CircuitUnits::Paths ? kShownPaths : circuit.smallest;
    std::vector<int> ranks(static_cast<std::size_t>(std::clamp(count.value_or(own), 0, all)));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

std::vector<HeadId> headsAt(const analyses::Circuit& circuit, const std::vector<int>& ranks)
{
    std::vector<HeadId> heads;
    std::set<HeadId> seen;
    for (const int rank : ranks)
        for (const HeadId head : headsOf(circuit.units[static_cast<std::size_t>(rank)]))
            if (seen.insert(head).second)
                heads.push_back(head);
    return heads;
}

std::vector<HeadBar> circuitBars(const analyses::Circuit& circuit, const std::vector<int>& kept)
{
    const std::set<int> chosen(kept.begin(), kept.end());
    std::vector<HeadBar> bars;
    for (std::size_t rank = 0; rank < std::min(circuit.units.size(), kMostBars); ++rank) {
        const analyses::CircuitUnit& unit = circuit.units[rank];
        HeadBar bar;
        bar.name = unitName(unit);
        bar.heads = headsOf(unit);
        bar.cell = unit.cell;
        bar.value = rankedEffect(unit, circuit.ranking);
        bar.detail = detailOf(unit);
        bar.isChosen = chosen.empty() || chosen.contains(static_cast<int>(rank));
        bars.push_back(std::move(bar));
    }
    return bars;
}

PathLines pathLines(const analyses::Circuit& circuit, const QString& title)
{
    PathLines lines{title, circuit.shape, {}};
    double most = 0;
    for (const int rank : keptRanks(circuit, std::nullopt)) {
        const analyses::CircuitUnit& unit = circuit.units[static_cast<std::size_t>(rank)];
        const double effect = rankedEffect(unit, circuit.ranking);
        most = std::max(most, std::abs(effect));
        if (!unit.to || !(std::abs(effect) > kLeastPath * most))
            continue;
        const QString words = QStringLiteral("%1\n%2").arg(unitName(unit), detailOf(unit));
        lines.lines.push_back({unit.head, *unit.to, effect, words});
    }
    return lines;
}

figures::EffectCurve effectCurve(const analyses::Circuit& circuit, const QString& title)
{
    figures::EffectCurve curve;
    curve.title = title;
    curve.points = circuit.curve;
    const bool isReached =
        std::ranges::any_of(circuit.curve, [&circuit](const analyses::CircuitPoint& point) {
            return point.kept == circuit.smallest && point.effect >= circuit.level;
        });
    if (isReached)
        curve.smallest = circuit.smallest;
    return curve;
}

QString factorText(const std::array<const analyses::Circuit*, 2>& circuits)
{
    const auto [one, other] = circuits;
    if (!one || !other || one->kind != other->kind || one->smallest <= 0 || other->smallest <= 0 ||
        one->curve.empty() || other->curve.empty())
        return {};
    QStringList texts;
    if (one->smallest != other->smallest)
        texts << tr("%1× fewer %2").arg(times(one->smallest, other->smallest), control::unitWords(one->kind));
    if (!one->refined.empty() && !other->refined.empty()) {
        const int left = static_cast<int>(one->refined.size());
        const int right = static_cast<int>(other->refined.size());
        texts << (left == right ? tr("refined %1 and %2").arg(left).arg(right)
                                : tr("refined %1 and %2: %3×").arg(left).arg(right).arg(times(left, right)));
    }
    return texts.join(QStringLiteral(" · "));
}

figures::DataTable circuitTable(const std::array<const analyses::Circuit*, 2>& circuits)
{
    figures::DataTable table;
    for (const char* const name :
         {"side", "rank", "layer", "head", "query", "key", "effect", "removal", "explained", "in_circuit"})
        table.columns.push_back({name, {}});
    const bool isOfPaths = std::ranges::any_of(circuits, [](const analyses::Circuit* circuit) {
        return circuit && circuit->kind == analyses::CircuitUnits::Paths;
    });
    // The head of an MLP is -1.
    if (isOfPaths)  // inputs are 0 query, 1 key, 2 value, 3 logits
        for (const char* const name : {"to_layer", "to_head", "to_input"})
            table.columns.push_back({name, {}});
    for (std::size_t side = 0; side < circuits.size(); ++side) {
        if (!circuits[side])
            continue;
        const analyses::Circuit& circuit = *circuits[side];
        std::map<int, double> explained;
        for (const analyses::CircuitPoint& point : circuit.curve)
            explained.emplace(point.kept, point.effect);
        const std::vector<int> ranks = keptRanks(circuit, std::nullopt);
        const std::set<int> kept(ranks.begin(), ranks.end());
        for (std::size_t index = 0; index < circuit.units.size(); ++index) {
            const analyses::CircuitUnit& unit = circuit.units[index];
            const int rank = static_cast<int>(index) + 1;
            auto column = table.columns.begin();
            for (const double value :
                 {static_cast<double>(side), static_cast<double>(rank), static_cast<double>(unit.head.layer),
                  unit.head.isMlp() ? -1.0 : unit.head.head, unit.cell ? unit.cell->query : kUnknown,
                  unit.cell ? unit.cell->key : kUnknown, unit.effect, unit.removal,
                  explained.contains(rank) ? explained[rank] : kUnknown, kept.contains(rank - 1) ? 1.0 : 0.0})
                (column++)->values.push_back(value);
            if (!isOfPaths)
                continue;
            const bool hasReceiver = unit.to && unit.to->input != engine::PathInput::Logits;
            for (const double value :
                 {hasReceiver ? unit.to->head.layer : kUnknown, hasReceiver ? unit.to->head.head : kUnknown,
                  unit.to ? static_cast<double>(unit.to->input) : kUnknown})
                (column++)->values.push_back(value);
        }
    }
    return table;
}

}  // namespace hs::panels
