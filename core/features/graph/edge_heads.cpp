#include "features/graph/edge_heads.h"

#include "engine/device/device_tensors.h"
#include "features/graph/readings_tensors.h"
#include "features/graph/sources_tensors.h"
#include "stats/attribution_share.h"

#include <algorithm>

namespace hs::features {
namespace {

/// Cells are listed down to this part of the largest.
constexpr double kSmallestLoad = 1e-6;

/// Keeps cotangents, those of all readings added up. [layer] [query, width]
struct KeptCotangents : CotangentVisitor {
    std::vector<at::Tensor> output;
    std::vector<at::Tensor> attention;
    std::vector<at::Tensor> bypass;

    explicit KeptCotangents(std::size_t layers) : output(layers), attention(layers), bypass(layers) {}

    void atOutput(int layer, const at::Tensor& g) override
    {
        output[static_cast<std::size_t>(layer)] = g.sum(0);
    }
    void afterAttention(int layer, const at::Tensor& g) override
    {
        attention[static_cast<std::size_t>(layer)] = g.sum(0);
    }
    void pastHeads(int layer, const at::Tensor& g) override
    {
        bypass[static_cast<std::size_t>(layer)] = g.sum(0);
    }
};

/// Undefined stands for nothing; what comes after the cotangent's last position has none.
double product(const at::Tensor& entry, const at::Tensor& cotangent)
{
    if (!cotangent.defined())
        return 0;
    return (entry.narrow(0, 0, cotangent.size(0)) * cotangent).sum().item<double>();
}

class EdgeMaker {
public:
    EdgeMaker(const HeldRun& run, const std::vector<NodeId>& sources, const std::vector<NodeId>& targets,
              std::optional<std::int64_t> versus)
        : m_run(run), m_entries(entriesOf(run, sources)),
          m_readings(readingsOf(run, targets, versus).readings)
    {
        m_hasConstant = std::ranges::find(sources, GraphNode::Kind::Constant, &NodeId::kind) != sources.end();
        m_result.shape = run.spec().headShape();
    }

    EdgeHeads make()
    {
        const std::size_t layers = m_run.layers.size();
        const Carried all = carryForward(m_run, m_entries, Paths::All);
        const Carried alone = carryForward(m_run, m_entries, Paths::PastHeads);
        KeptCotangents back(layers);
        KeptCotangents backAlone(layers);
        sweepBack(m_run, m_readings, Paths::All, back);
        sweepBack(m_run, m_readings, Paths::PastHeads, backAlone);
        m_result.edge = read(all, 0);
        m_result.noHead = read(alone, 0);
        m_result.chains = m_result.edge - m_result.noHead;
        std::vector<at::Tensor> cells;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            cells.push_back(cellsOf(layer, all.entering[layer], back.attention[layer]));
            const at::Tensor direct = cellsOf(layer, alone.entering[layer], backAlone.attention[layer]);
            addHeads(cells.back(), m_result.loads);
            m_result.chains -= addHeads(direct, m_result.direct);
            EdgeHeads::Cut cut;
            cut.heads = cells.back().defined() ? cells.back().sum().item<double>() : 0;
            cut.bypass = product(all.entering[layer], back.bypass[layer]);
            cut.earlier = m_result.edge - read(all, 2 * static_cast<int>(layer));
            for (std::size_t later = layer; later < layers; ++later)
                cut.later += product(m_entries.attention[later], back.attention[later]) +
                             product(m_entries.output[later], back.output[later]);
            cut.later += constantsFrom(2 * static_cast<int>(layer));
            m_result.cuts.push_back(cut);
        }
        listCells(cells);
        return std::move(m_result);
    }

private:
    /// What readings of this depth or more get, the sources carried to them.
    double read(const Carried& carried, int depth) const
    {
        double sum = constantsFrom(depth);
        for (std::size_t at = 0; at < m_readings.spots.size(); ++at)
            if (const Spot& spot = m_readings.spots[at]; spot.depth() >= depth)
                sum += at::dot(carried.at(spot)[spot.position],
                               m_readings.directions[static_cast<std::int64_t>(at)])
                           .item<double>();
        return sum;
    }

    double constantsFrom(int depth) const
    {
        double sum = 0;
        for (std::size_t at = 0; m_hasConstant && at < m_readings.spots.size(); ++at)
            if (m_readings.spots[at].depth() >= depth)
                sum += m_readings.constants[static_cast<std::int64_t>(at)].item<double>();
        return sum;
    }

