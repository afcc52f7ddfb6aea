#include "maps/maps_file.h"

#include "base/failure.h"
#include "base/parallel.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"
#include "maps/companions.h"
#include "model/environment.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace hs::maps {
namespace {

// More than any model has; products stay far from overflow.
constexpr std::int64_t kMostPlaces = 1 << 16;  // layers times heads
constexpr std::int64_t kMostTokens = 1 << 20;

struct AttentionName {
    std::string block;
    std::optional<int> layer;
};

std::optional<int> wholeNumber(std::string_view digits)
{
    int number = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool isNumber = code == std::errc() && end == digits.data() + digits.size() && number >= 0;
    return isNumber ? std::optional(number) : std::nullopt;
}

/// "attention", "encoder.attention_3": the block and the layer. None for other names.
std::optional<AttentionName> readName(std::string_view name)
{
    AttentionName found;
    if (const std::size_t bar = name.rfind('_'); bar != std::string_view::npos)
        if (const auto layer = wholeNumber(name.substr(bar + 1))) {
            found.layer = layer;
            name = name.substr(0, bar);
        }
    for (const std::string_view word : {"attentions", "attention"})
        if (name.ends_with(word)) {
            name.remove_suffix(word.size());
            if (!name.empty() && !isSeparator(name.back()))
                return std::nullopt;
            if (!name.empty())
                name.remove_suffix(1);
            found.block = name;
            return found;
        }
    return std::nullopt;
}

int rankOf(const BlockArrays& block)
{
    return block.name.empty() ? 0 : block.name == "encoder" ? 1 : block.name == "decoder" ? 2 : 3;
}

/// "encoder, decoder and cross": what a file has.
std::string listOfBlocks(const std::vector<BlockArrays>& blocks)
{
    std::vector<std::string> names;
    for (const BlockArrays& block : blocks)
        names.push_back(block.name);
    return quotedNames(names);
}

struct BlockChoice {
    const BlockArrays* block = nullptr;
    int item = 0;
};

BlockChoice chosen(const std::vector<BlockArrays>& blocks, const std::string& part, const std::string& file)
{
    const auto named = [&](std::string_view name) {
        const auto found = std::ranges::find(blocks, name, &BlockArrays::name);
        return found == blocks.end() ? nullptr : &*found;
    };
    if (part.empty())
        return {&blocks.front(), 0};
    if (const BlockArrays* const block = named(part))
        return {block, 0};
    const std::size_t slash = part.rfind('/');
    const bool hasSlash = slash != std::string::npos;
    const auto item = wholeNumber(std::string_view(part).substr(hasSlash ? slash + 1 : 0));
    const BlockArrays* const block = !item      ? nullptr
                                     : hasSlash ? named(std::string_view(part).substr(0, slash))
                                                : &blocks.front();
    if (!block)
        fail(ErrorCode::NotFound, file + " has no maps called " + quotedName(part) + "; choose one of " +
                                      listOfBlocks(blocks) + ".");
    return {block, *item};
}

/// What is wrong with the shape of an array of attention.
[[noreturn]] void refuseShape(const Array& array, const std::string& what, const std::string& expected)
{
    fail(ErrorCode::BadFile,
         what + " has shape " + formatShape(array.shape) + "; save it as " + expected + ".");
}

void checkAttention(const Array& array, const std::string& what, std::size_t axes,
                    const std::string& expected)
{
    if (!isFloat(array.type))
        fail(ErrorCode::BadFile, what + " does not hold floats; save it with .astype(np.float32).");
    if (array.shape.size() != axes && array.shape.size() != axes + 1)
        refuseShape(array, what, expected);
    for (const std::int64_t extent : array.shape)
        if (extent < 1)
            fail(ErrorCode::BadFile,
                 what + " has shape " + formatShape(array.shape) + ", which is empty; save some attention.");
}

/// One item of a batch; the array itself where there is no batch.
Array itemOf(const Array& array, std::size_t axes, int item, int& items, const std::string& what)
{
    items = array.shape.size() == axes ? 1 : static_cast<int>(std::min(array.shape.front(), kMostTokens));
    if (item >= items)
        fail(ErrorCode::NotFound, what + " has " + formatCount(items) + (items == 1 ? " item" : " items") +
                                      ", counted from 0; choose another than " + std::to_string(item) + ".");
    return array.shape.size() == axes ? array : array.at(static_cast<std::size_t>(item));
}

/// The layers of a block, each [head, query, key].
std::vector<Array> layersOf(const ArrayFile& file, const BlockArrays& block, int item, int& items)
{
    std::vector<Array> layers;
    if (block.isWhole) {
        const std::string what = file.nameIn(block.arrays.front());
        const Array whole = file.array(block.arrays.front());
        checkAttention(whole, what, 4, "[layer, head, query, key]");
        const Array own = itemOf(whole, 4, item, items, what);
        for (std::int64_t layer = 0; layer < std::min(own.shape.front(), kMostPlaces + 1); ++layer)
            layers.push_back(own.at(static_cast<std::size_t>(layer)));
        return layers;
    }
    for (const std::string& name : block.arrays) {
        const Array layer = file.array(name);
        checkAttention(layer, file.nameIn(name), 3, "[head, query, key]");
        int ownItems = 1;
        layers.push_back(itemOf(layer, 3, item, ownItems, file.nameIn(name)));
        if (layers.size() > 1 && ownItems != items)
            fail(ErrorCode::BadFile, file.nameIn(name) +
                                         " has another number of items than the layers before; "
                                         "save all of one batch.");
        items = ownItems;
    }
    return layers;
}

/// Shapes that fit together, within what can be shown.
void setShape(Block::Facts& facts, const std::vector<Array>& layers, const std::string& file)
{
    std::int64_t most = 0;
    for (const Array& layer : layers) {
        most = std::max(most, layer.shape[0]);
        if (layer.shape[1] != layers.front().shape[1] || layer.shape[2] != layers.front().shape[2])
            fail(ErrorCode::BadFile, file + " has layers of shapes " + formatShape(layers.front().shape) +
                                         " and " + formatShape(layer.shape) +
                                         "; save those with other tokens under another name, such as "
                                         "encoder.attention and decoder.attention.");
        facts.heads.headsIn.push_back(static_cast<int>(std::min(layer.shape[0], kMostPlaces)));
    }
    const auto count = static_cast<std::int64_t>(layers.size());
    if (most > kMostPlaces || count * most > kMostPlaces)
        fail(ErrorCode::TooLarge, file + " has " + formatCount(count) + " layers of " + formatCount(most) +
                                      " heads, more than can be shown; save some of them.");
    if (std::max(layers.front().shape[1], layers.front().shape[2]) > kMostTokens)
        fail(ErrorCode::TooLarge, file + " has more than " + formatCount(kMostTokens) +
                                      " tokens, more than can be shown; save some of them.");
    facts.heads.layers = static_cast<int>(count);
    facts.heads.heads = facts.heads.kvHeads = static_cast<int>(most);
    if (std::ranges::all_of(facts.heads.headsIn, [&](int heads) { return heads == facts.heads.heads; }))
        facts.heads.headsIn.clear();
    facts.pattern = {static_cast<int>(layers.front().shape[1]), static_cast<int>(layers.front().shape[2]),
                     false};
}

/// Whether no head has a weight above the diagonal. Ends at the first one that does.
bool isCausal(const Block& block, const Hooks& hooks)
{
    const stats::PatternShape& shape = block.facts().pattern;
    if (!shape.isSquare() || shape.queries < 2)
        return shape.isSquare();
    const std::vector<HeadId> heads = block.facts().heads.all();
    const auto hasLater = [&](HeadId head) {
        std::vector<float> row(static_cast<std::size_t>(shape.keys));
        for (int query = 0; query < shape.queries; ++query) {
            block.readRow(head, query, row.data());
            if (std::any_of(row.begin() + query + 1, row.end(), [](float weight) { return weight > 0; }))
                return true;
        }
        return false;
    };
    if (hasLater(heads.front()))  // most are told by the first
        return false;
    std::atomic<bool> isFound = false;
    forEachInParallel(static_cast<int>(heads.size()), shape.mapSize(), hooks.stop, [&](int index) {
        if (!isFound && hasLater(heads[static_cast<std::size_t>(index)]))
            isFound = true;
    });
    return !isFound;
}

}  // namespace

