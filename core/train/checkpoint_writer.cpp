#include "base/atomic_file.h"
#include "base/failure.h"
#include "train/checkpoint_writer_tensors.h"

#include <chrono>

namespace hs::train {
namespace {

std::optional<Error> written(const OutputFolder& folder, const TrainingState& state,
                             const std::string& recipe, const std::string& curve)
{
    try {
        // The curve first: if it is ahead of the state, its end is cut off and nothing is lost.
        if (state.step > 0)
            writeFile(folder.curveFile(), curve);
        saveState(folder.stateFile(), state, recipe);
        return std::nullopt;
    } catch (...) {
        return currentError();
    }
}

}  // namespace

bool CheckpointWriter::isBusy() const
{
    return m_writing.valid() && m_writing.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

void CheckpointWriter::write(const TrainingState& state, const std::string& curve)
{
    wait();
    m_writing = std::async(std::launch::async, [this, copy = hostCopyOf(state), curve] {
        return written(m_folder, copy, m_recipe, curve);
    });
}

void CheckpointWriter::check()
{
    if (!isBusy())
        wait();
}

void CheckpointWriter::wait()
{
    if (!m_writing.valid())
        return;
    if (const std::optional<Error> error = m_writing.get())
        throw Failure(*error);
}

}  // namespace hs::train
