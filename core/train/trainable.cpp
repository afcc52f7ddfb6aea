#include "train/trainable_tensors.h"

namespace hs::train {
namespace {

// In elements; matrix products want aligned operands.
constexpr std::int64_t kAlignment = 64;

}  // namespace

void Trainable::add(int block, std::int64_t elements, bool isMatrix)
{
    const std::int64_t rounded = (elements + kAlignment - 1) / kAlignment * kAlignment;
    m_rooms.push_back({block, m_size, elements});
    m_sizes.insert(m_sizes.end(), {elements, rounded - elements});
    m_size += rounded;
    if (isMatrix)
        m_matrixSize = m_size;
}

at::Tensor Trainable::piece(const at::Tensor& vector, std::size_t index) const
{
    return vector.narrow(0, m_rooms[index].begin, m_rooms[index].elements);
}

std::vector<Pieces> Trainable::cut(const at::Tensor& vector) const
{
    // One split, whose gradient is one concatenation.
    const std::vector<at::Tensor> all = at::split_with_sizes(vector, m_sizes);
    std::vector<Pieces> blocks(1 + m_layers);
    for (std::size_t index = 0; index < m_rooms.size(); ++index)
        blocks[m_rooms[index].block].push_back(all[2 * index]);
    return blocks;
}

engine::ModelWeights Trainable::join(const std::vector<Pieces>& pieces) const
{
    const at::ScalarType type = typeOf(pieces);
    engine::ModelWeights weights;
    weights.shared = shared(pieces[0], type);
    for (int index = 0; index < m_layers; ++index)
        weights.layers.push_back(layer(index, pieces[1 + index], type));
    return weights;
}

at::ScalarType Trainable::typeOf(const std::vector<Pieces>& pieces)
{
    for (const Pieces& block : pieces)
        if (!block.empty())
            return block.front().scalar_type();
    return at::kFloat;
}

}  // namespace hs::train
