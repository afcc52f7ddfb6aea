#pragma once

#include "engine/load/model.h"
#include "engine/request/run_request.h"

#include <span>

namespace hs::engine {

/// A model as a run has it: with adapters. Refers to both, and lives no longer than they do.
class AdaptedModel {
public:
    AdaptedModel(const Model& model, std::span<const AdapterUse> adapters = {})
        : m_model(&model), m_adapters(adapters)
    {
    }
    AdaptedModel(const RunRequest& run) : AdaptedModel(*run.model, run.adapters) {}

    const Model::Facts& facts() const { return m_model->facts(); }
    const model::ArchSpec& spec() const { return m_model->spec(); }
    const ModelWeights& baseWeights() const { return m_model->weights(); }
    std::span<const AdapterUse> adapters() const { return m_adapters; }

private:
    const Model* m_model;
    std::span<const AdapterUse> m_adapters;
};

}  // namespace hs::engine
