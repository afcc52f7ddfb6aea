#pragma once

#include "base/hooks.h"
#include "maps/array_file.h"
#include "maps/block.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::maps {

/// Arrays that together are the attention of one block: `attention` [layer, head, query, key], or one
/// `attention_0`, `attention_1`, … for each layer; with a batch's axis before them or not.
struct BlockArrays {
    std::string name;  // what stands before "attention" without the separator; "" if nothing does
    std::vector<std::string> arrays;  // one, or one a layer
    bool isWhole = false;             // one for all layers
};

/// The blocks that names of arrays speak of, the unnamed one first, then encoder and decoder. Throws Failure
/// where layers are missing; `file` names the file in errors.
std::vector<BlockArrays> blocksAmong(const std::vector<std::string>& names, const std::string& file);

/// A file of attention maps that some other program wrote. Throws Failure.
class MapsFile {
public:
    static MapsFile open(const std::filesystem::path& file);

    const std::vector<BlockArrays>& blocks() const { return m_blocks; }
    std::string fingerprint() const { return m_arrays->fingerprint(); }

    /// A block by its part of a source: "", "decoder", "decoder/2", "2"; empty is the first. Looks for weights
    /// above the diagonal, which can mean reading all of it.
    std::shared_ptr<const Block> block(const std::string& part, const Hooks& hooks = {}) const;

private:
    std::unique_ptr<ArrayFile> m_arrays;
    std::vector<BlockArrays> m_blocks;
};

/// A file of maps and a part of it, as users name it: "maps.npz", "maps.npz#decoder", "maps.npz#decoder/2".
struct MapsSource {
    std::filesystem::path file;
    std::string part;
};

/// None for everything that is not a file of maps here. NPZ files are by their name, safetensors files by the
/// names in them.
std::optional<MapsSource> mapsSource(const std::string& source);

/// Whether a source is an NPZ file, or a part of one, by its name alone.
bool namesNpz(const std::string& source);

/// The part of a source that stands for an item of a block: "decoder/2".
std::string partOf(const Block& block);

}  // namespace hs::maps
