#include "bench/benchmark_models.h"

#include "base/failure.h"
#include "base/system_memory.h"
#include "base/temporary_folder.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "engine/load/tensor_source_tensors.h"
#include "gguf/block_type.h"
#include "model/architectures.h"
#include "model/model_locator.h"
#include "model/safetensors_header.h"
#include "model/weight_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
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

std::string packedText(std::string_view text)
{
    const std::uint64_t length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + std::string(text);
}

template <class... Numbers>
std::string packedNumbers(Numbers... numbers)
{
    std::string bytes;
    (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
    return bytes;
}

/// A llama that consists of its embedding; like makeWeightsFile, without writing the weights.
void makeGgufFile(const std::filesystem::path& file, const gguf::BlockType& type, std::uint64_t rows,
                  std::uint64_t width)
{
    static constexpr std::uint32_t kInteger = 4, kText = 8, kVersion = 3, kAlignment = 32;
    std::string keys = packedText("general.architecture") + packedNumbers(kText) + packedText("llama");
    for (const char* const key : {"block_count", "context_length", "embedding_length", "feed_forward_length",
                                  "attention.head_count"}) {
        const bool isWidth = std::string_view(key) == "embedding_length";
        keys += packedText(std::string("llama.") + key) +
                packedNumbers(kInteger, isWidth ? static_cast<std::uint32_t>(width) : 1u);
    }
    std::string start = "GGUF" + packedNumbers(kVersion, std::uint64_t{1}, std::uint64_t{6}) + keys +
                        packedText("token_embd.weight") +
                        packedNumbers(std::uint32_t{2}, width, rows, type.id, std::uint64_t{0});
    start.resize((start.size() + kAlignment - 1) / kAlignment * kAlignment);
    std::ofstream(file, std::ios::binary) << start;
    std::filesystem::resize_file(file, start.size() + rows * width / type.elements * type.bytes);
}

/// A model's files with weights that are zeros.
model::ModelFiles makeModel(const std::filesystem::path& folder, const Json& config, model::DType inFile,
                            const engine::LoadOptions& place)
{
    const model::ArchSpec spec = orThrow(model::readArchSpec(config));
    requireRoom(static_cast<std::uint64_t>(model::parameterCount(spec)) * model::byteSize(inFile),
                place.device.devices.front());
    std::ofstream(folder / kConfigName) << config;
    makeWeightsFile(folder / kWeightsName, spec, inFile);
    return orThrow(model::locateModel(folder.string(), {}));
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

Json smolLm2Config()
{
    return {{"model_type", "llama"},      {"num_hidden_layers", 30},
            {"num_attention_heads", 9},   {"num_key_value_heads", 3},
            {"hidden_size", 576},         {"intermediate_size", 1536},
            {"vocab_size", 49152},        {"max_position_embeddings", 8192},
            {"tie_word_embeddings", true}};
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
    const TemporaryFolder scratch("headscope-bench");
    const model::ModelFiles files = makeModel(scratch.path(), config, inFile, place);
    orThrow(engine::loadModel(files, place, {{}, hooks.stop}));
    resetPeakMemory();
    std::shared_ptr<const engine::Model> model;
    LoadTimes times;
    times.milliseconds = milliseconds([&] { model = orThrow(engine::loadModel(files, place, hooks)); });
    times.weightBytes = model->facts().weightBytes;
    times.peakBytes = peakResidentMemory();
    return times;
}

TrainingStepTimes timeTrainingStep(const Json& config, model::DType inFile, const engine::LoadOptions& place,
                                   int tokens, int rounds, const Hooks& hooks)
{
    const TemporaryFolder first("headscope-bench"), second("headscope-bench");
    const std::array steps = {makeModel(first.path(), config, inFile, place),
                              makeModel(second.path(), config, inFile, place)};
    std::shared_ptr<const engine::Model> open;
    std::vector<double> step, run;
    for (int round = -2; round < rounds; ++round) {
        hooks.throwIfCancelled();
        engine::Engine engine;
        const double stepMs = milliseconds([&] {
            open = orThrow(
                engine::loadModel(steps[static_cast<std::size_t>(round & 1)], place, {{}, hooks.stop}));
            orThrow(engine.run(benchmarkRequest(open, tokens), {{}, hooks.stop}));
        });
        engine::RunRequest other = benchmarkRequest(open, tokens);
        other.tokens.front() += 1;  // so that nothing of the last run is kept
        const double runMs = milliseconds([&] { orThrow(engine.run(other, {{}, hooks.stop})); });
        if (round < 0)
            continue;
        step.push_back(stepMs);
        run.push_back(runMs);
    }
    return {median(run), median(step)};
}

double ggufBytesPerSecond(std::string_view type)
{
    static constexpr std::int64_t kRows = 1 << 16, kWidth = 2048;
    static constexpr const char* kName = "embed_tokens.weight";
    std::uint32_t id = 0;
    while (!gguf::blockTypeOf(id) || gguf::blockTypeOf(id)->name != type)
        ++id;
    const gguf::BlockType& packed = *gguf::blockTypeOf(id);
    const TemporaryFolder scratch("headscope-bench");
    model::ModelFiles files;
    files.format = model::ModelFiles::Format::Gguf;
    files.weights = {scratch.path() / kWeightsName};
    makeGgufFile(files.weights.front(), packed, kRows, kWidth);
    const auto source = engine::openGguf(files);
    const at::Tensor weights = at::empty({kRows, kWidth});
    source->read(kName, 0, weights);  // both in memory
    double best = HUGE_VAL;
    for (int round = 0; round < 5; ++round)
        best = std::min(best, milliseconds([&] { source->read(kName, 0, weights); }));
    return static_cast<double>(kRows * kWidth / packed.elements * packed.bytes) / best * 1000;
}

}  // namespace hs::bench
