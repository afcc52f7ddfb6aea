#include "analyses/set_maps.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "stats/value_sums.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace hs::analyses {
namespace {

constexpr std::uint64_t kCellBytes = 2 * sizeof(stats::MapTotals::Sum) + sizeof(float);
constexpr std::size_t kCellDigits = 32 + 32 + 8;
constexpr int kMostSide = 1 << 20;

/// A head's map with the tokens of each cell taken together. [query cell, key cell]
std::vector<float> gathered(const float* map, std::size_t length,
                            const std::vector<text::TemplateCell>& cells)
{
    const std::size_t side = cells.size();
    std::vector<float> result(side * side);
    for (std::size_t query = 0; query < side; ++query)
        for (std::size_t key = 0; key <= query; ++key) {
            double sum = 0;
            for (int row = cells[query].first; row < cells[query].first + cells[query].count; ++row)
                for (int column = cells[key].first; column < cells[key].first + cells[key].count; ++column)
                    sum += map[static_cast<std::size_t>(row) * length + static_cast<std::size_t>(column)];
            result[query * side + key] = static_cast<float>(sum / cells[query].count);
        }
    return result;
}

std::string hexOfFloat(float value)
{
    char text[9];
    std::snprintf(text, sizeof text, "%08x", std::bit_cast<std::uint32_t>(value));
    return text;
}

}  // namespace

SetMaps::SetMaps(HeadShape heads, SetAlign align, std::uint64_t budget)
    : m_heads(std::move(heads)), m_align(align), m_budget(budget)
{
}

void SetMaps::reach(std::size_t side)
{
    if (side <= m_counts.size())
        return;
    const std::size_t cells = cellAt(0, side, 0);
    if (cells > m_budget / kCellBytes)
        fail(ErrorCode::TooLarge, "Averages of maps of " + formatCount(static_cast<std::int64_t>(side)) +
                                      " tokens take " + formatBytes(cells * kCellBytes) +
                                      ", more than the budget; leave out the longest prompts, or use the "
                                      "command line with a larger "
                                      "--map-budget.");
    m_counts.resize(side);
    m_places.resize(side);
    m_totals.resize(cells);
}

void SetMaps::addPlace(std::size_t at, const Place& place, std::int64_t count)
{
    if (m_counts[at] == 0)
        m_places[at] = place;
    if (m_places[at].token != place.token)
        m_places[at].token = Place::kMixed;
    if (m_places[at].text != place.text)
        m_places[at].text.clear();
    m_counts[at] += count;
}

void SetMaps::addPlaces(const engine::RunResult& run, const std::vector<text::TemplateCell>& cells,
                        const TokenText& tokenText)
{
    const std::size_t length = run.tokens.size();
    const std::size_t side = m_align == SetAlign::Slots ? cells.size() : length;
    reach(side);
    for (std::size_t at = 0; at < side; ++at) {
        const text::TemplateCell cell =
            m_align == SetAlign::Slots
                ? cells[at]
                : text::TemplateCell{static_cast<int>(m_align == SetAlign::End ? length - 1 - at : at), 1,
                                     ""};
        const std::int64_t token = run.tokens[static_cast<std::size_t>(cell.first)];
        const bool isToken = cell.name.empty() && tokenText;
        addPlace(at, {isToken ? tokenText(token) : cell.name, cell.count > 1 ? Place::kMixed : token}, 1);
    }
}

template <class Visitor>
void SetMaps::forCells(std::size_t side, std::size_t head, const Visitor& visit) const
{
    const bool isFromEnd = m_align == SetAlign::End;
    for (std::size_t query = 0; query < side; ++query)
        for (std::size_t key = 0; key <= query; ++key)
            visit(isFromEnd ? cellAt(head, side - 1 - key, side - 1 - query) : cellAt(head, query, key),
                  query * side + key);
}

void SetMaps::add(const engine::RunResult& run, const std::vector<text::TemplateCell>& cells,
                  const TokenText& tokenText)
{
    addPlaces(run, cells, tokenText);
    const std::size_t length = run.tokens.size();
    const std::size_t side = m_align == SetAlign::Slots ? cells.size() : length;
    for (const HeadId id : m_heads.all()) {
        const float* map = run.mapOf(id);
        std::vector<float> together;
        if (m_align == SetAlign::Slots && side != length) {
            together = gathered(map, length, cells);
            map = together.data();
        }
        forCells(side, static_cast<std::size_t>(m_heads.indexOf(id)),
                 [&](std::size_t cell, std::size_t at) { m_totals.add(cell, map[at]); });
    }
}

void SetMaps::add(const std::vector<engine::RunResult>& runs, const stats::MapTotals& totals,
                  const TokenText& tokenText)
{
    for (const engine::RunResult& run : runs)
        addPlaces(run, {}, tokenText);
    const std::size_t side = runs.front().tokens.size();
    for (std::size_t head = 0; head < static_cast<std::size_t>(m_heads.total()); ++head)
        forCells(side, head, [&](std::size_t cell, std::size_t at) {
            m_totals.add(cell, totals, head * side * side + at);
        });
}

