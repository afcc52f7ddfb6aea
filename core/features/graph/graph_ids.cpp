#include "features/graph/graph_ids.h"

#include <cmath>

namespace hs::features {

std::string fileIdOf(const NodeId& node, int layers)
{
    using Kind = GraphNode::Kind;
    const auto joined = [&](const std::string& first, std::int64_t second) {
        return first + "_" + std::to_string(second) + "_" + std::to_string(node.position);
    };
    switch (node.kind) {
    case Kind::Feature: return joined(std::to_string(node.layer), node.index);
    case Kind::Error: return joined(std::to_string(node.layer), -1);
    case Kind::Token: return joined("E", node.index);
    case Kind::Position: return "P_" + std::to_string(node.position);
    case Kind::Constant: return "C";
    case Kind::Logit: return joined(std::to_string(layers + 1), node.index);
    }
    return {};
}

std::int64_t paired(std::int64_t layer, std::int64_t feature)
{
    const std::int64_t sum = layer + feature;
    return sum * (sum + 1) / 2 + feature;
}

std::optional<std::pair<std::int64_t, std::int64_t>> unpaired(std::int64_t number)
{
    if (number < 0 || number >= (std::int64_t{1} << 52))
        return {};
    auto sum = static_cast<std::int64_t>((std::sqrt(8.0 * static_cast<double>(number) + 1) - 1) / 2);
    while (sum * (sum + 1) / 2 > number)
        --sum;
    while ((sum + 1) * (sum + 2) / 2 <= number)
        ++sum;
    const std::int64_t feature = number - sum * (sum + 1) / 2;
    return std::pair(sum - feature, feature);
}

}  // namespace hs::features
