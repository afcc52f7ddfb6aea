#include "engine/run/variants_tensors.h"

#include "engine/run/head_outputs_tensors.h"
#include "engine/run/variant_portion_tensors.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace hs::engine {
namespace {

// Rows of a portion: enough for matrix products at full speed, few enough for early results.
constexpr std::int64_t kMostVariantRows = 2048;
// Numbers that the widest step of a portion may take.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 27;

bool hasMean(const Ablations& ablations)
{
    return std::ranges::any_of(
        ablations, [](const auto& entry) { return entry.second.kind == HeadAblation::Kind::Mean; });
}

/// Where variants first differ from the baseline, and which positions are read.
class VariantPlaces {
public:
    explicit VariantPlaces(const VariantRequest& request)
        : m_run(request.run), m_layers(request.run.model->spec().layers),
          m_length(static_cast<std::int64_t>(request.run.tokens.size())),
          m_position(request.run.capture.position.value_or(static_cast<int>(m_length) - 1)),
          // A mean is taken over all positions.
          m_needsAllRows(hasMean(request.run.ablations) || std::ranges::any_of(request.variants, hasMean)),
          m_read(request.loss || m_needsAllRows ? RowRange{0, m_length} : RowRange{m_position, 1})
    {
        for (std::size_t index = 0; index < request.variants.size(); ++index)
            m_places.push_back(placeOf(index, request.variants[index]));
        std::ranges::sort(m_places, [](const VariantPlace& a, const VariantPlace& b) {
            return std::tie(a.row, a.layer, a.index) < std::tie(b.row, b.layer, b.index);
        });
    }

    RowRange read() const { return m_read; }
    std::span<const VariantPlace> all() const { return m_places; }

private:
    VariantPlace placeOf(std::size_t index, const Ablations& variant)
    {
        VariantPlace place{index, m_layers, m_position};
        for (const auto& [head, ablation] : variant) {
            place.layer = std::min(place.layer, head.layer);
            place.row = std::min(place.row, firstRow(head, ablation));
        }
        if (m_needsAllRows)
            place.row = 0;
        return place;
    }

    std::int64_t firstRow(HeadId head, const HeadAblation& ablation)
    {
        if (ablation.kind == HeadAblation::Kind::Cells && !m_run.ablations.contains(head)) {
            int query = static_cast<int>(m_length);
            for (const CellEdit& edit : ablation.edits)
                query = std::min(query, std::max(edit.cells.queries.first, edit.cells.keys.first));
            return query;
        }
        if (ablation.kind != HeadAblation::Kind::Replace)
            return 0;
        const HeadOutputs* const source = ablation.source.get();
        if (!m_firstDifference.count(source))
            m_firstDifference[source] = source->firstDifference(m_run);
        const std::int64_t shared = m_firstDifference[source];
        if (!ablation.cells || ablation.cells->isRest || m_run.ablations.contains(head))
            return shared;
        int query = static_cast<int>(m_length);
        for (const CellId cell : ablation.cells->cells)
            query = std::min(query, cell.query);
        return std::max<std::int64_t>(shared, query);
    }

    const RunRequest& m_run;
    int m_layers;
    std::int64_t m_length;
    std::int64_t m_position;
    bool m_needsAllRows;
    RowRange m_read;
    std::map<const HeadOutputs*, std::int64_t> m_firstDifference;
    std::vector<VariantPlace> m_places;  // in the order in which they run
};

std::size_t atOnce(const model::ArchSpec& spec, std::int64_t rows, std::int64_t keys)
{
    const std::int64_t up = static_cast<std::int64_t>(spec.intermediate) * (spec.hasGatedMlp ? 2 : 1);
    const std::int64_t projections = static_cast<std::int64_t>(spec.queryWidth()) + 2 * spec.kvWidth();
    const std::int64_t widest = std::max({up, projections, spec.heads * keys});
    return static_cast<std::size_t>(
        std::max<std::int64_t>(1, std::min(kMostVariantRows, kMostNumbers / widest) / rows));
}

}  // namespace

VariantResult runVariants(RunMemory& memory, const VariantRequest& request, const Hooks& hooks,
                          const VariantNews& news)
{
    const model::ArchSpec& spec = request.run.model->spec();
    const Decoder decoder(request.run, request.run.tokens);
    memory.advance(request.run, decoder, spec.layers, {{}, hooks.stop});
    const VariantReader reader(decoder, request, memory.residual(spec.layers));
    const VariantPlaces places(request);
    VariantResult result{reader.baseline(), std::vector(request.variants.size(), kUnread)};

    std::vector<std::span<const VariantPlace>> portions;
    for (std::span<const VariantPlace> rest = places.all(); !rest.empty();) {
        const std::size_t count =
            std::min(rest.size(), atOnce(spec, places.read().end() - rest.front().row, places.read().end()));
        portions.push_back(rest.first(count));
        rest = rest.subspan(count);
    }
    // The last ones have the least to compute, so that there is soon something to show.
    std::ranges::reverse(portions);
    int done = 0;
    for (const std::span<const VariantPlace> some : portions) {
        VariantPortion portion(memory, request, decoder, some, places.read());
        const std::vector<VariantReading> readings = portion.run(reader, hooks);
        for (std::size_t index = 0; index < readings.size(); ++index)
            result.variants[portion.order()[index].index] = readings[index];
        done += static_cast<int>(readings.size());
        hooks.report(done, static_cast<int>(request.variants.size()));
        if (news)
            news(result);
    }
    return result;
}

}  // namespace hs::engine
