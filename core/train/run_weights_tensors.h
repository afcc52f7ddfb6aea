#pragma once

#include "train/trainable_tensors.h"

namespace hs::train {

/// The tensors of a forward pass: a model's own, or those that a vector stands for, which are made layer by
/// layer as the pass comes to them.
class RunWeights {
public:
    RunWeights(const engine::ModelWeights& fixed);  // implicit: a model can be run
    /// `recomputes`: each layer runs again in the backward pass, instead of keeping what it computed.
    RunWeights(const Trainable& trainable, const at::Tensor& vector, bool recomputes = false);
    /// As Trainable cuts a vector.
    RunWeights(const Trainable& trainable, std::vector<Pieces> pieces, bool recomputes = false);

    const at::Tensor& operator[](model::Role role) const { return m_shared[static_cast<int>(role)]; }
    const Trainable::Table& shared() const { return m_shared; }
    bool recomputes() const { return m_recomputes; }

    /// What the layer is made of; empty for fixed weights.
    const Pieces& pieces(int layer) const;
    Trainable::Table layer(int layer, const Pieces& pieces) const;

private:
    Trainable::Table m_shared;
    const engine::ModelWeights* m_fixed = nullptr;
    const Trainable* m_trainable = nullptr;
    std::vector<Pieces> m_pieces;  // [1 + layer], as Trainable cuts them
    at::ScalarType m_type = at::kFloat;
    bool m_recomputes = false;
};

}  // namespace hs::train
