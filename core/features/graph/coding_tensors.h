#pragma once

#include "features/graph/held_run_tensors.h"

namespace hs::features {

/// What a run's MLPs read and added.
struct MlpRecord {
    std::vector<HeldNorm> norms;      // [layer] before the MLP
    std::vector<HeldNorm> scales;     // [layer] the same without weights and bias
    std::vector<at::Tensor> streams;  // [layer] what the norm gets. [query, width]
    std::vector<at::Tensor> outputs;  // [layer] added to the stream. [query, width]
};

/// Refuses transcoders of another model. Throws Failure.
void checkCoders(const Transcoders* coders, const model::ArchSpec& spec);

/// Encodes the run where its transcoders read, which they must say: sets place, unexplained shares, activations,
/// and what each layer needs of them.
void readCoders(HeldRun& run, const MlpRecord& mlps);

}  // namespace hs::features
