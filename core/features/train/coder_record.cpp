#include "features/train/coder_record_tensors.h"

#include <cmath>

namespace hs::features {

CoderRecord::CoderRecord(const CoderParameters& parameters, const at::Tensor& vector)
{
    const std::int64_t layers = parameters.layers();
    inputScales = vector.narrow(0, 0, layers);
    outputScales = vector.narrow(0, layers, layers);
    variances = vector.narrow(0, 2 * layers, layers);
    idleSteps = vector.narrow(0, 3 * layers, layers * parameters.features()).view({layers, -1});
    dead = vector.narrow(0, vector.size(0) - 1, 1);
}

void CoderRecord::begin(const MlpStreams& streams) const
{
    const auto scaleOf = [](const at::Tensor& rows) {
        return std::sqrt(static_cast<double>(rows.size(1))) / rows.norm(2, 1).mean().clamp_min(1e-6);
    };
    for (std::size_t layer = 0; layer < streams.inputs.size(); ++layer) {
        const at::Tensor& output = streams.outputs[layer];
        inputScales[layer].copy_(scaleOf(streams.inputs[layer]));
        outputScales[layer].copy_(scaleOf(output));
        variances[layer].copy_((output - output.mean(0)).square().sum(1).mean() *
                               outputScales[layer].square());
    }
    variances.clamp_min_(1e-6);
    idleSteps.zero_();
    dead.zero_();
}

at::Tensor scaledMeans(const MlpStreams& streams, const CoderRecord& record)
{
    std::vector<at::Tensor> means;
    for (const at::Tensor& output : streams.outputs)
        means.push_back(output.mean(0));
    return at::stack(means) * record.outputScales.unsqueeze(1);
}

}  // namespace hs::features
