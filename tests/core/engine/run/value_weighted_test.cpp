#include "engine/run/engine.h"
#include "model/architectures.h"
#include "model/safetensors_writer.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <cmath>
#include <fstream>
#include <map>

using namespace hs;

namespace {

/// One layer, two heads that share keys and values. Keys are 0, so that each query looks at all tokens alike;
/// tokens are vectors that the norm leaves as they are.
void writeHandMade(const std::filesystem::path& folder)
{
    const Json config = {
        {"model_type", "llama"},        {"num_hidden_layers", 1}, {"num_attention_heads", 2},
        {"num_key_value_heads", 1},     {"head_dim", 2},          {"hidden_size", 4},
        {"intermediate_size", 4},       {"vocab_size", 3},        {"rms_norm_eps", 1e-12},
        {"max_position_embeddings", 8}, {"rope_theta", 10000.0},  {"tie_word_embeddings", true}};
    std::ofstream(folder / "config.json") << config;
    const std::map<std::string, std::vector<float>> numbers = {
        {"embed_tokens.weight", {2, 0, 0, 0, /**/ 0, 2, 0, 0, /**/ 1, 1, 1, 1}},
        {"layers.0.self_attn.v_proj.weight", {1, 0, 0, 0, /**/ 0, 2, 0, 1}},
        {"layers.0.self_attn.o_proj.weight",
         {3, 0, 0, 0, /**/ 0, 1, 0, 0, /**/ 0, 0, 1, 1, /**/ 4, 0, 0, 0}}};
    std::vector<model::TensorSpec> tensors;
    for (const model::PlannedTensor& planned : model::planWeights(test::value(model::readArchSpec(config))))
        for (const model::PlannedPart& part : planned.parts)
            tensors.push_back({part.name, model::DType::F32, part.shape});
    model::SafetensorsWriter writer = model::SafetensorsWriter::create(folder / "model.safetensors", tensors);
    std::size_t used = 0;
    for (const model::TensorSpec& tensor : tensors) {
        std::size_t count = 1;
        for (const std::int64_t extent : tensor.shape)
            count *= static_cast<std::size_t>(extent);
        std::vector<float> values(count, tensor.shape.size() > 1 ? 0.0f : 1.0f);  // 1: norms
        if (const auto found = numbers.find(tensor.name); found != numbers.end()) {
            values = found->second;
            ++used;
        }
        REQUIRE(values.size() == count);
        writer.write(tensor.name, std::as_bytes(std::span(values)));
    }
    writer.finish();
    REQUIRE(used == numbers.size());
}

}  // namespace

TEST_CASE("value-weighted numbers are those worked out by hand")
{
    const test::TempDir folder;
    writeHandMade(folder.path());
    engine::RunRequest request;
    request.model = test::openModel(folder.path());
    request.tokens = {0, 1, 2};
    engine::Engine engine;
    const engine::LayerMap maps = test::value(engine.layerMaps(request, 0, engine::MapKind::ValueWeighted));
    // Values are (2, 0), (0, 4) and (1, 3). The first head writes (3, 0, 0, 4) and (0, 1, 0, 0) for their parts,
    // the second one (0, 0, 1, 0) for each.
    const double norms[2][3] = {{10, 4, std::sqrt(34.0)}, {2, 4, 4}};  // [head][key]
    for (int head = 0; head < 2; ++head)
        for (int query = 0; query < 3; ++query)
            for (int key = 0; key < 3; ++key) {
                INFO(head << " " << query << " " << key);
                CHECK(maps[static_cast<std::size_t>((head * 3 + query) * 3 + key)] ==
                      Approx(key > query ? 0 : norms[head][key] / (query + 1)).margin(1e-5));
            }
}
