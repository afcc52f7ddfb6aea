#include "model/safetensors.h"

#include "core/model/safetensors_bytes.h"
#include "support/catch.h"
#include "support/temp_dir.h"

using namespace hs;
using namespace hs::test;

namespace {

const std::string kOne = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";

model::SafetensorsHeader headerOf(std::string_view content)
{
    return model::readSafetensorsHeader(asBytes(content), "weights.safetensors");
}

std::string messageOf(std::string_view content)
{
    return errorOf([&] { headerOf(content); }).message;
}

std::string tensor(std::string_view dtype, std::string_view shape, std::string_view offsets)
{
    std::string text = R"({"a":{"dtype":")";
    return text.append(dtype)
               .append(R"(","shape":)")
               .append(shape)
               .append(R"(,"data_offsets":)")
               .append(offsets) +
           "}}";
}

}  // namespace

TEST_CASE("a sound safetensors file is headerOf as it was written")
{
    const TempDir folder;
    const std::string header = R"({"__metadata__":{"format":"pt"},)"
                               R"("late":{"dtype":"F16","shape":[2,1],"data_offsets":[4,8]},)"
                               R"("":{"dtype":"I32","shape":[],"data_offsets":[0,4]},)"
                               R"("none":{"dtype":"BF16","shape":[3,0],"data_offsets":[8,8]}}   )";
    const auto path = folder.write("model.safetensors", safetensorsBytes(header, "01234567"));
    model::SafetensorsFile file = model::SafetensorsFile::open(path);
    const model::SafetensorsFile moved = std::move(file);

    REQUIRE(moved.tensors().size() == 3);
    CHECK(moved.metadata().at("format") == "pt");
    CHECK(moved.tensors()[0].name == "");
    CHECK(asText(moved.bytes(moved.tensors()[0])) == "0123");
    const model::TensorInfo* const late = moved.find("late");
    REQUIRE(late);
    CHECK(late->dtype == model::DType::F16);
    CHECK(late->shape == std::vector<std::int64_t>{2, 1});
    CHECK(asText(moved.bytes(*late)) == "4567");
    moved.release(*late);
    CHECK(asText(moved.bytes(*late)) == "4567");
    REQUIRE(moved.find("none"));
    CHECK(moved.bytes(*moved.find("none")).empty());
    CHECK(moved.find("lat") == nullptr);
    CHECK(moved.find("later") == nullptr);
}

TEST_CASE("what the reference implementation reads is headerOf")
{
    CHECK(headerOf(safetensorsBytes("{}")).tensors.empty());
    CHECK(headerOf(safetensorsBytes(R"({"__metadata__":null,)" + kOne + "}", "1234")).tensors.size() == 1);
    const std::string extended = R"({"a":{"extra":[{"deep":[1.5,-1,true,null]}],"dtype":"F32","shape":[1],)"
                                 R"("data_offsets":[0,4],"more":"x"}})";
    CHECK(headerOf(safetensorsBytes(extended, "1234")).tensors.at(0).bytes == 4);
    CHECK(headerOf(safetensorsBytes(tensor("F32", "[4611686018427387904,0]", "[0,0]"))).tensors.at(0).bytes ==
          0);
}

TEST_CASE("a tensor at an odd offset is headerOf like any other")
{
    const std::string text = R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                             R"("a":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})";
    const model::SafetensorsHeader header = headerOf(safetensorsBytes(text, "12345"));
    CHECK(header.tensors.at(1).offset == header.tensors.at(0).offset + 1);
}

TEST_CASE("a file cut off anywhere is refused")
{
    const std::string whole = safetensorsBytes("{" + kOne + "}", "1234");
    CHECK(messageOf(whole).empty());
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK(contains(messageOf(whole.substr(0, length)), "download it again"));
    CHECK(contains(messageOf(whole + "5"), "download it again"));
}

