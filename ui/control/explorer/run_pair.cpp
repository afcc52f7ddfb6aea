#include "control/explorer/run_pair.h"

#include <algorithm>

namespace hs::control {
namespace {

std::optional<text::TokenSpan> placeOf(const std::vector<std::optional<text::TokenSpan>>& places,
                                       int position)
{
    const auto index = static_cast<std::size_t>(position);
    return position >= 0 && index < places.size() ? places[index] : std::nullopt;
}

std::optional<double> weightAt(const Subtracted& of, HeadId head, int query, int key)
{
    const auto queries = of.places ? placeOf(of.places->queries, query) : text::TokenSpan(query);
    const auto keys = of.places ? placeOf(of.places->keys, key) : text::TokenSpan(key);
    if (!queries || !keys)
        return std::nullopt;
    double largest = 0;
    for (int row = queries->first; row <= queries->last; ++row)
        for (int column = keys->first; column <= keys->last; ++column)
            largest = std::max(largest, of.run->tileWeight(head, row, column));
    return largest;
}

}  // namespace

std::shared_ptr<const render::TilePyramid> differenceOf(const RunPair& pair)
{
    if (!pair.after.places || !pair.before.places)
        return render::TilePyramid::difference(*pair.after.run, *pair.before.run);
    const auto side = [&](std::size_t tokens, int engine::RunResult::* tiles) {
        return std::min(static_cast<int>(tokens),
                        std::max((*pair.after.run).*tiles, (*pair.before.run).*tiles));
    };
    const int rows = side(pair.after.places->queries.size(), &engine::RunResult::tileRows);
    const int columns = side(pair.after.places->keys.size(), &engine::RunResult::tileColumns);
    return render::TilePyramid::difference(atPlaces(*pair.after.run, *pair.after.places, rows, columns),
                                           atPlaces(*pair.before.run, *pair.before.places, rows, columns));
}

std::optional<double> changeAt(const RunPair& pair, HeadId head, int query, int key)
{
    const auto after = weightAt(pair.after, head, query, key);
    const auto before = weightAt(pair.before, head, query, key);
    return after && before ? std::optional(*after - *before) : std::nullopt;
}

}  // namespace hs::control
