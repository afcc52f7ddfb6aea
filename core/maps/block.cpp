#include "maps/block.h"

#include <algorithm>

namespace hs::maps {

Block::Block(Facts facts, std::vector<Array> layers) : m_facts(std::move(facts)), m_layers(std::move(layers))
{
}

std::string Block::nameOf(HeadId head) const
{
    const std::vector<std::string>& names = m_facts.names;
    const auto index = static_cast<std::size_t>(m_facts.heads.indexOf(head));
    const auto layer = static_cast<std::size_t>(head.layer);
    if (names.size() == static_cast<std::size_t>(m_facts.heads.layers))
        return m_facts.heads.contains(head) ? names[layer] : "";
    return m_facts.heads.contains(head) && index < names.size() ? names[index] : "";
}

std::string Block::precision() const
{
    switch (m_layers.front().type) {
    case ElementType::Float16: return "float16";
    case ElementType::BFloat16: return "bfloat16";
    case ElementType::Float64: return "float64";
    default: return "float32";
    }
}

std::uint64_t Block::bytes() const
{
    std::uint64_t bytes = 0;
    for (const Array& layer : m_layers)
        bytes += layer.bytes.size();
    return bytes;
}

void Block::read(HeadId head, float* to) const
{
    const std::size_t size = m_facts.pattern.mapSize();
    readFloats(m_layers[static_cast<std::size_t>(head.layer)], static_cast<std::size_t>(head.head) * size,
               {to, size});
}

void Block::readRow(HeadId head, int query, float* to) const
{
    readFloats(m_layers[static_cast<std::size_t>(head.layer)],
               static_cast<std::size_t>(head.head) * m_facts.pattern.mapSize() +
                   m_facts.pattern.indexOf(query, 0),
               {to, static_cast<std::size_t>(m_facts.pattern.keys)});
}

std::shared_ptr<const float[]> Block::layer(int layer) const
{
    const std::size_t size = m_facts.pattern.mapSize();
    const auto heads = static_cast<std::size_t>(m_facts.heads.heads);
    const auto own = static_cast<std::size_t>(m_facts.heads.headsOf(layer));
    const std::shared_ptr<float[]> weights(new float[heads * size]);
    readFloats(m_layers[static_cast<std::size_t>(layer)], 0, {weights.get(), own * size});
    std::fill_n(weights.get() + own * size, (heads - own) * size, 0.0f);
    return weights;
}

float Block::weight(HeadId head, int query, int key) const
{
    float weight = 0;
    readFloats(m_layers[static_cast<std::size_t>(head.layer)],
               static_cast<std::size_t>(head.head) * m_facts.pattern.mapSize() +
                   m_facts.pattern.indexOf(query, key),
               {&weight, 1});
    return weight;
}

}  // namespace hs::maps