    /// Loads of a layer's cells; undefined where no reading comes after its attention. [head, query, key]
    at::Tensor cellsOf(std::size_t layer, const at::Tensor& change, const at::Tensor& cotangent) const
    {
        if (!cotangent.defined())
            return {};
        const HeldLayer held = m_run.layers[layer].upTo(cotangent.size(0));
        const at::Tensor values = held.valuesOf(change.narrow(0, 0, cotangent.size(0)));
        const at::Tensor perHead =
            values.repeat_interleave(held.patterns.size(0) / values.size(0), 0).transpose(1, 2);
        return held.patterns * at::bmm(held.readByHeads(cotangent), perHead);
    }

    /// Returns their sum.
    double addHeads(const at::Tensor& cells, std::vector<double>& loads) const
    {
        const at::Tensor sums = cells.defined() ? cells.sum({1, 2}).to(at::kCPU, at::kDouble).contiguous()
                                                : at::zeros({m_run.spec().heads}, at::kDouble);
        loads.insert(loads.end(), sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel());
        return sums.sum().item<double>();
    }

    void listCells(const std::vector<at::Tensor>& layers)
    {
        double largest = 0;
        for (const at::Tensor& cells : layers)
            if (cells.defined())
                largest = std::max(largest, cells.abs().max().item<double>());
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            if (!layers[layer].defined() || largest == 0)
                continue;
            const at::Tensor cells = layers[layer].to(at::kCPU);
            const at::Tensor places = (cells.abs() > kSmallestLoad * largest).nonzero();
            const auto place = places.accessor<std::int64_t, 2>();
            const auto load = cells.accessor<double, 3>();
            for (std::int64_t at = 0; at < places.size(0); ++at)
                m_result.cells.push_back({{static_cast<int>(layer), static_cast<int>(place[at][0])},
                                          {static_cast<int>(place[at][1]), static_cast<int>(place[at][2])},
                                          load[place[at][0]][place[at][1]][place[at][2]]});
        }
        std::ranges::stable_sort(m_result.cells, std::greater<>(),
                                 [](const CellLoad& cell) { return std::abs(cell.load); });
    }

    const HeldRun& m_run;
    Entries m_entries;
    Readings m_readings;
    bool m_hasConstant = false;
    EdgeHeads m_result;
};

}  // namespace

struct EdgeTracer::Held {
    HeldRun run;
    std::optional<std::int64_t> versus;
};

EdgeTracer::EdgeTracer(std::unique_ptr<const Held> held) : m_held(std::move(held)) {}
EdgeTracer::EdgeTracer(EdgeTracer&&) noexcept = default;
EdgeTracer::~EdgeTracer() = default;

Result<EdgeTracer> EdgeTracer::open(const GraphRequest& request, const Hooks& hooks)
{
    return guarded([&] {
        const engine::Tf32Scope precision(false);
        const c10::InferenceMode noGradients;
        return EdgeTracer(
            std::make_unique<const Held>(Held{holdRun(request, at::kDouble, hooks), request.versus}));
    });
}

Result<EdgeHeads> EdgeTracer::headsOf(const std::vector<NodeId>& sources,
                                      const std::vector<NodeId>& targets) const
{
    return guarded([&] {
        if (sources.empty() || targets.empty())
            fail(ErrorCode::BadRequest, "An edge has a source and a target; choose both.");
        const c10::InferenceMode noGradients;
        return EdgeMaker(m_held->run, sources, targets, m_held->versus).make();
    });
}

Result<EdgeHeads> headsOfEdge(const GraphRequest& request, const std::vector<NodeId>& sources,
                              const std::vector<NodeId>& targets, const Hooks& hooks)
{
    const Result<EdgeTracer> tracer = EdgeTracer::open(request, hooks);
    return tracer ? tracer->headsOf(sources, targets) : tracer.error();
}

int headsForShare(const EdgeHeads& edge, double share)
{
    return static_cast<int>(stats::smallestReaching(edge.loads, share).size());
}

int cellsForShare(const EdgeHeads& edge, double share)
{
    std::vector<double> loads;
    for (const CellLoad& cell : edge.cells)
        loads.push_back(cell.load);
    return static_cast<int>(stats::smallestReaching(loads, share).size());
}

}  // namespace hs::features
