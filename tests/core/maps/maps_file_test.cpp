#include "maps/maps_file.h"

#include "base/npz_writer.h"
#include "core/maps/npz_bytes.h"
#include "core/model/safetensors_bytes.h"
#include "support/catch.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

#include <bit>
#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

/// Weights that are exact in eight bits of mantissa, never 0.
std::vector<float> weightsFor(std::size_t count)
{
    std::vector<float> weights;
    for (std::size_t index = 0; index < count; ++index)
        weights.push_back(static_cast<float>(index % 63 + 1) / 64);
    return weights;
}

std::string floats(const std::vector<std::int64_t>& shape, std::size_t count)
{
    return npyBytes("<f4", shape, packedBytes(weightsFor(count)));
}

std::string texts(const std::vector<std::u32string>& words)
{
    return npyTexts(words);
}

std::shared_ptr<const maps::Block> blockOf(const std::filesystem::path& file, const std::string& part = {})
{
    return maps::MapsFile::open(file).block(part);
}

std::vector<float> allWeights(const maps::Block& block)
{
    std::vector<float> weights;
    for (const HeadId head : block.facts().heads.all()) {
        std::vector<float> pattern(block.facts().pattern.mapSize());
        block.read(head, pattern.data());
        weights.insert(weights.end(), pattern.begin(), pattern.end());
    }
    return weights;
}

/// Sixteen bits of a float that is exact in them.
std::uint16_t half(float value)
{
    int exponent = 0;
    const float mantissa = std::frexp(value, &exponent);
    return static_cast<std::uint16_t>((exponent + 14) << 10 | static_cast<int>((2 * mantissa - 1) * 1024));
}

std::uint16_t bfloat(float value)
{
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

}  // namespace

TEST_CASE("maps are read as they were written, in every type and both formats")
{
    const TempDir folder;
    const std::vector<std::int64_t> shape = {2, 3, 4, 4};
    const std::vector<float> weights = weightsFor(96);
    std::vector<std::uint16_t> halves, bfloats;
    for (const float weight : weights) {
        halves.push_back(half(weight));
        bfloats.push_back(bfloat(weight));
    }
    const std::vector<double> doubles(weights.begin(), weights.end());
    const auto safetensors = [&](const std::string& type, const std::string& data) {
        return safetensorsBytes("{\"attention\":{\"dtype\":\"" + type +
                                    "\",\"shape\":[2,3,4,4],\"data_offsets\":[0," +
                                    std::to_string(data.size()) + "]}}",
                                data);
    };
    std::vector<std::pair<std::string, std::string>> files = {
        {"f16.safetensors", safetensors("F16", packedBytes(halves))},
        {"bf16.safetensors", safetensors("BF16", packedBytes(bfloats))},
        {"f32.safetensors", safetensors("F32", packedBytes(weights))},
        {"f64.safetensors", safetensors("F64", packedBytes(doubles))},
    };
    for (const bool isDeflated : {false, true})
        for (const bool isLarge : {false, true})
            for (const auto& [type, data] :
                 {std::pair("<f2", packedBytes(halves)), std::pair("<f4", packedBytes(weights)),
                  std::pair("<f8", packedBytes(doubles))}) {
                ZipFileBytes zip;
                zip.array("attention", npyBytes(type, shape, data), isDeflated).last().isLarge = isLarge;
                files.emplace_back(std::to_string(files.size()) + ".npz", zip.bytes());
            }
    CHECK(files.size() == 16);
    for (const auto& [name, bytes] : files) {
        INFO(name);
        const auto block = blockOf(folder.write(name, bytes));
        CHECK(block->facts().heads == HeadShape{2, 3, 3});
        CHECK(allWeights(*block) == weights);
        CHECK(block->weight({1, 2}, 3, 1) == weights[48 + 32 + 13]);
        const auto layer = block->layer(1);
        CHECK(std::equal(weights.begin() + 48, weights.end(), layer.get()));
    }
}

TEST_CASE("a large compressed array is unpacked beside memory and reads the same")
{
    const TempDir folder;
    const std::size_t count = 2 * 3 * 700 * 700;  // 12 MB
    ZipFileBytes zip;
    zip.array("attention", floats({2, 3, 700, 700}, count), true);
    CHECK(allWeights(*blockOf(folder.write("large.npz", zip.bytes()))) == weightsFor(count));
}

TEST_CASE("what is not a number counts as no weight")
{
    const TempDir folder;
    const std::vector<float> odd = {0.5f, NAN, INFINITY, -INFINITY};
    const auto block = blockOf(folder.write(
        "m.npz", ZipFileBytes().array("attention", npyBytes("<f4", {1, 1, 2, 2}, packedBytes(odd))).bytes()));
    CHECK(allWeights(*block) == std::vector<float>{0.5f, 0, 0, 0});
}

