#include "features/texts/known_texts.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "base/json.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <zlib.h>

using namespace hs;
using features::FeatureTexts;
using features::KnownTexts;

namespace {

std::string packed(const std::string& text)
{
    uLongf size = compressBound(text.size());
    std::string bytes(size, '\0');
    REQUIRE(compress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                     reinterpret_cast<const Bytef*>(text.data()), text.size()) == Z_OK);
    bytes.resize(size);
    return bytes;
}

std::string record(const std::string& json)
{
    const std::string bytes = packed(json);
    std::string length(4, '\0');
    for (int byte = 0; byte < 4; ++byte)
        length[static_cast<std::size_t>(byte)] = static_cast<char>(bytes.size() >> (8 * byte));
    return length + bytes;
}

const std::string kRecord = R"({"index": 1, "activation_frequency": 0.25, "top_logits": [" big"],
    "bottom_logits": [" small", " tiny"], "examples_quantiles": [
    {"quantile_name": "Top", "examples": [
        {"tokens": ["The", " large", " one"], "tokens_acts_list": [0, 3.5, 1]},
        {"tokens": ["so", " huge"], "tokens_acts_list": [0, 5]}]}]})";

/// A folder `features` as sets of circuit-tracer have it, with one record for L2F1.
void writeTracer(const std::filesystem::path& folder, const std::string& json, std::uint64_t shift = 0,
                 const std::string& file = "layer_2.bin")
{
    std::filesystem::create_directories(folder / "features");
    const std::string bytes = record(json);
    writeFile(folder / "features" / "layer_2.bin", bytes);
    const Json index = {
        {"2", {{"filename", file}, {"offsets", {0, 0, bytes.size() + shift, bytes.size() + shift}}}}};
    writeFile(folder / "features" / "index.json.gz", packed(index.dump()));
}

FeatureTexts sampleTexts()
{
    FeatureTexts texts;
    texts.feature = {3, 120};
    texts.frequency = 0.0125;
    texts.firesOn = {{
                         " large",
                         3.5,
                         "The \" large",
                         5,
                     },
                     {" big", 2.25, " big one", 0}};
    texts.promotes = {{" big", 1.5, {}, 0}};
    texts.suppresses = {{" small", -2, {}, 0}, {" tiny", -1.25, {}, 0}};
    return texts;
}

}  // namespace

TEST_CASE("texts of features read back as they were written")
{
    const test::TempDir folder;
    FeatureTexts other;
    other.feature = {0, 7};
    other.frequency = 0.5;
    writeFile(folder.path() / features::kTextsFile, features::textsJson({sampleTexts(), other}, 4096));
    KnownTexts known(folder.path(), folder.path() / "own.json");
    CHECK(known.notes().empty());
    CHECK(test::value(known.textsOf({3, 120})) == sampleTexts());
    CHECK(test::value(known.textsOf({0, 7})) == other);
    CHECK(test::value(known.textsOf({1, 1})).firesOn.empty());
    const features::TextsFile file(folder.path() / features::kTextsFile);
    CHECK(file.tokens() == 4096);
    CHECK((file.features() == std::vector<FeatureId>{{0, 7}, {3, 120}}));
}

TEST_CASE("texts may be packed, and damaged ones are said")
{
    const test::TempDir folder;
    const std::string bytes = packed(features::textsJson({sampleTexts()}, 4096));
    writeFile(folder.path() / features::kPackedTextsFile, bytes);
    CHECK(test::value(KnownTexts(folder.path(), folder.path() / "own.json").textsOf({3, 120})) ==
          sampleTexts());
    writeFile(folder.path() / features::kPackedTextsFile, bytes.substr(0, bytes.size() / 2));
    const KnownTexts damaged(folder.path(), folder.path() / "own.json");
    REQUIRE(damaged.notes().size() == 1);
    CHECK(damaged.notes().front().find("texts.json.gz") != std::string::npos);
}

TEST_CASE("tokens that are half a character leave valid JSON behind")
{
    FeatureTexts texts = sampleTexts();
    texts.firesOn.front().text = "\xc3";
    const test::TempDir folder;
    writeFile(folder.path() / features::kTextsFile, features::textsJson({texts}, 1));
    KnownTexts known(folder.path(), folder.path() / "own.json");
    CHECK(known.notes().empty());
    CHECK(test::value(known.textsOf({3, 120})).firesOn.size() == 2);
}

TEST_CASE("texts that circuit-tracer's sets bring are read, the strongest example first")
{
    const test::TempDir folder;
    writeTracer(folder.path(), kRecord);
    KnownTexts known(folder.path(), folder.path() / "own.json");
    CHECK(known.notes().empty());
    const FeatureTexts texts = test::value(known.textsOf({2, 1}));
    CHECK(texts.frequency == 0.25);
    REQUIRE(texts.firesOn.size() == 2);
    CHECK(texts.firesOn[0] == features::FeatureToken{" huge", 5, "so huge", 2});
    CHECK(texts.firesOn[1] == features::FeatureToken{" large", 3.5, "The large one", 3});
    CHECK(texts.promotes.front().text == " big");
    CHECK(texts.suppresses.size() == 2);
    CHECK(test::value(known.textsOf({2, 0})).firesOn.empty());
    CHECK(test::value(known.textsOf({2, 2})).firesOn.empty());
    CHECK(test::value(known.textsOf({2, 900})).firesOn.empty());
    CHECK(test::value(known.textsOf({0, 0})).firesOn.empty());
}

