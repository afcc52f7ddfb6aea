#include "features/train/mlp_streams_tensors.h"

#include "engine/device/device_tensors.h"

#include <algorithm>

namespace hs::features {
namespace {

/// The rows of a stream that are no padding and at no first position. [token] int64
at::Tensor tokensOf(const train::Batch& batch)
{
    std::vector<std::int64_t> rows;
    for (std::int64_t prompt = 0; prompt < batch.rows; ++prompt)
        for (std::int64_t position = 1; position < batch.lengths[prompt]; ++position)
            rows.push_back(prompt * batch.length + position);
    const at::Tensor tensor = at::empty({static_cast<std::int64_t>(rows.size())}, at::kLong);
    std::ranges::copy(rows, tensor.data_ptr<std::int64_t>());
    return tensor;
}

}  // namespace

StreamReader::StreamReader(const train::MeasuredModel& model, int groups, train::Operations operations)
    : m_model(model), m_groups(groups), m_operations(operations),
      m_device(model.weights[model::Role::Embedding].device())
{
    if (model.gateBias)
        m_gate = train::TrainingGate{
            false, at::full({1}, *model.gateBias, at::TensorOptions(at::kFloat).device(m_device)), {}, 0};
}

MlpStreams StreamReader::read(const train::Batch& batch)
{
    const c10::NoGradGuard fixed;
    const at::Tensor tokens = engine::uploaded(tokensOf(batch), m_device);
    MlpStreams streams;
    train::visitMlps(m_model.spec, m_model.weights, train::BatchTensors(batch, m_groups, m_device),
                     frameOf(batch.length), m_gate, m_operations,
                     [&](int, const auto&, const at::Tensor& input, const at::Tensor& output) {
                         streams.inputs.push_back(input.index_select(0, tokens).to(at::kFloat));
                         streams.outputs.push_back(output.index_select(0, tokens).to(at::kFloat));
                         return output;
                     });
    return streams;
}

const engine::DecoderFrame& StreamReader::frameOf(int length)
{
    const auto found = m_frames.find(length);
    return found != m_frames.end()
               ? found->second
               : m_frames.emplace(length, engine::DecoderFrame(m_model.spec, length, m_device)).first->second;
}

}  // namespace hs::features
