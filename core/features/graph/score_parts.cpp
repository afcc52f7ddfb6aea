#include "engine/device/device_tensors.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/request_check.h"
#include "features/graph/edge_heads.h"
#include "features/graph/sources_tensors.h"

#include <algorithm>

namespace hs::features {
namespace {

using model::Role;

/// Pairs are looked for among so many sources of each side, those with the largest parts of query or key.
constexpr std::int64_t kSourcesPaired = 1024;
constexpr std::int64_t kPairsListed = 1000;
constexpr std::int64_t kSourcesListed = 1000;

/// One side of a score, a query or a key, as a linear map of the stream entering the layer, all scales held.
struct ScoreSide {
    at::Tensor map;       // [head size, width]
    at::Tensor constant;  // [head size]
    at::Tensor whole;     // [head size] of the run
};

/// Makes the two sides of a head's score.
class SideMaker {
public:
    SideMaker(const HeldRun& run, int layer)
        : m_run(run), m_spec(run.spec()), m_layer(layer), m_held(run.layers[static_cast<std::size_t>(layer)]),
          m_weights(engine::AdaptedModel(*run.model, run.adapters)), m_frame(m_spec, run.length(), run.device)
    {
    }

    /// Heads are counted among the queries', or the keys'.
    ScoreSide make(bool isQuery, int head, int position) const
    {
        const int heads = isQuery ? m_spec.heads : m_spec.kvHeads;
        const std::int64_t first = isQuery ? 0 : m_spec.queryWidth();
        const std::int64_t width = static_cast<std::int64_t>(heads) * m_spec.headDim;
        const at::Tensor weight = weightOf(Role::QkvWeight).narrow(0, first, width);
        const HeldNorm at = normAt(position);
        at::Tensor map = at.carryBack(weight);
        at::Tensor constant = at::zeros({width}, weight.options());
        if (at.bias.defined())
            constant = constant + at::mv(weight, at.bias);
        if (const at::Tensor bias = weightOf(Role::QkvBias); bias.defined())
            constant = constant + bias.narrow(0, first, width);
        at::Tensor whole = at::mv(map, m_held.stream[position]) + constant;
        if (m_spec.clipQkv) {
            const at::Tensor clipped = whole.clamp(-*m_spec.clipQkv, *m_spec.clipQkv);
            const at::Tensor isFree = (clipped == whole).to(whole.scalar_type());
            map = map * isFree.unsqueeze(1);
            constant = constant * isFree + clipped * (1 - isFree);
            whole = clipped;
        }
        const at::Tensor factor = factorOf(isQuery, heads, whole);
        const auto ofHead = [&](const at::Tensor& rows) {
            const at::Tensor scaled = factor.view({-1, 1}) * rows.view({width, -1});
            return turned(scaled.narrow(0, static_cast<std::int64_t>(head) * m_spec.headDim, m_spec.headDim),
                          position);
        };
        return {ofHead(map), ofHead(constant).flatten(), ofHead(whole).flatten()};
    }

private:
    at::Tensor weightOf(Role role) const { return m_run.here(m_weights.at(m_layer, role)); }

    HeldNorm normAt(int position) const
    {
        const HeldNorm& norm = m_held.attentionNorm;
        return norm.factor.defined() ? HeldNorm{norm.factor[position].unsqueeze(0), norm.bias, norm.centres}
                                     : norm;
    }

    /// What queries or keys are multiplied with: the held scale of their norm, and the scores' own. [width]
    at::Tensor factorOf(bool isQuery, int heads, const at::Tensor& whole) const
    {
        at::Tensor factor = at::ones_like(whole);
        if (m_spec.qkNorm != model::QkNorm::None) {
            const std::int64_t groups = m_spec.qkNorm == model::QkNorm::PerHead ? heads : 1;
            const at::Tensor inverse =
                (whole.view({groups, -1}).square().mean(1, /*keepdim=*/true) + m_spec.normEps).rsqrt();
            factor = (factor.view({groups, -1}) * inverse).flatten();
            const at::Tensor gain = weightOf(isQuery ? Role::QueryNormWeight : Role::KeyNormWeight);
            if (gain.defined())
                factor = factor * gain.repeat({factor.numel() / gain.numel()});
        }
        return isQuery ? factor * m_spec.scoreScale(m_layer) : factor;
    }

    /// Rows of a head turned by their position. [head size, …]
    at::Tensor turned(const at::Tensor& rows, int position) const
    {
        if (m_spec.rotaryDims == 0)
            return rows;
        const engine::Rotation& rotation = m_frame.rotationOf(m_spec, m_layer);
        const at::Tensor cos = rotation.cos[position].to(rows.scalar_type()).unsqueeze(1);
        const at::Tensor sin = rotation.sin[position].to(rows.scalar_type()).unsqueeze(1);
        const std::int64_t half = m_spec.rotaryDims / 2;
        const at::Tensor first = rows.narrow(0, 0, half);
        const at::Tensor second = rows.narrow(0, half, half);
        return at::cat({first * cos - second * sin, second * cos + first * sin,
                        rows.narrow(0, 2 * half, m_spec.headDim - 2 * half)});
    }

