#include "engine/run/layer_record_tensors.h"

#include "stats/span_fold.h"

#include <algorithm>
#include <atomic>

namespace hs::engine {
namespace {

/// With less work than this, another thread costs more than it saves.
std::int64_t headsPerThread(std::int64_t cells)
{
    return std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / cells);
}

}  // namespace

LayerRecorder::LayerRecorder(int heads, const stats::SummaryRules& rules, int window, bool keepsMap)
    : m_rules(rules), m_visibleCells(rules.visibleCells(window))
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
    if (m_rules.fold) {
        takeFolded(chunk);
        return;
    }
    const std::int64_t heads = chunk.weights.size(0);
    const std::size_t mapSize = m_rules.pattern.mapSize();
    const std::size_t tileSize = m_rules.tileCells();
    const at::Tensor weights = chunk.weights.to(at::kCPU).contiguous();
    const float* const patterns = weights.data_ptr<float>();
    const at::Tensor open = chunk.open.defined() ? chunk.open.sum({1, 2}).to(at::kCPU) : at::Tensor();

    at::parallel_for(0, heads, headsPerThread(static_cast<std::int64_t>(mapSize)),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t index = begin; index < end; ++index) {
                             const std::int64_t head = chunk.firstHead + index;
                             const float* const pattern = patterns + index * mapSize;
                             const std::int64_t active =
                                 open.defined() ? open.data_ptr<std::int64_t>()[index] : m_visibleCells;
                             m_record.stats[head] = stats::summarizeHead(pattern, m_rules, active,
                                                                         m_tiles.get() + head * tileSize);
                             if (m_map)
                                 std::copy_n(pattern, mapSize, m_map.get() + head * mapSize);
                         }
                     });
    m_record.activeCells += open.defined() ? open.sum().item<std::int64_t>() : heads * m_visibleCells;
}

void LayerRecorder::takeFolded(const PatternChunk& chunk)
{
    const std::int64_t heads = chunk.weights.size(0), tokens = chunk.weights.size(1);
    const at::Tensor weights = chunk.weights.to(at::kCPU).contiguous();
    const at::Tensor open =
        chunk.open.defined() ? chunk.open.to(at::kCPU, at::kByte).contiguous() : at::Tensor();
    std::atomic<std::int64_t> active = 0;
    at::parallel_for(0, heads, headsPerThread(tokens * tokens), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t index = begin; index < end; ++index) {
            const std::int64_t head = chunk.firstHead + index;
            stats::HeadSummarizer summary(m_rules, m_tiles.get() + head * m_rules.tileCells());
            stats::SpanFold fold(*m_rules.fold);
            int span = 0;
            for (std::int64_t query = 0; query < tokens; ++query) {
                const std::int64_t at = (index * tokens + query) * tokens;
                const float* const row =
                    fold.add(weights.data_ptr<float>() + at,
                             open.defined() ? open.data_ptr<std::uint8_t>() + at : nullptr, 0,
                             static_cast<int>(query) + 1);
                if (!row)
                    continue;
                if (m_map)
                    std::copy_n(row, m_rules.pattern.keys,
                                m_map.get() + head * m_rules.pattern.mapSize() +
                                    m_rules.pattern.indexOf(span, 0));
                summary.addRow(span++, row);
            }
            const std::int64_t cells = open.defined() ? fold.activeCells() : m_visibleCells;
            m_record.stats[head] = summary.finish(cells);
            active += cells;
        }
    });
    m_record.activeCells += active;
}

}  // namespace hs::engine