TEST_CASE("any single changed byte is headerOf or refused, never worse")
{
    const std::string whole = safetensorsBytes("{" + kOne + "}", "1234");
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (int value = 0; value < 256; ++value) {
            std::string changed = whole;
            changed[at] = static_cast<char>(value);
            const Error error = errorOf([&] { headerOf(changed); });
            if (!error.message.empty())
                CHECK((error.code == ErrorCode::BadFile || error.code == ErrorCode::Unsupported));
        }
}

TEST_CASE("a malformed safetensors header is refused with what is wrong")
{
    struct Case {
        std::string header;
        std::string data;
        std::string reason;
    };
    const std::string second = R"("b":{"dtype":"F32","shape":[1],"data_offsets":)";
    const std::string deep(200, '[');
    const std::vector<Case> cases = {
        {"", "", "does not begin"},
        {" {" + kOne + "}", "1234", "does not begin"},
        {"\xEF\xBB\xBF{" + kOne + "}", "1234", "does not begin"},
        {"[]", "", "does not begin"},
        {"{", "", "valid JSON"},
        {"{" + kOne, "1234", "valid JSON"},
        {"{" + kOne + "}x", "1234", "valid JSON"},
        {"{" + kOne + "}" + std::string(2, '\0'), "1234", "valid JSON"},
        {"{" + kOne + ",}", "1234", "valid JSON"},
        {"{/**/" + kOne + "}", "1234", "valid JSON"},
        {"{\"\xFF\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "1234", "valid JSON"},
        {R"({"\ud800":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "1234", "valid JSON"},
        {"{" + kOne + "," + kOne + "}", "1234", "\"a\" twice"},
        {R"({"__metadata__":{},"__metadata__":{}})", "", "__metadata__ twice"},
        {R"({"__metadata__":{"a":1}})", "", "number"},
        {R"({"__metadata__":{"a":{}}})", "", "object"},
        {R"({"__metadata__":[]})", "", "list"},
        {R"({"__metadata__":"x"})", "", "text"},
        {R"({"a":1})", "", "number"},
        {R"({"a":null})", "", "null"},
        {R"({"a":true})", "", "true or false"},
        {R"({"a":{}})", "", "does not say"},
        {R"({"a":["F32",[1],[0,4]]})", "1234", "list"},
        {R"({"a":{"dtype":"F32","shape":[1]}})", "", "does not say"},
        {R"({"a":{"shape":[1],"data_offsets":[0,4]}})", "1234", "does not say"},
        {R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "1234", "twice"},
        {R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})", "1234", "number"},
        {tensor("F32", "[1]", "[0]"), "1234", "does not say"},
        {tensor("F32", "[1]", "[0,4,4]"), "1234", "too many"},
        {tensor("F32", "[1]", "[4,0]"), "1234", "end before"},
        {tensor("F32", "[1]", "[0,5]"), "12345", "does not fit shape [1]"},
        {tensor("F32", "[2]", "[0,4]"), "1234", "does not fit shape [2]"},
        {tensor("F16", "[1]", "[0,4]"), "1234", "in F16"},
        {tensor("F32", "[-1]", "[0,4]"), "1234", "negative"},
        {tensor("F32", "[-0]", "[0,0]"), "", "negative"},
        {tensor("F32", "[1.0]", "[0,4]"), "1234", "fractional"},
        {tensor("F32", "[1e0]", "[0,4]"), "1234", "fractional"},
        {tensor("F32", "[1e999]", "[0,4]"), "1234", "valid JSON"},
        {tensor("F32", "[9223372036854775808]", "[0,4]"), "1234", "too large"},
        {tensor("F32", "[99999999999999999999]", "[0,4]"), "1234", "too large"},
        {tensor("F32", "[4294967296,4294967296]", "[0,0]"), "", "does not fit"},
        {tensor("F32", "[4611686018427387904]", "[0,0]"), "", "does not fit"},
        {tensor("F32", "[[1]]", "[0,4]"), "1234", "list"},
        {tensor("F32", "{}", "[0,4]"), "1234", "object"},
        {tensor("F32", "1", "[0,4]"), "1234", "number"},
        {tensor("F32", "[\"1\"]", "[0,4]"), "1234", "text"},
        {tensor("F32", "[1]", "[1,5]"), "12345", "hole"},
        {tensor("F32", "[1]", "[18446744073709551612,0]"), "", "too large"},
        {tensor("F32", "[1]", "[9223372036854775803,9223372036854775807]"), "1234", "hole"},
        {"{" + kOne + "," + second + "[2,6]}}", "123456", "overlap before \"b\""},
        {"{" + kOne + "," + second + "[0,4]}}", "1234", "overlap"},
        {"{" + kOne + "," + second + "[5,9]}}", "123456789", "hole"},
        {"{" + kOne + "}", "12345", "there are 5 bytes"},
        {"{" + kOne + "," + second + "[4,8]}}", "1234", "there are 4 bytes"},
        {"{}", "1", "there are 1 bytes"},
        {R"({"a":{"x":)" + deep, "", "nested too deeply"},
        {R"({"a":)" + std::string(1'000'000, '{'), "", "valid JSON"},
    };
    for (const Case& bad : cases) {
        INFO(bad.header.substr(0, 200));
        const Error error = errorOf([&] { headerOf(safetensorsBytes(bad.header, bad.data)); });
        CHECK(error.code == ErrorCode::BadFile);
        INFO(error.message);
        CHECK(contains(error.message, bad.reason));
        CHECK(contains(error.message, "weights.safetensors"));
        CHECK(contains(error.message, "download it again."));
    }
}

TEST_CASE("a header length beyond the file or the format is refused before anything is headerOf")
{
    for (const std::uint64_t length : {std::uint64_t{5}, std::uint64_t{100'000'001}, std::uint64_t{1} << 62,
                                       ~std::uint64_t{0}, ~std::uint64_t{0} - 7}) {
        std::string file(8, '\0');
        std::memcpy(file.data(), &length, 8);
        CHECK(contains(messageOf(file + "{}  "), "header is said to be"));
    }
}

TEST_CASE("tensors of types that are not run are refused by name")
{
    for (const char* type : {"F8_E4M3", "F8_E5M2", "U16", "C64", "f32", "made up"}) {
        const Error error =
            errorOf([&] { headerOf(safetensorsBytes(tensor(type, "[4]", "[0,4]"), "1234")); });
        CHECK(error.code == ErrorCode::Unsupported);
        CHECK(contains(error.message, type));
        CHECK(contains(error.message, "bfloat16 version"));
    }
}

TEST_CASE("a shape of absurd rank is refused")
{
    std::string shape = "[1";
    for (int i = 0; i < 70; ++i)
        shape += ",1";
    CHECK(contains(messageOf(safetensorsBytes(tensor("F32", shape + "]", "[0,4]"), "1234")), "too many"));
}

TEST_CASE("hostile names are shortened and harmless in messages")
{
    const std::string header = R"({"\u0007\n)" + std::string(100'000, 'n') +
                               R"(":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})";
    const std::string message = messageOf(safetensorsBytes(header, "1234"));
    CHECK(message.size() < 400);
    CHECK(contains(message, "\"??nnn"));
}

TEST_CASE("a folder, an empty file and a missing file are no safetensors files")
{
    const TempDir folder;
    CHECK(errorOf([&] { model::SafetensorsFile::open(folder.path()); }).code == ErrorCode::BadFile);
    CHECK(errorOf([&] { model::SafetensorsFile::open(folder.write("empty", "")); }).code ==
          ErrorCode::BadFile);
    CHECK(errorOf([&] { model::SafetensorsFile::open(folder / "missing"); }).code == ErrorCode::NotFound);
}
