#pragma once

#include "base/head_id.h"
#include "maps/array.h"
#include "stats/pattern_shape.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::maps {

/// How tokens lie in a picture: row by row from token `first` on, which is 1 after a token for the whole.
struct PatchGrid {
    int rows = 0;
    int columns = 0;
    int first = 0;

    int count() const { return rows * columns; }
    /// Whether a token is a patch; then it is number `token - first`.
    bool contains(int token) const { return token >= first && token - first < count(); }

    friend bool operator==(const PatchGrid&, const PatchGrid&) = default;
};

/// A small picture. Empty: none.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;  // [y, x, red green blue]
};

/// The attention of some layers in a file, and what the file says of it: one block of a model (its encoder, its
/// cross-attention), one item of a batch. Immutable; weights stay in the file and are read when asked for. For
/// any thread.
class Block {
public:
    struct Facts {
        std::string name;  // in the file: "encoder"; empty for the one without a name
        int item = 0;      // of the batch
        int items = 1;
        HeadShape heads;
        stats::PatternShape pattern;
        std::vector<std::string> queryTokens;   // texts
        std::vector<std::string> keyTokens;     // empty: the queries'
        std::vector<std::string> names;         // of heads [layer * head], or of layers [layer]; may be empty
        std::optional<PatchGrid> queryPatches;  // queries are patches of the picture
        std::optional<PatchGrid> keyPatches;
        Picture picture;  // that the patches were cut from
    };

    /// `layers`: one array each, [head, query, key] as `facts` say.
    Block(Facts facts, std::vector<Array> layers);

    const Facts& facts() const { return m_facts; }
    const std::vector<std::string>& tokensOfKeys() const
    {
        return m_facts.keyTokens.empty() ? m_facts.queryTokens : m_facts.keyTokens;
    }
    /// What the file calls a head, or its layer; empty if nothing.
    std::string nameOf(HeadId head) const;

    /// "float16": of the first layer.
    std::string precision() const;
    /// Of all layers.
    std::uint64_t bytes() const;

    /// One head's weights into `to`; what is not a finite number becomes 0. [query, key]
    void read(HeadId head, float* to) const;
    /// One row of them. [key]
    void readRow(HeadId head, int query, float* to) const;
    /// A layer's weights, with zeros in the places it lacks. [head, query, key]
    std::shared_ptr<const float[]> layer(int layer) const;
    float weight(HeadId head, int query, int key) const;

private:
    Facts m_facts;
    std::vector<Array> m_layers;  // [layer]
};

}  // namespace hs::maps
