#include "train/training_state_tensors.h"

#include "base/failure.h"
#include "base/json_reader.h"
#include "engine/device/device_tensors.h"
#include "model/safetensors.h"
#include "model/safetensors_writer.h"

#include <cstring>
#include <limits>

namespace hs::train {
namespace {

constexpr const char* kRemedy = "delete it and start without --resume";

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

int countFrom(const JsonReader& field)
{
    return field.integer(0, std::numeric_limits<int>::max());
}

HeldOutMeasure measureFrom(const JsonReader& reader)
{
    HeldOutMeasure measure;
    for (const JsonReader& group : reader["groups"].items())
        measure.groups.push_back({group[0].text(), group[1].number(), group[2].number(),
                                  group[3].numberOrNaN(), countFrom(group[4])});
    measure.crossEntropy = reader["cross_entropy"].number();
    measure.divergence = reader["divergence"].number();
    measure.density = reader["density"].number();
    measure.expectedDensity = reader["expected_density"].number();
    const JsonReader heads = reader["heads"];
    measure.heads = countFrom(heads[0]);
    measure.headsEverActive = countFrom(heads[1]);
    measure.mostHeadsActive = countFrom(heads[2]);
    measure.meanHeadsActive = reader["mean_heads_active"].number();
    return measure;
}

Json numbersOf(const TrainingState& state)
{
    Json averages = Json::array();
    for (const double average : state.price.averages)
        averages.push_back(numberOrNull(average));
    Json numbers = {{"step", state.step},
                    {"steps", state.steps},
                    {"price", state.price.price},
                    {"averages", std::move(averages)},
                    {"scale", state.price.scale},
                    {"aim", state.price.aim},
                    {"steps_since_look", state.price.steps}};
    if (state.price.looked)
        numbers["look"] = {*state.price.looked, state.price.lookedPrice};
    if (state.best)
        numbers["best"] = {{"step", state.best->step}, {"measure", toJson(state.best->measure)}};
    return numbers;
}

void readNumbers(TrainingState& state, const JsonReader& numbers)
{
    state.step = countFrom(numbers["step"]);
    state.steps = countFrom(numbers["steps"]);
    state.price.price = numbers["price"].number();
    state.price.scale = numbers["scale"].number();
    state.price.aim = numbers["aim"].number();
    state.price.steps = countFrom(numbers["steps_since_look"]);
    if (const JsonReader look = numbers["look"]) {
        state.price.looked = look[0].number();
        state.price.lookedPrice = look[1].number();
    }
    for (const JsonReader& average : numbers["averages"].items())
        state.price.averages.push_back(average.numberOrNaN());
    if (const JsonReader best = numbers["best"])
        state.best = BestWeights{{}, countFrom(best["step"]), measureFrom(best["measure"])};
}

/// Replaces the remedy of errors, which is meant for downloaded files.
model::SafetensorsFile openCheckpoint(const std::filesystem::path& file)
{
    try {
        return model::SafetensorsFile::open(file);
    } catch (const Failure& failure) {
        if (failure.error().code != ErrorCode::BadFile)
            throw;
        fail(ErrorCode::BadFile, file.string() + " is damaged; " + kRemedy + ".", failure.error().message);
    }
}

/// The state's vectors under their names in the file.
template <class State, class Visit>
void forEachVector(State& state, Visit&& visit)
{
    visit("weights", state.vectors.weights);
    visit("mean", state.vectors.mean);
    visit("deviation", state.vectors.deviation);
    visit("average", state.vectors.average);
    if (state.best)
        visit("best", state.best->weights);
    if (state.record.defined())
        visit("record", state.record);
}

model::DType typeOf(const at::Tensor& vector)
{
    return vector.scalar_type() == at::kBFloat16 ? model::DType::BF16 : model::DType::F32;
}

}  // namespace

TrainingState hostCopyOf(const TrainingState& state)
{
    TrainingState copy = state;
    forEachVector(copy, [&](const char*, at::Tensor& vector) {
        const bool isNeverChanged = state.best && vector.is_same(state.best->weights);
        if (!isNeverChanged)
            vector = vector.to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
    });
    return copy;
}

void saveState(const std::filesystem::path& file, const TrainingState& state, const std::string& recipe)
{
    std::vector<model::TensorSpec> contents;
    forEachVector(state, [&](const char* name, const at::Tensor& vector) {
        contents.push_back({name, typeOf(vector), {vector.numel()}});
    });
    model::SafetensorsWriter writer = model::SafetensorsWriter::create(
        file, contents, {{"recipe", recipe}, {"numbers", numbersOf(state).dump()}});
    forEachVector(state, [&](const char* name, const at::Tensor& vector) {
        const at::Tensor onHost = vector.to(at::kCPU).contiguous();
        writer.write(name, {static_cast<const std::byte*>(onHost.data_ptr()), onHost.nbytes()});
    });
    writer.finish();
}

TrainingState loadState(const std::filesystem::path& file, const std::string& recipe, std::int64_t size,
                        model::DType states, at::Device device, std::int64_t recordSize)
{
    const model::SafetensorsFile opened = openCheckpoint(file);
    const auto& metadata = opened.metadata();
    if (!metadata.contains("recipe") || !metadata.contains("numbers"))
        fail(ErrorCode::BadFile, file.string() + " is no checkpoint of a training; " + kRemedy + ".");
    if (metadata.at("recipe") != recipe)
        fail(ErrorCode::BadRequest,
             file.string() + " is the checkpoint of a training with other options; resume with the options "
                             "it was started with, or start without --resume.",
             "checkpoint: " + metadata.at("recipe") + "\nnow: " + recipe);
    TrainingState state;
    const Json numbers = parseJson(metadata.at("numbers"), file.string());
    readNumbers(state, JsonReader(numbers, file.string(), kRemedy));
    if (recordSize > 0)
        state.record = at::empty({0});
    forEachVector(state, [&](const char* name, at::Tensor& vector) {
        const std::int64_t count = &vector == &state.record ? recordSize : size;
        const model::TensorInfo* const info = opened.find(name);
        const bool isMoment = &vector == &state.vectors.mean || &vector == &state.vectors.deviation;
        const model::DType dtype = isMoment ? states : model::DType::F32;
        if (!info || info->dtype != dtype || info->shape != std::vector{count})
            fail(ErrorCode::BadFile,
                 file.string() + " lacks the vector \"" + name + "\" of this model; start without --resume.");
        vector = at::empty({count}, engine::torchType(dtype));
        std::memcpy(vector.data_ptr(), opened.bytes(*info).data(), info->bytes);
    });
    for (at::Tensor* const vector : {&state.vectors.weights, &state.vectors.mean, &state.vectors.deviation,
                                     &state.vectors.average, &state.record})
        if (vector->defined())
            *vector = vector->to(device);
    return state;
}

}  // namespace hs::train
