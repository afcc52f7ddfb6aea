#pragma once

#include "engine/run/decoder_tensors.h"
#include "engine/run/head_outputs_tensors.h"

#include <functional>
#include <optional>

namespace hs::engine {

/// A copy at which gradients end, whatever mode the given tensor was made in.
at::Tensor leaf(const at::Tensor& tensor);

/// Gradients of a run's logit, one layer at a time from the last one down; if the decoder has the prompt several
/// times, of the logit of each. Gates are held constant. Both the run and the decoder have to outlive it; gradients
/// have to be on.
class GradientPass {
public:
    /// `residual`: the stream that enters each layer, and the one after the last. [query, hidden]
    GradientPass(const RunRequest& run, const Decoder& decoder, std::function<at::Tensor(int layer)> residual)
        : m_run(run), m_decoder(decoder), m_residual(std::move(residual))
    {
    }

    /// Of the logit of `target` minus that of `versus`, where the run is read, with respect to the last residual.
    at::Tensor ofLogits(std::int64_t target, std::optional<std::int64_t> versus) const;

    /// With respect to a layer's z and what its MLP writes; turns `gradient`, with respect to the residual after the
    /// layer, into that with respect to the one before.
    HeadOutputs::Layer throughLayer(int layer, at::Tensor& gradient) const;

private:
    const RunRequest& m_run;
    const Decoder& m_decoder;
    std::function<at::Tensor(int)> m_residual;
};

/// The logit of `target` minus that of `versus` in one row of the last residual, or their sum over several. [] float
at::Tensor logitIn(const Decoder& decoder, const at::Tensor& rows, std::int64_t target,
                   std::optional<std::int64_t> versus);

}  // namespace hs::engine