std::vector<BlockArrays> blocksAmong(const std::vector<std::string>& names, const std::string& file)
{
    struct Found {
        std::vector<std::string> whole;
        std::map<int, std::vector<std::string>> layers;
    };
    std::vector<std::pair<std::string, Found>> found;  // in order of appearance
    for (const std::string& name : names) {
        const std::optional<AttentionName> read = readName(name);
        if (!read)
            continue;
        auto place = std::ranges::find(found, read->block, [](const auto& entry) { return entry.first; });
        if (place == found.end())
            place = found.insert(found.end(), {read->block, {}});
        (read->layer ? place->second.layers[*read->layer] : place->second.whole).push_back(name);
    }
    std::vector<BlockArrays> blocks;
    for (auto& [name, arrays] : found) {
        BlockArrays block{name, arrays.whole, !arrays.whole.empty()};
        int next = 0;
        bool isTwice = arrays.whole.size() > 1 || (block.isWhole && !arrays.layers.empty());
        for (const auto& [layer, own] : arrays.layers) {
            isTwice = isTwice || own.size() > 1;
            if (layer != next++ && !block.isWhole)
                fail(ErrorCode::BadFile, file + " has " + quotedName(own.front()) +
                                             " and nothing for layer " + std::to_string(next - 1) +
                                             "; number the layers from 0 on.");
            block.arrays.push_back(own.front());
        }
        if (isTwice)
            fail(ErrorCode::BadFile, file + " has the same attention under two names, such as " +
                                         quotedName(block.arrays.front()) + "; keep one of them.");
        blocks.push_back(std::move(block));
    }
    std::ranges::stable_sort(blocks, {}, rankOf);
    return blocks;
}

