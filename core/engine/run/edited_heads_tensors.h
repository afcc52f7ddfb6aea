#pragma once

#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_record_tensors.h"

#include <vector>

namespace hs::engine {

/// The heads of a layer whose cells are edited, attended by themselves, so that a kernel that never holds a pattern
/// can do the whole layer and a few cut cells cost what their heads cost.
struct EditedHeads {
    std::vector<std::int64_t> heads;
    at::Tensor z;        // [query, edited head, head size]
    LayerRecord record;  // of these heads alone

    bool isEmpty() const { return heads.empty(); }
    /// Puts them in the place of what the whole layer gave. z: [query, head, head size]
    void replaceIn(at::Tensor z) const;
    void replaceIn(LayerRecord& record, const stats::SummaryRules& rules) const;
};

EditedHeads attendEdited(const RunRequest& request, const Decoder& decoder, int layer,
                         const at::Tensor& packed,  // [query, q | k | v], as packedProjections gives them
                         const stats::SummaryRules& rules);

/// Whether there are any.
bool editsWeights(const Ablations& ablations, int layer);

}  // namespace hs::engine
