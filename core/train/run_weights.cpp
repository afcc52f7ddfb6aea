#include "train/run_weights_tensors.h"

namespace hs::train {

RunWeights::RunWeights(const engine::ModelWeights& fixed) : m_shared(fixed.shared), m_fixed(&fixed) {}

RunWeights::RunWeights(const Trainable& trainable, const at::Tensor& vector, bool recomputes)
    : RunWeights(trainable, trainable.cut(vector), recomputes)
{
}

RunWeights::RunWeights(const Trainable& trainable, std::vector<Pieces> pieces, bool recomputes)
    : m_trainable(&trainable), m_pieces(std::move(pieces)), m_type(Trainable::typeOf(m_pieces)),
      m_recomputes(recomputes)
{
    m_shared = trainable.shared(m_pieces.front(), m_type);
}

const Pieces& RunWeights::pieces(int layer) const
{
    static const Pieces kNone;
    return m_trainable ? m_pieces[1 + layer] : kNone;
}

Trainable::Table RunWeights::layer(int layer, const Pieces& pieces) const
{
    return m_trainable ? m_trainable->layer(layer, pieces, m_type) : m_fixed->layers[layer];
}

}  // namespace hs::train
