#include "maps/companions.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <array>
#include <optional>

namespace hs::maps {
namespace {

constexpr int kMostExtraTokens = 16;         // before the patches: one for the whole, registers
constexpr std::int64_t kLargestSide = 8192;  // of a picture
constexpr int kThumbnail = 512;

/// The name of an array of a block that is there; none if there is none.
std::optional<std::string> nameThere(const ArrayFile& file, const std::string& block, const std::string& word)
{
    if (block.empty())
        return file.has(word) ? std::optional(word) : std::nullopt;
    for (const char separator : {'.', '_', '/'})
        if (std::string name = block + separator + word; file.has(name))
            return name;
    return std::nullopt;
}

/// What is looked for under a name.
struct Candidate {
    std::string name;
    bool isOwn;  // of the block itself: has to fit
};

std::vector<Candidate> candidates(const ArrayFile& file, const std::string& block,
                                  const std::vector<std::string>& words, const std::string& other = {})
{
    std::vector<Candidate> found;
    const auto add = [&](const std::string& owner, bool isOwn) {
        for (const std::string& word : words)
            if (auto name = nameThere(file, owner, word))
                found.push_back({std::move(*name), isOwn});
    };
    add(block, true);
    if (!other.empty())
        add(other, false);
    if (!block.empty())
        add("", false);
    return found;
}

/// The texts of this item; none if there are as many as `count` in none of its axes.
std::optional<std::vector<std::string>> rowOf(const Texts& texts, const Block::Facts& facts, int count)
{
    const std::int64_t columns = texts.shape.back();
    if (columns != count || texts.items.empty())
        return std::nullopt;
    std::size_t row = 0;
    if (texts.shape.size() == 2 && texts.shape.front() != 1) {
        if (texts.shape.front() != facts.items)
            return std::nullopt;
        row = static_cast<std::size_t>(facts.item);
    }
    const auto begin = texts.items.begin() + static_cast<std::ptrdiff_t>(row) * count;
    return std::vector<std::string>(begin, begin + count);
}

std::optional<std::vector<std::string>> tokensAmong(const ArrayFile& file, const Block::Facts& facts,
                                                    int count, const std::vector<Candidate>& names,
                                                    const char* what)
{
    std::optional<Candidate> misfit;
    for (const Candidate& candidate : names) {
        const Texts texts = file.texts(candidate.name);
        if (auto row = rowOf(texts, facts, count))
            return row;
        if (candidate.isOwn && !misfit)
            misfit = candidate;
    }
    if (misfit)
        fail(ErrorCode::BadFile, file.nameIn(misfit->name) + " has shape " +
                                     formatShape(file.texts(misfit->name).shape) + ", and there are " +
                                     formatCount(count) + " " + what + "; save one text for each of them.");
    return std::nullopt;
}

std::vector<std::string> positionNames(int count, const std::optional<PatchGrid>& patches)
{
    std::vector<std::string> names;
    for (int token = 0; token < count; ++token) {
        const int patch = patches && patches->contains(token) ? token - patches->first : -1;
        names.push_back(patch < 0 ? "[" + std::to_string(token) + "]"
                                  : std::to_string(patch / patches->columns) + "," +
                                        std::to_string(patch % patches->columns));
    }
    return names;
}

void readTokens(const ArrayFile& file, Block::Facts& facts)
{
    const bool isCross = facts.name.find("cross") != std::string::npos;
    const stats::PatternShape& shape = facts.pattern;
    // A file of this program has ids under "tokens" and their texts beside them.
    const auto queries = tokensAmong(
        file, facts, shape.queries,
        candidates(file, facts.name, {"tokens_q", "texts", "tokens"}, isCross ? "decoder" : ""), "queries");
    // `tokens` are the queries'; keys have them, too, if there are as many.
    std::vector<std::string> keyWords = {"tokens_k"};
    if (shape.isSquare() && !isCross)
        keyWords.insert(keyWords.end(), {"texts", "tokens"});
    auto keyNames = candidates(file, facts.name, keyWords);
    if (isCross)
        for (Candidate& name : candidates(file, "encoder", {"tokens", "tokens_q"}))
            keyNames.push_back({std::move(name.name), false});
    const auto keys = tokensAmong(file, facts, shape.keys, keyNames, "keys");
    facts.queryTokens = queries ? *queries : positionNames(shape.queries, facts.queryPatches);
    std::vector<std::string> ofKeys = keys ? *keys : positionNames(shape.keys, facts.keyPatches);
    if (!shape.isSquare() || (keys && ofKeys != facts.queryTokens) || isCross)
        facts.keyTokens = std::move(ofKeys);
}

void readNames(const ArrayFile& file, Block::Facts& facts)
{
    for (const Candidate& candidate : candidates(file, facts.name, {"names"})) {
        std::vector<std::string> names = file.texts(candidate.name).items;
        const std::vector<HeadId> heads = facts.heads.all();
        if (names.size() == static_cast<std::size_t>(facts.heads.layers)) {
            facts.names = std::move(names);
            return;
        }
        if (names.size() == heads.size()) {
            facts.names.resize(static_cast<std::size_t>(facts.heads.total()));
            for (std::size_t index = 0; index < heads.size(); ++index)
                facts.names[static_cast<std::size_t>(facts.heads.indexOf(heads[index]))] = names[index];
            return;
        }
        if (candidate.isOwn)
            fail(ErrorCode::BadFile, file.nameIn(candidate.name) + " has " +
                                         formatCount(static_cast<std::int64_t>(names.size())) +
                                         " names for " +
                                         formatCount(static_cast<std::int64_t>(heads.size())) + " heads in " +
                                         formatCount(facts.heads.layers) +
                                         " layers; save one for each head, or one for each layer.");
    }
}

std::optional<PatchGrid> gridFor(int tokens, const std::vector<std::int64_t>& size)
{
    const auto rows = static_cast<int>(size[0]);
    const auto columns = static_cast<int>(size[1]);
    const int extra = tokens - rows * columns;
    return extra >= 0 && extra <= kMostExtraTokens ? std::optional(PatchGrid{rows, columns, extra})
                                                   : std::nullopt;
}

void readPatches(const ArrayFile& file, Block::Facts& facts)
{
    static constexpr std::int64_t kMostPatchesAcross = 1 << 12;
    for (const Candidate& candidate : candidates(file, facts.name, {"patches"})) {
        const std::vector<std::int64_t> size = file.numbers(candidate.name);
        const bool isSize = size.size() == 2 && std::ranges::all_of(size, [](std::int64_t side) {
                                return side > 0 && side <= kMostPatchesAcross;
                            });
        if (!isSize)
            fail(ErrorCode::BadFile, file.nameIn(candidate.name) +
                                         " is not the size of a grid of patches; save it as "
                                         "np.array([rows, columns]).");
        facts.keyPatches = gridFor(facts.pattern.keys, size);
        facts.queryPatches = gridFor(facts.pattern.queries, size);
        if (facts.keyPatches || facts.queryPatches)
            return;
        if (candidate.isOwn)
            fail(ErrorCode::BadFile, file.nameIn(candidate.name) + " says " + formatCount(size[0]) + " × " +
                                         formatCount(size[1]) + " patches, and there are " +
                                         formatCount(facts.pattern.keys) +
                                         " keys; save the size of the grid that the tokens were cut from.");
    }
}

/// The picture, made smaller by leaving out rows and columns if it is large.
Picture thumbnailOf(const Array& image)
{
    const auto height = static_cast<int>(image.shape[0]);
    const auto width = static_cast<int>(image.shape[1]);
    const int step = std::max(1, (std::max(width, height) + kThumbnail - 1) / kThumbnail);
    Picture picture{(width + step - 1) / step, (height + step - 1) / step, {}};
    const auto* const pixels = reinterpret_cast<const std::uint8_t*>(image.bytes.data());
    for (int y = 0; y < height; y += step)
        for (int x = 0; x < width; x += step) {
            const std::uint8_t* const pixel =
                pixels + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x));
            picture.pixels.insert(picture.pixels.end(), pixel, pixel + 3);
        }
    return picture;
}

void readPicture(const ArrayFile& file, Block::Facts& facts)
{
    if (!facts.keyPatches && !facts.queryPatches)
        return;
    const std::vector<Candidate> names = candidates(file, facts.name, {"image"});
    if (names.empty())
        return;
    Array image = file.array(names.front().name);
    if (image.shape.size() == 4 && image.shape[0] == facts.items)
        image = image.at(static_cast<std::size_t>(facts.item));
    const bool isPicture = image.type == ElementType::UInt8 && image.shape.size() == 3 &&
                           image.shape[2] == 3 && std::min(image.shape[0], image.shape[1]) >= 1 &&
                           std::max(image.shape[0], image.shape[1]) <= kLargestSide;
    if (!isPicture)
        fail(ErrorCode::BadFile, file.nameIn(names.front().name) +
                                     " is not a picture of at most 8,192 pixels a side; save it as uint8 in "
                                     "[height, width, 3].");
    facts.picture = thumbnailOf(image);
}

}  // namespace

void readCompanions(const ArrayFile& file, Block::Facts& facts)
{
    readPatches(file, facts);
    readPicture(file, facts);
    readTokens(file, facts);
    readNames(file, facts);
}

}  // namespace hs::maps
