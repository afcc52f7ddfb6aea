#include "engine/run/layer_record_tensors.h"

#include <algorithm>

namespace hs::engine {

LayerRecorder::LayerRecorder(int heads, const stats::SummaryRules& rules, std::int64_t visibleCells,
                             bool keepsMap)
    : m_rules(rules), m_visibleCells(visibleCells)
{
    const auto count = static_cast<std::size_t>(heads);
    m_record.stats.resize(count);
    m_tiles.reset(new std::uint8_t[count * rules.tileCells()]);
    m_record.tiles = m_tiles;
    if (keepsMap) {
        m_map.reset(new float[count * rules.pattern.mapSize()]);
        m_record.map = m_map;
    }
}

void LayerRecorder::take(const PatternChunk& chunk)
{
    const std::int64_t heads = chunk.weights.size(0);
    const std::size_t mapSize = m_rules.pattern.mapSize();
    const std::size_t tileSize = m_rules.tileCells();
    const at::Tensor weights = chunk.weights.to(at::kCPU).contiguous();
    const float* const patterns = weights.data_ptr<float>();
    const at::Tensor open = chunk.open.defined() ? chunk.open.sum({1, 2}).to(at::kCPU) : at::Tensor();

    // With less work than this, another thread costs more than it saves.
    const std::int64_t grain =
        std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / static_cast<std::int64_t>(mapSize));
    at::parallel_for(0, heads, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t index = begin; index < end; ++index) {
            const std::int64_t head = chunk.firstHead + index;
            const float* const pattern = patterns + index * mapSize;
            const std::int64_t active =
                open.defined() ? open.data_ptr<std::int64_t>()[index] : m_visibleCells;
            m_record.stats[head] =
                stats::summarizeHead(pattern, m_rules, active, m_tiles.get() + head * tileSize);
            if (m_map)
                std::copy_n(pattern, mapSize, m_map.get() + head * mapSize);
        }
    });
    m_record.activeCells += open.defined() ? open.sum().item<std::int64_t>() : heads * m_visibleCells;
}

}  // namespace hs::engine
