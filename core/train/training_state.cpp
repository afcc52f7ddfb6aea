#include "train/training_state_tensors.h"

#include "base/failure.h"
#include "base/json.h"
#include "model/safetensors.h"
#include "model/safetensors_writer.h"

#include <cmath>
#include <cstring>

namespace hs {
namespace {

double numberFrom(const Json& json)
{
    return json.is_null() ? NAN : json.get<double>();
}

Json toJson(const HeldOutMeasure& measure)
{
    Json groups = Json::array();
    for (const GroupMeasure& group : measure.groups)
        groups.push_back(
            {group.name, group.crossEntropy, group.divergence, numberOrNull(group.score), group.answers});
    return {{"groups", std::move(groups)},
            {"cross_entropy", measure.crossEntropy},
            {"divergence", measure.divergence},
            {"density", measure.density},
            {"expected_density", measure.expectedDensity},
            {"heads", {measure.heads, measure.headsEverActive, measure.mostHeadsActive}},
            {"mean_heads_active", measure.meanHeadsActive}};
}

HeldOutMeasure measureFrom(const Json& json)
{
    HeldOutMeasure measure;
    for (const Json& group : json.at("groups"))
        measure.groups.push_back(
            {group.at(0), group.at(1), group.at(2), numberFrom(group.at(3)), group.at(4)});
    measure.crossEntropy = json.at("cross_entropy");
    measure.divergence = json.at("divergence");
    measure.density = json.at("density");
    measure.expectedDensity = json.at("expected_density");
    measure.heads = json.at("heads").at(0);
    measure.headsEverActive = json.at("heads").at(1);
    measure.mostHeadsActive = json.at("heads").at(2);
    measure.meanHeadsActive = json.at("mean_heads_active");
    return measure;
}

Json numbersOf(const TrainingState& state)
{
    Json averages = Json::array();
    for (const double average : state.price.averages)
        averages.push_back(numberOrNull(average));
    Json numbers = {{"step", state.step},
                    {"price", state.price.price},
                    {"averages", std::move(averages)},
                    {"scale", state.price.scale}};
    if (state.best)
        numbers["best"] = {{"step", state.best->step}, {"measure", toJson(state.best->measure)}};
    return numbers;
}

void readNumbers(TrainingState& state, const Json& numbers)
{
    state.step = numbers.at("step");
    state.price.price = numbers.at("price");
    state.price.scale = numbers.at("scale");
    for (const Json& average : numbers.at("averages"))
        state.price.averages.push_back(numberFrom(average));
    if (numbers.contains("best"))
        state.best = BestWeights{{}, numbers["best"].at("step"), measureFrom(numbers["best"].at("measure"))};
}

[[noreturn]] void refuseDamaged(const std::filesystem::path& file, const std::string& detail)
{
    fail(ErrorCode::BadFile, file.string() + " is damaged; delete it and start without --resume.", detail);
}

/// What is wrong with a file that was downloaded has another remedy.
SafetensorsFile openCheckpoint(const std::filesystem::path& file)
{
    try {
        return SafetensorsFile::open(file);
    } catch (const Failure& failure) {
        if (failure.error().code != ErrorCode::BadFile)
            throw;
        refuseDamaged(file, failure.error().message);
    }
}

/// The state's vectors under their names in the file.
template <class State, class Visit>
void forEachVector(State& state, Visit&& visit)
{
    visit("weights", state.vectors.weights);
    visit("mean", state.vectors.mean);
    visit("variance", state.vectors.variance);
    visit("average", state.vectors.average);
    if (state.best)
        visit("best", state.best->weights);
}

}  // namespace

void saveState(const std::filesystem::path& file, const TrainingState& state, const std::string& recipe)
{
    std::vector<TensorSpec> contents;
    forEachVector(state, [&](const char* name, const at::Tensor& vector) {
        contents.push_back({name, DType::F32, {vector.numel()}});
    });
    SafetensorsWriter writer =
        SafetensorsWriter::create(file, contents, {{"recipe", recipe}, {"numbers", numbersOf(state).dump()}});
    forEachVector(state, [&](const char* name, const at::Tensor& vector) {
        const at::Tensor onHost = vector.to(at::kCPU).contiguous();
        writer.write(name, {static_cast<const std::byte*>(onHost.data_ptr()), onHost.nbytes()});
    });
    writer.finish();
}

TrainingState loadState(const std::filesystem::path& file, const std::string& recipe, std::int64_t size,
                        at::Device device)
{
    const SafetensorsFile opened = openCheckpoint(file);
    const auto& metadata = opened.metadata();
    if (!metadata.contains("recipe") || !metadata.contains("numbers"))
        fail(ErrorCode::BadFile,
             file.string() + " is no checkpoint of a training; delete it and start without --resume.");
    if (metadata.at("recipe") != recipe)
        fail(ErrorCode::BadRequest,
             file.string() + " is the checkpoint of a training with other options; resume with the options "
                             "it was started with, or start without --resume.",
             "checkpoint: " + metadata.at("recipe") + "\nnow: " + recipe);
    TrainingState state;
    try {
        readNumbers(state, parseJson(metadata.at("numbers"), file.string()));
    } catch (const Json::exception& exception) {
        refuseDamaged(file, exception.what());
    }
    forEachVector(state, [&](const char* name, at::Tensor& vector) {
        const TensorInfo* const info = opened.find(name);
        if (!info || info->dtype != DType::F32 || info->shape != std::vector{size})
            fail(ErrorCode::BadFile,
                 file.string() + " lacks the vector \"" + name + "\" of this model; start without --resume.");
        vector = at::empty({size}, at::kFloat);
        std::memcpy(vector.data_ptr(), opened.bytes(*info).data(), info->bytes);
    });
    for (at::Tensor* const vector :
         {&state.vectors.weights, &state.vectors.mean, &state.vectors.variance, &state.vectors.average})
        *vector = vector->to(device);
    return state;
}

}  // namespace hs
