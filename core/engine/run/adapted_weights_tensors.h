#pragma once

#include "engine/load/adapter_tensors.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/adapted_model.h"

#include <memory>

namespace hs::engine {

/// A model's weights with what adapters add to them. Runs multiply by both side by side, so that another strength costs
/// nothing; what reads a matrix itself gets the sum. Cheap to copy. Refers to the weights of the base.
class AdaptedWeights {
public:
    AdaptedWeights(const ModelWeights& base) : m_base(&base) {}
    AdaptedWeights(const AdaptedModel& model);

    const at::Tensor& operator[](model::Role role) const { return (*m_base)[role]; }
    /// As the base has it.
    const at::Tensor& base(int layer, model::Role role) const { return m_base->at(layer, role); }
    /// Everything added up, in float where an adapter changes it.
    at::Tensor at(int layer, model::Role role) const;

    /// Adds to y what adapters add to a product of x with rows of a projection, from `first` on. x [N, in], y [N, row]
    void addTo(const at::Tensor& y, const at::Tensor& x, int layer, model::Role role,
               std::int64_t first = 0) const;

private:
    const ModelWeights* m_base;
    std::shared_ptr<const AdapterWeights> m_added;  // null: nothing
};

}  // namespace hs::engine
