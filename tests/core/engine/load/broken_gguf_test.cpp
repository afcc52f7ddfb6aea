#include "core/gguf/gguf_bytes.h"
#include "engine/load/model_loader.h"
#include "engine/load/model_tokenizer.h"
#include "model/model_locator.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <functional>
#include <limits>

using namespace hs;
using namespace hs::test;

namespace {

/// What opening a file ends with; none if it opens.
std::optional<Error> problemWith(const std::filesystem::path& file)
{
    const auto files = model::locateModel(file.string(), {});
    if (!files)
        return files.error();
    if (const auto tokenizer = engine::loadTokenizer(*files); !tokenizer)
        return tokenizer.error();
    if (const auto model = engine::loadModel(*files, testOptions()); !model)
        return model.error();
    return std::nullopt;
}

void requireSentence(const Error& error)
{
    INFO(error.message << error.detail);
    CHECK(error.code != ErrorCode::Internal);
    CHECK(error.message.ends_with('.'));
    CHECK(error.message.find("; ") != std::string::npos);
    CHECK(error.message.find('\n') == std::string::npos);
    CHECK(error.message.size() < 600);
}

std::string replaced(std::string bytes, std::size_t at, const std::string& with)
{
    return bytes.replace(at, with.size(), with);
}

struct BrokenFile {
    const char* what;
    GgufBytes file;
    const char* word;  // of the refusal
};

std::vector<BrokenFile> spoiledKeys()
{
    using G = GgufBytes;
    const auto tiny = [] { return tinyGguf(); };
    const auto odd = G::packed(std::uint64_t{1} << 63);
    return {
        {"no architecture", tiny().erase("general.architecture"), "architecture"},
        {"another architecture", tiny().text("general.architecture", "mamba"), "\"mamba\""},
        {"a vision part", tiny().text("general.architecture", "clip"), "\"clip\""},
        {"an adapter", tiny().text("general.type", "adapter"), "\"adapter\""},
        {"an importance matrix", tiny().text("general.type", "imatrix"), "\"imatrix\""},
        {"experts", tiny().integer("llama.expert_count", 8), "mixture of experts"},
        {"no layers named", tiny().erase("llama.block_count"), "block_count"},
        {"no layers", tiny().integer("llama.block_count", 0), "block_count"},
        {"more layers than tensors", tiny().integer("llama.block_count", 2), "lacks"},
        {"513 layers", tiny().integer("llama.block_count", 513), "block_count"},
        {"2^32 − 1 layers", tiny().integer("llama.block_count", ~0u), "block_count"},
        {"layers as a text", tiny().text("llama.block_count", "1"), "block_count"},
        {"layers as a number", tiny().number("llama.block_count", 1), "block_count"},
        {"layers beyond 63 bits", tiny().raw("llama.block_count", G::U64, odd), "block_count"},
        {"negative layers", tiny().raw("llama.block_count", G::I64, odd), "block_count"},
        {"no heads", tiny().integer("llama.attention.head_count", 0), "head_count"},
        {"heads that differ", tiny().list<std::int32_t>("llama.attention.head_count", G::I32, {2, 4}),
         "layer"},
        {"an empty list of heads", tiny().list<std::int32_t>("llama.attention.head_count", G::I32, {}),
         "head_count"},
        {"heads in texts", tiny().texts("llama.attention.head_count", {"2"}), "head_count"},
        {"too many heads", tiny().integer("llama.attention.head_count", 9), "heads"},
        {"key heads that do not divide",
         tiny().integer("llama.attention.head_count_kv", 2).integer("llama.attention.head_count", 3),
         "heads"},
        {"key heads that do not fit", tiny().integer("llama.attention.head_count_kv", 2), "heads"},
        {"an odd head size", tiny().integer("llama.attention.key_length", 3), "heads"},
        {"values of another size", tiny().integer("llama.attention.value_length", 3), "differ in size"},
        {"another width", tiny().integer("llama.embedding_length", 16), "heads"},
        {"a width of 0", tiny().integer("llama.embedding_length", 0), "embedding_length"},
        {"another inner width", tiny().integer("llama.feed_forward_length", 16), "shape"},
        {"no context", tiny().integer("llama.context_length", 0), "context_length"},
        {"more rotary dimensions than there are", tiny().integer("llama.rope.dimension_count", 8),
         "dimension_count"},
        {"an odd rotary share", tiny().integer("llama.rope.dimension_count", 3), "rotary"},
        {"a base that is not finite",
         tiny().number("llama.rope.freq_base", std::numeric_limits<float>::infinity()), "freq_base"},
        {"another rotary scaling", tiny().text("llama.rope.scaling.type", "dynamic"), "dynamic"},
        {"an epsilon that is no number",
         tiny().number("llama.attention.layer_norm_rms_epsilon", std::numeric_limits<float>::quiet_NaN()),
         "epsilon"},
        {"rotary factors of another length", tiny().floats("rope_freqs.weight", {3}, {1, 1, 1}),
         "rotary factors"},
        {"an alignment of 0", tiny().integer("general.alignment", 0), "general.alignment"},
        {"an odd alignment", tiny().integer("general.alignment", 24), "power of two"},
        {"an endless alignment", tiny().integer("general.alignment", 1u << 31), "general.alignment"},
        {"an alignment as a text", tiny().text("general.alignment", "32"), "general.alignment"},
        {"a list of lists",
         tiny().raw("x", G::Array, G::packed<std::uint32_t>(G::Array) + G::packed(std::uint64_t{0})),
         "lists of lists"},
        {"a value of no type", tiny().raw("x", 13, ""), "type 13"},
        {"a list of no type",
         tiny().raw("x", G::Array, G::packed<std::uint32_t>(99) + G::packed(std::uint64_t{0})), "type 99"},
        {"an endless list", tiny().raw("x", G::Array, G::packed<std::uint32_t>(G::U8) + odd), "lists"},
        {"an endless list of texts", tiny().raw("x", G::Array, G::packed<std::uint32_t>(G::Text) + odd),
         "lists"},
        {"an endless text", tiny().raw("x", G::Text, odd), "too long"},
        {"a text whose length overflows", tiny().raw("x", G::Text, G::packed(~std::uint64_t{0})), "too long"},
        {"an empty key", tiny().integer("", 1), "key is empty"},
        {"another kind of tokenizer", tiny().text("tokenizer.ggml.model", "bert"), "\"bert\""},
        {"unknown rules", tiny().text("tokenizer.ggml.pre", "my-rules"), "\"my-rules\""},
        {"rules that cannot be guessed", tiny().erase("tokenizer.ggml.pre"), "does not say how it cuts text"},
        {"no tokens", tiny().erase("tokenizer.ggml.tokens"), "no tokens"},
        {"tokens that are numbers", tiny().list<float>("tokenizer.ggml.tokens", G::F32, {1}),
         "tokenizer.ggml.tokens"},
        {"types that are texts", tiny().texts("tokenizer.ggml.token_type", {"1"}), "token_type"},
        {"fewer types than tokens", tiny().list<std::int32_t>("tokenizer.ggml.token_type", G::I32, {1}),
         "differ in length"},
        {"a merge of one token", tiny().texts("tokenizer.ggml.merges", {"ab"}), "not two tokens"},
        {"a merge of no tokens", tiny().texts("tokenizer.ggml.merges", {"x y"}), "vocabulary"},
        {"fewer scores than tokens",
         tiny().text("tokenizer.ggml.model", "llama").list<float>("tokenizer.ggml.scores", G::F32, {1}),
         "differ in length"},
        {"scores that are integers",
         tiny()
             .text("tokenizer.ggml.model", "llama")
             .list<std::int32_t>("tokenizer.ggml.scores", G::I32, {1}),
         "32-bit"},
    };
}

std::vector<BrokenFile> spoiledTensors()
{
    const auto tiny = [] { return tinyGguf(); };
    const std::uint64_t wide = std::uint64_t{1} << 32;
    const std::string number(4, '\0');
    return {
        {"a name twice", tiny().tensor("token_embd.weight", {1}, 0, number), "twice"},
        {"no name", tiny().tensor("", {1}, 0, number).tensor("", {1}, 0, number), "twice"},
        {"five dimensions", tiny().tensor("x", {1, 1, 1, 1, 1}, 0, number), "5 dimensions"},
        {"no elements", tiny().tensor("x", {0}, 0, number), "impossible shape"},
        {"a product that overflows", tiny().tensor("x", {wide, wide}, 0, number), "impossible shape"},
        {"a product beyond 63 bits", tiny().tensor("x", {wide, wide / 2}, 0, number), "impossible shape"},
        {"bytes that overflow", tiny().tensor("x", {wide, wide / 8}, 0, number), "not in it"},
        {"more bytes than there are", tiny().tensor("x", {wide}, 0, number), "not in it"},
        {"rows that blocks do not fill", tiny().tensor("x", {33}, 8, number), "shape that its type"},
        {"a type that cannot be read", tiny().tensor("x", {256}, 16, std::string(66, '\0')), "IQ2_XXS"},
        {"integers", tiny().tensor("x", {1}, 26, number), "I32"},
        {"a type that was removed", tiny().tensor("x", {32}, 4, number), "unknown type 4"},
        {"a type that never was", tiny().tensor("x", {32}, ~0u, number), "unknown type"},
        {"an offset off the grid", tiny().tensor("x", {1}, 0, number, 8), "misplaced"},
        {"an offset beyond the file", tiny().tensor("x", {1}, 0, number, std::uint64_t{1} << 20),
         "not in it"},
        {"an offset that overflows", tiny().tensor("x", {1}, 0, number, ~std::uint64_t{31}), "not in it"},
        {"tensors that overlap", tiny().tensor("x", {1}, 0, number, 0), "overlap"},
        {"two that mean the same", tiny().floats("layers.0.mlp.up_proj.weight", {1}, {1}), "mean"},
        {"weights that are not numbers", tinyGguf(std::numeric_limits<float>::quiet_NaN()), "not finite"},
    };
}

}  // namespace

