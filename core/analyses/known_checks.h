#pragma once

#include "base/result.h"
#include "model/environment.h"

#include <optional>
#include <string>

namespace hs::analyses {

/// That a model was held against what another program computed with the same weights, and was equal to it.
struct KnownCheck {
    std::string reference;  // "transformers 5.23"
    double difference = 0;  // the largest of weights, and of logits as a share of the largest

    friend bool operator==(const KnownCheck&, const KnownCheck&) = default;
};

/// Remembers it for a model's fingerprint and the precision of the computation, in the file returned.
Result<std::filesystem::path> rememberCheck(const model::Environment& environment,
                                            const std::string& fingerprint, const std::string& precision,
                                            const KnownCheck& check);
/// None for a model that is not known to be equal; a file that cannot be read knows none.
std::optional<KnownCheck> knownCheck(const model::Environment& environment, const std::string& fingerprint,
                                     const std::string& precision);

}  // namespace hs::analyses
