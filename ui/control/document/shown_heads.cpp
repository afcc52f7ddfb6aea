#include "control/document/shown_heads.h"

#include "stats/metric_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace hs::control {
namespace {

constexpr int kMostInOneRow = 9;
constexpr int kManyHeads = 128;
constexpr int kColumnsOfMany = 16;
constexpr double kWidthToHeight = 1.3;

std::vector<HeadId> matrix(const GridChoice& choice, const HeadShape& shape)
{
    std::vector<HeadId> heads;
    const int first = std::max(choice.firstHead, 0);
    const int last = choice.lastHead < 0 ? shape.heads - 1 : std::min(choice.lastHead, shape.heads - 1);
    const int step = std::max(choice.layerStep, 1);
    for (int layer = 0; layer < shape.layers; layer += std::min(step, shape.layers))
        for (int head = first; head <= std::min(last, shape.headsOf(layer) - 1); ++head)
            heads.push_back({layer, head});
    return heads;
}

std::vector<HeadId> given(const GridChoice& choice, const HeadShape& shape)
{
    if (choice.list.empty())
        return shape.all();
    std::vector<HeadId> heads;
    std::set<HeadId> seen;
    for (const HeadId head : choice.list)
        if (shape.contains(head) && seen.insert(head).second)
            heads.push_back(head);
    return heads;
}

void rank(std::vector<HeadId>& heads, const stats::Metric& metric, bool isAscending, const HeadShape& shape,
          std::span<const stats::HeadStats> stats)
{
    const auto place = [&](HeadId head) {
        const double value = metric.of(stats[static_cast<std::size_t>(shape.indexOf(head))]);
        const bool isUnknown = std::isnan(value);
        return std::tuple(isUnknown, isUnknown ? 0 : isAscending ? value : -value, head);
    };
    std::sort(heads.begin(), heads.end(), [&](HeadId a, HeadId b) { return place(a) < place(b); });
}

/// Heads of a kind together, in the order of the legend; those without one come last.
void groupByKind(std::vector<HeadId>& heads, const HeadShape& shape, const HeadFacts& facts)
{
    const auto place = [&](HeadId head) {
        const auto& kind = facts.kinds[static_cast<std::size_t>(shape.indexOf(head))];
        return std::tuple(!kind, kind, head);
    };
    std::ranges::sort(heads, {}, place);
}

void followOrder(std::vector<HeadId>& heads, std::span<const HeadId> order)
{
    std::map<HeadId, std::size_t> places;
    for (const HeadId head : order)
        places.emplace(head, places.size());
    std::ranges::stable_sort(heads, {}, [&](HeadId head) {
        const auto place = places.find(head);
        return place == places.end() ? places.size() : place->second;
    });
}

}  // namespace

std::set<HeadId> allHeads(const HeadShape& shape)
{
    const std::vector<HeadId> heads = shape.all();
    return {heads.begin(), heads.end()};
}

std::vector<HeadId> headsShown(const GridChoice& choice, const HeadShape& heads, const HeadFacts& facts)
{
    const bool isMatrix = choice.form == GridChoice::Form::Matrix;
    std::vector<HeadId> shown = isMatrix ? matrix(choice, heads) : given(choice, heads);
    std::erase_if(shown, [&](HeadId head) { return choice.hidden.contains(head); });
    if (isMatrix || choice.order.isEmpty() || static_cast<int>(facts.stats.size()) != heads.total())
        return shown;
    if (choice.order == kByKind) {
        if (facts.kinds.size() == facts.stats.size())
            groupByKind(shown, heads, facts);
        return shown;
    }
    if (choice.order == kByLikeness) {
        followOrder(shown, facts.byLikeness);
        return shown;
    }
    if (const stats::Metric* const metric = stats::findMetric(choice.order.toStdString()))
        rank(shown, *metric, choice.isAscending, heads, facts.stats);
    return shown;
}

render::TileFlow flowShown(const GridChoice& choice, int count)
{
    using Kind = render::TileFlow::Kind;
    if (choice.form == GridChoice::Form::Matrix)
        return {choice.flow == GridChoice::Flow::LayersAcross ? Kind::LayersAcross : Kind::LayersDown,
                std::max(choice.blocks, 1)};
    if (choice.columns > 0)
        return {Kind::Wrapped, choice.columns};
    if (count <= kMostInOneRow)
        return {Kind::Wrapped, std::max(count, 1)};
    const int wide = static_cast<int>(std::ceil(std::sqrt(kWidthToHeight * count)));
    return {Kind::Wrapped, count > kManyHeads ? std::max(wide, kColumnsOfMany) : wide};
}

}  // namespace hs::control
