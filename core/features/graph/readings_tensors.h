#pragma once

#include "features/graph/sweep_tensors.h"

namespace hs::features {

/// The readings that targets are, latest first, and which target each of them is of.
struct TargetReadings {
    Readings readings;
    std::vector<std::size_t> order;  // [reading] index of the target
};

/// Features and logits of a held run as readings of its stream. Logits are those minus `versus`'s, or minus the
/// vocabulary's mean where there is none. Throws Failure for other kinds of nodes, and for those that the run
/// does not have.
TargetReadings readingsOf(const HeldRun& run, std::span<const NodeId> targets,
                          std::optional<std::int64_t> versus);

}  // namespace hs::features
