#pragma once

#include "base/result.h"
#include "train/output_folder.h"
#include "train/training_state_tensors.h"

#include <future>
#include <optional>
#include <string>

namespace hs::train {

/// Writes checkpoints in the background, one at a time: the training waits only while its state is copied.
/// What goes wrong is thrown by the next call. Ends only when the last one is written.
class CheckpointWriter {
public:
    CheckpointWriter(const OutputFolder& folder, std::string recipe)
        : m_folder(folder), m_recipe(std::move(recipe))
    {
    }

    /// Whether one is still being written.
    bool isBusy() const;
    /// Waits for the one before, if there is one, copies state and curve, and begins to write them.
    void write(const TrainingState& state, const std::string& curve);
    /// Throws Failure if the last one has ended and could not be written.
    void check();
    /// Until the last one is written. Throws Failure if it could not be.
    void wait();

private:
    const OutputFolder& m_folder;
    std::string m_recipe;
    std::future<std::optional<Error>> m_writing;
};

}  // namespace hs::train