TEST_CASE("a GGUF file that is wrong in one place is refused in a sentence that names it")
{
    const TempDir folder;
    REQUIRE_FALSE(problemWith(folder.write("sound.gguf", tinyGguf().bytes())));
    std::vector<BrokenFile> cases = spoiledKeys();
    for (BrokenFile& more : spoiledTensors())
        cases.push_back(std::move(more));
    CHECK(cases.size() >= 75);
    for (const BrokenFile& broken : cases) {
        INFO(broken.what);
        const std::optional<Error> error = problemWith(folder.write("broken.gguf", broken.file.bytes()));
        REQUIRE(error);
        requireSentence(*error);
        INFO(error->message);
        CHECK(error->message.find(broken.word) != std::string::npos);
    }
}

TEST_CASE("a key that is there twice is refused")
{
    const std::string pair =
        GgufBytes::packedText("k") + GgufBytes::packed<std::uint32_t>(GgufBytes::U8) + "1";
    const TempDir folder;
    const auto error = problemWith(folder.write("m.gguf", GgufBytes().bytesWith(2, pair + pair)));
    REQUIRE(error);
    requireSentence(*error);
    CHECK(error->message.find("\"k\" twice") != std::string::npos);
}

TEST_CASE("a GGUF file that ends early, anywhere, is refused in a sentence")
{
    const std::string whole = tinyGguf().bytes();
    const TempDir folder;
    for (std::size_t length = 4; length + 32 < whole.size(); length += whole.size() / 60) {
        INFO(length << " of " << whole.size() << " bytes");
        const auto error = problemWith(folder.write("m.gguf", whole.substr(0, length)));
        REQUIRE(error);
        requireSentence(*error);
    }
}

