#include "engine/model.h"

#include "engine/weights_tensors.h"

namespace hs {

Model::Model(Facts facts, std::unique_ptr<const ModelWeights> weights)
    : m_facts(std::move(facts)), m_weights(std::move(weights))
{
}

Model::~Model() = default;

}  // namespace hs
