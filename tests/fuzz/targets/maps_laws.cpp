#include "fuzz/targets/maps_laws.h"

#include "base/failure.h"
#include "fuzz/target.h"
#include "maps/maps_file.h"

#include <algorithm>
#include <cmath>

namespace hs::fuzz {
namespace {

constexpr std::size_t kMostUnpacked = 1040;  // of what deflate can pack into a byte

void requireSoundBlock(const maps::Block& block, std::size_t size)
{
    const maps::Block::Facts& facts = block.facts();
    const auto texts = static_cast<std::size_t>(facts.pattern.queries);
    require(facts.heads.layers > 0 && facts.heads.heads > 0 && facts.pattern.cells() > 0,
            "a block is not empty");
    require(facts.queryTokens.size() == texts, "every query has a text");
    require(block.tokensOfKeys().size() == static_cast<std::size_t>(facts.pattern.keys),
            "every key has a text");
    require(!facts.pattern.isCausal || facts.pattern.isSquare(), "a causal pattern is square");
    require(facts.item < facts.items, "an item is of its batch");
    require(block.bytes() <= kMostUnpacked * size, "no more weights than the file can hold");
    require(facts.picture.pixels.size() == 3u * static_cast<std::size_t>(facts.picture.width) *
                                               static_cast<std::size_t>(facts.picture.height),
            "a picture has its pixels");
    for (const auto& patches : {facts.queryPatches, facts.keyPatches})
        require(!patches || (patches->rows > 0 && patches->columns > 0 && patches->first >= 0),
                "patches are a grid");
    std::vector<float> row(static_cast<std::size_t>(facts.pattern.keys));
    for (const HeadId head : facts.heads.all()) {
        block.nameOf(head);
        block.readRow(head, facts.pattern.queries - 1, row.data());
        require(std::ranges::all_of(row, [](float weight) { return std::isfinite(weight); }),
                "weights are numbers");
    }
}

}  // namespace

void requireSoundMaps(const std::filesystem::path& file, std::size_t size)
{
    const auto names = guarded([&] {
        const maps::MapsFile opened = maps::MapsFile::open(file);
        std::vector<std::string> parts;
        for (const maps::BlockArrays& block : opened.blocks())
            parts.push_back(block.name);
        return parts;
    });
    if (!names)
        return requireRefusal(names.error());
    for (const std::string& name : *names) {
        const auto block = guarded([&] { return maps::MapsFile::open(file).block(name); });
        if (!block)
            requireRefusal(block.error());
        else
            requireSoundBlock(**block, size);
    }
}

}  // namespace hs::fuzz