    const HeldRun& m_run;
    const model::ArchSpec& m_spec;
    int m_layer;
    const HeldLayer& m_held;
    engine::AdaptedWeights m_weights;
    engine::DecoderFrame m_frame;
};

/// What every source adds to one side. [head size, source] double, on the processor
at::Tensor partsOf(const Sources& sources, const ScoreSide& side, int layer, int position)
{
    Readings readings;
    readings.spots.assign(static_cast<std::size_t>(side.map.size(0)), {layer, position, false});
    readings.directions = side.map;
    readings.constants = side.constant;
    return sources.rowsOf(readings).to(at::kCPU, at::kDouble);
}

std::vector<std::pair<NodeId, double>> listed(const Sources& sources, const at::Tensor& values)
{
    const auto [sizes, order] = values.abs().topk(std::min<std::int64_t>(values.numel(), kSourcesListed));
    std::vector<std::pair<NodeId, double>> list;
    for (std::int64_t rank = 0; rank < order.numel() && sizes[rank].item<double>() > 0; ++rank) {
        const auto column = order[rank].item<std::int64_t>();
        list.emplace_back(idOf(sources.nodes()[static_cast<std::size_t>(column)]),
                          values[column].item<double>());
    }
    return list;
}

std::vector<ScorePair> largestPairs(const Sources& sources, const at::Tensor& queries, const at::Tensor& keys)
{
    const auto largest = [&](const at::Tensor& parts) {
        return std::get<1>(parts.norm(2, 0).topk(std::min(parts.size(1), kSourcesPaired)));
    };
    const at::Tensor rows = largest(queries);
    const at::Tensor columns = largest(keys);
    const at::Tensor pairs =
        at::matmul(queries.index_select(1, rows).t(), keys.index_select(1, columns)).flatten();
    const auto [sizes, order] = pairs.abs().topk(std::min<std::int64_t>(pairs.numel(), kPairsListed + 1));
    std::vector<ScorePair> list;
    for (std::int64_t rank = 0; rank < order.numel() && sizes[rank].item<double>() > 0; ++rank) {
        const auto at = order[rank].item<std::int64_t>();
        const auto query = rows[at / columns.numel()].item<std::int64_t>();
        const auto key = columns[at % columns.numel()].item<std::int64_t>();
        if (query == sources.constantColumn() && key == sources.constantColumn())
            continue;
        list.push_back({idOf(sources.nodes()[static_cast<std::size_t>(query)]),
                        idOf(sources.nodes()[static_cast<std::size_t>(key)]), pairs[at].item<double>()});
    }
    return list;
}

ScoreParts partsOfScore(const GraphRequest& request, HeadId head, CellId cell, const Hooks& hooks)
{
    const HeldRun run = holdRun(request, at::kFloat, hooks);
    const Sources sources(run);
    const SideMaker maker(run, head.layer);
    const ScoreSide query = maker.make(true, head.head, cell.query);
    const ScoreSide key = maker.make(false, head.head * run.spec().kvHeads / run.spec().heads, cell.key);
    const at::Tensor queries = partsOf(sources, query, head.layer, cell.query);
    const at::Tensor keys = partsOf(sources, key, head.layer, cell.key);
    ScoreParts parts;
    parts.score = at::dot(query.whole.to(at::kDouble), key.whole.to(at::kDouble)).item<double>();
    parts.constant =
        at::dot(queries.select(1, sources.constantColumn()), keys.select(1, sources.constantColumn()))
            .item<double>();
    parts.queries = listed(sources, at::mv(queries.t(), keys.sum(1)));
    parts.keys = listed(sources, at::mv(keys.t(), queries.sum(1)));
    parts.pairs = largestPairs(sources, queries, keys);
    return parts;
}

}  // namespace

Result<ScoreParts> scoreParts(const GraphRequest& request, HeadId head, CellId cell, const Hooks& hooks)
{
    return guarded([&] {
        engine::checkRequest(request.run);
        engine::checkPosition(request.run, cell.query);
        engine::checkPosition(request.run, cell.key);
        if (!request.run.model->spec().headShape().contains(head) || cell.key > cell.query)
            fail(ErrorCode::BadRequest,
                 "There is no " + toString(head) + " that looks from " + std::to_string(cell.query) + " to " +
                     std::to_string(cell.key) +
                     "; choose a head of the model and a key that is not after the query.");
        const engine::Tf32Scope precision(false);
        const c10::InferenceMode noGradients;
        return partsOfScore(request, head, cell, hooks);
    });
}

}  // namespace hs::features
