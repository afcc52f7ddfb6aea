#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace hs {

using Json = nlohmann::json;

/// Parses untrusted JSON text; `what` names the source in the error ("config.json of …").
Json parseJson(std::string_view text, const std::string& what);

/// Reads and parses a JSON file of at most `maxBytes`. Throws Failure.
Json readJsonFile(const std::filesystem::path& file, std::uint64_t maxBytes = 64u << 20);

/// A number for JSON, which has no NaN and no infinity: they become null.
Json numberOrNull(double value);

}  // namespace hs
