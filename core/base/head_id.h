#pragma once

#include "base/result.h"

#include <compare>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace hs {

/// One attention head of a model, counted from 0; or, where a unit is meant, the MLP of a layer, which comes after the
/// layer's heads. Their text forms are "L3H7" and "L3MLP".
struct HeadId {
    static constexpr int kMlp = std::numeric_limits<int>::max();

    int layer = 0;
    int head = 0;  // kMlp for the layer's MLP

    static HeadId mlpOf(int layer) { return {layer, kMlp}; }
    bool isMlp() const { return head == kMlp; }

    friend auto operator<=>(const HeadId&, const HeadId&) = default;
};

/// Which parts of a model are asked about.
enum class Units { Heads, HeadsAndMlps };

/// What an MLP is called where a head has its number.
inline constexpr std::string_view kMlpName = "MLP";

std::string toString(HeadId id);

/// Reads exactly one head, "L3H7", of a model of any size.
Result<HeadId> parseHead(std::string_view text);

/// Reads exactly one head or MLP, "L3H7" or "L3MLP".
Result<HeadId> parseUnit(std::string_view text);

/// The heads a model has; `kvHeads` divides `heads`. Heads are numbered as if every layer had `heads` of them:
/// a place that a layer lacks has a number, but no head.
struct HeadShape {
    int layers = 0;
    int heads = 0;  // of the layer with the most
    int kvHeads = 0;
    std::vector<int> headsIn = {};  // [layer], at least one each; empty: all have `heads`

    /// Places.
    int total() const { return layers * heads; }
    int headsOf(int layer) const
    {
        return headsIn.empty() ? heads : headsIn[static_cast<std::size_t>(layer)];
    }
    int indexOf(HeadId id) const { return id.layer * heads + id.head; }
    HeadId at(int index) const { return {index / heads, index % heads}; }
    bool contains(HeadId id) const
    {
        return id.layer >= 0 && id.layer < layers && id.head >= 0 && id.head < headsOf(id.layer);
    }
    bool containsUnit(HeadId id) const
    {
        return id.isMlp() ? id.layer >= 0 && id.layer < layers : contains(id);
    }
    /// Those that there are, layer by layer.
    std::vector<HeadId> all(Units units = Units::Heads) const;

    /// Whether a head of one has the same name and place in the other.
    bool hasSameHeads(const HeadShape& other) const
    {
        return layers == other.layers && heads == other.heads && headsIn == other.headsIn;
    }

    friend bool operator==(const HeadShape&, const HeadShape&) = default;
};

/// The head of `to` that is as deep in its model, and as far along in its layer, as `head` is in `from`: the
/// same one if the shapes are alike. `to` must have heads.
HeadId atSameDepth(HeadId head, const HeadShape& from, const HeadShape& to);

/// Reads one item of a head list: "L0H3", "L2H*" (a whole layer), "L*H3", "L2KV1" (every query
/// head that reads key/value head 1), "L4-6H0-3". Heads outside the shape are an error.
Result<std::vector<HeadId>> parseHeads(std::string_view item, const HeadShape& shape);

/// The same, and "L4MLP", "L*MLP", "L4-6MLP" as well.
Result<std::vector<HeadId>> parseUnits(std::string_view item, const HeadShape& shape);

/// Heads as above, but those outside the shape are left out.
Result<std::vector<HeadId>> parseHeadsWithin(std::string_view item, const HeadShape& shape);

}  // namespace hs
