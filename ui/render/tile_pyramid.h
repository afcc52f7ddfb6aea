#pragma once

#include "engine/request/run_result.h"
#include "stats/pooled_maps.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace hs::render {

/// The tiles of all heads of a run at every size: the run's own, halved repeatedly, each cell the
/// maximum of the cells it covers, so that a small picture is drawn from few cells. Cell c of a halved
/// level covers cells 2c and 2c + 1; the last one of an odd side covers one cell. A place that a layer lacks has
/// no tile. Immutable; made on the worker thread and shared with the screen.
class TilePyramid {
public:
    enum class Meaning {
        Positive,  // weights and the like: 0..255 is 0..full
        Signed,  // differences, scores: 0..255 is -full..full, 128 is 0; the larger magnitude wins when pooled
    };

    static std::shared_ptr<const TilePyramid> of(const engine::RunResult& run);

    /// after - before; null where heads or numbers of queries and keys do not match.
    static std::shared_ptr<const TilePyramid> difference(const engine::RunResult& after,
                                                         const engine::RunResult& before);

    /// Another quantity than weights.
    static std::shared_ptr<const TilePyramid> of(const stats::PooledMaps& maps);

    /// One head's full map as the only head L0H0, one cell per query and key. `map` is [query, key]; `full` is
    /// the value of full colour.
    static std::shared_ptr<const TilePyramid> ofMap(const float* map, const stats::PatternShape& pattern,
                                                    Meaning meaning = Meaning::Positive, double full = 1);

    /// The value of full colour where all heads share one scale: 1 for weights and differences, otherwise what
    /// all but a few heads stay below.
    double full() const { return m_full; }
    /// Whether some heads go beyond it.
    bool isClipped() const { return !m_fulls.empty() && std::ranges::max(m_fulls) > m_full; }
    /// The value of a head's byte 255; 1 for weights and differences.
    double full(HeadId head) const
    {
        return m_fulls.empty() ? 1 : m_fulls[static_cast<std::size_t>(m_heads.indexOf(head))];
    }
    /// The byte at which a head reaches full colour on the shared scale; beyond 255 if it never does.
    int reach(HeadId head) const;

    Meaning meaning() const { return m_meaning; }
    const HeadShape& heads() const { return m_heads; }
    /// The queries and keys that tiles stand for.
    const stats::PatternShape& pattern() const { return m_pattern; }
    int rows() const { return rows(0); }  // of the largest level
    int columns() const { return columns(0); }
    /// Whether a cell of the largest level may stand for several queries or keys.
    bool isPooled() const { return rows() < m_pattern.queries || columns() < m_pattern.keys; }

    /// The smallest level that has at least `pixels` rows and columns, or as many as the largest level; the
    /// largest if there is none.
    int levelFor(int pixels) const;
    int rows(int level) const { return m_sizes[static_cast<std::size_t>(level)].rows; }
    int columns(int level) const { return m_sizes[static_cast<std::size_t>(level)].columns; }
    const std::uint8_t* tile(HeadId head, int level) const;  // [row, column]

    /// Column 0 of a tile computed without the first column of the largest level. [row]
    const std::uint8_t* columnWithoutFirst(HeadId head, int level) const;

    /// A head's largest weight, or its difference's largest magnitude, 0..255; without the first key
    /// column if `withoutFirst`.
    int peak(HeadId head, bool withoutFirst) const;

private:
    struct Size {
        int rows = 0;
        int columns = 0;

        std::size_t cells() const
        {
            return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
        }
    };

    TilePyramid() = default;
    void buildLevels();
    void findPeaks();

    Meaning m_meaning = Meaning::Positive;
    double m_full = 1;
    std::vector<double> m_fulls;  // [layer * head]; empty: all 1
    HeadShape m_heads;
    stats::PatternShape m_pattern;
    std::vector<engine::LayerTiles> m_tiles;          // [layer], level 0, shared with the run
    std::vector<Size> m_sizes;                        // [level], largest first
    std::vector<std::vector<std::uint8_t>> m_levels;  // [level] of [layer * head, row, column]; none for 0
    std::vector<std::vector<std::uint8_t>> m_firstColumns;  // [level] of [layer * head, row]
    std::vector<std::uint8_t> m_peaks;                      // [layer * head]
    std::vector<std::uint8_t> m_peaksWithoutFirst;          // [layer * head]
};

/// A difference as a byte that grows with its magnitude, so that the larger one wins a maximum:
/// twice the magnitude, and one more where it is positive.
constexpr std::uint8_t magnitudeKey(std::uint8_t difference)
{
    const int distance = difference - 128;
    return static_cast<std::uint8_t>(distance > 0 ? 2 * distance + 1 : distance < -127 ? 254 : -2 * distance);
}

/// The inverse.
constexpr std::uint8_t differenceOfKey(std::uint8_t key)
{
    return static_cast<std::uint8_t>(key % 2 == 1 ? 128 + key / 2 : 128 - key / 2);
}

}  // namespace hs::render
