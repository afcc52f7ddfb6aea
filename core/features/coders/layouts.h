#pragma once

#include "features/coders/coder_file.h"
#include "features/coders/coder_plan.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hs::features {

/// The plan of a folder in whatever layout; sound for a model of this shape. Throws Failure.
CoderPlan planTranscoders(const std::filesystem::path& folder, const model::ArchSpec& spec);

/// How the tensors of a layer's own file are called and turned. Empty: there is none.
struct UnitNames {
    std::string encoder, encoderBias, decoder, decoderBias, threshold, skip;
    bool hasTurnedEncoder = false;  // [width, feature]
    bool hasTurnedSkip = false;     // [from, to]
};

/// Adds a layer whose tensors are in one file, with its decoders into one layer. The first one gives the set
/// its shape. JumpRelu where the file has thresholds.
void addUnit(CoderPlan& plan, const CoderFile& file, const UnitNames& names);

// Each throws Failure.
CoderPlan planCircuitTracer(const std::filesystem::path& folder, const model::ArchSpec& spec);
CoderPlan planCltForge(const std::filesystem::path& folder, const model::ArchSpec& spec);
CoderPlan planSparsify(const std::filesystem::path& folder, const model::ArchSpec& spec);
CoderPlan planSaeLens(const std::filesystem::path& folder, const model::ArchSpec& spec);
CoderPlan planGemmaScope(const std::filesystem::path& folder, const model::ArchSpec& spec);
CoderPlan planGemmaScope2(const std::filesystem::path& folder, const model::ArchSpec& spec);

}  // namespace hs::features