TEST_CASE("a pattern is causal if no head has a weight above the diagonal")
{
    const TempDir folder;
    std::vector<float> weights = {1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f};  // two heads
    const auto isCausal = [&] {
        const std::string npy = npyBytes("<f4", {1, 2, 2, 2}, packedBytes(weights));
        return blockOf(folder.write("m.npz", ZipFileBytes().array("attention", npy).bytes()))
            ->facts()
            .pattern.isCausal;
    };
    CHECK(isCausal());
    weights[5] = 1e-6f;
    CHECK_FALSE(isCausal());
    const std::string wide = floats({1, 1, 2, 3}, 6);
    const auto block = blockOf(folder.write("w.npz", ZipFileBytes().array("attention", wide).bytes()));
    CHECK(block->facts().pattern == stats::PatternShape(2, 3, false));
}

TEST_CASE("layers may have different numbers of heads")
{
    const TempDir folder;
    ZipFileBytes zip;
    zip.array("attention_0", floats({1, 2, 2}, 4)).array("attention_1", floats({3, 2, 2}, 12), true);
    zip.array("names", texts({U"a", U"b", U"c", U"d"}));
    const auto block = blockOf(folder.write("m.npz", zip.bytes()));
    const HeadShape& heads = block->facts().heads;
    CHECK(heads.layers == 2);
    CHECK(heads.heads == 3);
    CHECK(heads.headsIn == std::vector{1, 3});
    CHECK_FALSE(heads.contains({0, 1}));
    CHECK(block->nameOf({0, 0}) == "a");
    CHECK(block->nameOf({0, 1}).empty());
    CHECK(block->nameOf({1, 2}) == "d");
    const auto layer = block->layer(0);
    CHECK(std::vector<float>(layer.get() + 4, layer.get() + 12) == std::vector<float>(8, 0));
}

TEST_CASE("blocks are told by the word before attention, items of a batch by their number")
{
    const TempDir folder;
    ZipFileBytes zip;
    zip.array("cross_attentions", floats({1, 2, 2, 3}, 12));
    zip.array("decoder.attention_0", floats({2, 2, 2}, 8)).array("decoder.attention_1", floats({1, 2, 2}, 4));
    zip.array("encoder/attention", floats({2, 1, 1, 3, 3}, 18));
    zip.array("encoder.tokens", npyTexts({U"a", U"b", U"c", U"d", U"e", U"ß漢"}, {2, 3}));
    zip.array("decoder_tokens", texts({U"x", U"y"}));
    const auto file = folder.write("t5.npz", zip.bytes());
    const auto blocks = maps::MapsFile::open(file).blocks();
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[0].name == "encoder");
    CHECK(blocks[1].name == "decoder");
    CHECK(blocks[2].name == "cross");

    const auto first = blockOf(file);
    CHECK(first->facts().name == "encoder");
    CHECK(first->facts().items == 2);
    CHECK(first->facts().queryTokens == std::vector<std::string>{"a", "b", "c"});
    CHECK(maps::partOf(*first) == "encoder/0");
    const auto second = blockOf(file, "encoder/1");
    CHECK(second->facts().queryTokens == std::vector<std::string>{"d", "e", "ß漢"});
    CHECK(second->weight({0, 0}, 0, 0) == weightsFor(10)[9]);
    CHECK(blockOf(file, "decoder")->facts().heads.headsIn == std::vector{2, 1});
    const auto cross = blockOf(file, "cross");
    CHECK(cross->facts().queryTokens == std::vector<std::string>{"x", "y"});
    CHECK(cross->facts().pattern == stats::PatternShape(2, 3, false));
    // The encoder has two items and the block one, so that none of its texts are these keys'.
    CHECK(cross->facts().keyTokens == std::vector<std::string>{"[0]", "[1]", "[2]"});
    CHECK(isRefused([&] { blockOf(file, "encoder/2"); }, "2 items"));
    CHECK(isRefused([&] { blockOf(file, "vision"); }, "\"vision\""));
    CHECK(isRefused([&] { blockOf(file, "decoder/1"); }, "1 item,"));
}

