#include "features/graph/coding_tensors.h"

#include <algorithm>

namespace hs::features {
namespace {

/// What the transcoders make of a run.
struct CodedRun {
    std::vector<HeldNorm> readings;       // [layer]
    std::vector<at::Tensor> activations;  // [layer] [query, feature] float, on the processor
    std::vector<at::Tensor> outputs;      // [layer] reconstructed. [query, width]
    std::vector<double> fvu;              // [layer]
};

HeldNorm readingOf(Place place, const MlpRecord& mlps, std::size_t layer)
{
    switch (place) {
    case Place::Middle: return {};
    case Place::Normed: return mlps.scales[layer];
    case Place::MlpInput: break;
    }
    return mlps.norms[layer];
}

at::Tensor read(const HeldNorm& reading, const at::Tensor& stream)
{
    const at::Tensor carried = reading.carry(stream);
    return reading.bias.defined() ? carried + reading.bias : carried;
}

/// Share of the variance over positions that a reconstruction leaves; the first position, where streams are
/// often far out, does not count.
double unexplained(const at::Tensor& reconstructed, const at::Tensor& output, bool isCentred)
{
    const std::int64_t first = output.size(0) > 2 ? 1 : 0;
    at::Tensor wanted = output.slice(0, first).to(at::kDouble);
    if (isCentred)
        wanted = wanted - wanted.mean(-1, /*keepdim=*/true);
    const double left =
        (reconstructed.slice(0, first).to(at::kDouble) - wanted).square().sum().item<double>();
    const double all = (wanted - wanted.mean(0)).square().sum().item<double>();
    return left / std::max(all, 1e-30);
}

CodedRun codeRun(const HeldRun& run, const MlpRecord& mlps)
{
    const CoderFacts& facts = run.coders->facts();
    const CoderWeights& weights = run.coders->weights();
    CodedRun coded;
    std::vector<at::Tensor> used;  // [layer] features that fire anywhere
    for (std::size_t layer = 0; layer < mlps.streams.size(); ++layer) {
        const CoderLayer& coder = weights.layers[layer];
        coded.readings.push_back(readingOf(*facts.place, mlps, layer));
        const at::Tensor input = read(coded.readings.back(), mlps.streams[layer]);
        const at::Tensor preactivations =
            at::addmm(run.here(coder.encoderBias), input, run.here(coder.encoder).t());
        coded.activations.push_back(fire(facts, coder, preactivations.to(at::kCPU, at::kFloat)));
        used.push_back(coded.activations.back().ne(0).any(0).nonzero().flatten());

        at::Tensor output = run.here(coder.decoderBias).expand_as(mlps.outputs[layer]);
        if (coder.skip.defined())
            output = output + at::matmul(input, run.here(coder.skip).t());
        const std::size_t firstSource = facts.crossesLayers ? 0 : layer;
        for (std::size_t source = firstSource; source <= layer; ++source) {
            const std::span<const std::int64_t> features(used[source].data_ptr<std::int64_t>(),
                                                         static_cast<std::size_t>(used[source].numel()));
            if (features.empty())
                continue;
            const at::Tensor rows =
                weights.decoders->rows(static_cast<int>(source), static_cast<int>(layer), features);
            const at::Tensor firing = coded.activations[source].index_select(1, used[source]);
            output = output + at::matmul(run.here(firing), run.here(rows));
        }
        coded.fvu.push_back(unexplained(output, mlps.outputs[layer], facts.centresOutput));
        coded.outputs.push_back(std::move(output));
    }
    return coded;
}

}  // namespace

void checkCoders(const Transcoders* coders, const model::ArchSpec& spec)
{
    if (!coders)
        fail(ErrorCode::BadRequest, "There are no transcoders; give a folder of them.");
    const CoderFacts& facts = coders->facts();
    if (facts.layers != spec.layers || facts.width != spec.hidden)
        fail(ErrorCode::BadRequest, "The transcoders are of a model of " + std::to_string(facts.layers) +
                                        " layers of width " + std::to_string(facts.width) +
                                        ", but this one has " + std::to_string(spec.layers) + " of " +
                                        std::to_string(spec.hidden) + "; give those of this model.");
}

void readCoders(HeldRun& run, const MlpRecord& mlps)
{
    CodedRun coded = codeRun(run, mlps);
    run.place = *run.coders->facts().place;
    run.fvu = std::move(coded.fvu);
    run.activations = std::move(coded.activations);
    for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
        HeldLayer& held = run.layers[layer];
        const CoderLayer& coder = run.coders->weights().layers[layer];
        held.reading = std::move(coded.readings[layer]);
        held.skip = run.here(coder.skip);
        held.outputConstant = run.here(coder.decoderBias);
        if (held.skip.defined() && held.reading.bias.defined())
            held.outputConstant = held.outputConstant + at::mv(held.skip, held.reading.bias);
        held.error = mlps.outputs[layer] - coded.outputs[layer];
    }
}

}  // namespace hs::features
