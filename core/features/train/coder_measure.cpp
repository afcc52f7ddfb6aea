#include "features/train/coder_measure_tensors.h"

#include "features/train/kept_features_tensors.h"

namespace hs::features {
namespace {

/// Gives what the transcoders write into one layer after another of a run.
class CoderRun {
public:
    explicit CoderRun(const FoldedCoders& coders) : m_coders(coders), m_active(coders.layers.size()) {}

    at::Tensor output(int layer, const at::Tensor& input)  // [row, width]
    {
        const CoderLayer& weights = m_coders.layers[layer];
        m_active[layer] = fire(m_coders.facts, weights,
                               at::linear(input.to(at::kFloat), weights.encoder, weights.encoderBias));
        at::Tensor sum = weights.decoderBias;
        for (int source = m_coders.facts.crossesLayers ? 0 : layer; source <= layer; ++source)
            sum = at::matmul(m_active[source], m_coders.decoders[source].select(1, layer - source)) + sum;
        return sum;
    }
    const at::Tensor& active(int layer) const { return m_active[layer]; }  // [row, feature]

private:
    const FoldedCoders& m_coders;
    std::vector<at::Tensor> m_active;  // [layer]
};

/// [row, 1] float: 1 at the first position of a row, and at those that count.
at::Tensor isFirst(const train::BatchTensors& batch)
{
    return at::arange(batch.tokens.size(1), batch.lengths.options())
        .eq(0)
        .repeat({batch.tokens.size(0)})
        .unsqueeze(1);
}

at::Tensor counts(const train::BatchTensors& batch)
{
    const at::Tensor positions = at::arange(batch.tokens.size(1), batch.lengths.options());
    return positions.gt(0).logical_and(positions.lt(batch.lengths.unsqueeze(1))).view({-1, 1}).to(at::kFloat);
}

/// Sums over rows of what a layer's MLP adds and what is made of it.
class LayerSums {
public:
    void add(const at::Tensor& wanted, const at::Tensor& made, const at::Tensor& active,
             const at::Tensor& counted)
    {
        const at::Tensor output = wanted.to(at::kFloat) * counted;
        accumulate(m_rows, counted.sum(at::kDouble));
        accumulate(m_sum, output.sum(0, false, at::kDouble));
        accumulate(m_squares, output.square().sum(at::kDouble));
        accumulate(m_errors, ((made * counted) - output).square().sum(at::kDouble));
        accumulate(m_fired, (active.ne(0) * counted).sum(0, false, at::kDouble));
    }

    void finish(CoderMeasure& measure) const
    {
        const double rows = m_rows.item<double>();
        const double variance = m_squares.item<double>() - m_sum.square().sum().item<double>() / rows;
        measure.fvu.push_back(m_errors.item<double>() / variance);
        measure.l0.push_back(m_fired.sum().item<double>() / rows);
        measure.dead.push_back(m_fired.eq(0).sum().item<std::int64_t>());
    }

private:
    static void accumulate(at::Tensor& sum, const at::Tensor& part)
    {
        sum = sum.defined() ? sum + part : part;
    }

    at::Tensor m_rows;
    at::Tensor m_sum;  // [width]
    at::Tensor m_squares;
    at::Tensor m_errors;
    at::Tensor m_fired;  // [feature]
};

}  // namespace

FoldedCoders fold(const CoderParameters& parameters, const CoderOptions& options, const at::Tensor& weights,
                  const CoderRecord& record, const MlpStreams& streams, at::ScalarType type)
{
    const c10::NoGradGuard fixed;
    const auto rounded = [&](const at::Tensor& matrix) { return matrix.to(type).to(at::kFloat); };
    FoldedCoders folded;
    CoderFacts& facts = folded.facts;
    facts.layers = parameters.layers();
    facts.width = parameters.width();
    facts.features = parameters.features();
    facts.crossesLayers = options.crossesLayers;
    facts.firing = options.firing;
    facts.k = options.firing == Firing::TopK ? options.k : 0;
    facts.place = Place::MlpInput;
    const std::vector<TrainedLayer> layers = parameters.unpack(weights);
    for (int layer = 0; layer < parameters.layers(); ++layer) {
        const TrainedLayer& trained = layers[layer];
        const int targets = parameters.targets(layer);
        CoderLayer& written = folded.layers.emplace_back();
        written.encoder = rounded(trained.encoder * record.inputScales[layer]);
        written.encoderBias = trained.encoderBias.clone();
        written.decoderBias = trained.decoderBias / record.outputScales[layer];
        if (options.firing == Firing::JumpRelu)
            written.threshold =
                thresholdOf(at::linear(streams.inputs[layer], written.encoder, written.encoderBias),
                            options.k)
                    .repeat({parameters.features()});
        folded.decoders.push_back(rounded(trained.decoder.view({facts.features, targets, facts.width}) /
                                          record.outputScales.narrow(0, layer, targets).view({1, -1, 1})));
    }
    return folded;
}

CoderMeasure measureCoders(const FoldedCoders& coders, const train::MeasuredModel& model,
                           const std::vector<train::HeldOutBatch>& heldOut,
                           const std::vector<std::string>& groups, train::Operations operations,
                           const Hooks& hooks)
{
    std::vector<LayerSums> sums(coders.layers.size());
    CoderRun watching(coders);
    train::MeasuredModel watched = model;
    watched.mlp = [&](int layer, const train::BatchTensors& batch, const at::Tensor& input,
                      const at::Tensor& output) {
        const at::Tensor made = watching.output(layer, input);
        sums[layer].add(output, made, watching.active(layer), counts(batch));
        return output;
    };
    CoderRun replacing(coders);
    train::MeasuredModel replaced = model;
    replaced.mlp = [&](int layer, const train::BatchTensors& batch, const at::Tensor& input,
                       const at::Tensor& output) {
        return at::where(isFirst(batch), output, replacing.output(layer, input).to(output.scalar_type()));
    };
    const train::PairMeasure pair = train::measureBoth(watched, replaced, heldOut, groups, operations, hooks);
    CoderMeasure measure;
    for (const LayerSums& layer : sums)
        layer.finish(measure);
    measure.loss = pair.dense.crossEntropy;
    measure.replacedLoss = pair.sparse.crossEntropy;
    measure.divergence = pair.sparse.divergence;
    for (const train::GroupMeasure& group : pair.sparse.groups)
        measure.agreement += group.agreement / static_cast<double>(pair.sparse.groups.size());
    return measure;
}

}  // namespace hs::features