TEST_CASE("special tokens outside the vocabulary and odd byte tokens do no harm")
{
    const TempDir folder;
    GgufBytes file = tinyGguf();
    file.integer("tokenizer.ggml.bos_token_id", ~0u).integer("tokenizer.ggml.eos_token_id", 6);
    file.integer("tokenizer.ggml.unknown_token_id", 1000).flag("tokenizer.ggml.add_bos_token", true);
    file.text("tokenizer.ggml.model", "llama");
    file.texts("tokenizer.ggml.tokens", {"<0x-1>", "a", "<0xZZ>", "\xff\xfe", "", "<0x41>"});
    file.list<float>("tokenizer.ggml.scores", GgufBytes::F32, {0, -1, -2, NAN, INFINITY, -5});
    file.list<std::int32_t>("tokenizer.ggml.token_type", GgufBytes::I32, {6, 1, 6, 1, 1, -7});
    file.erase("tokenizer.ggml.merges");
    const auto files = model::locateModel(folder.write("m.gguf", file.bytes()).string(), {});
    REQUIRE(files);
    const auto loaded = engine::loadTokenizer(*files);
    REQUIRE(loaded);
    CHECK(!loaded->tokenizer->bosId());
    CHECK(loaded->tokenizer->encode("aA\xff").ok());
}

TEST_CASE("numbers at the start of a GGUF file may be anything without harm")
{
    const std::string whole = tinyGguf().bytes();
    const TempDir folder;
    int refused = 0;
    for (std::size_t at = 4; at + 8 < 260; at += 4)
        for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
                                          std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
            const auto error =
                problemWith(folder.write("m.gguf", replaced(whole, at, GgufBytes::packed(value))));
            if (!error)
                continue;
            ++refused;
            requireSentence(*error);
        }
    CHECK(refused >= 130);
}
