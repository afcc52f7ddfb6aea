#include "train/parameters_tensors.h"

#include "engine/device/device_tensors.h"
#include "model/adapter/linear_modules.h"

#include <algorithm>
#include <cmath>

namespace hs::train {
namespace {

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

bool isOutsideLayers(const model::PlannedTensor& planned)
{
    return planned.role < model::Role::AttentionNormWeight;
}

bool isIn(TrainedPart part, const model::PlannedTensor& planned)
{
    using model::Role;
    switch (part) {
    case TrainedPart::All: return true;
    case TrainedPart::Layers: return !isOutsideLayers(planned);
    case TrainedPart::Attention:
        return planned.role == Role::QkvBias || planned.role == Role::OutBias ||
               model::isAttentionWeight(planned.role);
    }
    return true;
}

/// Tensors of another type as they are given, for a run in this one.
Trainable::Table inType(Trainable::Table table, at::ScalarType type)
{
    for (at::Tensor& tensor : table)
        if (tensor.defined())
            tensor = tensor.to(type);
    return table;
}

}  // namespace

ParameterLayout::ParameterLayout(const model::ArchSpec& spec, const engine::ModelWeights* given,
                                 TrainedPart part)
    : Trainable(spec.layers), m_spec(spec), m_given(given), m_isPart(part != TrainedPart::All),
      m_blocks(1 + spec.layers)
{
    for (model::PlannedTensor& planned : model::planWeights(spec))
        if (isIn(part, planned))
            m_entries.push_back({planned, decoderShape(planned)});
    std::stable_partition(m_entries.begin(), m_entries.end(),
                          [](const Entry& entry) { return entry.shape.size() > 1; });
    for (std::size_t index = 0; index < m_entries.size(); ++index) {
        const Entry& entry = m_entries[index];
        const int block = isOutsideLayers(entry.planned) ? 0 : 1 + entry.planned.layer;
        add(block, entry.planned.elements(), entry.shape.size() > 1);
        m_blocks[block].push_back(index);
    }
}

at::Tensor ParameterLayout::pack(const engine::ModelWeights& weights) const
{
    at::Tensor vector = at::zeros({size()}, weights[model::Role::Embedding].options().dtype(at::kFloat));
    for (std::size_t index = 0; index < m_entries.size(); ++index) {
        const model::PlannedTensor& planned = m_entries[index].planned;
        const at::Tensor& tensor =
            isOutsideLayers(planned) ? weights[planned.role] : weights.at(planned.layer, planned.role);
        piece(vector, index).view(m_entries[index].shape).copy_(tensor);
    }
    return vector;
}

Trainable::Table ParameterLayout::shared(const Pieces& pieces, at::ScalarType type) const
{
    Table table = tableOf(0, pieces, m_isPart ? inType(m_given->shared, type) : Table());
    if (m_spec.isTied)
        table[static_cast<int>(model::Role::Unembedding)] = table[static_cast<int>(model::Role::Embedding)];
    return table;
}

Trainable::Table ParameterLayout::layer(int layer, const Pieces& pieces, at::ScalarType type) const
{
    return tableOf(1 + layer, pieces, m_isPart ? inType(m_given->layers[layer], type) : Table());
}

Trainable::Table ParameterLayout::tableOf(int block, const Pieces& pieces, Table given) const
{
    Table table = std::move(given);
    for (std::size_t index = 0; index < pieces.size(); ++index) {
        const Entry& entry = m_entries[m_blocks[block][index]];
        table[static_cast<int>(entry.planned.role)] = pieces[index].view(entry.shape);
    }
    return table;
}

Pieces ParameterLayout::queriesOf(const at::Tensor& vector, HeadId head) const
{
    Pieces queries;
    for (const std::size_t index : m_blocks[1 + head.layer]) {
        const Entry& entry = m_entries[index];
        if (entry.planned.role == model::Role::QkvWeight || entry.planned.role == model::Role::QkvBias)
            queries.push_back(
                piece(vector, index)
                    .view(entry.shape)
                    .narrow(0, static_cast<std::int64_t>(head.head) * m_spec.headDim, m_spec.headDim));
    }
    return queries;
}

at::Tensor ParameterLayout::initial(std::uint64_t seed) const
{
    at::Tensor vector = at::zeros({size()}, at::kFloat);
    const at::Generator generator = engine::newGenerator(at::kCPU, seed);
    for (std::size_t index = 0; index < m_entries.size(); ++index) {
        const at::Tensor part = piece(vector, index);
        const model::Role role = m_entries[index].planned.role;
        if (m_entries[index].shape.size() > 1)
            part.normal_(0, writesResidual(role) ? kDeviation / std::sqrt(2.0 * m_spec.layers) : kDeviation,
                         generator);
        else if (!isBias(role))
            part.fill_(1);
    }
    return vector;
}

std::int64_t trainedCount(const model::ArchSpec& spec, TrainedPart part)
{
    std::int64_t count = 0;
    for (const model::PlannedTensor& planned : model::planWeights(spec))
        count += isIn(part, planned) ? planned.elements() : 0;
    return count;
}

engine::ModelWeights converted(engine::ModelWeights weights, at::ScalarType type)
{
    const auto convert = [&](engine::ModelWeights::Table& table) {
        for (at::Tensor& tensor : table)
            if (tensor.defined())
                tensor = tensor.to(type);
    };
    const bool isTied = weights[model::Role::Unembedding].is_same(weights[model::Role::Embedding]);
    convert(weights.shared);
    if (isTied)
        weights.shared[static_cast<int>(model::Role::Unembedding)] = weights[model::Role::Embedding];
    for (engine::ModelWeights::Table& table : weights.layers)
        convert(table);
    return weights;
}

}  // namespace hs::train
