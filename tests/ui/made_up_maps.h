#pragma once

#include "service/side_request.h"

#include <memory>
#include <string>

namespace hs::test {

/// A block of made-up maps: "maps:3x4:7x19" has 3 layers of 4 heads, 7 queries and 19 keys, "maps:3x4:9x9" all
/// 9 tokens as both; then "+causal", "+ragged" (the layers in between have one head less), "+patches" (all keys
/// but the first are a square of patches, of a picture), "+batch" (item 1 of 3), and "#name". Tokens are "q0", …
/// and "k0", …, or "t0", … Null for any other source.
std::shared_ptr<const service::OpenModel> madeUpMaps(const service::OpenRequest& request);

}  // namespace hs::test
