#include "engine/load/model_loader.h"

#include "base/failure.h"
#include "base/system_memory.h"
#include "base/text_format.h"
#include "engine/device/device_tensors.h"
#include "engine/load/arrangement_tensors.h"
#include "engine/load/gpt2_layouts.h"
#include "engine/load/tensor_lookup.h"
#include "engine/load/tensor_source_tensors.h"
#include "engine/load/weight_upload_tensors.h"
#include "engine/load/weights_tensors.h"
#include "engine/request/forecast.h"
#include "model/architectures.h"

#include <algorithm>
#include <map>

namespace hs::engine {
namespace {

model::ArchSpec specOf(const model::ModelFiles& files, const TensorLookup& tensors,
                       std::vector<std::string>& notes)
{
    Json config = files.config.empty() ? tensors.source().config() : readJsonFile(files.config);
    if (files.config.empty() && !config.contains("model_type"))
        config = inferGpt2Config(tensors, config, notes);
    model::ArchSpec spec = orThrow(model::readArchSpec(config));
    if (spec.modelType == "gpt2")
        adaptGpt2Layout(spec, tensors, config, notes);
    return spec;
}

/// Decides where the layers go; refuses a model that does not fit.
void place(Model::Facts& facts, const DeviceChoice& choice)
{
    facts.placement = placeModel(facts.spec, facts.dtype, choice);
    facts.device = facts.placement.first();
    facts.weightBytes = forecastLoad(facts.spec, model::byteSize(facts.dtype)).weights;
    if (facts.placement.isSplit())
        facts.notes.push_back(describeLayers(facts.placement, facts.spec.layers));
}

at::TensorOptions optionsOf(const model::PlannedTensor& planned, const Model::Facts& facts)
{
    return at::TensorOptions(torchType(facts.dtype)).device(torchDevice(facts.placement.deviceOf(planned)));
}

void shareEmbedding(ModelWeights& weights, const Placement& placement)
{
    weights.shared[static_cast<int>(model::Role::Unembedding)] =
        weights[model::Role::Embedding].to(torchDevice(placement.last()));
}

at::Tensor emptyWeights(const std::vector<std::int64_t>& shape, const at::TensorOptions& options)
{
    at::Tensor weights = at::empty(shape, options);
    if (weights.is_cpu())
        preferLargePages(weights.data_ptr(), weights.nbytes());
    return weights;
}

at::Tensor assemble(const model::PlannedTensor& planned, const TensorLookup& tensors,
                    const at::TensorOptions& options, WeightUpload& upload)
{
    if (options.device().is_cpu() && tensors.source().staysUnchanged()) {
        std::vector<std::string> names;
        for (const model::PlannedPart& part : planned.parts)
            names.push_back(tensors.fileName(part.name));
        if (at::Tensor whole = tensors.source().inPlace(names, c10::typeMetaToScalarType(options.dtype()));
            whole.defined())
            return whole;
    }
    std::vector<std::int64_t> shape = planned.parts.front().shape;
    shape[0] = 0;
    for (const model::PlannedPart& part : planned.parts)
        shape[0] += part.shape[0];
    at::Tensor whole = emptyWeights(shape, options);
    std::int64_t row = 0;
    for (const model::PlannedPart& part : planned.parts) {
        const std::string& fileName = tensors.fileName(part.name);
        upload.copy(whole.narrow(0, row, part.shape[0]), [&](std::int64_t firstRow, const at::Tensor& to) {
            tensors.source().read(fileName, firstRow, to);
        });
        tensors.source().release(fileName);
        row += part.shape[0];
    }
    return whole;
}

void noteUnused(std::vector<std::string> unused, Model::Facts& facts)
{
    if (facts.spec.isTied)  // then many files repeat the embedding
        std::erase_if(unused, [](const std::string& name) {
            return name.ends_with("lm_head.weight") || name.ends_with("embed_out.weight");
        });
    if (!unused.empty())
        facts.notes.push_back(std::to_string(unused.size()) +
                              " tensors of the checkpoint are not used: " + listSome(unused) + ".");
}

bool hasGpu(const LoadOptions& options)
{
    return std::ranges::any_of(options.device.devices, &Device::isCuda);
}

void noteRoundedGates(Model::Facts& facts, const LoadOptions& options)
{
    if (hasGpu(options) && facts.spec.gateBias && facts.dtype != model::DType::F32)
        facts.notes.push_back("In " + std::string(model::name(facts.dtype)) +
                              " gates whose scores are close to zero open and close by rounding; with "
                              "--dtype f32 they are exact.");
}

/// Whether float32 weights take at most half of what is free on the devices.
bool leavesHalf(const model::ArchSpec& spec, const DeviceChoice& choice, const FreeMemory& freeOn)
{
    std::uint64_t free = 0;
    for (const Device device : choice.devices)
        free += freeOn(device).value_or(0);
    return forecastLoad(spec, sizeof(float)).weights <= free / 2;
}

/// Whether a processor computes with weights of this type where they lie.
bool canStayInPlace(model::DType type)
{
    return type == model::DType::F32 || type == model::DType::F16 || type == model::DType::BF16;
}

std::shared_ptr<const Model> load(const model::ModelFiles& files, const LoadOptions& options,
                                  const Hooks& hooks)
{
    const std::unique_ptr<TensorSource> source = openSource(files);
    const TensorLookup tensors(*source);

    Model::Facts facts;
    facts.name = model::titleOf(files);
    facts.notes = source->notes();
    facts.spec = specOf(files, tensors, facts.notes);
    const std::vector<model::PlannedTensor> plan = model::planWeights(facts.spec);
    tensors.requireAll(plan);
    noteUnused(tensors.unused(plan), facts);

    const std::string& firstWeight = tensors.fileName(plan.front().parts.front().name);
    const model::DType inFile = source->dtype(firstWeight);
    facts.dtype = weightType(options, facts.spec, inFile);
    if (!options.dtype && !hasGpu(options) && source->staysUnchanged() && canStayInPlace(inFile))
        facts.dtype = inFile;  // where they lie, the weights take no memory
    noteRoundedGates(facts, options);
    place(facts, options.device);

    auto weights = std::make_unique<ModelWeights>();
    weights->layers.resize(facts.spec.layers);
    WeightUpload upload;
    const int total = static_cast<int>(plan.size());
    for (int done = 0; done < total; ++done) {
        hooks.throwIfCancelled();
        hooks.report(done, total);
        const at::Tensor tensor = assemble(plan[done], tensors, optionsOf(plan[done], facts), upload);
        weights->put(plan[done], arrange(tensor, plan[done].arrangement, facts.spec));
    }
    upload.finish();
    source->requireUnchanged();
    hooks.report(total, total);
    if (facts.spec.isTied)
        shareEmbedding(*weights, facts.placement);
    return std::make_shared<const Model>(std::move(facts), std::move(weights));
}

/// "12.3 GB on cuda:0".
std::string freeOnEach(const DeviceChoice& choice)
{
    std::string list;
    for (const Device device : choice.devices)
        if (const std::optional<std::uint64_t> free = availableMemory(device))
            list += (list.empty() ? "" : " and ") + formatBytes(*free) + " on " + toString(device);
    return list;
}

std::shared_ptr<const Model> makeRandom(const model::ArchSpec& spec, std::uint64_t seed,
                                        const LoadOptions& options)
{
    Model::Facts facts;
    facts.name = "random " + spec.modelType;
    facts.spec = spec;
    facts.dtype = weightType(options, spec, model::DType::F32);
    place(facts, options.device);

    auto weights = std::make_unique<ModelWeights>();
    weights->layers.resize(spec.layers);
    std::map<std::string, at::Generator> generators;  // by device
    const auto generatorOn = [&](Device device) -> at::Generator& {
        at::Generator& generator = generators[toString(device)];
        if (!generator.defined())
            generator = newGenerator(torchDevice(device), seed);
        return generator;
    };
    for (const model::PlannedTensor& planned : model::planWeights(spec)) {
        std::vector<std::int64_t> shape = planned.parts.front().shape;
        shape[0] = planned.elements() / (shape.size() > 1 ? shape[1] : 1);
        const bool isScale = isNormWeight(planned.role) && !spec.normsPlusOne;
        at::Tensor tensor =
            emptyWeights(shape, optionsOf(planned, facts))
                .normal_(isScale ? 1.0 : 0.0, 0.05, generatorOn(facts.placement.deviceOf(planned)));
        weights->put(planned, arrange(tensor, planned.arrangement, spec));
    }
    if (spec.isTied)
        shareEmbedding(*weights, facts.placement);
    return std::make_shared<const Model>(std::move(facts), std::move(weights));
}

}  // namespace

model::DType weightType(const LoadOptions& options, const model::ArchSpec& spec, model::DType inFile,
                        const FreeMemory& freeOn)
{
    if (options.dtype)
        return *options.dtype;
    const bool isExact = spec.gateBias && leavesHalf(spec, options.device, freeOn);
    return hasGpu(options) && !isExact && inFile != model::DType::F64 ? inFile : model::DType::F32;
}

Result<std::shared_ptr<const Model>> loadModel(const model::ModelFiles& files, const LoadOptions& options,
                                               const Hooks& hooks)
{
    return guarded([&] {
        try {
            // The run that gave way to this may be in inference mode, but the weights must allow gradients.
            const c10::InferenceMode ordinary(false);
            return load(files, options, hooks);
        } catch (const std::exception& exception) {
            for (const Device device : options.device.devices)
                requireWorking(device, exception.what());
            if (!isOutOfMemory(exception))
                throw;
            giveBackMemory();
            fail(ErrorCode::TooLarge,
                 "The memory ran out while " + model::titleOf(files) + " was loaded, with " +
                     freeOnEach(options.device) +
                     " free again; use --dtype bf16, more devices (--device cuda:0,cpu) or a smaller model.",
                 exception.what());
        }
    });
}

Result<std::shared_ptr<const Model>> randomModel(const model::ArchSpec& spec, std::uint64_t seed,
                                                 const LoadOptions& options)
{
    return guarded([&] { return makeRandom(spec, seed, options); });
}

}  // namespace hs::engine
