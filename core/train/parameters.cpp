#include "train/parameters_tensors.h"

#include "engine/device/device_tensors.h"

#include <algorithm>
#include <cmath>

namespace hs::train {
namespace {

// In elements; matrix products want aligned operands.
constexpr std::int64_t kAlignment = 64;
constexpr double kDeviation = 0.02;

std::vector<std::int64_t> decoderShape(const model::PlannedTensor& planned)
{
    std::vector<std::int64_t> shape = planned.parts.front().shape;
    if (planned.arrangement == model::Arrangement::Transposed)
        std::swap(shape[0], shape[1]);
    else
        shape[0] = planned.elements() / (shape.size() > 1 ? shape[1] : 1);
    return shape;
}

bool writesResidual(model::Role role)
{
    return role == model::Role::OutWeight || role == model::Role::DownWeight;
}

}  // namespace

ParameterLayout::ParameterLayout(const model::ArchSpec& spec) : m_spec(spec)
{
    for (model::PlannedTensor& planned : model::planWeights(spec)) {
        Entry entry{planned, decoderShape(planned), 0, planned.elements()};
        m_entries.push_back(std::move(entry));
    }
    std::stable_partition(m_entries.begin(), m_entries.end(),
                          [](const Entry& entry) { return entry.shape.size() > 1; });
    for (Entry& entry : m_entries) {
        const std::int64_t rounded = (entry.elements + kAlignment - 1) / kAlignment * kAlignment;
        entry.begin = m_size;
        m_pieces.insert(m_pieces.end(), {entry.elements, rounded - entry.elements});
        m_size += rounded;
        if (entry.shape.size() > 1)
            m_matrixSize = m_size;
    }
}

at::Tensor ParameterLayout::pack(const engine::ModelWeights& weights) const
{
    at::Tensor vector = at::zeros({m_size}, weights[model::Role::Embedding].options().dtype(at::kFloat));
    for (const Entry& entry : m_entries) {
        const model::Role role = entry.planned.role;
        const bool isShared = role < model::Role::AttentionNormWeight;
        const at::Tensor& tensor = isShared ? weights[role] : weights.at(entry.planned.layer, role);
        vector.narrow(0, entry.begin, entry.elements).view(entry.shape).copy_(tensor);
    }
    return vector;
}

engine::ModelWeights ParameterLayout::unpack(const at::Tensor& vector) const
{
    engine::ModelWeights weights;
    weights.layers.resize(m_spec.layers);
    // One split, whose gradient is one concatenation.
    const std::vector<at::Tensor> pieces = at::split_with_sizes(vector, m_pieces);
    for (std::size_t index = 0; index < m_entries.size(); ++index)
        weights.put(m_entries[index].planned, pieces[2 * index].view(m_entries[index].shape));
    if (m_spec.isTied)
        weights.shared[static_cast<int>(model::Role::Unembedding)] = weights[model::Role::Embedding];
    return weights;
}

at::Tensor ParameterLayout::initial(std::uint64_t seed) const
{
    at::Tensor vector = at::zeros({m_size}, at::kFloat);
    const at::Generator generator = engine::newGenerator(at::kCPU, seed);
    for (const Entry& entry : m_entries) {
        const at::Tensor part = vector.narrow(0, entry.begin, entry.elements);
        const model::Role role = entry.planned.role;
        if (entry.shape.size() > 1)
            part.normal_(0, writesResidual(role) ? kDeviation / std::sqrt(2.0 * m_spec.layers) : kDeviation,
                         generator);
        else if (!isBias(role))
            part.fill_(1);
    }
    return vector;
}

}  // namespace hs::train
