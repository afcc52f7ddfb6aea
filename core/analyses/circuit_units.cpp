#include "analyses/circuit_units.h"

#include "engine/load/model.h"
#include "engine/run/head_outputs_tensors.h"

#include <cmath>

namespace hs::analyses {
namespace {

at::Tensor perHead(const at::Tensor& z)  // [query, head, head size] → [head, query, head size]
{
    return z.transpose(0, 1);
}

bool isOff(HeadId head, const CircuitRequest& request)
{
    return request.clean.ablations.contains(head) && request.corrupted.ablations.contains(head);
}

/// Where a layer's cells bring different bits in the two runs. [head, query, key] bool, on the host
at::Tensor differingCells(const CircuitRuns& runs, int layer)
{
    const at::Tensor& clean = runs.clean->weights(layer);
    const at::Tensor& corrupted = runs.corrupted->weights(layer);
    const at::Tensor values = runs.clean->values(layer).ne(runs.corrupted->values(layer)).any(2);
    const at::Tensor ofHeads =
        values.repeat_interleave(clean.size(0) / values.size(0), 0).unsqueeze(1);  // [head, 1, key]
    const at::Tensor isUsed = clean.ne(0).logical_or(corrupted.ne(0));
    return clean.ne(corrupted).logical_or(ofHeads).logical_and(isUsed).to(at::kCPU).contiguous();
}

void listCells(int layer, const CircuitRequest& request, const CircuitRuns& runs,
               std::vector<CircuitUnit>& units)
{
    const model::ArchSpec& spec = request.clean.model->spec();
    const at::Tensor differs = differingCells(runs, layer);
    const bool* cell = differs.data_ptr<bool>();
    const int length = static_cast<int>(differs.size(1));
    const int window = spec.windows[layer] > 0 ? spec.windows[layer] : length;
    for (int head = 0; head < spec.heads; ++head)
        for (int query = 0; query < length; ++query)
            for (int key = 0; key < length; ++key, ++cell) {
                if (key > query || query - key >= window || isOff({layer, head}, request))
                    continue;
                const double effect = *cell ? NAN : 0;
                units.push_back({{layer, head}, CellId{query, key}, effect, effect});
            }
}

void listPaths(HeadId from, double effect, const CircuitRequest& request, std::vector<CircuitUnit>& units)
{
    const HeadShape shape = request.clean.model->spec().headShape();
    const auto add = [&](const engine::PathEnd& to) {
        units.push_back({from, std::nullopt, effect, effect, to});
    };
    using enum engine::PathInput;
    for (int layer = from.layer + 1; layer < shape.layers; ++layer)
        for (int head = 0; head < shape.heads; ++head)
            if (!isOff({layer, head}, request))
                for (const engine::PathInput input : {Query, Key, Value})
                    add({{layer, head}, input});
    add({{}, Logits});
}

/// 0 where both runs bring the same bits, else not known yet.
double firstEffect(HeadId unit, const CircuitRuns& runs)
{
    return runs.clean->outputOf(unit).equal(runs.corrupted->outputOf(unit)) ? 0 : NAN;
}

double gainOfMlp(const CircuitRuns& runs, const engine::HeadOutputs& gradients, int layer)
{
    const at::Tensor gained = (runs.clean->mlp(layer) - runs.corrupted->mlp(layer)).to(at::kDouble);
    return (gained * gradients.mlp(layer).to(at::kDouble)).sum().item<double>();
}

/// [head] double, on the host
at::Tensor gainsOfHeads(const CircuitRuns& runs, const engine::HeadOutputs& gradients, int layer)
{
    const at::Tensor gained = (runs.clean->z(layer) - runs.corrupted->z(layer)).to(at::kDouble);
    return (gained * gradients.z(layer).to(at::kDouble))
        .sum(at::IntArrayRef({0, 2}))
        .to(at::kCPU)
        .contiguous();
}

/// [head, query, key] double, on the host
at::Tensor gainsOfCells(const CircuitRuns& runs, const engine::HeadOutputs& gradients, int layer)
{
    const at::Tensor gradient = perHead(gradients.z(layer)).to(at::kDouble);
    const auto readAlong = [&](const engine::HeadOutputs& run) {
        const at::Tensor values = run.values(layer).to(at::kDouble);
        const at::Tensor grouped = gradient.reshape(
            {values.size(0), -1, values.size(2)});  // [key/value head, head * query, head size]
        return at::bmm(grouped, values.transpose(1, 2)).view_as(run.weights(layer)) * run.weights(layer);
    };
    return (readAlong(*runs.clean) - readAlong(*runs.corrupted)).to(at::kCPU).contiguous();
}

}  // namespace

std::vector<CircuitUnit> listUnits(const CircuitRequest& request, const CircuitRuns& runs)
{
    const HeadShape shape = request.clean.model->spec().headShape();
    std::vector<CircuitUnit> units;
    for (int layer = 0; layer < shape.layers; ++layer) {
        if (request.units == CircuitUnits::Edges) {
            listCells(layer, request, runs, units);
            continue;
        }
        for (int head = 0; head < shape.heads; ++head) {
            const double effect = firstEffect({layer, head}, runs);
            if (request.units != CircuitUnits::Paths)
                units.push_back({{layer, head}, std::nullopt, effect, effect});
            else if (!isOff({layer, head}, request))
                listPaths({layer, head}, effect, request, units);
        }
        if (request.units == CircuitUnits::HeadsAndMlps) {
            const HeadId mlp = HeadId::mlpOf(layer);
            const double effect = firstEffect(mlp, runs);
            units.push_back({mlp, std::nullopt, effect, effect});
        }
    }
    return units;
}

std::int64_t countPaths(const HeadShape& shape)
{
    const std::int64_t heads = shape.heads;
    const std::int64_t layers = shape.layers;
    return 3 * heads * heads * (layers * (layers - 1) / 2) + heads * layers;
}

std::vector<double> estimateGains(const std::vector<CircuitUnit>& units, const CircuitRuns& runs,
                                  const engine::HeadOutputs& gradients)
{
    std::vector<double> gains;
    gains.reserve(units.size());
    at::Tensor ofLayer;
    int layer = -1;
    for (const CircuitUnit& unit : units) {
        if (unit.head.isMlp()) {
            gains.push_back(gainOfMlp(runs, gradients, unit.head.layer));
            continue;
        }
        if (unit.head.layer != layer) {
            layer = unit.head.layer;
            ofLayer = unit.cell ? gainsOfCells(runs, gradients, layer) : gainsOfHeads(runs, gradients, layer);
        }
        const double* const data = ofLayer.data_ptr<double>();
        const std::int64_t length = unit.cell ? ofLayer.size(1) : 0;
        gains.push_back(unit.cell
                            ? data[(unit.head.head * length + unit.cell->query) * length + unit.cell->key]
                            : data[unit.head.head]);
    }
    return gains;
}

}  // namespace hs::analyses
