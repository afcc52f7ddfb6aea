#include "analyses/reference_check.h"

#include "base/npz_writer.h"
#include "model/safetensors.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

#include <cmath>
#include <fstream>

using namespace hs;

namespace fs = std::filesystem;

namespace {

analyses::ReferenceCheck checked(const fs::path& model, const fs::path& reference)
{
    engine::RunRequest request;
    request.model = test::openModel(model);
    engine::Engine engine;
    return test::value(analyses::checkAgainst(analyses::readReference(reference), engine, request, {}));
}

/// Adds a little less than 1 % to the number of the largest size: a step of its bits is 2^-23, 2^-10 or 2^-7.
template <class Bits>
void moveLargest(std::span<std::byte> bytes, Bits steps)
{
    const std::span<Bits> values(reinterpret_cast<Bits*>(bytes.data()), bytes.size() / sizeof(Bits));
    const auto size = [](Bits value) { return Bits(value << 1); };  // without the sign
    const auto largest = std::ranges::max_element(values, {}, size);
    *largest = Bits(*largest + steps);
}

/// A copy of a golden model in which one weight of the first MLP has moved by at most 1 %.
void writeMoved(const std::string& golden, const fs::path& folder)
{
    fs::copy(test::goldenModels() / golden, folder, fs::copy_options::recursive);
    const fs::path file = folder / "model.safetensors";
    std::ifstream stream(file, std::ios::binary);
    std::string whole{std::istreambuf_iterator<char>(stream), {}};
    const model::SafetensorsFile weights = model::SafetensorsFile::open(file);
    const auto mlp = std::ranges::find_if(weights.tensors(), [](const model::TensorInfo& tensor) {
        return tensor.shape.size() == 2 &&
               (tensor.name.find("mlp") != std::string::npos || tensor.name.find("fc") != std::string::npos);
    });
    REQUIRE(mlp != weights.tensors().end());
    const std::span<const std::byte> last = weights.bytes(weights.tensors().back());
    const auto behind = static_cast<std::size_t>(last.data() + last.size() - weights.bytes(*mlp).data());
    const std::span<std::byte> bytes(reinterpret_cast<std::byte*>(whole.data()) + whole.size() - behind,
                                     mlp->bytes);
    if (mlp->dtype == model::DType::F32)
        moveLargest<std::uint32_t>(bytes, 1 << 16);
    else
        moveLargest<std::uint16_t>(bytes, mlp->dtype == model::DType::F16 ? 8 : 1);
    std::ofstream(file, std::ios::binary) << whole;
}

}  // namespace

TEST_CASE("every golden model equals its reference, and none does after one weight has moved by up to 1 %")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const fs::path folder = test::goldenModels() / name;
        const analyses::ReferenceCheck same = checked(folder, folder / "expected.npz");
        REQUIRE(same.attention);
        REQUIRE(same.logits);
        CHECK(same.largest() < 2e-5);
        if (!fs::exists(folder / "model.safetensors"))
            continue;
        const test::TempDir copy;
        writeMoved(name, copy / "moved");
        CHECK(checked(copy / "moved", folder / "expected.npz").largest() > 2e-5);
    }
}

TEST_CASE("the largest difference is found where it is")
{
    const test::TempDir folder;
    const fs::path golden = test::goldenModels() / "gpt2";
    const auto saved = maps::ArrayFile::open(golden / "expected.npz");
    const maps::Array attention = saved->array("attention");
    std::vector<float> weights(attention.elements());
    maps::readFloats(attention, 0, weights);
    const std::int64_t length = attention.shape[3];
    weights[static_cast<std::size_t>(((1 * attention.shape[1] + 4) * length + 7) * length + 3)] += 0.25f;
    NpzWriter writer((folder / "reference.npz"));
    writer.add("tokens", saved->numbers("tokens"), {length});
    writer.add("attention", std::vector<std::span<const float>>{weights}, attention.shape);
    writer.finish();
    const analyses::ReferenceCheck check = checked(golden, folder / "reference.npz");
    CHECK_FALSE(check.logits);
    REQUIRE(check.attention);
    CHECK(check.attention->head == HeadId{1, 4});
    CHECK(check.attention->cell.query == 7);
    CHECK(check.attention->cell.key == 3);
    CHECK(std::abs(check.attention->difference - 0.25) < 1e-5);
}

TEST_CASE("a file that is no reference is refused in a sentence")
{
    const test::TempDir folder;
    const auto refusal = [&](const auto& fill) {
        const fs::path file = folder / "reference.npz";
        NpzWriter writer(file);
        fill(writer);
        writer.finish();
        return test::refusalOf([&] { checked(test::goldenModels() / "gpt2", file); });
    };
    const std::vector<std::int64_t> tokens = {1, 2};
    const std::vector<float> numbers(8);
    const std::vector<std::span<const float>> floats = {numbers};
    CHECK(refusal([&](NpzWriter& to) { to.add("logits", floats, {8}); }).find("has no tokens") !=
          std::string::npos);
    CHECK(refusal([&](NpzWriter& to) { to.add("tokens", tokens, {2}); }).find("neither attention") !=
          std::string::npos);
    const auto wrong = [&](const char* name, std::vector<std::int64_t> shape) {
        engine::RunRequest request;
        request.model = test::openGolden("gpt2");
        const fs::path file = folder / "wrong.npz";
        NpzWriter writer(file);
        writer.add("tokens", tokens, {2});
        writer.add(name, floats, shape);
        writer.finish();
        engine::Engine engine;
        const auto result = analyses::checkAgainst(analyses::readReference(file), engine, request, {});
        return result ? std::string() : result.error().message;
    };
    CHECK(wrong("attention", {1, 2, 2, 2}).find("have the shape [1, 2, 2, 2]") != std::string::npos);
    CHECK(wrong("logits", {2, 4}).find("have the shape [2, 4]") != std::string::npos);
    CHECK(wrong("logits", {8}).find("have the shape [8]") != std::string::npos);
}
