#pragma once

#include "base/cell_id.h"
#include "base/head_id.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/run/engine.h"
#include "maps/array_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hs::analyses {

/// What another program computed with the same weights: tokens, and attention [layer, head, query, key],
/// logits [query, token] or both, in one file of arrays.
struct Reference {
    std::string name;
    std::string by;                   // the program that made it; empty: it does not say
    std::optional<std::string> text;  // that the tokens are of
    std::vector<std::int64_t> tokens;
    std::optional<maps::Array> attention;
    std::optional<maps::Array> logits;
};

/// Refuses a file that lacks them, in sentences. Throws Failure.
Reference readReference(const std::filesystem::path& file);

/// The largest difference between a run and its reference, and where it is.
struct ReferenceCheck {
    struct Attention {
        double difference = 0;
        HeadId head;
        CellId cell;
    };
    struct Logits {
        double difference = 0;  // as a share of the largest logit
        int position = 0;
        std::int64_t token = 0;
    };
    std::optional<Attention> attention;  // none: the reference has none
    std::optional<Logits> logits;

    double largest() const;
};

/// Runs the reference's tokens as `request` says and compares. Refuses a reference of another shape.
Result<ReferenceCheck> checkAgainst(const Reference& reference, engine::Engine& engine,
                                    engine::RunRequest request, const Hooks& hooks);

}  // namespace hs::analyses
