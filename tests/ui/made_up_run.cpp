#include "ui/made_up_run.h"

#include "stats/head_summary.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace hs::test {
namespace {

constexpr int kPatterns = 6;
constexpr int kWords = 23;  // the tokens repeat after this many

/// Unnormalised attention of a query on a key at or before it.
double raw(int pattern, int query, int key, double noise)
{
    const int distance = query - key;
    switch (pattern) {
    case 0: return (distance == 0 ? 60 : 0.01) + 0.02 * noise;
    case 1: return std::exp(-0.25 * distance) + 0.6 * noise;
    case 2: return (key == 0 ? 40 : 0.2) + 0.5 * noise;
    case 3: return (distance == 1 ? 30 : 0.1) + 0.3 * noise;
    case 4: return 0.1 + noise * noise * noise;
    default: return (key == 0 ? 6 : 0.1) + (distance == 6 ? 12 : 0) + 0.3 * noise;
    }
}

class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_random(static_cast<std::uint_fast32_t>(seed % 2147483646 + 1))
    {
        m_random.discard(3);
    }
    double roll() { return static_cast<double>(m_random()) / static_cast<double>(std::minstd_rand::max()); }

private:
    std::minstd_rand m_random;
};

}  // namespace

std::vector<float> madeUpMap(HeadId head, int tokens, double keptShare, std::uint64_t variant)
{
    const std::uint64_t seed =
        7 + 7919 * static_cast<std::uint64_t>(head.layer) + 104729 * static_cast<std::uint64_t>(head.head);
    const int pattern = static_cast<int>(Dice(seed).roll() * kPatterns) % kPatterns;
    Dice dice(seed + variant);
    const double strength = variant == 0 ? 0 : 1.5;
    const auto side = static_cast<std::size_t>(tokens);
    std::vector<float> map(side * side, 0.0f);
    std::vector<double> row(side);
    for (int query = 0; query < tokens; ++query) {
        double sum = 0;
        for (int key = 0; key <= query; ++key) {
            const double noise = dice.roll();
            const double twist = strength == 0 ? 1 : std::exp(strength * (dice.roll() - 0.5));
            sum += row[static_cast<std::size_t>(key)] = raw(pattern, query, key, noise) * twist;
        }
        for (int key = 0; key <= query; ++key) {
            const double weight = row[static_cast<std::size_t>(key)] / sum;
            if (keptShare >= 1 || dice.roll() < keptShare * 40 * weight)
                map[static_cast<std::size_t>(query) * side + static_cast<std::size_t>(key)] =
                    static_cast<float>(weight);
        }
    }
    return map;
}

engine::RunResult runOf(HeadShape heads, std::vector<std::int64_t> tokens, int tileSide,
                        const std::function<std::vector<float>(HeadId)>& map)
{
    engine::RunResult run;
    run.heads = heads;
    const int length = static_cast<int>(tokens.size());
    run.tileRows = run.tileColumns = std::min(tileSide, length);
    run.tokens = std::move(tokens);
    run.position = length - 1;
    run.loss = 1.21;
    const stats::RepeatedTokens repeats(run.tokens);
    const stats::SummaryRules rules{repeats, length, run.tileRows, /*threshold=*/0.01};
    const std::size_t cells = static_cast<std::size_t>(run.tileRows) * static_cast<std::size_t>(run.tileRows);
    double density = 0;
    for (int layer = 0; layer < heads.layers; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(
            new std::uint8_t[static_cast<std::size_t>(heads.heads) * cells]());
        for (int head = 0; head < heads.heads; ++head) {
            const std::vector<float> weights = map({layer, head});
            const auto active = std::count_if(weights.begin(), weights.end(), [](float w) { return w > 0; });
            run.stats.push_back(stats::summarizeHead(weights.data(), rules, active,
                                                     tiles.get() + static_cast<std::size_t>(head) * cells));
            density += run.stats.back().density / heads.total();
        }
        run.tiles.push_back(tiles);
    }
    run.density = density;
    return run;
}

engine::RunResult madeUpRun(HeadShape heads, int tokens, double keptShare)
{
    std::vector<std::int64_t> ids;
    for (int position = 0; position < tokens; ++position)
        ids.push_back(position % kWords);
    return runOf(heads, std::move(ids), tokens,
                 [&](HeadId head) { return madeUpMap(head, tokens, keptShare); });
}

std::vector<HeadId> allHeads(const engine::RunResult& run)
{
    std::vector<HeadId> heads;
    for (int index = 0; index < run.heads.total(); ++index)
        heads.push_back(run.heads.at(index));
    return heads;
}

}  // namespace hs::test
