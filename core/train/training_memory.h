#pragma once

#include "engine/load/model.h"
#include "model/arch_spec.h"
#include "model/dtype.h"
#include "train/economy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::train {

/// What decides how much memory a training takes, besides the model's shape.
struct TrainingSize {
    std::int64_t rows = 0;    // of the first step
    std::int64_t length = 0;  // of its rows, padding included
    bool distils = false;
    model::DType computedIn = model::DType::F32;
    bool isFused = true;
    Economy economy = {};
};

struct MemoryPart {
    std::string name;
    std::uint64_t bytes = 0;
};

/// What a training takes on its device at its fullest, part by part.
struct TrainingForecast {
    std::vector<MemoryPart> parts;
    std::uint64_t loaded = 0;  // of the total, what is there before it starts: the dense model

    std::uint64_t total() const;
    std::uint64_t of(const std::string& name) const;  // 0 where it has no such part
};

TrainingForecast forecastTraining(const model::ArchSpec& spec, const TrainingSize& size);

/// "Memory: 41 GB of 139 GB on cuda:0 (weights 9.3 GB, …).", for the user.
std::string describeForecast(const TrainingForecast& forecast, engine::Device device);

/// Throws Failure if that is more than there is, with what would help and how much: better now than when the
/// system kills the program.
void requireTrainingMemory(const model::ArchSpec& spec, const TrainingSize& size, engine::Device device);

/// Throws Failure for a model whose layers are on several devices: gradients need all of them on one.
void requireOneDevice(const engine::Model& model);

}  // namespace hs::train
