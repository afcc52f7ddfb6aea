#pragma once

#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/variants.h"

namespace hs::engine {

/// Reads the answers of a run's variants off their last residuals.
class VariantReader {
public:
    /// `residual` is the baseline's. [query, hidden]
    VariantReader(const Decoder& decoder, const VariantRequest& request, const at::Tensor& residual);

    const VariantReading& baseline() const { return m_baseline; }

    /// One reading per variant, given its `rows`; before them it equals the baseline.
    std::vector<VariantReading> read(const at::Tensor& residual,  // [variant * row, hidden]
                                     RowRange rows) const;

private:
    void readLogits(const at::Tensor& residual, std::vector<VariantReading>& readings) const;
    void readPredictions(const at::Tensor& residual, std::vector<VariantReading>& readings) const;
    void readLosses(const at::Tensor& residual, RowRange rows, std::vector<VariantReading>& readings) const;
    at::Tensor rowLosses(const at::Tensor& residual, RowRange rows) const;  // [variant, row] double
    at::Tensor logSums(const at::Tensor& rows) const;                       // [row] float

    const Decoder& m_decoder;
    const VariantRequest& m_request;
    std::int64_t m_length;
    std::int64_t m_position;
    at::Tensor m_tokens;      // target and versus
    at::Tensor m_prediction;  // [vocabulary] double, the baseline's log probabilities
    at::Tensor m_losses;      // [query] double on the host, the baseline's; undefined unless asked for
    VariantReading m_baseline;
};

}  // namespace hs::engine