void SetMaps::add(const SetMaps& other)
{
    if (!m_heads.hasSameHeads(other.m_heads) || m_align != other.m_align)
        fail(ErrorCode::BadRequest, "The maps are of different sets; add those that were made alike.");
    reach(other.m_counts.size());
    for (std::size_t at = 0; at < other.m_counts.size(); ++at)
        addPlace(at, other.m_places[at], other.m_counts[at]);
    for (std::size_t cell = 0; cell < other.m_totals.cells(); ++cell)
        m_totals.add(cell, other.m_totals, cell);
}

std::int64_t SetMaps::countAt(int query, int key) const
{
    if (key > query)
        return 0;
    return m_counts[m_align == SetAlign::End ? fromEdge(key) : fromEdge(query)];
}

float SetMaps::at(HeadId head, int query, int key, SetAverage average) const
{
    if (key > query)
        return 0;
    const std::size_t outer = fromEdge(m_align == SetAlign::End ? key : query);
    const std::size_t inner = fromEdge(m_align == SetAlign::End ? query : key);
    const std::size_t cell = cellAt(static_cast<std::size_t>(m_heads.indexOf(head)), outer, inner);
    const auto count = static_cast<double>(m_counts[outer]);
    if (average == SetAverage::Largest || m_counts[outer] == 1)  // which is its mean as well
        return average == SetAverage::Deviation ? 0 : m_totals.largest[cell];
    if (average == SetAverage::Mean)
        return static_cast<float>(m_totals.sums[cell].value() / count);
    return static_cast<float>(
        std::sqrt(stats::squaresAroundMean(m_totals.sums[cell], m_totals.squares[cell], m_counts[outer]) /
                  (count - 1)));
}

std::vector<float> SetMaps::layer(int layer, SetAverage average) const
{
    const auto side = static_cast<std::size_t>(this->side());
    std::vector<float> maps(static_cast<std::size_t>(m_heads.headsOf(layer)) * side * side);
    auto next = maps.begin();
    for (int head = 0; head < m_heads.headsOf(layer); ++head)
        for (int query = 0; query < this->side(); ++query, next += this->side())
            for (int key = 0; key <= query; ++key)
                next[key] = at({layer, head}, query, key, average);
    return maps;
}

Json SetMaps::toJson() const
{
    Json places = Json::array();
    for (std::size_t at = 0; at < m_counts.size(); ++at)
        places.push_back({m_counts[at], m_places[at].token, m_places[at].text});
    std::string cells;
    cells.reserve(m_totals.cells() * kCellDigits);
    for (std::size_t cell = 0; cell < m_totals.cells(); ++cell)
        cells += stats::hexOf(m_totals.sums[cell].units()) + stats::hexOf(m_totals.squares[cell].units()) +
                 hexOfFloat(m_totals.largest[cell]);
    return {{"layers", m_heads.layers}, {"heads", m_heads.heads}, {"kv_heads", m_heads.kvHeads},
            {"align", wordOf(m_align)}, {"places", places},       {"cells", cells}};
}

SetMaps SetMaps::from(const JsonReader& reader, std::uint64_t budget)
{
    SetMaps maps({reader["layers"].integer(1, kMostSide), reader["heads"].integer(1, kMostSide),
                  reader["kv_heads"].integer(1, kMostSide)},
                 reader["align"].word<SetAlign>(), budget);
    const JsonReader places = reader["places"];
    const std::string& cells = reader["cells"].json().get_ref<const std::string&>();
    if (cells.size() != kCellDigits * maps.cellAt(0, places.list().size(), 0))
        reader["cells"].refuse("as many cells as its places need");
    maps.reach(places.list().size());
    for (std::size_t at = 0; at < maps.m_counts.size(); ++at) {
        const JsonReader place = places[at];
        maps.m_counts[at] = place[std::size_t{0}].integer(0, std::numeric_limits<int>::max());
        maps.m_places[at] = {place[2].text(), place[1].integer(-1, std::numeric_limits<int>::max())};
    }
    for (std::size_t cell = 0; cell < maps.m_totals.cells(); ++cell) {
        const std::string_view digits = std::string_view(cells).substr(cell * kCellDigits, kCellDigits);
        maps.m_totals.sums[cell] = stats::MapTotals::Sum(stats::int128From(digits.substr(0, 32)));
        maps.m_totals.squares[cell] = stats::MapTotals::Sum(stats::int128From(digits.substr(32, 32)));
        std::uint32_t bits = 0;
        std::from_chars(digits.data() + 64, digits.data() + 72, bits, 16);
        maps.m_totals.largest[cell] = std::bit_cast<float>(bits);
    }
    return maps;
}

}  // namespace hs::analyses
