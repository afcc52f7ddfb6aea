#include "engine/load/model.h"

#include "engine/load/weights_tensors.h"

namespace hs::engine {

Model::Model(Facts facts, std::unique_ptr<const ModelWeights> weights)
    : m_facts(std::move(facts)), m_weights(std::move(weights))
{
}

Model::~Model() = default;

}  // namespace hs::engine