TEST_CASE("tokens of cross-attention are the decoder's and the encoder's")
{
    const TempDir folder;
    ZipFileBytes zip;
    zip.array("cross_attention", floats({1, 1, 2, 2}, 4)).array("encoder_tokens", texts({U"a", U"b"}));
    zip.array("decoder_tokens", texts({U"x", U"y"}));
    const auto block = blockOf(folder.write("m.npz", zip.bytes()));
    CHECK(block->facts().queryTokens == std::vector<std::string>{"x", "y"});
    CHECK(block->tokensOfKeys() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("queries and keys can have texts of their own, and texts that do not fit are refused")
{
    const TempDir folder;
    const auto with = [&](const std::string& name, const std::vector<std::u32string>& words) {
        ZipFileBytes zip;
        zip.array("attention", floats({1, 1, 2, 3}, 6)).array("tokens_q", texts({U"x", U"y"}));
        return folder.write("m.npz", zip.array(name, texts(words)).bytes());
    };
    const auto block = blockOf(with("tokens_k", {U"a", U"b", U"c"}));
    CHECK(block->facts().keyTokens == std::vector<std::string>{"a", "b", "c"});
    CHECK(isRefused([&] { blockOf(with("tokens_k", {U"a"})); }, "3 keys"));
    ZipFileBytes zip;
    zip.array("attention", floats({1, 1, 2, 2}, 4));
    const std::string objects = npyBytes("|O", {2}, "\x80\x04]");
    CHECK(
        isRefused([&] { blockOf(folder.write("o.npz", ZipFileBytes(zip).array("tokens", objects).bytes())); },
                  "np.array(tokens)"));
    const std::string bytes = npyBytes("|S2", {2}, std::string("ab\0c", 4).insert(2, "x").erase(3, 1));
    CHECK(blockOf(folder.write("s.npz", ZipFileBytes(zip).array("tokens", bytes).bytes()))
              ->facts()
              .queryTokens.front() == "ab");
    const std::string ids = npyBytes("<i8", {2}, packedBytes(std::vector<std::int64_t>{7, -1}));
    CHECK(
        blockOf(folder.write("i.npz", ZipFileBytes(zip).array("tokens", ids).bytes()))->facts().queryTokens ==
        std::vector<std::string>{"#7", "#-1"});
}

TEST_CASE("a safetensors file has its texts in JSON")
{
    const TempDir folder;
    const auto with = [&](const std::string& metadata) {
        return folder.write(
            "m.safetensors",
            safetensorsBytes(
                "{\"__metadata__\":{" + metadata +
                    "},\"attention\":{\"dtype\":\"F32\",\"shape\":[1,1,2,2],\"data_offsets\":[0,16]}}",
                packedBytes(weightsFor(4))));
    };
    const auto block = blockOf(with(R"("tokens":"[\"a\",\"b\\u00e9\"]","patches":"[1,2]")"));
    CHECK(block->facts().queryTokens == std::vector<std::string>{"a", "b\u00e9"});
    CHECK(block->facts().keyPatches == maps::PatchGrid{1, 2, 0});
    CHECK(isRefused([&] { blockOf(with(R"("tokens":"a b")")); }, "JSON"));
    CHECK(isRefused([&] { blockOf(with(R"("tokens":"[1,2]")")); }, "json.dumps"));
    CHECK(isRefused([&] { blockOf(with(R"("tokens":"[[\"a\"],[\"b\",\"c\"]]")")); }, "json.dumps"));
}

TEST_CASE("patches are tokens behind those for the whole, over a picture")
{
    const TempDir folder;
    const auto with = [&](std::int64_t rows, std::int64_t columns, const std::string& image) {
        ZipFileBytes zip;
        zip.array("attention", floats({1, 1, 7, 7}, 49));
        zip.array("patches", npyBytes("<i8", {2}, packedBytes(std::vector{rows, columns})));
        return folder.write("vit.npz", zip.array("image", image).bytes());
    };
    const std::string image = npyBytes("|u1", {2, 3, 3}, std::string(9, 'a') + std::string(9, 'b'));
    const auto block = blockOf(with(2, 3, image));
    CHECK(block->facts().keyPatches == maps::PatchGrid{2, 3, 1});
    CHECK(block->facts().queryTokens ==
          std::vector<std::string>{"[0]", "0,0", "0,1", "0,2", "1,0", "1,1", "1,2"});
    CHECK(block->facts().picture.width == 3);
    CHECK(block->facts().picture.pixels[9] == 'b');
    CHECK(isRefused([&] { blockOf(with(3, 3, image)); }, "3 × 3 patches"));
    CHECK(isRefused([&] { blockOf(with(0, 3, image)); }, "rows, columns"));
    CHECK(isRefused([&] { blockOf(with(2, 3, npyBytes("|u1", {3, 2, 3}, "")))->facts(); }, "takes"));
    CHECK(
        isRefused([&] { blockOf(with(2, 3, npyBytes("<f4", {1, 1, 3}, std::string(12, '\0')))); }, "uint8"));
    const std::string large = npyBytes("|u1", {1200, 700, 3}, std::string(std::size_t{1200} * 700 * 3, 'c'));
    CHECK(blockOf(with(2, 3, large))->facts().picture.height == 400);
}

TEST_CASE("a source names a file of maps, a block and an item")
{
    const TempDir folder;
    const auto file =
        folder.write("m.npz", ZipFileBytes().array("attention", floats({1, 1, 2, 2}, 4)).bytes());
    const auto source = [](const std::string& text) { return maps::mapsSource(text); };
    CHECK(source(file.string())->part.empty());
    CHECK(source(file.string() + "#decoder/2")->part == "decoder/2");
    CHECK(source(file.string() + "#decoder/2")->file == file);
    CHECK(source("gone.npz"));
    CHECK_FALSE(source("demo:dense"));
    CHECK_FALSE(source("org/name#x"));
    const auto tensors = [&](const std::string& name) {
        return folder.write(
            "t.safetensors",
            safetensorsBytes("{\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                             "1234"));
    };
    CHECK_FALSE(source(tensors("model.layers.0.attention.dense.weight").string()));
    CHECK_FALSE(source(tensors("selfattention").string()));
    CHECK(source(tensors("encoder.attention_0").string()));
    const auto odd =
        folder.write("a#b.npz", ZipFileBytes().array("attention", floats({1, 1, 2, 2}, 4)).bytes());
    CHECK(source(odd.string())->part.empty());
    CHECK(source(odd.string() + "#2")->part == "2");
}

TEST_CASE("a file that this program wrote opens, with the words of its tokens")
{
    const TempDir folder;
    const std::vector<float> weights = weightsFor(8);
    {
        NpzWriter writer(folder / "own.npz");
        const std::vector<std::int64_t> ids = {5, 6};
        const std::vector<std::span<const float>> parts = {std::span(weights).first(4),
                                                           std::span(weights).last(4)};
        writer.add("tokens", ids, {2});
        writer.add("texts", std::vector<std::u32string>{U"The", U" cät"});
        writer.add("attention", parts, {2, 1, 2, 2});
        writer.finish();
    }
    const auto block = blockOf(folder / "own.npz");
    CHECK(allWeights(*block) == weights);
    CHECK(block->facts().queryTokens == std::vector<std::string>{"The", " cät"});
}

TEST_CASE("arrays that are no attention are refused with what to save instead")
{
    const TempDir folder;
    const auto refusal = [&](const std::string& name, const std::string& npy) {
        const auto file = folder.write("m.npz", ZipFileBytes().array(name, npy).bytes());
        return refusalOf([&] { blockOf(file); });
    };
    CHECK(
        contains(refusal("weights", floats({1, 1, 2, 2}, 4)), "no array called attention among \"weights\""));
    CHECK(contains(refusal("attention", floats({1, 2, 2}, 4)), "[layer, head, query, key]"));
    CHECK(contains(refusal("attention_0", floats({2, 2}, 4)), "[head, query, key]"));
    CHECK(contains(refusal("attention_1", floats({1, 2, 2}, 4)), "nothing for layer 0"));
    CHECK(contains(refusal("attention", floats({1, 0, 2, 2}, 0)), "empty"));
    CHECK(contains(refusal("attention", npyBytes("<i8", {1, 1, 1, 1}, std::string(8, 'x'))), "floats"));
    CHECK(contains(refusal("attention", npyBytes("<u2", {1, 1, 1, 1}, "xx")), "\"<u2\""));
    CHECK(contains(refusal("attention", npyBytes("|V2", {1, 1, 1, 1}, "xx")), "float32"));
    CHECK(contains(refusal("attention", npyBytes(">f4", {1, 1, 1, 1}, "xxxx")), "big-endian"));
    CHECK(contains(refusal("attention", npyBytes("|O", {1, 1, 1, 1}, "xxxx")), "can run code"));
    CHECK(contains(
        refusal("attention", npyBytes("", {}, std::string(16, 'x'),
                                      "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1, 2, 2), }")),
        "ascontiguousarray"));
    CHECK(contains(refusal("attention", npyBytes("", {}, "", "{'descr': [('a', '<f4')], }")), "records"));
    const auto single = folder.write("a.npy", floats({1, 1, 2, 2}, 4));
    CHECK(isRefused([&] { blockOf(single); }, "np.savez"));
    ZipFileBytes two;
    two.array("attention", floats({1, 1, 2, 2}, 4)).array("attentions", floats({1, 1, 2, 2}, 4));
    CHECK(isRefused([&] { blockOf(folder.write("m.npz", two.bytes())); }, "two names"));
    ZipFileBytes other;
    other.array("attention_0", floats({1, 2, 2}, 4)).array("attention_1", floats({1, 2, 3}, 6));
    CHECK(isRefused([&] { blockOf(folder.write("m.npz", other.bytes())); }, "[1, 2, 2] and [1, 2, 3]"));
}
