#include "bench/benchmark_models.h"

#include "base/failure.h"
#include "base/system_memory.h"
#include "base/temporary_folder.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "model/architectures.h"
#include "model/model_locator.h"
#include "model/safetensors_header.h"
#include "model/weight_plan.h"

#include <cstdlib>
#include <fstream>

namespace hs::bench {
namespace {

constexpr const char* kConfigName = "config.json";
constexpr const char* kWeightsName = "model.safetensors";

/// A safetensors file of which only the header is written; the system reads the rest as zeros.
void makeWeightsFile(const std::filesystem::path& file, const model::ArchSpec& spec, model::DType dtype)
{
    Json header = Json::object();
    std::uint64_t end = 0;
    for (const model::PlannedTensor& planned : model::planWeights(spec))
        for (const model::PlannedPart& part : planned.parts) {
            const std::uint64_t begin = end;
            end += model::tensorBytes(dtype, part.shape).value();
            header[part.name] = {
                {"dtype", model::name(dtype)}, {"shape", part.shape}, {"data_offsets", {begin, end}}};
        }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data begins aligned
    const std::uint64_t length = text.size();
    std::ofstream output(file, std::ios::binary);
    output.write(reinterpret_cast<const char*>(&length), model::kSafetensorsLengthBytes);
    output << text;
    output.close();
    std::error_code problem;
    if (output)
        std::filesystem::resize_file(file, model::kSafetensorsLengthBytes + length + end, problem);
    if (!output || problem)
        fail(ErrorCode::BadFile, file.string() + " of " + formatBytes(end) +
                                     " cannot be made; set TMPDIR to a folder that can hold it.");
}

void requireRoom(std::uint64_t bytes, engine::Device device)
{
    // The file is held in memory, and so are the weights if the device is the host itself.
    const std::uint64_t needed = device.isCuda() ? bytes : 2 * bytes;
    const std::optional<std::uint64_t> available = availableMemory();
    if (available && needed > *available)
        fail(ErrorCode::TooLarge, "Loading from memory needs " + formatBytes(needed) + ", and " +
                                      formatBytes(*available) + " are free; leave it out with --no-load.");
}

}  // namespace

Json gpt2SmallConfig()
{
    return {{"model_type", "gpt2"}, {"n_layer", 12},       {"n_head", 12},
            {"n_embd", 768},        {"vocab_size", 50257}, {"n_positions", 1024}};
}

Json olmo7bConfig()
{
    return {{"model_type", "olmo"},
            {"num_hidden_layers", 32},
            {"num_attention_heads", 32},
            {"hidden_size", 4096},
            {"intermediate_size", 11008},
            {"vocab_size", 50304},
            {"max_position_embeddings", 4096},
            {"tie_word_embeddings", false}};
}

Json llama8bConfig()
{
    return {{"model_type", "llama"},       {"num_hidden_layers", 32},
            {"num_attention_heads", 32},   {"num_key_value_heads", 8},
            {"hidden_size", 4096},         {"intermediate_size", 14336},
            {"vocab_size", 128256},        {"max_position_embeddings", 131072},
            {"tie_word_embeddings", false}};
}

engine::RunRequest benchmarkRequest(std::shared_ptr<const engine::Model> model, int tokens)
{
    engine::RunRequest request;
    request.model = std::move(model);
    for (int position = 0; position < tokens; ++position)
        request.tokens.push_back(position * 7919 % request.model->spec().vocabulary);
    request.capture.loss = false;
    return request;
}

LoadTimes timeLoading(const Json& config, model::DType inFile, const engine::LoadOptions& place,
                      const Hooks& hooks)
{
    const model::ArchSpec spec = orThrow(model::readArchSpec(config));
    requireRoom(static_cast<std::uint64_t>(model::parameterCount(spec)) * model::byteSize(inFile),
                place.device.devices.front());
    const TemporaryFolder scratch("headscope-bench");
    std::ofstream(scratch.path() / kConfigName) << config;
    makeWeightsFile(scratch.path() / kWeightsName, spec, inFile);
    const model::ModelFiles files = orThrow(model::locateModel(scratch.path().string(), {}));
    orThrow(engine::loadModel(files, place, {{}, hooks.stop}));
    resetPeakMemory();
    std::shared_ptr<const engine::Model> model;
    LoadTimes times;
    times.milliseconds = milliseconds([&] { model = orThrow(engine::loadModel(files, place, hooks)); });
    times.weightBytes = model->facts().weightBytes;
    times.peakBytes = peakResidentMemory();
    return times;
}

}  // namespace hs::bench
