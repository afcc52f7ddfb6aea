#pragma once

#include <compare>
#include <map>
#include <memory>
#include <vector>

namespace hs::engine {

/// Where something is written to the residual stream: together with what the MLP of a layer writes.
struct WritePlace {
    int layer = 0;
    int position = 0;

    friend auto operator<=>(const WritePlace&, const WritePlace&) = default;
};

/// What a run adds to its MLPs' outputs.
struct StreamWrites {
    std::map<WritePlace, std::vector<float>> rows;  // [hidden]

    friend bool operator==(const StreamWrites&, const StreamWrites&) = default;
};

/// How requests share them; null: nothing is written.
using SharedWrites = std::shared_ptr<const StreamWrites>;

/// The first layer that two runs write to differently; `layers` where they do not.
int firstDifference(const SharedWrites& a, const SharedWrites& b, int layers);

/// Whether something is written together with what the MLP of a layer writes.
bool writesTo(const SharedWrites& writes, int layer);

}  // namespace hs::engine
