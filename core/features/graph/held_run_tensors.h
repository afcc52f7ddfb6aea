#pragma once

#include "engine/device/torch.h"
#include "engine/load/model.h"
#include "features/coders/transcoders_tensors.h"
#include "features/graph/graph.h"

namespace hs::features {

/// A norm with its scale held at that of a run, an affine map: factor ⊙ C(x) + bias, where C takes the mean
/// away or is the identity.
struct HeldNorm {
    at::Tensor factor;  // [query, width] or [query, 1]; undefined: the identity
    at::Tensor bias;    // [width]; undefined: none
    bool centres = false;

    /// The linear part. [..., query, width]
    at::Tensor carry(const at::Tensor& change) const;
    /// Its transpose.
    at::Tensor carryBack(const at::Tensor& cotangent) const;
    /// The same for rows that are each at a position of their own. [row, width]
    at::Tensor carryBack(const at::Tensor& rows, const at::Tensor& positions) const;

    HeldNorm upTo(std::int64_t length) const;
};

/// A layer of a run that is held: affine in the stream, but for the MLP, which is cut: what it added is a
/// number of the run.
struct HeldLayer {
    at::Tensor stream;  // [query, width] entering it
    HeldNorm attentionNorm;
    at::Tensor valueWeight;        // [key/value head * head size, width]
    at::Tensor valueMask;          // [query, key/value head * head size], 0 where clipped; undefined: no clip
    at::Tensor patterns;           // [head, query, key], the gate applied; 0 for ablated heads
    at::Tensor outWeight;          // [width, head * head size]
    HeldNorm attentionAfterNorm;   // of what the heads write
    at::Tensor attentionConstant;  // [query, width] what attention adds whatever comes in

    HeldNorm reading;           // from the stream to what the encoders get
    at::Tensor skip;            // [width, width], y += r skipᵀ; undefined without
    at::Tensor outputConstant;  // [width] of the transcoders' output
    at::Tensor error;           // [query, width] of the MLP's output, which they leave out

    /// What the heads add when the stream entering the layer changes. [..., query, width]
    at::Tensor carryThroughHeads(const at::Tensor& change) const;
    /// Its transpose.
    at::Tensor carryBackThroughHeads(const at::Tensor& cotangent) const;
    /// Values of a change, and what heads would read of them: the two factors of a cell's load.
    at::Tensor valuesOf(const at::Tensor& change) const;        // [key/value head, query, head size]
    at::Tensor readByHeads(const at::Tensor& cotangent) const;  // [head, query, head size]
    at::Tensor carrySkip(const at::Tensor& change) const;
    at::Tensor carryBackSkip(const at::Tensor& cotangent) const;

    /// The same layer for the first positions only.
    HeldLayer upTo(std::int64_t length) const;
};

/// A run of a model with its patterns, its norms' scales and what its MLPs added held fixed, and what the
/// transcoders make of it.
struct HeldRun {
    std::shared_ptr<const engine::Model> model;
    engine::AdapterUses adapters = {};
    std::shared_ptr<const Transcoders> coders;
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;
    Place place = Place::MlpInput;
    std::vector<double> fvu;  // [layer]
    std::vector<std::int64_t> tokens;
    at::Tensor embedding;  // [query, width] of the tokens
    at::Tensor positions;  // [query, width]; undefined without learned positions
    std::vector<HeldLayer> layers;
    HeldNorm finalNorm;
    at::Tensor logits;                    // [query, vocabulary] float, before a soft cap
    std::vector<at::Tensor> activations;  // [layer] of the features. [query, feature] float, on the processor

    const model::ArchSpec& spec() const { return model->spec(); }
    std::int64_t length() const { return embedding.size(0); }
    /// A tensor of a model or of transcoders, where and as this run computes; undefined stays so.
    at::Tensor here(const at::Tensor& tensor) const
    {
        return tensor.defined() ? tensor.to(device, type) : tensor;
    }
};

/// Runs the request's model and holds the run, in numbers of `type`. Throws Failure.
HeldRun holdRun(const GraphRequest& request, at::ScalarType type, const Hooks& hooks);

}  // namespace hs::features
