#pragma once

#include "base/hooks.h"
#include "engine/request/run_result.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/layer_record_tensors.h"
#include "stats/growing_summary.h"

#include <cstdint>
#include <vector>

namespace hs::engine {

/// The text of a Continuation as far as it was run.
class GrowingRun {
public:
    /// Brings it to the request's last token and reads predictions and loss there. A failure or a
    /// cancellation leaves nothing behind: the next run computes everything.
    RunResult advance(const RunRequest& request, const Hooks& hooks);

    /// Logits where the last run was read. [vocabulary] float
    const at::Tensor& logits() const { return m_read; }
    std::uint64_t bytes() const;

private:
    struct Layer {
        at::Tensor keys;                           // [key/value head, room, head size]
        at::Tensor values;                         // the same
        std::vector<stats::GrowingSummary> heads;  // [head]
    };

    bool isContinuedBy(const RunRequest& request) const;
    at::Tensor runLayer(const Decoder& decoder, int layer, const at::Tensor& residual, RowRange rows,
                        const stats::SummaryRules& rules);
    void readOut(const Decoder& decoder, const at::Tensor& residual, std::int64_t first, RunResult& result,
                 const Hooks& hooks);
    std::vector<LayerRecord> records(const stats::SummaryRules& rules) const;

    RunRequest m_request;
    std::size_t m_rows = 0;  // tokens that everything below is about
    std::vector<Layer> m_layers;
    at::Tensor m_stream;   // [room, hidden] entering the first layer whose past changes, or after the last
    at::Tensor m_last;     // [1, vocabulary] logits of the last token
    at::Tensor m_read;     // [vocabulary] logits where predictions were read
    double m_lossSum = 0;  // of the tokens before it
};

}  // namespace hs::engine
