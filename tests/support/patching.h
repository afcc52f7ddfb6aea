#pragma once

#include "analyses/circuit.h"
#include "support/models.h"

#include <cstdint>
#include <memory>

namespace hs::test {

/// The tokens whose logits differ, in questions to golden models about what makes them differ.
constexpr std::int64_t kTarget = 12;
constexpr std::int64_t kVersus = 40;

inline double metricOf(engine::RunRequest run)
{
    run.capture.watched = {kTarget, kVersus};
    const engine::RunResult result = value(engine::Engine().run(run));
    return result.watched[0].logit - result.watched[1].logit;
}

inline std::shared_ptr<const engine::HeadOutputs> outputsOf(engine::RunRequest run)
{
    run.capture.headOutputs = run.capture.headCells = true;
    return value(engine::Engine().run(run)).headOutputs;
}

inline analyses::Circuit circuitOf(const analyses::CircuitRequest& request)
{
    engine::Engine engine;
    return value(analyses::findCircuit(engine, request));
}

}  // namespace hs::test
