#pragma once

#include "base/head_id.h"
#include "engine/load/weights_tensors.h"

#include <cstdint>
#include <vector>

namespace hs::train {

using Pieces = std::vector<at::Tensor>;

/// What is trained: one vector, so that an update, a mean over steps, a norm and a checkpoint are each one
/// operation, and how a model's tensors are made of it. A block is a layer's tensors, or those outside the
/// layers; each is made of its own pieces of the vector, so that it can be made when it is needed.
class Trainable {
public:
    using Table = engine::ModelWeights::Table;

    virtual ~Trainable() = default;

    std::int64_t size() const { return m_size; }
    std::int64_t matrixSize() const { return m_matrixSize; }  // matrices come first: only they decay
    int layers() const { return m_layers; }

    /// Where a training starts; the same for the same seed.
    virtual at::Tensor start(std::uint64_t seed) const = 0;  // [size] float

    /// The vector's pieces by block: those outside the layers, then those of each layer.
    std::vector<Pieces> cut(const at::Tensor& vector) const;  // [1 + layer]
    /// Tensors with gradients to their pieces; what is not trained has the type of what is.
    virtual Table shared(const Pieces& pieces, at::ScalarType type) const = 0;
    virtual Table layer(int layer, const Pieces& pieces, at::ScalarType type) const = 0;

    /// The parts of a vector that make a head's queries; none where they are not trained themselves.
    virtual Pieces queriesOf(const at::Tensor& vector, HeadId head) const = 0;

    /// The whole model, with gradients to the vector or its pieces.
    engine::ModelWeights unpack(const at::Tensor& vector) const { return join(cut(vector)); }
    engine::ModelWeights join(const std::vector<Pieces>& pieces) const;

    static at::ScalarType typeOf(const std::vector<Pieces>& pieces);

protected:
    explicit Trainable(int layers) : m_layers(layers) {}

    /// Takes room for a piece of a block, matrices before all others.
    void add(int block, std::int64_t elements, bool isMatrix);
    /// The part of a vector that piece number `index` is.
    at::Tensor piece(const at::Tensor& vector, std::size_t index) const;

private:
    struct Room {
        int block = 0;
        std::int64_t begin = 0;
        std::int64_t elements = 0;
    };

    int m_layers = 0;
    std::vector<Room> m_rooms;
    std::vector<std::int64_t> m_sizes;  // of pieces and of the gaps between them
    std::int64_t m_matrixSize = 0;
    std::int64_t m_size = 0;
};

}  // namespace hs::train
