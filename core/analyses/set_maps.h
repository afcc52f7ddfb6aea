#pragma once

#include "base/enum_words.h"
#include "base/head_id.h"
#include "base/json_reader.h"
#include "engine/request/run_result.h"
#include "stats/map_totals.h"
#include "text/prompt_template.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hs::analyses {

/// Which cells of two prompts' maps belong together.
enum class SetAlign {
    Start,  // those at the same positions
    End,    // those as far from the end
    Slots,  // those of the same places of a template; the keys of a slot are summed, its queries averaged
};

constexpr auto enumWords(SetAlign)
{
    return std::to_array<EnumWord<SetAlign>>(
        {{SetAlign::Start, "start"}, {SetAlign::End, "end"}, {SetAlign::Slots, "slots"}});
}

enum class SetAverage { Mean, Largest, Deviation };

constexpr auto enumWords(SetAverage)
{
    return std::to_array<EnumWord<SetAverage>>(
        {{SetAverage::Mean, "mean"}, {SetAverage::Largest, "largest"}, {SetAverage::Deviation, "deviation"}});
}

using TokenText = std::function<std::string(std::int64_t token)>;

/// Sums of the maps of all heads over a set of prompts, each cell over the prompts that have it. Prompts in
/// any order and grouping give the same bits.
class SetMaps {
public:
    /// `budget`: most bytes it may hold.
    SetMaps(HeadShape heads, SetAlign align, std::uint64_t budget);

    /// Adds a run with full maps; `cells` where they are aligned by slots. Throws Failure where the budget is
    /// exceeded.
    void add(const engine::RunResult& run, const std::vector<text::TemplateCell>& cells = {},
             const TokenText& tokenText = {});
    /// Adds runs of one length whose maps were added up where they were made; not for slots.
    void add(const std::vector<engine::RunResult>& runs, const stats::MapTotals& totals,
             const TokenText& tokenText = {});
    /// Adds another part of the same set. Throws Failure if it is of another.
    void add(const SetMaps& other);

    const HeadShape& heads() const { return m_heads; }
    SetAlign align() const { return m_align; }
    int side() const { return static_cast<int>(m_counts.size()); }
    /// A cell's average, 0 where no prompt has it; a deviation is that of a sample, and 0 where there is but one prompt.
    float at(HeadId head, int query, int key, SetAverage average) const;
    /// One layer's. [head, query, key]
    std::vector<float> layer(int layer, SetAverage average) const;
    /// How many prompts have a cell.
    std::int64_t countAt(int query, int key) const;

    /// What stands at a position: a slot, or the token that all prompts have there.
    struct Place {
        std::string text;  // "{name}", or the token's; empty where they have different ones
        std::int64_t token = kMixed;

        static constexpr std::int64_t kMixed = -1;  // they have different ones
        friend bool operator==(const Place&, const Place&) = default;
    };
    const Place& placeAt(int position) const { return m_places[fromEdge(position)]; }

    Json toJson() const;
    static SetMaps from(const JsonReader& reader, std::uint64_t budget);  // what toJson wrote; throws Failure

    friend bool operator==(const SetMaps&, const SetMaps&) = default;

private:
    // A cell is found by its distances from the edge that the maps have in common: `outer` is the larger one. Cells
    // are stored by it, so that a longer prompt only adds to their end.
    std::size_t fromEdge(int position) const
    {
        return static_cast<std::size_t>(m_align == SetAlign::End ? side() - 1 - position : position);
    }
    std::size_t cellAt(std::size_t head, std::size_t outer, std::size_t inner) const
    {
        return static_cast<std::size_t>(m_heads.total()) * (outer * (outer + 1) / 2) + head * (outer + 1) +
               inner;
    }
    void reach(std::size_t side);
    void addPlace(std::size_t at, const Place& place, std::int64_t count);
    void addPlaces(const engine::RunResult& run, const std::vector<text::TemplateCell>& cells,
                   const TokenText& tokenText);
    /// Calls `visit(cell, place in a map of that side)` for the cells of one head.
    template <class Visitor>
    void forCells(std::size_t side, std::size_t head, const Visitor& visit) const;

    HeadShape m_heads;
    SetAlign m_align;
    std::uint64_t m_budget;
    std::vector<std::int64_t> m_counts;  // [outer] prompts
    std::vector<Place> m_places;         // [distance from the edge]
    stats::MapTotals m_totals;
};

}  // namespace hs::analyses
