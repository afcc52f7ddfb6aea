#pragma once

#include "train/trainer.h"

#include <string>

namespace hs::app {

/// A line of a report on standard error. Unlike those of `say`, it asks for nothing.
void narrate(const std::string& line);

/// Shows a curve as it grows: each measurement of the held-out part, and now and then a line in between.
/// On a terminal the lines in between overwrite one another.
class TrainingProgress {
public:
    explicit TrainingProgress(const train::Options& options);
    ~TrainingProgress() { wipe(); }
    TrainingProgress(const TrainingProgress&) = delete;
    TrainingProgress& operator=(const TrainingProgress&) = delete;

    void show(const train::CurvePoint& point);
    /// Removes a line that would be overwritten.
    void wipe();

private:
    train::Options m_options;
    bool m_isTerminal;
    bool m_isOverwritable = false;
    double m_lastShown = 0;  // seconds
};

/// What was written where, and how good it is, compared with the dense model if there is one.
std::string describeOutcome(const train::Outcome& outcome, const std::string& out);

}  // namespace hs::app
