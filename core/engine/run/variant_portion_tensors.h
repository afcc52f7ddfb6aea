#pragma once

#include "engine/run/run_memory_tensors.h"
#include "engine/run/variant_reader_tensors.h"

#include <span>
#include <vector>

namespace hs::engine {

/// A variant and where it first differs from the baseline.
struct VariantPlace {
    std::size_t index = 0;  // in the request
    int layer = 0;          // the layer count if it does not differ at all
    std::int64_t row = 0;
};

/// Variants that go through the layers side by side, each from the layer where it first differs, all from
/// the earliest position where one of them does: what comes before is the baseline's.
class VariantPortion {
public:
    /// `memory` holds the baseline; the last layer is run only for the rows in `read`. `places` are sorted by
    /// row.
    VariantPortion(const RunMemory& memory, const VariantRequest& request, const Decoder& decoder,
                   std::span<const VariantPlace> places, RowRange read);

    /// The order of the readings that `run` returns.
    const std::vector<VariantPlace>& order() const { return m_order; }
    std::vector<VariantReading> run(const VariantReader& reader, const Hooks& hooks);

private:
    std::int64_t joined() const { return static_cast<std::int64_t>(m_ablations.size()); }
    std::int64_t joiningAt(int layer) const;
    RowRange rowsAfter(int layer) const;
    void runLayer(int layer);
    at::Tensor attendJoined(int layer, const Projections& baseline, RowRange rows) const;
    at::Tensor attendNewcomers(int layer, std::int64_t count, Projections baseline, RowRange rows);
    at::Tensor behindBaseline(const at::Tensor& baseline, const at::Tensor& own) const;

    const RunMemory& m_memory;
    const VariantRequest& m_request;
    const model::ArchSpec& m_spec;
    RowRange m_read;
    RowRange m_rows;           // of m_residual
    const Decoder& m_decoder;  // of the whole prompt
    Decoder m_baseline;        // of the positions that matter
    std::vector<VariantPlace> m_order;
    std::vector<Ablations> m_ablations;  // of those that have joined
    at::Tensor m_residual;               // [variant * row, hidden]
};

}  // namespace hs::engine
