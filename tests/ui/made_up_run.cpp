#include "ui/made_up_run.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace hs::test {
namespace {

constexpr int kPatterns = 6;

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

}  // namespace

RunResult madeUpRun(HeadShape heads, int tokens, double keptShare)
{
    std::minstd_rand random(7);
    const auto draw = [&] {
        return static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max());
    };
    RunResult run;
    run.heads = heads;
    run.tileSide = tokens;
    run.tokens.assign(static_cast<std::size_t>(tokens), 0);
    run.stats.resize(static_cast<std::size_t>(heads.total()));
    run.loss = 1.21;
    run.density = keptShare;
    const auto side = static_cast<std::size_t>(tokens);
    for (int layer = 0; layer < heads.layers; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(
            new std::uint8_t[static_cast<std::size_t>(heads.heads) * side * side]());
        for (int head = 0; head < heads.heads; ++head) {
            const int pattern = static_cast<int>(draw() * kPatterns);
            for (int query = 0; query < tokens; ++query) {
                std::vector<double> row;
                double sum = 0;
                for (int key = 0; key <= query; ++key)
                    sum += row.emplace_back(raw(pattern, query, key, draw()));
                for (int key = 0; key <= query; ++key) {
                    const bool isKept =
                        keptShare >= 1 || draw() < keptShare * 40 * row[static_cast<std::size_t>(key)] / sum;
                    const double weight = isKept ? row[static_cast<std::size_t>(key)] / sum : 0;
                    tiles[(static_cast<std::size_t>(head) * side + static_cast<std::size_t>(query)) * side +
                          static_cast<std::size_t>(key)] =
                        static_cast<std::uint8_t>(std::lround(255 * weight));
                }
            }
        }
        run.tiles.push_back(tiles);
    }
    return run;
}

std::vector<HeadId> allHeads(const RunResult& run)
{
    std::vector<HeadId> heads;
    for (int index = 0; index < run.heads.total(); ++index)
        heads.push_back(run.heads.at(index));
    return heads;
}

}  // namespace hs::test
