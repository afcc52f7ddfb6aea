#include "model/safetensors_writer.h"
#include "program.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <vector>

using namespace hs;
using namespace hs::test;

namespace {

constexpr std::int64_t kWidth = 24;  // of the golden GPT-2

/// A set in circuit-tracer's layout whose features write nothing.
void writeEmptySet(const TempDir& folder)
{
    for (int layer = 0; layer < 2; ++layer) {
        const std::vector<model::TensorSpec> tensors = {{"W_enc", model::DType::F32, {3, kWidth}},
                                                        {"b_enc", model::DType::F32, {3}},
                                                        {"W_dec", model::DType::F32, {3, kWidth}},
                                                        {"b_dec", model::DType::F32, {kWidth}}};
        auto writer = model::SafetensorsWriter::create(
            folder / ("layer_" + std::to_string(layer) + ".safetensors"), tensors);
        for (const model::TensorSpec& tensor : tensors) {
            const std::vector<float> zeros(
                static_cast<std::size_t>(tensor.shape.front() * (tensor.shape.size() > 1 ? kWidth : 1)));
            writer.write(tensor.name, std::as_bytes(std::span(zeros)));
        }
        writer.finish();
    }
    folder.write("config.yaml", "model_kind: transcoder_set\n");
}

}  // namespace

TEST_CASE("features refuses transcoders that explain nothing, with the table of places")
{
    const TempDir folder;
    writeEmptySet(folder);
    const Outcome outcome = headscope({"features", "--model", golden("gpt2").string(), "--features",
                                       folder.path().string(), "--tokens", "0,5,9,13,4,60,2"});
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.out.empty());
    for (const char* const words : {"what the MLP gets", "the stream before the norm, rescaled", "badly",
                                    "give those that were made for this model."})
        CHECK(outcome.err.find(words) != std::string::npos);
}

TEST_CASE("features says how to come by transcoders where a model has none")
{
    const Outcome outcome = headscope({"features", "--model", golden("gpt2").string(), "--tokens", "0,5,9"});
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.err.find("--features") != std::string::npos);
    CHECK(headscope({"features", "--model", golden("gpt2").string(), "--tokens", "0,5,9", "--ablate", "L0H1"})
              .err.find("leave out --ablate") != std::string::npos);
}
