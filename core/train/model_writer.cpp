#include "train/model_writer_tensors.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "engine/device/device_tensors.h"
#include "engine/load/arrangement_tensors.h"
#include "model/safetensors_writer.h"
#include "model/text_config.h"

#include <array>
#include <fstream>
#include <iterator>

namespace hs::train {
namespace {

namespace fs = std::filesystem;

constexpr std::array kTokenizerFiles = {"tokenizer.json",     "tokenizer_config.json",   "vocab.json",
                                        "merges.txt",         "special_tokens_map.json", "added_tokens.json",
                                        "chat_template.jinja"};

void writeTokenizer(const fs::path& folder, const ModelPapers& papers)
{
    if (!papers.tokenizerJson.empty())
        writeFile(folder / "tokenizer.json", papers.tokenizerJson);
    std::error_code isSame;
    if (papers.tokenizerFolder.empty() || fs::equivalent(papers.tokenizerFolder, folder, isSame))
        return;
    for (const char* const name : kTokenizerFiles) {
        std::ifstream file(papers.tokenizerFolder / name, std::ios::binary);
        if (file)
            writeFile(folder / name, std::string(std::istreambuf_iterator<char>(file), {}));
    }
}

const char* configName(model::DType dtype)
{
    return dtype == model::DType::F16 ? "float16" : dtype == model::DType::BF16 ? "bfloat16" : "float32";
}

Json configFor(const model::ArchSpec& spec, model::DType dtype, const ModelPapers& papers)
{
    Json config = model::textConfig(papers.config);
    config["model_type"] = spec.modelType;
    config.erase("torch_dtype");
    config["dtype"] = configName(dtype);
    // nanoGPT's activation is inferred from its file layout, which is not kept: state it instead.
    if (spec.names == model::NameStyle::NanoGpt)
        config["activation_function"] = wordOf(spec.activation);
    if (spec.gateBias)
        config["attention_gate"] = {{"type", "score"}, {"bias", *spec.gateBias}};
    return config;
}

void writeWeights(const fs::path& file, const model::ArchSpec& spec, const engine::ModelWeights& weights,
                  model::DType dtype)
{
    const std::vector<model::PlannedTensor> plan = model::planWeights(spec);
    std::vector<model::TensorSpec> contents;
    for (const model::PlannedTensor& planned : plan)
        for (const model::PlannedPart& part : planned.parts)
            contents.push_back({model::fullTensorName(spec, part.name), dtype, part.shape});
    model::SafetensorsWriter writer = model::SafetensorsWriter::create(file, contents, {{"format", "pt"}});
    for (const model::PlannedTensor& planned : plan) {
        const bool isShared = planned.role < model::Role::AttentionNormWeight;
        const at::Tensor& stored = isShared ? weights[planned.role] : weights.at(planned.layer, planned.role);
        // Rounded last: 1 + w has fewer digits for w.
        const at::Tensor whole = engine::rearrange(stored.to(at::kCPU), planned.arrangement, spec)
                                     .to(engine::torchType(dtype))
                                     .contiguous();
        std::int64_t row = 0;
        for (const model::PlannedPart& part : planned.parts) {
            const at::Tensor rows = whole.narrow(0, row, part.shape[0]);
            writer.write(model::fullTensorName(spec, part.name),
                         {static_cast<const std::byte*>(rows.data_ptr()), rows.nbytes()});
            row += part.shape[0];
        }
    }
    writer.finish();
}

}  // namespace

void writePapers(const fs::path& folder, const model::ArchSpec& spec, model::DType dtype,
                 const ModelPapers& papers)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        fail(ErrorCode::NotFound, "Cannot make the folder " + folder.string() + ": " + failed.message() +
                                      "; choose another --out.");
    writeFile(folder / "config.json", configFor(spec, dtype, papers).dump(2) + "\n");
    writeTokenizer(folder, papers);
}

void writeModel(const fs::path& folder, const model::ArchSpec& spec, const engine::ModelWeights& weights,
                model::DType dtype, const ModelPapers& papers)
{
    writePapers(folder, spec, dtype, papers);
    model::ArchSpec written = spec;
    if (spec.names == model::NameStyle::NanoGpt)
        written.names = model::NameStyle::Gpt2;
    writeWeights(folder / "model.safetensors", written, weights, dtype);
}

}  // namespace hs::train