MapsFile MapsFile::open(const std::filesystem::path& file)
{
    MapsFile opened;
    opened.m_arrays = ArrayFile::open(file);
    opened.m_blocks = blocksAmong(opened.m_arrays->names(), file.string());
    if (opened.m_blocks.empty())
        fail(ErrorCode::BadFile,
             file.string() + " has no array called attention" +
                 (opened.m_arrays->names().empty() ? std::string()
                                                   : " among " + quotedNames(opened.m_arrays->names())) +
                 "; save the weights of all heads as attention, [layer, head, query, key].");
    return opened;
}

std::shared_ptr<const Block> MapsFile::block(const std::string& part, const Hooks& hooks) const
{
    const std::string& path = m_arrays->path();
    const BlockChoice choice = chosen(m_blocks, part, path);
    Block::Facts facts;
    facts.name = choice.block->name;
    facts.item = choice.item;
    std::vector<Array> layers = layersOf(*m_arrays, *choice.block, choice.item, facts.items);
    setShape(facts, layers, path);
    readCompanions(*m_arrays, facts);
    if (isCausal(Block(facts, layers), hooks))
        facts.pattern.isCausal = true;
    return std::make_shared<const Block>(std::move(facts), std::move(layers));
}

std::optional<MapsSource> mapsSource(const std::string& source)
{
    const auto isMaps = [](const std::filesystem::path& file) {
        if (file.extension() == ".npz")
            return true;
        std::error_code ignored;
        if (file.extension() != ".safetensors" || !std::filesystem::is_regular_file(file, ignored))
            return false;
        const auto blocks =
            guarded([&] { return blocksAmong(ArrayFile::open(file)->names(), file.string()); });
        return blocks && !blocks->empty();
    };
    const model::Environment environment = model::Environment::fromProcess();
    if (const auto whole = environment.expanded(source); isMaps(whole))
        return MapsSource{whole, ""};
    const std::size_t mark = source.rfind('#');
    if (mark == std::string::npos)
        return std::nullopt;
    const auto file = environment.expanded(source.substr(0, mark));
    return isMaps(file) ? std::optional(MapsSource{file, source.substr(mark + 1)}) : std::nullopt;
}

bool namesNpz(const std::string& source)
{
    const auto isNpz = [](const std::string& file) { return file.ends_with(".npz"); };
    return isNpz(source) || isNpz(source.substr(0, source.rfind('#')));
}

std::string partOf(const Block& block)
{
    const Block::Facts& facts = block.facts();
    if (facts.items == 1)
        return facts.name;
    return facts.name + (facts.name.empty() ? "" : "/") + std::to_string(facts.item);
}

}  // namespace hs::maps
