#pragma once

#include "train/measure_tensors.h"

#include <map>
#include <vector>

namespace hs::features {

/// What the MLPs of a model read and what they add, on all tokens of a batch but the first of each row.
struct MlpStreams {
    std::vector<at::Tensor> inputs;   // [layer] of [token, width] float
    std::vector<at::Tensor> outputs;  // the same
};

/// Runs a model over batches for its MLPs' sake. On a GPU nothing waits for it.
class StreamReader {
public:
    StreamReader(const train::MeasuredModel& model, int groups, train::Operations operations);

    MlpStreams read(const train::Batch& batch);

private:
    const engine::DecoderFrame& frameOf(int length);

    const train::MeasuredModel& m_model;
    int m_groups;  // of the batches' rows
    train::Operations m_operations;
    at::Device m_device;
    std::optional<train::TrainingGate> m_gate;
    std::map<int, engine::DecoderFrame> m_frames;  // by length
};

}  // namespace hs::features
