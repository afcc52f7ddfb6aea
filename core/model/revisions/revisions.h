#pragma once

#include "model/environment.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

/// A model as it was at one step of its training.
struct Revision {
    std::int64_t step = 0;
    std::string source;  // as locateModel takes it

    friend bool operator==(const Revision&, const Revision&) = default;
};

/// The steps that folders in a folder are named after, in order: "step1000", "checkpoint-1000", "1000". Of several
/// kinds of names the most frequent one. Fewer than two are none.
std::vector<Revision> revisionsIn(const std::filesystem::path& folder);

/// All steps of the training that a model is of, in order: those in its folder, those beside it if it is one of
/// them, or the snapshots in its entry of the download cache that have such names.
std::vector<Revision> revisionsOf(std::string_view where, const Environment& environment);

/// Which of them a folder is.
std::optional<std::size_t> indexOf(const std::vector<Revision>& revisions,
                                   const std::filesystem::path& folder);

}  // namespace hs::model