TEST_CASE("texts that cannot be trusted are refused, and the labels stay")
{
    const test::TempDir folder;
    writeFile(folder.path() / "labels.json", R"({"L2F1": "large"})");
    const auto textsAfter = [&](const std::string& json, std::uint64_t shift, const std::string& file) {
        writeTracer(folder.path(), json, shift, file);
        KnownTexts known(folder.path(), folder.path() / "own.json");
        CHECK(known.labels().size() == 1);
        return known.notes().empty() ? known.textsOf({2, 1}) : Result<FeatureTexts>(Error{});
    };
    CHECK(textsAfter(kRecord, 0, "layer_2.bin"));
    CHECK_FALSE(textsAfter(kRecord, 1000, "layer_2.bin"));  // beyond the file
    CHECK_FALSE(textsAfter(kRecord, 0, "../labels.json"));
    CHECK_FALSE(textsAfter(kRecord, 0, ".."));
    CHECK_FALSE(textsAfter("[1]", 0, "layer_2.bin"));
    CHECK_FALSE(textsAfter(R"({"activation_frequency": 7})", 0, "layer_2.bin"));
    CHECK_FALSE(
        textsAfter(R"({"examples_quantiles": [{"examples": [{"tokens": [1], "tokens_acts_list": ["x"]}]}]})",
                   0, "layer_2.bin"));
    writeFile(folder.path() / "features" / "index.json.gz", "no gzip");
    CHECK(KnownTexts(folder.path(), folder.path() / "own.json").notes().size() == 1);
    writeFile(folder.path() / features::kTextsFile, R"({"version": 9, "tokens": 1, "features": {}})");
    CHECK(KnownTexts(folder.path(), folder.path() / "own.json").notes().size() == 1);
}

TEST_CASE("labels are kept beside the transcoders, and an empty one is none")
{
    const test::TempDir folder;
    const std::filesystem::path own = folder.path() / "own" / "labels.json";
    {
        KnownTexts known(folder.path(), own);
        CHECK(test::value(known.setLabel({3, 120}, "large")) == folder.path() / "labels.json");
        CHECK(test::value(known.setLabel({0, 1}, "\"quoted\" ü")) == folder.path() / "labels.json");
        CHECK(test::value(known.textsOf({3, 120})).label == "large");
        CHECK_FALSE(known.setLabel({0, 2}, std::string(features::kLongestLabel + 1, 'a')));
    }
    KnownTexts again(folder.path(), own);
    CHECK((again.labels() == features::Labels{{{0, 1}, "\"quoted\" ü"}, {{3, 120}, "large"}}));
    REQUIRE(again.setLabel({3, 120}, ""));
    CHECK(KnownTexts(folder.path(), own).labels().size() == 1);
    CHECK_FALSE(std::filesystem::exists(own));
}

TEST_CASE("labels of a folder that cannot be written to go to the user's own data, with those beside")
{
    const test::TempDir folder;
    const std::filesystem::path own = folder.path() / "own" / "labels.json";
    // Not even root can write to it.
    const std::filesystem::path missing = folder.path() / "missing";
    {
        KnownTexts known(missing, own);
        CHECK(test::value(known.setLabel({1, 1}, "x")) == own);
    }
    CHECK(KnownTexts(missing, own).labels().at({1, 1}) == "x");

    // From then on they count, those taken away as well.
    writeFile(folder.path() / "labels.json", R"({"L0F1": "beside"})");
    KnownTexts known(folder.path(), own);
    CHECK((known.labels() == features::Labels{{{1, 1}, "x"}}));
    CHECK(test::value(known.setLabel({1, 1}, "")) == own);
    CHECK(KnownTexts(folder.path(), own).labels().empty());
}

TEST_CASE("files of labels that cannot be trusted are refused with the remedy")
{
    for (const char* const json : {"", "[]", R"({"L3H1": "x"})", R"({"L3F1": 7})", R"({"L3F1": "x")"}) {
        INFO(json);
        const auto labels = guarded([&] { return features::labelsFrom(json, "labels.json"); });
        REQUIRE_FALSE(labels);
        CHECK(labels.error().message.find("labels.json") != std::string::npos);
    }
    const test::TempDir folder;
    writeFile(folder.path() / "labels.json", "mine, but not JSON");
    KnownTexts known(folder.path(), folder.path() / "own.json");
    CHECK(known.notes().size() == 1);
    CHECK_FALSE(known.setLabel({0, 1}, "x"));  // which would overwrite it
}
